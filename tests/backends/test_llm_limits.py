"""No request leaves beyond the budget, after the deadline, or when nobody waits for it any more."""

import asyncio
import gc
import json
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import instructor
import openai
import pytest
from tenacity import wait_fixed

from groundtypes import Faithful, Grounded, Judges, averify, verify
from groundtypes.backends.connections import LLM_LOOP
from groundtypes.backends.llm import Budget, InstructorLLM
from groundtypes.backends.reply_cache import DiskReplyCache
from groundtypes.backends.reply_limits import MAX_REPLY_BYTES
from groundtypes.errors import BackendError, BudgetError
from groundtypes.integrations.recordings import record
from groundtypes.prompts.response_models import Judgement
from groundtypes.scoring import Question
from tests.command_line import environment
from tests.scripted_openai import Exchange, Fail, Hang, Reply, Say, ScriptedOpenAI

KEY = "sk-very-secret-4711"
YES = {"reasons": ["It is so."], "holds": True}
WRONG = {"verdict": "fine"}
pytestmark = pytest.mark.usefixtures("one_certificate")

#: More than any of these tests takes, and less than it took before.
SOON = 20.0


class Answer(Grounded):
    text: Annotated[str, Faithful()]


@dataclass(frozen=True)
class Drip:
    """A completion of which a byte comes now and then; with `headers`, those drip, too."""

    headers: bool = False

    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        if not self.headers:
            exchange.start(200, "application/json", {"content-length": "100000"})
        else:
            exchange.wfile.write(b"HTTP/1.1 200 OK\r\nx-filler: ")
        while not exchange.owner.closing.wait(0.05):
            exchange.wfile.write(b" " if not self.headers else b"a")
            exchange.wfile.flush()


@dataclass(frozen=True)
class Redirect:
    """A redirect to the same place."""

    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        exchange.send_json(307, {}, {"location": f"{exchange.owner.base_url}/chat/completions"})


def question(number: int = 0) -> Question:
    return Question("test/1", "Judge.", f"text {number}", Judgement)


def questions(count: int) -> list[Question]:
    return [question(number) for number in range(count)]


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("groundtypes.backends.retries._BACKOFF", wait_fixed(0.01))


@pytest.fixture
def endless() -> Iterator[ScriptedOpenAI]:
    """Yield a server whose script need not be used up."""
    with ScriptedOpenAI() as server:
        yield server


def openai_client(server: ScriptedOpenAI, **options: Any) -> openai.OpenAI:
    return openai.OpenAI(base_url=server.base_url, api_key=KEY, **options)


def async_openai_client(server: ScriptedOpenAI, **options: Any) -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(base_url=server.base_url, api_key=KEY, **options)


#: HTTP clients of the test that runs, which a user would close.
_own: list[Any] = []


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    while _own:
        client = _own.pop()
        if hasattr(client, "aclose"):
            LLM_LOOP.start(client.aclose()).result(SOON)
        else:
            client.close()


def own_http_client(server: ScriptedOpenAI) -> openai.OpenAI:
    _own.append(openai.DefaultHttpxClient())
    return openai_client(server, http_client=_own[-1], max_retries=9)


def own_async_http_client(server: ScriptedOpenAI) -> openai.AsyncOpenAI:
    _own.append(openai.DefaultAsyncHttpxClient())
    return async_openai_client(server, http_client=_own[-1], max_retries=9)


def recorded_client(server: ScriptedOpenAI) -> instructor.Instructor:
    """Return a client that somebody listens to, so that the engine uses it as it is."""
    _own.append(openai_client(server))
    client: instructor.Instructor = instructor.from_openai(_own[-1])
    record(client)
    return client


CLIENTS: dict[str, Callable[[ScriptedOpenAI], Any]] = {
    "openai": openai_client,
    "async instructor": lambda server: instructor.from_openai(async_openai_client(server)),
    "own HTTP client": own_http_client,
    "own async HTTP client": own_async_http_client,
    "recorded": recorded_client,
    "provider": lambda server: instructor.from_provider(
        "openai/scripted", base_url=server.base_url, api_key=KEY
    ),
}


@pytest.fixture(params=list(CLIENTS.values()), ids=list(CLIENTS))
def make_client(request: pytest.FixtureRequest) -> Callable[[ScriptedOpenAI], Any]:
    client: Callable[[ScriptedOpenAI], Any] = request.param
    return client


# --- budgets --------------------------------------------------------------------------------

COSTLY: dict[str, Callable[[], Reply]] = {
    "faulty replies": lambda: Say(WRONG),
    "errors": lambda: Fail(500),
    "busy": lambda: Fail(429, retry_after=0.0),
    "redirects": Redirect,
    "good replies": lambda: Say(YES),
}


