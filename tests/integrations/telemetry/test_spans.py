"""Each run of answers is a span, with what was asked for it; and there are metrics."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import pytest
from opentelemetry.trace import StatusCode, format_span_id
from pydantic import ValidationError

from groundtypes import (
    Faithful,
    Grounded,
    Judges,
    aaudit,
    aaudit_many,
    audit,
    audit_many,
    averify,
    averify_many,
    verify,
    verify_many,
)
from groundtypes.errors import BackendError
from groundtypes.integrations.telemetry import instrument
from groundtypes.judges import default_nli
from groundtypes.ledger import SettledCache, engines_replaced
from groundtypes.scoring import Pair
from groundtypes.testing import ENTAILED, ScriptedLLM, ScriptedNLI
from tests.integrations.telemetry.answers import BAD, GOOD, TOWER, Answer, DeadNLI, context
from tests.integrations.telemetry.emitted import Emitted, series


def test_a_span_says_what_was_asked_and_found(emitted: Emitted) -> None:
    audit(Answer, BAD, context=context())
    attributes = dict(emitted.span("audit Answer").attributes or {})
    assert attributes.pop("groundtypes.engines.seconds") >= 0  # type: ignore[operator]
    assert attributes == {
        "groundtypes.operation": "audit",
        "groundtypes.model": "Answer",
        "groundtypes.answers": 1,
        "groundtypes.answers.faulty": 1,
        "groundtypes.rounds": 2,
        "groundtypes.questions.asked": 1,
        "groundtypes.questions.cached": 0,
        "groundtypes.engines": ("ScriptedNLI",),
        "groundtypes.tokens": 0,
        "groundtypes.verdicts": 2,
        "groundtypes.faults": 2,
        "groundtypes.slugs": ("contradicted", "quote_altered"),
    }
    assert emitted.span("audit Answer").status.status_code is StatusCode.UNSET


def test_questions_that_were_asked_before_are_cached(emitted: Emitted) -> None:
    same = context()
    for _ in range(2):
        verify(Answer, GOOD, context=same)
    first, second = (dict(span.attributes or {}) for span in emitted.spans)
    assert (first["groundtypes.questions.asked"], first["groundtypes.questions.cached"]) == (1, 0)
    assert (second["groundtypes.questions.asked"], second["groundtypes.questions.cached"]) == (0, 1)
    assert second["groundtypes.engines"] == ()


def test_the_tokens_of_an_llm_are_counted(emitted: Emitted) -> None:
    class Reply(Grounded):
        text: Annotated[str, Faithful()]

    llm = ScriptedLLM(lambda question: question.response_model(holds=True, reasons=[]))
    audit(Reply, {"text": "It is grey."}, context=context(judges=Judges(llm=llm)))
    assert (emitted.span("audit Reply").attributes or {})["groundtypes.tokens"] == 15
    assert (emitted.span("audit Reply").attributes or {})["groundtypes.engines"] == ("ScriptedLLM",)


def run(awaitable: Callable[[], Awaitable[Any]]) -> Any:
    async def main() -> Any:
        return await awaitable()

    return asyncio.run(main())


@pytest.mark.parametrize(
    ("call", "name", "answers"),
    [
        (lambda: verify(Answer, GOOD, context=context()), "verify", 1),
        (lambda: audit(Answer, GOOD, context=context()), "audit", 1),
        (lambda: verify_many(Answer, [GOOD] * 3, context=context()), "verify_many", 3),
        (lambda: audit_many(Answer, [GOOD] * 3, context=context()), "audit_many", 3),
        (lambda: run(lambda: averify(Answer, GOOD, context=context())), "verify", 1),
        (lambda: run(lambda: aaudit(Answer, GOOD, context=context())), "audit", 1),
        (
            lambda: run(lambda: averify_many(Answer, [GOOD] * 3, context=context())),
            "verify_many",
            3,
        ),
        (lambda: run(lambda: aaudit_many(Answer, [GOOD] * 3, context=context())), "audit_many", 3),
        (lambda: Answer.model_validate(GOOD, context=context()), "validate", 1),
    ],
    ids=[
        "verify",
        "audit",
        "verify_many",
        "audit_many",
        "averify",
        "aaudit",
        "averify_many",
        "aaudit_many",
        "model_validate",
    ],
)
def test_every_call_has_a_span_under_the_span_of_its_caller(
    emitted: Emitted, call: Callable[[], Any], name: str, answers: int
) -> None:
    with emitted.tracer.start_as_current_span("request") as request:
        call()
    span = emitted.span(f"{name} Answer")
    assert span.parent is not None
    assert span.parent.span_id == request.get_span_context().span_id
    assert (span.attributes or {})["groundtypes.answers"] == answers
    assert emitted.parents() == ["request"] * 2 * answers


def test_many_answers_have_a_span_for_each_batch(emitted: Emitted) -> None:
    audit_many(Answer, [GOOD] * 5, context=context(), batch=2)
    assert [(span.attributes or {})["groundtypes.answers"] for span in emitted.spans] == [2, 2, 1]


def test_a_mistake_is_the_error_of_the_span(emitted: Emitted) -> None:
    with pytest.raises(BackendError):
        verify(Answer, GOOD, context=context(judges=Judges(nli=DeadNLI())))
    span = emitted.span("verify Answer")
    assert span.status.status_code is StatusCode.ERROR
    assert (span.attributes or {})["error.type"] == "BackendError"
    assert span.events == ()
    assert "canary" not in emitted.text()


def test_without_an_active_span_an_event_belongs_to_that_of_its_run(emitted: Emitted) -> None:
    audit(Answer, GOOD, context=context())
    assert emitted.parents() == ["audit Answer"] * 2


def test_the_calls_of_an_engine_are_under_the_span_of_the_run(emitted: Emitted) -> None:
    class Traced(ScriptedNLI):
        def score(self, pairs: Any, /) -> Any:
            with emitted.tracer.start_as_current_span("engine"):
                return super().score(pairs)

    asyncio.run(averify(Answer, GOOD, context=context(judges=Judges(nli=Traced()))))
    run_span, engine = emitted.span("verify Answer"), emitted.span("engine")
    assert engine.parent is not None
    assert run_span.context is not None
    assert format_span_id(engine.parent.span_id) == format_span_id(run_span.context.span_id)


def test_results_that_stand_in_for_those_of_engines_are_not_told_of(emitted: Emitted) -> None:
    with engines_replaced(lambda _, questions: [ENTAILED] * len(questions), SettledCache()):
        for _ in range(2):
            audit(Answer, BAD, context=context())
    assert emitted.spans == []
    assert emitted.events == []
    assert emitted.reader.get_metrics_data() is None


# --- metrics ----------------------------------------------------------------------------------


def test_verdicts_and_faults_are_counted_by_check_field_and_slug(emitted: Emitted) -> None:
    audit_many(Answer, [GOOD, BAD, BAD, {"quote": "It is grey"}], context=context())
    assert emitted.metric("groundtypes.verdicts") == {
        series(check="Quoted", label="pass", model="Answer"): 2,
        series(check="Quoted", label="fail", model="Answer"): 2,
        series(check="Entailed", label="pass", model="Answer"): 1,
        series(check="Entailed", label="fail", model="Answer"): 2,
        series(check="schema", label="fail", model="Answer"): 1,
    }
    fault = {"model": "Answer"}
    assert emitted.metric("groundtypes.faults") == {
        series(check="Quoted", field="Answer.quote", slug="quote_altered", **fault): 2,
        series(check="Entailed", field="Answer.text", slug="contradicted", **fault): 2,
        series(check="schema", field="Answer.text", slug="missing", **fault): 1,
    }


def test_the_calls_of_engines_are_counted_and_timed(emitted: Emitted) -> None:
    verify(Answer, GOOD, context=context())
    with pytest.raises(BackendError):
        verify(Answer, GOOD, context=context(judges=Judges(nli=DeadNLI())))
    assert emitted.metric("groundtypes.engine.questions") == {
        series(engine="ScriptedNLI"): 1,
        series(engine="DeadNLI"): 1,
    }
    assert emitted.metric("groundtypes.engine.duration").keys() == {
        series(engine="ScriptedNLI"),
        series(engine="DeadNLI", error="BackendError"),
    }


def test_the_hits_of_the_ledger_are_counted(emitted: Emitted) -> None:
    same = context()
    for _ in range(3):
        verify(Answer, GOOD, context=same)
    assert emitted.metric("groundtypes.cache.hits") == {series(cache="ledger"): 2}


def test_the_hits_of_the_caches_of_engines_are_counted(emitted: Emitted) -> None:
    engine = default_nli()
    pair = Pair(TOWER, "It is a tower of the telemetry's tests.")
    for _ in range(2):
        engine.score([pair])
    assert emitted.metric("groundtypes.cache.hits") == {series(cache="scores"): 1}


def test_providers_may_be_given_again(emitted: Emitted) -> None:
    other = Emitted()
    instrument(**other.providers)
    with pytest.raises(ValidationError):
        verify(Answer, BAD, context=context())
    assert len(other.events) == 2
    assert emitted.events == []
