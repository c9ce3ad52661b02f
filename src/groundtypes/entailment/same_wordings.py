"""Wordings that say the same, as one of them: "at most 8" and "no more than 8".

Only wordings that say the same in every sentence are listed, so that a statement whose words become
those of a sentence follows from it. English only.
"""

import re
from functools import lru_cache
from typing import Final

from groundtypes.entailment.alignment import words_of
from groundtypes.entailment.negation_words import without_tag
from groundtypes.entailment.word_classes import QUANTIFIER

__all__ = ["same_adjectives", "same_wording", "signs_of"]

#: Before a number, also in words, which `words_of` makes figures.
_BOUNDS: Final = (
    (re.compile(r"\b(?:at[_ ]most|no[_ ]more[_ ]than|not more than) (?=\d)"), "no more than "),
    (
        re.compile(
            r"\b(?:at[_ ]least|no[_ ]less[_ ]than|no fewer than|not (?:less|fewer) than) (?=\d)"
        ),
        "no less than ",
    ),
    (re.compile(r"\bfewer than (?=\d)"), "less than "),
    (re.compile(r"^it is (?:true|correct|a fact) that "), ""),
    (re.compile(r"\bnot a single (?=\w)"), "no "),
)
#: Whether something is allowed or possible. Next to "all" or "only", a "not" may deny those.
_PERMISSIONS: Final = (
    (re.compile(r"\b(?:prohibited|forbidden|(?<=is )banned|(?<=are )banned)\b"), "not permitted"),
    (re.compile(r"\ballowed\b"), "permitted"),
    (re.compile(r"\bimpossible\b"), "not possible"),
    (re.compile(r"\bnot not possible\b"), "possible"),
    (re.compile(r"^no (\w{1,30}) (is|are) (?=permitted\b)"), r"\1 \2 not "),
)
#: Adjectives with "un", "in" or "il" that say no less and no more than the adjective denied.
_DENYING: Final = (
    "unable unavailable unchanged uninsured unlawful unmarried unpaid unsafe unsigned unvaccinated "
    "incomplete invalid illegal illegible"
)
_DENIED: Final = "|".join(word[2:] for word in _DENYING.split())
_IS: Final = "(?:(?<=is )|(?<=are )|(?<=be ))"
#: The same of adjectives that deny others. They count where the rest is word for word the same:
#: beside other differences, "not" is one, whichever side has it.
_ADJECTIVES: Final = (
    (re.compile(rf"(?:{_IS}|(?<=is not )|(?<=re not ))closed\b"), "not open"),
    (re.compile(rf"{_IS}non ?(?=\w{{3,30}}[ai]ble\b)"), "not "),
    (re.compile(rf"{_IS}(?:un|in|il)(?=(?:{_DENIED})\b)"), "not "),
    (re.compile(r"\bnot not (?=open\b)"), ""),
)
_SCOPED: Final = frozenset(("only", "solely", "just", "alone", "because")).union(QUANTIFIER)
#: What a sentence says to be beyond doubt, it says.
_NO_DOUBT: Final = re.compile(r"^there (?:is|was|can be) no doubt that ")
_SIGNS: Final = re.compile(
    r"[%\u2030\u20ac$\u00a3\u00a5\u00b0<>=\u2248\u2264\u2265\u00b1+/]|(?<=\w)#|(?<!\w)[-\u2212](?=\d)"
)


@lru_cache(maxsize=4_096)
def same_wording(text: str, *, is_stated: bool = False) -> str:
    """Return the words of a text in lower case, with one of several wordings that say the same.

    Numbers in words are figures, and a tag question (", isn't it?") is left out. A text that is
    stated keeps "there is no doubt that", because it may say more than its sentence.
    """
    shorter = without_tag(text)
    if text[len(shorter) :].lstrip().startswith(","):
        text = shorter
    words = words_of(text)
    wording = " ".join(
        word.stem if word.is_number else word.text for word in words.words if word.text[0].isalnum()
    )
    if not is_stated:
        wording = _NO_DOUBT.sub("", wording)
    for pattern, same in _BOUNDS:
        wording = pattern.sub(same, wording)
    if _SCOPED.isdisjoint(words.texts):
        for pattern, same in _PERMISSIONS:
            wording = pattern.sub(same, wording)
    return wording


def same_adjectives(wording: str) -> str:
    """Return a wording of `same_wording` with "not open" for "closed" and the like."""
    if _SCOPED.isdisjoint(wording.split()):
        for pattern, same in _ADJECTIVES:
            wording = pattern.sub(same, wording)
    return wording


def signs_of(text: str) -> list[str]:
    """Return the signs that change what a number or a word says, which no word has: "%"."""
    return _SIGNS.findall(text)