@pytest.mark.parametrize("reply", COSTLY.values(), ids=COSTLY)
def test_no_more_requests_leave_than_the_budget_allows(
    endless: ScriptedOpenAI,
    make_client: Callable[[ScriptedOpenAI], Any],
    reply: Callable[[], Reply],
) -> None:
    endless.script(*[reply() for _ in range(60)])
    llm = InstructorLLM(
        make_client(endless), "scripted", budget=Budget(calls=4), repairs=2, concurrency=3
    )
    with llm, pytest.raises(BudgetError):
        llm.answer(questions(8))
    assert len(endless.requests) == 4
    assert llm.usage.calls == 4


@pytest.mark.parametrize("reply", [YES, WRONG], ids=["good", "faulty"])
def test_tokens_are_counted_for_every_reply_and_never_exceeded(
    endless: ScriptedOpenAI, make_client: Callable[[ScriptedOpenAI], Any], reply: Any
) -> None:
    endless.script(*[Say(reply) for _ in range(60)])
    llm = InstructorLLM(make_client(endless), "scripted", budget=Budget(tokens=50), concurrency=8)
    with llm, pytest.raises(BudgetError):
        llm.answer(questions(12))
    assert len(endless.requests) == 3  # of 15 tokens each
    assert llm.usage.tokens_in + llm.usage.tokens_out == 45


def test_what_a_spent_budget_has_paid_for_is_kept(endless: ScriptedOpenAI) -> None:
    endless.script(*[Say(YES) for _ in range(9)])
    llm = InstructorLLM(async_openai_client(endless), "m", budget=Budget(calls=3), concurrency=9)
    with llm:
        with pytest.raises(BudgetError):
            llm.answer(questions(6))
        for number in range(6):
            with suppress(BudgetError):
                llm.answer([question(number)])
    assert llm.usage.cached == 3
    assert len(endless.requests) == 3


class _WithoutUsage:
    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        completion = Say(YES)._completion(body["tools"][0]["function"]["name"])
        del completion["usage"]
        exchange.send_json(200, completion)


def test_tokens_that_a_server_does_not_state_are_estimated(endless: ScriptedOpenAI) -> None:
    endless.script(*[_WithoutUsage() for _ in range(40)])
    llm = InstructorLLM(openai_client(endless), "m", budget=Budget(tokens=2000), concurrency=1)
    with llm, pytest.raises(BudgetError):
        llm.answer(questions(40))
    assert 0 < len(endless.requests) < 20


def test_requests_of_the_user_are_not_counted(endless: ScriptedOpenAI) -> None:
    endless.script(*[Say(YES) for _ in range(3)])
    client = own_http_client(endless)
    llm = InstructorLLM(client, "scripted", budget=Budget(calls=1))
    with llm:
        for _ in range(2):
            client.chat.completions.create(model="m", messages=[{"role": "user", "content": "Hi"}])
        llm.answer([question()])
    assert llm.usage.calls == 1


# --- deadlines ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply", [Hang(), Drip(), Drip(headers=True)], ids=["hangs", "drips", "drips headers"]
)
def test_the_deadline_cuts_off_whatever_the_server_does(
    endless: ScriptedOpenAI, make_client: Callable[[ScriptedOpenAI], Any], reply: Reply
) -> None:
    endless.script(*[reply for _ in range(40)])
    began = time.monotonic()
    llm = InstructorLLM(make_client(endless), "scripted", timeout=1.0)
    with llm, pytest.raises(BackendError):
        llm.answer(questions(2))
    assert time.monotonic() - began < SOON
    # On a busy machine the deadline may come before the requests; none is repeated.
    assert len(endless.requests) <= 2


# --- size of replies ------------------------------------------------------------------------


@dataclass(frozen=True)
class Endless:
    """A body that never ends, as fast as it is read."""

    status: int = 200
    encoding: str = "identity"
    chunk: bytes = b" " * 2**16

    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        headers = {"content-encoding": self.encoding, "connection": "close"}
        exchange.start(self.status, "application/json", headers)
        packer = zlib.compressobj(wbits=31)
        while True:
            data = self.chunk if self.encoding == "identity" else packer.compress(self.chunk)
            exchange.wfile.write(data)


@dataclass(frozen=True)
class Bomb:
    """A small body that unpacks to four gigabytes of spaces."""

    encoding: str = "gzip"

    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        headers = {"content-encoding": self.encoding}
        exchange.send_bytes(200, bomb(), "application/json", headers)


@cache
def bomb() -> bytes:
    """Return a block of a megabyte, packed, so often that it is four gigabytes."""
    packer = zlib.compressobj(9, wbits=31)
    head = packer.compress(b" " * 2**20) + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(b" " * 2**20) + packer.flush(zlib.Z_FULL_FLUSH)
    return head + block * 4095


