"""`AuditRows`: the callable that batch engines send to their workers."""

import pickle
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from groundtypes.backends.by_name import NLI_NAMES, checked_nli_name, is_nli_name
from groundtypes.batch.frames import Frame, frame_of
from groundtypes.batch.loading import load, load_model
from groundtypes.batch.table_reader import TableReader, missing_column
from groundtypes.batch.verdict_columns import RowJudge, RowResult, result_table, verdict_schema
from groundtypes.concurrency.bounded_cache import BoundedCache
from groundtypes.dataset.check.row_auditor import Item, type_adapter
from groundtypes.errors import ContextError, DatasetError
from groundtypes.integrations.recordings.calls import model_name
from groundtypes.judges import Judges, judges_for
from groundtypes.row_files.answer_rows import Keys
from groundtypes.row_files.json_lines import BrokenLineError
from groundtypes.text.message_excerpts import clip

import pyarrow as pa  # isort: skip # after `schema`, which says what to install

_T = TypeVar("_T")
#: Engines, the name of an NLI engine, or what makes engines in a worker: a function, or the name
#: of either.
_Judges: TypeAlias = Judges | Callable[[], Judges] | str | None
#: The engines of names that were used last: an engine may unpickle the callable for every batch.
_judges_by_name: Final = BoundedCache[str, Judges](16)


class _Worker(NamedTuple):
    """What is loaded once in a process."""

    reader: TableReader
    judge: RowJudge


class AuditRows:
    """Audits tables of rows: a table in, the same table with the columns of the verdicts out.

    The columns are `ok`, `verdicts`, `faults`, `error` and `value`; `verdict_schema` says what they
    are. Their types never depend on the rows. A row without an answer or references, or on which a
    validator of yours raises, is a row with an `error` that says why. An engine that is missing or
    fails is raised, and so is a column that is missing or of a type that cannot be read.

    It can be pickled. Engines are loaded in the process that uses them, with the first batch.
    Several threads may call it at the same time.

    Examples:
        >>> import pyarrow as pa
        >>> rows = pa.table({"doc": ["It is tall."], "reply": ['{"quote": "is tall"}']})
        >>> audit = AuditRows("answers:Answer", answer="reply", references="doc")
        >>> audit(rows).column("ok").to_pylist()
        [True]

    Args:
        model: The type of the answers, or where it is: "module:Name" or "path/file.py:Name".
        answer: The column of the answers, as JSON text or as structs. By default, answer,
            references and question are found as `groundtypes check` finds them.
        references: The column of the references: texts, lists of texts, maps from id to text, lists
            of structs, or any of these as JSON text.
        question: The column of the questions, if there is one.
        keep: The columns of the input that the result has; by default all.
        judges: Which engines judge: `Judges`, a function that makes them, or the name of either,
            "module:name". Or the name of an NLI engine, such as "judge" (see `nli_by_name`), which
            replaces the one in the model's own judges. A name or a function is loaded or called in
            the worker only.
        prefix: Text before the name of each new column, for tables that have such columns already.
        batch: How many rows are judged together and share the engines' batches.

    Raises:
        DatasetError: The model cannot be imported, or Pydantic cannot use it.
        ContextError: An option is invalid.
    """

    def __init__(
        self,
        model: Any,
        *,
        answer: str | None = None,
        references: str | None = None,
        question: str | None = None,
        keep: Sequence[str] | None = None,
        judges: _Judges = None,
        prefix: str = "",
        batch: int = 1024,
    ) -> None:
        if isinstance(keep, str):
            raise ContextError(f"keep is {keep!r}; it must be a list of names of columns")
        if not isinstance(batch, int) or batch < 1:
            raise ContextError(f"batch is {batch!r}; it must be a number, at least 1")
        self._model = _with_absolute_path(model)
        self._keys = Keys(answer, references, question)
        self._keep = None if keep is None else tuple(keep)
        self._judges = _checked_judges(judges)
        self._prefix = prefix
        self._batch = batch
        self._load_lock = threading.Lock()
        self._loaded: _Worker | None = None
        type_adapter(self._model_class())  # refuses a model before anything is sent to workers

    def __call__(self, rows: _T) -> _T:
        """Return the table with the columns of the verdicts, as a table of the same kind.

        Args:
            rows: A `pyarrow.Table` or `RecordBatch`, a DataFrame of pandas or Polars, or a mapping
                from names to columns (lists, or arrays of numpy or Arrow). Anything else that
                exports an Arrow stream, such as a relation of DuckDB, becomes a `pyarrow.Table`.

        Raises:
            DatasetError: A column is missing, cannot be read, or has the name of a new one.
            ContextError: The rows are no table.
            Mistake: An engine is missing or has failed, or the model is invalid.
        """
        frame = frame_of(rows)
        # Some engines make a table without columns of an empty partition.
        kept = self._kept(frame.names) if frame.names or frame.height else []
        worker = self._worker()
        worker.reader.check(frame)
        added = self.verdict_schema
        tables = [
            result_table(
                self._results(worker, frame, start, min(start + self._batch, frame.height)), added
            )
            for start in range(0, frame.height, self._batch)
        ]
        table = pa.concat_tables(tables) if tables else added.empty_table()
        result: _T = frame.with_columns(kept, table)
        return result

    @property
    def verdict_schema(self) -> pa.Schema:
        """The schema of the columns that are added."""
        return verdict_schema(prefix=self._prefix)

    def output_schema(self, columns: pa.Schema) -> pa.Schema:
        """Return the schema of the result for a table with the schema `columns`.

        Raises:
            DatasetError: A column to keep is missing, or one has the name of a new column.
        """
        kept = [columns.field(name) for name in self._kept(columns.names)]
        return pa.schema(kept + list(self.verdict_schema), metadata=columns.metadata)

    @property
    def identity(self) -> dict[str, Any]:
        """What the results depend on, as plain data; engines only where they have a name."""
        return {
            "model": self._model if isinstance(self._model, str) else model_name(self._model),
            **asdict(self._keys),
            "keep": None if self._keep is None else list(self._keep),
            "judges": self._judges if isinstance(self._judges, str) else None,
            "prefix": self._prefix,
            "batch": self._batch,
        }

    def check_schema(self, columns: pa.Schema) -> None:
        """Check that a table with these columns could be audited; no engine is loaded.

        Raises:
            DatasetError: A column is missing, has a type that cannot be read, or has the name of a
                new column.
        """
        self.output_schema(columns)
        TableReader(self._model_class(), self._keys).check(frame_of(columns.empty_table()))

    def _kept(self, names: Sequence[str]) -> list[str]:
        """Return the names of the columns of the input that the result has."""
        kept = list(names if self._keep is None else self._keep)
        for name in kept:
            if name not in names:
                raise DatasetError(missing_column(name, "keep", names))
        if clash := [name for name in self.verdict_schema.names if name in kept]:
            raise DatasetError(
                f"The rows have a column {clash[0]!r} already. Name the new columns by "
                "`prefix='audit_'`, or leave that one out by `keep=[...]`."
            )
        return kept

    @staticmethod
    def _results(worker: _Worker, frame: Frame, start: int, stop: int) -> list[RowResult]:
        """Return the results of the rows from `start` up to `stop`, judged together."""
        rows = worker.reader.read(frame, start, stop)
        items = [
            Item(number, row.answer, row.context)
            for number, row in enumerate(rows, start)
            if not isinstance(row, BrokenLineError)
        ]
        asked = worker.reader.has_questions(frame)
        judged = iter(worker.judge.judge(items, has_questions=asked) if items else ())
        return [
            RowResult.unjudged(str(row)) if isinstance(row, BrokenLineError) else next(judged)
            for row in rows
        ]

    def _worker(self) -> _Worker:
        with self._load_lock:
            if self._loaded is None:
                model = self._model_of_worker()
                judge = RowJudge(model, _made_judges(model, self._judges))
                self._loaded = _Worker(TableReader(model, self._keys), judge)
            return self._loaded

    def _model_of_worker(self) -> Any:
        """Return the model; where this was created it could be imported."""
        try:
            return self._model_class()
        except DatasetError as error:
            raise DatasetError(
                f"A worker cannot load the model {self._model}: {error} Install its module on "
                "every worker, or have the engine send it to them."
            ) from error

    def _model_class(self) -> Any:
        return load_model(self._model, "model") if isinstance(self._model, str) else self._model

    def __getstate__(self) -> dict[str, Any]:
        if isinstance(self._judges, Judges):
            _require_picklable(self._judges)
        return {**self.__dict__, "_load_lock": None, "_loaded": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _load_lock=threading.Lock())


