"""`groundtypes check` and `build_dataset` in a cluster: the same outputs, byte for byte."""

import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from groundtypes import dataset
from groundtypes.dataset import BuiltDataset
from groundtypes.dataset.check.job import Job, JobResult, process_batch, read_batches
from groundtypes.dataset.check.row_auditor import ProcessorFactory, RowProcessor
from groundtypes.errors import DatasetError
from groundtypes.integrations.recordings import RecordedCall
from groundtypes.ray.shard_records import ShardProgress, counts_of, output_chunks
from groundtypes.ray.shard_runner import run_shards
from groundtypes.ray.shards import Shard, input_size, line_shards, shard_reader
from groundtypes.ray.worker import ShardPart, ShardRecord
from groundtypes.ray.worker_pool import connected, pool_options
from groundtypes.row_files.counts import Progress, RunCounts
from groundtypes.row_files.files import resolved
from groundtypes.row_files.json_lines import (
    Position,
    input_digest,
)
from groundtypes.row_files.run_files import RunFiles


@dataclass
class LinesWork:
    """Makes the output lines of each line, batch by batch, with the processors of a factory.

    A `strict` run stops at a broken line.
    """

    factory: ProcessorFactory
    outputs: Sequence[str]
    batch: int = 256
    strict: bool = False
    _processor: RowProcessor | None = field(default=None, repr=False)

    def prepare(self) -> None:
        """Make the processor."""
        self._processor = self.factory.processor(self.outputs)

    def process(self, shard: Shard) -> Iterator[ShardPart]:
        """Yield the output lines of each batch, and then the counts."""
        assert self._processor is not None  # noqa: S101 # `prepare` is called first
        outputs = tuple(self.outputs)
        counts = RunCounts()
        with shard_reader(shard) as reader:
            for lines, position in read_batches(reader, self.batch):
                done = process_batch(self._processor, outputs, lines, position)
                counts.merge(done.counts)
                if self.strict and done.broken:
                    number, reason = done.broken[0]
                    raise DatasetError(f"line {number} is broken: {reason}")
                yield ShardPart(done.outputs, broken=done.broken)
        yield ShardPart({}, counts.to_dict())


_SHARDS: Final = ".partial.shards"
#: So many seconds lie between two notes of how long a run has taken.
_NOTE_EVERY: Final = 5.0


def check(
    job: Job,
    *,
    address: str | None = None,
    actors: int | None = None,
    gpus: float = 0.0,
    shard_bytes: int | None = None,
    progress: Progress = Progress(),  # noqa: B008 # without state
) -> JobResult:
    """Process every line of a job in a cluster, write its outputs, and return what was counted.

    The outputs are those of `Job.run`. Every node must see the input and the folder of the first
    output, beside which a folder holds the shards that are done until all are. `workers` of the job
    is not used.

    Args:
        job: What to process and where to write.
        address: That of a cluster, such as "auto"; by default the one that is connected or that
            `RAY_ADDRESS` names, else Ray is started on this machine, and stopped at the end.
        actors: How many workers there are; by default one for each processor.
        gpus: How many GPUs each of them reserves; a part of one is allowed.
        shard_bytes: About how large the part of the input is that a worker processes and that is
            then kept; by default one in 256 of it, between 64 KiB and 32 MiB.
        progress: Receives the counts after each shard, and notes: which workers there are, or why
            nothing happens yet.

    Raises:
        Mistake: As `Job.run`. The message names the shard. What was written stays for `resume`.
    """
    job.check_options()
    if job.source is None:
        raise DatasetError("Workers of Ray read parts of a file, not standard input. Name a file.")
    source = resolved(job.source)
    if _shard_folder(job) in source.parents:
        raise DatasetError(f"The input lies in the folder that the run removes: {source}")
    size = input_size(source)
    identity = {**job.identity(size), "engine": "ray", "batch": job.batch, "shard": shard_bytes}
    files = RunFiles(
        job.outputs,
        identity,
        sources=(source,),
        reports={} if job.summary is None else {"summary": job.summary},
        resume=job.resume,
        overwrite=job.overwrite,
    )
    if not files.checkpoint.finished:
        with files.opened(), _folder(job, files) as folder, connected(address):
            pool = pool_options(actors, gpus=gpus)
            progress.noted(f"Ray: {pool}")
            shards = line_shards(source, batch=job.batch, shard_bytes=shard_bytes)
            run = _Run(files, size, progress)
            records = run_shards(
                shards,
                LinesWork(job.options, tuple(job.outputs), job.batch, job.strict),
                folder,
                pool,
                identity=identity,
                finished=run.finished,
                waiting=progress.noted,
            )
            run.join(records, folder, shards[-1].digest if shards else input_digest(source))
    result = job.publish(files)
    _remove(job)
    return result


