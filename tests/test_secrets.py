"""A key that a client holds and a server repeats is in no byte of any output."""

import asyncio
import json
import logging
import os
import pickle
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import instructor
import openai
import pytest
from tenacity import wait_fixed

from groundtypes import Faithful, Grounded, Judged, Judges, Mistake, audit, averify, verify
from groundtypes.backends.llm import InstructorLLM
from groundtypes.backends.redaction import endpoint_name, learn, redact
from groundtypes.backends.reply_cache import DiskReplyCache
from groundtypes.dataset import AskOptions, build_dataset
from groundtypes.errors import BackendError
from groundtypes.integrations.recordings import record
from groundtypes.testing import ScriptedLLM
from tests.command_line import run, write_rows
from tests.scripted_openai import Exchange, Reply, Say, ScriptedOpenAI

pytestmark = pytest.mark.usefixtures("one_certificate")

KEY: Final = "sk-canary-0123456789-abcdef"
PASSWORD: Final = "canary-password-4711"  # noqa: S105 # no real one
TOKEN: Final = "canary-token-in-a-query-4711"  # noqa: S105 # no real one
HEADER: Final = "canary-header-4711-xyz"
SECRETS: Final = (KEY, PASSWORD, TOKEN, HEADER)
ALL: Final = " ".join(SECRETS)


class Answer(Grounded):
    text: Annotated[str, Faithful(), Judged("It is polite.")]


class Plain(Grounded):
    text: str


# --- what a server can do -------------------------------------------------------------------


@dataclass(frozen=True)
class Status:
    """An error that repeats the secrets in its body, its headers and its reason."""

    status: int = 500

    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        data = json.dumps(
            {"error": {"message": ALL, "type": KEY, "code": KEY, "param": TOKEN}, KEY: PASSWORD}
        ).encode()
        exchange.send_response(self.status, f"Bad {ALL}")
        for name, value in [
            ("content-type", "application/json"),
            ("content-length", str(len(data))),
            ("retry-after", "nan"),
            ("x-request-id", KEY),
            ("www-authenticate", f"Bearer {KEY}"),
            ("set-cookie", f"key={KEY}"),
            ("x-echo", ALL),
        ]:
            exchange.send_header(name, value)
        exchange.end_headers()
        exchange.wfile.write(data)


class RetryAfter:
    """A server that is busy, and says for how long in a word."""

    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        exchange.send_json(429, {"error": ALL}, {"retry-after": KEY})


class Redirect:
    """A redirect to an address with the secrets in it."""

    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        place = f"{exchange.owner.base_url}/{KEY}?token={TOKEN}"
        exchange.send_json(307, {"moved": ALL}, {"location": place})


class Fields:
    """A completion with the secrets in every field that it has, and in some that it has not."""

    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        tool = body["tools"][0]["function"]["name"] if body.get("tools") else None
        completion = Say({"reasons": [ALL], "holds": False, "text": ALL, KEY: 1})._completion(tool)
        completion |= {"id": KEY, "model": KEY, "system_fingerprint": ALL, "echo": {KEY: ALL}}
        completion["choices"][0]["finish_reason"] = KEY
        exchange.send_json(200, completion, {"x-request-id": KEY})


class WrongSchema:
    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        Say({KEY: ALL, "text": [ALL]}).send(exchange, body)


class Prose:
    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        exchange.send_bytes(200, f"Not JSON: {ALL}".encode(), "text/plain")


class NoTool:
    """A reply in words where a tool was asked for."""

    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        exchange.send_json(200, Say(ALL)._completion(None))


class Blocked:
    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        completion = Say("")._completion(None)
        completion["choices"][0]["message"] = {"role": "assistant", "content": None, "refusal": ALL}
        exchange.send_json(200, completion)


class Garbage:
    """Something that is no HTTP at all."""

    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        exchange.wfile.write(f"{ALL}\r\n\r\n".encode())
        exchange.close_connection = True


REPLIES: Final[dict[str, Callable[[], Reply]]] = {
    "401": lambda: Status(401),
    "429": lambda: Status(429),
    "500": Status,
    "a busy server": RetryAfter,
    "a redirect": Redirect,
    "fields": Fields,
    "the wrong schema": WrongSchema,
    "prose": Prose,
    "no tool": NoTool,
    "a refusal": Blocked,
    "no HTTP": Garbage,
    "cut off": lambda: Say({"reasons": [ALL]}, finish_reason="length"),
}


