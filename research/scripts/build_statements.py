"""Make cookbook/data/statements.jsonl: statements with the passages that support or refute them.

    python -m scripts.build_statements FOLDER

FOLDER holds the public sets; what is taken are pairs of FEVER from the part that is for tests.
"""

import hashlib
import json
import sys
from pathlib import Path

from corpora.detokenise import detokenise
from corpora.rows import read_rows

TARGET = Path(__file__).parents[2] / "cookbook" / "data" / "statements.jsonl"
_EACH = 75
_WORDS = range(12, 80)


def main(folder: Path) -> None:
    """Write as many supported as refuted statements, drawn by the hash of their ids."""
    left = {"entailment": _EACH, "contradiction": _EACH}
    rows = [
        row for row in read_rows(folder / "nli" / "fever_rte.jsonl.gz") if row["split"] == "test"
    ]
    lines = []
    for row in sorted(rows, key=lambda row: hashlib.sha256(row["id"].encode()).hexdigest()):
        if left[row["label"]] and len(row["premise"].split()) in _WORDS:
            left[row["label"]] -= 1
            line = {
                "id": row["id"],
                "references": {"wikipedia": detokenise(row["premise"])},
                "answer": {"answer": detokenise(row["hypothesis"])},
                "people_say": row["label"],
            }
            lines.append(json.dumps(line, ensure_ascii=False))
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{TARGET}: {len(lines)} rows")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
