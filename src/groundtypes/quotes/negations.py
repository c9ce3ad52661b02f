"""The negation right before a quote, without which the quote says the opposite.

"Run in the hall" stands in "Never run in the hall", word for word. What a text says farther from
the quote is no matter of these rules: they read one word, or up to three where the others are
articles, auxiliary verbs and the like ("Not the captain", "no ha sido").
"""

import re
from typing import Final, NamedTuple

from groundtypes.quotes.field_values import is_field_value
from groundtypes.quotes.negation_gaps import Gap, gap_before
from groundtypes.quotes.negation_languages import languages_of_negation
from groundtypes.quotes.negation_words import (
    ANY_BETWEEN,
    ANY_NEGATION,
    BETWEEN,
    LATIN_NOT,
    SECOND_NEGATIONS,
    SPACELESS_NEGATIONS,
    folded_word,
)
from groundtypes.quotes.struck_out import is_struck_out

__all__ = ["negation_before"]

#: A negation is one of the last words before the quote.
_WORDS_READ: Final = 3
#: A longer word is no negation.
_LONGEST_WORD: Final = 24
#: What a word ends at beside white space.
_WORD_ENDS: Final = '"*_`~\u201c\u2018\u00ab\u201e([{<>]'
#: "No" for "number", inside of a sentence: "Rule No 7".
_NUMERO: Final = re.compile(r"\w No \Z")
_READ_WORDS: Final = ANY_NEGATION | ANY_BETWEEN
_LONGEST_SPACELESS: Final = max(map(len, SPACELESS_NEGATIONS))


class _Word(NamedTuple):
    """A word before a quote, folded, where it stands, and the gap behind it."""

    folded: str
    start: int
    end: int
    gap: Gap


def negation_before(text: str, start: int) -> tuple[int, int] | None:
    """Return where the negation stands that a quote from this offset on leaves out, or `None`.

    It is the word before the quote in the same sentence and on the same line or the next, or one
    before that where only articles, auxiliary verbs and the like are between. Marks that a search
    ignores may be between, too. Which words negate depends on the language of the text.
    """
    while start < len(text) and text[start].isspace():
        start += 1
    # Most quotes begin a sentence or clause, behind the mark that ends another one.
    if start < 2 or text[start - 1].isalnum():
        return _spaceless_negation(text, start) if start > 1 else None
    if text[start - 1] in " \n" and (
        text[start - 2] in ".,:!?"
        or (text[start - 2] == ";" and "&" not in text[max(0, start - 9) : start])
    ):
        return None
    if text[start - 1] == " " and text[start - 2].isalpha():
        # Most quotes inside of a sentence stand behind a word that has nothing to do with it.
        low = max(0, start - _LONGEST_WORD)
        word = text[max(low, text.rfind(" ", low, start - 1) + 1) : start - 1]
        if word.isalpha() and folded_word(word) not in _READ_WORDS:
            return None
    words = _words_before(text, start)
    if not words:
        return _spaceless_negation(text, start)
    negation, between = words[-1], [word.folded for word in words[:-1]]
    first = text[start : start + 9].split(None, 1)[0].strip(".,;:!?") if start < len(text) else ""
    if folded_word(first.partition("'")[0]) in SECOND_NEGATIONS:
        return None
    if _is_apart(words, text, start) or is_struck_out(text, negation.start, negation.end, ""):
        return None
    if negation.folded == "not" and text.endswith((" or ", "Or "), 0, negation.start):
        return None  # "whether or not" negates nothing
    if text[start : start + 1].isdigit() and _NUMERO.search(text, max(0, start - 5), start):
        return None
    if negation.folded.endswith(LATIN_NOT):
        is_negated = BETWEEN["en"].issuperset(between)
    else:
        languages = languages_of_negation(negation.folded, text, negation.start, start)
        is_negated = any(BETWEEN[code].issuperset(between) for code in languages)
    return (negation.start, negation.end) if is_negated else None


def _words_before(text: str, start: int) -> list[_Word]:
    """Return the words from the quote back to the first negation; none where there is none."""
    words: list[_Word] = []
    end = start
    for _ in range(_WORDS_READ):
        gap = gap_before(text, end)
        low = max(0, gap.start - _LONGEST_WORD)
        at = gap.start
        while at > low and not text[at - 1].isspace() and text[at - 1] not in _WORD_ENDS:
            at -= 1
        is_identifier = text[at - 1 : at] in ("_", "*") and text[at - 2 : at - 1].isalnum()
        if at == gap.start or (at == low and low) or is_identifier:
            return []
        while at < gap.start and text[at] in "'\u2019":
            at += 1
        word = _Word(folded_word(text[at : gap.start]), at, gap.start, gap)
        words.append(word)
        if word.folded in ANY_NEGATION or word.folded.endswith(LATIN_NOT):
            return words
        if word.folded not in ANY_BETWEEN:
            return []
        end = at
    return []


def _is_apart(words: list[_Word], text: str, start: int) -> bool:
    """Whether what is between a negation and a quote keeps them apart."""
    negation = words[-1]
    if sum(word.gap.line_breaks for word in words) > 1 or any(word.gap.has_tab for word in words):
        return True
    is_remark = any(word.gap.has_brackets for word in words)
    if is_remark and text[start : start + 1].isupper() and text[negation.start + 1].islower():
        return True  # "Wi-Fi: no (sorry) Parking: yes"
    if not negation.gap.line_breaks:
        return False
    following = words[-2].start if len(words) > 1 else start
    return is_field_value(text, negation.start, negation.end, following)


def _spaceless_negation(text: str, start: int) -> tuple[int, int] | None:
    """Return where a negation of a script without spaces ends right before a quote."""
    low = max(0, start - _LONGEST_SPACELESS)
    before = text[low:start]
    if before.isascii():
        return None
    end = gap_before(text, start).start
    before = text[max(0, end - _LONGEST_SPACELESS) : end]
    if any(char.isspace() for char in text[end:start]) or not before.endswith(SPACELESS_NEGATIONS):
        return None
    length = max(len(ending) for ending in SPACELESS_NEGATIONS if before.endswith(ending))
    return end - length, end
