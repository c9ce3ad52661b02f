"""`best_attempt` and `keep_valid` of what instructor raises, against a scripted server."""

import asyncio
import json
from collections.abc import Iterable
from typing import Annotated, Any, Literal

import pytest
from instructor.core.exceptions import IncompleteOutputException, InstructorRetryException
from pydantic import BaseModel, ValidationError

from groundtypes import (
    Entailed,
    Grounded,
    Judges,
    Mistake,
    Quote,
    abest_attempt,
    audit,
    best_attempt,
    keep_valid,
)
from groundtypes.errors import ContextError, MissingReferencesError
from groundtypes.testing import ScriptedNLI
from tests.integrations.instructor.clients import CONTEXT, FOUND, MESSAGES, MODES, ask, sync_client
from tests.scripted_openai import Fail, NoChoices, Raw, Say, ScriptedOpenAI

GOOD, BAD = FOUND, "Nobody has written this"


class Fact(BaseModel):
    statement: str
    quote: Quote


class Answer(Grounded):
    year: int
    facts: list[Fact]


def facts(*quotes: str, year: Any = 1889) -> dict[str, Any]:
    return {"year": year, "facts": [{"statement": "s", "quote": quote} for quote in quotes]}


def failed(
    server: ScriptedOpenAI, *replies: Any, model: Any = Answer, **options: Any
) -> InstructorRetryException:
    """Return what instructor raises after these replies."""
    server.script(*replies)
    with pytest.raises(InstructorRetryException) as raised:
        ask(server, model, max_retries=len(replies) - 1, **options)
    return raised.value


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize("mode", MODES)
def test_the_attempt_with_the_fewest_faults_is_audited(
    server: ScriptedOpenAI, mode: str, asynchronous: bool
) -> None:
    answers = [facts(BAD, BAD, GOOD), facts(BAD, GOOD), facts(BAD, BAD, BAD)]
    replies = [Say(answer, fenced=mode == "MD_JSON") for answer in answers]
    error = failed(server, *replies, mode=mode, asynchronous=asynchronous)
    best = best_attempt(error)
    assert [verdict.ok for verdict in best.verdicts] == [False, True]
    assert best.faults[0].loc == ("facts", 0, "quote")
    assert best.value is None and best.references is not None
    kept = keep_valid(error)
    assert [fact.quote for fact in kept.value.facts] == [GOOD]
    assert isinstance(kept.value, Answer)
    assert (kept.attempt, [part.loc for part in kept.left_out]) == (2, [("facts", 0)])


def test_of_equal_attempts_the_last_is_the_best(server: ScriptedOpenAI) -> None:
    error = failed(server, Say(facts(BAD, year=1)), Say(facts(BAD, year=2)))
    assert keep_valid(error).value.year == 2


@pytest.mark.parametrize("unreadable", ["no json", '{"year": 1889, "fac', "[1]", "", "null"])
@pytest.mark.parametrize("mode", ["TOOLS", "JSON", "MD_JSON"])
def test_an_answer_that_was_not_judged_is_never_the_best(
    server: ScriptedOpenAI, mode: str, unreadable: str
) -> None:
    error = failed(server, Say(facts(BAD, BAD, BAD, GOOD)), Say(unreadable), mode=mode)
    assert len(best_attempt(error).faults) == 3
    assert len(keep_valid(error).value.facts) == 1


def test_only_unreadable_answers(server: ScriptedOpenAI) -> None:
    error = failed(server, Say("no json"), Say("nor this"))
    best = best_attempt(error)
    assert not best.ok and best.value is None
    assert [fault.slug for fault in best.faults] == ["json_invalid"]
    with pytest.raises(ValidationError, match="Invalid JSON"):
        keep_valid(error)


def test_the_text_beside_a_missing_tool_call_is_read(server: ScriptedOpenAI) -> None:
    completion = Say(facts(BAD, GOOD))._completion(None)
    error = failed(server, Raw(json.dumps(completion).encode()))
    assert len(keep_valid(error).value.facts) == 1


def test_a_required_field_at_fault_leaves_the_next_best_attempt(server: ScriptedOpenAI) -> None:
    error = failed(server, Say(facts(BAD, BAD, GOOD)), Say(facts(GOOD, year="1889")))
    assert [fault.loc for fault in best_attempt(error).faults] == [("year",)]
    kept = keep_valid(error)
    assert (kept.attempt, len(kept.value.facts)) == (1, 1)


def test_nothing_to_keep_is_the_error_of_the_best_attempt(server: ScriptedOpenAI) -> None:
    error = failed(server, Say(facts(BAD, year="x")), Say({"year": 1}))
    with pytest.raises(ValidationError) as raised:
        keep_valid(error)
    assert [line["loc"] for line in raised.value.errors()] == [("facts",)]
    assert raised.value.__notes__ == ["Nothing is kept: facts cannot be left out. Field required"]


def test_answers_are_read_strictly_as_instructor_did(server: ScriptedOpenAI) -> None:
    class Strict(Grounded):
        pair: tuple[int, str]
        size: int = 0
        kinds: set[Literal["a", "b"]] = set()

    error = failed(server, Say({"pair": [1, "x"], "size": "5", "kinds": ["a"]}), model=Strict)
    assert [fault.slug for fault in best_attempt(error).faults] == ["int_type"]
    expected = {"pair": (1, "x"), "size": 0, "kinds": {"a"}}
    assert keep_valid(error).value.model_dump() == expected


@pytest.mark.parametrize("model", [list[Fact], Iterable[Fact]], ids=["list", "iterable"])
def test_a_list_as_response_model_is_a_list(server: ScriptedOpenAI, model: Any) -> None:
    error = failed(server, Say({"tasks": facts(BAD, GOOD)["facts"]}), model=model)
    kept = keep_valid(error)
    assert isinstance(kept.value, list)
    assert [fact.quote for fact in kept.value] == [GOOD]


