"""Where a quote may begin and end: not inside a word, a number, or what belongs to one.

What is beside an edge is read in a plain notation. The edge cuts where a *joint* lies across it: a
stretch such as "5 0", "-5", "r-f" or "n.c" that only occurs inside one number or word.
"""

import re
from collections.abc import Iterable
from typing import Final

from groundtypes.quotes.edge_context import plain_after, plain_before
from groundtypes.quotes.edge_signs import cuts_sign
from groundtypes.quotes.number_boundaries import (
    AFTER_NUMBER,
    BEFORE_NUMBER,
    INSIDE_NUMBER,
    NUMERAL_WORDS,
    SCALE_WORDS,
)
from groundtypes.quotes.word_boundaries import (
    BEFORE_WORD,
    INSIDE_WORD,
    is_dotted_word,
    is_elided_article,
)
from groundtypes.text.characters import INVISIBLE, MARKS, WORD

__all__ = ["is_cut"]

_WORD: Final = re.compile(WORD)
_MARK: Final = re.compile(f"[{MARKS}]")
_SUPERSCRIPT_DIGITS: Final = frozenset(
    "\u00b9\u00b2\u00b3\u2070\u2074\u2075\u2076\u2077\u2078\u2079"
)
_LONG_WORD: Final = re.compile(r"[^\W\d_]{3}\Z")
#: A sign may be left out after the quote's last word, but not before its first number.
_AT_START: Final = (INSIDE_NUMBER, BEFORE_NUMBER, INSIDE_WORD, BEFORE_WORD)
_AT_END: Final = (INSIDE_NUMBER, AFTER_NUMBER, INSIDE_WORD)
#: How many characters of plain text on each side of an edge are searched for joints.
_REACH: Final = 24
_LAST_WORD: Final = re.compile(r"([^\W\d_]+)(?: and)?[ \n]?\Z")
_FIRST_WORD: Final = re.compile(r"[ \n]?(?:and )?([^\W\d_]+)")
#: Edges at which no joint can lie: a space between words, or a mark and a space after a word.
_PLAIN_START: Final = re.compile(r"[a-z][.,;:!?]? \Z", re.ASCII)
_PLAIN_END: Final = re.compile(r"(?:[.,;:!?](?!\S)| (?!n['\u2019]t)(?=[A-Za-z(]))", re.ASCII)


def is_cut(text: str, start: int, end: int) -> bool:
    """Whether a stretch of the text starts or ends inside a word or number."""
    # An invisible character beside a word, such as a direction mark, is not part of the word.
    while start < end and start > 0 and INVISIBLE.match(text[start - 1]):
        start -= 1
    while end > start and end < len(text) and INVISIBLE.match(text[end]):
        end += 1
    return _is_start_cut(text, start) or _is_end_cut(text, end) or cuts_sign(text, start, end)


def _is_start_cut(text: str, start: int) -> bool:
    if start == 0 or start >= len(text):
        return False
    if _MARK.match(text[start]):
        return not text[start - 1].isspace()
    if text[start].isalpha() and _PLAIN_START.search(text, max(0, start - 3), start):
        return _splits_numeral(text[max(0, start - 16) : start], text[start : start + 16])
    before, after = plain_before(text, start), plain_after(text, start)
    if is_elided_article(before):
        return False
    return _is_joined(before, after, _AT_START)


def _is_end_cut(text: str, end: int) -> bool:
    if end == 0 or end >= len(text):
        return False
    if _MARK.match(text[end]):
        return not text[end - 1].isspace()
    if text[end - 1].isalpha() and _PLAIN_END.match(text, end):
        return _splits_numeral(text[max(0, end - 16) : end], text[end : end + 16])
    return _is_joined(plain_before(text, end), plain_after(text, end), _AT_END)


def _is_joined(before: str, after: str, joints: Iterable[re.Pattern[str]]) -> bool:
    """Whether plain texts that meet are parts of one word or number."""
    if not before or not after:
        return False
    if _WORD.match(before[-1]) and _WORD.match(after):
        # After a word a raised number is a footnote mark, after a number or unit an exponent.
        return after[0] not in _SUPERSCRIPT_DIGITS or not _LONG_WORD.search(before)
    left = before[-_REACH:]
    window, at = left + after[:_REACH], len(left)
    if any(_has_match_across(joint, window, at) for joint in joints):
        return True
    return is_dotted_word(window, at) or _splits_numeral(before, after)


def _has_match_across(pattern: re.Pattern[str], window: str, at: int) -> bool:
    """Whether the pattern matches a stretch that begins before this offset and ends after it."""
    position = 0
    while (match := pattern.search(window, position)) and match.start() < at:
        if match.end() > at:
            return True
        position = match.start() + 1
    return False


def _splits_numeral(before: str, after: str) -> bool:
    """Whether a number in words goes on: "five" and "million", "hundred" and "twenty"."""
    last, first = _LAST_WORD.search(before), _FIRST_WORD.match(after)
    if last is None or first is None:
        return False
    words = (last[1].lower(), first[1].lower())
    return any(_is_scale(word) for word in words) and all(
        word in NUMERAL_WORDS or _is_scale(word) for word in words
    )


def _is_scale(word: str) -> bool:
    return SCALE_WORDS.fullmatch(word) is not None
