"""`Quoted(spans=True)`: a validated quote is stored with its span, which is never trusted."""

import copy
import json
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    PlainSerializer,
    RootModel,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    field_validator,
)

from groundtypes import Figures, Grounded, Quote, Quoted, QuotedText, Span, audit, verify
from groundtypes.errors import MarkerError
from groundtypes.quotes import search
from groundtypes.report import Report

TEXT = "It is tall. The “tower” was built in 1889. It is tall and grey."
OTHER = "It costs less than 1.5 mg per day. It is tall."
CONTEXT = {"references": {"guide": TEXT, "other": OTHER}}
#: The second time that these words occur in the first reference.
SECOND = {"text": "It is tall", "reference": "guide", "start": 43, "end": 53}

StoredQuote = Annotated[str, Quoted(spans=True)]


class Fact(BaseModel):
    """A quote that is stored with its span."""

    quote: StoredQuote


class GroundedFact(Grounded):
    """The same, judged in rounds."""

    quote: StoredQuote


class Circle(BaseModel):
    """A branch of a union."""

    kind: Literal["circle"] = "circle"
    quote: StoredQuote


class Square(BaseModel):
    """Another branch."""

    kind: Literal["square"] = "square"
    quote: StoredQuote


class Everywhere(Grounded):
    """Quotes wherever a value may be."""

    one: StoredQuote
    maybe: StoredQuote | None = None
    inside: Annotated[str | None, Quoted(spans=True)] = None
    several: list[StoredQuote] = []
    by_name: dict[str, StoredQuote] = {}
    pair: tuple[StoredQuote, int] | None = None
    fact: Fact | None = None
    shapes: list[Annotated[Circle | Square, Field(discriminator="kind")]] = []
    figures_too: Annotated[str, Figures(), Quoted(spans=True)] | None = None
    then_figures: Annotated[str, Quoted(spans=True), Figures()] | None = None
    fuzzy: Annotated[str, Quoted(spans=True, fuzzy=True)] | None = None


EVERYWHERE: dict[str, Any] = {
    "one": "the tower WAS built",
    "maybe": "It is tall",
    "inside": "tall and grey",
    "several": ["It is tall", "tall and grey"],
    "by_name": {"a": "built in 1889"},
    "pair": ["It is tall", 5],
    "fact": {"quote": "It costs less"},
    "shapes": [{"kind": "square", "quote": "It is tall"}],
    "figures_too": "built in 1889",
    "then_figures": "built in 1889",
    "fuzzy": "It costs less, than 1.5 mg per day",
}


def _spans(value: object) -> list[Span]:
    """Return the spans of all quotes in a model."""
    if isinstance(value, QuotedText):
        return [value.span]
    if isinstance(value, BaseModel):
        return [span for _, part in value for span in _spans(part)]
    if isinstance(value, dict):
        return [span for part in value.values() for span in _spans(part)]
    if isinstance(value, list | tuple):
        return [span for part in value for span in _spans(part)]
    return []


def test_a_quote_is_written_as_an_object_with_the_words_of_the_reference() -> None:
    fact = Fact.model_validate({"quote": "the TOWER was built"}, context=CONTEXT)
    stored = {"text": "The “tower” was built", "reference": "guide", "start": 12, "end": 33}
    assert fact.model_dump() == fact.model_dump(mode="json") == {"quote": stored}
    assert json.loads(fact.model_dump_json()) == {"quote": stored}
    assert TEXT[12:33] == stored["text"]


def test_by_default_a_quote_is_written_as_text() -> None:
    class Plain(BaseModel):
        quote: Quote

    plain = Plain.model_validate({"quote": "It is tall"}, context=CONTEXT)
    assert json.loads(plain.model_dump_json()) == {"quote": "It is tall"}
    with pytest.raises(ValidationError, match="string_type"):
        Plain.model_validate({"quote": SECOND}, context=CONTEXT)


