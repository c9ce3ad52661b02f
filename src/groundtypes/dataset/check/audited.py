"""Files of audited rows, read for a report."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from groundtypes.row_files.answer_rows import Keys
from groundtypes.row_files.files import file_errors, open_json_lines
from groundtypes.row_files.json_lines import LineReader
from groundtypes.row_files.parsing import BrokenLineError, read_line


def audited_rows(paths: Iterable[Path], keys: Keys) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of files that `groundtypes check` wrote, one file after the other.

    A line that cannot be read becomes a row as the command writes it: `raw`, and the `error`.
    `keys` name where a row holds its parts, as they did when the rows were checked.

    Raises:
        DatasetError: A file cannot be read.
    """
    for path in paths:
        with file_errors(f"read {path}"), open_json_lines(path) as stream:
            for line in LineReader(stream):
                row = read_line(line, lambda data: _renamed(data, keys))
                if isinstance(row, BrokenLineError):
                    raw = line.data.decode(errors="replace")
                    yield {"line": line.number, "raw": raw, "error": str(row)}
                else:
                    yield row


def _renamed(data: dict[str, Any], keys: Keys) -> dict[str, Any]:
    """Return the row with its parts under the keys that a report reads."""
    inner = data.get("row")
    if isinstance(inner, dict) and "verdicts" in data:
        return {**data, "row": _renamed(inner, keys)}
    named = (("answer", keys.answer), ("references", keys.references), ("question", keys.question))
    return {**data, **{name: data[key] for name, key in named if key is not None and key in data}}
