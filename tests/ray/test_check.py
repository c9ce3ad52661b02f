"""`groundtypes check` in a cluster writes what it writes on one machine, whatever dies."""

import json
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ray")

import ray
from ray.cluster_utils import Cluster

from groundtypes.dataset import CheckOptions, Job, JobResult, Keys, Progress, RunCounts
from groundtypes.errors import DatasetError
from groundtypes.models import EntailedAnswer
from groundtypes.ray import check
from tests.command_line import command, environment, row, run_python, write_rows
from tests.ray.models import Noted

pytestmark = [
    pytest.mark.engines,
    pytest.mark.filterwarnings("default"),  # Ray leaves files of its own open
]

OUTPUTS = ("clean", "rejected", "audits")
MOUNT, UMOUNT = (shutil.which(name) or "" for name in ("mount", "umount"))


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[Cluster]:
    """Two nodes with a processor each, on one machine."""
    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    nodes.add_node(num_cpus=1)
    ray.init(address=nodes.address, log_to_driver=False)
    try:
        yield nodes
    finally:
        ray.shutdown()
        nodes.shutdown()


def mixed_rows(count: int = 300, notes: dict[int, str] | None = None) -> list[Any]:
    """Return rows of every kind: clean, rejected, broken, blank, and with notes."""
    rows: list[Any] = []
    for number in range(count):
        note = {"note": notes[number]} if notes and number in notes else {}
        if note:
            rows.append(row(id=number, **note))
        elif number % 7 == 3:
            rows.append(b"broken \xff" + str(number).encode() if number % 2 else b"  ")
        elif number % 5 == 2:
            rows.append(row("words that are nowhere", id=number))
        else:
            rows.append(row(id=number))
    return rows


def job_in(folder: Path, source: Path, model: Any = Noted, **options: Any) -> Job:
    folder.mkdir(exist_ok=True)
    paths = {name: folder / name for name in (*OUTPUTS, "summary")}
    keys = options.pop("keys", Keys())
    return Job(
        options=CheckOptions(model, model.__name__, keys),
        source=source,
        **{**paths, "batch": 8, **options},
    )


def written(job: Job) -> dict[str, Any]:
    found: dict[str, Any] = {name: path.read_bytes() for name, path in job.outputs.items()}
    assert job.summary is not None
    summary = json.loads(job.summary.read_bytes())
    return {**found, **{key: summary[key] for key in summary if key not in ("seconds", "written")}}


def local(folder: Path, source: Path, **options: Any) -> dict[str, Any]:
    job = job_in(folder, source, **options)
    job.run()
    return written(job)


