"""Judges of whole texts: a rule, faithfulness, alignment."""

import asyncio
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError, model_validator

from groundtypes import Aligned, Faithful, Grounded, Judged, Judges, audit, verify
from groundtypes.errors import MarkerError, MissingJudgeError
from groundtypes.llm_judge import ahallucination, hallucination
from groundtypes.prompts.response_models import Alignment, Judgement
from groundtypes.scoring import Question
from groundtypes.testing import ScriptedLLM

RULE = "It names no person."
CONTEXT = ["France is a country in Western Europe. Its capital is Paris."]


class Polite(Grounded):
    text: Annotated[str, Judged(RULE)]


class Honest(Grounded):
    text: Annotated[str, Faithful()]


def judge(*, holds: bool, reasons: tuple[str, ...] = ("It names Ida Moe.",)) -> ScriptedLLM:
    return ScriptedLLM(lambda _: Judgement(holds=holds, reasons=list(reasons)))


def context(llm: Any, **more: Any) -> dict[str, Any]:
    return {"references": CONTEXT, "judges": Judges(llm=llm), **more}


@pytest.mark.parametrize(
    ("model", "slug"), [(Polite, "judged_false"), (Honest, "unfaithful")], ids=["rule", "faithful"]
)
def test_the_reasons_of_the_judge_stand_in_the_error(model: Any, slug: str) -> None:
    found = audit(model, {"text": "Ida Moe drew it."}, context=context(judge(holds=False)))
    assert [(v.slug, v.loc) for v in found.faults] == [(slug, ("text",))]
    assert "It names Ida Moe." in str(found.error)
    assert found.faults[0].tokens == 15


def test_a_rule_that_holds_keeps_the_reasons_in_its_verdict() -> None:
    found = audit(Polite, {"text": "It was drawn."}, context=context(judge(holds=True)))
    assert found.ok
    assert found.verdicts[0].reason == "It names Ida Moe."


def test_a_rule_needs_no_references_unless_it_asks_for_them() -> None:
    llm = judge(holds=True)
    assert verify(Polite, {"text": "It was drawn."}, context={"judges": Judges(llm=llm)})
    assert "Paris" not in llm.batches[0][0].content

    class Informed(Grounded):
        text: Annotated[str, Judged("It names the capital of the references.", references=True)]

    verify(Informed, {"text": "Paris."}, context=context(llm))
    assert "Paris. Its" not in llm.batches[-1][0].content
    assert "Its capital is Paris." in llm.batches[-1][0].content


def test_the_rule_stands_in_the_schema_for_the_llm_that_answers() -> None:
    assert RULE in Polite.model_json_schema()["properties"]["text"]["description"]


@pytest.mark.parametrize("rule", ["", "  \n"])
def test_a_rule_without_words_is_a_mistake(rule: str) -> None:
    with pytest.raises(MarkerError):
        Judged(rule)


def test_a_judge_that_is_not_there_is_a_mistake() -> None:
    with pytest.raises(MissingJudgeError):
        verify(Polite, {"text": "It was drawn."}, context={"references": CONTEXT})


def test_two_rules_on_one_value_both_tell() -> None:
    class Twice(Grounded):
        text: Annotated[str, Judged("It is short."), Judged("It is polite.")]

    llm = judge(holds=False)
    found = audit(Twice, {"text": "Ida Moe drew it."}, context=context(llm))
    assert [v.slug for v in found.faults] == ["judged_false"] * 2
    assert len(llm.batches) == 1


# --- hallucination --------------------------------------------------------------------------


@pytest.mark.parametrize(("holds", "score"), [(True, 0), (False, 1)])
def test_a_hallucination_scores_one(holds: bool, score: int) -> None:
    llm = judge(holds=holds)
    found = hallucination("What is the capital?", "Paris.", CONTEXT, llm=llm)
    assert (found.score, found.reasons, found.tokens) == (score, ("It names Ida Moe.",), 15)
    asked = llm.batches[0][0].content
    assert asked.index(CONTEXT[0]) < asked.index("What is the capital?") < asked.rindex("Paris.")


def test_the_asynchronous_twin_says_the_same() -> None:
    found = asyncio.run(ahallucination("", "Paris.", CONTEXT, llm=judge(holds=False)))
    assert found.score == 1


