"""Shares of labels over the claims of many answers."""

from typing import Any

import pytest

from groundtypes import Judges, Label, audit
from groundtypes.errors import (
    BackendError,
    ContextError,
    MissingJudgeError,
    MissingReferencesError,
)
from groundtypes.evaluation import EvaluationRow, aggregate, compare, evaluate_claims
from groundtypes.models import SupportedAnswer
from groundtypes.prompts.response_models import StatementLabel, Statements
from groundtypes.scoring import Question
from groundtypes.testing import ScriptedLLM, ScriptedNLI

TOWER = "The tower was finished in 1889. It is 330 metres tall."
GOOD, BAD, OPEN = "It was finished in 1889.", "It was finished in 1902.", "It is painted brown."


def labelling() -> ScriptedLLM:
    """Return an LLM that labels three sentences."""

    def rule(question: Question) -> Any:
        lines = question.content.split("[sentences ")[1].split("[end ")[0].splitlines()[1:]
        return Statements(
            labels=[
                StatementLabel(
                    sentence=number,
                    label="supported"
                    if GOOD in line
                    else "contradicted"
                    if BAD in line
                    else "not stated",
                    passage=1,
                )
                for number, line in enumerate(lines, 1)
            ]
        )

    return ScriptedLLM(rule)


def row(*sentences: str, context: Any = TOWER) -> EvaluationRow:
    return EvaluationRow(None, context, " ".join(sentences))


def test_each_answer_has_its_shares_and_all_calls_go_out_together() -> None:
    llm = labelling()
    rows = [row(GOOD, BAD), row(GOOD), row(GOOD, OPEN, BAD, BAD)]
    found = evaluate_claims(iter(rows), judges=Judges(llm=llm))
    assert [one.shares and list(one.shares.values()) for one in found] == [
        [0.5, 0.0, 0.5],
        [1.0, 0.0, 0.0],
        pytest.approx([1 / 3, 1 / 3, 1 / 3]),
    ]
    assert len(llm.batches) == 1
    assert found[0].verdicts[0].span is not None


def test_means_count_each_answer_once_and_runs_are_compared() -> None:
    rows = [row(GOOD, BAD), row(GOOD), row("!!!")]
    judges = Judges(llm=labelling())
    found = evaluate_claims(rows, judges=judges)
    assert found[2].shares is None
    means = aggregate(found)
    assert (means["entailed"].mean, means["entailed"].rows) == (0.75, 2)
    assert means["contradicted"].mean == 0.25
    better = evaluate_claims([row(GOOD), row(GOOD), row("!!!")], judges=judges)
    assert compare(found, better)["entailed"].mean == 0.25


def test_an_audit_has_the_shares_of_its_checks() -> None:
    context = {"references": TOWER, "judges": Judges(llm=labelling())}
    found = audit(SupportedAnswer, {"answer": f"{GOOD} {OPEN}"}, context=context)
    assert found.shares == {
        "Supported": {Label.ENTAILMENT: 0.5, Label.NEUTRAL: 0.5, Label.CONTRADICTION: 0.0}
    }
    assert audit(SupportedAnswer, {"answer": "..."}, context=context).shares == {}


def test_a_row_that_cannot_be_judged_is_a_mistake() -> None:
    judges = Judges(llm=labelling())
    with pytest.raises(MissingReferencesError):
        evaluate_claims([row(GOOD, context=None)], judges=judges)
    with pytest.raises(ContextError, match="answer"):
        evaluate_claims([EvaluationRow(None, TOWER, None)], judges=judges)  # type: ignore[arg-type]
    with pytest.raises(MissingJudgeError):
        evaluate_claims([row(GOOD)], judges=Judges(nli=ScriptedNLI()))


def test_an_outage_is_a_mistake() -> None:
    def broken(question: Question) -> Any:
        raise RuntimeError("down")

    with pytest.raises(BackendError):
        evaluate_claims([row(GOOD)], judges=Judges(llm=ScriptedLLM(broken)))
