"""A row of plain data, in any form that the package writes, read into a `ReportRow`.

Rows may come from anywhere: no value is trusted to have the expected type or size, and a row that
cannot be read becomes a broken one with the reason.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic_core import from_json

from groundtypes.errors import ContextError, Mistake
from groundtypes.references import References, Span
from groundtypes.references.row_keys import ANSWER, EXPECTED, QUESTION, REFERENCES
from groundtypes.references.spans import page_number
from groundtypes.text.fenced_json import json_text
from groundtypes.text.message_excerpts import clip
from groundtypes.verdicts import Loc, Verdict

#: Data nested more deeply than this is shown as JSON.
_MAX_DEPTH: Final = 60


@dataclass(frozen=True, slots=True)
class FieldValue:
    """A value that contains no others; `is_text` is false where `text` is its JSON."""

    path: Loc
    text: str
    is_text: bool


def field_values(answer: Any) -> Iterator[FieldValue]:
    """Yield the values of an answer that contain no others, in their order."""
    return _values_below(answer, ())


def _values_below(value: Any, path: Loc) -> Iterator[FieldValue]:
    if len(path) < _MAX_DEPTH and value:
        if isinstance(value, Mapping):
            for key, item in value.items():
                yield from _values_below(item, (*path, str(key)))
            return
        if isinstance(value, list | tuple):
            for number, item in enumerate(value):
                yield from _values_below(item, (*path, number))
            return
    if isinstance(value, str):
        yield FieldValue(path, value, is_text=True)
    else:
        yield FieldValue(path, _json(value), is_text=False)


def _json(value: Any) -> str:
    """Return a value as JSON, or its type where it is nested too deeply or has no JSON."""
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, TypeError, ValueError):
        return f"({type(value).__name__})"


def locate(answer: Any, loc: Loc) -> tuple[Loc, Any]:
    """Return the place in the answer that a `loc` points at, and the value there.

    A step that the answer does not have is skipped: Pydantic puts the tags of unions and of
    validators between the steps of the data, and a missing field belongs to its object.
    """
    path: Loc = ()
    for step in loc:
        if isinstance(answer, Mapping):
            key = next((key for key in (step, str(step)) if key in answer), None)
            if key is not None:
                path, answer = (*path, str(key)), answer[key]
        elif isinstance(answer, list | tuple) and isinstance(step, int) and -1 < step < len(answer):
            path, answer = (*path, step), answer[step]
    return path, answer


#: The longest name of a check, label, slug or row, in characters, and the longest message.
MAX_NAME: Final = 200
MAX_MESSAGE: Final = 4_000
_MAX_STEPS: Final = 100
#: The most references that a verdict cites, and the most places of its evidence.
_MAX_PLACES: Final = 100


def read_verdict(data: Mapping[Any, Any]) -> Verdict:
    """Return the verdict that `Verdict.to_dict`, or something like it, has written."""
    loc = data.get("loc")
    steps = loc if isinstance(loc, list | tuple) else ()
    return Verdict(
        check=read_text(data.get("check"), MAX_NAME) or "(unnamed)",
        ok=data.get("ok") is True,
        loc=tuple(
            step if isinstance(step, int) else clip(str(step), MAX_NAME)
            for step in steps[:_MAX_STEPS]
        ),
        slug=read_text(data.get("slug"), MAX_NAME),
        message=read_text(data.get("message")),
        label=read_text(data.get("label"), MAX_NAME),
        score=read_number(data.get("score")),
        threshold=read_number(data.get("threshold")),
        span=_read_span(data.get("span")),
        reason=read_text(data.get("reason")),
        dropped=data.get("dropped") is True,
        part=_read_part(data.get("part")),
        citations=_read_citations(data.get("citations")),
        spans=_read_spans(data.get("spans")),
        decision="review" if data.get("decision") == "review" else None,
    )


def read_text(value: Any, limit: int = MAX_MESSAGE) -> str | None:
    """Return a value as text of bounded length."""
    if value is None:
        return None
    return clip(value if isinstance(value, str) else _json(value), limit)


def read_number(value: Any) -> float | None:
    """Return a value if it is a finite number of ordinary size."""
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e15:
        return value if math.isfinite(value) else None
    return None


def _read_part(data: Any) -> tuple[int, int] | None:
    """Return start and end of a part of the value."""
    if not isinstance(data, list | tuple) or len(data) != 2:
        return None
    start, end = data
    return (start, end) if type(start) is int and type(end) is int and 0 <= start < end else None


def _read_citations(data: Any) -> tuple[str, ...]:
    listed = data if isinstance(data, list | tuple) else ()
    return tuple(clip(id_, MAX_NAME) for id_ in listed[:_MAX_PLACES] if isinstance(id_, str))


def _read_spans(data: Any) -> tuple[Span, ...]:
    listed = data if isinstance(data, list | tuple) else ()
    spans = (_read_span(item) for item in listed[:_MAX_PLACES])
    return tuple(span for span in spans if span is not None)


def _read_span(data: Any) -> Span | None:
    if not isinstance(data, Mapping):
        return None
    reference, start, end = (data.get(key) for key in ("reference", "start", "end"))
    if not (type(start) is int and type(end) is int and 0 <= start < end):
        return None
    place = data.get("place")
    known = place if isinstance(place, str) else None
    return Span(str(reference), start, end, page_number(data.get("page")), known)


State = Literal["ok", "faulty", "review", "unjudged", "broken"]

#: Keys of a row that are not part of its answer.
_NOT_ANSWER: Final = frozenset(
    (
        *("ok", "judged", "verdicts", "seconds", "line", "error", "id"),
        *(name for part in (REFERENCES, QUESTION, EXPECTED) for name in part.names),
    )
)


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """An answer with its verdicts.

    `answer` is what validation returned or, where that is unknown or items were dropped, the answer
    as given; only in the first case `given` may hold the answer as given. `is_judged` is false
    where there is no list of verdicts, not even an empty one: no check has seen the answer.
    """

    answer: Any
    verdicts: tuple[Verdict, ...]
    given: Any = None
    is_judged: bool = True

    @property
    def ok(self) -> bool:
        """Whether it was judged, and every fault belongs to an item that was dropped."""
        return self.is_judged and all(each.ok or each.dropped for each in self.verdicts)


@dataclass(frozen=True, slots=True)
class ReportRow:
    """An answer as the report reads it, with its references and where it is from."""

    id: str | None
    state: State
    answer: ShownAnswer
    references: References
    question: str | None = None
    error: str | None = None
    seconds: float | None = None


class _UnreadableError(Exception):
    """A row that has no answer with verdicts; the message says why."""


def read_row(data: object) -> ReportRow:
    """Return the row that plain data describe; data that cannot be read give a broken row.

    A row is a mapping of one of these forms:

    1. `Audit.to_row`: `verdicts`, `value`, perhaps `answer` (as it was given), `references`,
       `question`;
    2. a line of `groundtypes check --rejected` or `--audits`: `verdicts` beside `row`, or beside
       `raw` where the line could not be read;
    3. an answer beside its references, without verdicts, such as a line of `--clean`. It is
       unjudged: nothing in it tells it from an answer that no check has seen.

    Each may also have `id`, `seconds` and `error`, and in the first two forms `judged`, which is
    false where there is a mistake in the place of verdicts, and `decision`, which is "review" where
    a person should look at the answer.
    """
    if not isinstance(data, Mapping):
        return _broken(None, "not an object", data)
    inner = data.get("row")
    # The mapping that holds the answer: in form 2 it is not the one that holds the verdicts.
    holder = inner if isinstance(inner, Mapping) and "verdicts" in data else data
    id_ = _id(data, holder)
    try:
        _refuse_raw(data)
        is_read = "verdicts" in data  # what `check` has read, other keys are fields of its model
        references = _references(holder, first=is_read)
        _, question = QUESTION.find(holder, first=is_read)
        answer = _answer(data, holder)
    except (_UnreadableError, ContextError) as reason:
        content = data.get("raw", data.get("raw_base64", holder))
        return _broken(id_, str(reason), content)
    error = read_text(data.get("error"))
    return ReportRow(
        id_,
        _state(data, answer, error),
        answer,
        references,
        question if isinstance(question, str) else None,
        error,
        read_number(data.get("seconds")),
    )


def _state(data: Mapping[Any, Any], answer: ShownAnswer, error: str | None) -> State:
    if data.get("judged") is False:  # there is a mistake in the place of verdicts
        return "unjudged"
    if error is None and answer.is_judged and data.get("decision") == "review":
        return "review"
    if error is not None or data.get("ok") is False:
        return "faulty"
    if not answer.is_judged:
        return "unjudged"
    return "ok" if answer.ok and data.get("ok", True) is True else "faulty"


def _broken(id_: str | None, error: str, content: object) -> ReportRow:
    answer = ShownAnswer(content, ())
    return ReportRow(id_, "broken", answer, References.of([]), error=clip(error, MAX_MESSAGE))


def _refuse_raw(data: Mapping[Any, Any]) -> None:
    """Refuse a line that the command could not read and copied unchanged."""
    if "raw" in data or "raw_base64" in data:
        raise _UnreadableError(read_text(data.get("error")) or "no row")


def _id(data: Mapping[Any, Any], holder: Mapping[Any, Any]) -> str | None:
    candidates = (("", holder.get("id")), ("", data.get("id")), ("line ", data.get("line")))
    for prefix, value in candidates:
        if isinstance(value, str | int) and not isinstance(value, bool):
            return clip(f"{prefix}{value}", MAX_NAME)
    return None


def _references(holder: Mapping[Any, Any], *, first: bool) -> References:
    try:
        key, references = REFERENCES.find(holder, References.of, first=first)
    except ContextError:
        raise
    except Mistake as error:
        raise _UnreadableError(f"unreadable references: {clip(str(error), 300)}") from error
    return References.of([]) if key is None else references


def _answer(data: Mapping[Any, Any], holder: Mapping[Any, Any]) -> ShownAnswer:
    verdicts = tuple(_verdicts(data.get("verdicts", ())))
    is_judged = "verdicts" in data
    value = data.get("value")
    if holder is data and "value" in data:
        given = _parsed(holder["answer"]) if holder.get("answer") is not None else None
    else:
        given = _given(holder, [verdict.loc for verdict in verdicts])
    # Validation removes dropped items, but the places of verdicts count in the answer as given.
    has_all_items = value is not None and not any(verdict.dropped for verdict in verdicts)
    if has_all_items or given is None:
        return ShownAnswer(value, verdicts, given, is_judged)
    return ShownAnswer(given, verdicts, is_judged=is_judged)


def _given(holder: Mapping[Any, Any], locs: Sequence[Loc]) -> Any:
    """Return the answer in a row of an unknown model: the data that have the verdicts' places."""
    fields = {loc[0] for loc in locs if loc}
    rest = {key: item for key, item in holder.items() if key in fields or key not in _NOT_ANSWER}
    key, answer = (
        ("answer", holder["answer"]) if "answer" in holder else ANSWER.find(holder, first=True)
    )
    answer = _parsed(answer)
    if not isinstance(answer, Mapping | list):
        if key not in (None, "answer", *fields):  # it stands for the field `answer`
            rest["answer"] = rest.pop(key)
        return rest
    matches = [sum(len(locate(part, loc)[0]) for loc in locs) for part in (answer, rest)]
    return answer if matches[0] >= matches[1] else rest


def _parsed(answer: Any) -> Any:
    """Return the data that JSON text contains, and anything else as it is."""
    if (text := json_text(answer)) is not None:
        try:
            return from_json(text)
        except (ValueError, TypeError):  # a lone surrogate is a TypeError
            return answer
    return answer


def _verdicts(listed: Any) -> Iterator[Verdict]:
    if not isinstance(listed, list | tuple):
        raise _UnreadableError("'verdicts' is not a list")
    for number, item in enumerate(listed):
        if not isinstance(item, Mapping):
            raise _UnreadableError(f"verdict {number} is not an object")
        yield read_verdict(item)
