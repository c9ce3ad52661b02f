"""Each verdict is an event `gen_ai.evaluation.result`, a log record of the span that is active."""

from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from opentelemetry._logs import SeverityNumber
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from groundtypes import (
    Answered,
    Case,
    Check,
    Entailed,
    Grounded,
    Judges,
    Quote,
    Quoted,
    Verdict,
    audit,
    audit_many,
    guard,
    keep_valid,
    verify,
    verify_many,
)
from groundtypes.citations import audit_citations
from groundtypes.errors import BackendError, MissingReferencesError
from groundtypes.integrations.telemetry import instrument
from groundtypes.testing import ScriptedNLI
from tests.integrations.telemetry.answers import BAD, GOOD, TOWER, Answer, DeadNLI, context
from tests.integrations.telemetry.emitted import EXPLANATION, LABEL, NAME, SCORE, Emitted


def test_passing_and_failing_verdicts_are_events(emitted: Emitted) -> None:
    assert audit(Answer, GOOD, context=context()).ok
    assert not audit(Answer, BAD, context=context()).ok
    assert emitted.verdicts() == [
        ("Quoted", "pass", None),
        ("Entailed", "pass", None),
        ("Quoted", "fail", "quote_altered"),
        ("Entailed", "fail", "contradicted"),
    ]


def test_the_events_of_verify_are_those_of_audit(emitted: Emitted) -> None:
    verify(Answer, GOOD, context=context())
    audit(Answer, GOOD, context=context())
    with pytest.raises(ValidationError):
        verify(Answer, BAD, context=context())
    audit(Answer, BAD, context=context())
    found = emitted.attributes()
    assert found[:2] == found[2:4]
    assert found[4:6] == found[6:8]


def test_an_event_has_score_label_field_and_threshold(emitted: Emitted) -> None:
    found = audit(Answer, GOOD, context=context()).verdicts
    quoted, entailed = emitted.attributes()
    assert quoted == {
        "gen_ai.evaluation.name": "Quoted",
        "gen_ai.evaluation.score.value": 1.0,
        "gen_ai.evaluation.score.label": "pass",
        "gen_ai.evaluation.target": "Answer",
        "groundtypes.field": "Answer.quote",
        "groundtypes.label": "exact",
    }
    assert entailed[SCORE] == found[1].score
    assert entailed["groundtypes.threshold"] == found[1].threshold
    assert entailed["groundtypes.label"] == "entailment"


def test_it_is_a_log_record_with_a_name_and_the_scope_of_the_package(emitted: Emitted) -> None:
    audit(Answer, GOOD, context=context())
    event = emitted.events[0]
    assert event.event_name == "gen_ai.evaluation.result"
    assert event.severity_number is SeverityNumber.INFO
    assert event.body == "Quoted pass"


def test_what_pydantic_finds_is_an_event_of_the_check_schema(emitted: Emitted) -> None:
    audit(Answer, {"quote": "grey", "text": "It is grey.", "more": 1}, context=context())
    assert emitted.verdicts()[-1] == ("schema", "fail", "extra_forbidden")


def test_no_word_of_an_answer_is_the_name_of_a_field(emitted: Emitted) -> None:
    class Item(BaseModel):
        size: int

    class Items(Grounded):
        quote: Quote
        items: dict[str, Item] = Field(alias="elements")

    data = {"quote": "grey", "elements": {"canary": {"size": "canary"}, "other": {}}}
    audit(Items, data, context=context())
    fields = [each["groundtypes.field"] for each in emitted.attributes()]
    assert fields == ["Items.quote", "Item.size", "Item.size"]
    assert "canary" not in emitted.text()


def test_a_field_that_several_classes_have_is_named_alone(emitted: Emitted) -> None:
    class One(BaseModel):
        size: int

    @dataclass
    class Two:
        size: int

    class Both(Grounded):
        quote: Quote
        one: One
        two: Two

    audit(Both, {"quote": "grey", "one": {}, "two": {"size": 1}}, context=context())
    assert emitted.attributes()[-1]["groundtypes.field"] == "size"


def test_items_that_are_dropped_are_told_of_with_their_faults(emitted: Emitted) -> None:
    class Facts(Grounded):
        quotes: Annotated[list[Annotated[str, Quoted(on_fault="drop")]], Field(min_length=2)]

    result = audit(Facts, {"quotes": ["It is grey", "pink elephants"]}, context=context())
    assert [fault["type"] for fault in result.error.errors()] == ["too_short"]  # type: ignore[union-attr]
    assert emitted.verdicts() == [
        ("Quoted", "pass", None),
        ("Quoted", "fail", "quote_not_found"),
        ("schema", "fail", "too_short"),
    ]
    assert [each.get("groundtypes.dropped") for each in emitted.attributes()] == [None, True, None]


