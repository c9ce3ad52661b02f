"""What an audit adds to a table: the result of each row, and the columns that are made of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa

from groundtypes.dataset.check.row_auditor import Item, type_adapter
from groundtypes.errors import ContextError, Mistake
from groundtypes.judges import Judges
from groundtypes.rounds.row_mistakes import RowMistakes, failure_reason
from groundtypes.row_files.json_lines import SURROGATE
from groundtypes.text.message_excerpts import clip
from groundtypes.validation.audits import Audit
from groundtypes.validation.many_answers import audit_batch
from groundtypes.verdicts import Verdict

try:
    import pyarrow as pa
except ImportError as error:
    raise ImportError("groundtypes.batch needs pyarrow: pip install 'groundtypes[parquet]'") from (
        error
    )

#: A place in a reference; `page` is text, because pages have numbers or labels such as "iv".
SPAN: Final = pa.struct(
    [
        ("reference", pa.string()),
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("page", pa.string()),
        ("place", pa.string()),
    ]
)
#: A verdict; the fields are those of `groundtypes.Verdict`, and `loc` has its steps as text.
VERDICT: Final = pa.struct(
    [
        ("check", pa.string()),
        ("ok", pa.bool_()),
        ("loc", pa.list_(pa.string())),
        ("slug", pa.string()),
        ("message", pa.string()),
        ("label", pa.string()),
        ("score", pa.float64()),
        ("threshold", pa.float64()),
        ("span", SPAN),
        ("reason", pa.string()),
        ("dropped", pa.bool_()),
        ("tokens", pa.int64()),
        ("part", pa.struct([("start", pa.int64()), ("end", pa.int64())])),
        ("citations", pa.list_(pa.string())),
        ("spans", pa.list_(SPAN)),
    ]
)


def verdict_schema(*, prefix: str = "") -> pa.Schema:
    """Return the schema of the columns that `AuditRows` adds, which depends on its options only.

    - `ok` (bool): the answer was judged, and holds.
    - `verdicts` (list of structs): every verdict, with the fields of `groundtypes.Verdict`.
    - `faults` (list of text): the slug of each failing verdict.
    - `error` (text): why the row could not be judged; null if it was.
    - `value` (text): the validated answer as JSON; null if the answer does not hold.

    Args:
        prefix: Text before the name of each column.
    """
    columns = [
        ("ok", pa.bool_()),
        ("verdicts", pa.list_(VERDICT)),
        ("faults", pa.list_(pa.string())),
        ("error", pa.string()),
        ("value", pa.string()),
    ]
    return pa.schema([(prefix + name, type_) for name, type_ in columns])


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


def result_table(results: Sequence[RowResult], schema: pa.Schema) -> pa.Table:
    """Return the columns of `schema`, which `verdict_schema` made."""
    columns: list[list[Any]] = [
        [result.ok for result in results],
        [list(map(_nested, result.verdicts)) for result in results],
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
        return SURROGATE.sub("\ufffd", data)
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


class RowJudge:
    """Audits answers of one model."""

    def __init__(self, model: Any, judges: Judges | None) -> None:
        self._model = model
        self._adapter = type_adapter(model)
        self._judges = {} if judges is None else {"judges": judges}

    def judge(self, items: Sequence[Item], *, has_questions: bool) -> list[RowResult]:
        """Return the result of each answer; all of them share the engines' batches.

        A check that needs a question cannot judge a row without one. If the table
        `has_questions`, that is the row's; if not, it is a mistake.
        """
        if not items:
            return []
        lacks_questions = has_questions and all("question" not in item.context for item in items)
        answers = [item.answer for item in items]
        contexts = [{**item.context, **self._judges} for item in items]
        try:
            audits = audit_batch(self._model, answers, contexts, RowMistakes())
            for audit in audits:
                if isinstance(audit.mistake, ContextError) and not has_questions:
                    raise audit.mistake
        except Mistake as mistake:
            if isinstance(mistake, ContextError) and lacks_questions:
                return [RowResult.unjudged(failure_reason(mistake))] * len(items)
            mistake.add_note(f"while rows {items[0].number} to {items[-1].number} were judged")
            raise
        return [self._result(audit) for audit in audits]

    def _result(self, audit: Audit[Any]) -> RowResult:
        if audit.mistake is not None:
            return RowResult.unjudged(failure_reason(audit.mistake))
        if not audit.ok:
            return RowResult(ok=False, verdicts=audit.verdicts)
        try:
            value = self._adapter.dump_json(audit.value, by_alias=True, warnings=False).decode()
        except Exception as raised:  # noqa: BLE001 # a user's own serializer may raise anything
            reason = f"the answer cannot be written as JSON: {clip(str(raised), 200)}"
            return RowResult(ok=False, verdicts=audit.verdicts, error=reason)
        return RowResult(ok=True, verdicts=audit.verdicts, value=value)
