"""Rows that people have labelled: a text, its references, and whether they support it.

A row may also come from the review mode of a report. Then it has a score that an engine has given,
and its references only where the page shows all of them.
"""

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from groundtypes.errors import CalibrationError, Mistake
from groundtypes.references import References
from groundtypes.references.row_keys import ANSWER, QUESTION, REFERENCES, RowKey
from groundtypes.row_files.people_labels import PEOPLE_SAY, is_unlabelled, says_supported
from groundtypes.row_files.table_files import TableRow, read_references, read_table
from groundtypes.scoring import Label
from groundtypes.text.message_excerpts import clip

_TEXT: Final = RowKey("text", ("statement", "text", *ANSWER.names), (str,))
_LABEL: Final = RowKey("label", ("label", "supported", PEOPLE_SAY))


@dataclass(frozen=True, slots=True)
class LabelColumns:
    """Under which names a row holds its parts; `None` means the first of the usual ones."""

    text: str | None = None
    label: str | None = None
    references: str | None = None
    question: str | None = None

    def __post_init__(self) -> None:
        named = [name for name in (self.text, self.label, self.references) if name is not None]
        if len(set(named)) < len(named):
            raise CalibrationError("`text`, `label` and `references` must name different columns.")


@dataclass(frozen=True, slots=True)
class LabelledRow:
    """A text, whether a person calls it supported, and its references or a recorded score.

    `group` is the same for rows with the same references: they are not independent.
    """

    number: int
    text: str
    supported: bool
    references: References | None
    question: str | None
    score: float | None
    group: str


@dataclass(slots=True)
class RowCounts:
    """How many rows were left out, and how many have only a recorded score."""

    unlabelled: int = 0
    other_checks: int = 0
    unjudged: int = 0
    recorded: int = 0


def read_labelled_rows(
    source: str | Path | Iterable[Mapping[str, Any]], columns: LabelColumns, counts: RowCounts
) -> Iterator[LabelledRow]:
    """Yield the labelled rows of a file or of mappings, one at a time, and count the others."""
    name = str(source) if isinstance(source, str | Path) else "the rows"
    reader = _Reader(columns, counts)
    for row in _table(source):
        try:
            labelled = reader.read(row)
        except Mistake as error:
            raise CalibrationError(
                f"Row {row.number} of {name} cannot be used: {clip(str(error), 400)}"
            ) from error
        if labelled is not None:
            yield labelled


def _table(source: str | Path | Iterable[Mapping[str, Any]]) -> Iterator[TableRow]:
    if isinstance(source, str | Path):
        yield from read_table(Path(source))
        return
    for number, data in enumerate(source, 1):
        is_row = isinstance(data, Mapping)
        yield TableRow(number, dict(data) if is_row else None, None if is_row else "not a mapping")


@dataclass(slots=True)
class _Reader:
    """Reads rows, and remembers their ids."""

    columns: LabelColumns
    counts: RowCounts
    _numbers: dict[bytes, int] = field(default_factory=dict)

    def read(self, row: TableRow) -> LabelledRow | None:
        """Return the row, or `None` if it is counted among those that are left out."""
        if row.data is None:
            raise CalibrationError(row.broken or "it holds no row")
        data = row.data
        label = self._label(data)
        if is_unlabelled(label):
            self.counts.unlabelled += 1
            return None
        if not _is_of_entailment(data):
            self.counts.other_checks += 1
            return None
        self._remember(data.get("id"), row.number)
        named = (self.columns.text, self.columns.references, self.columns.question)
        # A statement beside an answer is a part of it.
        usual = next((name for name in _TEXT.names[:2] if data.get(name) is not None), None)
        part = _TEXT.named(self.columns.text or usual, named)
        key, text = part.find(data)
        if key is None:
            raise CalibrationError(f"it has no text under {part.missing(data)}")
        if not isinstance(text, str):
            raise CalibrationError(f"its text is {_kind(text)}, not text")
        _, question = QUESTION.named(self.columns.question, named).find(data)
        if question is not None and not isinstance(question, str):
            raise CalibrationError(f"its question is {_kind(question)}, not text")
        part = REFERENCES.named(self.columns.references, named)
        key, references = part.find(data, read_references)
        score = _score(data.get("score"))
        if references is None:
            if score is None or self.columns.references not in (None, *data):
                raise CalibrationError(f"it has no references under {part.missing(data)}")
            self.counts.recorded += 1
        supported = _is_supported(label)
        group = _group(references, data.get("id"), row.number)
        return LabelledRow(row.number, text, supported, references, question, score, group)

    def _remember(self, id_: Any, number: int) -> None:
        """Refuse an id that an earlier row has."""
        if id_ is None:
            return
        key = _digest(json.dumps(id_, sort_keys=True, default=str))
        if (earlier := self._numbers.setdefault(key, number)) != number:
            raise CalibrationError(
                f"it has the same id as row {earlier}, {clip(str(id_), 60)!r}. Each text is "
                "labelled once."
            )

    def _label(self, data: Mapping[str, Any]) -> Any:
        part = _LABEL.named(self.columns.label, ())
        if (key := next((name for name in part.names if name in data), None)) is None:
            raise CalibrationError(f"it has no label under {part.missing(data)}")
        return data[key]


def _is_of_entailment(data: Mapping[str, Any]) -> bool:
    """Return whether a row is not the verdict of a check that asks no NLI engine."""
    verdict = data.get("verdict")
    return not isinstance(verdict, Mapping) or verdict.get("label") in set(Label)


def _is_supported(label: Any) -> bool:
    supported = says_supported(label)
    if supported is not None:
        return supported
    shown = clip(repr(label), 60)
    raise CalibrationError(
        f"its label is {shown}; a label is 'supported' or 'unsupported', true or false"
    )


def _score(value: Any) -> float | None:
    """Return a recorded score; a cell of CSV holds it as text."""
    if value is None:
        return None
    try:
        score = float(value) if isinstance(value, int | float | str) else math.nan
    except (ValueError, OverflowError):
        score = math.nan
    if isinstance(value, bool) or not 0.0 <= score <= 1.0:
        raise CalibrationError(f"its score is {clip(repr(value), 60)}; a score is from 0 to 1")
    return score


def _group(references: References | None, id_: Any, number: int) -> str:
    """Return a short name of what a row shares with rows that are not independent of it."""
    if references is not None:
        return _digest("\0".join(references.texts)).hex()
    # The review mode names a verdict by its answer and a number: "answer 7#2".
    answer = id_.rpartition("#")[0] if isinstance(id_, str) else ""
    return f"id {answer}" if answer else f"row {number}"


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).digest()


def _kind(value: Any) -> str:
    return "missing" if value is None else f"of type {type(value).__name__}"
