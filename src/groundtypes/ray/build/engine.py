"""The passes of a build in a cluster."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from groundtypes.dataset.build.examples import ExampleOptions
from groundtypes.dataset.build.formats import ExampleFormatter
from groundtypes.dataset.build.writing import OutputOptions
from groundtypes.errors import DatasetError
from groundtypes.ray.build.components import Plan
from groundtypes.ray.build.rows import ShardedFiles, ShardFiles
from groundtypes.ray.build.stages import Stages
from groundtypes.ray.build.tasks import run_on_cluster
from groundtypes.ray.lines import LinesWork
from groundtypes.ray.pool import connected, pool_options, ray
from groundtypes.ray.records import ShardRecord
from groundtypes.ray.runner import run_shards
from groundtypes.ray.shards import input_size, line_shards
from groundtypes.row_files.counts import RunCounts
from groundtypes.row_files.files import replace_file
from groundtypes.row_files.json_lines import input_digest, json_bytes
from groundtypes.row_files.progress import Progress
from groundtypes.row_files.run_files import read_json

__all__ = ["RayEngine"]

_OUTPUTS: Final = ("clean", "rejected")
_SHARDS: Final = "shards"
#: A task has the shards of so many bytes of examples, and more if there were more tasks than that.
_TASK_BYTES: Final = 8 * 2**20
_MOST_TASKS: Final = 1024
#: Tables are divided into partitions: a few, then one for so many bytes of examples up to many, and
#: then more where each would be of too many bytes; the keys of examples are a tenth of their size.
_FEW_PARTITIONS: Final = 8
_MANY_PARTITIONS: Final = 256
_PARTITION_BYTES: Final = 64 * 2**20
_MOST_PARTITION_BYTES: Final = 4 * 2**30


@dataclass(frozen=True, slots=True, kw_only=True)
class RayEngine:
    """Workers that judge shards, and tasks that make files of the examples.

    Options:
        connection: Holds the connection to the cluster from when it is first needed.
        address: That of the cluster.
        progress: Receives notes of what is done after judging.
        batch: How many lines are judged together.
        actors: How many workers judge; by default one for each processor.
        gpus: How many GPUs each of them reserves.
        shard_bytes: About how large a shard of the input is.
    """

    connection: ExitStack
    address: str | None = None
    progress: Progress = Progress()  # noqa: RUF009 # without state
    batch: int = 256
    actors: int | None = None
    gpus: float = 0.0
    shard_bytes: int | None = None

    def __post_init__(self) -> None:
        if self.batch < 1 or (self.shard_bytes is not None and self.shard_bytes < 1):
            raise DatasetError("`batch` and `shard_bytes` must be at least 1")

    @property
    def identity(self) -> Mapping[str, Any]:
        """The engine: what is in the work folder is of no use to another."""
        return {"engine": "ray"}

    def judge(
        self, examples: ExampleOptions, source: Path | None, work: Path, progress: Progress
    ) -> dict[str, Any]:
        """Have workers judge every shard that an earlier run has not finished.

        Raises:
            Mistake: As `run_shards`.
        """
        if source is None:
            raise DatasetError(
                "Workers of Ray read parts of a file, not standard input. Name a file."
            )
        examples.processor(_OUTPUTS)  # refuses a model before workers are started
        source = source.resolve()
        size = input_size(source)
        self._connect()
        pool = pool_options(self.actors, gpus=self.gpus)
        progress.noted(f"Ray: {pool}")
        shards = line_shards(source, batch=self.batch, shard_bytes=self.shard_bytes)
        digest = ray.remote(input_digest).options(num_cpus=0).remote(source)
        watched = _Watched(progress)
        progress.started(size, 0)
        records = run_shards(
            shards,
            LinesWork(examples, _OUTPUTS, self.batch),
            work / _SHARDS,
            pool,
            identity={"input": str(source), "batch": self.batch, "shard": self.shard_bytes},
            finished=watched.finished,
            waiting=progress.noted,
        )
        counts = RunCounts()
        for record in records:
            for part in record.counts:
                counts.merge(RunCounts.from_dict(part))
        content = asdict(_divided(records, self.shard_bytes or _TASK_BYTES))
        replace_file(work / "tasks.json", json_bytes(content))
        summary = {**counts.to_dict(), "input": {"bytes": size, "blake2b": ray.get(digest)}}
        replace_file(work / "judged.json", json_bytes(summary))
        return summary

    def files(self, work: Path, formatter: ExampleFormatter, output: OutputOptions) -> ShardedFiles:
        """Return what makes the files, in stages of tasks."""
        self._connect()
        folder = work / _SHARDS
        divided = _Divided(**read_json(work / "tasks.json"))
        shards = [
            ShardFiles(*(tuple(folder / name for name in files[output]) for output in _OUTPUTS))
            for files in divided.tasks
        ]
        stages = Stages(work / "stages", run_on_cluster)
        plan = Plan(divided.partitions)
        return ShardedFiles(work, shards, formatter, output, stages, plan, self.progress)

    def _connect(self) -> None:
        """Connect to the cluster, unless it is connected."""
        self.connection.enter_context(connected(self.address))


@dataclass(frozen=True, slots=True)
class _Divided:
    """How the examples are divided: the files of each task, by output, and the partitions."""

    tasks: list[dict[str, list[str]]]
    partitions: int


def _divided(records: Sequence[ShardRecord], least: int) -> _Divided:
    """Put shards together for tasks that have at least so many bytes of examples, if there are."""
    sizes = [sum(file.bytes for file in record.files("clean")) for record in records]
    total = sum(sizes)
    least = max(total // _MOST_TASKS, min(least, _TASK_BYTES))
    # Of an input without a row, there is one task with nothing to do.
    tasks: list[dict[str, list[str]]] = [{output: [] for output in _OUTPUTS}]
    filled = 0
    for record, size in zip(records, sizes, strict=True):
        if filled >= least:
            tasks.append({output: [] for output in _OUTPUTS})
            filled = 0
        for output, names in tasks[-1].items():
            names += [file.name for file in record.files(output)]
        filled += size
    partitions = max(
        _FEW_PARTITIONS,
        min(_MANY_PARTITIONS, total // _PARTITION_BYTES),
        total // _MOST_PARTITION_BYTES,
    )
    return _Divided(tasks, min(partitions, len(tasks)))


@dataclass(slots=True)
class _Watched:
    """Counts the shards that are done, for those who watch the run."""

    progress: Progress
    counts: RunCounts = field(default_factory=RunCounts)
    offset: int = 0

    def finished(self, record: ShardRecord) -> None:
        """Count a shard."""
        for piece in record.pieces:
            for number, reason in piece.broken:
                self.progress.broken(number, reason)
        for counts in record.counts:
            self.counts.merge(RunCounts.from_dict(counts))
        self.offset += record.shard.stop - record.shard.start
        self.progress.advanced(self.offset, self.counts)