@pytest.fixture(params=list(REPLIES.values()), ids=list(REPLIES))
def reply(request: pytest.FixtureRequest) -> Callable[[], Reply]:
    made: Callable[[], Reply] = request.param
    return made


@pytest.fixture
def hostile(reply: Callable[[], Reply]) -> Iterator[ScriptedOpenAI]:
    with ScriptedOpenAI() as server:
        server.script(*[reply() for _ in range(60)])
        yield server


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("groundtypes.backends.retries._BACKOFF", wait_fixed(0.001))


# --- what is searched -----------------------------------------------------------------------


def assert_no_secret(text: str | bytes, secrets: Iterable[str] = SECRETS) -> None:
    data = text.encode() if isinstance(text, str) else text
    for secret in secrets:
        place = data.find(secret.encode())
        assert place < 0, data[max(0, place - 200) :][:400]


def assert_no_secret_in_files(folder: Path, secrets: Iterable[str] = SECRETS) -> None:
    for path in folder.rglob("*"):
        assert_no_secret(str(path), secrets)
        if path.is_file():
            assert_no_secret(path.read_bytes(), secrets)


def assert_no_secret_in_error(error: BaseException | None) -> None:
    """Search an error and all that led to it: arguments, attributes, notes, traceback."""
    while error is not None:
        assert_no_secret("".join(traceback.format_exception(error)))
        assert_no_secret(f"{error!r} {error.args!r} {vars(error)!r}")
        assert_no_secret("".join(getattr(error, "__notes__", ())))
        with suppress(Exception):
            assert_no_secret(pickle.dumps(error))
        assert error.__cause__ is None or error.__context__ in {None, error.__cause__}
        error = error.__cause__ or error.__context__


def client(server: ScriptedOpenAI, *, asynchronous: bool = False, **options: Any) -> Any:
    """Return a client that holds a secret wherever one can be."""
    url = server.base_url.replace("//", f"//ida:{PASSWORD}@")
    kind = openai.AsyncOpenAI if asynchronous else openai.OpenAI
    return kind(
        base_url=url,
        api_key=KEY,
        default_headers={"x-own": HEADER},
        default_query={"token": TOKEN},
        **options,
    )


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """Have everything logged."""
    names = ["", "instructor", "openai", "httpx", "httpx2", "httpcore", "httpcore2", "asyncio"]
    with caplog.at_level(logging.DEBUG):
        for name in names:
            logging.getLogger(name).setLevel(logging.DEBUG)
        yield caplog
        for name in names:
            logging.getLogger(name).setLevel(logging.NOTSET if name else logging.WARNING)


# --- judges ---------------------------------------------------------------------------------


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
def test_nothing_of_a_judge_holds_a_key(
    hostile: ScriptedOpenAI,
    tmp_path: Path,
    logged: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    asynchronous: bool,
) -> None:
    cache = DiskReplyCache(tmp_path / "replies.sqlite")
    made = client(hostile, asynchronous=asynchronous)
    llm = InstructorLLM(made, "m", attempts=2, repairs=1, cache=cache)
    context = {"references": "The tower is tall.", "judges": Judges(llm=llm)}
    with llm:
        for call in (
            lambda: verify(Answer, {"text": "It is tall."}, context=context),
            lambda: asyncio.run(averify(Answer, {"text": "It is tall."}, context=context)),
            lambda: audit(Answer, {"text": "It is tall."}, context=context),
        ):
            try:
                call()
            except Exception as error:  # noqa: BLE001 # all of them are searched
                assert_no_secret_in_error(error)
        with suppress(Mistake):
            report = audit(Answer, {"text": "It is tall."}, context=context)
            (tmp_path / "report.html").write_text(report.to_html())
            assert_no_secret(repr(report) + report.to_json())
        assert_no_secret(f"{llm!r} {llm.usage!r}")
    cache.close()
    assert_no_secret_in_files(tmp_path)
    assert_no_secret(logged.text)
    assert_no_secret("".join(capfd.readouterr()))


