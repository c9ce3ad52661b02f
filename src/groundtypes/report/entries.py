"""A row as the page's script reads it: fields, verdicts with their places, what changed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from groundtypes.errors import clip
from groundtypes.references import References, Span
from groundtypes.report.difference import difference
from groundtypes.report.leaves import Leaf, follow, leaves
from groundtypes.report.parts import Part, parts
from groundtypes.report.rows import Attempt, Finding, Row
from groundtypes.report.summary import starred
from groundtypes.report.texts import Texts, Units
from groundtypes.verdicts import Loc

__all__ = ["entry", "place_name"]

#: The longest text of a field that is shown, and the longest that is set beside another.
_FIELD: Final = 50_000
_COMPARED: Final = 2_000
_MOST_CHANGES: Final = 200
#: Fields and verdicts of one answer that are shown; a page is for reading.
_MOST_FIELDS: Final = 1_000
_MOST_VERDICTS: Final = 1_000
#: A quote of these labels holds, but was not spelled as the reference spells it.
_RESPELLED: Final = ("normalised", "fuzzy")
_KEPT_AT_ZERO: Final = ("text", "field", "score", "threshold")


def place_name(loc: Iterable[object]) -> str:
    """Return a place of an answer as text."""
    return ".".join(map(str, loc))


def entry(row: Row, texts: Texts) -> dict[str, Any]:
    """Return the row as plain data, its references put into the page's table of texts."""
    spans = [
        one.verdict.span
        for attempt in row.attempts
        for one in attempt.findings
        if one.verdict.span is not None
    ]
    shelf = texts.add(row.references, spans)
    shown = [_Shown(attempt, row.references, shelf.place) for attempt in row.attempts]
    before = [None, *shown[:-1]]
    data = {
        "id": row.id,
        "state": row.state,
        "question": None if row.question is None else clip(row.question, _FIELD),
        "error": row.error,
        "seconds": row.seconds,
        "references": shelf.data,
        "left_out": shelf.left_out,
        "attempts": [one.data(earlier) for one, earlier in zip(shown, before, strict=True)],
    }
    return _lean(data)


@dataclass(slots=True)
class _Field:
    """A field of the page: a leaf, or a place that holds others and has verdicts of its own."""

    path: Loc
    leaf: Leaf | None
    units: Units

    @property
    def data(self) -> dict[str, Any]:
        group = self.path[:-1]
        while group and not isinstance(group[-1], int):
            group = group[:-1]
        return _lean(
            {
                "path": clip(place_name(self.path), 400),
                "group": clip(place_name(group), 400),
                "text": None if self.leaf is None else self.leaf.text[:_FIELD],
                "cut": 0 if self.leaf is None else max(0, len(self.leaf.text) - _FIELD),
                "plain": self.leaf is not None and not self.leaf.is_text,
            }
        )


