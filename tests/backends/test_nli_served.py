"""Judges on servers, against a scripted one: a right score or a clear mistake, never chance."""

import json
import math
import os
import pickle
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any

import openai
import pytest

from groundtypes import Entailed, Grounded, Judges, audit
from groundtypes.backends import retries
from groundtypes.backends.by_name import nli_by_name
from groundtypes.backends.nli_served import Budget, ServedNLI, ServedTemplate, served_templates
from groundtypes.backends.score_cache import DiskScoreCache, MemoryScoreCache
from groundtypes.errors import BackendError, BudgetError, ContextError
from groundtypes.scoring import Pair
from groundtypes.testing import check_scorer
from tests.scripted_openai import Exchange, Fail, Hang, NoChoices, Raw, Reset, Say, ScriptedOpenAI

ROOT = Path(__file__).parents[2]
JUDGE = ROOT / "research" / "models" / "groundtypes-judge"
KEY = "sk-very-secret-4711"
PAIR = Pair("The tower is 90 metres tall.", "The tower is tall.", "It is old.")


@dataclass(frozen=True)
class Tokens:
    """A reply of so many tokens, each with the probabilities of what might stand in its place."""

    places: tuple[dict[str, float], ...]
    seconds: float = 0.0
    finish: str = "stop"

    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        time.sleep(self.seconds)
        exchange.send_json(200, self.completion())

    def completion(self) -> dict[str, Any]:
        content = []
        for place in self.places:
            listed: list[dict[str, Any]] = [
                {"token": token, "logprob": math.log(share), "bytes": None}
                for token, share in sorted(place.items(), key=lambda item: -item[1])
            ]
            content.append(listed[0] | {"top_logprobs": listed})
        text = "".join(place["token"] for place in content)
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": text},
            "finish_reason": self.finish,
            "logprobs": {"content": content},
        }
        usage = {"prompt_tokens": 40, "completion_tokens": len(content), "total_tokens": 44}
        return {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": "m",
            "choices": [choice],
            "usage": usage,
        }


def one(**shares: float) -> Tokens:
    """Return a reply of one token."""
    return Tokens((shares,))


@dataclass(frozen=True)
class ByClaim:
    """A judge that says yes to what has the word "tall" in the claim, and no to all else."""

    seconds: float = 0.0

    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        claim = body["messages"][-1]["content"].rpartition("Claim:")[2]
        yes = 0.9 if "tall" in claim else 0.1
        shares = {"yes": yes, "unknown": 0.06, "no": 0.94 - yes}
        Tokens((shares,), self.seconds).send(exchange, body)


@pytest.fixture
def server() -> Iterator[ScriptedOpenAI]:
    with ScriptedOpenAI() as scripted:
        yield scripted


@pytest.fixture(autouse=True)
def _no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retries, "_BACKOFF", lambda _: 0.0)


_made: list[ServedNLI] = []


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    while _made:
        _made.pop().close()


def judge(server: ScriptedOpenAI, **settings: Any) -> ServedNLI:
    options: dict[str, Any] = {"template": "judge", "api_key": KEY, **settings}
    _made.append(ServedNLI(server.base_url, "m", **options))
    return _made[-1]


def triple(score: Any) -> list[float]:
    return [score.entailment, score.neutral, score.contradiction]


# --- what is asked, and what is read --------------------------------------------------------------


def test_the_judge_is_asked_as_in_the_process_and_its_probabilities_are_read(
    server: ScriptedOpenAI,
) -> None:
    server.script(one(yes=0.7, unknown=0.2, no=0.05, Yes=0.01))
    (score,) = judge(server).score([PAIR])
    assert triple(score) == pytest.approx([0.71 / 0.96, 0.2 / 0.96, 0.05 / 0.96])
    (request,) = server.requests
    assert request["messages"] == [
        {
            "role": "system",
            "content": "You compare a claim with a text. You use nothing but the text.",
        },
        {
            "role": "user",
            "content": "Text:\nThe tower is 90 metres tall.\n\nBefore the claim: It is old.\n\n"
            "Claim: The tower is tall.\n\nDoes the text say so? Answer yes, no or unknown.",
        },
    ]
    wanted = {"logprobs": True, "top_logprobs": 20, "max_tokens": 1, "temperature": 0.0}
    assert {name: request[name] for name in wanted} == wanted


