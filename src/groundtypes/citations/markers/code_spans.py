"""Where code and formulas are in a Markdown text: what is in them is no citation."""

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

__all__ = [
    "code_spans",
    "comment_spans",
    "display_math_spans",
    "fenced_spans",
    "math_spans",
    "merged_spans",
]

_FENCE: Final = re.compile(r"^[ \t>]{0,40}(?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)", re.MULTILINE)
_TICKS: Final = re.compile(r"`+")
_HTML_CODE: Final = re.compile(r"<(?P<close>/?)(?:code|pre)\b[^<>]{0,300}>", re.IGNORECASE)
#: A formula on lines of its own, and one in a line: between dollar signs there is something that
#: only a formula has, because "5$[1] or 6$" has none.
_DISPLAY_MARK: Final = re.compile(
    r"\$\$|\\\[|\\\]|\\(?:begin|end)\{(?:equation|align|gather|multline|cases)\*?\}"
)
_CLOSING_OF: Final = {"$$": "$$", "\\[": "\\]"}
_LONGEST_FORMULA: Final = 2_000
_INLINE_MATH: Final = re.compile(
    r"(?<![\\$\w])\$(?=[^\s$])(?P<dollars>[^$\n]{1,300})(?<=\S)\$(?![\d$])|\\\((?:[^\n\\]|\\(?![()])){1,300}\\\)"
)
_FORMULA: Final = re.compile(r"[\\^_=<>{}+]")
_LATEX: Final = re.compile(r"[\\^_{}\u2208\u2264\u2265]")
_SHORT_FORMULA: Final = 30
_COMMENT: Final = re.compile(r"<!--|-->")
_BLANK_LINE: Final = re.compile(r"\n[ \t]{0,200}\n")


def code_spans(text: str) -> list[tuple[int, int]]:
    """Return where code blocks and inline code are, in order, half open.

    A block that is never closed goes on to the end of the text; other marks that are not closed in
    their paragraph are no marks of code.
    """
    spans: list[tuple[int, int]] = []
    fences = fenced_spans(text)
    last = 0
    for start, end in [*fences, (len(text), len(text))]:
        spans.extend(_inline(text, last, start))
        spans.append((start, end))
        last = end
    if "<code" in text or "<pre" in text:
        spans.extend(_elements(text))
    return merged_spans(spans)


def math_spans(text: str) -> list[tuple[int, int]]:
    """Return where formulas in LaTeX are, in order, half open."""
    spans = display_math_spans(text)
    spans.extend(
        found.span()
        for found in _INLINE_MATH.finditer(text)
        if found["dollars"] is None or _is_formula(found["dollars"])
    )
    return merged_spans(spans)


def _is_formula(words: str) -> bool:
    """Whether there is a formula between two dollar signs, and not text between two amounts."""
    has_sign = len(words) <= _SHORT_FORMULA and any(sign in words for sign in "=<>")
    return has_sign or _LATEX.search(words) is not None


def display_math_spans(text: str) -> list[tuple[int, int]]:
    """Return where formulas are that stand apart from the text: `$$...$$`, half open."""
    spans: list[tuple[int, int]] = []
    opening: re.Match[str] | None = None
    for mark in _DISPLAY_MARK.finditer(text):
        if opening is not None and _closes(text, opening, mark):
            spans.append((opening.start(), mark.end()))
            opening = None
        else:
            opening = mark
    return spans


def _closes(text: str, opening: re.Match[str], mark: re.Match[str]) -> bool:
    """Whether a mark closes the formula that another one opens."""
    start, end = opening.end(), mark.start()
    closing = _CLOSING_OF.get(opening[0], opening[0].replace("begin", "end", 1))
    if mark[0] != closing or not 0 < end - start <= _LONGEST_FORMULA:
        return False
    # "\\[1\\]" is a marker, escaped for Markdown.
    is_formula = opening[0] != "\\[" or _FORMULA.search(text, start, end) is not None
    return is_formula and _BLANK_LINE.search(text, start, end) is None


def comment_spans(text: str) -> list[tuple[int, int]]:
    """Return where comments of HTML are, in order, half open."""
    spans: list[tuple[int, int]] = []
    opening: int | None = None
    for mark in _COMMENT.finditer(text):
        if mark[0] == "<!--":
            opening = mark.start() if opening is None else opening
        elif opening is not None:
            spans.append((opening, mark.end()))
            opening = None
    return spans


def fenced_spans(text: str) -> list[tuple[int, int]]:
    """Return where code blocks between fences are, in order, half open."""
    return list(_fenced(text)) if "```" in text or "~~~" in text else []


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


def merged_spans(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return spans in order, those that touch as one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        elif start < end:
            merged.append((start, end))
    return merged
