"""Rows of plain data, in any form that the package writes, read for the page.

Rows may come from anywhere: what cannot be read is told on the page, and nothing is trusted to
have the type or the size that it should have.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic_core import from_json

from groundtypes.errors import Mistake, clip
from groundtypes.references import References, Span
from groundtypes.report.leaves import resolves
from groundtypes.verdicts import Loc, Verdict

__all__ = ["Attempt", "Finding", "Row", "State", "read_row"]

State = Literal["ok", "faulty", "broken"]

#: The keys that hold references, in the order in which they are looked for.
_REFERENCES: Final = ("references", "text_chunks", "context")
#: Keys of an audit's row that are no part of an answer.
_OWN: Final = frozenset(
    ("ok", "verdicts", "attempts", "seconds", "question", "line", "error", "id", *_REFERENCES)
)
_NAME: Final = 200
_MESSAGE: Final = 4_000
_MOST_ATTEMPTS: Final = 50


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict, and the seconds that it took where somebody measured them."""

    verdict: Verdict
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Attempt:
    """An answer and what was found in it.

    `given` is the answer as it came, where the one shown is what validation made of it.
    """

    answer: Any
    findings: tuple[Finding, ...]
    given: Any = None

    @property
    def ok(self) -> bool:
        """Whether nothing is at fault that was not dropped."""
        return all(one.verdict.ok or one.verdict.dropped for one in self.findings)


@dataclass(frozen=True, slots=True)
class Row:
    """One answer of the page, with every attempt at it; the last one counts."""

    id: str | None
    state: State
    attempts: tuple[Attempt, ...]
    references: References
    question: str | None = None
    error: str | None = None
    seconds: float | None = None


class _UnreadableError(Exception):
    """A row that holds no answer with verdicts; the message says why."""


def read_row(data: object) -> Row:
    """Return the row that plain data hold; what cannot be read becomes a broken row.

    A row is a mapping of one of these forms:

    1. `Audit.to_row`: `verdicts`, `value`, perhaps `answer` (as it was given), `references`,
       `question`;
    2. a line of `groundtypes check --rejected` or `--audits`: `verdicts` beside `row`, or beside
       `raw` where the line could not be read;
    3. a line of `--clean`: an answer beside its references, without verdicts.

    `id`, `attempts`, `seconds` and `error` may stand in each.
    """
    if not isinstance(data, Mapping):
        return _broken(None, "not an object", data)
    inner = data.get("row")
    beside = inner if isinstance(inner, Mapping) and "verdicts" in data else data
    id_ = _id(data, beside)
    try:
        _refuse_raw(data)
        references = _references(beside)
        attempts = _attempts(data, beside)
    except _UnreadableError as reason:
        shown = data.get("raw", data.get("raw_base64", beside))
        return _broken(id_, str(reason), shown)
    error = _text(data.get("error"))
    holds = data.get("ok", attempts[-1].ok) is True and error is None
    question = beside.get("question")
    return Row(
        id_,
        "ok" if holds else "faulty",
        attempts,
        references,
        question if isinstance(question, str) else None,
        error,
        _number(data.get("seconds")),
    )


def _broken(id_: str | None, error: str, shown: object) -> Row:
    return Row(id_, "broken", (Attempt(shown, ()),), References.of([]), error=clip(error, _MESSAGE))


def _refuse_raw(data: Mapping[Any, Any]) -> None:
    """Refuse what the command keeps of a line that it could not read."""
    if "raw" in data or "raw_base64" in data:
        raise _UnreadableError(_text(data.get("error")) or "no row")


def _id(data: Mapping[Any, Any], beside: Mapping[Any, Any]) -> str | None:
    for name, found in (("", beside.get("id")), ("", data.get("id")), ("line ", data.get("line"))):
        if isinstance(found, str | int) and not isinstance(found, bool):
            return clip(f"{name}{found}", _NAME)
    return None


