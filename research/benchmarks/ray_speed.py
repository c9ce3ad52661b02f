"""How fast `check` is by Ray, with 1, 2 and 4 workers, against one process and `--workers`.

    python -m benchmarks.ray_speed [--quotes 40000] [--statements 1500] [--rounds 3] [--json FILE]
    python -m benchmarks.ray_speed --only-long [--long 1000000]

All kinds of a check take turns, and medians of the rounds are shown. Each run is a process of its
own that writes the outputs; for Ray it starts a cluster on this machine. `rows/s` is of the time in
which rows are judged, `whole` of everything, with start and end. `start` is the time until Ray is
there, `until the first` what passes from then until the first shard is done, `join` the time from
the last shard to the end. Then come the largest memory of a worker and that of the driver, their
processor time for each row, and that of all other processes of Ray. Processor time is changed
little by other programs. The cost of a checkpoint is the processor time that a sixteenth of the
shards takes less, for each.

`--only-long` checks a million rows of quotes by Ray, and shows the memory of the driver at every
tenth of them.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from benchmarks import machine
from benchmarks.dataset_speed import MODELS, rows
from groundtypes.dataset import CheckOptions, Job, Progress, RunCounts

#: What is compared: the engine, the number of processes or actors, how much larger shards are.
KINDS: Final = {
    "one process": ("local", 1, 1),
    "--workers 2": ("local", 2, 1),
    "1 actor": ("ray", 1, 1),
    "2 actors": ("ray", 2, 1),
    "4 actors": ("ray", 4, 1),
    "2 actors, large shards": ("ray", 2, 16),
}
#: What medians are taken of.
SHOWN: Final = (
    *("rate", "seconds", "start", "first", "join"),
    *("worker", "driver", "shards", "workers", "others", "driver seconds"),
)
_EVERY: Final = 0.2


class Timeline(Progress):
    """Notes when something happens, and the memory of this process at every tenth of the rows."""

    def __init__(self, count: int) -> None:
        self.times: dict[str, float] = {}
        self.tenths: list[tuple[int, float]] = []
        self._count = count
        self.first_rows = 0
        self.last_rows = 0
        self.shards = 0

    def noted(self, text: str) -> None:  # noqa: ARG002 # what it receives
        """Note when the workers were chosen: Ray is there."""
        self.times.setdefault("ready", time.time())

    def advanced(self, offset: int, counts: RunCounts) -> None:  # noqa: ARG002 # the same
        """Note the first and the last rows that were done."""
        now = time.time()
        if "first" not in self.times:
            self.times["first"], self.first_rows = now, counts.rows
        self.times["last"], self.last_rows = now, counts.rows
        self.shards += 1
        if counts.rows * 10 >= self._count * (len(self.tenths) + 1):
            self.tenths.append((counts.rows, mebibytes(os.getpid(), "VmRSS")))

    def rate(self, began: float) -> float:
        """Return how many rows were done in a second, without those that were done first."""
        if self.last_rows == self.first_rows:  # all at once
            return self.last_rows / (self.times["last"] - self.times.get("ready", began))
        rows_between = self.last_rows - self.first_rows
        return rows_between / (self.times["last"] - self.times["first"])


def mebibytes(process: int, field: str) -> float:
    """Return a field of the status of a process, in MiB; 0 if it has ended."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    except OSError:
        return 0.0
    lines = (line for line in status.splitlines() if line.startswith(f"{field}:"))
    return sum(int(line.split()[1]) for line in lines) / 1024


