"""Shards of Parquet files, as tables whose columns have the same types."""

import glob
import hashlib
import itertools
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import pyarrow as pa

from groundtypes.errors import DatasetError
from groundtypes.ray.shards import Shard
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
    """What the end of a Parquet file says, and its hash."""

    rows: int
    bytes: int
    largest_group: int
    schema: pa.Schema
    digest: str


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
    """Return the shards of Parquet files and their common schema.

    A column that is null in a whole file takes the type that it has in others, and integers become
    floating point numbers where others are.
    """
    footers = [_footer(file) for file in files]
    shards = list(_shards(files, footers, batch, shard_bytes))
    schemas = [(file, footer.schema) for file, footer in zip(files, footers, strict=True)]
    return TablePlan(shards, _common(schemas))


def read_table(shard: Shard, schema: pa.Schema) -> pa.Table:
    """Return the rows of a shard, with the types of a schema."""
    table = _rows(shard)
    try:
        return table.select(schema.names).cast(schema)
    except (pa.ArrowException, KeyError) as error:
        raise DatasetError(f"{shard.path} has changed since the run began: {error}") from error


def _footer(path: str) -> _Footer:
    from pyarrow import parquet  # noqa: PLC0415 # the package can be imported without

    with _parquet_errors(path), parquet.ParquetFile(path) as file:
        groups = [file.metadata.row_group(n) for n in range(file.metadata.num_row_groups)]
        content = f"{Path(path).stat().st_size} {[group.to_dict() for group in groups]}"
        return _Footer(
            file.metadata.num_rows,
            sum(group.total_byte_size for group in groups),
            max((group.num_rows for group in groups), default=0),
            file.schema_arrow.remove_metadata(),
            hashlib.blake2b(content.encode(), digest_size=16).hexdigest(),
        )


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


def _shards(
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
            yield Shard(next(numbers), file, start, stop, start + 1, stop - start, footer.digest)


def _rows(shard: Shard) -> pa.Table:
    from pyarrow import parquet  # noqa: PLC0415 # the package can be imported without

    with _parquet_errors(shard.path), parquet.ParquetFile(shard.path) as file:
        counts = [file.metadata.row_group(n).num_rows for n in range(file.metadata.num_row_groups)]
        starts = list(itertools.accumulate(counts, initial=0))
        groups = [
            number
            for number, count in enumerate(counts)
            if starts[number] < shard.stop and starts[number] + count > shard.start
        ]
        if not groups:
            raise ValueError("it has fewer rows than when the run began")
        return file.read_row_groups(groups).slice(shard.start - starts[groups[0]], shard.rows)


def _common(schemas: Sequence[tuple[str, pa.Schema]]) -> pa.Schema:
    """Return the schema that all files can be read with."""
    fields: dict[str, tuple[str, pa.Field]] = {}
    for place, schema in schemas:
        for field in schema:
            if field.name not in fields:
                fields[field.name] = (place, field)
                continue
            first, known = fields[field.name]
            fields[field.name] = (first, _promoted(known, field, first, place))
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