def test_an_engine_of_the_users_own_names_its_cause_only_without_a_key() -> None:
    learn(KEY)

    def fails(message: str) -> BaseException:
        def judge(question: Any) -> Any:
            raise ConnectionError(message)

        context = {"references": "It is tall.", "judges": Judges(llm=ScriptedLLM(judge))}
        with pytest.raises(BackendError) as raised:
            verify(Answer, {"text": "It is tall."}, context=context)
        return raised.value

    assert isinstance(fails("nobody answers").__cause__, ConnectionError)
    assert_no_secret_in_error(fails(f"bad key {KEY}"))


# --- recordings and data sets ---------------------------------------------------------------


def test_nothing_of_a_recording_holds_a_key(hostile: ScriptedOpenAI, tmp_path: Path) -> None:
    made = instructor.from_openai(client(hostile, max_retries=0))
    with record(made, tmp_path / "calls.jsonl") as recording:
        for _ in range(2):
            with suppress(Exception):
                made.create(
                    model="m",
                    response_model=Plain,
                    messages=[{"role": "user", "content": "How tall?"}],
                    context={"references": "The tower is tall."},
                    max_retries=1,
                )
        for call in recording:
            assert_no_secret(repr(call.to_dict()))
    assert len(list(recording)) == 2
    assert_no_secret_in_files(tmp_path)


ROWS: Final = [
    {"id": number, "question": f"How tall is tower {number}?", "references": {"a": "It is tall."}}
    for number in range(7)
]


def test_nothing_of_a_data_set_holds_a_key(
    hostile: ScriptedOpenAI, tmp_path: Path, logged: pytest.LogCaptureFixture
) -> None:
    made = instructor.from_openai(client(hostile, max_retries=0))
    headers = {"x-own": HEADER, "authorization": f"Bearer {KEY}"}
    asking = AskOptions(
        client=made, options={"model": "m", "extra_headers": headers}, max_retries=1
    )
    try:
        built = build_dataset(Plain, ROWS, tmp_path, ask=asking)
    except Mistake as mistake:
        assert_no_secret_in_error(mistake)
    else:
        assert_no_secret(repr(built))
    assert_no_secret_in_files(tmp_path)
    assert_no_secret(logged.text)


@pytest.mark.parametrize("kind", ["dataset", "claims"])
def test_nothing_of_a_command_holds_a_key(
    hostile: ScriptedOpenAI, tmp_path: Path, kind: str
) -> None:
    answered = [{**row, "answer": "It is tall."} for row in ROWS]
    rows = write_rows(tmp_path / "rows.jsonl", ROWS if kind == "dataset" else answered)
    url = hostile.base_url.replace("//", f"//ida:{PASSWORD}@")
    if kind == "dataset":
        options = ["--ask", "openai/m", "--model", "tests.test_secrets:Plain", "--output", "out"]
        options += ["--max-calls", "20", "--max-retries", "0"]
    else:
        options = ["--llm", "m", "--base-url", url, "--cache", "cache", "--json", "summary.json"]
        options += ["--rejected", "rejected.jsonl", "--most-calls", "9"]
    env = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": url, "OPENAI_LOG": "debug"}
    done = run(kind, rows, *options, cwd=tmp_path, env=env)
    assert hostile.requests, done.stderr
    held = (KEY, PASSWORD)
    assert_no_secret(done.stdout + done.stderr, held)
    assert_no_secret_in_files(tmp_path, held)


# --- redaction ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://api.openai.com/v1/", "https://api.openai.com/v1"),
        ("https://ida:pass@host:8443/v1?key=x#y", "https://host:8443/v1"),
        ("http://[::1]:8080/v1", "http://::1:8080/v1"),
        ("http://host:port/v1", ""),
        ("", "://"),
    ],
)
def test_an_endpoint_is_host_port_and_path(url: str, name: str) -> None:
    assert endpoint_name(url) == name


def test_short_keys_are_words_and_stay() -> None:
    learn("none")
    assert redact("There is none.") == "There is none."


def test_keys_of_the_environment_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "abcdefgh-ijkl")
    monkeypatch.setenv("SOME_BASE_URL", "https://ida:mnopqrst@host/?sig=uvwxyz0123")
    text = f"a abcdefgh-ijkl b ABCDEFGH-IJKL c mnopqrst d uvwxyz0123 e {os.environ['PATH']}"
    assert redact(text) == (
        "a [redacted] b [redacted] c [redacted] d [redacted] e " + os.environ["PATH"]
    )
