"""A batch of lines, judged: what goes to the clean rows and what to the rejected ones.

`Sifter` is what a run needs of whoever judges; `Judging` is that of `groundtypes check`.
"""

import base64
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, Final, NamedTuple, Protocol

from pydantic import TypeAdapter
from pydantic_core import from_json

from groundtypes.dataset.io.lines import LINE_LIMIT, Line, json_bytes
from groundtypes.dataset.io.rows import BrokenLineError, Keys, Row, RowReader
from groundtypes.errors import (
    BackendError,
    BudgetError,
    DatasetError,
    MissingJudgeError,
    Mistake,
    clip,
)
from groundtypes.judges import Judges
from groundtypes.validation.audits import Audit
from groundtypes.validation.many_answers import iter_audits
from groundtypes.verdicts import Verdict

__all__ = [
    "Auditor",
    "Check",
    "Item",
    "Judged",
    "Judging",
    "Sifter",
    "Sifting",
    "broken_entry",
    "rejected_entry",
    "unusable",
]

#: A multiple of 3, so that pieces of base64 can be put together.
_PIECE: Final = 3 * 2**18


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of a line: `clean` or `rejected` is its new line, in pieces.

    `audited` is its line among all rows with their verdicts; like the others it is read once.
    `audit` is `None` for a broken line, and `error` then says why it is broken.
    """

    number: int
    clean: Iterable[bytes] = ()
    rejected: Iterable[bytes] = ()
    audited: Iterable[bytes] = ()
    audit: Audit[Any] | None = None
    error: str | None = None


class Sifter(Protocol):
    """Whoever turns lines into clean and rejected ones."""

    def judge(self, lines: Iterable[Line]) -> Iterator[Judged]:
        """Return what became of each line, in order."""
        ...


class Sifting(Protocol):
    """How a sifter is made: plain data, so that a process of its own can make one."""

    def sifter(self) -> Sifter:
        """Return one.

        Raises:
            DatasetError: The model cannot be used.
        """
        ...


class Item(NamedTuple):
    """An answer to be judged: the number of its line, the answer, its context."""

    number: int
    answer: Any
    context: Mapping[str, Any]


class Auditor:
    """Audits answers in batches, and names the line where the model itself breaks."""

    def __init__(self, model: Any, judges: Judges | None = None) -> None:
        """Take the model of the answers.

        Raises:
            DatasetError: Pydantic cannot validate it.
        """
        try:
            self.adapter: TypeAdapter[Any] = TypeAdapter(model)
        except Exception as error:
            raise unusable(error) from error
        self._model = model
        self._judges = judges

    def audits(self, items: Sequence[Item]) -> list[Audit[Any]]:
        """Return an audit for each answer; all are judged together.

        Raises:
            DatasetError: Something is wrong that is no answer's fault; it names the lines.
        """
        if not items:
            return []
        try:
            return self._audit(items)
        except Exception as error:
            # An engine that is down, or spent, is no row's doing, and is not asked again.
            if not isinstance(error, BackendError | BudgetError | MissingJudgeError):
                self._blame(items)
            first, last = items[0].number, items[-1].number
            raise DatasetError(f"Lines {first} to {last}: {_reason(error)}") from error

    def _blame(self, items: Iterable[Item]) -> None:
        """Name the line that cannot be judged, where it is one line's doing."""
        for item in items:
            try:
                self._audit([item])
            except Exception as error:
                raise DatasetError(f"Line {item.number}: {_reason(error)}") from error

    def _audit(self, items: Sequence[Item]) -> list[Audit[Any]]:
        judges = {} if self._judges is None else {"judges": self._judges}
        return list(
            iter_audits(
                self._model,
                (item.answer for item in items),
                context=({**item.context, **judges} for item in items),
                batch=max(1, len(items)),
            )
        )


def unusable(error: Exception) -> DatasetError:
    """Return the mistake that stands for a model that Pydantic refuses."""
    return DatasetError(
        f"The model cannot be used: {type(error).__name__}: {clip(str(error), 300)}"
    )


@dataclass(frozen=True, slots=True)
class Check:
    """`groundtypes check`: the model and the keys."""

    model: Any
    keys: Keys

    def sifter(self) -> "Judging":
        """Return what judges lines."""
        return Judging(self.model, self.keys)


