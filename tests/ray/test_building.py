"""A data set made in a cluster has the bytes of one made on one machine, whatever dies."""

import os
import random
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ray")

import ray
from ray.cluster_utils import Cluster

from groundtypes import dataset
from groundtypes.dataset import Progress, RunCounts
from groundtypes.errors import DatasetError
from groundtypes.ray import build_dataset
from tests.command_line import command, environment
from tests.dataset.samples import Answer, call, contents, facts, row, write

pytestmark = pytest.mark.engines

MOUNT, UMOUNT = (shutil.which(name) or "" for name in ("mount", "umount"))
OPTIONS: dict[str, Any] = {"test": 0.3, "formats": ("openai", "jsonl"), "batch": 8}


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


def mixed_rows(count: int) -> list[Any]:
    """Return rows and recorded calls: clean, rejected, broken, repeated, with shared references."""
    generator = random.Random(count)
    rows: list[Any] = []
    for number in range(count):
        kind = generator.random()
        if kind < 0.05:
            rows.append(b"broken \xff" + str(number).encode())
        elif kind < 0.15:
            rows.append(row(number, good=False))
        elif kind < 0.3:
            again = row(generator.randrange(number + 1))
            rows.append({**again, "id": generator.choice([again["id"], f"again-{number}"])})
        elif kind < 0.5:
            recorded = call(number, facts(number, False), facts(number, True)).to_dict()
            rows.append(recorded)
        elif kind < 0.7:
            other = row(generator.randrange(number + 1))["references"]["town"]
            shared = row(number)
            shared["references"]["other"] = other
            rows.append(shared)
        else:
            rows.append(row(number))
    return rows


def source_in(folder: Path, count: int = 300) -> Path:
    return write(folder / "rows.jsonl", mixed_rows(count))


def local(folder: Path, source: Path, **options: Any) -> dict[str, bytes]:
    """Return the files of a data set that is made on one machine."""
    dataset.build_dataset(Answer, source, folder, **{**OPTIONS, **options})
    return contents(folder)


