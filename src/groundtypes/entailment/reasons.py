"""What differs most between a statement and its evidence, in plain English."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from groundtypes.entailment.differences import Differences
from groundtypes.entailment.exchanged_numbers import ExchangedNumber
from groundtypes.entailment.other_records import ValueOfAnother
from groundtypes.errors import clip

__all__ = ["MainDifference", "denied", "exchange", "main_difference", "of_another_record"]

#: The longest word that is shown.
_MAX_WORD: Final = 40


class MainDifference(NamedTuple):
    """A difference in plain English, and the words of the evidence that it is about."""

    text: str
    words: tuple[str, ...] = ()


def _only_stated(word: str) -> MainDifference:
    return MainDifference(f"{word} stands in the sentence and not in the passage")


def _left_out(word: str) -> MainDifference:
    return MainDifference(f"{word} stands in the passage and not in the sentence")


def _opposite(word: str, other: str) -> MainDifference:
    return MainDifference(f"the sentence says {word} where the passage says {other}")


def _of_another(number: str, beside: str, owner: str) -> MainDifference:
    return MainDifference(f"{number} stands in the references beside {beside}, not {owner}")


def denied(negation: str, is_stated: bool) -> MainDifference:  # noqa: FBT001 # of a pair
    """Return that only a negation tells the statement from its sentence."""
    word = f"'{clip(negation, _MAX_WORD)}'"
    return _only_stated(word) if is_stated else _left_out(word)


def exchange(found: ExchangedNumber) -> MainDifference:
    """Return that a number belongs to something else in the sentence."""
    number, belongs_to, owner = (f"'{clip(word, _MAX_WORD)}'" for word in found)
    return MainDifference(_of_another(number, belongs_to, owner).text, tuple(found))


def of_another_record(found: ValueOfAnother) -> MainDifference:
    """Return that a value belongs to another row or object than the one that is named."""
    value, belongs_to, owner = (f"'{clip(word, _MAX_WORD)}'" for word in found[:3])
    return MainDifference(
        f"{value} stands in the references under {belongs_to}, not under {owner}", found[:1]
    )


def _elsewhere(word: str) -> MainDifference:
    return MainDifference(f"{word} does not stand in the closest sentence")


def _nowhere(word: str) -> MainDifference:
    return MainDifference(f"{word} stands nowhere in the references")


_CLASSES: Final = (
    "negation",
    "condition",
    "quantifier",
    "modality",
    "hedge",
    "comparison",
    "cause",
)
#: How each difference is said; where no weights are known, the first that there is.
_SAYINGS: Final[Mapping[str, Callable[..., MainDifference]]] = MappingProxyType(
    {
        "opposite": _opposite,
        "number of another": _of_another,
        "number not in references": _nowhere,
        "name not in references": _nowhere,
        **{f"{name} left out": _left_out for name in _CLASSES},
        **{f"{name} only stated": _only_stated for name in _CLASSES},
        "number not in sentences": _elsewhere,
        "number not in closest": _elsewhere,
        "name not in closest": _elsewhere,
        "number left out": _left_out,
        "words not in references": _nowhere,
    }
)


def main_difference(
    differences: Differences, contributions: Mapping[str, float] | None = None
) -> MainDifference | None:
    """Return the difference that weighs most against a statement; `None` if there is none.

    `contributions` says how much each adds to the log odds of entailment.
    """
    present = [name for name in _SAYINGS if name in differences.words]
    if contributions is not None:
        # A difference without weight is named only if no other weighs against the statement.
        present = sorted(
            (name for name in present if contributions[name] <= 0.0), key=contributions.__getitem__
        )
    if not present:
        return None
    words = differences.words[present[0]]
    said = _SAYINGS[present[0]](*(f"'{clip(word, _MAX_WORD)}'" for word in words))
    return MainDifference(said.text, words)
