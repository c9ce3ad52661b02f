"""Files of audited rows, read for a report."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

from groundtypes.dataset.io.files import mistake_of
from groundtypes.dataset.io.lines import LINE_LIMIT, LineReader
from groundtypes.dataset.io.rows import BrokenLineError, Keys, parse_line

__all__ = ["audited_rows"]


def audited_rows(paths: Iterable[Path], keys: Keys) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of files, one file after the other.

    A line that cannot be read becomes a row as the command keeps it: `raw`, and the `error`.
    `keys` name where a row holds its parts, as they did when the rows were checked.

    Raises:
        DatasetError: A file cannot be read.
    """
    for path in paths:
        with ExitStack() as stack:
            try:
                stream = stack.enter_context(path.open("rb"))
                yield from _rows(stream, keys)
            except OSError as error:
                raise mistake_of(error, f"read {path}") from error


def _rows(stream: BinaryIO, keys: Keys) -> Iterator[Mapping[str, Any]]:
    for line in LineReader(stream):
        if line.spool is not None:
            line.spool.close()
            error = f"longer than {LINE_LIMIT // 2**20} MiB"
            yield {"line": line.number, "raw": "", "error": error}
            continue
        try:
            _, data = parse_line(line.data)
        except BrokenLineError as broken:
            raw = line.data.decode(errors="replace")
            yield {"line": line.number, "raw": raw, "error": str(broken)}
        else:
            yield _renamed(data, keys)


def _renamed(data: dict[str, Any], keys: Keys) -> dict[str, Any]:
    """Return the row with its parts where a report looks for them."""
    inner = data.get("row")
    if isinstance(inner, dict) and "verdicts" in data:
        return {**data, "row": _renamed(inner, keys)}
    named = (("answer", keys.answer), ("references", keys.references), ("question", keys.question))
    return {**data, **{name: data[key] for name, key in named if key is not None and key in data}}
