"""A statement that a sentence only reports as what somebody thinks, claims or fears.

"Bilal thinks that May is too early." does not say that it is. What somebody "said" or "reported" is
often repeated as a fact, and rightly so in most of the claims written for the project, on which
this was counted (`docs/entailment.md`); so these verbs are left to the model.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from groundtypes.entailment.alignment import Word
from groundtypes.entailment.changed_words import is_comparable, plain_words
from groundtypes.entailment.word_classes import NEGATION

__all__ = ["only_reported"]

_VERBS: Final = frozenset(
    "think thinks thought believe believes believed claim claims claimed fear fears feared hope "
    "hopes hoped suspect suspects suspected argue argues argued allege alleges alleged assume "
    "assumes assumed guess guesses guessed doubt doubts doubted deny denies denied wish wishes "
    "wished insist insists insisted reckon reckons reckoned suppose supposes supposed imagine "
    "imagines imagined worry worries worried pretend pretends pretended dream dreams dreamed "
    "dreamt".split()
)
_DENYING: Final = frozenset("doubt doubts doubted deny denies denied".split())
#: What the author of a text believes is what the text says.
_AUTHOR: Final = frozenset(("i", "we"))


def only_reported(statement: str, sentences: Iterable[str]) -> str | None:
    """Return the verb by which sentences report a statement that leaves it out.

    All words of the statement follow the verb, perhaps behind "that", in their order. No sentence
    has them without such a verb.
    """
    stated = plain_words(statement)
    wanted = _stems(stated)
    found: str | None = None
    for sentence in sentences:
        words = plain_words(sentence)
        if not is_comparable(stated, words):
            continue
        stems = _stems(words)
        for start in range(len(stems) - len(wanted) + 1):
            if stems[start : start + len(wanted)] == wanted:
                verb = _reporting(words[:start])
                if verb is None:
                    return None
                found = found or verb.shown
    return found


def _reporting(before: Sequence[Word]) -> Word | None:
    """Return the verb of thinking or claiming that words end with, perhaps with "that" behind."""
    if before and before[-1].text == "that":
        before = before[:-1]
    if len(before) < 2 or before[-1].text not in _VERBS or before[-2].text in _AUTHOR:
        return None
    # "There is no doubt that Ann wrote it", "Nobody denies that ..."
    is_affirmed = before[-1].text in _DENYING and any(word.text in NEGATION for word in before)
    return None if is_affirmed else before[-1]


def _stems(words: Sequence[Word]) -> list[str]:
    return [word.stem for word in words]
