"""Which columns hold the answer and the context of a row, and the rows read from them."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import pyarrow as pa
from pydantic import BaseModel, RootModel

from groundtypes.batch.frames import Frame
from groundtypes.errors import ContextError, DatasetError, MissingReferencesError, Mistake
from groundtypes.references import References
from groundtypes.references.row_keys import ANSWER, shown_keys
from groundtypes.row_files.answer_rows import AnswerRow, Keys, RowReader
from groundtypes.row_files.json_lines import BrokenLineError
from groundtypes.row_files.table_files import parsed_references
from groundtypes.text.message_excerpts import clip

_TEXT: Final = "a text"
_ZONE: Final = re.compile(r"tz=([^\]]+)\]")


class _Columns(NamedTuple):
    """The columns that are read, and those of them that hold references."""

    read: tuple[str, ...]
    references: tuple[str, ...]


class TableReader:
    """Reads the rows of tables for one model, by the rules of `RowReader`."""

    def __init__(self, model: Any, keys: Keys) -> None:
        self._keys = keys
        self._reader = RowReader(model, keys)
        self._is_model = (
            isinstance(model, type)
            and issubclass(model, BaseModel)
            and not issubclass(model, RootModel)
        )

    def read(self, frame: Frame, start: int, stop: int) -> list[AnswerRow | BrokenLineError]:
        """Return some rows of a table; one that cannot be judged is an error that says why."""
        columns = self._columns(frame)
        cells = [frame.cells(name, start, stop) for name in columns.read]
        if not cells:
            return []
        rows = (dict(zip(columns.read, row, strict=True)) for row in zip(*cells, strict=True))
        return [self._row(row, columns.references) for row in rows]

    def has_questions(self, frame: Frame) -> bool:
        """Return whether a table has a column of questions."""
        return any(name in frame.names for name in self._reader.question.names)

    def check(self, frame: Frame) -> None:
        """Check that a table has the columns that are read, with types that can be read.

        A table without columns and rows, which some engines make of an empty partition, has
        nothing to check.

        Raises:
            DatasetError: One is missing, or has a type that no such column can have.
        """
        if not frame.names and not frame.height:
            return
        columns, types = self._columns(frame), frame.types
        for name in columns.references:
            _check_type(name, types.get(name), _is_reference, "references")
        if self._keys.answer is not None and self._is_model:
            _check_type(self._keys.answer, types.get(self._keys.answer), _is_answer, "answers")
        question = self._keys.question or "question"
        _check_type(question, types.get(question), _is_text, "questions")
        answers = self._reader.fields if self._keys.answer is None else {self._keys.answer}
        for name in (*columns.references, *answers):
            _check_time_zones(name, types.get(name))

    def _columns(self, frame: Frame) -> _Columns:
        keys, names = self._keys, set(frame.names)
        for argument in ("answer", "references", "question"):
            name = getattr(keys, argument)
            if name is not None and name not in names:
                raise DatasetError(missing_column(name, argument, frame.names))
        references = tuple(name for name in self._reader.references.names if name in names)
        if not references:
            missing = self._reader.references.missing(frame.names)
            raise DatasetError(f"No column holds references: there is none named {missing}.")
        if keys.answer is None:
            self._require_answer(frame)
            return _Columns(tuple(frame.names), references)
        question = [name for name in self._reader.question.names if name in names]
        return _Columns(tuple(dict.fromkeys((keys.answer, *references, *question))), references)

    def _require_answer(self, frame: Frame) -> None:
        fields = self._reader.fields
        if fields and not {*fields, *ANSWER.names} & {*frame.names}:
            raise DatasetError(
                "No column holds answers: there is none with the name of a field of the model, "
                f"nor {ANSWER.missing(frame.names)}."
            )

    def _answers(self, row: dict[str, Any]) -> list[str]:
        """Return the columns of whole answers; none where other columns may be parts of one."""
        if self._keys.answer is not None:
            return [self._keys.answer]
        fields = self._reader.fields
        return [name for name in ANSWER.names if name in row and fields and not fields & row.keys()]

    def _row(self, row: dict[str, Any], references: tuple[str, ...]) -> AnswerRow | BrokenLineError:
        for name, value in row.items():
            if isinstance(value, BrokenLineError):
                return BrokenLineError(f"column {clip(repr(name), 40)}: {value}")
        answers = self._answers(row)
        if answers and all(row[name] is None for name in answers):
            return BrokenLineError(f"no answer: {clip(repr(answers[0]), 40)} is null")
        column = next((name for name in references if row[name] is not None), references[0])
        try:
            for name in references:
                row[name] = parsed_references(row[name])
            return self._reader.read(row)
        except BrokenLineError as error:
            reason = str(error)
            if reason.startswith("unreadable references"):
                return BrokenLineError(f"column {clip(repr(column), 40)}: {reason}")
            return error.with_traceback(None)
        except (ContextError, RecursionError) as error:
            return BrokenLineError(clip(str(error), 300))
        except (TypeError, ValueError) as error:  # an object that JSON has no form for
            return BrokenLineError(
                f"the answer is not data as JSON has them: {clip(str(error), 200)}"
            )


def missing_column(name: str, argument: str, names: Sequence[str]) -> str:
    """Return the message for a column that is missing, which an argument has named.

    A name that looks the same may be spelled otherwise in Unicode, such as an accent of its own.
    """
    similar = next((other for other in names if _folded(other) == _folded(name)), None)
    hint = f" Did you mean {clip(ascii(similar), 100)}?" if similar is not None else ""
    return (
        f"There is no column {clip(repr(name), 40)} (`{argument}`); the columns are "
        f"{shown_keys(names)}.{hint}"
    )


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold().strip()


def _example(type_: Any) -> Any:
    """Return a value that a column of an Arrow type may hold: a text, 1, or one with such parts."""
    if isinstance(type_, pa.BaseExtensionType):
        return _example(type_.storage_type)
    if pa.types.is_map(type_):
        return {"0": _example(type_.item_type)}
    if pa.types.is_struct(type_):
        return {field.name: _example(field.type) for field in type_}
    if hasattr(type_, "value_type"):
        example = _example(type_.value_type)
        return [example] if pa.types.is_nested(type_) else example
    # One that is null in all rows may be of any type.
    is_text = pa.types.is_null(type_) or any(word in str(type_) for word in ("string", "binary"))
    return _TEXT if is_text else 1


def _is_text(example: Any) -> bool:
    return isinstance(example, str)


def _is_answer(example: Any) -> bool:
    return isinstance(example, str | list | dict)


def _is_reference(example: Any) -> bool:
    try:
        References.from_context({"references": example})
    except MissingReferencesError:  # of nothing
        return True
    except Mistake:
        return False
    return True


def _check_type(name: str, type_: Any, is_readable: Callable[[Any], bool], content: str) -> None:
    if type_ is not None and not is_readable(_example(type_)):
        raise DatasetError(
            f"The column {clip(repr(name), 40)} holds no {content}: its type is "
            f"{clip(str(type_), 100)}."
        )


def _check_time_zones(name: str, type_: Any) -> None:
    """Check that the time zones of a type, and of what is in it, are known."""
    for zone in _ZONE.findall(str(type_)):
        try:
            pa.scalar(0, pa.timestamp("s", zone)).as_py()
        except Exception as error:
            raise DatasetError(
                f"The column {clip(repr(name), 40)} has times in the time zone "
                f"{clip(repr(zone), 40)}, which is not known here."
            ) from error
