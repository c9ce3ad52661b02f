"""`Entailed` with a scripted engine: what is asked, how verdicts merge, what faults say."""

from typing import Annotated, Any, NamedTuple

import pytest
from pydantic import BaseModel, ValidationError, create_model

from groundtypes import (
    Cited,
    Entailed,
    Figures,
    Grounded,
    Judges,
    NLIScores,
    Pair,
    Quote,
    Quoted,
    Span,
    audit,
    verify,
)
from groundtypes.entailment import entail
from groundtypes.entailment.entailments import merge_scores
from groundtypes.errors import BackendError, MarkerError, MissingReferencesError
from groundtypes.scoring import Label
from tests.checks import ENTAILED, REFUTED, ScriptedNLI

NEUTRAL = NLIScores(entailment=0.1, neutral=0.8, contradiction=0.1)
TOWER = "The tower was built in 1889. It is 330 metres tall. It stands in Paris."


def by_marks(pair: Pair) -> NLIScores:
    """A statement with "wrong" is refuted, one with "maybe" neutral, every other entailed."""
    if "wrong" in pair.hypothesis:
        return REFUTED
    return NEUTRAL if "maybe" in pair.hypothesis else ENTAILED


class Answer(Grounded):
    text: Annotated[str, Entailed()]


def context(engine: ScriptedNLI, references: Any = TOWER, **more: Any) -> dict[str, Any]:
    return {"references": references, "judges": Judges(nli=engine), **more}


def faults(error: ValidationError) -> list[tuple[tuple[int | str, ...], str]]:
    return [(line["loc"], line["type"]) for line in error.errors()]


def test_every_sentence_is_judged_in_one_batch() -> None:
    engine = ScriptedNLI(by_marks)
    text = "The tower was built in 1889. It stands in Paris, which is in France."
    found = audit(Answer, {"text": text}, context=context(engine))
    assert found.ok
    assert engine.calls == 1
    assert [verdict.label for verdict in found.verdicts] == ["entailment", "entailment"]
    assert {pair.hypothesis for pair in engine.batches[0]} == {
        "The tower was built in 1889.",
        "It stands in Paris, which is in France.",
    }


def test_all_failing_sentences_are_told_at_once() -> None:
    text = "The tower is in Paris. It was maybe painted red. This is wrong about its height."
    with pytest.raises(ValidationError) as raised:
        verify(Answer, {"text": text}, context=context(ScriptedNLI(by_marks)))
    assert faults(raised.value) == [(("text",), "not_entailed"), (("text",), "contradicted")]
    message = str(raised.value)
    assert "It was maybe painted red." in message
    assert "This is wrong about its height." in message
    assert "330 metres" in message


def test_the_evidence_is_the_sentence_that_decided() -> None:
    references = {"a": "Bread is baked from flour and water.", "b": TOWER}
    engine = ScriptedNLI(lambda pair: ENTAILED if "1889" in pair.premise else NEUTRAL)
    found = audit(Answer, {"text": "It was built in 1889."}, context=context(engine, references))
    (verdict,) = found.verdicts
    assert verdict.span == Span("b", 0, TOWER.index(" It is"))
    assert verdict.score == ENTAILED.entailment
    assert verdict.threshold == 0.5


@pytest.mark.parametrize(
    ("scores", "label", "decisive"),
    [
        ([], Label.NEUTRAL, None),
        ([NEUTRAL], Label.NEUTRAL, 0),
        ([NEUTRAL, REFUTED], Label.CONTRADICTION, 1),
        ([NEUTRAL, REFUTED, ENTAILED], Label.ENTAILMENT, 2),
        ([ENTAILED, NEUTRAL], Label.ENTAILMENT, 0),
    ],
    ids=["none", "neutral", "any contradicts", "any entails", "neutral beside"],
)
def test_any_that_entails_wins_then_any_that_contradicts(
    scores: list[NLIScores], label: Label, decisive: int | None
) -> None:
    assert merge_scores(scores) == (label, decisive)


def test_what_one_reference_entails_and_another_contradicts_is_marked_a_conflict() -> None:
    references = {"old": "The bridge has two lanes.", "new": "The bridge has four lanes."}
    engine = ScriptedNLI(lambda pair: ENTAILED if "four" in pair.premise else REFUTED)
    answer = {"text": "The bridge has four lanes."}
    (verdict,) = audit(Answer, answer, context=context(engine, references)).verdicts
    assert verdict.ok
    assert verdict.reason is not None
    assert verdict.reason.startswith("conflict")
    assert "old" in verdict.reason


class Fact(BaseModel):
    quote: Quote
    statement: Annotated[str, Entailed(by="quote")]


