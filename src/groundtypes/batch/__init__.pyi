from groundtypes.batch.audit_rows import AuditRows as AuditRows
from groundtypes.batch.schema import verdict_schema as verdict_schema

__all__ = [
    "AuditRows",
    "verdict_schema",
]
