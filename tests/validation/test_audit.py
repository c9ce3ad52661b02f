"""An audit shows every verdict in its place; dropped items leave theirs."""

import json
import pickle
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from groundtypes import (
    Audit,
    Grounded,
    Judges,
    Quote,
    Quoted,
    QuotedText,
    Span,
    Verdict,
    audit,
    verify,
)
from groundtypes.rounds.inputs import without_items
from tests.checks import Follows, ScriptedNLI, Short

TEXT = "The tower was finished in 1889. It is 330 metres tall. Millions climb it every year."
CONTEXT: dict[str, Any] = {"references": {"tower": TEXT, "other": "Nothing of the kind."}}
GOOD, BAD = "The tower was finished in 1889", "Nobody ever climbs the tower"


class Fact(BaseModel):
    quote: Annotated[str, Quoted(on_fault="drop")]
    note: str


class Answer(Grounded):
    quotes: list[Annotated[str, Quoted(on_fault="drop")]] = []
    facts: list[Fact] = []
    nested: list[list[Fact]] = []
    single: Annotated[str, Quoted(on_fault="drop")] | None = None


def test_every_verdict_has_its_place_passing_ones_too() -> None:
    class Cited(Grounded):
        title: Annotated[str, Short()]
        quotes: dict[str, list[Quote]]

    result = audit(
        Cited, {"title": "Tower", "quotes": {"a": [GOOD, BAD], "b": [GOOD]}}, context=CONTEXT
    )
    assert [(v.check, v.loc, v.ok, v.slug, v.label) for v in result.verdicts] == [
        ("Short", ("title",), True, None, None),
        ("Quoted", ("quotes", "a", 0), True, None, "exact"),
        ("Quoted", ("quotes", "a", 1), False, "quote_not_found", None),
        ("Quoted", ("quotes", "b", 0), True, None, "exact"),
    ]
    assert not result.ok and result.value is None
    assert result.verdicts[1].span == Span("tower", 0, len(GOOD))


def test_all_checks_of_one_value_are_in_the_audit() -> None:
    both: TypeAdapter[str] = TypeAdapter(Annotated[str, Short(), Follows()])
    context = CONTEXT | {"judges": Judges(nli=ScriptedNLI())}
    result = audit(both, "It is 330 metres tall.", context=context)
    assert [(v.check, v.ok) for v in result.verdicts] == [("Short", False), ("Follows", True)]


def test_what_pydantic_finds_is_a_verdict_of_the_schema() -> None:
    result = audit(Fact, {"quote": GOOD}, context=CONTEXT)
    assert [(v.check, v.loc, v.slug) for v in result.verdicts] == [
        ("Quoted", ("quote",), None),
        ("schema", ("note",), "missing"),
    ]


def test_an_audit_is_plain_data() -> None:
    result = audit(Fact, {"quote": GOOD, "note": "x"}, context=CONTEXT)
    assert isinstance(result, Audit) and isinstance(result.value, Fact)
    data = json.loads(result.to_json())
    assert data["value"] == {"quote": GOOD, "note": "x"}
    assert data["verdicts"][0]["span"] == {"reference": "tower", "start": 0, "end": len(GOOD)}
    assert data == json.loads(json.dumps(result.to_dict()))


def test_an_audit_reads_well() -> None:
    text = repr(audit(Fact, {"quote": BAD, "note": 3}, context=CONTEXT))
    assert "FAULT quote  Quoted quote_not_found" in text
    assert "FAULT note  schema string_type" in text


@pytest.mark.parametrize("json_text", [False, True], ids=["python", "json"])
def test_drop_leaves_out_the_item_and_the_audit_reports_it(json_text: bool) -> None:
    answer: Any = {
        "quotes": [BAD, GOOD, BAD],
        "facts": [{"quote": BAD, "note": "x"}, {"quote": GOOD, "note": "y"}],
        "nested": [[{"quote": BAD, "note": "x"}], [{"quote": GOOD, "note": "y"}]],
    }
    given = json.dumps(answer) if json_text else answer
    result = audit(Answer, given, context=CONTEXT)
    assert result.ok and result.value is not None
    assert result.value.quotes == [GOOD]
    assert [fact.note for fact in result.value.facts] == ["y"]
    assert [[fact.note for fact in facts] for facts in result.value.nested] == [[], ["y"]]
    assert [(v.loc, v.dropped) for v in result.faults] == [
        (("quotes", 0), True),
        (("quotes", 2), True),
        (("facts", 0, "quote"), True),
        (("nested", 0, 0, "quote"), True),
    ]
    assert answer["quotes"] == [BAD, GOOD, BAD]