def test_by_names_a_sibling() -> None:
    engine = ScriptedNLI(by_marks)
    fact = {"quote": "It is 330 metres tall.", "statement": "The tower is 330 metres tall."}
    verify(Fact, fact, context=context(engine))
    assert engine.batches == [[Pair("It is 330 metres tall.", "The tower is 330 metres tall.")]]


def test_a_statement_beside_a_false_quote_is_not_judged() -> None:
    engine = ScriptedNLI(by_marks)
    fact = {"quote": "It is 333 metres tall.", "statement": "The tower is 333 metres tall."}
    with pytest.raises(ValidationError) as raised:
        verify(Fact, fact, context=context(engine))
    assert faults(raised.value) == [(("quote",), "quote_altered")]
    assert engine.calls == 0


class Later(Grounded):
    statement: Annotated[str, Entailed(by=["quotes", "note"])]
    quotes: list[str]
    note: str | None = None


def test_by_may_name_several_fields_that_are_declared_later() -> None:
    engine = ScriptedNLI(lambda pair: ENTAILED if "tall" in pair.premise else NEUTRAL)
    data = {"statement": "It is tall.", "quotes": ["It stands in Paris.", "It is quite tall."]}
    (verdict,) = audit(Later, data, context=context(engine)).verdicts
    assert verdict.ok
    assert verdict.span == Span("quotes.1", 0, 17)
    assert engine.calls == 1


def test_an_empty_sibling_entails_nothing() -> None:
    data = {"statement": "It is tall.", "quotes": []}
    with pytest.raises(ValidationError) as raised:
        verify(Later, data, context=context(ScriptedNLI(by_marks)))
    assert faults(raised.value) == [(("statement",), "not_entailed")]


class Numbered(Grounded):
    number: int
    text: Annotated[str, Entailed(by="number")]


def test_a_sibling_that_is_no_text_is_a_mistake() -> None:
    with pytest.raises(MarkerError, match="number"):
        verify(Numbered, {"number": 3, "text": "Three."}, context=context(ScriptedNLI()))


def test_an_unknown_sibling_is_a_mistake_when_the_class_is_built() -> None:
    with pytest.raises(MarkerError, match="nothing_here"):

        class Broken(BaseModel):
            text: Annotated[str, Entailed(by="nothing_here")]


@pytest.mark.parametrize(
    "checked",
    [
        Annotated[str, Entailed(by="source")],
        Annotated[str, Quoted(of="source")],
        Annotated[int, Figures(by="source")],
    ],
    ids=str,
)
def test_a_sibling_in_a_named_tuple_is_a_mistake_when_the_class_is_built(checked: Any) -> None:
    class Fact(NamedTuple):
        source: str
        value: checked

    with pytest.raises(MarkerError, match="Make Fact a BaseModel, a dataclass or a TypedDict"):
        create_model("Answer", facts=(list[Fact], ...))


@pytest.mark.parametrize(
    "options",
    [{"threshold": 0.0}, {"threshold": 1.5}, {"require": "most"}, {"by": ""}, {"by": []}],
    ids=str,
)
def test_options_that_make_no_sense_are_mistakes(options: dict[str, Any]) -> None:
    with pytest.raises(MarkerError):
        Entailed(**options)


def test_markers_are_values() -> None:
    assert Entailed(by=["a", "b"]) == Entailed(by=("a", "b"))
    assert len({Entailed(by=["a"]), Entailed(by=("a",)), Entailed()}) == 2


def test_the_threshold_is_the_least_probability() -> None:
    class Strict(Grounded):
        text: Annotated[str, Entailed(threshold=0.95)]

    with pytest.raises(ValidationError) as raised:
        verify(Strict, {"text": "It is tall."}, context=context(ScriptedNLI(by_marks)))
    assert faults(raised.value) == [(("text",), "not_entailed")]


def test_neutral_can_be_allowed_and_contradiction_not() -> None:
    class Lenient(Grounded):
        text: Annotated[str, Entailed(allow_neutral=True)]

    asked = context(ScriptedNLI(by_marks))
    assert verify(Lenient, {"text": "It was maybe painted."}, context=asked)
    with pytest.raises(ValidationError) as raised:
        verify(Lenient, {"text": "That is wrong about it."}, context=asked)
    assert faults(raised.value) == [(("text",), "contradicted")]


class Mean(Grounded):
    text: Annotated[str, Entailed(require="mean", threshold=0.5)]


def test_the_mean_forgives_one_weak_sentence_and_no_contradiction() -> None:
    asked = context(ScriptedNLI(by_marks))
    weak = "The tower stands in Paris. It is quite tall indeed. It was maybe painted red."
    (verdict,) = audit(Mean, {"text": weak}, context=asked).verdicts
    assert verdict.ok
    assert verdict.score == pytest.approx((0.9 + 0.9 + 0.1) / 3)
    refuted = weak + " All of this is wrong anyway."
    with pytest.raises(ValidationError) as raised:
        verify(Mean, {"text": refuted}, context=asked)
    assert faults(raised.value) == [(("text",), "contradicted")]


