"""Which engines judge: one bundled engine, one engine for a client, and what to install."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import instructor
import openai
import pytest

from groundtypes import Judges
from groundtypes.errors import ContextError, MissingJudgeError
from groundtypes.judges import default_nli, llm_engine, nli_engine
from groundtypes.testing import ScriptedLLM, ScriptedNLI


def client() -> openai.OpenAI:
    return openai.OpenAI(base_url="http://127.0.0.1:9/v1", api_key="-")


def test_threads_share_the_bundled_engine() -> None:
    program = """
from concurrent.futures import ThreadPoolExecutor
from groundtypes.judges import default_nli
with ThreadPoolExecutor(8) as pool:
    print(len({id(engine) for engine in pool.map(lambda _: default_nli(), range(8))}))
"""
    assert printed(program) == "1"


def test_a_named_nli_engine_goes_before_the_bundled_one() -> None:
    engine = ScriptedNLI()
    assert nli_engine(Judges(nli=engine)) is engine
    assert nli_engine(Judges()) is default_nli()


def test_threads_share_the_engine_of_a_client() -> None:
    shared = client()
    with ThreadPoolExecutor(8) as pool:
        engines = set(pool.map(lambda _: llm_engine(shared, "m"), range(8)))
    assert len(engines) == 1
    assert llm_engine(shared, "another") not in engines
    assert llm_engine(client(), "m") not in engines


def test_an_engine_is_asked_itself() -> None:
    llm = ScriptedLLM(lambda question: None)
    assert llm_engine(llm) is llm


def test_no_llm_is_a_mistake_that_says_how_to_name_one() -> None:
    with pytest.raises(MissingJudgeError, match=r"Judges\(llm="):
        llm_engine(None)


@pytest.mark.parametrize("name", ["gpt-5-mini", "openai/gpt-5-mini"])
def test_a_name_that_cannot_be_asked_is_a_mistake(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ContextError, match=name):
        llm_engine(name)


def test_a_provider_that_does_not_exist_is_named() -> None:
    with pytest.raises(MissingJudgeError, match="nobody/model"):
        llm_engine("nobody/model")


@pytest.mark.parametrize(
    ("missing", "call", "extra"),
    [
        ("onnxruntime", "default_nli()", "groundtypes[nli]"),
        ("numpy", "default_nli()", "groundtypes[nli]"),
        ("instructor", "llm_engine('openai/m')", "groundtypes[instructor]"),
        ("openai", "llm_engine('openai/m')", "groundtypes[instructor]"),
        ("tenacity", "llm_engine('openai/m')", "groundtypes[instructor]"),
    ],
)
def test_without_its_extra_an_engine_is_a_mistake_that_names_the_extra(
    missing: str, call: str, extra: str
) -> None:
    program = f"""
import sys
sys.modules[{missing!r}] = None
from groundtypes.errors import MissingJudgeError
from groundtypes.judges import default_nli, llm_engine
try:
    {call}
except MissingJudgeError as error:
    print(error)
"""
    assert extra in printed(program)


def printed(program: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.strip()


class AsyncEngine:
    async def score(self, pairs: Any) -> Any: ...
    async def answer(self, questions: Any) -> Any: ...


@pytest.mark.parametrize(
    ("engine", "named"),
    [
        (5, "an object of type int"),
        ("bundle", "the text 'bundle'"),
        ("bundled:x", "the text 'bundled:x'"),
        ("hub:", "the text 'hub:'"),
        (ScriptedNLI, "the class ScriptedNLI, not an object of it"),
        (AsyncEngine(), "an object of type AsyncEngine whose score is async"),
        (ScriptedLLM(lambda question: None), "an object of type ScriptedLLM"),
    ],
)
def test_what_is_no_nli_engine_is_refused_at_once(engine: Any, named: str) -> None:
    with pytest.raises(ContextError) as raised:
        Judges(nli=engine)
    assert f"nli is {named}." in str(raised.value)
    assert "score(pairs)" in str(raised.value)


@pytest.mark.parametrize("name", ["llm", "checker"])
@pytest.mark.parametrize(
    ("engine", "named"),
    [
        (5, "an object of type int"),
        ("gpt-5-mini", "the text 'gpt-5-mini'"),
        (openai.OpenAI, "the class OpenAI, not an object of it"),
        (AsyncEngine(), "an object of type AsyncEngine whose answer is async"),
        (lambda questions: [], "an object of type function"),
    ],
)
def test_what_is_no_llm_is_refused_at_once(name: str, engine: Any, named: str) -> None:
    with pytest.raises(ContextError) as raised:
        Judges(**{name: engine})
    assert f"{name} is {named}." in str(raised.value)
    assert "answer(questions)" in str(raised.value)
    assert ("NLI engine" in str(raised.value)) is (name == "checker")


class Proxy:
    """Stands for another object, as the wrappers of tracing libraries do."""

    def __init__(self, wrapped: Any) -> None:
        self.wrapped = wrapped

    def __getattr__(self, name: str) -> Any:
        return getattr(self.wrapped, name)

    @property  # type: ignore[misc] # what proxies do
    def __class__(self) -> Any:
        return type(self.wrapped)


@pytest.mark.parametrize(
    "engine",
    [
        ScriptedLLM(lambda question: None),
        "openai/gpt-5-mini",
        client(),
        openai.AsyncOpenAI(base_url="http://127.0.0.1:9/v1", api_key="-"),
        instructor.from_openai(client()),
        Proxy(client()),
        Proxy(ScriptedLLM(lambda question: None)),
    ],
    ids=["engine", "name", "client", "async client", "instructor", "proxy", "proxy of an engine"],
)
def test_every_kind_of_llm_is_taken(engine: Any) -> None:
    judges = Judges(llm=engine, checker=engine, model="m")
    assert judges.llm is engine


def test_engines_behind_a_proxy_and_nli_checkers_are_taken() -> None:
    nli = ScriptedNLI()
    assert Judges(nli=Proxy(nli), checker=nli).checker is nli
