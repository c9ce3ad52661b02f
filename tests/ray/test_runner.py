"""Every shard is processed once, whatever dies; an interrupted run goes on to the same bytes."""

import json
import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ray")

import ray

from groundtypes.errors import DatasetError
from groundtypes.ray.shard_records import output_chunks
from groundtypes.ray.shard_runner import run_shards
from groundtypes.ray.shards import Shard, line_shards
from groundtypes.ray.worker import ShardRecord, Worker
from groundtypes.ray.worker_pool import PoolOptions, connected
from tests.ray.works import Unloadable, UpperCase, shard_lines

pytestmark = [
    pytest.mark.engines,
    pytest.mark.filterwarnings("default"),  # Ray leaves files of its own open
]

POOL = PoolOptions(2, 0.5)
IDENTITY = {"run": "one"}


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        with connected():
            yield
    finally:
        ray.shutdown()


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """A file with blank lines and lines of many lengths."""
    lines = [f"row {number} {'x' * (number % 50)}" for number in range(400)]
    lines[7] = lines[100] = ""
    return write(tmp_path / "rows.jsonl", lines)


def write(path: Path, lines: Sequence[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def shards_of(path: Path, size: int = 500) -> list[Shard]:
    return line_shards(path, batch=4, shard_bytes=size)


def expected(path: Path) -> dict[str, bytes]:
    """Return what one reader of the whole file makes of it."""
    upper, even, offset = [], [], 0
    for number, line in enumerate(path.read_bytes().splitlines(keepends=True), 1):
        if text := line.strip():
            upper.append(b"%d %d %s\n" % (number, offset, text.upper()))
            even += [upper[-1]] if number % 2 == 0 else []
        offset += len(line)
    return {"upper": b"".join(upper), "even": b"".join(even)}


def joined(records: Sequence[ShardRecord], folder: Path) -> dict[str, bytes]:
    return {name: b"".join(output_chunks(records, folder, name)) for name in ("upper", "even")}


def processed(log: Path) -> list[int]:
    return [int(line.split()[0]) for line in log.read_text().splitlines()]


def records_in(folder: Path) -> list[Any]:
    return [json.loads(path.read_bytes()) for path in folder.glob("*.record.json")]


def test_shards_are_the_lines_of_one_reader(rows: Path) -> None:
    shards = shards_of(rows)
    assert len(shards) > 10
    assert all(shard.rows % 4 == 0 for shard in shards[:-1])
    lines = [(line.number, line.offset, line.data) for each in shards for line in shard_lines(each)]
    content = rows.read_bytes()
    assert [number for number, _, _ in lines] == [n for n in range(1, 401) if n not in (8, 101)]
    assert all(content[offset:].startswith(data) for _, offset, data in lines)
    assert sum(shard.rows for shard in shards) == len(lines) == 398


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n\n \n",
        b"\xef\xbb\xbfa\nb",
        b"\n\na\n\nb\n\n",
        b"a\r\nb\r\n",
        b"x" * 3000 + b"\ny",
    ],
    ids=["empty", "blank", "mark", "blank between", "returns", "long"],
)
def test_shards_lose_and_double_nothing(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(content)
    whole = [each for shard in line_shards(path, batch=9) for each in shard_lines(shard)]
    shards = line_shards(path, batch=1, shard_bytes=1)
    assert [line for shard in shards for line in shard_lines(shard)] == whole
    assert all(shard.rows == 1 for shard in shards)
    assert not shards or (shards[0].start == 0 and shards[-1].stop == len(content))


def test_every_shard_is_processed_once(rows: Path, tmp_path: Path) -> None:
    work, shards = UpperCase(tmp_path / "log"), shards_of(rows)
    seen: list[ShardRecord] = []
    folder = tmp_path / "run"
    records = run_shards(shards, work, folder, POOL, identity=IDENTITY, finished=seen.append)
    assert joined(records, folder) == expected(rows)
    assert sorted(processed(work.log)) == list(range(len(shards)))
    assert sorted(record.shard.number for record in seen) == list(range(len(shards)))
    assert sum(counts["rows"] for record in records for counts in record.counts) == 398


def test_a_finished_run_is_not_done_again(rows: Path, tmp_path: Path) -> None:
    work, folder = UpperCase(tmp_path / "log"), tmp_path / "run"
    for _ in range(2):
        records = run_shards(shards_of(rows), work, folder, POOL, identity=IDENTITY)
    assert len(processed(work.log)) == len(records)
    with pytest.raises(DatasetError, match="`run` was 'one' and is 'two'"):
        run_shards(shards_of(rows), work, folder, POOL, identity={"run": "two"})


def test_a_mistake_names_the_shard_and_what_is_done_stays(rows: Path, tmp_path: Path) -> None:
    lines = rows.read_text(encoding="utf-8").splitlines()
    lines[300] = "fail"
    write(rows, lines)
    work, folder = UpperCase(tmp_path / "log"), tmp_path / "run"
    with pytest.raises(DatasetError, match=r"rows from line 2\d\d of .*line 301 fails"):
        run_shards(shards_of(rows), work, folder, POOL, identity=IDENTITY)
    before = [record["shard"]["number"] for record in records_in(folder)]
    assert before
    (tmp_path / "mended").touch()
    work.log.unlink()
    records = run_shards(shards_of(rows), work, folder, POOL, identity=IDENTITY)
    assert joined(records, folder) == expected(rows)
    assert sorted([*before, *processed(work.log)]) == list(range(len(records)))


def test_an_input_that_changed_is_not_gone_on_with(rows: Path, tmp_path: Path) -> None:
    work, folder = UpperCase(tmp_path / "log"), tmp_path / "run"
    run_shards(shards_of(rows), work, folder, POOL, identity=IDENTITY)
    rows.write_bytes(rows.read_bytes().replace(b"row 0", b"new 0"))
    with pytest.raises(DatasetError, match=r"Shard 0 .* is not what the interrupted run has read"):
        run_shards(shards_of(rows), work, folder, POOL, identity=IDENTITY)


def test_an_output_that_is_damaged_is_found_and_made_again(rows: Path, tmp_path: Path) -> None:
    work, folder = UpperCase(tmp_path / "log"), tmp_path / "run"
    records = run_shards(shards_of(rows), work, folder, POOL, identity=IDENTITY)
    file = records[3].files["upper"]
    (folder / file.name).write_bytes(b"?" * file.bytes)
    with pytest.raises(DatasetError, match="its shard is done again"):
        joined(records, folder)
    records = run_shards(shards_of(rows), work, folder, POOL, identity=IDENTITY)
    assert joined(records, folder) == expected(rows)
    assert sorted(processed(work.log)) == sorted([3, *range(len(records))])


def test_a_work_that_cannot_be_loaded_is_a_mistake_before_the_first_shard(
    rows: Path, tmp_path: Path
) -> None:
    for work, message in (
        (Unloadable(), "On node .*there is no such engine here"),
        (Unloadable(exits=True), "3 workers in a row died before they were ready"),
    ):
        with pytest.raises(DatasetError, match=message):
            run_shards(shards_of(rows), work, tmp_path / message[:2], POOL, identity=IDENTITY)


def test_a_shard_that_kills_its_workers_is_named_and_what_is_done_stays(tmp_path: Path) -> None:
    lines = [f"row {number}" for number in range(40)]
    lines[13] = "die"
    rows = write(tmp_path / "rows.jsonl", lines)
    work, folder = UpperCase(tmp_path / "log"), tmp_path / "run"
    with pytest.raises(DatasetError, match=r"Shard \d \(\d+ rows from .* has ended its worker 5"):
        run_shards(shards := shards_of(rows, 80), work, folder, POOL, identity=IDENTITY)
    assert len(records_in(folder)) == len(shards) - 1


def test_workers_killed_twenty_times_at_random_lose_and_double_nothing(
    rows: Path, tmp_path: Path
) -> None:
    shards = shards_of(rows, 300)
    work, folder = UpperCase(tmp_path / "log", sleep=0.03), tmp_path / "run"
    work.log.touch()
    kills = killed_at_random(work.log, 20)
    records = run_shards(shards, work, folder, POOL, identity=IDENTITY)
    assert kills() == 20
    assert joined(records, folder) == expected(rows)
    again = Counter(processed(work.log))
    assert again.keys() == set(range(len(shards)))
    # Each death has one shard done again.
    assert again.total() <= len(shards) + 20


def killed_at_random(log: Path, count: int) -> Callable[[], int]:
    """Kill workers that note their process in a log, and return how to wait for the number."""
    rolled = random.Random(23)
    killed: list[int] = []
    deadline = time.monotonic() + 200

    def kill() -> None:
        while len(killed) < count and time.monotonic() < deadline:
            time.sleep(rolled.uniform(0.05, 0.3))
            alive = [int(line.split()[1]) for line in log.read_text().splitlines()[-2:]]
            for pid in alive[:1] if rolled.random() < 0.5 else alive[-1:]:
                if pid not in killed:
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                        killed.append(pid)

    thread = threading.Thread(target=kill)
    thread.start()

    def wait() -> int:
        thread.join()
        return len(killed)

    return wait


def test_a_run_that_finds_no_room_says_so_and_goes_on_when_there_is(
    rows: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundtypes.ray.shard_runner._PATIENCE", 0.5)
    other = ray.remote(Worker).options(num_cpus=2).remote(b"", tmp_path, "", ())
    ray.get(other.place.remote())
    notes: list[str] = []

    def said(text: str) -> None:
        notes.append(text)
        ray.kill(other)

    shards = shards_of(rows)
    work, folder = UpperCase(tmp_path / "log"), tmp_path / "run"
    pool = PoolOptions(1, 2.0)
    records = run_shards(shards, work, folder, pool, identity=IDENTITY, waiting=said)
    assert joined(records, folder) == expected(rows)
    [note] = notes
    assert note.startswith("No worker has started yet: the run wants 1 worker with 2 processors")
    assert note.endswith("0 processors and 0 GPUs are free.")
