"""Shards of Parquet files and of JSON Lines as tables whose columns have the same types."""

import glob
import io
import itertools
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

import pyarrow as pa

from groundtypes.errors import DatasetError
from groundtypes.ray.shards import Shard, line_shards, range_bytes, results
from groundtypes.ray.worker_pool import ray
from groundtypes.row_files.files import file_errors
from groundtypes.text.message_excerpts import clip

_SUFFIXES: Final = (".parquet", ".jsonl", ".json", ".ndjson")
#: A row group is read again for each shard that has rows of it; it has at most so many.
_SHARDS_OF_A_GROUP: Final = 8
_SMALLEST: Final = 2**20
_LARGEST: Final = 64 * 2**20
_SHARDS: Final = 256


class TablePlan(NamedTuple):
    """The shards of the input files, and the columns that all of them have."""

    shards: list[Shard]
    schema: pa.Schema


class _Footer(NamedTuple):
    """What the end of a Parquet file says."""

    rows: int
    bytes: int
    largest_group: int
    schema: pa.Schema


def input_files(source: str | Path | Iterable[str | Path]) -> list[str]:
    """Return the files that a path, a folder, a pattern or several of these name, in order."""
    named = [source] if isinstance(source, str | Path) else list(source)
    files: list[str] = []
    for name in map(str, named):
        if Path(name).is_dir():
            found = [str(path) for path in Path(name).rglob("*") if path.suffix in _SUFFIXES]
        else:
            found = [name] if Path(name).exists() else glob.glob(name)  # noqa: PTH207 # from any folder
        if not found:
            raise DatasetError(f"There is no file {clip(name, 200)}")
        files += sorted(found)
    kinds = {Path(file).suffix == ".parquet" for file in files}
    if len(kinds) > 1 or not all(file.endswith(_SUFFIXES) for file in files):
        raise DatasetError(
            "The input is either Parquet (.parquet) or JSON Lines (.jsonl, .ndjson or .json), but "
            f"it has {', '.join(sorted({Path(file).suffix or file for file in files}))}"
        )
    return [str(Path(file).resolve()) for file in files]


def plan_tables(files: Sequence[str], *, batch: int, shard_bytes: int | None = None) -> TablePlan:
    """Return the shards of the files and their common schema; Ray tasks read what is needed.

    A column that is null in a whole file takes the type that it has in others, and integers become
    floating point numbers where others are.
    """
    is_parquet = files[0].endswith(".parquet")
    if is_parquet:
        read = ray.remote(_footer).options(num_cpus=0)
        footers: list[_Footer] = results([read.remote(file) for file in files])
        shards = list(_parquet_shards(files, footers, batch, shard_bytes))
        schemas = [(file, footer.schema) for file, footer in zip(files, footers, strict=True)]
    else:
        cut = (line_shards(Path(file), batch=batch, shard_bytes=shard_bytes) for file in files)
        shards = list(itertools.chain.from_iterable(cut))
        shards = [replace(shard, number=number) for number, shard in enumerate(shards)]
        infer = ray.remote(_inferred).options(num_cpus=0)
        inferred: list[pa.Schema] = results([infer.remote(shard) for shard in shards])
        schemas = list(zip(map(str, shards), inferred, strict=True))
    return TablePlan(shards, _common(schemas, may_lack=not is_parquet))


def read_table(shard: Shard, schema: pa.Schema) -> pa.Table:
    """Return the rows of a shard, with the types of a schema."""
    if not shard.is_parquet:
        return _json_table(shard, schema)
    table = _parquet_rows(shard)
    try:
        return table.select(schema.names).cast(schema)
    except (pa.ArrowException, KeyError) as error:
        raise DatasetError(f"{shard.path} has changed since the run began: {error}") from error


# --- Parquet --------------------------------------------------------------------------------


def _footer(path: str) -> _Footer | DatasetError:
    from pyarrow import parquet  # noqa: PLC0415 # not needed for JSON Lines

    try:
        with _parquet_errors(path), parquet.ParquetFile(path) as file:
            groups = [file.metadata.row_group(n) for n in range(file.metadata.num_row_groups)]
            return _Footer(
                file.metadata.num_rows,
                sum(group.total_byte_size for group in groups),
                max((group.num_rows for group in groups), default=0),
                file.schema_arrow.remove_metadata(),
            )
    except DatasetError as error:
        return error


