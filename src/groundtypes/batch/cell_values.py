"""The values in the cells of a table, as JSON would hold them: of Arrow types, or any objects."""

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import pyarrow as pa
from pydantic_core import PydanticSerializationError, to_jsonable_python

from groundtypes.row_files.parsing import BrokenLineError
from groundtypes.text.message_excerpts import clip

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_Convert = Callable[[Any], Any]


def arrow_cells(column: Any) -> list[Any]:
    """Return the values of an Arrow column; one that cannot be read is a `BrokenLineError`.

    A map becomes a `dict`, binary data become text; dates, decimals and the like are as in JSON.
    """
    convert = _converter(column.type)
    try:
        values = column.to_pylist()
    except Exception:  # noqa: BLE001 # such as text that is not UTF-8, or a year after 9999, in a cell
        return [_cell(lambda cell: _converted(cell.as_py(), convert), cell) for cell in column]
    if convert is None:
        return list(values)
    return [_cell(convert, value) for value in values]


def object_cells(values: Sequence[Any]) -> list[Any]:
    """Return the values of a column of Python or numpy objects, as `arrow_cells` does.

    What is missing in pandas (NaN, NaT, NA) is `None`. An object that JSON has no form for stays
    what it is: references may be documents.
    """
    return [_cell(_plain, _present(value)) for value in values]


def _cell(read: _Convert, value: Any) -> Any:
    try:
        return read(value)
    except BrokenLineError as error:
        return error.with_traceback(None)
    except UnicodeDecodeError as error:
        return BrokenLineError(f"not UTF-8: byte 0x{error.object[error.start]:02x}")
    except RecursionError:
        return BrokenLineError("nested too deeply")
    except (ValueError, TypeError, OverflowError) as error:
        return BrokenLineError(f"unreadable: {clip(str(error), 200)}")
    except LookupError as error:  # of a time zone
        return BrokenLineError(f"unreadable: {type(error).__name__}: {clip(str(error), 200)}")


def _converted(value: Any, convert: _Convert | None) -> Any:
    return value if convert is None else convert(value)


def _converter(type_: Any) -> _Convert | None:
    """Return what makes plain data of a value that pyarrow returns; `None` if it is plain."""
    if isinstance(type_, pa.BaseExtensionType):
        return _converter(type_.storage_type)
    if pa.types.is_dictionary(type_) or pa.types.is_run_end_encoded(type_):
        return _converter(type_.value_type)
    if pa.types.is_map(type_):
        return _map_converter(_converter(type_.item_type))
    if pa.types.is_struct(type_):
        parts = {field.name: convert for field in type_ if (convert := _converter(field.type))}
        return _struct_converter(parts) if parts else None
    if pa.types.is_nested(type_) and hasattr(type_, "value_type"):
        item = _converter(type_.value_type)
        return None if item is None else lambda items: items and [_or_none(item, i) for i in items]
    if "binary" in str(type_):
        return lambda data: None if data is None else _utf8(data)
    if _is_plain(type_):
        return None
    return to_jsonable_python


def _is_plain(type_: Any) -> bool:
    return (
        str(type_) in {"string", "large_string", "string_view", "bool", "null"}
        or pa.types.is_integer(type_)
        or pa.types.is_floating(type_)
    )


def _or_none(convert: _Convert, value: Any) -> Any:
    return None if value is None else convert(value)


def _map_converter(item: _Convert | None) -> _Convert:
    def convert(pairs: Any) -> Any:
        if pairs is None or isinstance(pairs, dict):
            return pairs
        return _from_pairs([(key, _converted(value, item)) for key, value in pairs])

    return convert


def _struct_converter(parts: Mapping[str, _Convert]) -> _Convert:
    def convert(fields: Any) -> Any:
        if fields is None:
            return None
        return {
            name: _or_none(parts[name], value) if name in parts else value
            for name, value in fields.items()
        }

    return convert


def _from_pairs(pairs: Sequence[tuple[Any, Any]]) -> dict[Any, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        ((repeated, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise BrokenLineError(f"the key {clip(repr(repeated), 40)} occurs twice in one map")
    return data


def _utf8(data: bytes | bytearray) -> str:
    return bytes(data).decode()


def _present(value: Any) -> Any:
    is_missing = (isinstance(value, float) and math.isnan(value)) or type(value).__name__ in {
        "NAType",
        "NaTType",
    }
    return None if is_missing else value


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        if not value.isascii() and _SURROGATE.search(value):
            raise BrokenLineError("not Unicode: a lone surrogate")
        return value
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, bytes | bytearray):
        return _utf8(value)
    if isinstance(value, Mapping):
        return {_plain(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        if _is_map(value):
            return _from_pairs([(_plain(key), _plain(item)) for key, item in value])
        return [_plain(item) for item in value]
    if hasattr(value, "dtype") and hasattr(value, "tolist"):  # numpy
        return _plain(value.tolist())
    try:
        return to_jsonable_python(value, serialize_unknown=False)
    except PydanticSerializationError:
        return value


def _is_map(items: Sequence[Any]) -> bool:
    """Return whether a list is a map as Arrow and pandas hold it: pairs of a text and a text.

    A pair of a document and its score has a number in the second place.
    """
    return bool(items) and all(
        type(item) is tuple
        and len(item) == 2
        and isinstance(item[0], str)
        and (item[1] is None or isinstance(item[1], str | Mapping))
        for item in items
    )
