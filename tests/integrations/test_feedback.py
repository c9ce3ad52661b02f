"""Audits as feedback, also through the real LangSmith, without its service."""

import datetime as dt
import uuid
import warnings
from collections.abc import Sequence
from typing import Annotated, Any

import pytest
from pydantic import BaseModel

from groundtypes import Entailed, Judges, Quote, audit
from groundtypes.errors import BackendError, ContextError, Mistake
from groundtypes.integrations.feedback import feedback_of
from groundtypes.integrations.langsmith import evaluator
from groundtypes.scoring import Pair
from groundtypes.testing import ScriptedNLI

TEXT = "The old tower of the town is very tall."
INPUTS = {"question": "How tall is it?", "references": [TEXT]}


class Answer(BaseModel):
    quotes: list[Quote]


class Both(BaseModel):
    quote: Quote
    text: Annotated[str, Entailed()]


def test_each_check_has_one_score() -> None:
    answer = {"quote": "tower of the town", "text": "It stands beside a river."}
    context = {"references": [TEXT], "judges": Judges(nli=ScriptedNLI())}
    quoted, entailed = feedback_of(audit(Both, answer, context=context))
    assert (quoted.key, quoted.ok, quoted.score, quoted.label) == ("Quoted", True, 1.0, "holds")
    assert [(span.start, span.end) for span in quoted.spans] == [(8, 25)]
    assert (entailed.key, entailed.ok, entailed.score) == ("Entailed", False, 0.0)
    assert entailed.label == "contradicted"
    assert entailed.comment.startswith("text: ")


def test_the_score_is_the_share_of_verdicts_that_hold() -> None:
    answer = {"quotes": ["tower of the town", "a wide river here", "is very tall", "no such words"]}
    [feedback] = feedback_of(audit(Answer, answer, context={"references": [TEXT]}))
    assert feedback.score == 0.5
    assert feedback.comment.count("\n") == 1
    assert "quotes.1: " in feedback.comment and "quotes.3: " in feedback.comment


def test_what_pydantic_finds_is_feedback_too() -> None:
    found = feedback_of(audit(Answer, {"quotes": 7}, context={"references": [TEXT]}))
    assert [(each.key, each.ok) for each in found] == [("schema", False)]


def test_an_outage_is_no_feedback() -> None:
    class Down:
        def score(self, pairs: Sequence[Pair]) -> Any:
            raise ConnectionError

    judged = evaluator(Both, judges=Judges(nli=Down()))
    with pytest.raises(BackendError):
        judged(INPUTS, {"quote": "tower of the town", "text": "It is tall and old."})


def test_keys_say_where_things_are() -> None:
    judged = evaluator(Answer, references="context", answer="final", question="question")
    inputs = {"question": "How tall?", "context": [TEXT]}
    assert judged(inputs, {"final": {"quotes": ["is very tall"]}})["results"][0]["score"] == 1.0
    retrieved = {"context": ["It is wide and low."], "final": {"quotes": ["is very tall"]}}
    assert judged(inputs, retrieved)["results"][0]["score"] == 0.0
    own = evaluator(Answer, references=lambda inputs, outputs: outputs["docs"])
    with pytest.raises(Mistake):
        own({}, {"docs": None, "quotes": ["is very tall"]})
    with pytest.raises(ContextError, match="'context'"):
        judged({"question": "How tall?"}, {"final": {}})


def test_an_answer_brings_no_references_of_its_own() -> None:
    judged = evaluator(Answer)
    outputs = {"quotes": ["wide and low here"], "references": ["It is wide and low here."]}
    [found] = judged(INPUTS, outputs)["results"]
    assert found["score"] == 0.0
    with pytest.raises(ContextError, match="'references'"):
        judged({"question": "How tall?"}, outputs)


def test_langsmith_takes_it() -> None:
    langsmith = pytest.importorskip("langsmith")
    schemas = pytest.importorskip("langsmith.schemas")
    examples = [
        schemas.Example(
            id=uuid.uuid4(),
            dataset_id=uuid.uuid4(),
            inputs=INPUTS,
            outputs={},
            created_at=dt.datetime.now(dt.UTC),
        )
    ]
    client = langsmith.Client(
        api_key="none", api_url="http://127.0.0.1:9", auto_batch_tracing=False
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # LangSmith warns that this is new
        experiment = langsmith.evaluate(
            lambda inputs: {"quotes": ["is very tall", "is very wide"]},
            data=examples,
            evaluators=[evaluator(Answer)],
            client=client,
            upload_results=False,
        )
    [row] = list(experiment)
    [result] = row["evaluation_results"]["results"]
    assert (result.key, result.score, result.value) == ("Quoted", 0.5, "quote_altered")