ROUND_TRIPS: dict[str, Callable[[Any], Any]] = {
    "model_dump": lambda answer: type(answer).model_validate(answer.model_dump(), context=CONTEXT),
    "model_dump in JSON mode": lambda answer: type(answer).model_validate(
        answer.model_dump(mode="json"), context=CONTEXT
    ),
    "model_dump_json": lambda answer: type(answer).model_validate_json(
        answer.model_dump_json(), context=CONTEXT
    ),
    "verify of JSON": lambda answer: verify(
        type(answer), answer.model_dump_json(), context=CONTEXT
    ),
    "verify of an instance": lambda answer: verify(type(answer), answer, context=CONTEXT),
    "TypeAdapter": lambda answer: TypeAdapter(type(answer)).validate_json(
        TypeAdapter(type(answer)).dump_json(answer), context=CONTEXT
    ),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "model_copy": lambda answer: answer.model_copy(deep=True),
    "pickle": lambda answer: pickle.loads(pickle.dumps(answer)),  # noqa: S301 # its own
}


@pytest.mark.parametrize("copied", ROUND_TRIPS.values(), ids=ROUND_TRIPS)
def test_spans_survive_wherever_a_quote_may_be(copied: Callable[[Any], Any]) -> None:
    answer = Everywhere.model_validate(EVERYWHERE, context=CONTEXT)
    again = copied(answer)
    assert len(_spans(answer)) == 12
    assert again == answer
    assert _spans(again) == _spans(answer)


@pytest.mark.parametrize("model", [Fact, GroundedFact])
@pytest.mark.parametrize("strict", [None, True])
def test_a_span_that_is_right_is_kept_without_a_search(
    model: Any, strict: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_search(*_: object, **__: object) -> None:
        raise AssertionError("searched")

    monkeypatch.setattr(search, "search", no_search)
    text = json.dumps({"quote": SECOND})
    for fact in (
        model.model_validate({"quote": SECOND}, context=CONTEXT, strict=strict),
        model.model_validate_json(text, context=CONTEXT, strict=strict),
        verify(model, {"quote": SECOND}, context=CONTEXT),
        verify(model, text, context=CONTEXT),
        model.model_validate({"quote": MappingProxyType(SECOND)}, context=CONTEXT),
    ):
        assert _spans(fact) == [Span("guide", 43, 53)]
        assert isinstance(fact.quote, QuotedText)
        assert fact.quote.how.value == "exact"


WRONG_SPANS: dict[str, dict[str, Any]] = {
    "elsewhere": {"start": 42, "end": 52},
    "too long": {"end": 54},
    "empty": {"end": 43},
    "reversed": {"start": 53, "end": 43},
    "counted from the end": {"start": 43 - len(TEXT), "end": 53 - len(TEXT)},
    "beyond the end": {"start": 10**6, "end": 10**6 + 10},
    "huge": {"start": -(10**400), "end": 10**400},
    "truth values": {"start": True, "end": True},
    "floats": {"start": 43.0, "end": 53.0},
    "infinite": {"start": float("nan"), "end": float("inf")},
    "texts": {"start": "43", "end": "53"},
    "nothing": {"start": None, "end": None},
    "lists": {"start": [43], "end": [53]},
    "an unknown reference": {"reference": "nowhere"},
    "a reference that is no text": {"reference": 7},
    "another reference": {"reference": "other"},
    "a lone surrogate": {"reference": "\ud800"},
}


@pytest.mark.parametrize("wrong", WRONG_SPANS.values(), ids=WRONG_SPANS)
@pytest.mark.parametrize("model", [Fact, GroundedFact])
def test_a_span_that_is_wrong_is_searched_for_anew(
    model: type[Fact | GroundedFact], wrong: dict[str, Any]
) -> None:
    fact = model.model_validate({"quote": {**SECOND, **wrong}}, context=CONTEXT)
    assert _spans(fact) == [Span("guide", 0, 10)]


@pytest.mark.parametrize("missing", ["reference", "start", "end"])
def test_an_object_without_all_of_a_span_is_searched_for(missing: str) -> None:
    stored = {key: value for key, value in SECOND.items() if key != missing}
    fact = Fact.model_validate({"quote": stored}, context=CONTEXT)
    assert _spans(fact) == [Span("guide", 0, 10)]


FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "a text that occurs nowhere": ({"text": "It is small"}, "quote_altered"),
    "a text that cuts a number": (
        {"text": "5 mg per day", "reference": "other", "start": 21, "end": 33},
        "quote_altered",
    ),
    "a text that cuts a word": (
        {"text": "ower” was built", "start": 18, "end": 33},
        "quote_altered",
    ),
    "a blank text": ({"text": " ", "start": 2, "end": 3}, "quote_not_found"),
    "one word": ({"text": "grey", "start": 58, "end": 62}, "quote_too_short"),
    "a text that is a number": ({"text": 5}, "string_type"),
    "no text": ({"text": None}, "string_type"),
}