class Judging:
    """Judges batches of lines for one model."""

    def __init__(self, model: Any, keys: Keys) -> None:
        """Take the model of the answers.

        Raises:
            DatasetError: Pydantic cannot validate it.
        """
        self._auditor = Auditor(model)
        try:
            self._reader = RowReader(model, keys)
        except Exception as error:
            raise unusable(error) from error

    def judge(self, lines: Iterable[Line]) -> Iterator[Judged]:
        """Return what became of each line, in order, after judging all of them together.

        Raises:
            Mistake: Something is wrong that is no answer's fault.
        """
        read = [(line, self._read(line)) for line in lines]
        rows = [(line, row) for line, row in read if isinstance(row, Row)]
        items = [Item(line.number, row.answer, row.context) for line, row in rows]
        audits = iter(self._auditor.audits(items))
        for line, row in read:
            if isinstance(row, Row):
                yield self._judged(line, row, next(audits))
            else:
                yield _judged_broken(line, row)

    def _read(self, line: Line) -> Row | BrokenLineError:
        if line.spool is not None:
            return BrokenLineError(f"longer than {LINE_LIMIT // 2**20} MiB")
        try:
            return self._reader.read(line.data)
        except BrokenLineError as error:
            return error.with_traceback(None)

    def _judged(self, line: Line, row: Row, audit: Audit[Any]) -> Judged:
        if not audit.ok:
            entry = _verdict_entry(line, row, audit)
            return Judged(line.number, rejected=entry, audited=entry, audit=audit)
        try:
            dump = self._auditor.adapter.dump_json(audit.value, by_alias=True, warnings=False)
            clean = json_bytes(row.cleaned(from_json(dump))) + b"\n"
        except Exception as error:  # noqa: BLE001 # a user's own serializer may raise anything
            reason = f"the answer cannot be written as JSON: {clip(str(error), 200)}"
            entry = _verdict_entry(line, row, audit, reason)
            return Judged(line.number, rejected=entry, audited=entry, error=reason)
        return Judged(line.number, (clean,), audited=_on_demand(line, row, audit), audit=audit)


def rejected_entry(
    number: int,
    text: str,
    data: dict[str, Any],
    verdicts: Iterable[Verdict],
    error: str | None = None,
) -> tuple[bytes, ...]:
    """Return the rejected line of a row that was read: its number, the row, its verdicts."""
    judged = json_bytes([verdict.to_dict() for verdict in verdicts])
    return _entry(number, b'"row": ' + _verbatim(text, data), judged, error)


def broken_entry(line: Line, error: BrokenLineError) -> Iterable[bytes]:
    """Return the rejected line of what could not be read, with all that was given."""
    if line.spool is not None:
        return _spooled(line, line.spool, str(error))
    return _unread(line, error)


def _judged_broken(line: Line, error: BrokenLineError) -> Judged:
    told = str(error)
    if line.spool is not None:
        short = _entry(line.number, b'"raw": ""', b"[]", told)
        return Judged(line.number, rejected=broken_entry(line, error), audited=short, error=told)
    entry = _unread(line, error)
    return Judged(line.number, rejected=entry, audited=entry, error=told)


def _on_demand(line: Line, row: Row, audit: Audit[Any]) -> Iterator[bytes]:
    """Yield the entry of a clean row, which is made only where somebody wants it."""
    yield from _verdict_entry(line, row, audit)


def _verdict_entry(
    line: Line, row: Row, audit: Audit[Any], error: str | None = None
) -> tuple[bytes, ...]:
    return rejected_entry(line.number, row.text, row.data, audit.verdicts, error)


def _unread(line: Line, error: BrokenLineError) -> tuple[bytes, ...]:
    if error.row is not None:
        given = b'"row": ' + _verbatim(line.data.decode(), error.row)
    else:
        given = b'"raw": ' + json_bytes(line.data.decode(errors="replace"))
        if not _is_utf8(line.data):
            given += b', "raw_base64": "' + base64.b64encode(line.data) + b'"'
    return _entry(line.number, given, b"[]", str(error))


def _spooled(line: Line, spool: BinaryIO, error: str) -> Iterator[bytes]:
    """Yield the entry of a line that is too long for the memory."""
    with spool:
        yield b'{"line": %d, "raw_base64": "' % line.number
        while piece := spool.read(_PIECE):
            yield base64.b64encode(piece)
        yield b'", "verdicts": [], "error": ' + json_bytes(error) + b"}\n"


def _entry(number: int, given: bytes, verdicts: bytes, error: str | None) -> tuple[bytes, ...]:
    last = b"" if error is None else b', "error": ' + json_bytes(error)
    return (b'{"line": %d, %b, "verdicts": %b%b}\n' % (number, given, verdicts, last),)


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
