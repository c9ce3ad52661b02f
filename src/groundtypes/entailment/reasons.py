"""What differs most between a statement and its evidence, in plain English."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from groundtypes.entailment.denials import Denial
from groundtypes.entailment.differences import Differences
from groundtypes.entailment.exchanged_numbers import ExchangedNumber
from groundtypes.entailment.other_records import ValueOfAnother
from groundtypes.shown_text import clip

__all__ = [
    "MainDifference",
    "denied",
    "exchange",
    "in_exchanged_places",
    "left_out",
    "main_difference",
    "nothing_said",
    "of_another_record",
    "opposite",
    "unsaid",
]

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


def denied(found: Denial) -> MainDifference:
    """Return that only a negation tells the statement from its sentence."""
    if found.moved is not None:
        stated, there = (f"'{clip(word, _MAX_WORD)}'" for word in found.moved)
        return MainDifference(f"the sentence denies {stated} where the passage denies {there}")
    word = f"'{clip(found.negation, _MAX_WORD)}'"
    return _only_stated(word) if found.is_stated else _left_out(word)


def unsaid() -> MainDifference:
    """Return that the evidence does not speak of what the statement denies."""
    return MainDifference("the sentence denies something that the references do not speak of")


def nothing_said() -> MainDifference:
    """Return that the statement claims nothing."""
    return MainDifference("the sentence says nothing that could follow from a passage")


def exchange(found: ExchangedNumber) -> MainDifference:
    """Return that a number belongs to something else in the sentence."""
    number, belongs_to, owner = (f"'{clip(word, _MAX_WORD)}'" for word in found)
    return MainDifference(_of_another(number, belongs_to, owner).text, tuple(found))


def in_exchanged_places(one: str, other: str) -> MainDifference:
    """Return that two words of a sentence have changed places in the statement."""
    shown = (f"'{clip(word, _MAX_WORD)}'" for word in (one, other))
    return MainDifference(f"{' and '.join(shown)} have changed places", (one, other))


def opposite(stated: str, there: str) -> MainDifference:
    """Return that the statement has the opposite of a word, or another weekday, in its place."""
    words = (f"'{clip(word, _MAX_WORD)}'" for word in (stated, there))
    return MainDifference(_opposite(*words).text, (there,))


def left_out(word: str) -> MainDifference:
    """Return that the statement leaves out a word of the sentence."""
    return MainDifference(_left_out(f"'{clip(word, _MAX_WORD)}'").text, (word,))


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


def _is_named(name: str, contribution: float) -> bool:
    """Whether a difference may be named; a statement need not have all numbers of its passage."""
    return contribution < 0.0 or (contribution == 0.0 and name != "number left out")


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
            (name for name in present if _is_named(name, contributions[name])),
            key=contributions.__getitem__,
        )
    if not present:
        return None
    words = differences.words[present[0]]
    said = _SAYINGS[present[0]](*(f"'{clip(word, _MAX_WORD)}'" for word in words))
    return MainDifference(said.text, words)