def test_rows_are_numbered_across_batches(emitted: Emitted) -> None:
    rows = [GOOD, BAD, GOOD]
    audit_many(Answer, rows, context=context(), batch=2)
    with pytest.raises(ExceptionGroup):
        verify_many(Answer, rows, context=context(), batch=2)
    numbers = [each["groundtypes.row"] for each in emitted.attributes()]
    assert numbers == [0, 0, 1, 1, 2, 2] * 2


def test_a_mistake_is_an_event_with_its_type_for_each_check_without_a_verdict(
    emitted: Emitted,
) -> None:
    with pytest.raises(MissingReferencesError):
        verify(Answer, GOOD)
    with pytest.raises(BackendError):
        verify(Answer, GOOD, context=context(judges=Judges(nli=DeadNLI())))
    first, second = emitted.attributes()
    assert first == {
        "gen_ai.evaluation.name": "Quoted",
        "gen_ai.evaluation.target": "Answer",
        "groundtypes.field": "Answer.quote",
        "error.type": "MissingReferencesError",
    }
    assert (second[NAME], second["error.type"]) == ("Entailed", "BackendError")
    assert {event.severity_number for event in emitted.events} == {SeverityNumber.WARN}


def test_a_mistake_in_one_of_many_rows_names_the_checks_of_every_row(emitted: Emitted) -> None:
    with pytest.raises(BackendError):
        verify_many(Answer, [GOOD, GOOD], context=context(judges=Judges(nli=DeadNLI())))
    errors = [each for each in emitted.attributes() if "error.type" in each]
    assert [(each[NAME], each["groundtypes.row"]) for each in errors] == [
        ("Entailed", 0),
        ("Entailed", 1),
    ]


def test_a_mistake_that_is_kept_names_the_checks_of_its_row_alone(emitted: Emitted) -> None:
    contexts = [context(), {"judges": context()["judges"]}]
    _, unjudged = audit_many(Answer, [GOOD, GOOD], context=contexts, on_mistake="keep")
    assert unjudged.mistake is not None
    errors = [each for each in emitted.attributes() if "error.type" in each]
    assert {(each["groundtypes.row"], each["error.type"]) for each in errors} == {
        (1, "MissingReferencesError")
    }
    span = emitted.span("audit_many Answer")
    assert (span.attributes or {})["groundtypes.answers.unjudged"] == 1


