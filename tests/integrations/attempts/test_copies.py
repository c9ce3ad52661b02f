"""Audits and kept answers are copied and pickled without the engines of their context."""

import copy
import pickle

import pytest

from groundtypes import audit, keep_valid
from groundtypes.errors import ContextError
from tests.integrations.attempts.test_keep_valid import CONTEXT, FALSE, Report, fact, keep, report


def test_a_copy_of_an_audit_needs_the_model_and_the_context() -> None:
    whole = audit(Report, report(facts=[fact(FALSE)]), context=CONTEXT)
    pickled = pickle.loads(pickle.dumps(whole))  # noqa: S301 # its own
    for copied in (copy.deepcopy(whole), pickled):
        with pytest.raises(ContextError, match=r"keep_valid\(audit, Model, context=\.\.\.\)"):
            keep_valid(copied)
        assert keep_valid(copied, Report, context=CONTEXT).value.facts == []


def test_a_kept_answer_can_be_copied() -> None:
    kept = keep(Report, report(facts=[fact(FALSE)]))
    assert pickle.loads(pickle.dumps(kept)) == kept  # noqa: S301 # its own
