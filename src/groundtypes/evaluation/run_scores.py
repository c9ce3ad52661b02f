"""The scores of an evaluation: of each row, of all rows, and compared with those of a baseline."""

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final

from groundtypes.errors import DatasetError
from groundtypes.evaluation.run_statistics import Aggregate, Difference
from groundtypes.row_files.table_files import read_table

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
#: What a spreadsheet would run as a formula.
_FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")

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
    return {name: _number(scores.get(name)) for name in names}


def is_unjudged(line: Mapping[str, Any]) -> bool:
    """Return whether the row of a line of results could be read, but not be judged."""
    return line.get("judged") is False


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def is_result(path: Path) -> bool:
    """Whether a file holds what an evaluation wrote."""
    first = next(read_table(path), None)
    keys = set() if first is None or first.data is None else first.data.keys()
    return {"row", "scores"} <= keys or {"row", "error"} <= keys


def load_results(report: EvaluationReport, path: Path, count: int | None) -> None:
    """Add the scores of the first `count` rows (`None`: of all) that an evaluation has written.

    Raises:
        DatasetError: The file cannot be read.
    """
    for row in islice(read_table(path), count):
        if row.data is None:
            raise DatasetError(f"{path}, row {row.number}: {row.broken}")
        report.ids.append(row.data.get("id"))
        report.rows.append(scores_of(row.data))
        report.unjudged += is_unjudged(row.data)


def paired_scores(
    baseline: EvaluationReport, run: EvaluationReport
) -> tuple[list[Scores], list[Scores]]:
    """Return the scores of the rows of two runs, row by row: by their ids, else in order.

    Raises:
        DatasetError: Neither their ids nor their numbers match.
    """
    ids = [_by_id(report) for report in (baseline, run)]
    if ids[0] is not None and ids[1] is not None and ids[0].keys() & ids[1].keys():
        shared = [key for key in ids[1] if key in ids[0]]
        pairs = [(ids[0][key], ids[1][key]) for key in shared]
    elif len(baseline.rows) == len(run.rows):
        pairs = list(zip(baseline.rows, run.rows, strict=True))
    else:
        raise DatasetError(
            f"The runs have {len(baseline.rows)} and {len(run.rows)} rows and no ids in common: "
            "which rows belong together? Name the column of the ids with `row_id`."
        )
    complete = [
        (before, after) for before, after in pairs if before is not None and after is not None
    ]
    return [scores for scores, _ in complete], [scores for _, scores in complete]


def _by_id(report: EvaluationReport) -> dict[str, Scores | None] | None:
    keys = [json.dumps(id_, sort_keys=True, default=str) for id_ in report.ids if id_ is not None]
    if len(keys) != len(report.rows) or len(set(keys)) != len(keys):
        return None
    return dict(zip(keys, report.rows, strict=True))


def as_csv(report: EvaluationReport) -> bytes:
    """Return the scores of each row as CSV in UTF-8."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    has_citations = any(scores.keys() & set(CITATION_METRICS) for scores in report.rows if scores)
    metrics = (*METRICS, *CITATION_METRICS) if has_citations else METRICS
    writer.writerow(["row", "id", "broken", *metrics])
    for number, (row_id, scores) in enumerate(zip(report.ids, report.rows, strict=True), 1):
        name = "" if row_id is None else str(row_id)
        if name.startswith(_FORMULAS):
            name = f"'{name}"
        cells = [(scores or {}).get(metric) for metric in metrics]
        writer.writerow([number, name, int(scores is None), *cells])
    return text.getvalue().encode("utf-8", "backslashreplace")
