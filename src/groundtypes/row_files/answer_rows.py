"""The object on a line as a row: its context, its answer, and the row with a clean answer."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Annotated, Any, get_args, get_origin, is_typeddict

from pydantic import AliasChoices, AliasPath, BaseModel, RootModel
from pydantic.fields import FieldInfo
from pydantic_core import from_json

from groundtypes.errors import ContextError, DatasetError, Mistake
from groundtypes.references import References
from groundtypes.references.reading import CONTEXT_KEYS
from groundtypes.references.row_keys import ANSWER, QUESTION, REFERENCES, RowKey, shown_keys
from groundtypes.row_files.json_lines import BrokenLineError
from groundtypes.text.fenced_json import json_text
from groundtypes.text.message_excerpts import clip


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys under which a row holds its parts, where they are not the usual ones.

    `label` is that of what people say of the answer (`people_say`).
    """

    answer: str | None = None
    references: str | None = None
    question: str | None = None
    label: str | None = None

    def __post_init__(self) -> None:
        if self.answer is not None and self.answer == self.references:
            raise DatasetError(
                f"`answer` and `references` both name {clip(repr(self.answer), 40)}: an answer "
                "that is its own reference always passes."
            )


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """A row that can be audited.

    `answer` is what the model validates: JSON text for a model class, else plain data.
    `answer_key` is the key that held it, or `None` where the answer is the rest of the row. In
    the rest, the text under `text_key` stands for a field `answer`. `model` counts the models that
    rows are read for.
    """

    data: dict[str, Any]
    context: Mapping[str, Any]
    answer: Any
    answer_key: str | None
    _fields: frozenset[str]
    text_key: str = "answer"
    model: int = 0

    @property
    def is_plain_text(self) -> bool:
        """Whether the answer is text that is neither JSON nor blank."""
        given = None if self.answer_key is None else self.data[self.answer_key]
        return isinstance(given, str) and bool(given.strip()) and json_text(given) is None

    def cleaned(self, answer: Any) -> dict[str, Any]:
        """Return the row with its answer replaced by the validated one, as plain data."""
        if self.answer_key is not None:
            return {**self.data, self.answer_key: answer}
        if not isinstance(answer, dict):
            return {**self.data, "answer": answer}
        if self.text_key != "answer":
            answer = {self.text_key if key == "answer" else key: answer[key] for key in answer}
        # What the model read under another name than it writes would stay as an unchecked copy.
        other = {
            key: value
            for key, value in self.data.items()
            if key in answer or key not in self._fields
        }
        return {**other, **answer}


