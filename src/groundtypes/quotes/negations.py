"""The negation right before a quote, without which the quote says the opposite.

"Run in the hall" stands in "Never run in the hall", word for word. What a text says farther from
the quote is no matter of these rules: they read one word, or up to three where the others are
articles, auxiliary verbs and the like ("Not the captain", "no ha sido").
"""

import re
from typing import Final, NamedTuple

from groundtypes.quotes.field_values import is_field_value
from groundtypes.quotes.list_headings import heading_negation
from groundtypes.quotes.negation_gaps import Gap, gap_before
from groundtypes.quotes.negation_languages import languages_of_negation
from groundtypes.quotes.negation_remarks import LONGEST_REMARK, goes_on, is_interrupted
from groundtypes.quotes.negation_words import (
    ANSWERS,
    ANY_BETWEEN,
    ANY_NEGATION,
    BETWEEN,
    LATIN_NOT,
    NEARLY,
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
#: What an item of a list may begin behind: the end of a bullet, a tag, emphasis, a wide colon.
_ITEM_MARKS: Final = (
    "-*+\u2022\u25e6\u25aa\u25ab\u2023\u25cf\u25cb\u25a0\u25a1\u2013\u2014\u2043\u00b7\u2717\u2718"
    "\u2716\u274c\U0001f6ab\ufe0f)]"
)
_BEFORE_ITEMS: Final = '>*_`"\u201c\uff1a'
#: What may be before the digit or letter of "1." and "a.", the number of an item.
_BEFORE_NUMBER: Final = "\n \t(*>0123456789"
#: A list number with the line break before it is at most so long.
_LONGEST_NUMBER: Final = 12
#: So far back a colon before the items of a list is looked for.
_COLON_REACH: Final = 160
#: After "hardly" at the start of a sentence only these say that it negates.
_PRONOUNS: Final = frozenset(
    "anyone anybody anything any ever a an one jemand jemals ein eine einer etwas iemand iets een "
    "någon någonting nogen noget noen noe kukaan mikään kdo co valaki valami".split()
)
_THEN: Final = re.compile(
    r"[^.!?;:\n]*?\b(?:when|before|than|als|da|toen|of|förrän|før|kun|když)\b"
)
_CLAUSE_REACH: Final = 120
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
    ignores and remarks may be between, too. Of an item of a list it is that of the heading. Which
    words negate depends on the language of the text.
    """
    while start < len(text) and text[start].isspace():
        start += 1
    if start < 2:
        return None
    last, mark = text[start - 1], text[start - 2]
    # Most quotes begin a sentence or clause, behind the mark that ends another one.
    if last == " " and mark == "." and text[start - 4] not in _BEFORE_NUMBER:
        return None
    if last.isalnum():
        return _spaceless_negation(text, start)
    if last in " \n" and (
        mark in ".,:!?" or (mark == ";" and "&" not in text[max(0, start - 9) : start])
    ):
        if mark == "." and last == "\n":
            return None
        return _negation_behind_mark(text, start)
    if last == " " and mark.isalpha():
        # Most quotes inside of a sentence stand behind a word that has nothing to do with it.
        low = max(0, start - _LONGEST_WORD)
        word = text[max(low, text.rfind(" ", low, start - 1) + 1) : start - 1]
        if word.isalpha() and folded_word(word) not in _READ_WORDS:
            return None
    elif mark in _ITEM_MARKS or last in _BEFORE_ITEMS or text[start] in _ITEM_MARKS:
        heading = heading_negation(text, start)
        if heading is not None:
            return None if is_struck_out(text, *heading, "") else heading
    return _negation_in_words(text, start)


def _negation_behind_mark(text: str, start: int) -> tuple[int, int] | None:
    """Return the negation of a quote right behind a punctuation mark and a space or line break."""
    mark = text[start - 2]
    if mark == ".":
        low = max(0, start - _LONGEST_NUMBER)
        may_be_item = not low or text.find("\n", low, start) >= 0
    else:
        may_be_item = mark in ":,;" and text.rfind(":", max(0, start - _COLON_REACH), start) >= 0
    if may_be_item and (heading := heading_negation(text, start)) is not None:
        return None if is_struck_out(text, *heading, "") else heading
    if mark != ",":
        return None
    # Most clauses between two commas do not stand behind a negation.
    comma = text.rfind(",", max(0, start - LONGEST_REMARK), start - 2)
    low = max(0, comma - _LONGEST_WORD)
    word = text[max(low, text.rfind(" ", low, comma) + 1) : comma] if comma > 0 else ""
    may_negate = (
        folded_word(word) in _READ_WORDS if word.isalpha() else word[-1:] in tuple("t)]*_>")
    )
    return _negation_in_words(text, start) if may_negate else None


def _negation_in_words(text: str, start: int) -> tuple[int, int] | None:
    """Return where the negation is among the last words before a quote."""
    words = _words_before(text, start)
    if not words:
        return _spaceless_negation(text, start)
    negation, between = words[-1], [word.folded for word in words[:-1]]
    first = text[start : start + 16].split(None, 1)[0].strip(".,;:!?") if start < len(text) else ""
    first = folded_word(first.partition("'")[0])
    if first in SECOND_NEGATIONS:
        return None
    if _is_apart(words, text, start) or is_struck_out(text, negation.start, negation.end, ""):
        return None
    gap = next((word.gap for word in words if word.gap.remark), None)
    if gap is not None and not (
        goes_on(first)
        and is_interrupted(text, negation.start, negation.folded, gap.start, gap.remark)
    ):
        return None
    if negation.folded in NEARLY and _is_temporal(text, negation.start, start, first):
        return None
    if negation.folded == "not" and text.endswith((" or ", "Or "), 0, negation.start):
        return None  # "whether or not" negates nothing
    if negation.folded == "non" and text.endswith(" ou ", 0, negation.start):
        return None  # the same in French
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
    has_brackets = any(word.gap.remark == "(" for word in words)
    if has_brackets and text[start : start + 1].isupper() and text[negation.start + 1].islower():
        return True  # "Wi-Fi: no (sorry) Parking: yes"
    is_answer = negation.folded in ANSWERS and (
        negation.folded != "nie"  # "never" in German, "no" in Polish
        or "de" not in languages_of_negation("nie", text, negation.start, start)
    )
    if negation.gap.remark and is_answer:
        # "No, as a rule, dogs may enter": an answer, or the value of a field.
        before = text[max(0, negation.start - 8) : negation.start].rstrip(" *_")
        return negation.gap.remark != "(" or before.endswith((":", "=", "|", ","))
    if not negation.gap.line_breaks:
        return False
    following = words[-2].start if len(words) > 1 else start
    return is_field_value(text, negation.start, negation.end, following)


def _is_temporal(text: str, negation: int, start: int, first: str) -> bool:
    """Whether "hardly" and its like mean "as soon as": "Hardly had he left when it rained"."""
    if text[negation].isupper() and first not in _PRONOUNS:
        return True
    return _THEN.search(text, start, start + _CLAUSE_REACH) is not None


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
