"""Which engines judge: one bundled engine, one engine for a client, and what to install."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

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