def test_what_stands_before_is_left_out_where_nothing_does(server: ScriptedOpenAI) -> None:
    server.script(one(yes=0.9, unknown=0.05, no=0.05))
    judge(server).score([Pair("A.", "B.")])
    assert "Before" not in server.requests[0]["messages"][-1]["content"]


def test_two_answers_are_supported_and_not(server: ScriptedOpenAI) -> None:
    server.script(one(Yes=0.75, No=0.25))
    (score,) = judge(server, template="bespoke-minicheck").score([PAIR])
    assert triple(score) == pytest.approx([0.75, 0.25, 0.0])


@pytest.mark.parametrize("template", ["granite-guardian-3", "granite-guardian-4"])
def test_granite_guardian_says_yes_to_a_risk(server: ScriptedOpenAI, template: str) -> None:
    reply = [{"<think>": 1.0}, {"\n": 1.0}, {"</think>": 1.0}, {"<": 1.0}, {"score": 1.0}]
    reply += [{">": 1.0}, {" yes": 0.8, " no": 0.2}, {" </": 1.0}, {"score>": 1.0}]
    server.script(Tokens(tuple(reply)))
    (score,) = judge(server, template=template).score([PAIR])
    assert triple(score) == pytest.approx([0.2, 0.8, 0.0])
    (request,) = server.requests
    assert request["documents"] == [{"doc_id": "0", "text": PAIR.premise}]
    assert request["messages"][0] == {"role": "assistant", "content": PAIR.hypothesis}


def test_lynx_gives_its_reasons_first(server: ScriptedOpenAI) -> None:
    reply = [{'{"REASONING": ["It says \\"SCORE\\": FAIL."], ': 1.0}, {'"SCORE"': 1.0}, {":": 1.0}]
    reply += [{' "': 1.0}, {"PASS": 0.6, "FAIL": 0.4}, {'"}': 1.0}]
    server.script(Tokens(tuple(reply)))
    (score,) = judge(server, template="lynx").score([PAIR])
    assert score.entailment == pytest.approx(0.6)


def test_a_word_of_several_tokens_is_known_by_the_first(server: ScriptedOpenAI) -> None:
    server.script(one(yes=0.2, unk=0.7, no=0.1))
    (score,) = judge(server).score([PAIR])
    assert triple(score) == pytest.approx([0.2, 0.7, 0.1])


@pytest.mark.parametrize(
    "hostile",
    [
        "<|im_end|>",
        "</s>",
        "[/INST]",
        "<｜end▁of▁sentence｜>",
        "<eos>",
        "[UNUSED_TOKEN_145]",
        "[gMASK]",
        "[control_8]",
        "[|endofturn|]",
        "[e~[",
        "]~b]",
    ],
)
def test_no_text_becomes_a_control_token_or_a_placeholder(
    server: ScriptedOpenAI, hostile: str
) -> None:
    server.script(one(yes=0.9, unknown=0.05, no=0.05))
    text = f"{hostile} {{claim}} \ud800 {{before}}"
    judge(server).score([Pair(f"T{text}", f"C{text}", f"B{text}")])
    (_, user) = server.requests[0]["messages"]
    assert hostile not in user["content"]
    assert user["content"].count("{claim} \ufffd {before}") == 3


def test_the_temperature_divides_the_logits(server: ScriptedOpenAI) -> None:
    server.script(one(Yes=0.8, No=0.2))
    (score,) = judge(server, template="bespoke-minicheck", temperature=2.0).score([PAIR])
    assert score.entailment == pytest.approx(2 / 3)


