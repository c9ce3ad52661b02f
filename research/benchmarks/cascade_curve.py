"""How right a cascade of two engines is, by the share of texts that its second engine is asked.

    python -m benchmarks.cascade_curve --data DATA [--first NAME] [--then NAME] [--set NAME ...]
        [--most 400]

For each set it prints how sure the first engine is where it is wrong, and the curve that
`calibrate_cascade` finds. DATA is the folder of the public sets (research/notes/benchmarks.md).
"""

import argparse
from pathlib import Path
from typing import Any

from benchmarks.judges.sets import SETS, JudgedSet, sample
from benchmarks.machine import describe, show
from groundtypes.calibration import calibrate_cascade
from groundtypes.calibration.labelled_rows import LabelColumns, RowCounts, read_labelled_rows
from groundtypes.calibration.scored_rows import ScoredRow, score_rows
from groundtypes.judges import Judges, nli_engine
from groundtypes.scoring import THRESHOLD

#: Bands within which a first engine leaves a text open.
BANDS = ((0.1, 0.9), (0.02, 0.98))


def rows_of(judged: JudgedSet, data: Path, most: int) -> list[dict[str, Any]]:
    """Return labelled rows as `calibrate` takes them."""
    return [
        {
            "text": row.text,
            "references": list(row.references),
            "label": row.is_right,
            "question": row.question,
        }
        for row in sample(judged, data, most)
    ]


def sureness(rows: list[dict[str, Any]], first: str) -> str:
    """Return how many texts the first engine leaves open, and how often it is sure and wrong."""
    labelled = read_labelled_rows(rows, LabelColumns(), RowCounts())
    scored = [each for _, each in score_rows(labelled, nli_engine(Judges(nli=first)), 64)]
    judged = [each for each in scored if isinstance(each, ScoredRow)]
    wrong = [each for each in judged if (each.score >= THRESHOLD) != each.supported]
    lines = [f"{len(judged)} texts, {len(wrong)} judged wrong by {first}"]
    for low, high in BANDS:
        left = sum(low <= each.score <= high for each in judged)
        sure = sum(not low <= each.score <= high for each in wrong)
        lines.append(f"  {low} to {high}: {left} left open, {sure} sure and wrong")
    return "\n".join(lines)


def main() -> None:
    """Print the curve of each set."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--first", default="bundled")
    parser.add_argument("--then", default="large")
    texts = {judged.name: judged for judged in SETS if judged.kind == "text"}
    usual = ["written-statements", "factscore-claims"]
    parser.add_argument("--set", nargs="+", choices=list(texts), default=usual)
    parser.add_argument("--most", type=int, default=400)
    options = parser.parse_args()
    for name in options.set:
        rows = rows_of(texts[name], options.data, options.most)
        print(f"{name}: {sureness(rows, options.first)}")
        print(calibrate_cascade(rows, options.first, options.then), end="\n\n")
    print(show(describe(["onnxruntime", "rapidfuzz"])))


if __name__ == "__main__":
    main()
