from groundtypes.batch.audit_rows import AuditRows as AuditRows
from groundtypes.batch.verdict_columns import verdict_schema as verdict_schema

__all__ = [
    "AuditRows",
    "verdict_schema",
]
