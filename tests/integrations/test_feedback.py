"""Audits as feedback, also through the real LangSmith, without its service."""

import datetime as dt
import uuid
import warnings
from collections.abc import Sequence
from typing import Annotated, Any

import pytest
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    RootModel,
    TypeAdapter,
    computed_field,
    create_model,
)

from groundtypes import Entailed, Figures, Judges, Quote, audit
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
    quoted, entailed, _schema = feedback_of(audit(Both, answer, context=context))
    assert (quoted.key, quoted.ok, quoted.score, quoted.label) == ("Quoted", True, 1.0, "holds")
    assert [(span.start, span.end) for span in quoted.spans] == [(8, 25)]
    assert (entailed.key, entailed.ok, entailed.score) == ("Entailed", False, 0.0)
    assert entailed.label == "contradicted"
    assert entailed.comment.startswith("text: ")


def test_the_score_is_the_share_of_verdicts_that_hold() -> None:
    answer = {"quotes": ["tower of the town", "a wide river here", "is very tall", "no such words"]}
    feedback, _schema = feedback_of(audit(Answer, answer, context={"references": [TEXT]}))
    assert feedback.score == 0.5
    assert feedback.comment.count("\n") == 1
    assert "quotes.1: " in feedback.comment and "quotes.3: " in feedback.comment


def test_what_pydantic_finds_is_feedback_too() -> None:
    found = feedback_of(audit(Answer, {"quotes": 7}, context={"references": [TEXT]}))
    assert [(each.key, each.ok) for each in found] == [("schema", False)]


def test_the_mean_of_the_schema_counts_the_answers_that_pydantic_accepts() -> None:
    answers = [{"quotes": ["is very tall"]}, {"quotes": ["is very wide"]}, {"quotes": 7}]
    audits = [audit(Answer, answer, context={"references": [TEXT]}) for answer in answers]
    scores = [{each.key: each.score for each in feedback_of(audited)} for audited in audits]
    assert [each["schema"] for each in scores] == [1.0, 1.0, 0.0]
    assert feedback_of(audit(Answer, {"quotes": []}, context={"references": [TEXT]})) == []


FENCED = '```json\n{"quotes": ["is very tall"]}\n```'


@pytest.mark.parametrize(
    ("model", "output"),
    [
        (Answer, '{"quotes": ["is very tall"]}'),
        (Answer, FENCED),
        (TypeAdapter(list[Quote]), '["is very tall"]'),
        (RootModel[list[Quote]], '```\n["is very tall"]\n```'),
        (TypeAdapter(Quote), "is very tall"),
        (create_model("Text", text=(Annotated[str, Figures()], ...)), "[1] says that it is tall."),
        (create_model("Alias", text=(Quote, Field(validation_alias="out"))), "is very tall"),
    ],
)
def test_text_is_read_as_json_or_as_the_only_field(model: Any, output: str) -> None:
    for outputs, answer in ((output, None), ({"final": output}, "final")):
        results = evaluator(model, answer=answer)(INPUTS, outputs)["results"]
        assert [(each["score"], each["value"]) for each in results] == [(1.0, "holds")] * 2


def test_an_instance_is_judged_as_it_is_and_not_as_it_is_dumped() -> None:
    class Dumped(BaseModel):
        model_config = ConfigDict(extra="forbid")
        quote: Annotated[Quote, Field(serialization_alias="Zitat")]
        hidden: Annotated[bytes, Field(exclude=True)]

        @computed_field
        def words(self) -> int:
            return len(self.quote.split())

    for quote, score in (("is very tall", 1.0), ("is very wide", 0.0)):
        instance = Dumped.model_construct(quote=quote, hidden=b"\xff")
        results = evaluator(Dumped)(INPUTS, instance)["results"]
        scores = {each["key"]: each["score"] for each in results}
        assert scores == {"Quoted": score, "schema": 1.0}
    other = create_model("Other", quotes=(list[str], ...))(quotes=["is very tall"])
    assert evaluator(Answer)(INPUTS, other)["results"][0]["score"] == 1.0


def test_no_answer_is_no_low_score() -> None:
    with pytest.raises(ContextError, match="no answer"):
        evaluator(Answer, answer="final")(INPUTS, {"final": None})


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
    found, _schema = judged(INPUTS, outputs)["results"]
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
    result, _schema = row["evaluation_results"]["results"]
    assert (result.key, result.score, result.value) == ("Quoted", 0.5, "quote_altered")
