"""The fast path of the comparison: only the part that differs is read token by token.

Quote and text are folded character by character, so that offsets stay the same. The anchors give
where the quote begins and ends in the text. From these two ends equal characters are skipped
inwards, and usually little is left in the middle.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from rapidfuzz.distance import Postfix, Prefix

from groundtypes.quotes.alignment import Edit, edits_between
from groundtypes.quotes.candidates import Anchor
from groundtypes.quotes.comparison import differ_only_in_typography
from groundtypes.quotes.scanner import scan, scan_uninterrupted
from groundtypes.quotes.tokens import WORD

_ASCII_SPACES: Final = "\t\n\r\x0b\x0c"
_SPACES: Final = _ASCII_SPACES + (
    "\x85\xa0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
)
#: Characters that are folded to one ASCII character. All others are left to the scanner.
_ASCII: Final = (
    dict.fromkeys(_SPACES, " ")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
    | dict.fromkeys("\u2018\u2019\u201a\u201b\u02bc", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f", '"')
)
_FOLDABLE: Final = re.compile(f"[{''.join(_ASCII)}]")
#: Characters that may surround a quote and are not part of it, before it and after it.
_SURROUNDING_BEFORE: Final = " \"'*_`\u2026"
_SURROUNDING_AFTER: Final = _SURROUNDING_BEFORE + ".,;:"
#: How many anchors are tried from each end.
_ANCHORS_TRIED: Final = 3
#: The first and last characters of the quote serve as anchors, too, where they occur at most this
#: far from where they are expected.
_END_CHARACTERS: Final = 12
_REACH: Final = 8


def fold_characters(text: str) -> str:
    """Return the text of the same length with plain spaces, dashes, quotation marks, lower case."""
    if text.isascii():
        for space in _ASCII_SPACES:
            text = text.replace(space, " ")
        return text.lower()
    # Such characters are few, so that searching for them is much faster than `str.translate`.
    plain = _FOLDABLE.sub(lambda match: _ASCII[match[0]], text)
    lower = plain.lower()
    # A few letters get longer in lower case; then case stays.
    return lower if len(lower) == len(plain) else plain


class FoldedQuote(NamedTuple):
    """A folded quote, and the range of it that must occur in the text."""

    text: str
    first: int
    last: int

    @classmethod
    def of(cls, quote: str) -> "FoldedQuote":
        """Return the folded form of a quote."""
        text = fold_characters(quote)
        last = len(text.rstrip(_SURROUNDING_AFTER))
        first = min(len(text) - len(text.lstrip(_SURROUNDING_BEFORE)), last)
        # An asterisk or underscore before a word, without another one, may be a sign of code.
        if first and quote[first : first + 1].islower():
            mark = text[first - 1]
            if mark in "*_" and mark not in text[first:]:
                first -= 1
        return cls(text, first, last)


class FastMatch(NamedTuple):
    """The stretch of a text that corresponds to a quote.

    `edits` is `None` where the two differ in typography alone. `is_sure` says that begin and end
    were found, and not taken from the length of the quote.
    """

    start: int
    end: int
    edits: Sequence[Edit] | None
    is_sure: bool = True


def fast_match(
    quote: str, folded: FoldedQuote, text: str, anchors: Sequence[Anchor]
) -> FastMatch | None:
    """Return the stretch of the text around the anchors that corresponds to the quote.

    The result is `None` where this cannot be decided quickly: then only the comparison token by
    token decides. The anchors of rare words come first.
    """
    ordered = sorted(anchors, key=lambda anchor: anchor[1])
    whole, first, last = folded
    slack = 40 + (last - first) // 4
    low = max(0, ordered[0][0] - ordered[0][1] - slack)
    window = fold_characters(text[low : ordered[-1][0] + len(whole) - ordered[-1][1] + slack])
    in_window = [(start - low, offset) for start, offset in ordered]

    expected = anchors[0][0] - low - anchors[0][1] + first
    found_begin = _find_begin(whole, first, window, in_window, expected)
    if found_begin is None:
        if _find_end(whole, last, window, in_window, expected + last - first) is None:
            return None
        begin = _begin_of_word(window, expected)
    else:
        begin = found_begin
    equal_until = first + Prefix.similarity(whole[first:last], window[begin:])
    if equal_until == last:
        return _widened(folded, window, low, begin, begin + last - first, None)
    found_end = _find_end(whole, last, window, in_window, begin + last - first)
    if found_end is None and found_begin is None:
        return None
    end = _end_of_word(window, begin + last - first) if found_end is None else found_end
    if end <= begin:
        return None
    equal_from = last - Postfix.similarity(whole[first:last], window[begin:end])
    equal_until, equal_from = _differing_range(
        whole, equal_until, equal_from, begin - first, end - last
    )
    text_from, text_until = begin + equal_until - first, end - (last - equal_from)
    if text_until - text_from > 4 * (equal_from - equal_until) + 400:
        return None
    quote_tokens = scan(quote, equal_until, equal_from)
    text_tokens = scan(text, low + text_from, low + text_until)
    edits = None
    if not differ_only_in_typography(quote_tokens, text_tokens):
        on_one_page = scan_uninterrupted(text, low + text_from, low + text_until)
        if on_one_page is None:
            edits = edits_between(quote_tokens, text_tokens)
        elif not differ_only_in_typography(quote_tokens, on_one_page):
            return None  # the last words may be those of a running header
    is_sure = found_begin is not None and found_end is not None
    if not is_sure and edits is not None and not _is_one_word(edits):
        return None
    return _widened(folded, window, low, begin, end, edits)._replace(is_sure=is_sure)


def _is_one_word(edits: Sequence[Edit]) -> bool:
    """Whether one word alone stands in the place of another one."""
    return len(edits) == 1 and all(
        len(tokens) == 1 and tokens[0].kind == WORD
        for tokens in (edits[0].quoted, edits[0].original)
    )


def _begin_of_word(window: str, expected: int) -> int:
    """Return where a word begins near the expected begin: the first word may have a typo."""
    begin = window.rfind(" ", 0, max(0, expected) + 2) + 1
    while begin < len(window) and window[begin] in _SURROUNDING_BEFORE:
        begin += 1
    return begin


def _end_of_word(window: str, expected: int) -> int:
    """Return where a word ends near the expected end: the last word may have a typo."""
    space = window.find(" ", max(0, expected - 2))
    end = len(window) if space < 0 else space
    while end > 0 and window[end - 1] in _SURROUNDING_AFTER:
        end -= 1
    return end


def _find_begin(
    whole: str, first: int, window: str, anchors: Sequence[Anchor], expected: int
) -> int | None:
    """Return where the quote begins: near `expected`, at an anchor with all before it equal."""
    begins = [
        start - (offset - first)
        for start, offset in anchors[:_ANCHORS_TRIED]
        if start >= offset - first
        and window.startswith(whole[first:offset], start - (offset - first))
    ]
    # What differs may come before all anchors; then the first characters serve as one.
    low = max(0, expected - _REACH)
    at = window.find(
        whole[first : first + _END_CHARACTERS], low, expected + _END_CHARACTERS + _REACH
    )
    if at >= 0:
        begins.append(at)
    return min(begins, key=lambda begin: abs(begin - expected), default=None)


def _find_end(
    whole: str, last: int, window: str, anchors: Sequence[Anchor], expected: int
) -> int | None:
    """Return where the quote ends: near `expected`, at an anchor with all after it equal."""
    ends = [
        start + last - offset
        for start, offset in anchors[: -_ANCHORS_TRIED - 1 : -1]
        if offset < last and window.startswith(whole[offset:last], start)
    ]
    tail = whole[max(0, last - _END_CHARACTERS) : last]
    low = max(0, expected - _END_CHARACTERS - 2 * _REACH)
    at = window.rfind(tail, low, expected + 2 * _REACH)
    if at >= 0:
        ends.append(at + len(tail))
    return min(ends, key=lambda end: abs(end - expected), default=None)


def _differing_range(
    whole: str, equal_until: int, equal_from: int, begin_shift: int, end_shift: int
) -> tuple[int, int]:
    """Return the range read by tokens, with two words on each side; the shifts are the text's."""
    # Where the quote repeats itself, the equal characters from both ends may overlap.
    overlap = max(
        equal_until - equal_from, (equal_until + begin_shift) - (equal_from + end_shift), 0
    )
    equal_from += overlap
    core_end = len(whole.rstrip(_SURROUNDING_AFTER))
    for _ in range(2):
        equal_until = max(whole.rfind(" ", 0, equal_until), 0)
        space = whole.find(" ", equal_from + 1)
        equal_from = core_end if space < 0 else min(space, core_end)
    return equal_until, equal_from


def _widened(
    folded: FoldedQuote,
    window: str,
    low: int,
    begin: int,
    end: int,
    edits: Sequence[Edit] | None,
) -> FastMatch:
    """Return the match with the surrounding characters that quote and passage have in common."""
    whole, first, last = folded
    end += Prefix.similarity(whole[last:].rstrip(), window[end:])
    begin -= Postfix.similarity(whole[:first].lstrip(), window[:begin])
    return FastMatch(low + begin, low + end, edits)