class Notes(Progress):
    """Remembers what it is told."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def noted(self, text: str) -> None:
        self.notes.append(text)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"near_duplicates": None, "test": 0.0, "formats": ("jsonl",)},
        {"policy": "snap", "style": "tools", "seed": 5, "near_duplicates": 0.6},
    ],
    ids=["usual", "equal rows only, no test split", "tools"],
)
def test_the_files_are_those_of_one_machine(tmp_path: Path, options: dict[str, Any]) -> None:
    source = source_in(tmp_path)
    watcher = Notes()
    arguments = {**OPTIONS, **options, "shard_bytes": 9000, "progress": watcher}
    built = build_dataset(Answer, source, tmp_path / "ray", **arguments)
    assert contents(tmp_path / "ray") == local(tmp_path / "local", source, **options)
    assert watcher.notes == ["Ray: 2 workers, each with 1 processor"]
    counts = built.manifest["counts"]
    assert counts["duplicates"] > 10
    assert counts["broken"] > 3
    assert counts["preference train"] > 10
    assert built.manifest["groups"]["largest"] > 2


def test_an_iterable_of_rows_and_an_input_without_a_row(tmp_path: Path) -> None:
    rows = [row(number, good=number % 3 > 0) for number in range(9)]
    build_dataset(Answer, iter(rows), tmp_path / "ray")
    dataset.build_dataset(Answer, rows, tmp_path / "local")
    made, expected = contents(tmp_path / "ray"), contents(tmp_path / "local")
    del made["manifest.json"], expected["manifest.json"]  # it has the type of the iterable
    assert made == expected
    empty = write(tmp_path / "empty.jsonl", [b"", b" "])
    build_dataset(Answer, empty, tmp_path / "none", **OPTIONS)
    assert contents(tmp_path / "none") == local(tmp_path / "local-none", empty)


class StopsAfter(Progress):
    """Stops the run when some rows are judged."""

    def __init__(self, rows: int) -> None:
        self.rows = rows

    def advanced(self, offset: int, counts: RunCounts) -> None:
        if counts.rows > self.rows:
            raise KeyboardInterrupt


def test_an_interrupted_run_is_not_continued_as_another(tmp_path: Path) -> None:
    source = source_in(tmp_path)
    options: dict[str, Any] = {**OPTIONS, "shard_bytes": 9000}
    folder = tmp_path / "ray"
    with pytest.raises(KeyboardInterrupt):
        build_dataset(Answer, source, folder, progress=StopsAfter(50), **options)
    for changed, message in (
        ({}, "Continue it with `resume=True`"),
        ({"resume": True, "policy": "snap"}, "`policy` was 'reject' and is 'snap'"),
        ({"resume": True, "seed": 1}, "`seed` was 0 and is 1"),
        ({"resume": True, "batch": 16}, "`batch` was 8 and is 16"),
    ):
        with pytest.raises(DatasetError, match=message):
            build_dataset(Answer, source, folder, **{**options, **changed})
    with pytest.raises(DatasetError, match="`engine` was 'ray' and is None"):
        dataset.build_dataset(Answer, source, folder, resume=True, **OPTIONS)
    build_dataset(Answer, source, folder, resume=True, **options)
    whole = contents(folder)
    assert whole == local(tmp_path / "local", source)
    again = build_dataset(Answer, source, folder, resume=True, **options)
    assert again.seconds == 0.0  # it was finished
    assert contents(folder) == whole


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs a small disk")
def test_a_disk_that_is_full_after_judging_is_a_mistake_and_the_run_goes_on(
    tmp_path: Path,
) -> None:
    source = source_in(tmp_path)
    expected = local(tmp_path / "local", source)
    folder = tmp_path / "ray"
    folder.mkdir()
    options: dict[str, Any] = {**OPTIONS, "shard_bytes": 40_000}
    size = f"size={4 * source.stat().st_size}"
    mount = [MOUNT, "-t", "tmpfs", "-o", size, "none", str(folder)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("no file system can be mounted")
    try:
        with pytest.raises(DatasetError, match="No space left on device"):
            build_dataset(Answer, source, folder, **options)
        assert (folder / ".groundtypes" / "judged.json").exists()
        subprocess.run([MOUNT, "-o", "remount,size=64m", str(folder)], check=True)
        build_dataset(Answer, source, folder, resume=True, **options)
        assert contents(folder) == expected
    finally:
        subprocess.run([UMOUNT, str(folder)], check=True)


def started(arguments: Sequence[object], folder: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        command(*arguments),
        cwd=folder,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def wait_for(path: Path, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + 90
    while not path.exists():
        assert process.poll() is None, process.stderr and process.stderr.read()
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_driver_that_is_killed_goes_on_and_does_nothing_twice(tmp_path: Path) -> None:
    source = source_in(tmp_path, 700)
    arguments: list[object] = [
        "dataset",
        source,
        "--model",
        "tests.dataset.samples:Answer",
        "--batch",
        8,
    ]
    arguments += ["--output", "out", "--engine", "ray", "--actors", 2]
    work = tmp_path / "out" / ".groundtypes"
    made: dict[str, float] = {}
    for place in ("examples.jsonl.partial.shards/00000000.record.json", "judged.json"):
        process = started((*arguments, "--resume"), tmp_path)
        wait_for(work / place, process)
        process.kill()
        process.communicate(timeout=60)
        assert not (tmp_path / "out" / "manifest.json").exists()
        results = {*work.glob("*.shards/*.record.json"), *work.glob("judged.json")}
        now = {path.relative_to(work).as_posix(): path.stat().st_mtime_ns for path in results}
        assert "judged.json" in now or made.items() <= now.items()
        made |= now
    process = started((*arguments, "--resume"), tmp_path)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    dataset.build_dataset(Answer, source, tmp_path / "local", batch=8)
    assert contents(tmp_path / "out") == contents(tmp_path / "local")


def test_a_node_that_is_taken_away_loses_nothing(tmp_path: Path, cluster: Cluster) -> None:
    source = source_in(tmp_path, 500)
    expected = local(tmp_path / "local", source)
    node = cluster.add_node(num_cpus=2)
    shards = tmp_path / "ray" / ".groundtypes" / "examples.jsonl.partial.shards"

    def take_away() -> None:
        deadline = time.monotonic() + 90
        while not list(shards.glob("*.record.json")) and time.monotonic() < deadline:
            time.sleep(0.01)
        cluster.remove_node(node, allow_graceful=False)

    thread = threading.Thread(target=take_away)
    thread.start()
    build_dataset(Answer, source, tmp_path / "ray", shard_bytes=20_000, **OPTIONS)
    thread.join()
    assert contents(tmp_path / "ray") == expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"source": "-"}, "not standard input"),
        ({"source": "/no/such/file"}, "No such file"),
        ({"batch": 0}, "at least 1"),
        ({"actors": 0}, "at least 1"),
        ({"shard_bytes": 0}, "at least 1"),
    ],
)
def test_what_cannot_be_done_is_a_mistake(
    tmp_path: Path, options: dict[str, Any], message: str
) -> None:
    source = options.pop("source", source_in(tmp_path, 10))
    with pytest.raises(DatasetError, match=message):
        build_dataset(Answer, source, tmp_path / "ray", **options)
