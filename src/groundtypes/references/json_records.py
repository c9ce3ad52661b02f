"""The records of a JSON value: which values belong together, and what they are about.

An object is one record, with the values of small objects in it. Objects in a list, or several of
one shape under different keys, are records of their own: those of the orders of a customer begin
with what names the customer. Lists of the same length are the columns of a table.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from groundtypes.references.json_values import JsonNode, JsonObject, JsonScalar, read_json
from groundtypes.references.names import is_identifier, is_naming, is_number, json_path, plain_words
from groundtypes.references.structure import Field, Record
from groundtypes.words import all_words

#: Objects with more values than this are records of their own.
_SMALL: Final = 12
#: A list of up to so many plain values is part of its object's record.
_SHORT_LIST: Final = 50
#: How many values of an object introduce the objects in it, and how long each may be.
_MOST_NAMING: Final = 3
_LONGEST_NAMING: Final = 60
#: The longest introduction of a record, in characters.
_LONGEST_CONTEXT: Final = 300
#: A key that is a year or date, whose value is what the object around it is about.
_YEAR_KEY: Final = re.compile(r"(?:19|20)[0-9]{2}(?![0-9])")
#: Keys of the names and the rows of a table that is written as lists of values.
_COLUMN_KEYS: Final = ("columns", "header", "headers", "fields")
_ROW_KEYS: Final = ("rows", "data", "values", "records")


class _Place(NamedTuple):
    """Where a value is, and what is known of it there.

    Attributes:
        path: Its path from the root.
        context: What is around it, in plain words.
        currency: The currency that an object around it names.
        unit: The unit that an object around it names.
    """

    path: str = ""
    context: str = ""
    currency: str = ""
    unit: str = ""

    def below(self, key: str | int) -> "_Place":
        return self._replace(path=json_path(self.path, key))

    def about(self, words: str) -> "_Place":
        """Return the place with words added to its context."""
        context = f"{self.context}; {words}" if self.context and words else self.context or words
        if len(context) > _LONGEST_CONTEXT:
            context = context[: _LONGEST_CONTEXT - 1] + "…"
        return self._replace(context=context)


def json_records(source: object, id_: str) -> Iterator[Record]:
    """Yield the records of a JSON value, in its order.

    Raises:
        ReferencesError: The value cannot be read.
    """
    value = read_json(source, id_)
    if isinstance(value, JsonObject) and value.items:
        yield from _of_object(value, _Place())
    elif isinstance(value, list) and value:
        yield from _of_list(value, _Place())
    else:
        yield Record("", "", "", [Field("", _text(value), "$")])


def _of_object(value: JsonObject, place: _Place) -> Iterator[Record]:
    """Yield the record of an object, then those of the objects and lists in it."""
    units = _Units(value, place.currency, place.unit)
    place = place._replace(currency=units.currency, unit=units.inherited)
    fields: list[Field] = []
    inner: list[tuple[str, JsonNode]] = []
    similar = _similar_objects(value)
    columns = _columns(value)
    for key, item in value.items:
        if (
            key in columns
            or (isinstance(item, JsonObject) and (similar or not _is_small(item)))
            or (isinstance(item, list) and not _is_short_list(item))
        ):
            inner.append((key, item))
        else:
            fields.extend(_fields(key, item, json_path(place.path, key), units))
    if fields:
        yield Record(place.path, place.path, place.context, fields)
    place = place.about(_naming(fields))
    if columns:
        yield from _of_columns(value, columns, place)
    for key, item in inner:
        if key in columns:
            continue
        below = place.below(key).about(plain_words(key))
        if isinstance(item, JsonObject):
            yield from _of_object(item, below)
        elif isinstance(item, list):
            yield from _of_list(item, below, _header(value, key))


def _of_list(
    value: Sequence[JsonNode], place: _Place, header: Sequence[str] = ()
) -> Iterator[Record]:
    """Yield the records of a list; `header` has the names of the values of lists in it."""
    plain: list[Field] = []
    for position, item in enumerate(value):
        below = place.below(position)
        if isinstance(item, JsonObject) and item.items:
            yield from _of_object(item, below)
        elif isinstance(item, list) and item and _is_short_list(item):
            fields = [
                Field(header[at] if at < len(header) else "", _text(part), below.below(at).path)
                for at, part in enumerate(item)
            ]
            yield Record(below.path, below.path, place.context, fields)
        elif isinstance(item, list) and item:
            yield from _of_list(item, below)
        else:
            plain.append(Field("", _text(item), below.path))
    if plain:
        yield Record(place.path, place.path, place.context, plain)


def _fields(key: str, value: JsonNode, path: str, units: "_Units") -> Iterator[Field]:
    """Yield the values of a small object, of a short list, or a single value."""
    if isinstance(value, JsonObject) and value.items:
        own = _Units(value, units.currency, units.inherited)
        for name, item in value.items:
            for field in _fields(name, item, json_path(path, name), own):
                yield field._replace(name=f"{key}.{field.name}" if field.name else key)
    elif isinstance(value, list) and value:
        for position, item in enumerate(value):
            place = json_path(path, position)
            yield Field(key, _text(item), place, continues=position > 0)
    else:
        yield Field(key, _text(value), path, units.of(key))


def _of_columns(value: JsonObject, columns: Sequence[str], place: _Place) -> Iterator[Record]:
    """Yield one record for each position in lists of the same length."""
    lists = {key: item for key, item in value.items if key in columns and isinstance(item, list)}
    for position in range(len(next(iter(lists.values())))):
        fields = [
            Field(key, _text(item[position]), place.below(key).below(position).path)
            for key, item in lists.items()
        ]
        path = json_path(place.path, position)
        yield Record(path, path, place.context, fields)


def _columns(value: JsonObject) -> tuple[str, ...]:
    """Return the keys of lists of plain values that are columns of one table."""
    by_length: dict[int, dict[str, list[str]]] = {}
    for key, item in value.items:
        if isinstance(item, list) and len(item) > 1 and _is_plain_list(item):
            by_length.setdefault(len(item), {})[key] = [_text(part) for part in item]
    table = max(by_length.values(), key=len, default={})
    # Two lists of words are hardly columns: one names the rows, others hold numbers.
    has_numbers = any(all(map(is_number, texts)) for texts in table.values())
    has_names = any(
        len(set(texts)) == len(texts) and not all(map(is_number, texts)) for texts in table.values()
    )
    return tuple(table) if has_numbers and has_names else ()


def _header(value: JsonObject, key: str) -> tuple[str, ...]:
    """Return the names of the values in the lists under a key, if the object has them."""
    if key not in _ROW_KEYS:
        return ()
    for name, item in value.items:
        if name in _COLUMN_KEYS and isinstance(item, list) and _is_plain_list(item):
            return tuple(_text(part) for part in item)
    return ()


def _similar_objects(value: JsonObject) -> bool:
    """Whether an object maps names to objects of one shape."""
    keys = [
        {key for key, _ in item.items}
        for _, item in value.items
        if isinstance(item, JsonObject) and item.items
    ]
    if len(keys) < 2:  # several
        return False
    return all(len(keys[0] & other) * 2 > max(len(keys[0]), len(other)) for other in keys[1:4])


def _is_small(value: JsonNode) -> bool:
    return _size(value, _SMALL) <= _SMALL


def _size(value: JsonNode, most: int) -> int:
    """Return how many values there are, or more than `most` if they are no part of a record."""
    if isinstance(value, JsonScalar) or not value:
        return 1
    if isinstance(value, list):
        return len(value) if _is_short_list(value) else most + 1
    if _similar_objects(value) or _columns(value):
        return most + 1
    size = 0
    for _, item in value.items:
        size += _size(item, most - size)
        if size > most:
            break
    return size


def _is_short_list(value: Sequence[JsonNode]) -> bool:
    return len(value) <= _SHORT_LIST and _is_plain_list(value)


def _is_plain_list(value: Sequence[JsonNode]) -> bool:
    return all(isinstance(item, JsonScalar) for item in value)


def _naming(fields: Sequence[Field]) -> str:
    """Return the values that say what an object is about, with their keys in plain words."""
    short = [field for field in fields if field.name and len(field.value) <= _LONGEST_NAMING]
    ranked = [field for field in short if is_naming(field.name)] or short[:1]
    return "; ".join(f"{plain_words(field.name)}: {field.value}" for field in ranked[:_MOST_NAMING])


def _text(value: JsonNode) -> str:
    if isinstance(value, JsonScalar):
        return value.text if value.text or not value.is_text else '""'
    return "{}" if isinstance(value, JsonObject) else "[]"


class _Units:
    """The units that an object names for its values, and those that objects around it name."""

    def __init__(self, value: JsonObject, currency: str, inherited: str) -> None:
        self.currency = currency
        self.inherited = inherited
        self._unit = ""
        for key, item in value.items:
            name = key.replace("_", "").lower()
            if isinstance(item, JsonScalar) and item.is_text and name in all_words("unit in a key"):
                if name.startswith("currency"):
                    self.currency = item.text
                else:
                    self._unit = self.inherited = item.text

    def of(self, key: str) -> str:
        """Return the unit of the value under a key, or `""`."""
        words = plain_words(key).lower().split()
        if not words or words[-1] in all_words("unit in a key") or is_identifier(key):
            return ""
        is_money = bool(all_words("money in a key").intersection(words))
        if self._unit.lower() in all_words("scale in a value") and self.currency:
            return f"{self._unit} {self.currency}" if is_money else self._unit
        if self._unit:
            return self._unit
        if is_money and self.inherited.lower() in all_words("scale in a value"):
            return f"{self.inherited} {self.currency}".strip()
        if self.inherited and (is_money or _YEAR_KEY.match(key)):
            return self.inherited
        return self.currency if is_money else ""