def test_a_low_mean_names_the_weakest_sentence() -> None:
    text = "The tower stands in Paris. It was maybe painted red. It was maybe sold twice."
    with pytest.raises(ValidationError) as raised:
        verify(Mean, {"text": text}, context=context(ScriptedNLI(by_marks)))
    assert faults(raised.value) == [(("text",), "not_entailed")]


@pytest.mark.parametrize("text", ["", "   ", "\n\n", "...", "!?", "😀"], ids=repr)
def test_a_text_without_a_word_is_no_silent_pass(text: str) -> None:
    with pytest.raises(ValidationError) as raised:
        verify(Answer, {"text": text}, context=context(ScriptedNLI(by_marks)))
    assert faults(raised.value) == [(("text",), "not_entailed")]


@pytest.mark.parametrize("references", [[], "", "  \n ", [" ", ""]], ids=repr)
def test_without_reference_text_nothing_is_entailed(references: Any) -> None:
    engine = ScriptedNLI(by_marks)
    with pytest.raises(ValidationError) as raised:
        verify(Answer, {"text": "It is tall."}, context=context(engine, references))
    assert faults(raised.value) == [(("text",), "not_entailed")]
    assert engine.calls == 0


def test_no_references_are_a_mistake() -> None:
    with pytest.raises(MissingReferencesError):
        verify(Answer, {"text": "It is tall."}, context={"judges": Judges(nli=ScriptedNLI())})


def test_the_question_stands_in_front_of_the_premise() -> None:
    engine = ScriptedNLI(by_marks)
    asked = context(engine, question="How tall is it?")
    verify(Answer, {"text": "It is 330 metres tall."}, context=asked)
    assert engine.batches[0][0].premise.startswith("How tall is it?\n")


def test_long_references_cost_a_few_pairs_only() -> None:
    engine = ScriptedNLI(by_marks)
    references = [f"Note {number}: {TOWER} " * 5 for number in range(300)]
    verify(Answer, {"text": "The tower is tall."}, context=context(engine, references))
    assert len(engine.batches[0]) <= 6


def test_an_engine_that_returns_too_few_rows_is_a_mistake() -> None:
    class Lazy:
        def score(self, pairs: Any, /) -> list[NLIScores]:
            return []

    with pytest.raises(BackendError, match="0 results"):
        verify(
            Answer, {"text": "Tall."}, context={"references": TOWER, "judges": Judges(nli=Lazy())}
        )


def test_an_engine_that_returns_no_number_is_a_mistake() -> None:
    class Broken:
        def score(self, pairs: Any, /) -> list[NLIScores]:
            return [NLIScores(float("nan"), 0.0, 0.0) for _ in pairs]

    with pytest.raises(BackendError):
        verify(
            Answer, {"text": "Tall."}, context={"references": TOWER, "judges": Judges(nli=Broken())}
        )


def test_entail_judges_plain_texts() -> None:
    engine = ScriptedNLI(by_marks)
    found = entail(TOWER, "The tower is quite tall. That is wrong, you know.", nli=engine)
    assert [one.label for one in found] == ["entailment", "contradiction"]
    assert engine.calls == 1


def test_the_schema_tells_the_rule() -> None:
    schema = Fact.model_json_schema()
    assert schema["properties"]["statement"]["description"] == "Say only what quote says."
    described = Answer.model_json_schema()["properties"]["text"]["description"]
    assert described == "Say only what the references say."


@pytest.mark.parametrize(
    "options", [{"threshold": "0.5"}, {"threshold": True}, {"allow_neutral": "x"}]
)
def test_an_option_of_another_type_is_a_mistake(options: dict[str, Any]) -> None:
    with pytest.raises(MarkerError):
        Entailed(**options)


@pytest.mark.parametrize(
    ("marker", "text"),
    [
        (Entailed(), "Dogs are allowed in the tower."),
        (Cited(), "Dogs are allowed in the tower [1]."),
    ],
)
def test_a_message_says_which_difference_decided(marker: Entailed | Cited, text: str) -> None:
    class Rules(Grounded):
        text: Annotated[str, marker]

    references = ["Dogs are not allowed in the tower."]
    (fault,) = audit(Rules, {"text": text}, context={"references": references}).faults
    assert "'not' stands in the passage and not in the sentence" in (fault.message or "")


def test_a_message_names_no_difference_that_did_not_decide_alone() -> None:
    context = {"references": "The tower is open from 9 am to 6 pm."}
    (fault,) = audit(Answer, {"text": "The tower is painted green."}, context=context).faults
    assert "'green' stands nowhere in the references" in (fault.reason or "")
    assert "stands nowhere" not in (fault.message or "")
