"""One line of JSON to a row: its context, its answer, and what it becomes once it is clean."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Annotated, Any, Final, get_args, get_origin, is_typeddict

from pydantic import AliasChoices, AliasPath, BaseModel, RootModel
from pydantic.fields import FieldInfo
from pydantic_core import from_json

from groundtypes.errors import MissingReferencesError, Mistake, clip
from groundtypes.references import References

__all__ = ["BrokenLineError", "Keys", "Row", "RowReader", "parse_line"]

#: The keys of a row that hold references, in the order in which they are looked for.
_REFERENCE_KEYS: Final = ("references", "text_chunks", "context")
_MAX_DEPTH: Final = 100
_BRACKETS: Final = re.compile(r"[\[{]")


class BrokenLineError(Exception):
    """A line that holds no row that can be judged; the message says why.

    `row` is the object on the line, where it is one.
    """

    row: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Keys:
    """Under which keys a row holds its parts, where the user names them."""

    answer: str | None = None
    references: str | None = None
    question: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A row that can be judged.

    `text` is the line as it was given, `answer` what the model validates (JSON text for a model
    class, else plain data), `place` the key it stood under, or `None` where the answer is the
    rest of the row.
    """

    text: str
    data: dict[str, Any]
    context: Mapping[str, Any]
    answer: Any
    place: str | None
    _fields: frozenset[str]

    def cleaned(self, dump: Any) -> dict[str, Any]:
        """Return the row with its answer replaced by the validated one."""
        if self.place is not None:
            return {**self.data, self.place: dump}
        if not isinstance(dump, dict):
            return {**self.data, "answer": dump}
        # What the model read under another name than it writes would stay as an unchecked copy.
        kept = {
            key: value for key, value in self.data.items() if key in dump or key not in self._fields
        }
        return {**kept, **dump}


class RowReader:
    """Reads lines as rows for one model.

    The context of a row are its keys `references`, `text_chunks`, `context` (the first that is
    there and not null holds the references) and `question`. Its answer is

    1. with `keys.answer`, the value under that key;
    2. else the value under `answer`, when that is an object or a list, or text that holds one as
       JSON (it starts with a brace or bracket);
    3. else the rest of the row: everything but the context.

    A model that has a field `answer` of its own reads the value under `answer` as the whole
    answer only when it is an object with at least one of the model's fields. Where the answer is
    the rest of the row, a key of the context belongs to it too when the model has such a field.
    """

    def __init__(self, model: Any, keys: Keys = Keys()) -> None:
        """Take the model that will read the answers."""
        self._keys = keys
        self._fields = _field_names(model)
        self._takes_json = (
            isinstance(model, type)
            and issubclass(model, BaseModel)
            and not issubclass(model, RootModel)
        )
        references = (keys.references,) if keys.references else _REFERENCE_KEYS
        self._references = references
        self._question = keys.question or "question"
        self._context = frozenset((*references, self._question)) - self._fields

    def read(self, line: bytes) -> Row:
        """Return the row of a line.

        Raises:
            BrokenLineError: The line is not a JSON object in UTF-8, or has no references.
        """
        text, data = parse_line(line)
        try:
            return self.row(text, data)
        except BrokenLineError as error:
            error.row = data
            raise

    def row(self, text: str, data: dict[str, Any]) -> Row:
        """Return the row that such an object is.

        Raises:
            BrokenLineError: It has no references.
        """
        context = self._context_of(data)
        place = self._place(data)
        if place is None:
            answer: Any = {key: item for key, item in data.items() if key not in self._context}
        else:
            answer = data[place]
        return Row(text, data, context, self._readable(answer), place, self._fields)

    def _place(self, data: dict[str, Any]) -> str | None:
        if self._keys.answer is not None:
            if self._keys.answer not in data:
                raise BrokenLineError(f"no key {clip(self._keys.answer, 40)!r} for the answer")
            return self._keys.answer
        return "answer" if self._is_answer(data.get("answer")) else None

    def _is_answer(self, value: Any) -> bool:
        if "answer" not in self._fields:
            return isinstance(value, dict | list) or _looks_like_json(value)
        if _looks_like_json(value):
            try:
                value = from_json(value)
            except ValueError:
                return False
        return isinstance(value, dict) and not self._fields.isdisjoint(value)

    def _readable(self, answer: Any) -> Any:
        """Return the answer as the model best reads it.

        JSON text lets a strict model read dates and enums, which have no form of their own in
        JSON.
        """
        if self._takes_json:
            return answer if isinstance(answer, str) else json.dumps(answer)
        if _looks_like_json(answer):
            try:
                return from_json(answer)
            except ValueError:
                return answer
        return answer

    def _context_of(self, data: dict[str, Any]) -> dict[str, Any]:
        if self._keys.references is not None:
            given = {"references": data.get(self._keys.references)}
        else:
            given = {key: data[key] for key in self._references if key in data}
        try:
            references = References.from_context(given)
        except MissingReferencesError as error:
            raise BrokenLineError(f"no references under {_either(self._references)}") from error
        except Mistake as error:
            raise BrokenLineError(f"unreadable references: {clip(str(error), 300)}") from error
        context: dict[str, Any] = {"references": references}
        question = data.get(self._question)
        if question is not None:
            if not isinstance(question, str):
                kind = type(question).__name__
                raise BrokenLineError(f"{clip(self._question, 40)!r} is a {kind}, not text")
            context["question"] = question
        return context


