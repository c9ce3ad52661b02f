"""Audit a Parquet file of answers batch by batch, as an engine with many workers would.

    pip install 'groundtypes[parquet]'
    python cookbook/batch_audit.py [ROWS.parquet]

The same callable goes to Ray Data, Spark, Daft, Hugging Face datasets, pandas or Polars.
"""

import json
import sys
import tempfile
from collections import Counter
from pathlib import Path

import pyarrow as pa
from pyarrow import compute, parquet

from groundtypes.batch import AuditRows

ROWS = Path(__file__).parent / "data" / "answers.jsonl"


def write_example(path: Path) -> None:
    """Write the rows beside this file as a table, with answers and references as JSON text."""
    with ROWS.open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    columns = {
        "id": [str(row["id"]) for row in rows],
        "reply": [json.dumps(row["answer"]) for row in rows],
        "docs": [json.dumps(row["references"]) for row in rows],
    }
    parquet.write_table(pa.table(columns), path)


def main(path: Path) -> None:
    """Audit the file, write the result beside it, and print what was found."""
    audit = AuditRows(
        "groundtypes.models:CitedAnswer", answer="reply", references="docs", keep=["id"]
    )
    output = path.with_name(path.stem + ".audited.parquet")
    faults: Counter[str] = Counter()
    with (
        parquet.ParquetFile(path) as rows,
        parquet.ParquetWriter(output, audit.output_schema(rows.schema_arrow)) as file,
    ):
        for batch in rows.iter_batches(16):
            audited = audit(batch)
            file.write_batch(audited)
            faults.update(compute.list_flatten(audited.column("faults")).to_pylist())
    table = parquet.read_table(output)
    print(f"{compute.sum(table.column('ok')).as_py()} of {table.num_rows} answers hold")
    print("faults:", *(f"{slug} {count}" for slug, count in sorted(faults.items())), sep="\n  ")
    first = table.filter(compute.invert(table.column("ok"))).slice(0, 1).to_pylist()[0]
    fault = next(verdict for verdict in first["verdicts"] if not verdict["ok"])
    print(f"{first['id']}, {'.'.join(fault['loc'])}: {fault['message']}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as folder:
            write_example(Path(folder, "rows.parquet"))
            main(Path(folder, "rows.parquet"))