class Watcher:
    """Watches the processes that a run has started, until they have ended."""

    def __init__(self, driver: int) -> None:
        self._driver = driver
        kinds = ("driver seconds", "workers", "others")
        self._seconds: dict[str, dict[int, float]] = {kind: {} for kind in kinds}
        self.largest_worker = 0.0

    def look(self) -> None:
        """Note the processor time of each process, and the largest memory of a worker."""
        for folder in Path("/proc").glob("[0-9]*"):
            number = int(folder.name)
            try:
                if number != self._driver and self._driver not in _ancestors(number):
                    continue
                command = (folder / "cmdline").read_bytes()
                # Those of Ray, and of `--workers`.
                is_worker = command.startswith(b"ray::Worker") or b"spawn_main" in command
                fields = (folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            except OSError:
                continue
            seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            is_driver = number == self._driver
            kind = "driver seconds" if is_driver else "workers" if is_worker else "others"
            self._seconds[kind][number] = seconds
            if is_worker:
                self.largest_worker = max(self.largest_worker, mebibytes(number, "VmHWM"))

    @property
    def seconds(self) -> dict[str, float]:
        """The processor time of the driver, of the workers, and of all others."""
        return {kind: sum(processes.values()) for kind, processes in self._seconds.items()}


def _ancestors(process: int) -> Iterator[int]:
    while process > 1:
        status = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
        process = int(status.rpartition(")")[2].split()[1])
        yield process


def measure(kind: str, checks: str, path: Path, count: int, largest_shard: int | None) -> None:
    """Check all rows in this process, and print what was measured."""
    began = time.time()
    engine, number, larger = KINDS[kind]
    timeline = Timeline(count)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        job = Job(
            options=CheckOptions(MODELS[checks], f"benchmarks.dataset_speed:{checks}"),
            source=path,
            clean=Path(folder) / "clean.jsonl",
            rejected=Path(folder) / "rejected.jsonl",
            workers=number if engine == "local" else 1,
        )
        if engine == "local":
            done = job.run(timeline)
        else:
            from groundtypes.ray import check  # noqa: PLC0415 # not for one machine

            size = path.stat().st_size
            shard = largest_shard or max(2**16, size // 256)
            done = check(job, actors=number, shard_bytes=shard * larger, progress=timeline)
    assert done.counts.rows == count
    assert done.counts.broken == 0
    ended = time.time()
    times = timeline.times
    measured = {
        "seconds": ended - began,
        "rate": timeline.rate(began),
        "start": times.get("ready", began) - began,
        "first": times["first"] - times.get("ready", began),
        "join": ended - times["last"],
        "shards": timeline.shards,
        "driver": mebibytes(os.getpid(), "VmHWM"),
        "tenths": timeline.tenths,
    }
    print(json.dumps(measured))


def measure_in_process(
    kind: str, checks: str, path: Path, count: int, largest_shard: int | None = None
) -> dict[str, Any]:
    """Measure in a process of its own, and its workers from outside."""
    command = [sys.executable, "-m", "benchmarks.ray_speed", "--measure", kind]
    command += ["--checks", checks, "--path", str(path), "--count", str(count)]
    command += [] if largest_shard is None else ["--shard", str(largest_shard)]
    stopped = threading.Event()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        watcher = Watcher(process.pid)

        def watch() -> None:
            while not stopped.wait(_EVERY):
                watcher.look()

        thread = threading.Thread(target=watch)
        thread.start()
        try:
            printed, _ = process.communicate()
        finally:
            stopped.set()
            thread.join()
    if process.returncode:
        raise SystemExit(f"{kind} of {checks} failed")
    measured: dict[str, Any] = json.loads(printed.splitlines()[-1])
    measured |= {"worker": watcher.largest_worker, **watcher.seconds}
    return {**measured, "kind": kind, "checks": checks, "rows": count}


def _write(path: Path, checks: str, count: int) -> Path:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows(checks, count))
    return path


def compare(checks: str, count: int, rounds: int, scratch: Path) -> Iterator[dict[str, Any]]:
    """Yield the medians of each kind, and print them."""
    path = _write(scratch / f"{checks}.jsonl", checks, count)
    found: dict[str, list[dict[str, Any]]] = {kind: [] for kind in KINDS}
    for _ in range(rounds):
        for kind, runs in found.items():
            runs.append(measure_in_process(kind, checks, path, count))
    print(f"\n{checks}, {count:,} rows\n")
    headings = ["", "rows/s", "of one actor", "whole", "start", "until the first", "join"]
    headings += ["worker", "driver", "workers", "driver", "Ray itself"]
    print(f"| {' | '.join(headings)} |")
    print("|---" * len(headings) + "|")
    medians = {}
    for kind, runs in found.items():
        medians[kind] = {name: statistics.median(run[name] for run in runs) for name in SHOWN}
    for kind, median in medians.items():
        share = median["rate"] / medians["1 actor"]["rate"]
        print(
            f"| {kind} | {median['rate']:,.0f} | {share:.2f} | {count / median['seconds']:,.0f} "
            f"| {median['start']:.1f} s | {median['first']:.1f} s | {median['join']:.1f} s "
            f"| {median['worker']:.0f} MiB | {median['driver']:.0f} MiB "
            f"| {median['workers'] / count * 1e3:.2f} ms "
            f"| {median['driver seconds'] / count * 1e3:.2f} ms | {median['others']:.1f} s |"
        )
        yield {"kind": kind, "checks": checks, "rows": count, **median}
    many, few = medians["2 actors"], medians["2 actors, large shards"]
    more = many["workers"] + many["driver seconds"] - few["workers"] - few["driver seconds"]
    cost = more / max(1, many["shards"] - few["shards"])
    print(f"\nA shard costs {cost * 1e3:.1f} ms of a processor; there are {many['shards']:.0f}.")
    print(f"With {few['shards']:.0f} shards, the join takes {few['join']:.1f} s.", flush=True)


def long_run(count: int, scratch: Path) -> dict[str, Any]:
    """Check many rows by Ray, and print the memory of the driver on the way."""
    path = _write(scratch / "long.jsonl", "quotes", count)
    size = path.stat().st_size
    found = measure_in_process("2 actors", "quotes", path, count, max(2**16, size // 256))
    print(
        f"\n{count:,} rows of quotes ({size / 2**20:,.0f} MiB), 2 actors, {found['shards']} shards"
    )
    print(f"{found['seconds']:,.0f} s, {found['rate']:,.0f} rows/s while rows are judged")
    print(f"join {found['join']:.1f} s; worker {found['worker']:.0f} MiB")
    tenths = ", ".join(f"{memory:.0f}" for _, memory in found["tenths"])
    print(f"memory of the driver at each tenth: {tenths} MiB")
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quotes", type=int, default=40_000)
    parser.add_argument("--statements", type=int, default=1_500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--long", type=int, default=1_000_000)
    parser.add_argument("--only-long", action="store_true")
    parser.add_argument("--folder", type=Path, help="Where to write; it needs room.")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--measure", choices=list(KINDS), help=argparse.SUPPRESS)
    parser.add_argument("--checks", choices=list(MODELS), help=argparse.SUPPRESS)
    parser.add_argument("--path", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--count", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--shard", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure is not None:
        measure(options.measure, options.checks, options.path, options.count, options.shard)
        return
    described = machine.describe(["ray", "onnxruntime"])
    print(machine.show(described))
    load = os.getloadavg()[0]
    print(f"Processes that ran beside it when it started: {load:.1f}", flush=True)
    with tempfile.TemporaryDirectory(dir=options.folder) as scratch:
        if options.only_long:
            report = [long_run(options.long, Path(scratch))]
        else:
            counts = {"quotes": options.quotes, "nli": options.statements}
            report = [
                run
                for checks, count in counts.items()
                if count
                for run in compare(checks, count, options.rounds, Path(scratch))
            ]
    if options.json:
        text = json.dumps({"machine": described, "load": load, "runs": report}, indent=1)
        options.json.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
