"""A run of evaluations: rows in, the scores of each row and of all of them out.

Rows are read and evaluated in batches, and their scores are written at once, so that an
interrupted run continues after its last batch; means and differences are computed at the end.
"""

import json
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final

from groundtypes.errors import ContextError, DatasetError, ReferencesError
from groundtypes.evaluation.answers import evaluate_batch
from groundtypes.evaluation.row import Columns, EvaluationRow, plain_id
from groundtypes.evaluation.run_statistics import Aggregate, Difference, aggregate, compare
from groundtypes.judges import Judges
from groundtypes.rounds.row_mistakes import OnMistake, RowMistakes
from groundtypes.row_files.counts import Progress, RunCounts
from groundtypes.row_files.files import partial_path, replace_file, resolved
from groundtypes.row_files.json_lines import Position, input_digest, json_bytes, json_line
from groundtypes.row_files.run_files import RunFiles
from groundtypes.row_files.table_files import TableRow, column_names, read_table
from groundtypes.text.message_excerpts import clip
from groundtypes.validators.cited import Cited

METRICS: Final = (
    "answer_by_context",
    "answer_by_truth",
    "truth_by_answer",
    "entailed",
    "neutral",
    "contradicted",
    "answer_refuses",
    "truth_refuses",
)
#: Runs have these only if citation markers are scored.
CITATION_METRICS: Final = ("citation_recall", "citation_precision", "citation_f1")

Scores = dict[str, float | None]


