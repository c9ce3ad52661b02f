"""Shares of labels over the claims of many answers."""

from typing import Any

from groundtypes import Judges, Label, audit, audit_many
from groundtypes.evaluation import aggregate, compare
from groundtypes.models import SupportedAnswer
from groundtypes.prompts.response_models import StatementLabel, Statements
from groundtypes.scoring import Question
from groundtypes.testing import ScriptedLLM

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


def shares(*answers: str) -> list[dict[Label, float]]:
    context = {"references": TOWER, "judges": Judges(llm=labelling())}
    audits = audit_many(SupportedAnswer, [{"answer": each} for each in answers], context=context)
    return [found.shares.get("Supported", {}) for found in audits]


def test_means_count_each_answer_once_and_runs_are_compared() -> None:
    found = shares(f"{GOOD} {BAD}", GOOD, "!!!")
    assert found[2] == {}
    means = aggregate(found)
    assert (means["entailment"].mean, means["entailment"].rows) == (0.75, 2)
    assert means["contradiction"].mean == 0.25
    better = shares(GOOD, GOOD, "!!!")
    assert compare(found, better)["entailment"].mean == 0.25


def test_an_audit_has_the_shares_of_its_checks() -> None:
    context = {"references": TOWER, "judges": Judges(llm=labelling())}
    found = audit(SupportedAnswer, {"answer": f"{GOOD} {OPEN}"}, context=context)
    assert found.shares == {
        "Supported": {Label.ENTAILMENT: 0.5, Label.NEUTRAL: 0.5, Label.CONTRADICTION: 0.0}
    }
    assert audit(SupportedAnswer, {"answer": "..."}, context=context).shares == {}
