"""From stored RAG logs to files for fine-tuning: only answers whose every quote is real.

    pip install 'groundtypes[cli]'
    python cookbook/logs_to_fine_tuning.py [ROWS.jsonl [FOLDER]]

Quotes with a typo are corrected; the answer before and after makes a preference pair.
"""

import json
import sys
import tempfile
from pathlib import Path

from groundtypes.dataset import build_dataset
from groundtypes.models import CitedAnswer

ROWS = Path(__file__).parent / "data" / "answers.jsonl"


def build(rows: Path, folder: Path) -> None:
    """Build the data set and show what it holds."""
    built = build_dataset(CitedAnswer, rows, folder, policy="snap", test=0.1, overwrite=True)
    counts = built.manifest["counts"]
    for name in ("rows", "clean", "rejected", "broken", "duplicates", "repaired"):
        print(f"{name:>12} {counts[name]}")
    for name, path in built.files.items():
        print(f"{name:>26} {path.stat().st_size:9,} bytes")
    with (folder / "openai" / "train.jsonl").open(encoding="utf-8") as lines:
        first = json.loads(next(lines))
    for message in first["messages"]:
        print(f"{message['role']:>12} {message['content'][:60]!r}")


def main() -> None:
    """Build from the rows that the arguments name."""
    rows = Path(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    if len(sys.argv) > 2:
        build(rows, Path(sys.argv[2]))
        return
    with tempfile.TemporaryDirectory() as scratch:
        build(rows, Path(scratch))


if __name__ == "__main__":
    main()
