"""Tables of rows in, the same tables with verdicts out: one callable for every batch engine.

`AuditRows` is what Ray Data, Spark, Daft, Hugging Face `datasets`, pandas and Polars call with one
batch of rows after the other. `frames` reads and makes the kinds of tables, `cells` reads their
values, `reading` finds the answer and the context of each row, `judging` audits them, and `schema`
and `columns` say and make what comes out.

The names below are imported when they are first used, because they need pyarrow.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from groundtypes.batch.audit_rows import AuditRows as AuditRows
    from groundtypes.batch.schema import verdict_schema as verdict_schema

__all__ = ["AuditRows", "verdict_schema"]

#: Where each name is defined.
_MODULES: Final = {
    "AuditRows": "groundtypes.batch.audit_rows",
    "verdict_schema": "groundtypes.batch.schema",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'groundtypes.batch' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
