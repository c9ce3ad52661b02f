"""`audit`: the columns of `AuditRows` for a data set of Ray, or for files, with checkpoints."""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from groundtypes.batch import AuditRows
from groundtypes.errors import ContextError
from groundtypes.judges import Judges
from groundtypes.ray.shard_records import ShardProgress
from groundtypes.ray.shard_runner import run_shards
from groundtypes.ray.shards import Shard
from groundtypes.ray.table_shards import input_files, plan_tables, read_table
from groundtypes.ray.worker import ShardPart
from groundtypes.ray.worker_pool import connect, pool_options, ray
from groundtypes.row_files.counts import Progress

_LOGGER: Final = logging.getLogger(__name__)
_OUTPUT: Final = "parquet"


def audit(
    ds: Any,
    model: Any,
    *,
    answer: str | None = None,
    references: str | None = None,
    question: str | None = None,
    keep: Sequence[str] | None = None,
    judges: Judges | Callable[[], Judges] | str | None = None,
    prefix: str = "",
    batch: int = 1024,
    checkpoint: str | Path | None = None,
    actors: int | None = None,
    gpus: float = 0.0,
    shard_bytes: int | None = None,
    progress: Progress = Progress(),  # noqa: B008 # without state
) -> Any:
    """Return a data set of Ray with the columns of the verdicts, as `AuditRows` adds them.

    Without a `checkpoint` it is lazy: rows are judged when they are read, by a pool of workers that
    leaves a processor for reading. With one, which needs files of Parquet, all rows are judged now;
    each shard that is done is kept in that folder, and the same call goes on where it was stopped.
    The data set that is returned reads from the folder.

    Examples:
        >>> audited = audit("rows.parquet", "answers:Answer", answer="reply")  # doctest: +SKIP
        >>> audited.filter(expr="not ok").take(3)  # doctest: +SKIP

    Options:
        ds: A `ray.data.Dataset`, or files of Parquet or JSON Lines: a path, a folder, a pattern, or
            a list of them.
        model: As of `AuditRows`, and so are `answer`, `references`, `question`, `keep`, `judges`,
            `prefix` and `batch`.
        checkpoint: The folder of what is done; all nodes must see it, and the input.
        actors: How many workers there are; by default one for each processor that is free for them.
        gpus: How many GPUs each of them reserves; a part of one is allowed.
        shard_bytes: About how large the part of the input is that is kept when it is done.
        progress: Receives the counts after each shard, where there is a checkpoint.

    Raises:
        DatasetError: A column is missing in a file or has a type that cannot be read, columns
            differ between files, the model cannot be imported here or on a worker, or a file cannot
            be read or written. The message names the column, the file and the shard.
        ContextError: An option is invalid.
    """
    rows = AuditRows(
        model,
        answer=answer,
        references=references,
        question=question,
        keep=keep,
        judges=judges,
        prefix=prefix,
        batch=batch,
    )
    if not ray.is_initialized():
        connect()
    if checkpoint is None:
        return _lazy(ds, rows, batch, actors, gpus)
    if not isinstance(ds, str | Path | list | tuple):
        raise ContextError(
            "checkpoint= needs files as input: a path, a folder, a pattern, or a list of them"
        )
    files = input_files(ds)
    if not files[0].endswith(".parquet"):
        raise ContextError(
            "checkpoint= needs files of Parquet. Rows of JSON Lines are checked, and kept shard by "
            "shard, by `groundtypes.ray.check`."
        )
    plan = plan_tables(files, batch=batch, shard_bytes=shard_bytes)
    rows.check_schema(plan.schema)
    pool = pool_options(actors, gpus=gpus)
    progress.noted(f"Ray: {pool}")
    records = run_shards(
        plan.shards,
        _AuditWork(rows, plan.schema.serialize().to_pybytes()),
        Path(checkpoint),
        pool,
        identity=_identity(rows, files, plan.schema),
        finished=ShardProgress(
            progress, sum(each.stop - each.start for each in plan.shards)
        ).finished,
        waiting=progress.noted,
    )
    folder = Path(checkpoint).resolve()
    kept = [str(folder / record.files[_OUTPUT].name) for record in records]
    if not kept:
        return ray.data.from_arrow(rows.output_schema(plan.schema).empty_table())
    # Not by `read_parquet`, whose threads at times break each other's imports.
    return ray.data.from_items(kept).map_batches(_read_files, batch_size=1)


def _lazy(ds: Any, rows: AuditRows, batch: int, actors: int | None, gpus: float) -> Any:
    if isinstance(ds, str | Path | list | tuple):
        files = input_files(ds)
        is_parquet = files[0].endswith(".parquet")
        ds = ray.data.read_parquet(files) if is_parquet else ray.data.read_json(files)
    schema = getattr(ds.schema(), "base_schema", None)
    if isinstance(schema, pa.Schema):
        rows.check_schema(schema)
    pool = pool_options(actors, gpus=gpus, reading=True)
    _LOGGER.info("%s", pool)
    return ds.map_batches(
        _Auditor,
        fn_constructor_args=(rows,),
        batch_format="pyarrow",
        batch_size=batch,
        compute=ray.data.ActorPoolStrategy(size=pool.actors),
        num_cpus=pool.cpus,
        num_gpus=pool.gpus or None,
    )


def _read_files(files: dict[str, Any]) -> pa.Table:
    """Return the rows of files that workers have written."""
    from pyarrow import parquet  # noqa: PLC0415 # in the worker only

    return pa.concat_tables(parquet.ParquetFile(path).read() for path in files["item"])


class _Auditor:
    """What an actor of Ray Data holds: it loads engines once."""

    def __init__(self, rows: AuditRows) -> None:
        self._rows = rows

    def __call__(self, table: pa.Table) -> pa.Table:
        return self._rows(table)


@dataclass(frozen=True)
class _AuditWork:
    """Audits shards of tables, and writes each of them as a Parquet file."""

    rows: AuditRows
    schema: bytes
    outputs: tuple[str, ...] = (_OUTPUT,)

    def prepare(self) -> None:
        """Import the model, which a worker may not have."""
        self.rows.check_schema(self._columns)

    @property
    def _columns(self) -> pa.Schema:
        return pa.ipc.read_schema(pa.py_buffer(self.schema))

    def process(self, shard: Shard) -> Iterator[ShardPart]:
        """Yield the audited rows as a Parquet file, and their counts."""
        from pyarrow import parquet  # noqa: PLC0415 # in the worker only

        table = self.rows(read_table(shard, self._columns))
        sink = pa.BufferOutputStream()
        parquet.write_table(table, sink)
        names = self.rows.verdict_schema.names
        ok = table.column(names[0]).to_pylist()
        errors = table.num_rows - table.column(names[-2]).null_count
        clean = sum(ok)
        counts = {
            "rows": len(ok),
            "clean": clean,
            "rejected": len(ok) - clean - errors,
            "unjudged": errors,
        }
        yield ShardPart({_OUTPUT: [sink.getvalue().to_pybytes()]}, counts)


def _identity(rows: AuditRows, files: Sequence[str], schema: pa.Schema) -> dict[str, Any]:
    return {"audit": rows.identity, "files": list(files), "columns": schema.to_string()}
