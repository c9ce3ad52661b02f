"""Where code is in a Markdown text: what is in it is no citation."""

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

__all__ = ["code_spans"]

_FENCE: Final = re.compile(r"^[ \t>]{0,40}(?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)", re.MULTILINE)
_TICKS: Final = re.compile(r"`+")
_HTML_CODE: Final = re.compile(r"<(?P<close>/?)(?:code|pre)\b[^<>]{0,300}>", re.IGNORECASE)
_BLANK_LINE: Final = re.compile(r"\n[ \t]{0,200}\n")


def code_spans(text: str) -> list[tuple[int, int]]:
    """Return where code blocks and inline code are, in order, half open.

    A block that is never closed goes on to the end of the text; other marks that are not closed in
    their paragraph are no marks of code.
    """
    spans: list[tuple[int, int]] = []
    fences = list(_fenced(text)) if "```" in text or "~~~" in text else []
    last = 0
    for start, end in [*fences, (len(text), len(text))]:
        spans.extend(_inline(text, last, start))
        spans.append((start, end))
        last = end
    if "<code" in text or "<pre" in text:
        spans.extend(_elements(text))
    return _merged(spans)


def _fenced(text: str) -> Iterator[tuple[int, int]]:
    opening: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opening is None:
            # Inline code may begin a line with three marks and end on it.
            if fence["fence"][0] == "~" or "`" not in fence["info"]:
                opening = fence
        elif fence["fence"].startswith(opening["fence"]) and not fence["info"].strip():
            yield opening.start(), fence.end()
            opening = None
    if opening is not None:
        yield opening.start(), len(text)


def _inline(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield code between runs of as many backticks, in one paragraph."""
    runs = [match.span() for match in _TICKS.finditer(text, start, end)]
    if not runs:
        return
    breaks = [match.start() for match in _BLANK_LINE.finditer(text, start, end)]
    same_length: defaultdict[int, list[int]] = defaultdict(list)
    paragraphs = []
    paragraph = 0
    for number, (low, high) in enumerate(runs):
        while paragraph < len(breaks) and breaks[paragraph] < low:
            paragraph += 1
        paragraphs.append(paragraph)
        same_length[high - low].append(number)
    # The next run of the same length, which closes the code that a run opens.
    following: dict[int, int] = {}
    for numbers in same_length.values():
        following.update(pairwise(numbers))
    number = 0
    while number < len(runs):
        closing = following.get(number)
        if closing is None or paragraphs[closing] != paragraphs[number]:
            number += 1
            continue
        yield runs[number][0], runs[closing][1]
        number = closing + 1


def _elements(text: str) -> Iterator[tuple[int, int]]:
    opening: int | None = None
    for tag in _HTML_CODE.finditer(text):
        if not tag["close"]:
            opening = tag.start() if opening is None else opening
        elif opening is not None:
            yield opening, tag.end()
            opening = None


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        elif start < end:
            merged.append((start, end))
    return merged
