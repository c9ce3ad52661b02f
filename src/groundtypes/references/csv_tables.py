"""The rows of a CSV text.

Commas and semicolons also stand in numbers and in prose. So a text that can be cut in several ways
is read in none of them: the mistake asks for the delimiter.
"""

import csv
import io
import re
from collections.abc import Sequence
from itertools import count
from typing import Final

from groundtypes.errors import ReferencesError
from groundtypes.text.message_excerpts import clip

_DELIMITERS: Final = ",;\t|"
#: How many characters and lines of a text decide.
_SAMPLE: Final = 64_000
_SAMPLE_LINES: Final = 200
#: The default limit of `csv`, in characters.
_LONGEST_CELL: Final = 131_072
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


class _AmbiguousDelimiterError(Exception):
    """A text can be cut into cells in several ways, or in none; the message says why."""


def _sampled_lines(text: str) -> list[str]:
    """Return the first lines of a text that are not blank, with `q` for quoted cells.

    Raises:
        _AmbiguousDelimiterError: A quotation mark is never closed.
    """
    sample = text[:_SAMPLE]
    is_whole = len(text) <= _SAMPLE
    if is_whole and any(match[1] is None for match in _QUOTED.finditer(sample)):
        raise _AmbiguousDelimiterError("a cell begins with a quotation mark that is never closed")
    lines = _LINE_BREAK.split(_QUOTED.sub("q", sample))
    if not is_whole and len(lines) > 1:
        lines.pop()
    lines = lines[:_SAMPLE_LINES]
    # A text that begins with empty cells alone has a delimiter, too.
    return [line for line in lines if not _BLANK.fullmatch(line)] or lines


def _found_delimiter(text: str) -> str | None:
    """Return the delimiter of a text; `None` if it has a single column.

    Raises:
        _AmbiguousDelimiterError: There is none, or several are possible.
    """
    lines = _sampled_lines(text)
    candidates = [mark for mark in _DELIMITERS if any(mark in line for line in lines)]
    possible = [mark for mark in candidates if _cuts_regularly(lines, mark)]
    if not possible:
        if all(_is_in_cells(lines, mark) for mark in candidates):
            return None
        raise _AmbiguousDelimiterError("no delimiter cuts its rows into as many cells as the first")
    if len(possible) > 1:
        doubtful = possible
        possible = [
            mark
            for mark in doubtful
            if all(_is_in_cells(lines, other) for other in doubtful if other != mark)
        ]
        if len(possible) != 1:
            names = " and ".join(map(repr, doubtful))
            raise _AmbiguousDelimiterError(f"{names} both cut its rows into cells")
    is_doubtful = possible == [","] and any(map(_NUMBER.search, lines))
    if is_doubtful and _is_in_cells(lines, ","):
        raise _AmbiguousDelimiterError("its commas may be in numbers or between cells")
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


_ADVICE: Final = (
    "Pass delimiter=',' or whichever character separates its cells, put cells that contain it "
    "between quotation marks, and leave out lines above the first row."
)


def check_delimiter(delimiter: object) -> None:
    """Check that an argument can be a delimiter.

    Raises:
        ReferencesError: It cannot.
    """
    if delimiter is None:
        return
    if not isinstance(delimiter, str) or len(delimiter) != 1 or delimiter in '"\r\n\0':
        raise ReferencesError(
            "delimiter must be the one character that separates the cells of a CSV text, such as "
            f"';' or '\\t', not {clip(repr(delimiter), 40)}"
        )


def read_csv(text: str, id_: str, *, header: bool, delimiter: str | None) -> list[list[str]]:
    """Return the rows of a CSV text that are not empty.

    Without a delimiter that separates its cells, the text has to leave no doubt about it.

    Raises:
        ReferencesError: The text can be read in several ways, or cannot be read.
    """
    text = text.removeprefix("\ufeff")
    if (declared := _DECLARATION.match(text)) is not None:
        text = text[declared.end() :]
    try:
        found = delimiter or (declared[1] if declared else _found_delimiter(text))
    except _AmbiguousDelimiterError as error:
        raise _mistake(id_, f"cannot be read without doubt: {error}. {_ADVICE}") from None
    rows = [row for row in _rows(text, found or _absent_from(text), id_) if any(row)]
    if found == "|":
        rows = _without_outer_pipes(rows)
    _check_shape(rows, id_, header=header)
    return rows


def _mistake(id_: str, what: str) -> ReferencesError:
    return ReferencesError(f"The table of reference {clip(id_, 40)!r} {what}")


def _absent_from(text: str) -> str:
    return next(mark for mark in map(chr, count(0x1F, -1)) if mark not in text)


def _rows(text: str, delimiter: str, id_: str) -> list[list[str]]:
    """Return all rows of a text, the empty ones, too.

    Raises:
        ReferencesError: A cell is too long, or its quotation mark is never closed.
    """
    last = "\x01end\x01"
    source = io.StringIO(f"{text}\n{last}", newline="")
    reader = csv.reader(source, delimiter=delimiter, skipinitialspace=delimiter != " ")
    rows: list[list[str]] | None
    try:
        rows = [[cell.strip() for cell in row] for row in reader]
    except csv.Error:  # the longest cell that `csv` reads is a setting of the process
        rows = None
    if rows is None or any(len(cell) > _LONGEST_CELL for row in rows for cell in row):
        raise _mistake(id_, "has a cell that is too long to read.")
    if rows[-1] != [last.strip()]:
        raise _mistake(
            id_,
            "has a cell that begins with a quotation mark which is never closed. Close it, or "
            "write it twice within quotation marks.",
        )
    return rows[:-1]


def _filled(row: Sequence[str]) -> int:
    return sum(map(bool, row))


def _without_outer_pipes(rows: list[list[str]]) -> list[list[str]]:
    """Return rows without the empty cells that pipes around each row make."""
    if rows and all(len(row) > 2 and not row[0] and not row[-1] for row in rows):
        return [row[1:-1] for row in rows]
    return rows


def _check_shape(rows: Sequence[Sequence[str]], id_: str, *, header: bool) -> None:
    """Check that no row has a cell beyond the first, and that the first is no title.

    Raises:
        ReferencesError: Otherwise the cells of a row would be read in wrong columns.
    """
    if len(rows) < 2:
        return
    # The upper one of two header lines may be shorter.
    width = max(map(len, rows[: 1 if rows[0][0] else 2]))
    if header and rows[0][0] and _filled(rows[0]) == 1 and _filled(rows[1]) > 1:
        raise _mistake(
            id_,
            "has a first row with one cell, above rows with several, and the first row names the "
            f"columns. {_ADVICE}",
        )
    for number, row in enumerate(rows, 1):
        if any(row[width:]):
            raise _mistake(
                id_,
                f"has {len(row)} cells in row {number}, and {width} in its first row. {_ADVICE}",
            )