def parse_line(line: bytes) -> tuple[str, dict[str, Any]]:
    """Return a line as text, and the object on it.

    Raises:
        BrokenLineError: The line is not a JSON object in UTF-8.
    """
    text = _decoded(line)
    return text, _parsed(text)


def _decoded(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        byte = line[error.start]
        raise BrokenLineError(f"not UTF-8: byte 0x{byte:02x} at byte {error.start + 1}") from error


def _parsed(text: str) -> dict[str, Any]:
    """Return the object that the text holds, nested at most 100 deep."""
    try:
        data = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise BrokenLineError(
            f"not JSON: {error.msg.removesuffix(' at')} at character {error.pos + 1}"
        ) from error
    except RecursionError as error:
        raise BrokenLineError(f"nested more than {_MAX_DEPTH} deep") from error
    except ValueError as error:  # an integer of thousands of digits
        raise BrokenLineError("not JSON: a number with too many digits") from error
    if not isinstance(data, dict):
        raise BrokenLineError(f"not an object but {_KINDS[type(data)]}")
    _check_depth(text, data)
    return data


def _check_depth(text: str, data: dict[str, Any]) -> None:
    """Refuse what is nested so deep that walking it would exhaust the stack."""
    if sum(1 for _ in _BRACKETS.finditer(text)) <= _MAX_DEPTH:
        return
    level: list[Any] = [data]
    for _ in range(_MAX_DEPTH):
        level = [
            child
            for node in level
            for child in (node.values() if isinstance(node, dict) else node)
            if isinstance(child, dict | list)
        ]
        if not level:
            return
    raise BrokenLineError(f"nested more than {_MAX_DEPTH} deep")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value] # set.add returns None, which keeps the search going
        raise BrokenLineError(f"the key {clip(twice, 40)!r} stands twice in one object")
    return found


def _finite(number: str) -> float:
    value = float(number)
    if value in (float("inf"), float("-inf")):
        raise BrokenLineError(f"not JSON: the number {clip(number, 40)} is out of range")
    return value


def _constant(name: str) -> float:
    raise BrokenLineError(f"not JSON: {name} is no number in JSON")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_unique, parse_float=_finite, parse_constant=_constant
)
_KINDS: Final = {
    list: "a list",
    str: "a text",
    int: "a number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}


def _looks_like_json(value: Any) -> bool:
    return isinstance(value, str) and value.lstrip().startswith(("{", "["))


def _either(keys: tuple[str, ...]) -> str:
    return " or ".join(repr(clip(key, 40)) for key in keys)


def _field_names(model: Any) -> frozenset[str]:
    """Return the keys under which the model reads its fields; none where it has no fields."""
    while get_origin(model) is Annotated:
        model = get_args(model)[0]
    infos: dict[str, FieldInfo] | None = getattr(model, "model_fields", None)
    if infos is None:
        infos = getattr(model, "__pydantic_fields__", None)
    if infos is not None and not (isinstance(model, type) and issubclass(model, RootModel)):
        return frozenset(key for name, info in infos.items() for key in (name, *_aliases(info)))
    if is_dataclass(model):
        return frozenset(field.name for field in fields(model))
    return frozenset(model.__annotations__) if is_typeddict(model) else frozenset()


def _aliases(info: FieldInfo) -> list[str]:
    found: list[str] = []
    for alias in (info.alias, info.validation_alias):
        choices = alias.choices if isinstance(alias, AliasChoices) else [alias]
        for choice in choices:
            key = choice.path[0] if isinstance(choice, AliasPath) else choice
            if isinstance(key, str):
                found.append(key)
    return found
