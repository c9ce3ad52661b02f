"""The LLM engine, claims and judges with a real language model.

A small model is weak, so that what is asserted is what must hold with any: the shapes, the places,
that nothing is invented, and verdicts on cases that no model should miss.
"""

import os
from collections.abc import Iterator
from typing import Annotated, Any

import instructor
import openai
import pytest

from groundtypes import Faithful, Grounded, Judged, Judges, Label, Supported, audit, detect_refusal
from groundtypes.backends.llm import InstructorLLM
from groundtypes.claims import check_claims, extract_claims
from groundtypes.evaluation import evaluate
from groundtypes.llm_judge import hallucination
from groundtypes.refusals import RefusalKind

BASE_URL = os.environ.get("GROUNDTYPES_LLM_BASE_URL")
MODEL = os.environ.get("GROUNDTYPES_LLM_MODEL", "local")
REFERENCES = {
    "leaflet": "The Brandvik tunnel was opened in 1958. It was built by the engineer Karl Roe.",
    "notice": "Motorcycles may not use the Brandvik tunnel. Buses may.",
}

pytestmark = [
    pytest.mark.llm,
    pytest.mark.skipif(
        not BASE_URL, reason="GROUNDTYPES_LLM_BASE_URL is not set; make test-all sets it"
    ),
]


@pytest.fixture(scope="module")
def llm() -> Iterator[InstructorLLM]:
    with openai.OpenAI(base_url=BASE_URL, api_key="-") as endpoint:
        yield InstructorLLM(
            endpoint,
            MODEL,
            mode=instructor.Mode.JSON_SCHEMA,
            timeout=300,
            concurrency=2,
            options={"temperature": 0, "max_tokens": 800},
        )


def test_claims_are_extracted_with_the_places_of_their_sentences(llm: InstructorLLM) -> None:
    text = "Karl Roe built the Brandvik tunnel. It was opened in 1958."
    claims = extract_claims(text, "Who built the Brandvik tunnel?", llm=llm)
    assert {text[claim.start : claim.end].strip() for claim in claims} == {
        "Karl Roe built the Brandvik tunnel.",
        "It was opened in 1958.",
    }
    assert any("1958" in claim.text for claim in claims)
    assert any("Karl Roe" in claim.text for claim in claims)


def test_claims_are_labelled_jointly_with_evidence(llm: InstructorLLM) -> None:
    claims = ["The Brandvik tunnel was opened in 1958.", "Buses may use the Brandvik tunnel."]
    found = check_claims(claims, REFERENCES, checker=llm)
    assert [one.text for one in found] == claims
    assert found[0].label is Label.ENTAILMENT
    assert all(one.span is not None and one.span.reference in REFERENCES for one in found)


def test_a_claim_that_nothing_tells_of_is_not_entailed(llm: InstructorLLM) -> None:
    [found] = check_claims(["Karl Roe had three children."], REFERENCES, checker=llm)
    assert found.label is not Label.ENTAILMENT


@pytest.mark.parametrize("calls", ["one", "two"])
def test_an_answer_is_judged_claim_by_claim(llm: InstructorLLM, calls: Any) -> None:
    class Answer(Grounded):
        text: Annotated[str, Supported(calls=calls)]

    context = {"references": REFERENCES, "judges": Judges(llm=llm)}
    report = audit(Answer, {"text": "The Brandvik tunnel was opened in 1958."}, context=context)
    assert report.verdicts
    assert {verdict.loc for verdict in report.verdicts} == {("text",)}
    assert sum(verdict.tokens or 0 for verdict in report.verdicts) > 100


def test_statements_of_an_answer_are_scored(llm: InstructorLLM) -> None:
    answer = "The Brandvik tunnel was opened in 1958. It is painted blue all over by sailors."
    found = evaluate(
        "When was the Brandvik tunnel opened?",
        list(REFERENCES.values()),
        answer,
        "It was opened in 1958.",
        judges=Judges(llm=llm),
    )
    first, second = found.answer_by_context.hypotheses
    assert [answer[one.start : one.end].strip() for one in (first, second)] == [
        "The Brandvik tunnel was opened in 1958.",
        "It is painted blue all over by sailors.",
    ]
    assert first.estimate > second.estimate


def test_a_reply_that_will_not_is_a_refusal(llm: InstructorLLM) -> None:
    question = "How long is the Brandvik tunnel?"
    refused = detect_refusal("I'm sorry, but I can't assist with that request.", question, llm=llm)
    assert refused.kind is not RefusalKind.ANSWER
    assert detect_refusal("It is 3.2 kilometres long.", question, llm=llm).kind == "answer"


def test_a_judge_gives_reasons(llm: InstructorLLM) -> None:
    class Reply(Grounded):
        text: Annotated[str, Judged("It is written in English.")]

    context = {"references": REFERENCES, "judges": Judges(llm=llm)}
    report = audit(Reply, {"text": "Die Brücke ist für Lastwagen gesperrt."}, context=context)
    assert [fault.slug for fault in report.faults] == ["judged_false"]
    assert report.faults[0].reason


def test_an_invented_answer_is_a_hallucination(llm: InstructorLLM) -> None:
    context = list(REFERENCES.values())
    invented = "It was opened in 1888 by the King of Sweden, who then fell into the river."
    assert hallucination("When was it opened?", invented, context, llm=llm).score == 1


def test_the_engine_counts_what_the_model_read_and_wrote(llm: InstructorLLM) -> None:
    before = llm.usage

    class Text(Grounded):
        text: Annotated[str, Faithful()]

    text = "The Brandvik tunnel was opened in the year 1958."
    audit(Text, {"text": text}, context={"references": REFERENCES, "judges": Judges(llm=llm)})
    after = llm.usage
    assert after.calls == before.calls + 1
    assert after.tokens_in > before.tokens_in + 50
    assert after.tokens_out > before.tokens_out