@dataclass
class EvaluationReport:
    """The scores of each row, their means, and differences to the baseline.

    A row without scores is broken, or `unjudged`: it could be read, but not be judged.
    """

    rows: list[Scores | None] = field(default_factory=list)
    ids: list[Any] = field(default_factory=list)
    means: dict[str, Aggregate] = field(default_factory=dict)
    differences: dict[str, Difference] | None = None
    seconds: float = 0.0
    written: dict[str, Path] = field(default_factory=dict)
    unjudged: int = 0

    @property
    def broken(self) -> int:
        """How many rows have no scores because they could not be read."""
        return self.rows.count(None) - self.unjudged

    def add(self, line: Mapping[str, Any]) -> None:
        """Add the row of a line of results."""
        self.ids.append(line.get("id"))
        self.rows.append(scores_of(line))
        self.unjudged += line.get("judged") is False

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, as the summary file holds them."""
        differences = self.differences
        return {
            "rows": len(self.rows),
            "broken": self.broken,
            "unjudged": self.unjudged,
            "means": {name: mean.to_dict() for name, mean in self.means.items()},
            "differences": differences
            and {name: difference.to_dict() for name, difference in differences.items()},
            "seconds": round(self.seconds, 3),
        }


def scores_of(line: Mapping[str, Any]) -> Scores | None:
    """Return the scores of a line of results; `None` for a broken row."""
    if "error" in line:
        return None
    scores = line.get("scores")
    if not isinstance(scores, Mapping):
        scores = {}
    names = (*METRICS, *(name for name in CITATION_METRICS if name in scores))
    values = {name: scores.get(name) for name in names}
    return {
        name: float(value) if isinstance(value, int | float) else None
        for name, value in values.items()
    }


def is_result(path: Path) -> bool:
    """Whether a file holds what an evaluation wrote."""
    first = next(read_table(path), None)
    keys = set() if first is None or first.data is None else first.data.keys()
    return {"row", "scores"} <= keys or {"row", "error"} <= keys


def load_results(report: EvaluationReport, path: Path, count: int | None) -> None:
    """Add the scores of the first `count` rows (`None`: of all) that an evaluation has written."""
    for row in islice(read_table(path), count):
        if row.data is None:
            raise DatasetError(f"{path}, row {row.number}: {row.broken}")
        report.add(row.data)


def paired_scores(
    baseline: EvaluationReport, run: EvaluationReport
) -> tuple[list[Scores], list[Scores]]:
    """Return the scores of the rows of two runs, row by row: by their ids, else in order.

    Ids that are not unique pair no rows, but in another order they show that the order does not.
    """
    ids = [_by_id(report) for report in (baseline, run)]
    if ids[0] is not None and ids[1] is not None and ids[0].keys() & ids[1].keys():
        shared = [key for key in ids[1] if key in ids[0]]
        pairs = [(ids[0][key], ids[1][key]) for key in shared]
    elif len(baseline.rows) == len(run.rows) and _agree(baseline, run):
        pairs = list(zip(baseline.rows, run.rows, strict=True))
    else:
        raise DatasetError(
            f"The runs have {len(baseline.rows)} and {len(run.rows)} rows and no ids that pair "
            "them: which rows belong together? Name the column of the ids with `row_id`."
        )
    complete = [
        (before, after) for before, after in pairs if before is not None and after is not None
    ]
    return [scores for scores, _ in complete], [scores for _, scores in complete]


def _key(id_: Any) -> str:
    return json.dumps(id_, sort_keys=True, default=str)


def _agree(baseline: EvaluationReport, run: EvaluationReport) -> bool:
    """Whether two runs can have the same rows in the same order: no id is at another place."""
    keys, others = ([_key(id_) for id_ in report.ids] for report in (baseline, run))
    return keys == others or {*keys} & {*others} <= {_key(None)}


def _by_id(report: EvaluationReport) -> dict[str, Scores | None] | None:
    keys = [_key(id_) for id_ in report.ids if id_ is not None]
    if len(keys) != len(report.rows) or len(set(keys)) != len(keys):
        return None
    return dict(zip(keys, report.rows, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationJob:
    """What to evaluate and where to write it.

    `rows` gets the scores, labels and statements of each row as JSON Lines, `summary` the means.
    `baseline` is a run to compare with: rows to evaluate as well, or the `rows` file of its earlier
    evaluation; differences are this run minus the baseline. `engine` names the engine of `judges`;
    an interrupted run is only continued with the same one. `citations` is the check that judges
    citation markers, as in `evaluate`; without it, neither results nor summary have scores of
    citations. `on_mistake` says what becomes of a row that cannot be judged, as in `audit_many`;
    here it is kept by default, as a broken row is.
    """

    source: Path
    judges: Judges
    engine: str
    columns: Columns = Columns()  # noqa: RUF009 # frozen
    baseline: Path | None = None
    rows: Path | None = None
    summary: Path | None = None
    batch: int = 64
    citations: Cited | None = None
    on_mistake: OnMistake = "keep"
    resume: bool = False
    overwrite: bool = False
    _mistakes: RowMistakes | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_mistakes", RowMistakes.when(self.on_mistake))

    def run(self, progress: Progress = Progress()) -> EvaluationReport:  # noqa: B008 # without state
        """Evaluate every row, write the outputs, and return all scores.

        Raises:
            Mistake: The files or columns are not what they should be, or an engine fails; what
                was written stays for `resume`.
        """
        began = time.monotonic()
        if self.resume and self.rows is None:
            raise DatasetError("`resume=True` needs `rows`: only a file can be continued.")
        files = RunFiles(
            {} if self.rows is None else {"rows": self.rows},
            self._identity(),
            sources=[path for path in (self.source, self.baseline) if path is not None],
            reports={} if self.summary is None else {"summary": self.summary},
            resume=self.resume,
            overwrite=self.overwrite,
        )
        report = EvaluationReport()
        progress.started(None, 0)
        self._load(report, files)
        if not files.checkpoint.finished:
            self._evaluate(report, files, progress)
        report.means = aggregate([scores for scores in report.rows if scores is not None])
        if self.baseline is not None:
            report.differences = self._differences(self.baseline, report)
        files.publish()
        report.seconds = time.monotonic() - began
        self._write(report, files)
        return report

    def _identity(self) -> dict[str, Any]:
        identity = {
            "input": str(resolved(self.source)),
            "input digest": input_digest(self.source),
            "engine": self.engine,
            "columns": repr(self.columns),
        }
        if self.citations is not None:
            identity["citations"] = repr(self.citations)
        return identity

    def _load(self, report: EvaluationReport, files: RunFiles) -> None:
        """Add the scores that an interrupted run has written."""
        if self.rows is not None and files.checkpoint.number:
            partial = partial_path(self.rows)
            path = partial if partial.exists() else self.rows
            load_results(report, path, files.checkpoint.number)

    def _evaluate(self, report: EvaluationReport, files: RunFiles, progress: Progress) -> None:
        with files.opened():
            for lines in self._batches(self.source, report, progress):
                files.write("rows", map(json_line, lines))
                files.commit(Position(0, len(report.rows), ""))
            files.commit(Position(0, len(report.rows), ""), finished=True)

    def _batches(
        self, source: Path, report: EvaluationReport, progress: Progress
    ) -> Iterator[list[dict[str, Any]]]:
        """Evaluate the rows that the report does not have yet; yield the lines of each batch."""
        table = read_table(source)
        counts = RunCounts(rows=len(list(islice(table, len(report.rows)))))
        is_empty = not report.rows
        while batch := list(islice(table, self.batch)):
            known = dict.fromkeys(key for row in batch for key in row.data or ())
            if not report.rows and known:
                self._check_columns(source, known)
            is_empty = False
            yield self._evaluated(batch, report, progress)
            counts.rows += len(batch)
            progress.advanced(0, counts)
        if is_empty:
            self._check_columns(source, dict.fromkeys(column_names(source)))

    def _check_columns(self, source: Path, columns: Collection[str]) -> None:
        """Check that a file has the columns, those of its first rows or of its header."""
        if not columns:
            raise DatasetError(f"{source} has no rows.")
        if (missing := self.columns.missing(columns, of_file=True)) is not None:
            raise DatasetError(f"{source} has {missing}.")

    def _evaluated(
        self, batch: Sequence[TableRow], report: EvaluationReport, progress: Progress
    ) -> list[dict[str, Any]]:
        """Return the line of each row, and add its scores to the report."""
        lines: list[dict[str, Any]] = []
        rows: list[EvaluationRow] = []
        complete: list[dict[str, Any]] = []
        for row in batch:
            line: dict[str, Any] = {
                "row": row.number,
                "id": plain_id((row.data or {}).get(self.columns.row_id)),
            }
            lines.append(line)
            try:
                rows.append(self._read(row))
                complete.append(line)
            except (ContextError, ReferencesError) as error:
                line["error"] = clip(str(error), 300)
                progress.broken(row.number, line["error"])
        if rows:
            evaluations = evaluate_batch(rows, self.judges, self.citations, self._mistakes)
            for line, evaluation in zip(complete, evaluations, strict=True):
                line.update(evaluation.to_dict())
                if evaluation.mistake is not None:
                    progress.broken(line["row"], line["error"])
        for line in lines:
            report.add(line)
        return lines

    def _read(self, row: TableRow) -> EvaluationRow:
        if row.data is None:
            raise ContextError(row.broken or "no row")
        evaluation_row = self.columns.read(row.data)
        evaluation_row.check()
        return evaluation_row

    def _differences(self, path: Path, report: EvaluationReport) -> dict[str, Difference]:
        baseline = EvaluationReport()
        if is_result(path):
            load_results(baseline, path, None)
        else:
            for _ in self._batches(path, baseline, Progress()):
                pass
        return compare(*paired_scores(baseline, report))

    def _write(self, report: EvaluationReport, files: RunFiles) -> None:
        if self.rows is not None:
            report.written["rows"] = self.rows
        if self.summary is not None:
            replace_file(self.summary, json_bytes(report.to_dict(), indent=2) + b"\n")
            report.written["summary"] = self.summary
        files.close()