class RowReader:
    """Reads rows for one model.

    The context of a row are its references and its question, under the keys of
    `groundtypes.references.row_keys`. Its answer is

    1. with `keys.answer`, the value under that key;
    2. else the value under `answer`, when that is an object or a list, or text that holds one as
       JSON (it starts with a brace or bracket, or is one fenced block that does);
    3. else the rest of the row: everything but the context.

    A model that has a field `answer` of its own reads the value under `answer` as the whole
    answer only when it is an object with at least one of the model's fields. Where the answer is
    the rest of the row, a key of the context belongs to it too when the model has such a field.
    Other text under `answer` is the answer, too, if the model needs more than a field `answer` and
    the row has nothing else of it: the text is at fault then, and not a field that is missing.

    `response`, `output` and `actual_output` stand for `answer`, unless they are fields of the
    model, or the row has `answer` beside other fields of the model.
    """

    def __init__(self, model: Any, keys: Keys = Keys()) -> None:
        self._keys = keys
        self.fields = _field_names(model)
        self._needs_more = _needs_more_than_answer(model)
        self._takes_json = (
            isinstance(model, type)
            and issubclass(model, BaseModel)
            and not issubclass(model, RootModel)
        )
        named = (keys.answer, keys.references, keys.question)
        references = REFERENCES.without(self.fields, CONTEXT_KEYS)
        self.references = references.named(keys.references, named)
        self.question = QUESTION.without(self.fields, ("question",)).named(keys.question, named)
        self._answer = ANSWER.without(self.fields, ("answer",)).without(named)
        self._names_of_context = frozenset((*self.references.names, *self.question.names))
        self._not_answer = self._names_of_context - self.fields
        if not self.fields:  # any other key may be a part of the answer
            self._not_answer &= {*CONTEXT_KEYS, "question", keys.references, keys.question}

    def read(self, data: dict[str, Any]) -> AnswerRow:
        """Read an object as a row."""
        context = self._context_of(data)
        key, is_whole = self._answer_key(data)
        if key is not None and is_whole:
            return AnswerRow(data, context, self._readable(data[key]), key, self.fields)
        rest = {name: item for name, item in data.items() if name not in self._not_answer}
        text_key = "answer"
        if key is not None and key != "answer" and "answer" in self.fields:
            rest["answer"], text_key = rest.pop(key), key
        return AnswerRow(data, context, self._readable(rest), None, self.fields, text_key)

    def check_keys(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Check that at least one of the first rows of a file has the keys that were named."""
        first = list(rows)
        for option in ("references", "answer", "question", "label"):
            key = getattr(self._keys, option)
            if first and key is not None and not any(key in row for row in first):
                known = dict.fromkeys(key for row in first for key in row)
                raise DatasetError(
                    f"No row has the key {clip(repr(key), 40)} (`{option}`); the rows have "
                    f"{shown_keys(known)}."
                )

    def _answer_key(self, data: dict[str, Any]) -> tuple[str | None, bool]:
        """Return the key of the answer, if there is one, and whether it holds all of it."""
        if self._keys.answer is not None:
            if self._keys.answer not in data:
                raise BrokenLineError(
                    f"no key {clip(self._keys.answer, 40)!r} for the answer; the row has "
                    f"{shown_keys(data)} (`answer`)"
                )
            value = data[self._keys.answer]
            return self._keys.answer, not self._is_field(value)
        has_fields = any(
            name in self.fields and name != "answer" and name not in self._names_of_context
            for name in data
        )
        if has_fields and ("answer" in data or "answer" not in self.fields):
            return "answer", self._is_answer(data.get("answer"))
        key, value = _found(self._answer, data)
        if has_fields:
            return key, False
        return key, self._is_answer(value) or (self._needs_more and isinstance(value, str))

    def _is_field(self, value: Any) -> bool:
        """Return whether a value is plain text, which makes an answer by itself."""
        is_text = isinstance(value, str) and json_text(value) is None
        return is_text and self._takes_json and "answer" in self.fields and not self._needs_more

    def _is_answer(self, value: Any) -> bool:
        text = json_text(value)
        if "answer" not in self.fields:
            return isinstance(value, dict | list) or text is not None
        if text is not None:
            try:
                value = from_json(text)
            except (ValueError, TypeError):  # a lone surrogate is a TypeError
                return False
        return isinstance(value, dict) and not self.fields.isdisjoint(value)

    def _readable(self, answer: Any) -> Any:
        """Return the answer as the model best reads it."""
        text = json_text(answer)
        # JSON text lets a strict model read dates and enums, which have no form in JSON.
        if self._takes_json:
            if text is not None:
                return text
            return answer if isinstance(answer, str) else json.dumps(answer)
        if text is not None:
            try:
                return from_json(text)
            except (ValueError, TypeError):  # a lone surrogate is a TypeError
                return answer
        return answer

    def _context_of(self, data: dict[str, Any]) -> dict[str, Any]:
        key, references = _found(self.references, data, References.of)
        if key is None:
            raise BrokenLineError(f"no references under {self.references.missing(data)}")
        context: dict[str, Any] = {"references": references}
        key, question = _found(self.question, data)
        if key is not None:
            if not isinstance(question, str):
                kind = type(question).__name__
                raise BrokenLineError(f"{clip(key, 40)!r} is of type {kind}, not text")
            context["question"] = question
        return context


def _found(part: RowKey, data: dict[str, Any], read: Any = None) -> tuple[str | None, Any]:
    try:
        return part.find(data, read)
    except ContextError as error:
        raise BrokenLineError(str(error)) from error
    except Mistake as error:
        raise BrokenLineError(f"unreadable references: {clip(str(error), 300)}") from error


def _needs_more_than_answer(model: Any) -> bool:
    """Return whether a model cannot be made from a field `answer` alone."""
    while get_origin(model) is Annotated:
        model = get_args(model)[0]
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        return False
    if issubclass(model, RootModel):
        return False
    validators = model.__pydantic_decorators__.model_validators.values()
    if any(validator.info.mode == "before" for validator in validators):
        return False
    return any(
        info.is_required() and "answer" not in (name, *_aliases(info))
        for name, info in model.model_fields.items()
    )


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
    aliases: list[str] = []
    for alias in (info.alias, info.validation_alias):
        choices = alias.choices if isinstance(alias, AliasChoices) else [alias]
        for choice in choices:
            key = choice.path[0] if isinstance(choice, AliasPath) else choice
            if isinstance(key, str):
                aliases.append(key)
    return aliases