class _Run:
    """How far a run has come, in its files and to those who watch it."""

    def __init__(self, files: RunFiles, size: int, progress: Progress) -> None:
        self._files = files
        self._size = size
        self._began = time.monotonic() - files.checkpoint.seconds
        self._noted = 0.0
        self._progress = ShardProgress(progress, size)
        if files.checkpoint.number == 0:
            self._note()

    def finished(self, record: ShardRecord) -> None:
        """Count a shard that is done."""
        self._progress.finished(record)
        if self._files.checkpoint.number == 0 or time.monotonic() > self._noted + _NOTE_EVERY:
            self._note()

    def _note(self) -> None:
        """Note that the run has begun, which is what makes it one that can be continued."""
        self._noted = time.monotonic()
        self._files.checkpoint.seconds = self._noted - self._began
        self._files.commit(Position(0, self._progress.counts.rows, ""))

    def join(self, records: list[ShardRecord], folder: Path, digest: str | None) -> None:
        """Write the outputs: those of the shards, one after the other."""
        for output in self._files.outputs:
            self._files.write(output, output_chunks(records, folder, output))
        counts, checkpoint = counts_of(records), self._files.checkpoint
        checkpoint.counts = counts.to_dict()
        checkpoint.seconds = time.monotonic() - self._began
        self._files.commit(Position(self._size, counts.rows, digest or ""), finished=True)


def _shard_folder(job: Job) -> Path | None:
    """Return the folder of the shards that are done, beside the first output."""
    first = next(iter(job.outputs.values()), None)
    return None if first is None else first.with_name(first.name + _SHARDS)


@contextmanager
def _folder(job: Job, files: RunFiles) -> Iterator[Path]:
    folder = _shard_folder(job)
    if folder is None:  # only counts are wanted, which the driver holds
        with tempfile.TemporaryDirectory(prefix="groundtypes-") as temporary:
            yield Path(temporary)
        return
    if folder.is_symlink():
        raise DatasetError(f"{folder} is a symbolic link, which nothing here makes. Remove it.")
    if files.checkpoint.number == 0:
        shutil.rmtree(folder, ignore_errors=True)
    try:
        yield folder
    except BaseException:
        if files.checkpoint.number == 0:
            shutil.rmtree(folder, ignore_errors=True)
        raise


def _remove(job: Job) -> None:
    folder = _shard_folder(job)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


def build_dataset(
    model: Any,
    source: str | Path | Iterable[RecordedCall | Mapping[str, Any]],
    folder: str | Path,
    *,
    address: str | None = None,
    actors: int | None = None,
    gpus: float = 0.0,
    shard_bytes: int | None = None,
    **options: Any,
) -> BuiltDataset:
    """Write a data set as `groundtypes.dataset.build_dataset` does, with workers of Ray.

    The files are the same, byte for byte. Lines are judged by workers, shard by shard, as by
    `check`; this process then finds duplicates and writes the files. Every node must see `source`
    and `folder`. Questions for an LLM (`ask`) are asked by this process.

    `address`, `actors`, `gpus` and `shard_bytes` are those of `check`, the other options those of
    `groundtypes.dataset.build_dataset`, without `workers`.

    Raises:
        DatasetError: An option, the source or the folder is not what it should be.
        Mistake: As `audit`; the message names the shard.
    """
    if shard_bytes is not None and shard_bytes < 1:
        raise DatasetError("`shard_bytes` must be at least 1")
    judge = partial(check, address=address, actors=actors, gpus=gpus, shard_bytes=shard_bytes)
    return dataset.build_dataset(
        model, source, folder, **options, judge=lambda job, progress: judge(job, progress=progress)
    )