def test_a_simple_type_as_response_model(server: ScriptedOpenAI) -> None:
    error = failed(server, Say({"content": [BAD, GOOD]}), model=list[Quote])
    assert keep_valid(error).value == [GOOD]


def test_a_plain_model_with_faults_of_pydantic_alone(server: ScriptedOpenAI) -> None:
    class Person(BaseModel):
        name: str
        ages: list[int] = []

    error = failed(server, Say({"name": "Ida", "ages": [3, "x"]}), model=Person, context=None)
    assert keep_valid(error).value.model_dump() == {"name": "Ida", "ages": [3]}
    assert best_attempt(error).faults[0].check == "schema"


@pytest.mark.parametrize("method", ["create_partial", "create_iterable"])
def test_the_answer_of_a_stream_cannot_be_read_again(server: ScriptedOpenAI, method: str) -> None:
    server.script(Say(facts(BAD)))
    with sync_client(server) as client:
        stream: Any = getattr(client, method)
        with pytest.raises((InstructorRetryException, ValidationError)) as raised:
            list(
                stream(
                    model="scripted",
                    response_model=Answer,
                    messages=MESSAGES,
                    context=CONTEXT,
                    max_retries=0,
                )
            )
    if isinstance(raised.value, ValidationError):  # an iterable raises it as it is
        with pytest.raises(ContextError, match="no failed attempts"):
            best_attempt(raised.value)
        return
    best = best_attempt(raised.value)
    assert [fault.slug for fault in best.faults] == ["quote_not_found"]
    assert not best.ok and best.given is None
    with pytest.raises(ValidationError):
        keep_valid(raised.value)


def test_attempts_before_an_outage_count(server: ScriptedOpenAI) -> None:
    error = failed(server, Say(facts(BAD, GOOD)), Fail(500))
    assert len(best_attempt(error).faults) == 1
    assert len(keep_valid(error).value.facts) == 1


@pytest.mark.parametrize("reply", [Fail(500), NoChoices()], ids=["an outage", "no choices"])
def test_without_any_answer_there_is_nothing(server: ScriptedOpenAI, reply: Any) -> None:
    error = failed(server, reply)
    with pytest.raises(Mistake if isinstance(reply, Fail) else (Mistake, ValidationError)):
        keep_valid(error)


def test_a_mistake_is_raised_as_it_is(server: ScriptedOpenAI) -> None:
    error = failed(server, Say(facts(GOOD)), context={})
    with pytest.raises(MissingReferencesError):
        best_attempt(error)


def test_a_budget_that_is_spent_leaves_its_attempts(server: ScriptedOpenAI) -> None:
    server.script(Say(facts(BAD, GOOD)))
    with sync_client(server) as client, pytest.raises(InstructorRetryException) as raised:
        client.create(
            model="scripted",
            response_model=Answer,
            messages=MESSAGES,
            context=CONTEXT,
            token_budget=1,
        )
    assert len(keep_valid(raised.value).value.facts) == 1


def test_an_answer_that_was_cut_off_has_no_attempts(server: ScriptedOpenAI) -> None:
    server.script(Say(facts(BAD), finish_reason="length"))
    with pytest.raises(IncompleteOutputException) as raised:
        ask(server, Answer)
    with pytest.raises(ContextError, match="IncompleteOutputException holds no failed attempts"):
        best_attempt(raised.value)


@pytest.mark.parametrize("value", [None, 5, audit(Answer, facts(BAD), context=CONTEXT)])
def test_what_is_no_exception_is_a_mistake(value: Any) -> None:
    with pytest.raises(ContextError, match="best_attempt takes the exception"):
        best_attempt(value)
    if value is None or value == 5:
        with pytest.raises(ContextError, match="keep_valid takes an exception or an Audit"):
            keep_valid(value)


def test_without_a_traceback_the_model_and_the_context_are_given(server: ScriptedOpenAI) -> None:
    error = failed(server, Say(facts(BAD, GOOD))).with_traceback(None)
    with pytest.raises(ContextError, match="lost its traceback"):
        keep_valid(error)
    kept = keep_valid(error, Answer, context=CONTEXT)
    assert type(kept.value) is Answer
    assert len(kept.value.facts) == 1


def test_the_model_and_the_context_that_are_given_go_first(server: ScriptedOpenAI) -> None:
    class Lenient(BaseModel):
        year: int
        facts: list[dict[str, str]]

    error = failed(server, Say(facts(BAD, GOOD)))
    assert best_attempt(error, Lenient).ok
    assert len(best_attempt(error, context={"references": BAD}).faults) == 1
    assert best_attempt(error, context={"references": [BAD, GOOD]}).ok


def test_engines_are_asked_nothing_twice(server: ScriptedOpenAI) -> None:
    engine = ScriptedNLI()

    class Statements(Grounded):
        statements: list[Annotated[str, Entailed()]]

    answers = [{"statements": [GOOD + ".", "It is red."]}, {"statements": ["It is blue."]}]
    context = {**CONTEXT, "judges": Judges(nli=engine)}
    error = failed(server, *map(Say, answers), model=Statements, context=context)
    calls = engine.calls
    assert best_attempt(error).faults
    assert keep_valid(error).left_out
    assert engine.calls == calls


def test_the_async_twin(server: ScriptedOpenAI) -> None:
    error = failed(server, Say(facts(BAD, GOOD)))

    async def audited() -> Any:
        return await abest_attempt(error)

    assert asyncio.run(audited()).verdicts == best_attempt(error).verdicts
