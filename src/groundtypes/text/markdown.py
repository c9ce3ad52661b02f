"""Where code, formulas and comments are in a Markdown text, and what of it is prose."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

_FENCE: Final = re.compile(r"^[ \t>]{0,40}(?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)", re.MULTILINE)
#: Runs of backticks, and the blank lines that inline code does not go across.
_TICKS_OR_BREAK: Final = re.compile(r"`+|\n[ \t]{0,200}\n")
_HTML_CODE: Final = re.compile(r"<(?P<close>/?)(?:code|pre)\b[^<>]{0,300}>", re.IGNORECASE)
_COMMENT: Final = re.compile(r"<!--|(?P<close>-->)")
#: A formula on lines of its own has any text between dollar signs; between "\[" and "\]" there is
#: something that only a formula has, because "\[1\]" is a marker, escaped for Markdown.
_DISPLAY: Final = re.compile(
    r"(?<!##\d)(?<!##\d\d)\$\$[^$]{1,2000}\$\$"
    r"|\\\[(?=[^\n\]]{0,300}[\\^_=<>{}+][^\]])(?:[^\\]|\\(?![\[\]])){1,500}\\\]"
    r"|\\begin\{(?P<kind>equation|align|gather|multline|cases)\*?\}"
    r"(?:[^\\]|\\(?!begin|end)){1,2000}\\end\{(?P=kind)\*?\}"
)
#: The same for a formula in a line, because "5$[1] or 6$" has none.
_INLINE: Final = re.compile(
    r"(?<![\\$\w])\$(?=[^\s$])(?P<words>[^$\n]{1,300})(?<=\S)\$(?![\d$])"
    r"|\\\((?:[^\n\\]|\\(?![()])){1,300}\\\)"
)
_LATEX: Final = re.compile(r"[\\^_{}\u2208\u2264\u2265]|^[^=<>]{0,30}[=<>].{0,30}$")


def uncited_spans(text: str) -> list[tuple[int, int]]:
    """Return where code, formulas and comments are, in order, half open."""
    spans = [*fenced_spans(text), *_apart(text)]
    spans += _pairs(text, _HTML_CODE)
    spans += (
        found.span()
        for found in _INLINE.finditer(text)
        if found["words"] is None or _LATEX.search(found["words"])
    )
    # Backticks in a code block do not count for inline code.
    last = 0
    for start, end in [*fenced_spans(text), (len(text), len(text))]:
        spans += _inline_code(text, last, start)
        last = end
    return merged_spans(spans)


def _apart(text: str) -> Iterator[tuple[int, int]]:
    """Yield where comments of HTML and formulas are that stand apart from the text: `$$...$$`."""
    yield from _pairs(text, _COMMENT)
    yield from (found.span() for found in _DISPLAY.finditer(text))


def fenced_spans(text: str) -> list[tuple[int, int]]:
    """Return where code blocks are, in order; one that is never closed goes on to the end."""
    spans: list[tuple[int, int]] = []
    opening: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opening is None:
            # Inline code may begin a line with three marks and end on it.
            if fence["fence"][0] == "~" or "`" not in fence["info"]:
                opening = fence
        elif fence["fence"].startswith(opening["fence"]) and not fence["info"].strip():
            spans.append((opening.start(), fence.end()))
            opening = None
    return spans if opening is None else [*spans, (opening.start(), len(text))]


def _inline_code(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield code between runs of as many backticks, in one paragraph."""
    opened: dict[str, int] = {}
    for found in _TICKS_OR_BREAK.finditer(text, start, end):
        if found[0] in opened:
            yield opened[found[0]], found.end()
            opened = {}
        elif found[0][0] == "`":
            opened[found[0]] = found.start()
        else:
            opened = {}


def _pairs(text: str, marks: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Yield what is between an opening mark and the next closing one, with both."""
    opening: int | None = None
    for mark in marks.finditer(text):
        if not mark["close"]:
            opening = mark.start() if opening is None else opening
        elif opening is not None:
            yield opening, mark.end()
            opening = None


def merged_spans(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return spans in order, those that touch as one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        elif start < end:
            merged.append((start, end))
    return merged


_IMAGE: Final = re.compile(
    r"!\[(?P<words>[^\[\]]{0,300})\](?:\([^()\n]{0,1000}(?:\([^()\n]{0,300}\)[^()\n]{0,300})?\)"
    r"|\[[^\[\]\n]{0,200}\])"
)
#: The languages of code blocks that may hold text, and what a line that is a sentence looks like.
_TEXT_BLOCKS: Final = frozenset(("", "markdown", "md", "text", "txt", "plain", "plaintext"))
_SENTENCE: Final = re.compile(
    r"\s{0,200}[^\W\d_a-z][^\n]{0,2000}[.!?\u3002][\"')\]*_]{0,4}\s{0,20}\Z"
)
_FEWEST_WORDS: Final = 4
_NOT_LINE_BREAK: Final = re.compile(r"[^\r\n]")
_VISIBLE: Final = re.compile(r"[^\W_]")


def prose_of(text: str) -> str:
    """Return a text with spaces in place of what claims nothing; without any prose, all of it."""
    spans = [*_apart(text), *_fences(text)]
    spans += (found.span() for found in _IMAGE.finditer(text) if not _is_sentence(found["words"]))
    pieces, last = [], 0
    for start, end in merged_spans(spans):
        pieces += [text[last:start], _NOT_LINE_BREAK.sub(" ", text[start:end])]
        last = end
    prose = "".join([*pieces, text[last:]])
    return prose if _VISIBLE.search(prose) else text


def _fences(text: str) -> Iterator[tuple[int, int]]:
    """Yield code blocks; of one that holds sentences only its fences."""
    for start, end in fenced_spans(text):
        first, *lines = text[start:end].split("\n")
        language = first.strip().lstrip("`~> ").lower()
        if language in _TEXT_BLOCKS and any(map(_is_sentence, lines)):
            yield start, start + len(first)
            if lines[-1].strip().strip("`~> ") == "":
                yield end - len(lines[-1]), end
        else:
            yield start, end


def _is_sentence(line: str) -> bool:
    return len(line.split()) >= _FEWEST_WORDS and _SENTENCE.match(line) is not None
