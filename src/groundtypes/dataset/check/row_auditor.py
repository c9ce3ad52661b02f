"""Rows are audited, and divided into clean and rejected ones: `groundtypes check`.

A `RowProcessor` makes the lines of each output; the one of `check` is `RowAuditor`, and callers of
`Job` can bring another.
"""

import base64
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from pydantic import TypeAdapter
from pydantic_core import from_json

from groundtypes.backends.operating_point import read_calibration
from groundtypes.dataset.check.model_checks import checks_of, schema_id
from groundtypes.errors import BackendError, BudgetError, DatasetError, MissingJudgeError
from groundtypes.judges import Judges, judges_for
from groundtypes.models import CitedAnswer, EntailedAnswer
from groundtypes.references.row_keys import ANSWER, QUESTION, REFERENCES
from groundtypes.rounds.row_mistakes import OnMistake, RowMistakes, check_on_mistake, failure_reason
from groundtypes.row_files.answer_rows import AnswerRow, Keys, RowReader
from groundtypes.row_files.files import file_errors, open_json_lines
from groundtypes.row_files.json_lines import (
    BrokenLineError,
    Line,
    LineReader,
    content_id,
    json_bytes,
    json_line,
    read_line,
)
from groundtypes.row_files.line_faults import line_faults, row_name
from groundtypes.row_files.people_labels import PEOPLE_SAY
from groundtypes.text.message_excerpts import clip
from groundtypes.validation.audits import Audit
from groundtypes.validation.many_answers import audit_batch
from groundtypes.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class LineResult:
    """What became of a line.

    `outputs` has its new line for each output that it belongs to, by name. `audit` is `None` for a
    broken line, and `error` then says why it is broken; of a line that could not be judged it says
    why, too. `repaired` says that the answer passed only after a repair, `label` is what people say
    of it, `name` is that of a faulty row, and `model` that of the model that was chosen for it.
    """

    number: int
    outputs: Mapping[str, bytes]
    audit: Audit[Any] | None = None
    error: str | None = None
    repaired: bool = False
    label: Any = None
    name: str = ""
    model: str | None = None

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


def is_start(rows: Sequence[tuple[Line, Any]]) -> bool:
    """Return whether a batch is the first of a file: of later rows, any may lack a key."""
    return bool(rows) and rows[0][0].number == 1


class RowProcessor(Protocol):
    """Makes the output lines of each input line."""

    def process(self, lines: Iterable[Line]) -> Iterator[LineResult]:
        """Yield what became of each line, in order."""
        ...


class ProcessorFactory(Protocol):
    """Options that a processor is made of: plain data, so that a worker process can make one."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """What the results depend on; an interrupted run is only continued with the same."""
        ...

    def processor(self, outputs: Collection[str]) -> RowProcessor:
        """Return a processor that makes the lines of these outputs."""
        ...


def verdict_line(
    line: Line,
    row: Mapping[str, Any] | None,
    verdicts: Iterable[Verdict] = (),
    error: str | None = None,
    *,
    is_judged: bool = True,
    more: Mapping[str, Any] = {},  # never changed
) -> bytes:
    """Return an output line with the number of a row, the row, its verdicts, its error and `more`.

    A row that could not be judged has `judged` false, so that nobody takes it for a faulty one.

    A line that holds no row is kept as text, and as base64 too where it is not UTF-8. A line that
    was too long to be read is left in the input; its `offset` and `bytes` there are noted.
    """
    outcome: dict[str, Any] = {"verdicts": [verdict.to_dict() for verdict in verdicts]}
    if not is_judged:
        outcome["judged"] = False
    if error is not None:
        outcome["error"] = error
    outcome |= more
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


class Item(NamedTuple):
    """An answer to be audited: the number of its line, the answer, its validation context."""

    number: int
    answer: Any
    context: Mapping[str, Any]


def type_adapter(model: Any) -> TypeAdapter[Any]:
    """Return Pydantic's adapter of a model."""
    try:
        return TypeAdapter(model)
    except Exception as error:
        raise DatasetError(
            f"The model cannot be used: {type(error).__name__}: {clip(str(error), 300)}"
        ) from error