# --- replies from which nothing can be read -------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (Say("yes"), "no log-probabilities"),
        (NoChoices(), "no choices"),
        (one(Sure=0.9, yes=0.05, no=0.05), "did not answer yes or unknown or no, but 'Sure'"),
        (one(yes=0.6, no=0.1), "2 tokens, among which are not all answers"),
        (Tokens(({" ": 1.0},)), "has no answer"),
        (one(yes=0.9, no=0.9), "probability of 1.80"),
        (Raw(b'{"choices": {"a": 1}}'), "no choices"),
        (Raw(b'{"choices": [{"logprobs": {"content": ["yes", null]}}]}'), "are none"),
        (Raw(b'{"error": {"message": "out of memory"}}'), "base_url may need /v1"),
        (Raw(b'{"choices": [{"logprobs": {"content": [{"token": "yes"}]}}]}'), "are none"),
        (one(yes=0.6, no=math.nan, nope=0.001), "are none"),
    ],
)
def test_a_reply_without_an_answer_is_a_mistake(
    server: ScriptedOpenAI, reply: Any, message: str
) -> None:
    server.script(reply)
    with pytest.raises(BackendError, match=message):
        judge(server).score([PAIR])
    assert len(server.requests) == 1


def test_an_answer_that_is_not_listed_is_improbable(server: ScriptedOpenAI) -> None:
    server.script(one(yes=0.989, no=0.01, nope=0.001))
    (score,) = judge(server).score([PAIR])
    assert score.neutral == pytest.approx(0.001, rel=0.01)
    assert score.entailment > 0.98


def test_a_token_that_is_listed_twice_counts_once(server: ScriptedOpenAI) -> None:
    completion = one(yes=0.6, unknown=0.3, no=0.1).completion()
    listed = completion["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
    listed.append(listed[0])
    server.script(Raw(json.dumps(completion).encode()))
    (score,) = judge(server).score([PAIR])
    assert score.entailment == pytest.approx(0.6)


def test_a_reply_that_was_cut_has_no_answer(server: ScriptedOpenAI) -> None:
    # The reasons quote a document that has the words of an answer.
    quoted = ('{"REASONING": ["', '"SCORE": "', "PASS", '"', " it says")
    server.script(Tokens(tuple({token: 0.99} for token in quoted), finish="length"))
    with pytest.raises(BackendError, match=r"was cut after 800 tokens.*max_tokens"):
        judge(server, template="lynx").score([PAIR])
    server.script(Tokens(({"yes": 0.9, "no": 0.1},), finish="length"))
    assert judge(server, template="yes-no").score([PAIR])[0].entailment == pytest.approx(0.9)


def test_a_template_of_another_model_says_what_is_missing(server: ScriptedOpenAI) -> None:
    server.script(one(no=1.0))
    with pytest.raises(BackendError, match="has no '<score>'"):
        judge(server, template="granite-guardian-3").score([PAIR])


# --- outages --------------------------------------------------------------------------------------


@pytest.mark.parametrize("trouble", [Fail(429, 0.0), Fail(500), Reset(), Raw(b"<html>")])
def test_what_may_pass_is_asked_again(server: ScriptedOpenAI, trouble: Any) -> None:
    server.script(trouble, one(yes=0.9, unknown=0.05, no=0.05))
    (score,) = judge(server).score([PAIR])
    assert score.entailment == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("trouble", "outage"),
    [([Fail(401)], True), ([Fail(404)], True), ([Fail(503)] * 4, True), ([Hang()], True)],
)
def test_what_does_not_pass_is_an_outage_without_secrets(
    server: ScriptedOpenAI, trouble: list[Any], outage: bool
) -> None:
    server.script(*trouble)
    engine = judge(server, timeout=0.5 if isinstance(trouble[0], Hang) else 20.0)

    class Answer(Grounded):
        text: Annotated[str, Entailed()]

    context = {"references": PAIR.premise, "judges": Judges(nli=engine)}
    with pytest.raises(BackendError) as raised:
        audit(Answer, {"text": PAIR.hypothesis}, context=context)
    assert raised.value.is_outage is outage
    shown = f"{raised.value!r} {raised.value.__cause__!r} {raised.value.__context__!r}"
    assert KEY not in shown
    assert "scripted" not in shown


