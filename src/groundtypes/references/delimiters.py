"""Which character separates the cells of a CSV text, if the text leaves no doubt.

Commas and semicolons also stand in numbers and in prose. So a text that can be cut in several ways
is read in none of them: `AmbiguousDelimiterError` asks for the delimiter.
"""

import re
from collections.abc import Sequence
from typing import Final

_DELIMITERS: Final = ",;\t|"
#: How many characters and lines of a text decide.
_SAMPLE: Final = 64_000
_SAMPLE_LINES: Final = 200
#: A cell between quotation marks, which may contain delimiters and line breaks.
_QUOTED: Final = re.compile(r'(?:\A|(?<=[,;\t|\r\n])) *"(?:[^"]|"")*(?:(")|\Z)')
_LINE_BREAK: Final = re.compile(r"\r\n|\r|\n")
_BLANK: Final = re.compile(r"[,;|\s]*")
#: A comma in a number: a decimal comma, or commas between thousands.
_NUMBER: Final = re.compile(
    r"(?<![\d,.])(?:\d{1,3}(?:,\d{3}){1,6}(?:\.\d+)?"
    r"|(?:\d{1,3}(?:[. '\u2019\xa0\u202f]\d{3}){1,6}|\d+),\d+)(?![\d,.])"
)
#: Signs as prose has them.
_IN_PROSE: Final = {",": re.compile(r",(?=\s)"), ";": re.compile(r";(?=\s)")}
#: The first line of a CSV file that tells Excel its delimiter.
_DECLARATION: Final = re.compile(r'"?sep=([^\w\s"]|\t)"?[ \t]*(?:\r\n|\r|\n|\Z)', re.IGNORECASE)


class AmbiguousDelimiterError(Exception):
    """A text can be cut into cells in several ways, or in none; the message says why."""


def declared_delimiter(text: str) -> tuple[str | None, int]:
    """Return the delimiter that a first line such as `sep=;` declares, and where that line ends."""
    match = _DECLARATION.match(text)
    return (match[1], match.end()) if match else (None, 0)


def line_groups(text: str) -> list[list[str]]:
    """Return the first lines of a text in groups between blank ones, with `q` for quoted cells.

    Raises:
        AmbiguousDelimiterError: A quotation mark is never closed.
    """
    sample = text[:_SAMPLE]
    is_whole = len(text) <= _SAMPLE
    if is_whole and any(match[1] is None for match in _QUOTED.finditer(sample)):
        raise AmbiguousDelimiterError("a cell begins with a quotation mark that is never closed")
    lines = _LINE_BREAK.split(_QUOTED.sub("q", sample))
    if not is_whole and len(lines) > 1:
        lines.pop()
    groups: list[list[str]] = [[]]
    for line in lines[:_SAMPLE_LINES]:
        if not _BLANK.fullmatch(line):
            groups[-1].append(line)
        elif groups[-1]:
            groups.append([])
    # A text that begins with empty cells alone has a delimiter, too.
    return [group for group in groups if group] or [lines[:_SAMPLE_LINES]]


def find_delimiter(lines: Sequence[str]) -> str | None:
    """Return the delimiter of lines; `None` if they are the rows of a single column.

    Raises:
        AmbiguousDelimiterError: There is none, or several are possible.
    """
    candidates = [mark for mark in _DELIMITERS if any(mark in line for line in lines)]
    possible = [mark for mark in candidates if _cuts_regularly(lines, mark)]
    if not possible:
        if all(_is_in_cells(lines, mark) for mark in candidates):
            return None
        raise AmbiguousDelimiterError("no delimiter cuts its rows into as many cells as the first")
    if len(possible) > 1:
        doubtful = possible
        possible = [
            mark
            for mark in doubtful
            if all(_is_in_cells(lines, other) for other in doubtful if other != mark)
        ]
        if len(possible) != 1:
            names = " and ".join(map(repr, doubtful))
            raise AmbiguousDelimiterError(f"{names} both cut its rows into cells")
    is_doubtful = possible == [","] and any(map(_NUMBER.search, lines))
    if is_doubtful and _is_in_cells(lines, ","):
        raise AmbiguousDelimiterError("its commas may be in numbers or between cells")
    return possible[0]


def _cuts_regularly(lines: Sequence[str], delimiter: str) -> bool:
    """Whether most lines have as many cells as the first, which has several, and none has more."""
    width = lines[0].count(delimiter) + 1
    # A delimiter may stand at the end of a line.
    sizes = [line.rstrip(f" {delimiter}").count(delimiter) + 1 for line in lines]
    equal = sum(
        width in (size, line.count(delimiter) + 1) for line, size in zip(lines, sizes, strict=True)
    )
    return width > 1 and max(sizes) <= width and equal * 2 > len(lines)


def _is_in_cells(lines: Sequence[str], mark: str) -> bool:
    """Whether a sign stands only where numbers and prose have it, and need not be a delimiter."""
    pattern = _IN_PROSE.get(mark)
    if pattern is None:
        return all(mark not in line for line in lines)
    return all(mark not in pattern.sub("", _NUMBER.sub("0", line)) for line in lines)
