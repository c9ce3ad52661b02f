"""What is no fault of the answer ends as an error with its cause, and is never re-asked."""

from dataclasses import dataclass
from typing import Annotated, Any

import openai
import pytest
from instructor.core.exceptions import (
    IncompleteOutputException,
    InstructorRetryException,
    ResponseParsingError,
)
from pydantic import ValidationError

from groundtypes import Case, Check, Grounded, Judges, Mistake, Verdict
from groundtypes.errors import (
    BackendError,
    CheckError,
    MissingJudgeError,
    MissingReferencesError,
    ReferencesError,
)
from tests.checks import Follows, ScriptedNLI, without_bundled
from tests.integrations.instructor.clients import (
    CONTEXT,
    GOOD,
    MESSAGES,
    MODES,
    Answer,
    ask,
    sync_client,
)
from tests.scripted_openai import Fail, Hang, NoChoices, Raw, Reply, Reset, Say, ScriptedOpenAI


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken(Check):
    """Has a bug that Pydantic alone would take for a fault."""

    def judge(self, value: str, case: Case) -> Verdict:
        raise ValueError(value)


class BrokenAnswer(Grounded):
    text: Annotated[str, Broken()]


class JudgedAnswer(Grounded):
    text: Annotated[str, Follows()]


def _dead(pair: Any) -> Any:
    raise ConnectionError("nobody answers")


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("model", "answer", "context", "mistake"),
    [
        (Answer, GOOD, {}, MissingReferencesError),
        (Answer, GOOD, None, MissingReferencesError),
        (Answer, GOOD, {"references": [3]}, ReferencesError),
        (BrokenAnswer, {"text": "x"}, CONTEXT, CheckError),
        (JudgedAnswer, {"text": "x"}, CONTEXT, MissingJudgeError),
        (
            JudgedAnswer,
            {"text": "x"},
            CONTEXT | {"judges": Judges(nli=ScriptedNLI(_dead))},
            BackendError,
        ),
    ],
    ids=["no references", "no context", "bad references", "a bug", "no engine", "a dead engine"],
)
def test_a_mistake_is_never_reasked_and_keeps_its_cause(
    server: ScriptedOpenAI,
    model: type[Grounded],
    answer: dict[str, Any],
    context: dict[str, Any] | None,
    mistake: type[Mistake],
    mode: str,
    asynchronous: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without_bundled(monkeypatch)
    server.script(Say(answer, fenced=mode == "MD_JSON"))
    with pytest.raises(InstructorRetryException) as raised:
        ask(server, model, mode, context=context, asynchronous=asynchronous)
    assert len(server.requests) == 1
    assert type(raised.value.__cause__) is mistake
    if mistake in {CheckError, BackendError}:
        assert isinstance(raised.value.__cause__.__cause__, ValueError | ConnectionError)


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize("mode", ["TOOLS", "JSON_SCHEMA"])
@pytest.mark.parametrize(
    ("reply", "cause"),
    [
        (Hang(), openai.APITimeoutError),
        (Fail(500), openai.InternalServerError),
        (Fail(429, retry_after=0.01), openai.RateLimitError),
        (Reset(), openai.APIConnectionError),
        (NoChoices(), (IndexError, ResponseParsingError)),
    ],
    ids=["hangs", "error 500", "error 429", "breaks off", "no choices"],
)
def test_a_server_that_fails_is_no_fault_of_the_answer(
    server: ScriptedOpenAI,
    reply: Reply,
    cause: type[Exception],
    mode: str,
    asynchronous: bool,
) -> None:
    server.script(reply)
    timeout = 0.3 if isinstance(reply, Hang) else 10
    with pytest.raises(InstructorRetryException) as raised:
        ask(server, Answer, mode, asynchronous=asynchronous, timeout=timeout)
    assert len(server.requests) == 1
    assert isinstance(raised.value.__cause__, cause)


@pytest.mark.parametrize("data", [b"<html>no</html>", b'{"choices": [', b"\xff\x00"])
def test_rubbish_is_asked_for_again_but_never_blamed_on_a_quote(
    server: ScriptedOpenAI, data: bytes
) -> None:
    server.script(*[Raw(data)] * 3)
    with pytest.raises(InstructorRetryException) as raised:
        ask(server, Answer, max_retries=2)
    assert not isinstance(raised.value.__cause__, ValidationError | Mistake)
    assert "quote_" not in str(server.requests)


def test_an_answer_that_is_cut_off_is_not_judged(server: ScriptedOpenAI) -> None:
    server.script(Say('{"year": 1889, "quo', finish_reason="length"))
    with pytest.raises(IncompleteOutputException):
        ask(server, Answer)
    assert len(server.requests) == 1


def test_broken_json_is_reasked_and_can_be_mended(server: ScriptedOpenAI) -> None:
    server.script(Say('{"year": 1889, "quo'), Say(GOOD))
    assert ask(server, Answer).year == 1889
    assert "json_invalid" in server.sent_back()


def test_a_busy_server_is_asked_again_by_the_client_itself(server: ScriptedOpenAI) -> None:
    server.script(Fail(429, retry_after=0.01), Say(GOOD))
    with sync_client(server, max_retries=1) as client:
        answer = client.create(
            model="scripted", response_model=Answer, messages=MESSAGES, context=CONTEXT
        )
    assert answer.year == 1889
    assert server.requests[0] == server.requests[1]
