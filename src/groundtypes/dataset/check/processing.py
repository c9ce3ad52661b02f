"""The processor of a run: it takes lines and makes the lines of each output."""

import base64
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from groundtypes.row_files.json_lines import Line, json_bytes, json_line
from groundtypes.row_files.parsing import BrokenLineError
from groundtypes.validation.audits import Audit
from groundtypes.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class LineResult:
    """What became of a line.

    `outputs` has its new line for each output that it belongs to, by name. `audit` is `None` for a
    broken line, and `error` then says why it is broken; of a line that could not be judged it says
    why, too. `repaired` says that the answer passed only after a repair.
    """

    number: int
    outputs: Mapping[str, bytes]
    audit: Audit[Any] | None = None
    error: str | None = None
    repaired: bool = False

    @classmethod
    def broken(cls, line: Line, error: BrokenLineError) -> "LineResult":
        """Return the result of a line that holds no row."""
        entry = verdict_line(line, error.row, error=str(error))
        return cls(line.number, {"rejected": entry, "audits": entry}, error=str(error))


def given_rows(results: Iterable[Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the object of each line that has one, of broken lines too."""
    for result in results:
        data = result.row if isinstance(result, BrokenLineError) else result.data
        if data is not None:
            yield data


class RowProcessor(Protocol):
    """Makes the output lines of each input line."""

    def process(self, lines: Iterable[Line]) -> Iterator[LineResult]:
        """Yield what became of each line, in order.

        Raises:
            Mistake: The failure is not in an answer (engine, model or file).
        """
        ...


class ProcessorFactory(Protocol):
    """Options that a processor is made of: plain data, so that a worker process can make one."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """What the results depend on; an interrupted run is only continued with the same."""
        ...

    def processor(self, outputs: Collection[str], *, first: bool = True) -> RowProcessor:
        """Return a processor that makes the lines of these outputs.

        The lines that it gets are the `first` of the input, or of a later part of it.

        Raises:
            DatasetError: The model cannot be used.
        """
        ...


def verdict_line(
    line: Line,
    row: Mapping[str, Any] | None,
    verdicts: Iterable[Verdict] = (),
    error: str | None = None,
    *,
    is_judged: bool = True,
) -> bytes:
    """Return an output line with the number of a row, the row, its verdicts and its error.

    A row that could not be judged has `judged` false, so that nobody takes it for a faulty one.

    A line that holds no row is kept as text, and as base64 too where it is not UTF-8. A line that
    was too long to be read is left in the input; its `offset` and `bytes` there are noted.
    """
    outcome: dict[str, Any] = {"verdicts": [verdict.to_dict() for verdict in verdicts]}
    if not is_judged:
        outcome["judged"] = False
    if error is not None:
        outcome["error"] = error
    if row is None:
        return json_line({"line": line.number, **_unread(line), **outcome})
    # The row is inserted as it was written, since JSON would spell its numbers in another way.
    given = json_bytes(row) if b"\r" in line.data else line.data
    return b'{"line": %d, "row": %b, %b\n' % (line.number, given, json_bytes(outcome)[1:])


def _unread(line: Line) -> dict[str, Any]:
    if line.too_long:
        return {"raw": "", "offset": line.offset, "bytes": line.length}
    try:
        return {"raw": line.data.decode()}
    except UnicodeDecodeError:
        encoded = base64.b64encode(line.data).decode()
        return {"raw": line.data.decode(errors="replace"), "raw_base64": encoded}
