"""A batch of lines, judged: what goes to the clean rows and what to the rejected ones."""

import base64
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

from pydantic import TypeAdapter
from pydantic_core import from_json

from groundtypes.audits import Audit
from groundtypes.dataset.lines import LINE_LIMIT, Line, json_bytes
from groundtypes.dataset.rows import BrokenLineError, Keys, Row, RowReader
from groundtypes.errors import (
    BackendError,
    BudgetError,
    DatasetError,
    MissingJudgeError,
    Mistake,
    clip,
)
from groundtypes.verify import iter_audits

__all__ = ["Judged", "Judging"]

#: A multiple of 3, so that pieces of base64 can be put together.
_PIECE: Final = 3 * 2**18


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of a line: `clean` or `rejected` is its new line, in pieces.

    `audit` is `None` for a broken line, and `error` then says why it is broken.
    """

    number: int
    clean: Iterable[bytes] = ()
    rejected: Iterable[bytes] = ()
    audit: Audit[Any] | None = None
    error: str | None = None


class Judging:
    """Judges batches of lines for one model."""

    def __init__(self, model: Any, keys: Keys) -> None:
        """Take the model of the answers.

        Raises:
            DatasetError: Pydantic cannot validate it.
        """
        try:
            self._adapter: TypeAdapter[Any] = TypeAdapter(model)
            self._reader = RowReader(model, keys)
        except Exception as error:
            raise DatasetError(
                f"The model cannot be used: {type(error).__name__}: {clip(str(error), 300)}"
            ) from error
        self._model = model

    def judge(self, lines: Iterable[Line]) -> Iterator[Judged]:
        """Return what became of each line, in order, after judging all of them together.

        Raises:
            Mistake: Something is wrong that is no answer's fault.
        """
        read = [(line, self._read(line)) for line in lines]
        rows = [(line, row) for line, row in read if isinstance(row, Row)]
        audits = iter(self._audits(rows))
        for line, row in read:
            if isinstance(row, Row):
                yield self._judged(line, row, next(audits))
            else:
                yield Judged(line.number, rejected=_broken(line, row), error=str(row))

    def _read(self, line: Line) -> Row | BrokenLineError:
        if line.spool is not None:
            return BrokenLineError(f"longer than {LINE_LIMIT // 2**20} MiB")
        try:
            return self._reader.read(line.data)
        except BrokenLineError as error:
            return error.with_traceback(None)

    def _audits(self, rows: list[tuple[Line, Row]]) -> list[Audit[Any]]:
        try:
            return self._audit(row for _, row in rows)
        except Exception as error:
            # An engine that is down, or spent, is no row's doing, and is not asked again.
            if not isinstance(error, BackendError | BudgetError | MissingJudgeError):
                self._blame(rows)
            first, last = rows[0][0].number, rows[-1][0].number
            raise DatasetError(f"Lines {first} to {last}: {_reason(error)}") from error

    def _blame(self, rows: list[tuple[Line, Row]]) -> None:
        """Name the row that cannot be judged, where it is one row's doing."""
        for line, row in rows:
            try:
                self._audit([row])
            except Exception as error:
                raise DatasetError(f"Line {line.number}: {_reason(error)}") from error

    def _audit(self, rows: Iterable[Row]) -> list[Audit[Any]]:
        batch = list(rows)
        return list(
            iter_audits(
                self._model,
                (row.answer for row in batch),
                context=(row.context for row in batch),
                batch=max(1, len(batch)),
            )
        )

    def _judged(self, line: Line, row: Row, audit: Audit[Any]) -> Judged:
        if not audit.ok:
            return Judged(line.number, rejected=_rejected(line, row, audit), audit=audit)
        try:
            dump = self._adapter.dump_json(audit.value, by_alias=True, warnings=False)
            clean = json_bytes(row.cleaned(from_json(dump))) + b"\n"
        except Exception as error:  # noqa: BLE001 # a user's own serializer may raise anything
            reason = f"the answer cannot be written as JSON: {clip(str(error), 200)}"
            return Judged(line.number, rejected=_rejected(line, row, audit, reason), error=reason)
        return Judged(line.number, clean=(clean,), audit=audit)


def _rejected(line: Line, row: Row, audit: Audit[Any], error: str | None = None) -> Iterable[bytes]:
    verdicts = json_bytes([verdict.to_dict() for verdict in audit.verdicts])
    return _entry(line, b'"row": ' + _verbatim(row.text, row.data), verdicts, error)


def _broken(line: Line, error: BrokenLineError) -> Iterable[bytes]:
    if line.spool is not None:
        return _spooled(line, line.spool, str(error))
    if error.row is not None:
        given = b'"row": ' + _verbatim(line.data.decode(), error.row)
    else:
        given = b'"raw": ' + json_bytes(line.data.decode(errors="replace"))
        if not _is_utf8(line.data):
            given += b', "raw_base64": "' + base64.b64encode(line.data) + b'"'
    return _entry(line, given, b"[]", str(error))


def _spooled(line: Line, spool: BinaryIO, error: str) -> Iterator[bytes]:
    """Yield the entry of a line that is too long for the memory."""
    with spool:
        yield b'{"line": %d, "raw_base64": "' % line.number
        while piece := spool.read(_PIECE):
            yield base64.b64encode(piece)
        yield b'", "verdicts": [], "error": ' + json_bytes(error) + b"}\n"


def _entry(line: Line, given: bytes, verdicts: bytes, error: str | None) -> Iterable[bytes]:
    last = b"" if error is None else b', "error": ' + json_bytes(error)
    return (b'{"line": %d, %b, "verdicts": %b%b}\n' % (line.number, given, verdicts, last),)


def _verbatim(text: str, data: dict[str, Any]) -> bytes:
    """Return the row as it was written: no number changes its spelling."""
    return json_bytes(data) if "\r" in text else text.encode()


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _reason(error: Exception) -> str:
    if isinstance(error, Mistake):
        return clip(str(error), 500)
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    return f"the model raised {type(error).__name__}: {clip(str(error), 300)}{place}"
