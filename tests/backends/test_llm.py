"""The LLM engine against a scripted server: whatever an outage looks like, it is a mistake."""

import asyncio
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import instructor
import openai
import pytest
from pydantic import ValidationError
from tenacity import wait_fixed

from groundtypes import Faithful, Grounded, Judges, Mistake, aaudit, audit, averify, judges, verify
from groundtypes.backends.llm import Budget, InstructorLLM, Usage
from groundtypes.backends.reply_cache import DiskReplyCache
from groundtypes.concurrency.threads import run_in_thread
from groundtypes.errors import BackendError, BudgetError, ContextError
from groundtypes.prompts.response_models import Judgement
from groundtypes.scoring import Question
from tests.scripted_openai import (
    Exchange,
    Fail,
    Hang,
    NoChoices,
    Raw,
    Reply,
    Reset,
    Say,
    ScriptedOpenAI,
)

KEY = "sk-very-secret-4711"
YES = {"reasons": ["It is so."], "holds": True}
NO = {"reasons": ["It is not so."], "holds": False}
CONTEXT = {"references": "The tower is tall."}


class Answer(Grounded):
    text: Annotated[str, Faithful()]


@dataclass(frozen=True)
class Slow:
    """A reply that takes its time."""

    reply: Reply
    seconds: float = 0.2

    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        time.sleep(self.seconds)
        self.reply.send(exchange, body)


@dataclass(frozen=True)
class Blocked:
    """A completion in which the model declines by the protocol's own field."""

    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        message = {"role": "assistant", "content": None, "refusal": f"No. {KEY}"}
        choice = {"index": 0, "message": message, "finish_reason": "content_filter"}
        exchange.send_json(
            200,
            {
                "id": "1",
                "object": "chat.completion",
                "created": 0,
                "model": "m",
                "choices": [choice],
            },
        )


@dataclass(frozen=True)
class Leak:
    """An error whose words repeat the key that was sent."""

    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        sent = exchange.headers["authorization"]
        exchange.send_json(401, {"error": {"message": f"bad key {sent}", "type": "auth"}})


def question(number: int = 0) -> Question:
    return Question("test/1", "Judge.", f"text {number}", Judgement)


#: Engines of the test that runs.
_made: list[InstructorLLM] = []


def engine(server: ScriptedOpenAI, *, asynchronous: bool = False, **options: Any) -> InstructorLLM:
    kind: Any = openai.AsyncOpenAI if asynchronous else openai.OpenAI
    # More than any takes, also where the first error of a kind has modules to be imported.
    options = {"timeout": 60.0, "attempts": 3} | options
    made = InstructorLLM(kind(base_url=server.base_url, api_key=KEY), "scripted", **options)
    _made.append(made)
    return made


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """Close the engines of a test, also those that are made for clients."""
    yield
    _made.extend(one for _, one in judges._llm_engines.values() if isinstance(one, InstructorLLM))
    judges._llm_engines.clear()
    while _made:
        _made.pop().close()