@contextmanager
def _parquet_errors(path: str) -> Iterator[None]:
    try:
        with file_errors(f"read {path}"):
            try:
                yield
            except OSError as error:
                if error.errno is not None:
                    raise
                raise ValueError(str(error)) from error  # what pyarrow could not decompress
    except (pa.ArrowException, ValueError) as error:
        raise DatasetError(f"{path} is not readable as Parquet: {clip(str(error), 300)}") from error


def _parquet_shards(
    files: Sequence[str], footers: Sequence[_Footer], batch: int, shard_bytes: int | None
) -> Iterator[Shard]:
    size = sum(footer.bytes for footer in footers)
    rows = sum(footer.rows for footer in footers)
    if shard_bytes is None:
        shard_bytes = min(_LARGEST, max(_SMALLEST, size // _SHARDS))
    numbers = itertools.count()
    for file, footer in zip(files, footers, strict=True):
        wanted = max(shard_bytes * rows / max(1, size), footer.largest_group / _SHARDS_OF_A_GROUP)
        every = batch * max(1, round(wanted / batch))
        for start in range(0, footer.rows, every):
            stop = min(footer.rows, start + every)
            yield Shard(next(numbers), file, start, stop, start + 1, stop - start)


def _parquet_rows(shard: Shard) -> pa.Table:
    from pyarrow import parquet  # noqa: PLC0415 # not needed for JSON Lines

    with _parquet_errors(shard.path), parquet.ParquetFile(shard.path) as file:
        counts = [
            file.metadata.row_group(number).num_rows
            for number in range(file.metadata.num_row_groups)
        ]
        starts = list(itertools.accumulate(counts, initial=0))
        groups = [
            number
            for number, count in enumerate(counts)
            if starts[number] < shard.stop and starts[number] + count > shard.start
        ]
        if not groups:
            raise ValueError("it has fewer rows than when the run began")
        return file.read_row_groups(groups).slice(shard.start - starts[groups[0]], shard.rows)


# --- JSON Lines -----------------------------------------------------------------------------


def _inferred(shard: Shard) -> pa.Schema | DatasetError:
    try:
        return _json_table(shard, None).schema
    except DatasetError as error:
        return DatasetError(f"{shard}: {error}")


def _json_table(shard: Shard, schema: pa.Schema | None) -> pa.Table:
    from pyarrow import json  # noqa: PLC0415 # not needed for Parquet

    data = range_bytes(shard)
    options = json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="infer")
    reading = json.ReadOptions(block_size=max(2**20, len(data) + 1), use_threads=False)
    try:
        table = json.read_json(io.BytesIO(data), reading, options)
    except (pa.ArrowException, ValueError) as error:
        raise DatasetError(
            f"not readable as JSON Lines (rows are counted from 0 in the shard): "
            f"{clip(str(error), 300)}"
        ) from error
    if table.num_rows != shard.rows:
        raise DatasetError(f"{shard.rows} lines hold {table.num_rows} objects")
    if schema is None:
        # Text that looks like a time stays text.
        fields = [
            field.with_type(pa.string()) if pa.types.is_timestamp(field.type) else field
            for field in table.schema
        ]
        return pa.schema(fields).empty_table()
    return table.select(schema.names)


# --- schemas --------------------------------------------------------------------------------


def _common(schemas: Sequence[tuple[str, pa.Schema]], *, may_lack: bool) -> pa.Schema:
    """Return the schema that all parts can be read with."""
    if not schemas:
        return pa.schema([])
    fields: dict[str, tuple[str, pa.Field]] = {}
    for place, schema in schemas:
        for field in schema:
            if field.name not in fields:
                fields[field.name] = (place, field)
                continue
            first, known = fields[field.name]
            fields[field.name] = (first, _promoted(known, field, first, place))
    if not may_lack:
        for place, schema in schemas:
            for name, (first, _) in fields.items():
                if name not in schema.names:
                    raise DatasetError(
                        f"There is no column {clip(repr(name), 40)} in {place}, but in {first}."
                    )
    return pa.schema([field.with_nullable(True) for _, field in fields.values()])


def _promoted(known: pa.Field, field: pa.Field, first: str, place: str) -> pa.Field:
    if known.type == field.type:
        return known
    try:
        [merged] = pa.unify_schemas(
            [pa.schema([known]), pa.schema([field])], promote_options="permissive"
        )
    except pa.ArrowException as error:
        raise DatasetError(
            f"The column {clip(repr(field.name), 40)} is {clip(str(known.type), 100)} in {first}, "
            f"and {clip(str(field.type), 100)} in {place}."
        ) from error
    return merged