@pytest.mark.parametrize(("changed", "slug"), FAULTS.values(), ids=FAULTS)
@pytest.mark.parametrize("model", [Fact, GroundedFact])
def test_a_right_span_excuses_no_fault(
    model: type[Fact | GroundedFact], changed: dict[str, Any], slug: str
) -> None:
    with pytest.raises(ValidationError) as caught:
        model.model_validate({"quote": {**SECOND, **changed}}, context=CONTEXT)
    (line,) = caught.value.errors()
    assert (line["type"], line["loc"]) == (slug, ("quote",))
    assert "StatedQuote" not in str(caught.value)


def test_the_cases_of_faults_state_what_the_references_say() -> None:
    assert OTHER[21:33] == "5 mg per day"
    assert TEXT[18:33] == "ower” was built"
    assert TEXT[58:62] == "grey"


def test_a_span_in_another_reference_than_the_named_one_does_not_count() -> None:
    class Named(Grounded):
        source: str
        quote: Annotated[str, Quoted(of="source", spans=True)]

    given = {"source": "other", "quote": SECOND}
    assert _spans(Named.model_validate(given, context=CONTEXT)) == [Span("other", 35, 45)]
    grey = {"text": "tall and grey", "reference": "guide", "start": 49, "end": 62}
    with pytest.raises(ValidationError, match="quote_in_other_reference"):
        Named.model_validate({"source": "other", "quote": grey}, context=CONTEXT)


@given(st.integers(-70, 70), st.integers(-70, 70))
def test_whatever_span_is_stated_the_result_is_where_the_words_are(start: int, end: int) -> None:
    stored = {"text": "It is tall", "reference": "guide", "start": start, "end": end}
    span = Fact.model_validate({"quote": stored}, context=CONTEXT).quote.span  # type: ignore[attr-defined]
    assert TEXT[span.start : span.end] == "It is tall"


def test_a_changed_reference_is_searched_anew() -> None:
    moved = {"references": {"guide": "Look: It is tall."}}
    fact = Fact.model_validate({"quote": SECOND}, context=moved)
    assert _spans(fact) == [Span("guide", 6, 16)]


def test_items_that_are_to_be_dropped_are_dropped_with_their_span() -> None:
    class Notes(Grounded):
        quotes: list[Annotated[str, Quoted(spans=True, on_fault="drop")]]

    notes = {"quotes": [SECOND, {**SECOND, "text": "It is small"}]}
    report = audit(Notes, notes, context=CONTEXT)
    assert report.ok
    assert _spans(report.value) == [Span("guide", 43, 53)]
    assert [fault.loc for fault in report.faults] == [("quotes", 1)]


def test_subclasses_of_str_are_read_as_texts() -> None:
    class Marked(str):
        """Text that says something else of itself."""

        __slots__ = ()

        def __str__(self) -> str:
            return "something else"

    stored = {**SECOND, "text": Marked("It is tall"), "reference": Marked("guide")}
    for strict in (None, True):
        fact = Fact.model_validate({"quote": stored}, context=CONTEXT, strict=strict)
        assert _spans(fact) == [Span("guide", 43, 53)]
        plain = Fact.model_validate({"quote": Marked("It is tall")}, context=CONTEXT, strict=strict)
        assert _spans(plain) == [Span("guide", 0, 10)]
    assert type(fact.model_dump()["quote"]["text"]) is str


def test_validators_of_the_user_see_text_and_may_change_it() -> None:
    class Stripped(BaseModel):
        before: Annotated[str, BeforeValidator(str.strip), Quoted(spans=True)]
        after: Annotated[str, AfterValidator(str.strip), Quoted(spans=True)]
        short: Annotated[str, StringConstraints(max_length=20), Quoted(spans=True)]

    stripped = Stripped.model_validate(
        {"before": SECOND, "after": {**SECOND, "text": " It is tall "}, "short": SECOND},
        context=CONTEXT,
    )
    assert _spans(stripped) == [Span("guide", 43, 53), Span("guide", 0, 10), Span("guide", 43, 53)]
    with pytest.raises(ValidationError, match="string_too_long"):
        Stripped.model_validate(
            {"before": SECOND, "after": SECOND, "short": {**SECOND, "text": "x" * 21}},
            context=CONTEXT,
        )


