"""Show stored answers beside their references: an audit of all of them as one HTML page.

    pip install groundtypes
    python cookbook/audit_to_report.py [ROWS.jsonl [REPORT.html]]

Audits answers in JSON Lines (by default those beside this file) from Python, row by row, and
writes the page. `groundtypes check --audits` and `groundtypes report` do the same from a shell.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from groundtypes.models import CitedAnswer
from groundtypes.report import Report
from groundtypes.validation import iter_audits

ROWS = Path(__file__).parent / "data" / "answers.jsonl"


def audited(rows: Path) -> Iterator[dict[str, Any]]:
    """Yield each row with its verdicts and what was judged, as a report reads it."""
    stored = [json.loads(line) for line in rows.read_text(encoding="utf-8").splitlines()]
    answers = (row["answer"] for row in stored)
    contexts = (
        {"references": row["references"], "question": row.get("question")} for row in stored
    )
    audits = iter_audits(CitedAnswer, answers, context=contexts)
    for row, audit in zip(stored, audits, strict=True):
        # The name that people know the answer by; a page shows it, and its search finds it.
        yield {"id": row["id"], **audit.to_row()}


def main() -> None:
    """Write the page of the rows that the arguments name, and print what it shows."""
    rows = Path(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    page = Path(sys.argv[2] if len(sys.argv) > 2 else f"{tempfile.mkdtemp()}/report.html")
    report = Report(audited(rows), title=f"Quotes of {rows.name}")
    report.save(page)
    states = report.summary.states
    print(f"{states['ok']} answers are ok, {states['faulty']} faulty")
    for field, faults in report.summary.faults_by_field.most_common(3):
        print(f"  {field}: {faults} faults in {report.summary.verdicts_by_field[field]} verdicts")
    print(f"Open it in a browser: {page.resolve().as_uri()}")


if __name__ == "__main__":
    main()