def _references(beside: Mapping[Any, Any]) -> References:
    source = next((beside[key] for key in _REFERENCES if beside.get(key) is not None), ())
    try:
        return References.of(source)
    except Mistake as error:
        raise _UnreadableError(f"unreadable references: {clip(str(error), 300)}") from error


def _attempts(data: Mapping[Any, Any], beside: Mapping[Any, Any]) -> tuple[Attempt, ...]:
    found: list[Attempt] = []
    earlier = data.get("attempts", ())
    if not isinstance(earlier, Sequence) or isinstance(earlier, str | bytes):
        raise _UnreadableError("'attempts' is not a list")
    for number, one in enumerate(earlier[-_MOST_ATTEMPTS:]):
        if not isinstance(one, Mapping):
            raise _UnreadableError(f"attempt {number} is not an object")
        found.append(_attempt(one, one))
    if not found or "verdicts" in data or "value" in data:
        last = _attempt(data, beside)
        if not found or last != found[-1]:
            found.append(last)
    return tuple(found)


def _attempt(data: Mapping[Any, Any], beside: Mapping[Any, Any]) -> Attempt:
    findings = tuple(_findings(data.get("verdicts", ())))
    locs = [one.verdict.loc for one in findings]
    value = data.get("value")
    if beside is data and "value" in data:
        given = _opened(beside["answer"]) if beside.get("answer") is not None else None
    else:
        given = _given(beside, locs)
    # Validation takes dropped items out, so that places count in the answer as it was given.
    whole = value is not None and not any(one.verdict.dropped for one in findings)
    return Attempt(value, findings, given) if whole or given is None else Attempt(given, findings)


def _given(beside: Mapping[Any, Any], locs: Sequence[Loc]) -> Any:
    """Return the answer of a row whose model nobody knows: where the verdicts have their places.

    It stands under `answer`, as data or as JSON text, or is the rest of the row.
    """
    rest = {key: item for key, item in beside.items() if key not in _OWN}
    under = _opened(beside.get("answer"))
    if not isinstance(under, Mapping | list):
        return rest
    scores = [sum(resolves(one, loc) for loc in locs) for one in (under, rest)]
    return under if scores[0] >= scores[1] else rest


def _opened(answer: Any) -> Any:
    """Return what JSON text holds, and anything else as it is."""
    if isinstance(answer, str) and answer.lstrip().startswith(("{", "[")):
        try:
            return from_json(answer)
        except ValueError:
            return answer
    return answer


def _findings(source: Any) -> Iterator[Finding]:
    if not isinstance(source, list | tuple):
        raise _UnreadableError("'verdicts' is not a list")
    for number, one in enumerate(source):
        if not isinstance(one, Mapping):
            raise _UnreadableError(f"verdict {number} is not an object")
        yield Finding(_verdict(one), _number(one.get("seconds")))


def _verdict(data: Mapping[Any, Any]) -> Verdict:
    loc = data.get("loc")
    steps = loc if isinstance(loc, list | tuple) else ()
    return Verdict(
        check=_text(data.get("check"), _NAME) or "(unnamed)",
        ok=data.get("ok") is True,
        loc=tuple(
            step if isinstance(step, int) else clip(str(step), _NAME) for step in steps[:100]
        ),
        slug=_text(data.get("slug"), _NAME),
        message=_text(data.get("message")),
        label=_text(data.get("label"), _NAME),
        score=_number(data.get("score")),
        threshold=_number(data.get("threshold")),
        span=_span(data.get("span")),
        reason=_text(data.get("reason")),
        dropped=data.get("dropped") is True,
    )


def _span(data: Any) -> Span | None:
    if not isinstance(data, Mapping):
        return None
    reference, start, end = (data.get(key) for key in ("reference", "start", "end"))
    if not (type(start) is int and type(end) is int and 0 <= start < end):
        return None
    return Span(str(reference), start, end)


def _text(value: Any, limit: int = _MESSAGE) -> str | None:
    if value is None:
        return None
    return clip(value if isinstance(value, str) else json.dumps(value, default=str), limit)


def _number(value: Any) -> float | None:
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e15:
        return value if math.isfinite(value) else None
    return None