def test_a_serializer_of_the_user_goes_before_the_object() -> None:
    class Loud(BaseModel):
        quote: Annotated[str, Quoted(spans=True), PlainSerializer(str.upper, return_type=str)]

    loud = Loud.model_validate({"quote": SECOND}, context=CONTEXT)
    assert loud.model_dump() == {"quote": "IT IS TALL"}
    written = Loud.model_json_schema(mode="serialization")["properties"]["quote"]
    assert written["type"] == "string"


def test_a_plain_union_writes_each_branch_as_itself() -> None:
    class Either(BaseModel):
        value: StoredQuote | int | list[StoredQuote]

    for given_value, written in ((SECOND, SECOND), (5, 5), ([SECOND], [SECOND])):
        either = Either.model_validate({"value": given_value}, context=CONTEXT)
        assert json.loads(either.model_dump_json()) == {"value": written}
        assert either.model_dump() == {"value": written}


def test_other_types_hold_quotes_with_spans() -> None:
    @dataclass
    class Kept:
        quote: StoredQuote

    adapter = TypeAdapter(Kept)
    kept = adapter.validate_python({"quote": SECOND}, context=CONTEXT)
    assert json.loads(adapter.dump_json(kept)) == {"quote": SECOND}

    class Quotes(RootModel[list[StoredQuote]]):
        """Nothing but quotes."""

    quotes = verify(Quotes, [SECOND], context=CONTEXT)
    assert quotes.model_dump() == [SECOND]


def test_the_schema_for_the_llm_is_that_of_a_text() -> None:
    class Plain(BaseModel):
        quote: Quote

    spans, plain = (model.model_json_schema()["properties"]["quote"] for model in (Fact, Plain))
    assert spans == plain
    everywhere = json.dumps(Everywhere.model_json_schema())
    assert '"start"' not in everywhere
    assert '"reference"' not in everywhere


def test_the_schema_of_what_is_written_is_that_of_an_object() -> None:
    written = Everywhere.model_json_schema(mode="serialization")["properties"]
    stored = {
        "type": "object",
        "properties": {
            "text": {"title": "Text", "type": "string"},
            "reference": {"title": "Reference", "type": "string"},
            "start": {"title": "Start", "type": "integer"},
            "end": {"title": "End", "type": "integer"},
        },
        "required": ["text", "reference", "start", "end"],
    }
    assert written["one"].items() >= stored.items()
    assert written["several"]["items"].items() >= stored.items()
    for name in ("maybe", "inside"):
        choice, null = written[name]["anyOf"]
        assert choice.items() >= stored.items()
        assert null == {"type": "null"}


def test_a_serialization_context_writes_text_as_the_llm_did() -> None:
    answer = Everywhere.model_validate(EVERYWHERE, context=CONTEXT)
    written = answer.model_dump(context={"spans": False})
    assert written["one"] == "The “tower” was built"
    assert written["fact"] == {"quote": "It costs less"}
    assert written["several"] == ["It is tall", "tall and grey"]
    assert answer.model_dump(context={"other": 1}) == answer.model_dump()


def test_a_default_has_no_span_and_is_written_as_it_is() -> None:
    class Defaulted(BaseModel):
        quote: StoredQuote = "nothing yet"
        maybe: StoredQuote | None = None

    assert Defaulted().model_dump() == {"quote": "nothing yet", "maybe": None}


def test_a_report_shows_a_stored_quote() -> None:
    page = Report([audit(Fact, {"quote": SECOND}, context=CONTEXT)]).to_html()
    assert "It is tall" in page


def test_as_a_validator_function_spans_are_a_mistake() -> None:
    class Decorated(BaseModel):
        quote: str

        _check = field_validator("quote")(Quoted(spans=True))

    with pytest.raises(MarkerError, match="Annotated"):
        Decorated.model_validate({"quote": "It is tall"}, context=CONTEXT)


def test_markers_with_and_without_spans_differ() -> None:
    assert Quoted(spans=True) != Quoted()
    assert len({Quoted(spans=True), Quoted(spans=True), Quoted()}) == 2


def test_a_marker_of_an_older_version_has_no_spans() -> None:
    marker = Quoted(min_words=3, spans=True)
    older = vars(Quoted)["__getstate__"](marker)[:-4]
    restored = object.__new__(Quoted)
    restored.__setstate__(older)
    assert restored == Quoted(min_words=3)
