"""pydantic-evals reports whether each check holds, and why not."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import TypeAdapter

from groundtypes import Check, Judges, NLIScores, Pair, Verdict
from groundtypes.models import EntailedAnswer
from tests.integrations.platforms.answers import REFERENCES, RIGHT, WRONG, Answer, Broken, needs

pytestmark = needs("pydantic_evals")


@dataclass
class WithKey:
    """An engine of a service."""

    api_key: str

    def score(self, pairs: Sequence[Pair], /) -> list[NLIScores]:
        raise NotImplementedError


def evaluated(evaluator: Any, outputs: dict[str, Any], **case: Any) -> list[Any]:
    from pydantic_evals import Case, Dataset  # noqa: PLC0415

    cases = [Case(name=name, inputs=name, **case) for name in outputs]
    dataset = Dataset(name="answers", cases=cases, evaluators=[evaluator])
    report = dataset.evaluate_sync(lambda name: outputs[name], progress=False)
    return sorted(report.cases, key=lambda each: each.name)


def test_each_check_is_an_assertion_with_its_reason() -> None:
    from groundtypes.integrations.pydantic_evals import GroundedEvaluator  # noqa: PLC0415

    outputs = {"right": {"quote": RIGHT}, "wrong": {"quote": WRONG}}
    right, wrong = evaluated(
        GroundedEvaluator(Answer), outputs, metadata={"references": REFERENCES}
    )
    assert (right.assertions["Quoted"].value, right.assertions["Quoted"].reason) == (True, None)
    assert wrong.assertions["Quoted"].value is False
    assert "1898" in wrong.assertions["Quoted"].reason


def test_the_output_may_be_an_instance_and_the_references_come_from_a_function() -> None:
    from groundtypes.integrations.pydantic_evals import GroundedEvaluator  # noqa: PLC0415

    given = Answer.model_validate({"quote": RIGHT}, context={"references": REFERENCES})
    seen = []

    def references(ctx: Any) -> list[str]:
        seen.append(ctx.inputs)
        return REFERENCES

    [case] = evaluated(GroundedEvaluator(Answer, references=references), {"one": given})
    assert case.assertions["Quoted"].value is True
    assert seen == ["one"]


def test_inputs_that_are_a_text_are_the_question() -> None:
    from groundtypes.integrations.pydantic_evals import GroundedEvaluator  # noqa: PLC0415

    asked = []

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Asking(Check):
        def judge(self, value: str, case: Any) -> Verdict:
            asked.append(case.question)
            return self.holds()

    evaluator = GroundedEvaluator(TypeAdapter(Annotated[str, Asking()]))
    evaluated(evaluator, {"How wide?": "9 m"}, metadata={"references": REFERENCES})
    assert set(asked) == {"How wide?"}


def test_references_may_be_in_the_expected_output() -> None:
    from groundtypes.integrations.pydantic_evals import GroundedEvaluator  # noqa: PLC0415

    given = {"references": REFERENCES}
    outputs = {"one": {"quote": WRONG, "references": [WRONG]}}
    [case] = evaluated(GroundedEvaluator(Answer), outputs, expected_output=given)
    assert case.assertions["Quoted"].value is False


def test_a_report_is_json_without_the_keys_of_engines(tmp_path: Path) -> None:
    from pydantic_evals import Case, Dataset  # noqa: PLC0415
    from pydantic_evals.reporting import EvaluationReportAdapter  # noqa: PLC0415

    from groundtypes.integrations.pydantic_evals import GroundedEvaluator  # noqa: PLC0415

    evaluator = GroundedEvaluator(Answer, judges=Judges(nli=WithKey("sk-1")))
    case = Case(name="one", inputs="When?", metadata={"references": REFERENCES})
    dataset = Dataset[str, Any, Any](name="answers", cases=[case], evaluators=[evaluator])
    report = dataset.evaluate_sync(lambda _: {"quote": WRONG}, progress=False)
    written = EvaluationReportAdapter.dump_json(report).decode()
    assert '"model":"Answer"' in written
    dataset.to_file(tmp_path / "answers.json", custom_evaluator_types=[GroundedEvaluator])
    stored = (tmp_path / "answers.json").read_text(encoding="utf-8")
    assert "GroundedEvaluator" in stored
    assert "sk-1" not in written + repr(report) + stored


def test_what_cannot_be_judged_is_a_failure_of_the_evaluator() -> None:
    from groundtypes.integrations.pydantic_evals import GroundedEvaluator  # noqa: PLC0415

    evaluator = GroundedEvaluator(EntailedAnswer, judges=Judges(nli=Broken()))
    outputs = {"one": {"answer": RIGHT}, "two": {"answer": WRONG}}
    cases = evaluated(evaluator, outputs, metadata={"references": REFERENCES})
    assert [case.assertions for case in cases] == [{}, {}]
    assert all("TimeoutError" in case.evaluator_failures[0].error_message for case in cases)
