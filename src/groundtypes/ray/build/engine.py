"""The passes of a build in a cluster."""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
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
#: The shards of a data set are given to so many partitions, at most.
_MOST_PARTITIONS: Final = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class RayEngine:
    """Workers that judge shards, and tasks that make files of the examples.

    Options:
        connection: Holds the connection to the cluster from when it is first needed.
        address: That of the cluster.
        batch: How many lines are judged together.
        actors: How many workers judge; by default one for each processor.
        gpus: How many GPUs each of them reserves.
        shard_bytes: About how large a shard of the input is.
    """

    connection: ExitStack
    address: str | None = None
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
        files = [
            {output: [file.name for file in record.files(output)] for output in _OUTPUTS}
            for record in records
        ]
        replace_file(work / "shards.json", json_bytes({"shards": files}))
        summary = {**counts.to_dict(), "input": {"bytes": size, "blake2b": ray.get(digest)}}
        replace_file(work / "judged.json", json_bytes(summary))
        return summary

    def files(self, work: Path, formatter: ExampleFormatter, output: OutputOptions) -> ShardedFiles:
        """Return what makes the files, in stages of tasks."""
        self._connect()
        folder = work / _SHARDS
        names = read_json(work / "shards.json")["shards"]
        shards = [
            ShardFiles(*(tuple(folder / name for name in files[output]) for output in _OUTPUTS))
            for files in names
        ]
        # An input without a row has no shard.
        shards = shards or [ShardFiles((), ())]
        plan = Plan(min(len(shards), _MOST_PARTITIONS))
        stages = Stages(work / "stages", run_on_cluster)
        return ShardedFiles(work, shards, formatter, output, stages, plan)

    def _connect(self) -> None:
        """Connect to the cluster, unless it is connected."""
        self.connection.enter_context(connected(self.address))


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
