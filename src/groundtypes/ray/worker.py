"""What runs in a worker: it processes shards, and writes what becomes of them to files."""

import hashlib
import math
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from groundtypes.errors import Mistake
from groundtypes.ray.shards import Shard
from groundtypes.ray.worker_pool import ray
from groundtypes.row_files.files import file_errors
from groundtypes.text.message_excerpts import clip

#: The file of a run by which a worker knows that it sees the folder.
RUN_FILE: Final = "run.json"
#: How many broken lines of a shard are reported one by one.
_BROKEN_REPORTED: Final = 20


@dataclass(frozen=True, slots=True)
class ShardPart:
    """What became of some rows of a shard, in order.

    `outputs` has bytes for each output, by name; they are written one after the other. `counts`
    are data as JSON has them. `broken` are numbers of broken lines with their reasons.
    """

    outputs: Mapping[str, Iterable[bytes]]
    counts: Mapping[str, Any] = field(default_factory=dict)
    broken: Sequence[tuple[int, str]] = ()


class ShardWork(Protocol):
    """What is done with each shard; it is sent to the workers, and so must be picklable."""

    @property
    def outputs(self) -> Sequence[str]:
        """The names of the files that are written for each shard."""
        ...

    def prepare(self) -> None:
        """Load what every shard needs, such as the model; called once in each worker."""
        ...

    def process(self, shard: Shard) -> Iterator[ShardPart]:
        """Yield what became of the rows of a shard; equal bytes whenever it is done again."""
        ...


class StoredFile(NamedTuple):
    """An output file of a shard: its name in the folder, its size and its hash (BLAKE2b)."""

    name: str
    bytes: int
    blake2b: str


@dataclass(frozen=True, slots=True)
class ShardRecord:
    """A shard that was processed.

    `files` are its outputs by name, `counts` those of its parts in order, and `broken` some of its
    broken lines.
    """

    shard: Shard
    files: Mapping[str, StoredFile]
    counts: Sequence[Mapping[str, Any]]
    broken: Sequence[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Failure:
    """A mistake that a worker reports: text, because not every exception can be sent."""

    reason: str


class Worker:
    """An actor: it processes one shard at a time."""

    def __init__(self, work: bytes, folder: Path, token: str, paths: Sequence[str]) -> None:
        self._pickled = work
        self._folder = folder
        self._token = token
        self._paths = paths
        self._work: ShardWork

    def place(self) -> str:
        """Return the id of the node that the worker runs on."""
        return str(ray.get_runtime_context().get_node_id())

    def start(self, first_core: float, cpus: float) -> Failure | None:
        """Load what the work needs, with its own processor cores to compute on.

        A mistake that concerns every shard is found here, before the first one is read.
        """
        _use_cores(first_core, cpus)
        node = f"node {ray.util.get_node_ip_address()}"
        for path in self._paths:  # where modules beside the program are found, if they are here
            if path not in sys.path and Path(path).is_dir():
                sys.path.append(path)
        try:
            self._work = ray.cloudpickle.loads(self._pickled)
        except Exception as error:  # noqa: BLE001 # importing a module of the user's may raise anything
            return Failure(
                f"What is to be done cannot be loaded on {node}: {type(error).__name__}: "
                f"{clip(str(error), 300)}. The modules that the model needs must be importable "
                "there."
            )
        try:
            self._work.prepare()
        except Exception as error:  # noqa: BLE001 # the same
            return Failure(f"On {node}: {_reason(error)}")
        run = self._folder / RUN_FILE
        if self._work.outputs and not (run.is_file() and self._token in run.read_text("utf-8")):
            return Failure(
                f"The folder {self._folder} is not the same on {node}. Name one that all nodes "
                "share."
            )
        return None

    def run(self, shard: Shard, number: int) -> ShardRecord | Failure:
        """Process a shard; `number` is that of the attempt."""
        prefix = f"{shard.number:08d}.{self._token}.{number}"
        outputs: dict[str, _Output] = {}
        counts: list[Mapping[str, Any]] = []
        broken: list[tuple[int, str]] = []
        try:
            for name in self._work.outputs:
                outputs[name] = _Output(self._folder / f"{prefix}.{name}")
            for part in self._work.process(shard):
                for name, contents in part.outputs.items():
                    outputs[name].write(contents)
                broken += part.broken[: max(0, _BROKEN_REPORTED - len(broken))]
                if part.counts:
                    counts.append(part.counts)
            files = {name: output.finish() for name, output in outputs.items()}
        except Exception as error:  # noqa: BLE001 # a model of the user's may raise anything
            for output in outputs.values():
                output.discard()
            return Failure(f"{shard}: {_reason(error)}")
        return ShardRecord(shard, files, counts, broken)


class _Output:
    """An output file of one attempt, which has a name of its own."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._size = 0
        self._hash = hashlib.blake2b(digest_size=16)
        with file_errors(f"write {path}"):
            self._file = path.open("xb", buffering=2**20)

    def write(self, contents: Iterable[bytes]) -> None:
        with file_errors(f"write {self._path}"):
            for content in contents:
                self._file.write(content)
                self._hash.update(content)
                self._size += len(content)

    def finish(self) -> StoredFile:
        with file_errors(f"write {self._path}"), self._file as file:
            file.flush()
            os.fsync(file.fileno())
        return StoredFile(self._path.name, self._size, self._hash.hexdigest())

    def discard(self) -> None:
        with suppress(OSError):  # what a full disk has refused is refused again
            self._file.close()
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


def _use_cores(first: float, count: float) -> None:
    """Have this process compute on cores of its own, as engines start a thread for each."""
    if count and hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        first_core = int(first) % len(cores)
        turned = cores[first_core:] + cores[:first_core]
        os.sched_setaffinity(0, turned[: math.ceil(count)])


def _reason(error: Exception) -> str:
    if isinstance(error, Mistake):
        return clip(" ".join([str(error), *getattr(error, "__notes__", ())]), 500)
    return f"{type(error).__name__}: {clip(str(error), 300)}"
