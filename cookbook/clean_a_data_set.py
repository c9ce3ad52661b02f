"""Clean a data set: keep the rows whose quotes are real, and look at the others.

    pip install 'groundtypes[cli]'
    python cookbook/clean_a_data_set.py [ROWS.jsonl [FOLDER]]

Runs `groundtypes check` over JSON Lines (by default those beside this file), then reads its
output: the clean rows, and the rejected ones with the verdicts that explain them.
"""

import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROWS = Path(__file__).parent / "data" / "answers.jsonl"


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSON Lines file."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def check(rows: Path, folder: Path) -> tuple[Path, Path]:
    """Write the clean and the rejected rows into a folder, and return where they are.

    Raises:
        SystemExit: The rows could not be checked; the command has said why.
    """
    clean, rejected = folder / "clean.jsonl", folder / "rejected.jsonl"
    command = [sys.executable, "-m", "groundtypes", "check", str(rows), "--quiet", "--overwrite"]
    outputs = ["--clean", str(clean), "--rejected", str(rejected)]
    code = subprocess.run([*command, *outputs], check=False).returncode
    if code > 1:  # 0: all rows are clean, 1: some are rejected
        raise SystemExit(code)
    return clean, rejected


def report(clean: Path, rejected: Path) -> None:
    """Print what was found."""
    kept = sum(1 for _ in lines(clean))
    faults: Counter[str] = Counter()
    shown: dict[str, str] = {}
    thrown = 0
    for row in lines(rejected):
        thrown += 1
        for verdict in row["verdicts"]:
            if not verdict["ok"]:
                faults[verdict["slug"]] += 1
                shown.setdefault(verdict["slug"], f"line {row['line']}: {verdict['message']}")
    print(f"{kept} rows are clean, {thrown} rejected")
    for slug, count in faults.most_common():
        print(f"{count:4} {slug}, such as\n     {shown[slug]}")


def main() -> None:
    """Check the rows that the arguments name."""
    rows = Path(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    if len(sys.argv) > 2:
        folder = Path(sys.argv[2])
        folder.mkdir(parents=True, exist_ok=True)
        report(*check(rows, folder))
        return
    with tempfile.TemporaryDirectory() as scratch:
        report(*check(rows, Path(scratch)))


if __name__ == "__main__":
    main()
