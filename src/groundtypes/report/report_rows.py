"""A row of plain data, in any form that the package writes, read into a `ReportRow`.

Rows may come from anywhere: no value is trusted to have the expected type or size, and a row that
cannot be read becomes a broken one with the reason.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic_core import from_json

from groundtypes.errors import Mistake
from groundtypes.references import References
from groundtypes.report.answer_fields import matching_steps
from groundtypes.report.verdict_data import (
    MAX_MESSAGE,
    MAX_NAME,
    read_number,
    read_text,
    read_verdict,
)
from groundtypes.text.fenced_json import json_text
from groundtypes.text.message_excerpts import clip
from groundtypes.verdicts import Loc, Verdict

State = Literal["ok", "faulty", "unjudged", "broken"]

#: The keys that may hold references, the preferred one first.
_REFERENCES: Final = ("references", "text_chunks", "context")
#: Keys of a row that are not part of its answer.
_NOT_ANSWER: Final = frozenset(
    (
        *("ok", "judged", "verdicts", "attempts", "seconds", "question", "line", "error", "id"),
        *_REFERENCES,
    )
)
_MAX_ATTEMPTS: Final = 50


@dataclass(frozen=True, slots=True)
class TimedVerdict:
    """A verdict, and the seconds that its check took where they were measured."""

    verdict: Verdict
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class ShownAttempt:
    """An answer with its verdicts.

    `answer` is what validation returned or, where that is unknown or items were dropped, the answer
    as given; only in the first case `given` may hold the answer as given. `is_judged` is false
    where there is no list of verdicts, not even an empty one: no check has seen the answer.
    """

    answer: Any
    verdicts: tuple[TimedVerdict, ...]
    given: Any = None
    is_judged: bool = True

    @property
    def ok(self) -> bool:
        """Whether it was judged, and every fault belongs to an item that was dropped."""
        return self.is_judged and all(
            timed.verdict.ok or timed.verdict.dropped for timed in self.verdicts
        )


@dataclass(frozen=True, slots=True)
class ReportRow:
    """An answer as the report reads it: every attempt at it, of which the last one counts."""

    id: str | None
    state: State
    attempts: tuple[ShownAttempt, ...]
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

    Each may also have `id`, `attempts`, `seconds` and `error`, and in the first two forms `judged`,
    which is false where there is a mistake in the place of verdicts.
    """
    if not isinstance(data, Mapping):
        return _broken(None, "not an object", data)
    inner = data.get("row")
    # The mapping that holds the answer: in form 2 it is not the one that holds the verdicts.
    holder = inner if isinstance(inner, Mapping) and "verdicts" in data else data
    id_ = _id(data, holder)
    try:
        _refuse_raw(data)
        references = _references(holder)
        attempts = _attempts(data, holder)
    except _UnreadableError as reason:
        content = data.get("raw", data.get("raw_base64", holder))
        return _broken(id_, str(reason), content)
    error = read_text(data.get("error"))
    question = holder.get("question")
    return ReportRow(
        id_,
        _state(data, attempts[-1], error),
        attempts,
        references,
        question if isinstance(question, str) else None,
        error,
        read_number(data.get("seconds")),
    )


def _state(data: Mapping[Any, Any], last: ShownAttempt, error: str | None) -> State:
    if data.get("judged") is False:  # there is a mistake in the place of verdicts
        return "unjudged"
    if error is not None or data.get("ok") is False:
        return "faulty"
    if not last.is_judged:
        return "unjudged"
    return "ok" if data.get("ok", last.ok) is True else "faulty"


def _broken(id_: str | None, error: str, content: object) -> ReportRow:
    attempts = (ShownAttempt(content, ()),)
    return ReportRow(id_, "broken", attempts, References.of([]), error=clip(error, MAX_MESSAGE))


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


def _references(holder: Mapping[Any, Any]) -> References:
    source = next((holder[key] for key in _REFERENCES if holder.get(key) is not None), ())
    try:
        return References.of(source)
    except Mistake as error:
        raise _UnreadableError(f"unreadable references: {clip(str(error), 300)}") from error


def _attempts(data: Mapping[Any, Any], holder: Mapping[Any, Any]) -> tuple[ShownAttempt, ...]:
    """Return the attempts, oldest first; the row's own answer is the last one."""
    listed = data.get("attempts", ())
    if not isinstance(listed, Sequence) or isinstance(listed, str | bytes):
        raise _UnreadableError("'attempts' is not a list")
    attempts: list[ShownAttempt] = []
    for number, item in enumerate(listed[-_MAX_ATTEMPTS:]):
        if not isinstance(item, Mapping):
            raise _UnreadableError(f"attempt {number} is not an object")
        attempts.append(_attempt(item, item))
    if not attempts or "verdicts" in data or "value" in data:
        last = _attempt(data, holder)
        if not attempts or last != attempts[-1]:
            attempts.append(last)
    return tuple(attempts)


def _attempt(data: Mapping[Any, Any], holder: Mapping[Any, Any]) -> ShownAttempt:
    verdicts = tuple(_verdicts(data.get("verdicts", ())))
    is_judged = "verdicts" in data
    value = data.get("value")
    if holder is data and "value" in data:
        given = _parsed(holder["answer"]) if holder.get("answer") is not None else None
    else:
        given = _given(holder, [timed.verdict.loc for timed in verdicts])
    # Validation removes dropped items, but the places of verdicts count in the answer as given.
    has_all_items = value is not None and not any(timed.verdict.dropped for timed in verdicts)
    if has_all_items or given is None:
        return ShownAttempt(value, verdicts, given, is_judged)
    return ShownAttempt(given, verdicts, is_judged=is_judged)


def _given(holder: Mapping[Any, Any], locs: Sequence[Loc]) -> Any:
    """Return the answer in a row of an unknown model: the data that have the verdicts' places.

    It is either under `answer`, as data or as JSON text, or the rest of the row.
    """
    rest = {key: item for key, item in holder.items() if key not in _NOT_ANSWER}
    answer = _parsed(holder.get("answer"))
    if not isinstance(answer, Mapping | list):
        return rest
    matches = [sum(matching_steps(candidate, loc) for loc in locs) for candidate in (answer, rest)]
    return answer if matches[0] >= matches[1] else rest


def _parsed(answer: Any) -> Any:
    """Return the data that JSON text contains, and anything else as it is."""
    if (text := json_text(answer)) is not None:
        try:
            return from_json(text)
        except (ValueError, TypeError):  # a lone surrogate is a TypeError
            return answer
    return answer


def _verdicts(listed: Any) -> Iterator[TimedVerdict]:
    if not isinstance(listed, list | tuple):
        raise _UnreadableError("'verdicts' is not a list")
    for number, item in enumerate(listed):
        if not isinstance(item, Mapping):
            raise _UnreadableError(f"verdict {number} is not an object")
        yield TimedVerdict(read_verdict(item), read_number(item.get("seconds")))