@pytest.fixture(params=[False, True], ids=["sync", "async"])
def asynchronous(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("groundtypes.backends.retries._BACKOFF", wait_fixed(0.01))


# --- answers --------------------------------------------------------------------------------


def test_replies_are_in_the_order_of_the_questions_with_their_tokens(asynchronous: bool) -> None:
    class Echo:
        def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
            content = body["messages"][-1]["content"]
            Say({"reasons": [content], "holds": True}).send(exchange, body)

    with ScriptedOpenAI() as server:
        server.script(*[Echo()] * 20)
        llm = engine(server, asynchronous=asynchronous)
        replies = llm.answer([question(n) for n in range(20)])
    reasons = [reply.answer.reasons[0] for reply in replies if isinstance(reply.answer, Judgement)]
    assert reasons == [f"text {n}" for n in range(20)]
    assert {(reply.tokens_in, reply.tokens_out) for reply in replies} == {(10, 5)}
    assert llm.usage == Usage(20, 200, 100, 0)


def test_instructions_and_content_are_two_messages() -> None:
    with ScriptedOpenAI() as server:
        server.script(Say(YES))
        engine(server).answer([Question("t/1", "Judge {{ x }}.", "{% data %} {{ y }}", Judgement)])
        sent = [(m["role"], m["content"]) for m in server.requests[0]["messages"][:2]]
    assert sent == [("system", "Judge {{ x }}."), ("user", "{% data %} {{ y }}")]


def test_examples_are_earlier_turns_of_the_conversation(asynchronous: bool) -> None:
    examples = (("first {{ x }}", '{"holds": true}'), ("second", '{"holds": false}'))
    with ScriptedOpenAI() as server:
        server.script(*[Say(YES)] * 2)
        llm = engine(server, asynchronous=asynchronous)
        asked = Question("t/1", "Judge.", "text", Judgement, examples)
        llm.answer([asked])
        sent = [(m["role"], m["content"]) for m in server.requests[0]["messages"][:6]]
        assert sent == [
            ("system", "Judge."),
            ("user", "first {{ x }}"),
            ("assistant", '{"holds": true}'),
            ("user", "second"),
            ("assistant", '{"holds": false}'),
            ("user", "text"),
        ]
        # Other examples are another question.
        llm.answer([Question("t/1", "Judge.", "text", Judgement, examples[:1])])
        assert len(server.requests) == 2


def test_equal_questions_are_asked_once_and_known_ones_never_again(asynchronous: bool) -> None:
    with ScriptedOpenAI() as server:
        server.script(Say(YES))
        llm = engine(server, asynchronous=asynchronous)
        first = llm.answer([question(), question()])
        again = llm.answer([question()])
        assert len(server.requests) == 1
    assert [reply.tokens_in for reply in (*first, *again)] == [10, 0, 0]
    assert llm.usage.cached == 1


def test_another_prompt_version_model_or_option_is_another_question() -> None:
    with ScriptedOpenAI() as server:
        server.script(*[Say(YES)] * 4)
        llm = engine(server)
        llm.answer([question()])
        llm.answer([Question("test/2", "Judge.", "text 0", Judgement)])
        shared: Any = llm._cache
        engine(server, cache=shared, options={"temperature": 0}).answer([question()])
        assert len(server.requests) == 3
        assert server.requests[-1]["temperature"] == 0


def test_answers_on_disk_outlive_the_engine(tmp_path: Path) -> None:
    with ScriptedOpenAI() as server:
        server.script(Say(YES))
        for _ in range(2):
            llm = engine(server, cache=DiskReplyCache(tmp_path / "replies"))
            assert llm.answer([question()])[0].answer == Judgement.model_validate(YES)
        assert len(server.requests) == 1
    assert KEY.encode() not in (tmp_path / "replies").read_bytes()


def test_an_answer_that_was_changed_on_disk_is_asked_for_anew(tmp_path: Path) -> None:
    with ScriptedOpenAI() as server:
        server.script(Say(YES), Say(YES))
        cache = DiskReplyCache(tmp_path / "replies")
        engine(server, cache=cache).answer([question()])
        cache._run("UPDATE replies SET answer = '{\"holds\": 7'")
        assert engine(server, cache=cache).answer([question()])[0].tokens_in == 10


def test_no_questions_cost_nothing() -> None:
    with ScriptedOpenAI() as server:
        assert engine(server).answer([]) == []


def test_progress_is_reported_up_to_the_last_question(asynchronous: bool) -> None:
    reports: list[tuple[int, int]] = []
    with ScriptedOpenAI() as server:
        server.script(*[Say(YES)] * 5)
        llm = engine(server, asynchronous=asynchronous, progress=lambda *now: reports.append(now))
        llm.answer([question(n) for n in range(5)])
    assert sorted(reports) == [(n, 5) for n in range(1, 6)]


def test_no_more_questions_are_under_way_than_allowed(asynchronous: bool) -> None:
    busy, most, lock = 0, 0, threading.Lock()

    class Watched:
        def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
            nonlocal busy, most
            with lock:
                busy += 1
                most = max(most, busy)
            time.sleep(0.05)
            with lock:
                busy -= 1
            Say(YES).send(exchange, body)

    with ScriptedOpenAI() as server:
        server.script(*[Watched()] * 12)
        llm = engine(server, asynchronous=asynchronous, concurrency=3)
        llm.answer([question(n) for n in range(12)])
    assert 1 < most <= 3


# --- outages --------------------------------------------------------------------------------

TRANSIENT: dict[str, Callable[[], Reply]] = {
    "429": lambda: Fail(429),
    "429 with Retry-After": lambda: Fail(429, retry_after=0.05),
    "500": lambda: Fail(500),
    "503": lambda: Fail(503),
    "a reset in mid-body": Reset,
    "truncated JSON of the protocol": lambda: Raw(b'{"id": "1", "choices": [{"ind'),
    "an empty body": lambda: Raw(b""),
    "HTML": lambda: Raw(b"<html>gateway</html>", "text/html"),
    "no choices": NoChoices,
    "damaged unicode": lambda: Raw(b'{"id": "\xff\xfe", "choices": 3}'),
}


@pytest.mark.parametrize("reply", TRANSIENT.values(), ids=TRANSIENT)
def test_a_passing_outage_is_asked_again(reply: Callable[[], Reply], asynchronous: bool) -> None:
    with ScriptedOpenAI() as server:
        server.script(reply(), Say(YES))
        llm = engine(server, asynchronous=asynchronous, repairs=0)
        assert llm.answer([question()])[0].answer == Judgement.model_validate(YES)


LASTING: dict[str, Callable[[], Reply]] = TRANSIENT | {
    "401": lambda: Fail(401),
    "404": lambda: Fail(404),
    "a key in the error": Leak,
    "a refusal": Blocked,
    "the wrong schema": lambda: Say({"verdict": "fine"}),
    "prose": lambda: Say("It is fine, I would say."),
    "truncated JSON": lambda: Say('{"reasons": ["It'),
    "cut off": lambda: Say(YES, finish_reason="length"),
}


@pytest.mark.parametrize("reply", LASTING.values(), ids=LASTING)
def test_a_lasting_outage_is_a_mistake_and_never_a_fault(
    reply: Callable[[], Reply], asynchronous: bool, caplog: pytest.LogCaptureFixture
) -> None:
    with ScriptedOpenAI() as server:
        server.script(*[reply() for _ in range(12)])
        judges = Judges(llm=engine(server, asynchronous=asynchronous))
        with pytest.raises(BackendError) as raised:
            audit(Answer, {"text": "It is tall."}, context=CONTEXT | {"judges": judges})
    assert not isinstance(raised.value, ValueError | ValidationError)
    assert KEY not in full_traceback(raised.value)
    assert KEY not in caplog.text


def full_traceback(error: BaseException | None) -> str:
    """Return what a traceback would show."""
    import traceback  # noqa: PLC0415 # only here

    return "".join(traceback.format_exception(error))


def test_a_hang_ends_with_the_time_limit(asynchronous: bool) -> None:
    with ScriptedOpenAI() as server:
        server.script(Hang(), Hang())
        llm = engine(server, asynchronous=asynchronous, timeout=0.2, attempts=2)
        with pytest.raises(BackendError):
            llm.answer([question()])
        server.closing.set()


def test_a_server_that_is_not_there_is_a_mistake(asynchronous: bool) -> None:
    with ScriptedOpenAI() as server:
        llm = engine(server, asynchronous=asynchronous)
    with pytest.raises(BackendError, match="after 3 attempts"):
        llm.answer([question()])


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_what_asking_again_cannot_fix_is_asked_once(status: int) -> None:
    with ScriptedOpenAI() as server:
        server.script(Fail(status), Say(YES))
        with pytest.raises(BackendError, match=f"after 1 attempt:.*{status}"):
            engine(server).answer([question()])
        assert len(server.requests) == 1


def test_the_server_says_how_long_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    async def pause(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr("groundtypes.backends.retries._pause", pause)
    with ScriptedOpenAI() as server:
        server.script(Fail(429, retry_after=7), Fail(429, retry_after=3600), Say(YES))
        engine(server).answer([question()])
    assert waited == [7.0, 60.0]


def test_an_answer_of_the_wrong_schema_is_sent_back_once() -> None:
    with ScriptedOpenAI() as server:
        server.script(Say({"verdict": "fine"}), Say(YES))
        assert engine(server).answer([question()])[0].answer == Judgement.model_validate(YES)
        assert "holds" in server.sent_back()


def test_what_was_answered_before_an_outage_is_kept(asynchronous: bool) -> None:
    with ScriptedOpenAI() as server:
        server.script(Say(YES), Say(YES))
        llm = engine(server, asynchronous=asynchronous, concurrency=1)
        with pytest.raises(BackendError):
            llm.answer([question(n) for n in range(3)])  # the script has ended: 400
        before = len(server.requests)
        server.script(Say(YES))
        llm.answer([question(n) for n in range(3)])
        assert len(server.requests) == before + 1


# --- budgets --------------------------------------------------------------------------------


@pytest.mark.parametrize("budget", [Budget(calls=3), Budget(tokens=45)], ids=["calls", "tokens"])
def test_a_spent_budget_is_a_mistake_before_the_next_call(
    budget: Budget, asynchronous: bool
) -> None:
    with ScriptedOpenAI() as server:
        server.script(*[Say(YES)] * 9)
        llm = engine(server, asynchronous=asynchronous, budget=budget, concurrency=1)
        with pytest.raises(BudgetError):
            llm.answer([question(n) for n in range(9)])
        assert len(server.requests) == 3
        llm.answer([question(0)])  # known, so it costs nothing


# --- loops, threads, processes --------------------------------------------------------------


def judged(server: ScriptedOpenAI, *, asynchronous: bool) -> dict[str, Any]:
    return CONTEXT | {"judges": Judges(llm=engine(server, asynchronous=asynchronous))}


def test_sync_calls_work_inside_a_running_event_loop(asynchronous: bool) -> None:
    async def run(context: dict[str, Any]) -> bool:
        return audit(Answer, {"text": "It is tall."}, context=context).ok

    with ScriptedOpenAI() as server:
        server.script(Say(YES))
        assert asyncio.run(run(judged(server, asynchronous=asynchronous)))


def test_the_event_loop_runs_on_while_an_llm_answers(asynchronous: bool) -> None:
    async def run(context: dict[str, Any]) -> int:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.01)
                ticks += 1

        ticking = asyncio.create_task(tick())
        await averify(Answer, {"text": "It is tall."}, context=context)
        ticking.cancel()
        return ticks

    with ScriptedOpenAI() as server:
        server.script(Slow(Say(YES), 0.4))
        assert asyncio.run(run(judged(server, asynchronous=asynchronous))) >= 8


def test_an_asynchronous_client_serves_loop_after_loop() -> None:
    with ScriptedOpenAI() as server:
        server.script(*[Say(YES)] * 4)
        client = openai.AsyncOpenAI(base_url=server.base_url, api_key=KEY)
        llm = InstructorLLM(instructor.from_openai(client), "scripted")
        _made.append(llm)

        async def own_use() -> None:
            await client.chat.completions.create(
                model="scripted", messages=[{"role": "user", "content": "Hello"}]
            )
            await client.close()

        async def run(number: int) -> bool:
            context = {"references": f"The tower is tall. {number}", "judges": Judges(llm=llm)}
            return (await aaudit(Answer, {"text": "It is tall."}, context=context)).ok

        asyncio.run(own_use())  # the user's own connections belong to a loop that has ended
        assert [asyncio.run(run(number)) for number in range(3)] == [True] * 3


def test_four_threads_share_an_engine(asynchronous: bool) -> None:
    with ScriptedOpenAI() as server:
        server.script(*[Say(YES)] * 40)
        llm = engine(server, asynchronous=asynchronous)

        def work(number: int) -> int:
            return len(llm.answer([question(10 * number + n) for n in range(10)]))

        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(work, range(4))) == [10] * 4
    assert llm.usage.calls == 40


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not fork")
def test_a_forked_child_asks_for_itself(asynchronous: bool) -> None:
    with ScriptedOpenAI() as server:
        server.script(Say(YES), Say(YES))
        llm = engine(server, asynchronous=asynchronous)
        llm.answer([question(0)])
        child = os.fork()
        if child == 0:
            try:
                os._exit(0 if llm.answer([question(1)]) else 1)
            finally:
                os._exit(2)
        _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


