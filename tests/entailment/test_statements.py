"""Statements on everyday texts, written by somebody who had read only the page on entailment.

The shares are those that the shipped model reaches, rounded: a later one has to be as good.
"""

import json
from functools import cache
from pathlib import Path
from typing import Annotated

import pytest

from groundtypes import Entailed, Grounded, audit_many

pytest.importorskip("onnxruntime")

STATEMENTS = Path(__file__).parent / "data" / "statements.jsonl"


class Answer(Grounded):
    text: Annotated[str, Entailed()]


@cache
def judged() -> list[tuple[str, bool, bool]]:
    """Return the kind of each statement, whether it is supported, and whether it is accepted."""
    rows = [json.loads(line) for line in STATEMENTS.read_text(encoding="utf-8").splitlines()]
    contexts = [{"references": row["references"], "question": row["question"]} for row in rows]
    audits = audit_many(Answer, [{"text": row["text"]} for row in rows], context=contexts)
    return [
        (row["kind"], row["supported"], report.ok) for row, report in zip(rows, audits, strict=True)
    ]


def accepted(kind: str, *, supported: bool) -> float:
    """Return the share of the statements of a kind that are accepted."""
    outcomes = [ok for name, true, ok in judged() if name.startswith(kind) and true == supported]
    return sum(outcomes) / len(outcomes)


def test_what_stands_word_for_word_is_entailed() -> None:
    assert accepted("verbatim", supported=True) == 1.0


def test_a_negation_of_what_stands_there_is_not_entailed() -> None:
    assert accepted("negation", supported=False) <= 0.1


def test_instructions_and_markup_in_a_statement_do_not_entail_it() -> None:
    assert accepted("injection", supported=False) == 0.0
    assert accepted("html", supported=False) == 0.0


def test_few_statements_that_do_not_follow_are_accepted() -> None:
    assert accepted("", supported=False) <= 0.24
    assert accepted("paraphrase", supported=False) <= 0.14


def test_most_statements_that_follow_are_accepted() -> None:
    assert accepted("", supported=True) >= 0.65
    assert accepted("copy", supported=True) >= 0.9
