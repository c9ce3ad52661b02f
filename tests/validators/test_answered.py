"""`Answered` finds refusals and abstentions, and knows when an abstention is right."""

from typing import Annotated, Any

import pytest
from pydantic import BaseModel, ValidationError

from groundtypes import Answered, Grounded, Judges, NLIScores, Pair, audit, verify
from groundtypes.errors import ContextError, MissingJudgeError
from groundtypes.prompts.response_models import Judgement, ReplyKind
from groundtypes.scoring import Question
from groundtypes.testing import ENTAILED, NEUTRAL, ScriptedLLM, ScriptedNLI

REFUSAL = "I'm sorry, but I cannot help with that request."
ABSTENTION = "The documents do not mention when it was opened."
PARTIAL = (
    "I'm sorry, I cannot give legal advice. However, here is what the law says: it is allowed."
)
REFERENCES = {"guide": "The bridge was opened in 1932. It is painted every seven years."}


class Strict(Grounded):
    text: Annotated[str, Answered()]


class Lenient(Grounded):
    text: Annotated[str, Answered(allow_partial=True)]


class Honest(Grounded):
    text: Annotated[str, Answered(unless_unanswerable=True)]


class ByLLM(Grounded):
    text: Annotated[str, Answered(by_llm=True)]


class Listed(Grounded):
    texts: list[Annotated[str, Answered()]]


def _context(rule: Any = None, llm: Any = None, **more: Any) -> dict[str, Any]:
    engine = ScriptedNLI(rule or (lambda pair: NEUTRAL))
    return {
        "references": REFERENCES,
        "question": "When was the bridge opened?",
        "judges": Judges(nli=engine, llm=llm),
    } | more


@pytest.mark.parametrize("is_said", [False, True])
def test_an_abstention_beside_an_answer_is_right_unless_the_references_say_it(
    is_said: bool,
) -> None:
    asked = list[Pair]()

    def rule(pair: Pair) -> NLIScores:
        asked.append(pair)
        return ENTAILED if is_said else NEUTRAL

    text = "The bridge was opened in 1932. The documents do not say who designed it."
    report = audit(Honest, {"text": text}, context=_context(rule))
    assert {pair.hypothesis for pair in asked} == {"who designed it?"}
    assert [fault.label for fault in report.faults] == (["partial"] if is_said else [])


@pytest.mark.parametrize(
    ("text", "label"),
    [(REFUSAL, "refusal"), (ABSTENTION, "abstention"), ("", "abstention"), ("** **", "abstention")],
)
def test_what_does_not_answer_is_a_fault_with_its_kind(text: str, label: str) -> None:
    report = audit(Strict, {"text": text}, context=_context())
    [fault] = report.faults
    assert (fault.slug, fault.loc, fault.label) == ("refused", ("text",), label)


def test_an_answer_holds_and_is_labelled() -> None:
    report = audit(Strict, {"text": "It was opened in 1932."}, context=_context())
    assert report.ok
    assert [verdict.label for verdict in report.verdicts] == ["answer"]


def test_only_the_items_that_refuse_are_at_fault() -> None:
    with pytest.raises(ValidationError) as caught:
        verify(Listed, {"texts": ["It was opened in 1932.", REFUSAL]}, context=_context())
    assert [error["loc"] for error in caught.value.errors()] == [("texts", 1)]


def test_a_partial_answer_holds_where_it_is_allowed() -> None:
    def rule(question: Question) -> ReplyKind:
        return ReplyKind(reason="it answers after a refusal", kind="partial")

    class Both(Grounded):
        strict: Annotated[str, Answered(by_llm=True)]
        lenient: Annotated[str, Answered(by_llm=True, allow_partial=True)]

    context = _context(llm=ScriptedLLM(rule))
    report = audit(Both, {"strict": PARTIAL, "lenient": PARTIAL}, context=context)
    assert [fault.loc for fault in report.faults] == [("strict",)]
    assert {verdict.label for verdict in report.verdicts} == {"partial"}


def test_an_abstention_holds_where_the_references_lack_an_answer() -> None:
    report = audit(Honest, {"text": ABSTENTION}, context=_context())
    [verdict] = report.verdicts
    assert verdict.ok
    assert verdict.label == "abstention"
    assert verdict.reason is not None
    assert "NLI" in verdict.reason


def test_an_abstention_is_a_fault_where_a_reference_answers() -> None:
    def rule(pair: Pair) -> NLIScores:
        return ENTAILED if "1932" in pair.premise else NEUTRAL

    [fault] = audit(Honest, {"text": ABSTENTION}, context=_context(rule)).faults
    assert fault.slug == "refused"
    assert fault.span is not None
    assert fault.span.reference == "guide"
    assert "1932" in (fault.message or "")


def test_a_refusal_is_a_fault_also_where_the_references_lack_an_answer() -> None:
    [fault] = audit(Honest, {"text": REFUSAL}, context=_context()).faults
    assert fault.label == "refusal"


@pytest.mark.parametrize("holds", [True, False])
def test_the_llm_decides_what_is_answerable_where_there_is_one(holds: bool) -> None:
    nli = ScriptedNLI()
    llm = ScriptedLLM(lambda question: Judgement(reasons=["line one"], holds=holds))
    context = _context(judges=Judges(nli=nli, llm=llm))
    [verdict] = audit(Honest, {"text": ABSTENTION}, context=context).verdicts
    assert verdict.ok is not holds
    assert "LLM" in (verdict.reason or "")
    assert verdict.tokens == 15
    assert (llm.calls, nli.calls) == (1, 0)


def test_no_references_answer_nothing_and_no_engine_is_asked() -> None:
    context = _context(rule=lambda pair: pytest.fail("asked"), references=[])
    assert audit(Honest, {"text": ABSTENTION}, context=context).ok


def test_an_answer_asks_no_engine() -> None:
    context = _context(rule=lambda pair: pytest.fail("asked"))
    assert audit(Honest, {"text": "It was opened in 1932."}, context=context).ok


def test_to_judge_an_abstention_the_question_must_be_known() -> None:
    with pytest.raises(ContextError):
        audit(Honest, {"text": ABSTENTION}, context=_context(question=None))


def test_an_llm_that_is_not_there_is_a_mistake() -> None:
    with pytest.raises(MissingJudgeError):
        audit(ByLLM, {"text": REFUSAL}, context=_context())


def test_it_works_on_a_plain_model_without_references() -> None:
    class Plain(BaseModel):
        text: Annotated[str, Answered()]

    assert Plain(text="It was opened in 1932.").text
    with pytest.raises(ValidationError):
        Plain(text=REFUSAL)


def test_a_message_with_braces_is_shown_as_it_is() -> None:
    text = "I'm sorry, but I cannot help with {sentence} or {0}."
    [fault] = audit(Strict, {"text": text}, context=_context()).faults
    assert "{sentence} or {0}" in (fault.message or "")
