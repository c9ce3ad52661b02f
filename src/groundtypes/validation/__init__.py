"""Validation as users call it: `Grounded`, `verify`, `audit`, and their variants for many answers.

Each of them runs the rounds of `groundtypes.rounds`: validate, collect the questions of all checks,
settle them in one batch, validate again. `verify` then returns the value or raises the error,
`audit` returns an `Audit` with all verdicts, and `Grounded` does the same as `verify` inside of
`model_validate`, for frameworks that call validation themselves.
"""

from groundtypes.validation.audits import Audit
from groundtypes.validation.grounded import Grounded
from groundtypes.validation.many_answers import (
    aaudit_many,
    aiter_audits,
    audit_many,
    averify_many,
    iter_audits,
    verify_many,
)
from groundtypes.validation.one_answer import aaudit, audit, averify, verify

__all__ = [
    "Audit",
    "Grounded",
    "aaudit",
    "aaudit_many",
    "aiter_audits",
    "audit",
    "audit_many",
    "averify",
    "averify_many",
    "iter_audits",
    "verify",
    "verify_many",
]
