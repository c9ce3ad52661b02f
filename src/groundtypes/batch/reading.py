"""Which columns hold the answer and the context of a row, and the rows read from them."""

from typing import Any, NamedTuple

import pyarrow as pa
from pydantic import BaseModel, RootModel

from groundtypes.batch.frames import Frame
from groundtypes.dataset.evaluate.columns import parsed_references
from groundtypes.errors import ContextError, DatasetError, clip
from groundtypes.row_files.parsing import BrokenLineError
from groundtypes.row_files.rows import REFERENCE_KEYS, AnswerRow, Keys, RowReader

__all__ = ["TableReader", "shown_names"]


class _Columns(NamedTuple):
    """The columns that are read, and those of them that hold references."""

    read: tuple[str, ...]
    references: tuple[str, ...]


class TableReader:
    """Reads the rows of tables for one model, by the rules of `RowReader`."""

    def __init__(self, model: Any, keys: Keys) -> None:
        """Store the model that will read the answers, and the names of the columns."""
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
        return (self._keys.question or "question") in frame.names

    def check(self, frame: Frame) -> None:
        """Check that a table has the columns that are read, with types that can be read.

        Raises:
            DatasetError: One is missing, or has a type that no such column can have.
        """
        columns = self._columns(frame)
        for name in columns.references:
            self._check_type(frame, name, _refused_in_references, "references")
        if self._keys.answer is not None and self._is_model:
            self._check_type(frame, self._keys.answer, _is_scalar, "answers")
        question = self._keys.question or "question"
        self._check_type(frame, question, _is_no_text, "questions")

    def _columns(self, frame: Frame) -> _Columns:
        keys, names = self._keys, set(frame.names)
        for argument in ("answer", "references", "question"):
            name = getattr(keys, argument)
            if name is not None and name not in names:
                raise DatasetError(
                    f"There is no column {clip(repr(name), 40)} (`{argument}`); "
                    f"the columns are {shown_names(frame.names)}."
                )
        wanted = REFERENCE_KEYS if keys.references is None else (keys.references,)
        references = tuple(name for name in wanted if name in names)
        if not references:
            listed = ", ".join(map(repr, wanted))
            raise DatasetError(
                f"No column holds references; name one by `references=` (without it, {listed} "
                f"are looked for). The columns are {shown_names(frame.names)}."
            )
        if keys.answer is None:
            self._require_answer(frame)
            return _Columns(tuple(frame.names), references)
        question = [name for name in (keys.question or "question",) if name in names]
        return _Columns(tuple(dict.fromkeys((keys.answer, *references, *question))), references)

    def _require_answer(self, frame: Frame) -> None:
        fields = self._reader.fields
        if fields and fields.isdisjoint(frame.names) and "answer" not in frame.names:
            raise DatasetError(
                "No column holds answers; name one by `answer=` (without it, 'answer' and the "
                f"fields of the model are looked for). The columns are {shown_names(frame.names)}."
            )

    @staticmethod
    def _check_type(frame: Frame, name: str, is_refused: Any, content: str) -> None:
        type_ = frame.types.get(name)
        if type_ is not None and is_refused(type_):
            raise DatasetError(
                f"The column {clip(repr(name), 40)} holds no {content}: its type is "
                f"{clip(str(type_), 100)}."
            )

    def _row(self, row: dict[str, Any], references: tuple[str, ...]) -> AnswerRow | BrokenLineError:
        for name, value in row.items():
            if isinstance(value, BrokenLineError):
                return BrokenLineError(f"column {clip(repr(name), 40)}: {value}")
        if self._keys.answer is not None and row[self._keys.answer] is None:
            return BrokenLineError(f"no answer: {clip(repr(self._keys.answer), 40)} is null")
        try:
            for name in references:
                row[name] = _without_nulls(parsed_references(row[name]))
            return self._reader.read(row)
        except BrokenLineError as error:
            return error.with_traceback(None)
        except (ContextError, RecursionError) as error:
            return BrokenLineError(clip(str(error), 300))
        except (TypeError, ValueError) as error:  # an object that JSON has no form for
            return BrokenLineError(
                f"the answer is not data as JSON has them: {clip(str(error), 200)}"
            )


def _without_nulls(references: Any) -> Any:
    """Return references without the ids that have no text.

    In a column of structs, each row has the ids of all rows.
    """
    if not isinstance(references, dict) or None not in references.values():
        return references
    return {id_: text for id_, text in references.items() if text is not None} or None


def shown_names(names: Any) -> str:
    """Return the first names of a table's columns, to be shown in a message."""
    return ", ".join(clip(repr(name), 40) for name in list(names)[:20]) or "none"


def _value_type(type_: Any) -> Any:
    while True:
        if isinstance(type_, pa.BaseExtensionType):
            type_ = type_.storage_type
        elif pa.types.is_dictionary(type_):
            type_ = type_.value_type
        else:
            return type_


def _is_text(type_: Any) -> bool:
    """Return whether a column can hold text; one that is null in all rows may be of any type."""
    return pa.types.is_null(type_) or any(word in str(type_) for word in ("string", "binary"))


def _is_scalar(type_: Any) -> bool:
    type_ = _value_type(type_)
    return not pa.types.is_nested(type_) and not _is_text(type_)


def _is_no_text(type_: Any) -> bool:
    type_ = _value_type(type_)
    return pa.types.is_nested(type_) or not _is_text(type_)


def _refused_in_references(type_: Any) -> bool:
    type_ = _value_type(type_)
    if pa.types.is_nested(type_) and hasattr(type_, "value_type"):
        return _is_scalar(type_.value_type)
    return _is_scalar(type_)