def _with_absolute_path(name: Any) -> Any:
    """Return a name with the whole path of its file, because a worker may have another folder."""
    if not isinstance(name, str):
        return name
    file, colon, attributes = name.rpartition(":")
    if not file.endswith(".py") or not Path(file).is_file():
        return name
    return f"{Path(file).resolve()}{colon}{attributes}"


def _checked_judges(judges: Any) -> _Judges:
    if isinstance(judges, str):
        if is_nli_name(judges):
            return checked_nli_name(judges)
        module, _, attributes = judges.rpartition(":")
        if not module or not attributes:
            raise ContextError(
                f"judges is {judges!r}; a name must read module:name or file.py:name, or be that "
                f"of an NLI engine: {NLI_NAMES}"
            )
        return str(_with_absolute_path(judges))
    if judges is None or isinstance(judges, Judges) or callable(judges):
        checked: _Judges = judges
        return checked
    raise ContextError(
        f"judges is an object of type {type(judges).__name__}; pass Judges(nli=..., llm=...), a "
        "function that makes them, or the name of either"
    )


def _made_judges(model: Any, judges: _Judges) -> Judges | None:
    """Return the engines themselves, loaded or made where they are not made yet."""
    if isinstance(judges, str):
        if is_nli_name(judges):
            return judges_for(model, judges)
        name = judges
        return _judges_by_name.get_or_create(name, lambda: _called(load(name, "judges")))
    return None if judges is None else _called(judges)


def _called(judges: Any) -> Judges:
    made = judges if isinstance(judges, Judges) or not callable(judges) else judges()
    if isinstance(made, Judges):
        return made
    raise ContextError(f"judges makes an object of type {type(made).__name__}, not Judges")


def _require_picklable(judges: Judges) -> None:
    """Raise a mistake that says what to do, in the place of what `pickle` says of an engine."""
    picklers = [pickle, *filter(None, [sys.modules.get("cloudpickle")])]
    for pickler in picklers:
        try:
            pickler.dumps(judges)
        except Exception as error:  # noqa: BLE001 # an engine may raise anything
            failure = error
        else:
            return
    raise ContextError(
        f"The judges cannot be sent to another process ({clip(str(failure), 200)}). Name them by "
        "judges='module:name', so that each worker makes its own."
    ) from failure