def test_long_references_are_shown_as_the_passages_that_bear_on_the_text() -> None:
    llm = judge(holds=True)
    filler = [f"Filler number {n} says nothing of it. " * 40 for n in range(60)]
    hallucination("", "The capital is Paris.", [*filler, *CONTEXT], llm=llm)
    content = llm.batches[0][0].content
    assert CONTEXT[0] in content
    assert len(content) < 40_000


# --- alignment ------------------------------------------------------------------------------


class Cited(BaseModel):
    answer: str
    citations: list[str]


class Whole(Grounded):
    answer: str
    citations: list[str]

    _aligned = model_validator(mode="after")(Aligned())


@Aligned()
class Decorated(Grounded):
    answer: str
    citations: list[str]


class Derived(Decorated):
    note: str = ""


class Outer(Grounded):
    inner: Decorated


VALUE = {"answer": "It is Paris.", "citations": ["Its capital is Paris."]}


def aligned(*, question: bool = True, citations: bool = True) -> ScriptedLLM:
    found = Alignment(
        reasons=["It is about the moon."],
        answers_question=question,
        citations_support_answer=citations,
    )
    return ScriptedLLM(lambda _: found)


@pytest.mark.parametrize(
    "model", [Whole, Decorated, Derived, TypeAdapter(Annotated[Cited, Aligned()])]
)
def test_alignment_is_judged_on_the_whole_model(model: Any) -> None:
    llm = aligned()
    assert verify(model, VALUE, context=context(llm, question="Which city?"))
    asked = llm.batches[0][0].content
    assert "[citation 1 " in asked
    assert "Which city?" in asked


@pytest.mark.parametrize(
    ("llm", "slugs"),
    [
        (aligned(question=False), ["question_missed"]),
        (aligned(citations=False), ["misaligned"]),
        (aligned(question=False, citations=False), ["question_missed", "misaligned"]),
    ],
    ids=["another question", "other citations", "both"],
)
def test_each_way_of_being_misaligned_has_its_fault(llm: ScriptedLLM, slugs: list[str]) -> None:
    found = audit(Whole, VALUE, context=context(llm, question="Which city?"))
    assert [v.slug for v in found.faults] == slugs
    assert all("It is about the moon." in (v.message or "") for v in found.faults)


def test_a_decorated_class_is_judged_wherever_it_is_used() -> None:
    for model, value in ((Outer, {"inner": VALUE}), (list[Decorated], [VALUE])):
        found = audit(model, value, context=context(aligned(citations=False)))
        assert [v.slug for v in found.faults] == ["misaligned"]
    with pytest.raises(ValidationError):
        Derived.model_validate(VALUE, context=context(aligned(citations=False)))
    assert Decorated.model_json_schema()["title"] == "Decorated"


def test_only_grounded_classes_are_decorated() -> None:
    with pytest.raises(MarkerError, match="Grounded"):
        Aligned()(Cited)


def test_lines_of_the_instructions_are_no_reasons() -> None:
    copied = "Give short reasons that name the words at fault; then both verdicts."
    found = Alignment(
        reasons=[copied, f"{copied}\nIt is about the moon."],
        answers_question=True,
        citations_support_answer=False,
    )
    [fault] = audit(Whole, VALUE, context=context(ScriptedLLM(lambda _: found))).faults
    assert fault.reason == "It is about the moon."


def test_without_a_question_none_can_be_missed() -> None:
    assert audit(Whole, VALUE, context=context(aligned(question=False))).ok


def test_an_answer_that_cites_nothing_is_not_even_asked_about() -> None:
    llm = aligned()
    found = audit(Whole, {"answer": "Paris.", "citations": []}, context=context(llm))
    assert [v.slug for v in found.faults] == ["uncited"]
    assert llm.calls == 0


def test_citations_may_stand_deeper_and_under_another_name() -> None:
    class Statement(BaseModel):
        body: str
        proof: str

    class Statements(BaseModel):
        statements: Annotated[list[Statement], Aligned(citations="proof")]

    llm = aligned()
    value = {"statements": [{"body": "It is Paris.", "proof": "Its capital is Paris."}]}
    assert audit(Statements, value, context=context(llm)).ok
    assert "[citation 1 " in llm.batches[0][0].content


def test_the_answer_of_the_judge_is_a_question_of_its_own_type() -> None:
    kinds: list[type[BaseModel]] = []

    def rule(question: Question) -> Any:
        kinds.append(question.response_model)
        return aligned().rule(question)

    audit(Whole, VALUE, context=context(ScriptedLLM(rule)))
    assert kinds == [Alignment]
