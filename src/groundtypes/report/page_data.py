"""A row as the plain data that the page's script reads, written to the page as JSON.

`row_data` gives an answer its fields, and its verdicts with the places that they point at. Offsets
are in units of UTF-16, as JavaScript counts.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from groundtypes.references import References, Span
from groundtypes.report.judged_spans import TextSpan, judged_spans
from groundtypes.report.reference_texts import TextTable, Utf16Offsets
from groundtypes.report.report_rows import (
    FieldValue,
    ReportRow,
    ShownAnswer,
    field_values,
    locate,
)
from groundtypes.report.word_diff import word_diff
from groundtypes.scoring import Label
from groundtypes.text.message_excerpts import clip
from groundtypes.verdicts import Loc, Verdict, loc_pattern

#: Bounds on what is shown of one answer. Lengths are in characters.
_MAX_FIELD_LENGTH: Final = 50_000
_MAX_PLACE_LENGTH: Final = 400
_MAX_FIELDS: Final = 1_000
_MAX_VERDICTS: Final = 1_000
#: The bound on the texts that are compared word by word.
_MAX_COMPARED_LENGTH: Final = 2_000
#: The characters by which evidence is extended where a span starts or ends inside a word.
_MAX_WORD_REST: Final = 40
#: A quote with one of these labels holds, but is not spelled as the reference spells it.
_RESPELLED: Final = ("normalised", "fuzzy")
_NLI_LABELS: Final = frozenset(Label)
#: Keys whose value is written even where it is empty or zero.
_KEPT_WHEN_EMPTY: Final = ("answer", "text", "field", "score", "threshold")


def row_data(row: ReportRow, table: TextTable) -> dict[str, Any]:
    """Return the row as plain data; the texts of its references are put into the table."""
    spans = [
        span
        for verdict in row.answer.verdicts
        for span in (verdict.span, *verdict.spans)
        if span is not None
    ]
    shown = table.add(row.references, spans)
    return _without_empty(
        {
            "id": row.id,
            "state": row.state,
            "question": None if row.question is None else clip(row.question, _MAX_FIELD_LENGTH),
            "error": row.error,
            "seconds": row.seconds,
            "references": shown.data,
            "left_out": shown.left_out,
            "answer": _AnswerData(row.answer, row.references, shown.place).to_dict(),
        }
    )


@dataclass(slots=True)
class _Field:
    """A field of the page: a value, or a place above several that has verdicts of its own."""

    path: Loc
    value: FieldValue | None
    offsets: Utf16Offsets

    def to_dict(self) -> dict[str, Any]:
        """Return plain data; `group` is the list item that the field belongs to."""
        group = self.path[:-1]
        while group and not isinstance(group[-1], int):
            group = group[:-1]
        value = self.value
        return _without_empty(
            {
                "path": _place_name(self.path),
                "group": _place_name(group),
                "text": None if value is None else value.text[:_MAX_FIELD_LENGTH],
                "cut": 0 if value is None else max(0, len(value.text) - _MAX_FIELD_LENGTH),
                "plain": value is not None and not value.is_text,
            }
        )


class _AnswerData:
    """An answer, with the fields and verdicts of it that the page shows."""

    def __init__(
        self,
        shown: ShownAnswer,
        references: References,
        place_in_reference: Callable[[Span], list[int] | None],
    ) -> None:
        self._shown = shown
        self._references = references
        self._place_in_reference = place_in_reference
        answer = shown.answer
        values = [] if answer is None else list(islice(field_values(answer), _MAX_FIELDS + 1))
        self._has_more_fields = len(values) > _MAX_FIELDS
        del values[_MAX_FIELDS:]
        self.values = {value.path: value for value in values}
        self._verdicts = _shown_verdicts(shown.verdicts)
        #: The path of the field of each verdict.
        self._paths = [locate(answer, verdict.loc)[0] for verdict in self._verdicts]
        self._fields = _fields(values, self._paths)
        self._field_numbers = {field.path: number for number, field in enumerate(self._fields)}
        self._judged_spans = self._find_judged_spans()

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return _without_empty(
            {
                "ok": self._shown.ok,
                "unjudged": not self._shown.is_judged,
                "fields": [field.to_dict() for field in self._fields],
                "verdicts": [self._verdict_data(number) for number in range(len(self._verdicts))],
                "cut": self._has_more_fields,
                "unshown": len(self._shown.verdicts) - len(self._verdicts),
            }
        )

    def _find_judged_spans(self) -> list[TextSpan | None]:
        """Return for each verdict the part of its field that it is about, where that is known."""
        by_path: dict[Loc, list[int]] = {}
        for number, path in enumerate(self._paths):
            by_path.setdefault(path, []).append(number)
        spans: list[TextSpan | None] = [None] * len(self._paths)
        for path, numbers in by_path.items():
            value = self.values.get(path)
            if value is None or not value.is_text:
                continue
            verdicts = [self._verdicts[number] for number in numbers]
            parts = judged_spans(value.text, verdicts, self._references)
            for number, span in zip(numbers, parts, strict=True):
                spans[number] = span
        return spans

    def _verdict_data(self, number: int) -> dict[str, Any]:
        verdict, path, judged = (
            self._verdicts[number],
            self._paths[number],
            self._judged_spans[number],
        )
        field = self._fields[self._field_numbers[path]]
        claimed, passage = self._compared_texts(verdict, path, judged)
        diff = None
        if claimed and passage:
            diff = (
                word_diff(claimed, passage)
                if _compares_words(verdict)
                else ([(claimed, False)], [(passage, False)])
            )
        return _without_empty(
            {
                "check": verdict.check,
                "ok": verdict.ok,
                "dropped": verdict.dropped,
                "doubt": verdict.decision == "review",
                "field": self._field_numbers[path],
                "place": loc_pattern(verdict.loc),
                "loc": None if verdict.loc == path else _place_name(verdict.loc),
                "part": None if judged is None else field.offsets.span(*judged),
                "label": verdict.label,
                "slug": verdict.slug,
                "score": _rounded(verdict.score),
                "threshold": _rounded(verdict.threshold),
                "message": verdict.message,
                "reason": verdict.reason,
                "evidence": self._evidence(verdict.span, path),
                "further": [
                    place
                    for span in verdict.spans
                    if span != verdict.span and (place := self._evidence(span, path)) is not None
                ],
                "claimed": diff[0] if diff else ([[claimed, False]] if claimed else None),
                "passage": diff[1] if diff else None,
            }
        )

    def _compared_texts(
        self, verdict: Verdict, path: Loc, judged: TextSpan | None
    ) -> tuple[str, str]:
        """Return the text that was judged and the evidence, where they are shown side by side."""
        value = self.values.get(path)
        if value is None:
            return "", ""
        text = value.text if judged is None else value.text[slice(*judged)]
        passage = "" if verdict.span is None else self._evidence_words(verdict.span, path)
        if verdict.ok:
            given_path, given = locate(self._shown.given, path)
            if given_path == path and isinstance(given, str):
                text = given
            if verdict.label not in _RESPELLED or text == passage:
                return "", ""
        return clip(text, _MAX_COMPARED_LENGTH), clip(passage, _MAX_COMPARED_LENGTH)

    def _evidence_words(self, span: Span, path: Loc) -> str:
        """Return the text of a span, extended to whole words."""
        if span.reference in self._references:
            text = self._references[span.reference].text
        else:
            sibling = self._sibling(span, path)
            text = "" if sibling is None else sibling.text
        start, end = min(span.start, len(text)), min(span.end, len(text))
        first, last = max(0, start - _MAX_WORD_REST), min(len(text), end + _MAX_WORD_REST)
        while start > first and text[start - 1].isalnum() and text[start : start + 1].isalnum():
            start -= 1
        while end < last and text[end].isalnum() and text[end - 1 : end].isalnum():
            end += 1
        return text[start:end]

    def _sibling(self, span: Span, path: Loc) -> FieldValue | None:
        """Return the field that the evidence is in, which the span names relative to this one."""
        steps: Loc = tuple(
            int(step) if step.isdecimal() and len(step) < 9 else step
            for step in span.reference.split(".")
        )
        return self.values.get((*path[:-1], *steps))

    def _evidence(self, span: Span | None, path: Loc) -> list[Any] | None:
        """Return where the evidence is: in a reference, or in a field of the answer."""
        if span is None:
            return None
        if span.reference in self._references:
            place = self._place_in_reference(span)
            return None if place is None else ["reference", *place]
        value = self._sibling(span, path)
        if value is None or value.path not in self._field_numbers or span.start >= len(value.text):
            return None
        number = self._field_numbers[value.path]
        return ["field", number, 0, *self._fields[number].offsets.span(span.start, span.end)]


def _compares_words(verdict: Verdict) -> bool:
    """Return whether words decided; the passage of an entailment or a citation has others."""
    is_citation = bool(verdict.citations) or (verdict.slug or "").startswith("citation")
    return verdict.label not in _NLI_LABELS and not is_citation


def _shown_verdicts(verdicts: Sequence[Verdict]) -> Sequence[Verdict]:
    """Return the verdicts that are shown, in their order; of too many, faults are preferred."""
    if len(verdicts) <= _MAX_VERDICTS:
        return verdicts
    faults_first = sorted(range(len(verdicts)), key=lambda number: verdicts[number].ok)
    return [verdicts[number] for number in sorted(faults_first[:_MAX_VERDICTS])]


def _fields(values: Sequence[FieldValue], paths: Iterable[Loc]) -> list[_Field]:
    """Return a field for each value, and for each path that has verdicts but is above values."""
    fields = [
        _Field(value.path, value, Utf16Offsets(value.text[:_MAX_FIELD_LENGTH])) for value in values
    ]
    known = {value.path for value in values}
    for path in dict.fromkeys(paths):
        if path not in known:
            below = (
                number for number, field in enumerate(fields) if field.path[: len(path)] == path
            )
            fields.insert(next(below, len(fields)), _Field(path, None, Utf16Offsets("")))
    return fields


def _place_name(loc: Loc) -> str:
    """Return a place of an answer as text, such as `facts.0.quote`."""
    return clip(".".join(map(str, loc)), _MAX_PLACE_LENGTH)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _without_empty(data: dict[str, Any]) -> dict[str, Any]:
    """Return the data without empty and false values, because a page has thousands of them."""
    return {
        key: value
        for key, value in data.items()
        if value or (value is not None and key in _KEPT_WHEN_EMPTY)
    }