# --- clients --------------------------------------------------------------------------------


def test_clients_of_every_kind_can_be_judges() -> None:
    with ScriptedOpenAI() as server:
        plain = openai.OpenAI(base_url=server.base_url, api_key=KEY)
        asynchronous = openai.AsyncOpenAI(base_url=server.base_url, api_key=KEY)
        judges = [
            Judges(llm=plain, model="scripted"),
            Judges(llm=asynchronous, model="scripted"),
            Judges(llm=instructor.from_openai(plain), model="scripted"),
            Judges(llm=instructor.from_openai(asynchronous), model="scripted"),
            Judges(
                llm=instructor.from_provider(
                    "openai/scripted", base_url=server.base_url, api_key=KEY
                )
            ),
            Judges(llm=instructor.from_openai(plain, mode=instructor.Mode.JSON_SCHEMA), model="m"),
        ]
        for each in judges:
            server.script(Say(NO))
            with pytest.raises(ValidationError, match="It is not so"):
                verify(Answer, {"text": "It is tall."}, context=CONTEXT | {"judges": each})


def test_a_client_has_one_engine_however_often_it_is_named() -> None:
    with ScriptedOpenAI() as server:
        server.script(Say(YES))
        client = openai.OpenAI(base_url=server.base_url, api_key=KEY)
        for _ in range(3):
            judges = Judges(llm=client, model="scripted")
            verify(Answer, {"text": "It is low."}, context=CONTEXT | {"judges": judges})
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    "client", [7, "gpt-5-mini", object(), Answer], ids=["number", "name", "object", "model"]
)
def test_what_cannot_be_asked_is_a_mistake(client: Any) -> None:
    with pytest.raises(ContextError):
        verify(Answer, {"text": "It is tall."}, context=CONTEXT | {"judges": Judges(llm=client)})