class Watcher(Progress):
    """Remembers what it receives."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.lines: list[int] = []
        self.rows: list[int] = []

    def advanced(self, offset: int, counts: RunCounts) -> None:
        self.rows.append(counts.rows)

    def broken(self, number: int, reason: str) -> None:
        self.lines.append(number)

    def noted(self, text: str) -> None:
        self.notes.append(text)


def test_the_outputs_are_those_of_one_machine(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "rows.jsonl", mixed_rows(1000))
    job, watcher = job_in(tmp_path / "ray", source), Watcher()
    result = check(job, shard_bytes=5000, progress=watcher)
    assert written(job) == local(tmp_path / "local", source)
    assert watcher.notes == ["Ray: 2 workers, each with 1 processor"]
    assert watcher.rows[-1] == result.counts.rows == sum(1 for _ in read_rows_of(source))
    assert len(watcher.rows) > 1
    assert len(watcher.lines) == result.counts.broken
    assert {path.name for path in (tmp_path / "ray").iterdir()} == {*OUTPUTS, "summary"}


def read_rows_of(source: Path) -> list[bytes]:
    return [line for line in source.read_bytes().splitlines() if line.strip()]


def test_statements_are_judged_in_the_same_batches(tmp_path: Path) -> None:
    rows = [
        {"references": f"The tower is {n} metres tall.", "answer": f"Its height is {n + n % 2} m."}
        for n in range(300, 340)
    ]
    source = write_rows(tmp_path / "rows.jsonl", rows)
    job = job_in(tmp_path / "ray", source, EntailedAnswer)
    check(job, actors=2)
    assert written(job) == local(tmp_path / "local", source, model=EntailedAnswer)


def test_an_empty_input_has_empty_outputs(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "rows.jsonl", [b"", b" "])
    job = job_in(tmp_path / "ray", source)
    check(job)
    assert written(job) == local(tmp_path / "local", source)


def test_counts_alone_need_no_folder(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "rows.jsonl", mixed_rows())
    nothing: dict[str, Any] = dict.fromkeys((*OUTPUTS, "summary"))
    counted = check(job_in(tmp_path / "ray", source, **nothing))
    assert counted.counts == job_in(tmp_path / "local", source, **nothing).run().counts
    assert not list((tmp_path / "ray").iterdir())


def test_only_the_first_rows_must_have_the_keys(tmp_path: Path) -> None:
    rows = [row(id=n, **({"text": "It is."} if n < 200 else {})) for n in range(400)]
    source = write_rows(tmp_path / "rows.jsonl", rows)
    job = job_in(tmp_path / "ray", source, keys=Keys(references="text"))
    check(job)
    assert written(job) == local(tmp_path / "local", source, keys=Keys(references="text"))
    with pytest.raises(DatasetError, match=r"Shard 0 .*No row has the key 'nowhere'"):
        check(job_in(tmp_path / "ray", source, keys=Keys(answer="nowhere"), overwrite=True))


def test_a_node_that_is_taken_away_loses_no_row(tmp_path: Path, cluster: Cluster) -> None:
    notes = dict.fromkeys(range(0, 400, 4), "sleep0.03")
    source = write_rows(tmp_path / "rows.jsonl", mixed_rows(400, notes))
    expected = local(tmp_path / "local", source)
    job = job_in(tmp_path / "ray", source)
    node = cluster.add_node(num_cpus=1)
    counted = threading.Event()

    class Counting(Progress):
        def advanced(self, offset: int, counts: RunCounts) -> None:
            if counts.rows > 100:
                counted.set()

    def take_away() -> None:
        assert counted.wait(60)
        cluster.remove_node(node, allow_graceful=False)

    thread = threading.Thread(target=take_away)
    thread.start()
    check(job, actors=3, shard_bytes=2000, progress=Counting())
    thread.join()
    assert written(job) == expected


def started(arguments: Sequence[object], folder: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        command(*arguments),
        cwd=folder,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def wait_for(pattern: str, folder: Path, count: int, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + 90
    while len(list(folder.glob(pattern))) < count:
        assert process.poll() is None, process.stderr and process.stderr.read()
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM"])
def test_a_driver_that_is_killed_is_continued(tmp_path: Path, name: str) -> None:
    notes = dict.fromkeys(range(0, 3000, 100), "sleep0.1")
    source = write_rows(tmp_path / "rows.jsonl", mixed_rows(3000, notes))
    expected = local(tmp_path / "local", source)
    folder = tmp_path / "ray"
    folder.mkdir()
    outputs = [word for output in OUTPUTS for word in (f"--{output}", output)]
    arguments = ("check", source, "--model", "tests.ray.models:Noted", "--batch", 8, *outputs)
    arguments = (*arguments, "--json", "summary", "--engine", "ray")
    process = started(arguments, folder)
    shards = folder / "clean.partial.shards"
    wait_for("*.record.json", shards, 3, process)
    process.send_signal(signal.Signals[name])
    _, errors = process.communicate(timeout=60)
    assert not (folder / "clean").exists()
    if name == "SIGTERM":
        assert process.returncode == 143
        assert b"--resume" in errors
        return
    kept = {path.name: path.stat().st_mtime_ns for path in shards.glob("*.record.json")}
    refused = run_python(*arguments, cwd=folder)
    assert refused.returncode == 2
    assert b"Continue it with --resume" in refused.stderr
    process = started((*arguments, "--resume"), folder)
    wait_for("*.record.json", shards, len(kept) + 1, process)
    now = {path.name: path.stat().st_mtime_ns for path in shards.glob("*.record.json")}
    assert kept.items() <= now.items()
    process.communicate(timeout=60)
    assert process.returncode == 1
    assert written(job_in(folder, source)) == expected


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs a small disk")
def test_a_full_disk_is_a_mistake_and_the_run_goes_on_when_there_is_room(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "rows.jsonl", mixed_rows(2000))
    expected = local(tmp_path / "local", source)
    folder = tmp_path / "ray"
    folder.mkdir()
    mounted = subprocess.run(
        [MOUNT, "-t", "tmpfs", "-o", "size=700k", "none", str(folder)],
        check=False,
        capture_output=True,
    )
    if mounted.returncode:
        pytest.skip("no file system can be mounted")
    try:
        job = job_in(folder, source)
        with pytest.raises(DatasetError, match=r"Cannot write .*: No space left on device"):
            check(job, shard_bytes=20_000)
        assert not (folder / "clean").exists()
        assert list((folder / "clean.partial.shards").glob("*.record.json"))
        subprocess.run([MOUNT, "-o", "remount,size=8m", str(folder)], check=True)
        check(replace(job, resume=True), shard_bytes=20_000)
        assert written(job) == expected
    finally:
        subprocess.run([UMOUNT, str(folder)], check=True)


def test_a_shard_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "rows.jsonl", mixed_rows())
    job = job_in(tmp_path / "ray", source)

    class Shortens(Progress):
        def started(self, total: int | None, offset: int) -> None:
            os.truncate(source, 20_000)

    with pytest.raises(DatasetError, match=r"Shard \d+ \(.*\): The input has become shorter"):
        check(job, progress=Shortens())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"source": None}, "not standard input"),
        ({"source": Path("/no/such/file")}, "No such file"),
        ({"strict": True}, r"Shard \d+ .*line \d+ is broken: not UTF-8"),
    ],
)
def test_what_cannot_be_done_is_a_mistake(
    tmp_path: Path, options: dict[str, Any], message: str
) -> None:
    source = write_rows(tmp_path / "rows.jsonl", mixed_rows())
    job = job_in(tmp_path / "ray", source)
    with pytest.raises(DatasetError, match=message):
        check(replace(job, **options))


def test_an_interrupted_run_is_not_taken_for_another(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "rows.jsonl", mixed_rows())
    job = job_in(tmp_path / "ray", source)

    class Stops(Progress):
        def advanced(self, offset: int, counts: RunCounts) -> None:
            if counts.rows > 50:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check(job, shard_bytes=2000, progress=Stops())
    for other, message in (
        (job, "Continue it with `resume=True`"),
        (replace(job, resume=True, batch=16), "`batch` was 8 and is 16"),
    ):
        with pytest.raises(DatasetError, match=message):
            check(other, shard_bytes=2000)
    with pytest.raises(DatasetError, match="`engine` was 'ray'"):
        replace(job, resume=True).run()
    assert isinstance(check(replace(job, resume=True), shard_bytes=2000), JobResult)
    assert written(job) == local(tmp_path / "local", source)
