"""Tests of a pipeline that answers from documents, with the plugin of pytest.

    pip install 'groundtypes[nli]' pytest
    pytest cookbook/grounded_tests.py

One test fails on purpose: its message shows what the answer says and what the document says.
"""

from typing import Any

import pytest
from pydantic import BaseModel

from groundtypes import Grounded, Quote, References
from groundtypes.pytest_plugin import GroundReferences
from groundtypes.testing import assert_grounded

HANDBOOK = {
    "notice": "The notice period is three months. It begins at the end of a calendar month.",
    "leave": "Every employee has 28 days of paid leave a year.",
}


class Finding(BaseModel):
    """One thing that the handbook says."""

    statement: str
    quote: Quote


class Answer(Grounded):
    """What the pipeline returns."""

    findings: list[Finding]


def pipeline(question: str) -> dict[str, Any]:
    """Stand in for a pipeline: retrieval, an LLM, and its answer as plain data."""
    quote = "notice period is three months" if "notice" in question else "30 days of paid leave"
    return {"findings": [{"statement": "See the quote.", "quote": quote}]}


@pytest.fixture
def handbook(grounded_references: GroundReferences) -> References:
    """Give the handbook to every validation of a test."""
    return grounded_references(HANDBOOK)


@pytest.mark.usefixtures("handbook")
def test_the_notice_period_is_quoted() -> None:
    """The quote stands in the handbook, and so do the figures."""
    answer = Answer.model_validate(pipeline("What is the notice period?"))  # without a context
    assert_grounded(answer, figures=True)


@pytest.mark.usefixtures("handbook")
def test_the_paid_leave_is_quoted() -> None:
    """Fails: the pipeline says 30 days, the handbook 28."""
    assert_grounded(pipeline("How much paid leave is there?"), model=Answer)
