"""The scores of a run: of each row, of all, and beside those of another run."""

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final

from groundtypes.dataset.io.tables import read_table
from groundtypes.errors import DatasetError
from groundtypes.evaluation.statistics import Aggregate, Difference

__all__ = ["METRICS", "EvaluationReport", "as_csv", "is_result", "paired", "scores_of", "take_up"]

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
#: What a spreadsheet would run as a formula.
_FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")

Scores = dict[str, float | None]


@dataclass(slots=True)
class EvaluationReport:
    """What a run came to: the scores of each row (`None` for a broken one), means, differences."""

    rows: list[Scores | None] = field(default_factory=list)
    ids: list[Any] = field(default_factory=list)
    means: dict[str, Aggregate] = field(default_factory=dict)
    differences: dict[str, Difference] | None = None
    seconds: float = 0.0
    written: dict[str, Path] = field(default_factory=dict)

    @property
    def broken(self) -> int:
        """How many rows could not be evaluated."""
        return self.rows.count(None)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, as the summary file holds them."""
        differences = self.differences
        return {
            "rows": len(self.rows),
            "broken": self.broken,
            "means": {name: one.to_dict() for name, one in self.means.items()},
            "differences": differences
            and {name: one.to_dict() for name, one in differences.items()},
            "seconds": round(self.seconds, 3),
        }


def scores_of(line: Mapping[str, Any]) -> Scores | None:
    """Return the scores of a line of results; `None` for a broken row."""
    if "error" in line:
        return None
    found = line.get("scores")
    scores = found if isinstance(found, Mapping) else {}
    return {name: _number(scores.get(name)) for name in METRICS}


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def is_result(path: Path) -> bool:
    """Whether a file holds what an evaluation wrote."""
    first = next(read_table(path), None)
    keys = set() if first is None or first.data is None else first.data.keys()
    return {"row", "scores"} <= keys or {"row", "error"} <= keys


def take_up(report: EvaluationReport, path: Path, count: int | None) -> None:
    """Read the scores that an evaluation has written."""
    for row in islice(read_table(path), count):
        if row.data is None:
            raise DatasetError(f"{path}, row {row.number}: {row.broken}")
        report.ids.append(row.data.get("id"))
        report.rows.append(scores_of(row.data))


def paired(first: EvaluationReport, second: EvaluationReport) -> tuple[list[Scores], list[Scores]]:
    """Return the scores of the rows of two runs, row by row: by their ids, else in order.

    Raises:
        DatasetError: Neither their ids nor their numbers match.
    """
    ids = [_by_id(report) for report in (first, second)]
    if ids[0] is not None and ids[1] is not None and ids[0].keys() & ids[1].keys():
        shared = [key for key in ids[1] if key in ids[0]]
        pairs = [(ids[0][key], ids[1][key]) for key in shared]
    elif len(first.rows) == len(second.rows):
        pairs = list(zip(first.rows, second.rows, strict=True))
    else:
        raise DatasetError(
            f"The runs have {len(first.rows)} and {len(second.rows)} rows and no ids in common: "
            "which rows belong together? Name the column of the ids with --id."
        )
    whole = [(one, other) for one, other in pairs if one is not None and other is not None]
    return [one for one, _ in whole], [other for _, other in whole]


def _by_id(report: EvaluationReport) -> dict[str, Scores | None] | None:
    keys = [json.dumps(one, sort_keys=True, default=str) for one in report.ids if one is not None]
    if len(keys) != len(report.rows) or len(set(keys)) != len(keys):
        return None
    return dict(zip(keys, report.rows, strict=True))


def as_csv(report: EvaluationReport) -> bytes:
    """Return the scores of each row as CSV in UTF-8."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(["row", "id", "broken", *METRICS])
    for number, (row_id, scores) in enumerate(zip(report.ids, report.rows, strict=True), 1):
        shown = "" if row_id is None else str(row_id)
        if shown.startswith(_FORMULAS):
            shown = f"'{shown}"
        cells = [(scores or {}).get(name) for name in METRICS]
        writer.writerow([number, shown, int(scores is None), *cells])
    return text.getvalue().encode("utf-8", "backslashreplace")
