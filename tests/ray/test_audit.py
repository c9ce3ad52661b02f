"""`groundtypes.ray.audit` adds the columns of `AuditRows`, lazily or shard by shard."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ray")

import pyarrow as pa
import ray
from pyarrow import parquet

from groundtypes.batch import AuditRows
from groundtypes.dataset import Progress, RunCounts
from groundtypes.errors import ContextError, DatasetError
from groundtypes.ray import audit
from groundtypes.ray.worker_pool import connected, pool_options
from tests.command_line import environment
from tests.ray.models import QuotedFact

pytestmark = [
    pytest.mark.engines,
    pytest.mark.filterwarnings("default"),  # Ray uses what it calls deprecated itself
]

MODEL = "tests.ray.models:QuotedFact"


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    """A machine with two processors."""
    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        with connected():
            yield
    finally:
        ray.shutdown()


def rows_from(first: int, count: int, **columns: Any) -> pa.Table:
    numbers = range(first, first + count)
    return pa.table(
        {
            "id": list(numbers),
            "reply": [json.dumps({"quote": f"is {n if n % 4 else 1} m tall"}) for n in numbers],
            "references": [f"The tower is {n} m tall." for n in numbers],
            **columns,
        }
    )


def files_in(folder: Path, *tables: pa.Table) -> list[Path]:
    paths = [folder / f"part-{number}.parquet" for number in range(len(tables))]
    for path, table in zip(paths, tables, strict=True):
        parquet.write_table(table, path, row_group_size=50)
    return paths


def in_order(dataset: Any) -> list[dict[str, Any]]:
    return sorted(dataset.take_all(), key=lambda row: int(row["id"]))


def test_two_processors_are_enough_for_two_workers_and_for_reading(tmp_path: Path) -> None:
    assert [pool_options(count, reading=True).cpus for count in (None, 1, 2, 3)] == [
        1.0,
        1.0,
        0.5,
        0.3333,
    ]
    assert pool_options(4).cpus == 0.5
    files = files_in(tmp_path, rows_from(100, 80), rows_from(180, 70))
    audited = audit(files, QuotedFact, answer="reply", actors=2, batch=16)
    expected = AuditRows(QuotedFact, answer="reply")(
        pa.concat_tables(map(parquet.read_table, files))
    )
    assert in_order(audited) == expected.to_pylist()


def test_a_dataset_is_audited_lazily(tmp_path: Path) -> None:
    dataset = ray.data.from_arrow(rows_from(100, 40))
    audited = audit(dataset, MODEL, answer="reply", keep=["id"], prefix="a_")
    assert audited.filter(lambda row: row["a_ok"]).count() == 30
    with pytest.raises(DatasetError, match="There is no column 'nowhere'"):
        audit(dataset, MODEL, answer="nowhere")
    with pytest.raises(ContextError, match="checkpoint= needs files"):
        audit(dataset, MODEL, checkpoint=tmp_path)
    (tmp_path / "rows.jsonl").touch()
    with pytest.raises(ContextError, match=r"needs files of Parquet.*groundtypes\.ray\.check"):
        audit(tmp_path / "rows.jsonl", MODEL, checkpoint=tmp_path)


class Counting(Progress):
    """Remembers the counts, and can stop a run."""

    def __init__(self, stop_at: int | None = None) -> None:
        self.rows: list[int] = []
        self.stop_at = stop_at

    def advanced(self, offset: int, counts: RunCounts) -> None:
        self.rows.append(counts.rows)
        if self.stop_at is not None and counts.rows >= self.stop_at:
            raise KeyboardInterrupt


def test_a_checkpoint_keeps_what_is_done(tmp_path: Path) -> None:
    files = files_in(tmp_path, rows_from(100, 130), rows_from(230, 70))
    options: dict[str, Any] = {
        "answer": "reply",
        "batch": 8,
        "shard_bytes": 1000,
        "checkpoint": tmp_path / "done",
    }
    with pytest.raises(KeyboardInterrupt):
        audit(files, MODEL, **options, progress=Counting(stop_at=60))
    kept = {path.name for path in (tmp_path / "done").glob("*.record.json")}
    before = {name: (tmp_path / "done" / name).stat().st_mtime_ns for name in kept}
    watcher = Counting()
    audited = audit([str(file) for file in files], MODEL, **options, progress=watcher)
    assert kept
    assert before == {name: (tmp_path / "done" / name).stat().st_mtime_ns for name in kept}
    assert watcher.rows[-1] == 200
    whole = pa.concat_tables(map(parquet.read_table, files))
    assert in_order(audited) == AuditRows(MODEL, answer="reply")(whole).to_pylist()
    files_before = sorted((tmp_path / "done").glob("*.parquet"))
    audit(files, MODEL, **options)
    assert sorted((tmp_path / "done").glob("*.parquet")) == files_before
    with pytest.raises(DatasetError, match="`audit` was"):
        audit(files, MODEL, **{**options, "batch": 9})


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        pytest.param(
            [rows_from(0, 4), rows_from(4, 4).set_column(0, "id", pa.array(list("abcd")))],
            r"The column 'id' is int64 in .*part-0\.parquet, and string in .*part-1\.parquet",
            id="another type",
        ),
        pytest.param(
            [rows_from(0, 4), rows_from(4, 4).drop_columns(["references"])],
            r"There is no column 'references' in .*part-1\.parquet, but in .*part-0\.parquet",
            id="a missing column",
        ),
        pytest.param(
            [rows_from(0, 4).drop_columns(["references"])],
            "No column holds references",
            id="no references",
        ),
        pytest.param(
            [rows_from(0, 4).set_column(1, "reply", pa.array([1.5] * 4))],
            "The column 'reply' holds no answers: its type is double",
            id="no answers",
        ),
        pytest.param(
            [rows_from(0, 4).append_column("ok", pa.array([True] * 4))],
            "The rows have a column 'ok' already",
            id="a name that is taken",
        ),
    ],
)
def test_columns_that_cannot_be_read_are_a_mistake_before_a_row_is_judged(
    tmp_path: Path, tables: list[pa.Table], message: str
) -> None:
    files = files_in(tmp_path, *tables)
    with pytest.raises(DatasetError, match=message):
        audit(files, MODEL, answer="reply", checkpoint=tmp_path / "done")
    assert not (tmp_path / "done").exists()


def test_null_columns_take_the_type_of_others_and_integers_become_numbers(tmp_path: Path) -> None:
    files = files_in(
        tmp_path,
        rows_from(0, 4, note=pa.nulls(4), score=[1, 2, 3, 4]),
        rows_from(4, 4, note=list("abcd"), score=[0.5] * 4),
    )
    found = in_order(audit(files, MODEL, answer="reply", checkpoint=tmp_path / "done"))
    assert [row["note"] for row in found] == [None] * 4 + list("abcd")
    assert [row["score"] for row in found] == [1.0, 2.0, 3.0, 4.0] + [0.5] * 4


@pytest.mark.parametrize("kind", ["missing", "cut off", "no Parquet", "other"])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, kind: str) -> None:
    [file] = files_in(tmp_path, rows_from(0, 400))
    messages = {
        "missing": f"There is no file {tmp_path}/none.parquet",
        "cut off": "part-0.parquet is not readable as Parquet",
        "no Parquet": "part-0.parquet is not readable as Parquet",
        "other": "The input is either Parquet .* but it has .csv, .parquet",
    }
    source: Any = file
    if kind == "missing":
        source = tmp_path / "none.parquet"
    elif kind == "cut off":
        os.truncate(file, file.stat().st_size // 2)
    elif kind == "no Parquet":
        file.write_bytes(b"PAR1, no.")
    else:
        (tmp_path / "a.csv").touch()
        source = [file, tmp_path / "a.csv"]
    with pytest.raises(DatasetError, match=messages[kind]):
        audit(source, MODEL, answer="reply", checkpoint=tmp_path / "done")


def test_a_damaged_row_group_names_its_shard(tmp_path: Path) -> None:
    [file] = files_in(tmp_path, rows_from(0, 400))
    content = bytearray(file.read_bytes())
    content[4:2000] = b"\xff" * 1996
    file.write_bytes(content)
    with pytest.raises(DatasetError, match=r"Shard 0 \(.* rows from row 1 of .*not readable as"):
        audit(file, MODEL, answer="reply", batch=8, shard_bytes=1, checkpoint=tmp_path / "done")


def test_a_model_that_a_worker_cannot_import_is_a_mistake_that_says_so(tmp_path: Path) -> None:
    files_in(tmp_path, rows_from(0, 4))
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "hidden_answers.py").write_text(
        "from groundtypes import Grounded, Quote\nclass Answer(Grounded):\n    quote: Quote\n",
        encoding="utf-8",
    )
    program = """
import sys
sys.path.append("hidden")
import hidden_answers
import shutil; shutil.rmtree("hidden")  # as on another machine
from groundtypes.ray import audit
from groundtypes.errors import DatasetError
try:
    audit("part-0.parquet", hidden_answers.Answer, answer="reply", checkpoint="done")
except DatasetError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "cannot be loaded on node" in done.stdout
    assert "No module named 'hidden_answers'" in done.stdout


def test_an_input_without_rows_gives_a_dataset_without_rows(tmp_path: Path) -> None:
    [file] = files_in(tmp_path, rows_from(0, 0))
    audited = audit(file, MODEL, answer="reply", checkpoint=tmp_path / "done")
    assert audited.count() == 0
