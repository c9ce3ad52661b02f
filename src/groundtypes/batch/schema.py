"""The columns that an audit adds to a table, with their types."""

from typing import Any, Final

try:
    import pyarrow as pa
except ImportError as error:
    raise ImportError("groundtypes.batch needs pyarrow: pip install 'groundtypes[parquet]'") from (
        error
    )

#: The names of the columns, without a prefix; `verdicts` is replaced where they are flat.
COLUMNS: Final = ("ok", "verdicts", "faults", "error", "value")

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
#: What a flat column has of each verdict, and its type.
FLAT_FIELDS: Final[dict[str, Any]] = {
    "check": pa.string(),
    "ok": pa.bool_(),
    "loc": pa.string(),
    "slug": pa.string(),
    "message": pa.string(),
    "label": pa.string(),
    "score": pa.float64(),
    "threshold": pa.float64(),
    "reference": pa.string(),
    "start": pa.int64(),
    "end": pa.int64(),
    "reason": pa.string(),
    "dropped": pa.bool_(),
    "tokens": pa.int64(),
}


def verdict_schema(*, flat: bool = False, prefix: str = "") -> pa.Schema:
    """Return the schema of the columns that `AuditRows` adds, which depends on its options only.

    - `ok` (bool): the answer was judged, and holds.
    - `verdicts` (list of structs): every verdict, with the fields of `groundtypes.Verdict`.
    - `faults` (list of text): the slug of each failing verdict.
    - `error` (text): why the row could not be judged; null if it was.
    - `value` (text): the validated answer as JSON; null if the answer does not hold.

    Args:
        flat: Have in the place of `verdicts` one list for each field of a verdict: `verdict_check`,
            `verdict_ok`, `verdict_loc` (steps joined by dots), `verdict_slug`, `verdict_message`,
            `verdict_label`, `verdict_score`, `verdict_threshold`, `verdict_reference`,
            `verdict_start`, `verdict_end`, `verdict_reason`, `verdict_dropped`, `verdict_tokens`.
            The lists of one row are equally long.
        prefix: Text before the name of each column.
    """
    verdicts = (
        [(f"verdict_{name}", pa.list_(type_)) for name, type_ in FLAT_FIELDS.items()]
        if flat
        else [("verdicts", pa.list_(VERDICT))]
    )
    columns = [
        ("ok", pa.bool_()),
        *verdicts,
        ("faults", pa.list_(pa.string())),
        ("error", pa.string()),
        ("value", pa.string()),
    ]
    return pa.schema([(prefix + name, type_) for name, type_ in columns])