@pytest.mark.parametrize(
    "wrap", [lambda client: client, instructor.from_openai], ids=["plain", "instructor"]
)
def test_an_openai_client_without_a_model_is_a_mistake(wrap: Any) -> None:
    judges = Judges(llm=wrap(openai.OpenAI(base_url="http://127.0.0.1:9/v1", api_key=KEY)))
    with pytest.raises(ContextError, match="model"):
        verify(Answer, {"text": "It is tall."}, context=CONTEXT | {"judges": judges})


@pytest.mark.parametrize("options", [{"concurrency": 0}, {"attempts": 0}, {"timeout": 0}], ids=str)
def test_options_that_make_no_sense_are_mistakes(options: dict[str, Any]) -> None:
    with ScriptedOpenAI() as server, pytest.raises(Mistake):
        engine(server, **options)


def test_nothing_of_an_engine_shows_the_key() -> None:
    with ScriptedOpenAI() as server:
        llm = engine(server)
        assert KEY not in repr(llm)
        assert KEY not in json.dumps(repr(vars(llm).get("_options")))


# --- calls that are made at the same time ------------------------------------------------------


@dataclass
class Held:
    """A reply that is sent when it is let; it counts how many are held."""

    let: threading.Event
    held: list[str]

    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        self.held.append(body["messages"][-1]["content"])
        assert self.let.wait(60)
        Say(YES).send(exchange, body)


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_calls_share_the_questions_that_may_be_under_way(asynchronous: bool) -> None:
    let, held = threading.Event(), list[str]()
    with ScriptedOpenAI() as server, ThreadPoolExecutor(4) as pool:
        server.script(*[Held(let, held)] * 12)
        llm = engine(server, asynchronous=asynchronous, concurrency=3)
        # The first call has all slots; then each of the others has its turn.
        calls = [pool.submit(llm.answer, [question(n) for n in range(9)])]
        until(lambda: len(held) == 3)
        calls += [pool.submit(llm.answer, [question(n)]) for n in (10, 11, 12)]
        until(lambda: len(llm._requests._slots._waiting) == 4)
        assert len(held) == 3
        let.set()
        assert [len(call.result(60)) for call in calls] == [9, 1, 1, 1]
    # Not after the nine of the first call; requests that leave together arrive in any order.
    assert {question(n).content for n in (10, 11, 12)} < {*held[:10]}


