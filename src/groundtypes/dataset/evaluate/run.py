"""A run of evaluations: rows in; scores of each row and of all of them out."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from groundtypes.dataset.check.job import Watcher
from groundtypes.dataset.evaluate.columns import Columns
from groundtypes.dataset.evaluate.scores import (
    EvaluationReport,
    as_csv,
    is_result,
    paired,
    scores_of,
    take_up,
)
from groundtypes.dataset.io.checkpoint import State
from groundtypes.dataset.io.counts import Tally
from groundtypes.dataset.io.files import (
    PartialFile,
    check_outputs,
    partial_path,
    rename,
    replace_file,
    state_path,
)
from groundtypes.dataset.io.lines import json_bytes
from groundtypes.dataset.io.tables import TableRow, read_table
from groundtypes.errors import ContextError, DatasetError, ReferencesError, clip
from groundtypes.evaluation.answers import evaluate_many
from groundtypes.evaluation.row import EvaluationRow
from groundtypes.evaluation.statistics import Difference, aggregate, compare
from groundtypes.judges import Judges

__all__ = ["EvaluationJob"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationJob:
    """What to evaluate and where to write it.

    `rows` gets the scores, labels and statements of each row as JSON Lines, `csv` the scores,
    `summary` the means. `other` is a second run to compare with: rows to evaluate too, or the
    `rows` of an earlier evaluation.
    """

    source: Path
    judges: Judges
    engine: str
    columns: Columns = Columns()  # noqa: RUF009 # frozen
    other: Path | None = None
    rows: Path | None = None
    csv: Path | None = None
    summary: Path | None = None
    batch: int = 64
    resume: bool = False
    overwrite: bool = False

    def run(self, watcher: Watcher) -> EvaluationReport:
        """Evaluate every row, write the outputs, and return what was found.

        Raises:
            Mistake: The files or columns are not what they should be, or an engine fails; what
                was written stays for `resume`.
        """
        began = time.monotonic()
        self._check_outputs()
        report = EvaluationReport()
        self._evaluate(report, watcher)
        report.means = aggregate([scores for scores in report.rows if scores is not None])
        if self.other is not None:
            report.differences = self._differences(report)
        report.seconds = time.monotonic() - began
        self._write(report)
        return report

    def _check_outputs(self) -> None:
        named = {"--rows": self.rows, "--csv": self.csv, "--json": self.summary}
        given = {option: path for option, path in named.items() if path is not None}
        check_outputs(given, self.source)
        if self.resume and self.rows is None:
            raise DatasetError("--resume needs --rows: only a file can be continued.")
        for option, path in given.items():
            if path.exists() and not self.overwrite and not self.resume:
                raise DatasetError(
                    f"{option} exists already: {path}. Name another file, or replace it with "
                    "--overwrite."
                )

    def _evaluate(self, report: EvaluationReport, watcher: Watcher) -> None:
        watcher.started(None, 0)
        if self.rows is None:
            for _ in self._batches(self.source, report, watcher):
                pass
            return
        state = self._state()
        discard = self.overwrite or self.resume
        length = state.lengths.get("rows")
        with PartialFile(self.rows, length=length, discard=discard) as file:
            if length is not None:
                take_up(report, partial_path(self.rows), state.number)
            for lines in self._batches(self.source, report, watcher):
                for line in lines:
                    file.write([json_bytes(line), b"\n"])
                file.sync()
                state.number = len(report.rows)
                state.lengths = {"rows": file.length}
                state.save(state_path(self.rows))
        rename(partial_path(self.rows), self.rows)
        state_path(self.rows).unlink(missing_ok=True)
        report.written["rows"] = self.rows

    def _state(self) -> State:
        assert self.rows is not None  # noqa: S101 # asked by the caller
        size = self.source.stat().st_size if self.source.is_file() else None
        identity = {
            "input": str(self.source.resolve()),
            "input size": size,
            "engine": self.engine,
            "columns": repr(self.columns),
        }
        state = State.load(state_path(self.rows)) if self.resume else None
        if state is not None:
            state.check_identity(identity)
            return state
        return State(identity=identity)

    def _batches(
        self, source: Path, report: EvaluationReport, watcher: Watcher
    ) -> Iterator[list[dict[str, Any]]]:
        """Evaluate the rows that the report does not have yet; yield the lines of each batch."""
        table = read_table(source)
        tally = Tally()
        tally.rows = len(list(islice(table, len(report.rows))))
        while some := list(islice(table, self.batch)):
            known = [row.data for row in some if row.data is not None]
            if not report.rows and known and all(self.columns.answer not in row for row in known):
                raise DatasetError(f"{source} has {self.columns.told_missing(known[0])}.")
            yield self._judged(some, report, watcher)
            tally.rows += len(some)
            watcher.advanced(0, tally)

    def _judged(
        self, some: Sequence[TableRow], report: EvaluationReport, watcher: Watcher
    ) -> list[dict[str, Any]]:
        lines: list[dict[str, Any]] = []
        ready: list[tuple[dict[str, Any], EvaluationRow]] = []
        for row in some:
            line: dict[str, Any] = {
                "row": row.number,
                "id": (row.data or {}).get(self.columns.row_id),
            }
            lines.append(line)
            try:
                ready.append((line, self._read(row)))
            except (ContextError, ReferencesError) as error:
                line["error"] = clip(str(error), 300)
                watcher.broken(row.number, line["error"])
        found = evaluate_many((one for _, one in ready), judges=self.judges, batch=self.batch)
        for (line, _), evaluation in zip(ready, found, strict=True):
            line.update(evaluation.to_dict())
        for line in lines:
            report.ids.append(line["id"])
            report.rows.append(scores_of(line))
        return lines

    def _read(self, row: TableRow) -> EvaluationRow:
        if row.data is None:
            raise ContextError(row.broken or "no row")
        found = self.columns.read(row.data)
        found.check()
        return found

    def _differences(self, report: EvaluationReport) -> dict[str, Difference]:
        assert self.other is not None  # noqa: S101 # asked by the caller
        other = EvaluationReport()
        if not is_result(self.other):
            for _ in self._batches(self.other, other, _Silent()):
                pass
        else:
            take_up(other, self.other, None)
        first, second = paired(other, report)
        return compare(first, second)

    def _write(self, report: EvaluationReport) -> None:
        if self.csv is not None:
            replace_file(self.csv, as_csv(report))
            report.written["csv"] = self.csv
        if self.summary is not None:
            replace_file(self.summary, json_bytes(report.to_dict(), indent=2) + b"\n")
            report.written["summary"] = self.summary


class _Silent:
    """A watcher of the second run, which is not shown."""

    def started(self, total: int | None, offset: int) -> None:
        """Show nothing."""

    def advanced(self, offset: int, tally: Tally) -> None:
        """Show nothing."""

    def broken(self, number: int, reason: str) -> None:
        """Show nothing."""
