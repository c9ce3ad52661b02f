"""The columns that an audit adds, made of what became of each row."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa

from groundtypes.batch.schema import FLAT_FIELDS
from groundtypes.verdicts import Verdict

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class RowResult:
    """What became of a row: its verdicts, or why it could not be judged.

    `value` is the validated answer as JSON text.
    """

    ok: bool
    verdicts: tuple[Verdict, ...] = ()
    error: str | None = None
    value: str | None = None

    @classmethod
    def unjudged(cls, reason: str) -> "RowResult":
        """Return the result of a row that could not be judged."""
        return cls(ok=False, error=reason)


def result_table(results: Sequence[RowResult], schema: pa.Schema, *, flat: bool) -> pa.Table:
    """Return the columns of `schema`, which `verdict_schema` made with the same `flat`."""
    columns: list[list[Any]] = [[result.ok for result in results]]
    if flat:
        rows = [list(map(_flat, result.verdicts)) for result in results]
        columns += ([[verdict[name] for verdict in row] for row in rows] for name in FLAT_FIELDS)
    else:
        columns.append([list(map(_nested, result.verdicts)) for result in results])
    columns += [
        [[_slug(verdict) for verdict in result.verdicts if not verdict.ok] for result in results],
        [result.error for result in results],
        [result.value for result in results],
    ]
    arrays = [_array(cells, field.type) for cells, field in zip(columns, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)


def _array(cells: list[Any], type_: Any) -> Any:
    try:
        return pa.array(cells, type_)
    except UnicodeEncodeError:  # the message of a user's own validator may hold anything
        return pa.array([_readable(cell) for cell in cells], type_)


def _readable(data: Any) -> Any:
    """Return plain data with U+FFFD for every lone surrogate, which UTF-8 cannot hold."""
    if isinstance(data, str):
        return _SURROGATE.sub("\ufffd", data)
    if isinstance(data, dict):
        return {key: _readable(value) for key, value in data.items()}
    return [_readable(item) for item in data] if isinstance(data, list) else data


def _slug(verdict: Verdict) -> str:
    return verdict.slug or "fails"


def _nested(verdict: Verdict) -> dict[str, Any]:
    data = verdict.to_dict()
    data["loc"] = [str(step) for step in verdict.loc]
    if verdict.part is not None:
        data["part"] = dict(zip(("start", "end"), verdict.part, strict=True))
    data["citations"] = list(verdict.citations)
    data["spans"] = [_span(span) for span in data.get("spans", ())]
    if data["span"] is not None:
        data["span"] = _span(data["span"])
    return data


def _span(span: Mapping[str, Any]) -> dict[str, Any]:
    page = span.get("page")
    return {**span, "page": None if page is None else str(page)}


def _flat(verdict: Verdict) -> dict[str, Any]:
    span = verdict.span
    return {
        "check": verdict.check,
        "ok": verdict.ok,
        "loc": ".".join(map(str, verdict.loc)),
        "slug": verdict.slug,
        "message": verdict.message,
        "label": verdict.label,
        "score": verdict.score,
        "threshold": verdict.threshold,
        "reference": None if span is None else span.reference,
        "start": None if span is None else span.start,
        "end": None if span is None else span.end,
        "reason": verdict.reason,
        "dropped": verdict.dropped,
        "tokens": verdict.tokens,
    }
