"""Where a quote may begin and end: not inside a word, a number, or what belongs to one.

What is beside an edge is read in a plain notation. The edge cuts where a *joint* lies across it: a
stretch such as "5 0", "-5", "r-f" or "n.c" that only occurs inside one number or word.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from groundtypes.quotes.code import is_formula_mark
from groundtypes.quotes.edge_context import plain_after, plain_before
from groundtypes.quotes.edge_signs import cuts_sign
from groundtypes.quotes.identifiers import cuts_identifier
from groundtypes.quotes.measures import (
    cuts_across_lines,
    cuts_range,
    cuts_temperature,
    cuts_unit,
)
from groundtypes.quotes.number_boundaries import (
    AFTER_NUMBER,
    BEFORE_NUMBER,
    INSIDE_NUMBER,
    NUMERAL_CHARACTERS,
    NUMERAL_WORDS,
    SCALE_WORDS,
    SIGN_WORDS,
    cuts_ordinal,
)
from groundtypes.quotes.rates import BEGIN_RATE, cuts_rate
from groundtypes.quotes.word_boundaries import (
    BEFORE_WORD,
    INSIDE_WORD,
    is_dotted_word,
    is_elided_article,
    is_possessor,
)
from groundtypes.text.characters import INVISIBLE, MARKS, WORD

__all__ = ["is_cut"]

_WORD: Final = re.compile(WORD)
_MARK: Final = re.compile(f"[{MARKS}]")
_SUPERSCRIPT_DIGITS: Final = frozenset(
    "\u00b9\u00b2\u00b3\u2070\u2074\u2075\u2076\u2077\u2078\u2079"
)
_LONG_WORD: Final = re.compile(r"[^\W\d_]{3}\Z")
#: How many characters of plain text on each side of an edge are searched for joints.
_REACH: Final = 28


class _Joint(NamedTuple):
    """A pattern whose matches lie across an edge that cuts.

    Attributes:
        pattern: Matches stretches of plain text.
        reach: How far before the edge a match may begin.
        near: From where to where, relative to the edge, one of these characters must be.
        characters: Without one of them no match is possible.
        first: The first character of a match, where that is known.
    """

    pattern: re.Pattern[str]
    reach: int
    near: tuple[int, int]
    characters: re.Pattern[str]
    first: re.Pattern[str] | None = None


_DIGIT: Final = re.compile(rf"[\d{NUMERAL_CHARACTERS}만억조천]")
_JOINT_CHARACTER: Final = re.compile(
    r"[-\u2212/&@_\u00b7+#\u266f\u266d\\\u05f3\u05f4\u207a\u207b$\u4e0d\u672a\u975e\u65e0\u7121\u6ca1\u6c92\u2014^]"
    r"|\w ?['\u2019]\w|:[:/\w]|\w[(\]]|[)\]]\w|[\u05d0-\u05ea]\"|n't|(?<!\w)\.\w"
)
_NUMBER_NEAR: Final = re.compile(r"\d")
_INSIDE_NUMBER: Final = _Joint(
    INSIDE_NUMBER, 14, (-14, 0), _DIGIT, re.compile(rf"[\d){NUMERAL_CHARACTERS}]")
)
_BEFORE_NUMBER: Final = _Joint(BEFORE_NUMBER, 10, (0, 4), _DIGIT)
_AFTER_NUMBER: Final = _Joint(AFTER_NUMBER, 1, (-1, 0), _DIGIT)
_INSIDE_WORD: Final = _Joint(INSIDE_WORD, 9, (-9, 4), _JOINT_CHARACTER)
_BEFORE_WORD: Final = _Joint(BEFORE_WORD, 8, (-8, 2), _JOINT_CHARACTER)
#: A sign may be left out after the quote's last word, but not before its first number.
_AT_START: Final = (_INSIDE_NUMBER, _BEFORE_NUMBER, _INSIDE_WORD, _BEFORE_WORD)
_AT_END: Final = (_INSIDE_NUMBER, _AFTER_NUMBER, _INSIDE_WORD)
_LAST_WORD: Final = re.compile(r"([^\W\d_]+)(?: and)?[ \n]?\Z")
_FIRST_WORD: Final = re.compile(r"[ \n]?(?:and )?([^\W\d_]+)")
#: Edges at which no joint can lie but one of numbers in words: a space between words, or a mark and
#: a space after a word.
_PLAIN_START: Final = re.compile(r"[a-z.,;:!?)\"\u201d][ \n]{1,2}\Z", re.ASCII)
_MARK_AND_SPACE: Final = re.compile(r" ?[.,;:!?]{1,3}(?!\S)")
_CLOSING_MARKS: Final = re.compile(r" ?[\"'\u2019\u201d)\]]{1,3} ?[.,;:!?]{0,3}(?!\S)")
_PLAIN_END: Final = re.compile(r"[ \n](?!n['\u2019]t)[A-Za-z(\"\u201c]")
#: After the unit of an amount, a range or a rate goes on, or the amount is below zero.
_TO_NUMBER: Final = re.compile(
    rf"[ \n](?:(?:{BEGIN_RATE})[ \n.]|all['\u2019]|[^\W\d_]{{1,7}}[ \n]"
    r"(?:[$\u20ac\u00a3]?\d|zero|freezing|null?|noll|cero|de zero|нуля|zéro|nulou|zera))",
    re.IGNORECASE,
)
#: The words for "per" that a quote may end with.
_RATE_WORDS: Final = (" per", " pro", " a", " an")
_MARKS_OF_CLAUSES: Final = frozenset('.,;:!?)"\u201d')


def is_cut(text: str, start: int, end: int) -> bool:
    """Whether a stretch of the text starts or ends inside a word or number."""
    # White space at the ends of a quote is no part of it.
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    # An invisible character beside a word, such as a direction mark, is not part of the word.
    while start < end and start > 0 and _is_invisible(text[start - 1]):
        start -= 1
    while end > start and end < len(text) and _is_invisible(text[end]):
        end += 1
    return _is_start_cut(text, start) or _is_end_cut(text, end) or cuts_sign(text, start, end)


def _is_invisible(character: str) -> bool:
    return not character.isascii() and INVISIBLE.match(character) is not None


def _is_mark(character: str) -> bool:
    return not character.isascii() and _MARK.match(character) is not None


def _is_start_cut(text: str, start: int) -> bool:
    if start == 0 or start >= len(text):
        return False
    first = text[start]
    if _is_mark(first):
        return not text[start - 1].isspace()
    if (
        first.isalpha()
        and start > 1
        and text[start - 1] in " \n"
        and text[start - 2] in _MARKS_OF_CLAUSES
    ):
        return False
    if first.isalpha() and _PLAIN_START.search(text, max(0, start - 3), start):
        return text[max(0, start - 3) : start].rstrip()[-1].isalpha() and _splits_numeral(
            text[max(0, start - 16) : start], text[start : start + 16]
        )
    # The sign that begins or ends a formula of LaTeX is no currency.
    is_in_formula = text[start - 1] == "$" and is_formula_mark(text, start - 1)
    before, after = plain_before(text, start - is_in_formula), plain_after(text, start)
    if is_elided_article(before):
        return False
    return _is_joined(before, after, _AT_START)


def _is_end_cut(text: str, end: int) -> bool:
    if end == 0 or end >= len(text):
        return False
    if _is_mark(text[end]):
        return not text[end - 1].isspace()
    last = text[end - 1]
    if cuts_ordinal(text, end):
        return True
    if last.isalnum() and _MARK_AND_SPACE.match(text, end):
        return False
    if last.isalpha() and _CLOSING_MARKS.match(text, end):
        return False
    if _PLAIN_END.match(text, end):
        is_in_rate = last in "roan" and text.endswith(_RATE_WORDS, 0, end)
        if last.isalpha() and not is_in_rate and not _TO_NUMBER.match(text, end):
            return _splits_numeral(text[max(0, end - 16) : end], text[end : end + 16])
        if last in _MARKS_OF_CLAUSES:
            return False
    is_in_formula = text[end] == "$" and is_formula_mark(text, end)
    before, after = plain_before(text, end), plain_after(text, end + is_in_formula)
    if is_possessor(before, after):
        return False
    return _is_joined(before, after, _AT_END) or (
        cuts_unit(before, after) or cuts_temperature(before, after) or cuts_rate(before, after)
    )


def _is_joined(before: str, after: str, joints: Iterable[_Joint]) -> bool:
    """Whether plain texts that meet are parts of one word or number."""
    if not before or not after:
        return False
    if _WORD.match(before[-1]) and _WORD.match(after):
        # After a word a raised number is a footnote mark, after a number or unit an exponent.
        return after[0] not in _SUPERSCRIPT_DIGITS or not _LONG_WORD.search(before)
    left = before[-_REACH:]
    window, at = left + after[:_REACH], len(left)
    return (
        any(_lies_across(joint, window, at) for joint in joints)
        or is_dotted_word(window, at)
        or _splits_numeral(before, after)
        or (_NUMBER_NEAR.search(window) is not None and _cuts_amount(before, after))
    )


def _cuts_amount(before: str, after: str) -> bool:
    """Whether the edge is inside a range, an identifier, or an amount on two lines."""
    return (
        cuts_range(before, after)
        or cuts_identifier(before, after)
        or cuts_across_lines(before, after)
    )


def _lies_across(joint: _Joint, window: str, at: int) -> bool:
    """Whether a joint begins before this offset and ends after it."""
    low, high = joint.near
    if not joint.characters.search(window, max(0, at + low), at + high):
        return False
    for start in range(max(0, at - joint.reach), at):
        if joint.first is None or joint.first.match(window, start):
            match = joint.pattern.match(window, start)
            if match and match.end() > at:
                return True
    return False


def _splits_numeral(before: str, after: str) -> bool:
    """Whether a number in words goes on, as in "five million", "hundred twenty", "minus five"."""
    first = _FIRST_WORD.match(after)
    if first is None:
        return False
    right = first[1].lower()
    is_numeral = right in NUMERAL_WORDS
    if not is_numeral and not _is_scale(right):
        return False
    last = _LAST_WORD.search(before)
    if last is None:
        return False
    left = last[1].lower()
    return _is_scale(left) or left in (SIGN_WORDS if is_numeral else NUMERAL_WORDS)


@lru_cache(maxsize=4096)
def _is_scale(word: str) -> bool:
    return SCALE_WORDS.fullmatch(word) is not None
