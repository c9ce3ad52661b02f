"""The examples with judges run as they are, against a scripted endpoint."""

from typing import Any

import pytest

from tests.cookbook.running import run_with_instructor
from tests.scripted_openai import Exchange, Say, ScriptedOpenAI


class Scripted:
    """Answers every prompt of the examples, by what it is told to do."""

    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        system, user = (body["messages"][at]["content"] for at in (0, -1))
        if "take sentences apart" in system:
            said: Any = {
                "claims": [
                    {
                        "sentence": 1,
                        "subject": "Ibuprofen",
                        "predicate": "has the side effects",
                        "object": "nausea and dizziness",
                    },
                    {
                        "sentence": 2,
                        "subject": "Ibuprofen",
                        "predicate": "is taken with food",
                        "object": "five times a day",
                    },
                ]
            }
        elif "check sentences against passages" in system:
            eaten = {"sentence": 2, "label": "supported", "passage": 2}
            often = {"sentence": 2, "label": "contradicted", "passage": 2}
            said = {
                "labels": [
                    {"sentence": 1, "label": "supported", "passage": 1},
                    eaten | {"statement": "Ibuprofen is taken with food."},
                    often | {"statement": "Ibuprofen is taken up to five times a day."},
                ]
            }
        elif "check claims against passages" in system:
            said = {
                "labels": [
                    {"claim": 1, "passage": 1, "label": "supported"},
                    {"claim": 2, "passage": 2, "label": "contradicted"},
                ]
            }
        else:
            blames = "your own fault" in user and "keeps a rule" in system
            said = {"reasons": ['It says "your own fault".'], "holds": not blames}
        Say(said).send(exchange, body)


def test_the_claims_of_an_answer_are_shown_with_their_labels() -> None:
    with ScriptedOpenAI() as server:
        server.script(Scripted())
        done = run_with_instructor("claims_of_an_answer.py", "--base-url", server.base_url)
    assert done.returncode == 1, done.stderr
    told = [line.split("  ") for line in done.stdout.splitlines()]
    assert [(line[0], line[-1]) for line in told[:3]] == [
        ("entailment", "[leaflet]"),
        ("entailment", "[label]"),
        ("contradiction", "[label]"),
    ]
    assert '"Ibuprofen is taken up to five times a day."' in done.stdout
    assert "1 calls" in done.stdout


def test_claims_that_nli_labels_take_one_call() -> None:
    pytest.importorskip("onnxruntime")
    with ScriptedOpenAI() as server:
        server.script(Scripted())
        done = run_with_instructor("claims_of_an_answer.py", "--base-url", server.base_url, "--nli")
    assert "1 calls" in done.stdout, done.stderr


def test_a_reply_that_breaks_the_rule_is_sent_back_with_reasons() -> None:
    rude, kind = "That is your own fault.", "We are sorry; opened software cannot be returned."
    with ScriptedOpenAI() as server:
        server.script(Say({"text": rude}), Scripted(), Scripted(), Say({"text": kind}))
        server.script(Scripted(), Scripted())
        done = run_with_instructor("judge_with_own_rule.py", "--base-url", server.base_url)
    assert done.returncode == 0, done.stderr + done.stdout
    assert "sent back  judged_false" in done.stdout
    assert 'It says "your own fault".' in done.stdout
    assert f"reply      {kind}" in done.stdout