def test_a_refused_question_names_what_may_be_the_cause(server: ScriptedOpenAI) -> None:
    server.script(Fail(400))
    with pytest.raises(BackendError, match=r"window.*top_logprobs"):
        judge(server).score([PAIR])
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("status", "message"),
    [(401, r"key.*401.*OPENAI_API_KEY"), (404, r"no such model.*404.*/v1"), (413, "window")],
)
def test_a_status_that_stays_says_what_to_do(
    server: ScriptedOpenAI, status: int, message: str
) -> None:
    server.script(Fail(status))
    with pytest.raises(BackendError, match=message) as raised:
        judge(server).score([PAIR])
    assert server.base_url.removeprefix("http://") in str(raised.value)
    assert raised.value.is_outage is (status != 413)


def test_an_outage_names_the_server(server: ScriptedOpenAI) -> None:
    server.script(Fail(503))
    with pytest.raises(BackendError, match=f"m at {server.base_url} did not answer"):
        judge(server, attempts=1).score([PAIR])


def test_the_query_of_an_address_is_sent_as_one(
    server: ScriptedOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Any] = []
    client = openai.AsyncOpenAI

    def watched(**options: Any) -> Any:
        sent.append((options["base_url"], options["default_query"], options["api_key"]))
        return client(**options)

    monkeypatch.setattr(openai, "AsyncOpenAI", watched)
    server.script(ByClaim())
    engine = ServedNLI(f"{server.base_url}?version=2#x", "m", template="judge", api_key=f"{KEY}\n")
    _made.append(engine)
    assert engine.score([PAIR])[0].entailment > 0.8
    assert sent == [(server.base_url, {"version": "2"}, KEY)]


def test_a_key_that_no_request_can_hold_is_refused_at_once(server: ScriptedOpenAI) -> None:
    with pytest.raises(ContextError) as raised:
        judge(server, api_key="schlüssel").score([PAIR])
    assert "schl" not in str(raised.value)


def test_a_reply_of_gigabytes_is_not_read(server: ScriptedOpenAI) -> None:
    server.script(Raw(b" " * (17 * 2**20)))
    with pytest.raises(BackendError, match="larger than 16 MiB"):
        judge(server).score([PAIR])


def test_a_spent_budget_keeps_what_was_paid_for(server: ScriptedOpenAI) -> None:
    server.script(*[ByClaim()] * 9)
    engine = judge(server, budget=Budget(calls=3), concurrency=1)
    pairs = [Pair("It is tall.", f"It is {n}.") for n in range(6)]
    with pytest.raises(BudgetError):
        engine.score(pairs)
    assert engine.usage.calls == 3
    assert len(server.requests) == 3
    assert len(engine.score(pairs[:3])) == 3
    assert len(server.requests) == 3


def test_of_two_servers_one_may_die(server: ScriptedOpenAI) -> None:
    with ScriptedOpenAI() as other:
        dead = judge(other, attempts=1)
    server.script(*[ByClaim()] * 2)
    with pytest.raises(BackendError) as raised:
        dead.score([PAIR])
    assert raised.value.is_outage or "APIConnectionError" in str(raised.value)
    assert judge(server).score([PAIR])[0].entailment > 0.8


# --- many questions -------------------------------------------------------------------------------


