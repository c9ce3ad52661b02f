"""The slow path of the comparison: windows of the text around candidates, read token by token.

It decides where the fast path cannot. A window is only a little longer than the quote; where the
quote reaches beyond it (much markup may be in between), a wider window is tried.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Final

from groundtypes.quotes.alignment import Alignment, align
from groundtypes.quotes.candidates import Anchor, Candidate
from groundtypes.quotes.comparison import WindowTooNarrow, core_range, last_covered
from groundtypes.quotes.scanner import scan, scan_uninterrupted
from groundtypes.quotes.tokens import PUNCTUATION, QUOTATION_MARK, Tokens

#: The most characters of the texts that are scanned for one quote: a fixed number, and a number for
#: each of its characters.
_SCANNED: Final = 40_000
_SCANNED_PER_CHARACTER: Final = 10
#: The most tokens of a quote that are aligned with a passage.
_ALIGNED_TOKENS: Final = 500
#: The widths of the windows that are tried, as multiples of the slack.
_WIDTHS: Final = (1, 4, 16)
#: At most this many anchors of one candidate are tried as the start of the comparison.
_ANCHORS_TRIED: Final = 16
#: An alignment that ends so close to the end of the window may go on beyond it.
_MARGIN: Final = 30


class TokenComparison:
    """The comparison of one quote with windows of several texts."""

    def __init__(self, quote: str, texts: Sequence[str], longest: int) -> None:
        """Prepare the comparison of the quote's first `longest` characters."""
        self._quote = quote
        self._texts = texts
        self._longest = longest
        self._windows: dict[tuple[int, int, int], Tokens] = {}
        self._scannable = _SCANNED + _SCANNED_PER_CHARACTER * len(quote)

    @cached_property
    def _tokens(self) -> Tokens:
        """The tokens of the quote, or of the beginning of one that is too long."""
        return scan(self._quote, 0, min(len(self._quote), self._longest))

    @cached_property
    def _core(self) -> tuple[int, int]:
        return core_range(self._tokens)

    def match(self, candidate: Candidate) -> tuple[int, int] | None:
        """Return the stretch at this place that is the quote up to typography."""
        for width in _WIDTHS:
            if self._scannable < 0:
                break
            try:
                return self._match_in_window(candidate, width)
            except WindowTooNarrow:
                continue
        return None

    def _match_in_window(self, candidate: Candidate, width: int) -> tuple[int, int] | None:
        tokens, (first, last) = self._tokens, self._core
        if first == last:
            return None
        text = self._texts[candidate.number]
        place, offset = candidate.anchors[0]
        before, after = offset - tokens.starts[first], tokens.ends[last - 1] - offset
        start, end = _window_bounds(text, place, max(0, before), max(0, after), width)
        is_too_narrow = False
        for window in self._windows_between(candidate.number, start, end):
            for anchor in _distinct(candidate.anchors):
                try:
                    match = self._match_from(anchor, window)
                except WindowTooNarrow:
                    is_too_narrow = True
                    continue
                if match and _has_whole_characters(window, *match):
                    left, right = self._with_common_punctuation(window, *match)
                    return window.starts[left], window.ends[right]
        if is_too_narrow and (start > 0 or end < len(text)):
            raise WindowTooNarrow
        return None

    def _windows_between(self, number: int, start: int, end: int) -> Iterator[Tokens]:
        """Yield the tokens of a window, and those without the page breaks in it."""
        yield self._scan_window(number, start, end)
        if on_one_page := scan_uninterrupted(self._texts[number], start, end):
            yield on_one_page

    def _match_from(self, anchor: Anchor, window: Tokens) -> tuple[int, int] | None:
        """Return the first and last token that the core covers, compared from an anchor."""
        tokens, (first, last) = self._tokens, self._core
        place, offset = anchor
        at = bisect_right(tokens.ends, offset)
        window_at = bisect_right(window.ends, place)
        if not first <= at < last or window_at == len(window):
            return None
        right = last_covered(tokens, at, last, window, window_at, 1)
        if right < 0:
            return None
        left = last_covered(tokens, at - 1, first - 1, window, window_at - 1, -1)
        return (left, right) if left >= 0 else None

    def _with_common_punctuation(self, window: Tokens, left: int, right: int) -> tuple[int, int]:
        """Return first and last token with the marks that surround both quote and passage."""
        tokens, (first, last) = self._tokens, self._core
        while first and left and _is_common_mark(tokens, first - 1, window, left - 1):
            first, left = first - 1, left - 1
        while (
            last < len(tokens)
            and right + 1 < len(window)
            and _is_common_mark(tokens, last, window, right + 1)
        ):
            last, right = last + 1, right + 1
        return left, right

    def _scan_window(self, number: int, start: int, end: int) -> Tokens:
        """Return the tokens of a window; the same window is scanned once."""
        key = (number, start, end)
        if key not in self._windows:
            self._scannable -= end - start
            self._windows[key] = scan(self._texts[number], start, end)
        return self._windows[key]

    def align(self, candidate: Candidate) -> Alignment | None:
        """Return the passage around this place that is most like the quote."""
        tokens, (first, last) = self._tokens, self._core
        last = min(last, first + _ALIGNED_TOKENS)
        if first >= last:
            return None
        text = self._texts[candidate.number]
        place, offset = candidate.anchors[0]
        before = max(0, offset - tokens.starts[first])
        after = max(0, tokens.ends[last - 1] - offset)
        best: Alignment | None = None
        for _ in range(2):
            start, end = _window_bounds(text, place, before, after, 1)
            window = self._scan_window(candidate.number, start, end)
            alignment = align(tokens, (first, last), window)
            if alignment is None:
                break
            best = alignment
            # The passage may go on outside of the window: then one more, with it in the middle.
            if (start == 0 or alignment.start - start > _MARGIN) and (
                end == len(text) or end - alignment.end > _MARGIN
            ):
                break
            place, before, after = alignment.start, 0, alignment.end - alignment.start
        return best


def _distinct(anchors: Sequence[Anchor]) -> Iterable[Anchor]:
    """Return a few anchors, each implying another start of the quote."""
    return islice(
        {start - offset: (start, offset) for start, offset in anchors}.values(), _ANCHORS_TRIED
    )


def _window_bounds(text: str, place: int, before: int, after: int, width: int) -> tuple[int, int]:
    """Return a window around a place, with slack for markup, between white space if possible."""
    slack = (60 + (before + after) // 4) * width
    start, end = max(0, place - before - slack), min(len(text), place + after + slack)
    floor, ceiling = max(0, start - 40), min(len(text), end + 40)
    while start > floor and not text[start - 1].isspace():
        start -= 1
    while end < ceiling and not text[end].isspace():
        end += 1
    return start, end


def _has_whole_characters(window: Tokens, left: int, right: int) -> bool:
    """Whether a match cuts no character of several tokens, such as a fraction."""
    starts, ends = window.starts, window.ends
    return (left == 0 or ends[left - 1] <= starts[left]) and (
        right + 1 == len(starts) or starts[right + 1] >= ends[right]
    )


def _is_common_mark(tokens: Tokens, at: int, window: Tokens, window_at: int) -> bool:
    return tokens.keys[at] == window.keys[window_at] and tokens.kinds[at] in (
        PUNCTUATION,
        QUOTATION_MARK,
    )