@dataclass(frozen=True)
class Packed:
    """A good reply, compressed."""

    wbits: int = 31
    encoding: str = "gzip"

    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        completion = Say(YES)._completion(body["tools"][0]["function"]["name"])
        data = zlib.compress(json.dumps(completion).encode(), wbits=self.wbits)
        exchange.send_bytes(200, data, "application/json", {"content-encoding": self.encoding})


TOO_LARGE: dict[str, Reply] = {
    "endless": Endless(),
    "endless error": Endless(500),
    "endless redirect": Endless(307),
    "endless compressed": Endless(encoding="gzip"),
    "bomb": Bomb(),
    "bomb as deflate": Bomb("deflate"),
}


@pytest.mark.parametrize("reply", TOO_LARGE.values(), ids=TOO_LARGE)
def test_a_reply_that_is_too_large_is_a_mistake_and_not_asked_for_again(
    endless: ScriptedOpenAI, make_client: Callable[[ScriptedOpenAI], Any], reply: Reply
) -> None:
    endless.script(*[reply for _ in range(9)])
    tracemalloc.start()
    try:
        llm = InstructorLLM(make_client(endless), "scripted")
        with llm, pytest.raises(BackendError, match="larger than 16 MiB"):
            llm.answer([question()])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 100 * 2**20
    assert len(endless.requests) == 1


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "nonsense"])
def test_a_reply_in_a_compression_that_was_not_asked_for_is_a_mistake(
    endless: ScriptedOpenAI, make_client: Callable[[ScriptedOpenAI], Any], encoding: str
) -> None:
    endless.script(Bomb(encoding))
    llm = InstructorLLM(make_client(endless), "scripted")
    with llm, pytest.raises(BackendError, match="compressed in a way that was not asked for"):
        llm.answer([question()])


@pytest.mark.parametrize("reply", [Packed(), Packed(15, "deflate")], ids=["gzip", "deflate"])
def test_a_compressed_reply_is_read(
    endless: ScriptedOpenAI, make_client: Callable[[ScriptedOpenAI], Any], reply: Reply
) -> None:
    endless.script(reply)
    with InstructorLLM(make_client(endless), "scripted") as llm:
        [answered] = llm.answer([question()])
    assert answered.answer == Judgement.model_validate(YES)


def test_replies_to_requests_of_the_user_are_not_bounded(endless: ScriptedOpenAI) -> None:
    endless.script(Say(YES), Say(" " * (MAX_REPLY_BYTES + 1)))
    client = own_http_client(endless)
    with InstructorLLM(client, "scripted") as llm:
        llm.answer([question()])
        messages: list[Any] = [{"role": "user", "content": "Hi"}]
        completion = client.chat.completions.create(model="m", messages=messages)
    assert len(completion.choices[0].message.content or "") > MAX_REPLY_BYTES


# --- cancellation ---------------------------------------------------------------------------


def context_of(llm: Any) -> dict[str, Any]:
    return {"references": "The tower is tall.", "judges": Judges(llm=llm)}


def until_asked(server: ScriptedOpenAI) -> None:
    while not server.requests:
        time.sleep(0.01)


def give_up(llm: InstructorLLM, server: ScriptedOpenAI) -> None:
    """Wait until the server has been asked, and not for the answer."""

    async def wait() -> None:
        call = averify(Answer, {"text": "It is tall."}, context=context_of(llm))
        asking = asyncio.create_task(call)
        await asyncio.to_thread(until_asked, server)
        await asyncio.wait_for(asking, 0.05)

    with pytest.raises(TimeoutError):
        asyncio.run(wait())


@pytest.mark.parametrize(
    "reply", [Hang(), Drip(), Fail(500)], ids=["hangs", "drips", "answers with errors"]
)
def test_a_cancelled_call_asks_nothing_more(
    endless: ScriptedOpenAI, make_client: Callable[[ScriptedOpenAI], Any], reply: Reply
) -> None:
    endless.script(*[reply for _ in range(2000)])
    llm = InstructorLLM(make_client(endless), "scripted", attempts=10_000, timeout=50)

    began = time.monotonic()
    with llm:
        give_up(llm, endless)
        assert time.monotonic() - began < SOON
        time.sleep(0.1)  # what had left by then has arrived
        sent = len(endless.requests)
        time.sleep(0.2)
    assert sent >= 1
    assert len(endless.requests) == sent


def test_a_cancelled_call_closes_its_connection(
    endless: ScriptedOpenAI, make_client: Callable[[ScriptedOpenAI], Any]
) -> None:
    closed = threading.Event()

    class Watched:
        def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
            exchange.start(200, "application/json", {"content-length": "100000"})
            with suppress(OSError):
                while exchange.connection.recv(1) != b"":
                    pass
            closed.set()

    endless.script(Watched())
    llm = InstructorLLM(make_client(endless), "scripted", timeout=50)

    with llm:
        give_up(llm, endless)
        assert closed.wait(SOON)


