"""Validation as users call it: `Grounded`, `verify`, `audit` and their variants for many rows."""

from groundtypes.validation.audits import Audit
from groundtypes.validation.grounded import Grounded
from groundtypes.validation.verification import (
    aaudit,
    audit,
    audit_many,
    averify,
    iter_audits,
    verify,
    verify_many,
)

__all__ = [
    "Audit",
    "Grounded",
    "aaudit",
    "audit",
    "audit_many",
    "averify",
    "iter_audits",
    "verify",
    "verify_many",
]