class Auditor:
    """Audits answers of one model in batches; `judges` may be the name of an NLI engine."""

    def __init__(
        self, model: Any, judges: Judges | str | None = None, on_mistake: OnMistake = "raise"
    ) -> None:
        self.adapter = type_adapter(model)
        self._model = model
        engines = judges_for(model, judges)
        self._judges = {} if engines is None else {"judges": engines}
        self._mistakes = RowMistakes.when(on_mistake)

    def audits(self, items: Sequence[Item]) -> list[Audit[Any]]:
        """Return an audit for each answer; all of them share the engines' batches."""
        if not items:
            return []
        try:
            return self._audit(items, self._mistakes)
        except Exception as error:
            # A failure of an engine, or a budget that is used up, is not caused by a row.
            is_of_engine = isinstance(error, BackendError | BudgetError | MissingJudgeError)
            if self._mistakes is None and not is_of_engine:
                self._raise_for_one(items)
            first, last = items[0].number, items[-1].number
            lines = f"Line {first}" if first == last else f"Lines {first} to {last}"
            raise DatasetError(f"{lines}: {failure_reason(error)}") from error

    def _raise_for_one(self, items: Iterable[Item]) -> None:
        """Audit the answers one by one, to name the line of the one that fails."""
        for item in items:
            try:
                self._audit([item], None)
            except Exception as error:
                raise DatasetError(f"Line {item.number}: {failure_reason(error)}") from error

    def _audit(self, items: Sequence[Item], mistakes: RowMistakes | None) -> list[Audit[Any]]:
        answers = [item.answer for item in items]
        contexts = [{**item.context, **self._judges} for item in items]
        return audit_batch(self._model, answers, contexts, mistakes)


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """The model that reads the answers, its name, the keys of the rows, and the engines.

    Without a model it is `CitedAnswer`, and `EntailedAnswer` for answers that are plain text.
    `on_mistake` says what becomes of a row that cannot be judged, as in `audit_many`. A run that
    was stopped by such a row goes on with another value. `judges` may be the name of an NLI engine;
    without them, the engines are those of the model.
    """

    model: Any
    name: str
    keys: Keys = Keys()  # noqa: RUF009 # frozen
    on_mistake: OnMistake = "raise"
    judges: Judges | str | None = None

    def __post_init__(self) -> None:
        check_on_mistake(self.on_mistake)

    @property
    def models(self) -> Mapping[str, Any]:
        """The models by their names; the second one is that of plain text."""
        if self.model is not None:
            return {self.name: self.model}
        return {
            f"{each.__module__}:{each.__name__}": each for each in (CitedAnswer, EntailedAnswer)
        }

    @property
    def identity(self) -> Mapping[str, Any]:
        """What the results depend on."""
        named: dict[str, Any] = {"judges": self.judges} if isinstance(self.judges, str) else {}
        if isinstance(self.judges, Judges) and self.judges.calibration is not None:
            calibration = read_calibration(self.judges.calibration)
            engine = self.judges.nli if isinstance(self.judges.nli, str) else None
            named = {"judges": engine, "calibration": calibration.to_dict()}
        adapters = [type_adapter(model) for model in self.models.values()]
        content = [[schema_id(adapter), checks_of(adapter, Judges())] for adapter in adapters]
        model = {"model": self.name, "model content": content_id(content)}
        return {**model, **asdict(self.keys), **named}

    def processor(self, outputs: Collection[str]) -> "RowAuditor":
        """Return an auditor of rows that makes the lines of these outputs."""
        return RowAuditor(self, outputs)


def audit_line(
    line: Line, row: Mapping[str, Any], audit: Audit[Any], error: str | None = None
) -> bytes:
    """Return the output line of a row with its audit; `error` says why it is no clean one.

    A row that a person should look at has its `id`, its lowest `score` in doubt, and `why`.
    """
    doubt: dict[str, Any] = {}
    if audit.decision == "review":
        scores = [each.score or 0.0 for each in audit.verdicts if each.decision == "review"]
        why = [f"{fault.place}: {fault.message}" for fault in line_faults(line.number, audit)]
        doubt = {"decision": "review", "id": row.get("id"), "score": min(scores, default=None)}
        doubt["why"] = error or why[0]
    is_judged = audit.mistake is None
    return verdict_line(line, row, audit.verdicts, error, is_judged=is_judged, more=doubt)


class RowAuditor:
    """Audits the rows of one model, a batch of lines at a time."""

    def __init__(self, options: CheckOptions, outputs: Collection[str]) -> None:
        self._names = tuple(options.models)
        models = options.models.values()
        self._auditors = [Auditor(each, options.judges, options.on_mistake) for each in models]
        self._readers = [RowReader(each, options.keys) for each in models]
        self._outputs = outputs
        self._label = options.keys.label or PEOPLE_SAY

    def process(self, lines: Iterable[Line]) -> Iterator[LineResult]:
        """Yield what became of each line, in order, after auditing all of them together."""
        rows = [(line, read_line(line, self._read)) for line in lines]
        if is_start(rows):
            self._readers[0].check_keys(given_rows(row for _, row in rows))
        audits = []
        for model, auditor in enumerate(self._auditors):
            items = [
                Item(line.number, row.answer, row.context)
                for line, row in rows
                if isinstance(row, AnswerRow) and row.model == model
            ]
            audits.append(iter(auditor.audits(items)))
        for line, row in rows:
            if isinstance(row, AnswerRow):
                yield self._result(line, row, next(audits[row.model]))
            else:
                yield LineResult.broken(line, row)

    def _read(self, data: dict[str, Any]) -> AnswerRow:
        row = self._readers[0].read(data)
        if row.is_plain_text and len(self._readers) > 1:
            return replace(self._readers[1].read(data), model=1)
        return row

    def _result(self, line: Line, row: AnswerRow, audit: Audit[Any]) -> LineResult:
        outputs: dict[str, bytes] = {}
        error = None
        if audit.mistake is not None:
            error = failure_reason(audit.mistake)
        elif audit.decision == "accept":
            try:
                adapter = self._auditors[row.model].adapter
                dump = adapter.dump_json(audit.value, by_alias=True, warnings=False)
                outputs["clean"] = json_line(row.cleaned(from_json(dump)))
            except Exception as raised:  # noqa: BLE001 # a user's own serializer may raise anything
                error = f"the answer cannot be written as JSON: {clip(str(raised), 200)}"
        is_reviewed = audit.decision == "review" and "review" in self._outputs
        names = ("audits",) if outputs else ("review" if is_reviewed else "rejected", "audits")
        if wanted := [name for name in names if name in self._outputs]:
            outputs |= dict.fromkeys(wanted, audit_line(line, row.data, audit, error))
        is_counted = error is None or audit.mistake is not None
        return LineResult(
            line.number,
            outputs,
            audit if is_counted else None,
            error,
            label=row.data.get(self._label),
            name=row_name(row.data) if audit.faults else "",
            model=self._names[row.model] if len(self._names) > 1 else None,
        )


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
    renamed = data
    named = ((ANSWER, keys.answer), (REFERENCES, keys.references), (QUESTION, keys.question))
    for part, key in named:
        if key is not None and key in data:
            others = {*part.names, key}
            renamed = {name: value for name, value in renamed.items() if name not in others}
            renamed[part.option] = data[key]
    return renamed