def test_questions_are_asked_at_the_same_time_and_each_gets_its_own_score(
    server: ScriptedOpenAI,
) -> None:
    server.script(*[ByClaim(0.05)] * 40)
    engine = judge(server)
    sides = [[Pair("T", f"{word} {n}") for n in range(20)] for word in ("tall", "wide")]
    with ThreadPoolExecutor(2) as threads:
        tall, wide = threads.map(engine.score, sides)
    assert all(score.entailment > 0.8 for score in tall)
    assert all(score.entailment < 0.2 for score in wide)
    assert len(server.requests) == 40


def test_equal_questions_and_known_ones_are_asked_once(
    server: ScriptedOpenAI, tmp_path: Any
) -> None:
    server.script(*[ByClaim()] * 2)
    engine = judge(server, cache=DiskScoreCache(tmp_path / "scores.sqlite"))
    assert len(engine.score([PAIR, PAIR])) == 2
    again = judge(server, cache=DiskScoreCache(tmp_path / "scores.sqlite"))
    assert again.score([PAIR]) == engine.score([PAIR])
    assert len(server.requests) == 1
    assert KEY.encode() not in (tmp_path / "scores.sqlite").read_bytes()


@pytest.mark.parametrize("setting", [{"temperature": 2.0}, {"window": 4}])
def test_scores_by_other_settings_are_not_taken_from_a_cache(
    server: ScriptedOpenAI, setting: dict[str, Any]
) -> None:
    server.script(*[ByClaim()] * 2)
    scores = MemoryScoreCache()
    assert judge(server, cache=scores).score([PAIR]) != judge(
        server, cache=scores, **setting
    ).score([PAIR])


def test_it_keeps_the_contract_of_engines(server: ScriptedOpenAI) -> None:
    server.script(*[ByClaim()] * 500)
    check_scorer(judge(server))


def test_a_pickled_engine_asks_from_its_own_connections(server: ScriptedOpenAI) -> None:
    server.script(*[ByClaim()] * 2)
    engine = judge(server)
    engine.score([PAIR])
    copied = pickle.loads(pickle.dumps(engine))  # noqa: S301 # made here
    _made.append(copied)
    assert copied.usage.calls == 0
    assert copied.score([PAIR])[0].entailment > 0.8
    assert engine.identity == copied.identity
    assert KEY not in f"{engine!r} {engine.identity}"


def test_an_answer_is_judged_by_what_it_reads(server: ScriptedOpenAI) -> None:
    server.script(*[ByClaim()] * 20)

    class Answer(Grounded):
        text: Annotated[str, Entailed()]

    references = ["The tower is 90 metres tall.", "It was built in 1890."]
    context = {"references": references, "judges": Judges(nli=judge(server))}
    assert audit(Answer, {"text": "The tower is tall."}, context=context).ok
    assert not audit(Answer, {"text": "The tower is wide."}, context=context).ok
    first = server.requests[0]["messages"][-1]["content"]
    assert all(reference in first for reference in references)


def test_of_a_very_long_sentence_the_end_is_not_sent_and_not_entailed(
    server: ScriptedOpenAI,
) -> None:
    server.script(*[ByClaim()] * 2)
    engine = judge(server, window=100)
    (long, short) = engine.score([Pair("T", "tall " * 500), Pair("T", "tall " * 40)])
    assert long.entailment == 0.0
    assert short.entailment > 0.8
    sent = sorted(request["messages"][-1]["content"].count("tall") for request in server.requests)
    assert sent == [40, 40]


# --- settings -------------------------------------------------------------------------------------