def test_explanations_are_emitted_only_when_asked_for(emitted: Emitted) -> None:
    audit(Answer, BAD, context=context())
    assert all(EXPLANATION not in each for each in emitted.attributes())
    assert "330 metres" not in emitted.text()
    assert "331 metres" not in emitted.text()
    instrument(explanations=True, **emitted.providers)
    faults = audit(Answer, BAD, context=context()).faults
    explained = [each[EXPLANATION] for each in emitted.attributes()[2:]]
    assert all(
        text.startswith(fault.message or "-") for text, fault in zip(explained, faults, strict=True)
    )
    assert "330 metres tall" in explained[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wordy(Check):
    """A check of somebody else's, whose words come from the value."""

    def judge(self, value: str, case: Case) -> Verdict:
        return self.fails("wordy", value * 1000, label=value * 100, score=float("nan"))


def test_texts_are_short_and_can_be_encoded(emitted: Emitted) -> None:
    instrument(explanations=True, **emitted.providers)

    class Text(Grounded):
        text: Annotated[str, Wordy()]

    audit(Text, {"text": "word \ud800"}, context=context())
    [attributes] = emitted.attributes()
    assert len(attributes["groundtypes.label"]) <= 80
    assert len(attributes[EXPLANATION]) <= 2_000
    assert attributes[SCORE] == 0.0
    for value in attributes.values():
        assert str(value).encode()


def test_an_answer_of_any_size_has_so_many_events(emitted: Emitted) -> None:
    class Items(Grounded):
        quote: Quote
        items: list[int]

    audit(Items, {"quote": "It is grey", "items": ["x"] * 12_000}, context=context())
    assert len(emitted.events) == 10_000
    span = emitted.span("audit Items")
    assert span.attributes is not None
    assert span.attributes["groundtypes.faults"] == 12_000
    assert span.attributes["groundtypes.events.dropped"] == 2_001
    assert emitted.counted("groundtypes.faults") == 12_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Odd(Check):
    """A check of somebody else's, whose verdicts have no numbers."""

    def judge(self, value: str, case: Case) -> Verdict:
        return self.holds(score="high", threshold=10**400)


def test_numbers_that_are_none_are_left_out(emitted: Emitted) -> None:
    class Text(Grounded):
        text: Annotated[str, Odd()]
        quote: Quote

    audit(Text, {"text": "grey", "quote": "It is grey"}, context=context())
    odd, quoted = emitted.attributes()
    assert odd[SCORE] == 1.0
    assert "groundtypes.threshold" not in odd
    assert quoted[NAME] == "Quoted"


@pytest.mark.parametrize(
    ("model", "name"),
    [
        (Answer, "Answer"),
        (list[Answer], "list[Answer]"),
        (TypeAdapter(list[Answer]), "list[Answer]"),
        (Annotated[Answer, Field(description="It is " + "long " * 100)], "Answer"),
    ],
    ids=["a model", "a list", "an adapter", "annotated"],
)
def test_the_target_is_the_name_of_the_model(emitted: Emitted, model: Any, name: str) -> None:
    audit(model, [GOOD] if "list" in name else GOOD, context=context())
    assert {each["gen_ai.evaluation.target"] for each in emitted.attributes()} == {name}


def test_validation_by_pydantic_itself_is_told_of(emitted: Emitted) -> None:
    Answer.model_validate(GOOD, context=context())
    assert emitted.verdicts() == [("Quoted", "pass", None), ("Entailed", "pass", None)]


def test_a_check_on_a_plain_model_is_told_of(emitted: Emitted) -> None:
    class Plain(BaseModel):
        quote: Quote
        text: Annotated[str, Entailed()]

    with pytest.raises(ValidationError):
        Plain.model_validate(BAD, context=context())
    assert emitted.verdicts() == [
        ("Quoted", "fail", "quote_altered"),
        ("Entailed", "fail", "contradicted"),
    ]
    assert [span.name for span in emitted.spans] == ["validate Plain.quote", "validate Plain.text"]


def test_what_is_judged_once_more_is_not_told_again(emitted: Emitted) -> None:
    class Facts(Grounded):
        quotes: list[Quote]

    found = audit(Facts, {"quotes": ["It is grey", "pink elephants"]}, context=context())
    assert keep_valid(found).value.quotes == ["It is grey"]
    assert [name for name, _, _ in emitted.verdicts()] == ["Quoted", "Quoted"]
    assert emitted.counted("groundtypes.faults") == 1


def test_the_sentences_of_a_guarded_stream_are_told_of(emitted: Emitted) -> None:
    chunks = ["The tower is 330 metres tall. The to", "wer is red."]
    judges = Judges(nli=ScriptedNLI())
    with emitted.tracer.start_as_current_span("request"):
        shown = guard(chunks, TOWER, checks=[Entailed()], judges=judges, on_fault="drop")
        assert "".join(shown) == "The tower is 330 metres tall."
    assert emitted.parents() == ["request", "request"]
    # Each sentence is told of when it is judged, and two are judged side by side.
    assert sorted((name, label) for name, label, _ in emitted.verdicts()) == [
        ("Entailed", "fail"),
        ("Entailed", "pass"),
    ]


def test_the_citations_of_a_provider_are_told_of(emitted: Emitted) -> None:
    message = {
        "message": {
            "content": [{"type": "text", "text": "It is grey."}],
            "citations": [{"start": 6, "end": 10, "text": "grey", "sources": [{"id": "guide"}]}],
        }
    }
    found = audit_citations(message, {"guide": TOWER}, Judges(nli=ScriptedNLI()))
    assert found.ok
    assert [name for name, _, _ in emitted.verdicts()] == [each.check for each in found.verdicts]
    assert {each["groundtypes.field"] for each in emitted.attributes()} == {
        "citations",
        "sentences",
    }
    span = emitted.span("audit_citations ProviderAnswer")
    assert span.attributes is not None
    assert span.attributes["groundtypes.questions.asked"] > 0  # type: ignore[operator]


def test_a_rule_check_without_scores_counts_as_one_or_zero(emitted: Emitted) -> None:
    class Reply(Grounded):
        text: Annotated[str, Answered()]

    audit(Reply, {"text": "I cannot help with that request."}, context=context())
    audit(Reply, {"text": "It is grey."}, context=context())
    assert [each[LABEL] for each in emitted.attributes()] == ["fail", "pass"]
    assert all(0.0 <= each[SCORE] <= 1.0 for each in emitted.attributes())