def test_drop_works_wherever_validation_is_called() -> None:
    rows = {"quotes": [BAD, GOOD], "facts": [{"quote": BAD, "note": "x"}]}
    assert Answer.model_validate(rows, context=CONTEXT).facts == []
    assert Answer.model_validate_json(json.dumps(rows), strict=True, context=CONTEXT).quotes == [
        GOOD
    ]
    plain: TypeAdapter[Any] = TypeAdapter(list[Annotated[str, Quoted(on_fault="drop")]])
    assert verify(list[Fact], [{"quote": BAD, "note": "x"}], context=CONTEXT) == []
    assert verify(plain, [BAD, GOOD], context=CONTEXT) == [GOOD]


def test_items_of_a_plain_model_are_dropped_and_its_fields_never_vanish() -> None:
    class Plain(BaseModel):
        quotes: list[Annotated[str, Quoted(on_fault="drop")]]
        fact: Fact | None = None

    assert Plain.model_validate({"quotes": [BAD, GOOD]}, context=CONTEXT).quotes == [GOOD]
    with pytest.raises(ValidationError) as caught:
        Plain.model_validate({"quotes": [], "fact": {"quote": BAD, "note": "x"}}, context=CONTEXT)
    assert caught.value.errors()[0]["loc"] == ("fact", "quote")


def test_drop_outside_of_a_list_is_a_fault() -> None:
    with pytest.raises(ValidationError) as caught:
        verify(Answer, {"single": BAD}, context=CONTEXT)
    assert caught.value.errors()[0]["loc"] == ("single",)


def test_dropping_does_not_hide_other_faults() -> None:
    result = audit(Answer, {"quotes": [BAD], "facts": [{"quote": GOOD}]}, context=CONTEXT)
    assert not result.ok
    assert {(v.loc, v.slug) for v in result.faults} == {
        (("quotes", 0), "quote_not_found"),
        (("facts", 0, "note"), "missing"),
    }


def test_pruning_shares_what_it_does_not_change() -> None:
    data = {"a": [1, 2, [3, 4]], "b": {"c": [5]}, "d": [6]}
    pruned = without_items(data, [("a", 2, 0), ("a", 0), ("b", "c", 0)])
    assert pruned == {"a": [2, [4]], "b": {"c": []}, "d": [6]}
    assert pruned["d"] is data["d"]


def test_a_quote_is_the_references_own_words_with_their_place() -> None:
    fact = verify(Fact, {"quote": "the tower was   finished in 1889", "note": ""}, context=CONTEXT)
    quote: Any = fact.quote
    assert isinstance(quote, QuotedText)
    assert (quote, quote.span, quote.how) == (GOOD, Span("tower", 0, len(GOOD)), "normalised")
    assert fact.model_dump_json() == f'{{"quote":"{GOOD}","note":""}}'
    for copy in (pickle.loads(pickle.dumps(fact)), fact.model_copy(deep=True)):  # noqa: S301 # our own bytes
        assert getattr(copy.quote, "span", None) == quote.span


class Described(BaseModel):
    plain: Quote
    own: Quote = Field(description="The evidence.")
    named: Annotated[str, Quoted(of="plain")]
    silent: Annotated[str, Quoted(describe=False)]
    items: list[Quote] = Field(description="All of it.")


def test_the_schema_tells_the_rule_unless_it_is_turned_off() -> None:
    properties = Described.model_json_schema()["properties"]
    rule = Quoted().rule
    assert properties["plain"]["description"] == rule
    assert properties["own"]["description"] == f"The evidence. {rule}"
    assert "plain" in properties["named"]["description"]
    assert "description" not in properties["silent"]
    assert properties["items"]["description"] == "All of it."
    assert properties["items"]["items"]["description"] == rule


def test_the_rule_is_added_once_to_an_inherited_field() -> None:
    class Heir(Described):
        more: str

    Heir.model_rebuild(force=True)
    text = Heir.model_json_schema()["properties"]["own"]["description"]
    assert text.count(Quoted().rule) == 1


def test_a_verdict_is_plain_data() -> None:
    verdict = Verdict(check="x", ok=True, loc=("a", 0), span=Span("r", 1, 2))
    assert json.loads(json.dumps(verdict.to_dict()))["span"] == {
        "reference": "r",
        "start": 1,
        "end": 2,
    }


class _Bytes(Grounded):
    quote: Quote
    data: bytes = b""
    items: list[Any] = []


def test_bytes_that_are_no_utf_8_do_not_stop_the_writing_of_an_audit() -> None:
    given = {"quote": "It is tall", "data": b"a\xff", "items": [b"\xfe", b"b"]}
    report = audit(_Bytes, given, context={"references": "It is tall."})
    value = {"quote": "It is tall", "data": "a\ufffd", "items": ["\ufffd", "b"]}
    assert json.loads(report.to_json())["value"] == value
    assert report.to_row()["answer"] == value
    assert "It is tall" in report.to_html()