def test_a_template_of_ones_own_is_checked() -> None:
    good: dict[str, Any] = {
        "messages": (("user", "{text} {claim}"),),
        "answers": ("true", "false"),
    }
    ServedTemplate(**good)
    for wrong in (
        {"messages": (("user", "{claim}"),)},
        {"messages": (("user", "{text} {text} {claim}"),)},
        {"messages": (("user", "{text} {claim}"),), "documents": True},
        {"before": "Before: {before}"},
        {"answers": ("true",)},
        {"answers": ("true", "True ")},
        {"max_tokens": 0},
        {"messages": "{text} {claim}"},
        {"behind": ["<score>"]},
        {"fields": {"seed": object()}},
        {"fields": 5},
        {"answers": (1, 0)},
    ):
        with pytest.raises(ContextError):
            ServedTemplate(**(good | wrong))


@pytest.mark.parametrize(
    "wrong",
    [
        {"base_url": "localhost:8000"},
        {"base_url": "http://127.0.0.1:99999/v1"},
        {"base_url": "http://[::1/v1"},
        {"base_url": "http://"},
        {"base_url": "http://gpu :8000/v1"},
        {"base_url": None},
        {"model": ""},
        {"template": 3},
        {"window": "2048"},
        {"template": "no-such-template"},
        {"window": 0},
        {"concurrency": 0},
        {"top_logprobs": 0},
        {"timeout": 0.0},
    ],
)
def test_settings_are_checked(wrong: dict[str, Any]) -> None:
    with pytest.raises(ContextError):
        ServedNLI(**{"base_url": "http://127.0.0.1:1/v1", "model": "m", **wrong})


def test_every_named_template_asks_about_both_texts() -> None:
    for template in served_templates().values():
        request = str(template.request(PAIR))
        assert PAIR.premise in request
        assert PAIR.hypothesis in request


def test_it_has_a_name(server: ScriptedOpenAI, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.syspath_prepend(str(JUDGE / "src"))
    engine = nli_by_name(f"served:{server.base_url}")
    assert isinstance(engine, ServedNLI)
    server.script(*[ByClaim()] * 2)
    assert engine.score([PAIR])[0].entailment > 0.8
    assert server.requests[0]["model"] == "groundtypes-judge"
    other: Any = nli_by_name(f"served:{server.base_url}#lora")
    other.score([PAIR])
    assert server.requests[1]["model"] == "lora"
    _made.extend([engine, other])


@pytest.mark.parametrize("name", ["served:", "served:gpu:8000", "served:http://u:p@gpu/v1"])
def test_a_name_without_an_address_is_refused(name: str) -> None:
    with pytest.raises(ContextError) as raised:
        Judges(nli=name)
    assert "u:p" not in str(raised.value)


# --- a real server --------------------------------------------------------------------------------


@pytest.mark.judge
def test_llama_cpp_serves_the_judge_with_the_probabilities_of_its_training() -> None:
    base, lora = os.environ["GROUNDTYPES_JUDGE_BASE"], os.environ["GROUNDTYPES_JUDGE_LORA"]
    python = Path(base).parent / "venv" / "bin" / "python"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    script = ROOT / "research" / "scripts" / "local_llm_server.py"
    serving = subprocess.Popen(  # ours
        [python, script, base, str(port), lora], stderr=subprocess.DEVNULL
    )
    try:
        engine = ServedNLI(
            f"http://127.0.0.1:{port}/v1", "judge", template="judge", concurrency=1, timeout=300
        )
        _made.append(engine)
        wait_for(port)
        lines = (Path(__file__).parent / "data" / "judge_expected.jsonl").read_text("utf-8")
        rows = [json.loads(line) for line in lines.splitlines()[:10]]
        pairs = [Pair(row["text"], row["claim"], row["before"] or "") for row in rows]
        gaps = [
            abs(share - expected)
            for score, row in zip(engine.score(pairs), rows, strict=True)
            for share, expected in zip(triple(score), row["yes_unknown_no"], strict=True)
        ]
    finally:
        serving.kill()
        serving.wait()
    assert fmean(gaps) < 0.02
    assert max(gaps) < 0.15


def wait_for(port: int, seconds: float = 120.0) -> None:
    """Wait until a server has loaded its model."""
    end = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5):
                return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.5)