def test_a_question_under_way_is_not_asked_for_another_call(asynchronous: bool) -> None:
    let, held = threading.Event(), list[str]()
    with ScriptedOpenAI() as server, ThreadPoolExecutor(4) as pool:
        server.script(*[Held(let, held)] * 4)
        llm = engine(server, asynchronous=asynchronous)
        calls = [pool.submit(llm.answer, [question(0)])]
        until(lambda: len(held) == 1)
        calls += [pool.submit(llm.answer, [question(0), question(n)]) for n in (1, 2, 3)]
        until(lambda: len(held) == 4)
        let.set()
        replies = [call.result(60)[0] for call in calls]
    assert [reply.answer for reply in replies] == [Judgement.model_validate(YES)] * 4
    assert [reply.tokens_in for reply in replies] == [10, 0, 0, 0]
    assert (llm.usage.calls, llm.usage.cached) == (4, 3)


def test_a_question_that_fails_fails_for_all_who_ask_it(asynchronous: bool) -> None:
    let, held = threading.Event(), list[str]()

    class HeldFailure(Held):
        def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
            held.append("")
            assert let.wait(60)
            Fail(400).send(exchange, body)

    with ScriptedOpenAI() as server, ThreadPoolExecutor(4) as pool:
        server.script(HeldFailure(let, held))
        llm = engine(server, asynchronous=asynchronous)
        calls = [pool.submit(llm.answer, [question(0)])]
        until(lambda: len(held) == 1)
        calls += [pool.submit(llm.answer, [question(0)]) for _ in range(3)]
        until(lambda: llm._requests._shared.waiting == 3)
        let.set()
        raised = [call.exception(60) for call in calls]
    assert [type(error) for error in raised] == [BackendError] * 4
    assert len({id(error) for error in raised}) == 4
    assert llm.usage == Usage(calls=1)


def test_who_asks_for_others_may_be_cancelled(asynchronous: bool) -> None:
    let, held = threading.Event(), list[str]()
    with ScriptedOpenAI() as server:
        server.script(*[Held(let, held)] * 2)
        llm = engine(server, asynchronous=asynchronous)

        async def run() -> None:
            first = asyncio.create_task(run_in_thread(llm.answer, [question(0)]))
            await asyncio.to_thread(until, lambda: len(held) == 1)
            second = asyncio.create_task(run_in_thread(llm.answer, [question(0)]))
            await asyncio.to_thread(until, lambda: llm._requests._shared.waiting == 1)
            first.cancel()
            await asyncio.to_thread(until, lambda: len(held) == 2)
            let.set()
            [reply] = await second
            assert reply.answer == Judgement.model_validate(YES)

        asyncio.run(run())