PROGRAM = """
import asyncio, signal, sys
import openai
from typing import Annotated
from groundtypes import Faithful, Grounded, Judges, averify, verify
from groundtypes.backends.llm import InstructorLLM

class Answer(Grounded):
    text: Annotated[str, Faithful()]

# A shell starts what runs in its background with this signal ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
kind, asynchronous_call = sys.argv[1] == "async", sys.argv[2] == "averify"
client = (openai.AsyncOpenAI if kind else openai.OpenAI)(base_url=sys.argv[3], api_key="-")
llm = InstructorLLM(client, "m", timeout=50)
arguments = dict(context={"references": "The tower is tall.", "judges": Judges(llm=llm)})
try:
    if asynchronous_call:
        asyncio.run(averify(Answer, {"text": "It is tall."}, **arguments))
    else:
        verify(Answer, {"text": "It is tall."}, **arguments)
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("call", ["verify", "averify"])
@pytest.mark.parametrize("kind", ["sync", "async"])
def test_ctrl_c_ends_the_process(endless: ScriptedOpenAI, kind: str, call: str) -> None:
    arrived = threading.Event()

    class Arrives(Hang):
        def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
            arrived.set()
            super().send(exchange, body)

    endless.script(Arrives(), Arrives())
    arguments = [sys.executable, "-c", PROGRAM, kind, call, endless.base_url]
    with subprocess.Popen(arguments, env=environment(), stderr=subprocess.PIPE) as process:
        assert arrived.wait(60)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
        took = time.monotonic() - began
    assert process.returncode == 130, said
    assert took < SOON
    assert b"Traceback" not in said
    assert len(endless.requests) == 1


# --- what stays open ------------------------------------------------------------------------


def open_files() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def assert_nothing_stays_open(ask: Callable[[int], None]) -> None:
    for number in range(3):
        ask(number)
    gc.collect()
    threads, files = threading.active_count(), open_files()
    for number in range(3, 23):
        ask(number)
    gc.collect()
    assert threading.active_count() - threads <= 3
    assert open_files() - files <= 3


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="descriptors are counted in /proc")
@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize("closes", [False, True], ids=["left open", "closed"])
def test_an_engine_for_each_request_leaves_nothing_open(
    endless: ScriptedOpenAI, asynchronous: bool, closes: bool
) -> None:
    endless.script(*[Say(YES) for _ in range(30)])
    make = async_openai_client if asynchronous else openai_client

    def ask(number: int) -> None:
        llm = InstructorLLM(make(endless), "scripted")
        llm.answer([question(number)])
        if closes:
            llm.close()

    assert_nothing_stays_open(ask)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="descriptors are counted in /proc")
@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
def test_a_client_for_each_request_leaves_nothing_open(
    endless: ScriptedOpenAI, asynchronous: bool
) -> None:
    endless.script(*[Say(YES) for _ in range(30)])
    make = async_openai_client if asynchronous else openai_client

    def ask(number: int) -> None:
        judges = Judges(llm=make(endless), model="scripted")
        context = {"references": f"The tower is tall. {number}", "judges": judges}
        verify(Answer, {"text": "It is tall."}, context=context)

    assert_nothing_stays_open(ask)


# --- kept replies ---------------------------------------------------------------------------


def test_another_endpoint_or_mode_is_another_llm(tmp_path: Path) -> None:
    cache = DiskReplyCache(tmp_path / "replies")
    with ScriptedOpenAI() as first, ScriptedOpenAI() as second:
        for server in (first, second):
            server.script(*[Say(YES) for _ in range(9)])
        for server, mode in [(first, None), (second, None), (first, instructor.Mode.JSON_SCHEMA)]:
            for _ in range(2):
                with InstructorLLM(
                    openai_client(server), "scripted", mode=mode, cache=cache
                ) as llm:
                    llm.answer([question()])
        assert (len(first.requests), len(second.requests)) == (2, 1)


def test_a_user_a_query_or_another_key_is_the_same_endpoint(endless: ScriptedOpenAI) -> None:
    endless.script(*[Say(YES) for _ in range(9)])
    cache = None
    for url, key in [
        (endless.base_url, KEY),
        (endless.base_url.replace("//", "//ida:hunter2-hunter2@"), KEY),
        (endless.base_url + "/", "another-key-0815"),
    ]:
        with InstructorLLM(openai.OpenAI(base_url=url, api_key=key), "m", cache=cache) as llm:
            llm.answer([question()])
            cache = llm._cache
    assert len(endless.requests) == 1