class _Shown:
    """An attempt as the page shows it."""

    def __init__(self, attempt: Attempt, references: References, place: Any) -> None:
        self._attempt = attempt
        self._references = references
        self._place = place
        answer = attempt.answer
        found = [] if answer is None else list(islice(leaves(answer), _MOST_FIELDS + 1))
        self._cut = len(found) > _MOST_FIELDS
        del found[_MOST_FIELDS:]
        self._findings = _foremost(attempt.findings)
        self.leaves = {leaf.path: leaf for leaf in found}
        self._at = [follow(answer, one.verdict.loc)[0] for one in self._findings]
        self._fields = _fields(found, self._at)
        self._numbers = {field.path: number for number, field in enumerate(self._fields)}
        self._parts = self._all_parts()

    def data(self, earlier: "_Shown | None") -> dict[str, Any]:
        """Return plain data; `earlier` is the attempt before this one."""
        return _lean(
            {
                "ok": self._attempt.ok,
                "fields": [field.data for field in self._fields],
                "verdicts": [self._verdict(at) for at in range(len(self._at))],
                "cut": self._cut,
                "unshown": len(self._attempt.findings) - len(self._findings),
                "changes": [] if earlier is None else _changes(earlier.leaves, self.leaves),
            }
        )

    def _all_parts(self) -> list[Part | None]:
        members: dict[Loc, list[int]] = {}
        for number, path in enumerate(self._at):
            members.setdefault(path, []).append(number)
        found: list[Part | None] = [None] * len(self._at)
        for path, numbers in members.items():
            leaf = self.leaves.get(path)
            if leaf is None or not leaf.is_text:
                continue
            verdicts = [self._findings[number].verdict for number in numbers]
            for number, part in zip(numbers, parts(leaf.text, verdicts), strict=True):
                found[number] = part
        return found

    def _verdict(self, number: int) -> dict[str, Any]:
        finding = self._findings[number]
        verdict, path, part = finding.verdict, self._at[number], self._parts[number]
        field = self._fields[self._numbers[path]]
        claimed, passage = self._compared(finding, path, part)
        pieces = difference(claimed, passage) if claimed and passage else None
        return _lean(
            {
                "check": verdict.check,
                "ok": verdict.ok,
                "dropped": verdict.dropped,
                "field": self._numbers[path],
                "place": starred(verdict.loc),
                "loc": None if verdict.loc == path else clip(place_name(verdict.loc), 400),
                "part": None if part is None else field.units.span(*part),
                "label": verdict.label,
                "slug": verdict.slug,
                "score": _rounded(verdict.score),
                "threshold": _rounded(verdict.threshold),
                "message": verdict.message,
                "reason": verdict.reason,
                "seconds": finding.seconds,
                "evidence": self._evidence(verdict.span, path),
                "claimed": pieces[0] if pieces else ([[claimed, False]] if claimed else None),
                "passage": pieces[1] if pieces else None,
            }
        )

    def _compared(self, finding: Finding, path: Loc, part: Part | None) -> tuple[str, str]:
        """Return what was claimed and the words of the reference that bear on it."""
        verdict, leaf = finding.verdict, self.leaves.get(path)
        if leaf is None:
            return "", ""
        text = leaf.text if part is None else leaf.text[slice(*part)]
        passage = "" if verdict.span is None else self._words(verdict.span, path)
        if verdict.ok:
            given = follow(self._attempt.given, path)
            if given[0] == path and isinstance(given[1], str):
                text = given[1]
            if verdict.label not in _RESPELLED or text == passage:
                return "", ""
        return clip(text, _COMPARED), clip(passage, _COMPARED)

    def _words(self, span: Span, path: Loc) -> str:
        """Return the words of a span, completed where it cuts one."""
        if span.reference in self._references:
            text = self._references[span.reference].text
        else:
            beside = self._sibling(span, path)
            text = "" if beside is None else beside.text
        start, end = min(span.start, len(text)), min(span.end, len(text))
        floor, ceiling = max(0, start - 40), min(len(text), end + 40)
        while start > floor and text[start - 1].isalnum() and text[start : start + 1].isalnum():
            start -= 1
        while end < ceiling and text[end].isalnum() and text[end - 1 : end].isalnum():
            end += 1
        return text[start:end]

    def _sibling(self, span: Span, path: Loc) -> Leaf | None:
        """Return the field beside this one that the evidence stands in."""
        steps: Loc = tuple(
            int(step) if step.isdecimal() and len(step) < 9 else step
            for step in span.reference.split(".")
        )
        return self.leaves.get((*path[:-1], *steps))

    def _evidence(self, span: Span | None, path: Loc) -> list[Any] | None:
        """Return where the evidence is: in a reference, or in a field of the answer."""
        if span is None:
            return None
        if span.reference in self._references:
            place = self._place(span)
            return None if place is None else ["reference", *place]
        leaf = self._sibling(span, path)
        if leaf is None or leaf.path not in self._numbers or span.start >= len(leaf.text):
            return None
        number = self._numbers[leaf.path]
        return ["field", number, 0, *self._fields[number].units.span(span.start, span.end)]


def _foremost(findings: Sequence[Finding]) -> Sequence[Finding]:
    """Return the findings that are shown: of too many those of faults first, in their order."""
    if len(findings) <= _MOST_VERDICTS:
        return findings
    ranked = sorted(range(len(findings)), key=lambda at: (findings[at].verdict.ok, at))
    return [findings[at] for at in sorted(ranked[:_MOST_VERDICTS])]


def _fields(found: Sequence[Leaf], at: Sequence[Loc]) -> list[_Field]:
    """Return the leaves, and before its parts each place that has verdicts without being one."""
    fields = [_Field(leaf.path, leaf, Units(leaf.text[:_FIELD])) for leaf in found]
    known = {leaf.path for leaf in found}
    for path in dict.fromkeys(at):
        if path not in known:
            starts = (
                number for number, field in enumerate(fields) if field.path[: len(path)] == path
            )
            fields.insert(next(starts, len(fields)), _Field(path, None, Units("")))
    return fields


def _changes(before: Mapping[Loc, Leaf], after: Mapping[Loc, Leaf]) -> list[dict[str, Any]]:
    """Return the fields in which two attempts differ."""
    changes: list[dict[str, Any]] = []
    for path in dict.fromkeys((*before, *after)):
        old, new = (
            clip(leaves[path].text, _COMPARED) if path in leaves else None
            for leaves in (before, after)
        )
        if old == new:
            continue
        if len(changes) == _MOST_CHANGES:
            break
        change: dict[str, Any] = {"path": clip(place_name(path), 400)}
        if old is not None and new is not None:
            change["before"], change["after"] = difference(old, new)
        elif old is not None:
            change["before"] = [[old, True]]
        else:
            change["after"] = [[new, True]]
        changes.append(change)
    return changes


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _lean(data: dict[str, Any]) -> dict[str, Any]:
    """Return the data without what is empty or false: a page holds thousands of them."""
    return {
        key: value
        for key, value in data.items()
        if value or (value is not None and key in _KEPT_AT_ZERO)
    }
