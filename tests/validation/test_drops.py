"""`on_fault="drop"` removes the item around a fault, and nothing else changes its meaning."""

import json
from collections.abc import Callable
from typing import Annotated, Any, Literal, NamedTuple

import pytest
from pydantic import (
    AliasChoices,
    AliasPath,
    BaseModel,
    BeforeValidator,
    Field,
    Json,
    ValidationError,
    field_validator,
)

from groundtypes import Entailed, Grounded, Judges, Quoted, audit, verify
from tests.checks import ENTAILED, REFUTED, ScriptedNLI

CONTEXT = {"references": {"a": "It is tall and grey.", "b": "It is wide and red."}}
TALL, GREY, BAD = "It is tall", "tall and grey", "made up"
Drop = Annotated[str, Quoted(on_fault="drop")]


class _Row(NamedTuple):
    quote: Drop
    other: str
    more: str = ""


class _Text(BaseModel):
    kind: Literal["text"] = "text"
    quote: Drop


class _List(BaseModel):
    kind: Literal["list"] = "list"
    quotes: list[Drop]


class _Answer(Grounded):
    pair: tuple[Drop, str] = (TALL, "")
    pairs: list[tuple[Drop, str]] = []
    tuples: list[tuple[Drop, ...]] = []
    rows: list[_Row] = []
    named: dict[str, Drop] = {}
    mappings: list[dict[str, Drop]] = []
    lists_in_tuples: list[tuple[list[Drop], str]] = []
    unique: set[Drop] = set()
    parts: list[Annotated[_Text | _List, Field(discriminator="kind")]] = []
    trees: "list[_Answer]" = []


DROPPED: dict[str, tuple[dict[str, Any], str, Any]] = {
    "an item that is a tuple": ({"pairs": [[BAD, "a"], [TALL, "b"]]}, "pairs", [(TALL, "b")]),
    "an item that is a tuple of any length": (
        {"tuples": [[BAD, TALL], [TALL]]},
        "tuples",
        [(TALL,)],
    ),
    "an item that is a named tuple": (
        {"rows": [[BAD, TALL], [TALL, "b"]]},
        "rows",
        [(TALL, "b", "")],
    ),
    "an item that is a mapping": ({"mappings": [{"x": BAD, "y": TALL}]}, "mappings", []),
    "an item of a list in a tuple": (
        {"lists_in_tuples": [[[BAD, TALL], "a"]]},
        "lists_in_tuples",
        [([TALL], "a")],
    ),
    "an item of a set": ({"unique": [BAD, TALL]}, "unique", {TALL}),
    "an item of a discriminated union": (
        {"parts": [{"kind": "text", "quote": BAD}, {"kind": "list", "quotes": [BAD, TALL]}]},
        "parts",
        [_List(quotes=[])],
    ),
}


@pytest.mark.parametrize("as_json", [False, True], ids=["python", "json"])
@pytest.mark.parametrize(("data", "field", "left"), DROPPED.values(), ids=DROPPED.keys())
def test_the_whole_item_of_the_innermost_list_is_left_out(
    data: dict[str, Any], field: str, left: Any, as_json: bool
) -> None:
    report = audit(_Answer, json.dumps(data) if as_json else data, context=CONTEXT)
    assert report.value is not None
    value = getattr(report.value, field)
    if field == "parts":
        assert [part.model_dump() for part in value] == [{"kind": "list", "quotes": [TALL]}]
    else:
        assert value == left
    assert all(fault.dropped for fault in report.faults)


def test_an_item_of_a_model_in_itself_is_left_out() -> None:
    trees = [{"unique": [BAD, TALL], "trees": [{"unique": [BAD]}]}]
    answer = verify(_Answer, {"trees": trees}, context=CONTEXT)
    assert answer.trees[0].unique == {TALL} and answer.trees[0].trees[0].unique == set()


@pytest.mark.parametrize(
    ("data", "loc"),
    [({"pair": [BAD, TALL]}, ("pair", 0)), ({"named": {"x": BAD}}, ("named", "x"))],
)
def test_elements_of_tuples_and_values_of_mappings_are_never_left_out(
    data: Any, loc: tuple[Any, ...]
) -> None:
    report = audit(_Answer, data, context=CONTEXT)
    assert [(fault.loc, fault.dropped) for fault in report.faults] == [(loc, False)]


class _Plain(BaseModel):
    pair: tuple[Drop, str] = (TALL, "")
    named: dict[str, Drop] = {}
    pairs: list[tuple[Drop, str]] = []


@pytest.mark.parametrize(
    "data", [{"pair": (BAD, "x")}, {"named": {"a": BAD}}, {"pairs": [(BAD, "x")]}]
)
def test_a_plain_model_leaves_out_nothing_but_items_of_lists(data: Any) -> None:
    with pytest.raises(ValidationError):
        _Plain.model_validate(data, context=CONTEXT)


class _Paths(Grounded):
    first: Drop = Field(validation_alias=AliasPath("items", 0))
    second: str = Field(validation_alias=AliasPath("items", 1), default="?")


class _Choices(Grounded):
    quotes: list[Drop] = Field(validation_alias=AliasChoices(AliasPath("items", 0), "quotes"))


def test_what_an_alias_path_selects_is_no_item() -> None:
    report = audit(_Paths, {"items": [BAD, TALL]}, context=CONTEXT)
    assert [(fault.loc, fault.dropped) for fault in report.faults] == [(("items", 0), False)]
    assert verify(_Choices, {"quotes": [BAD, TALL]}, context=CONTEXT).quotes == [TALL]
    assert not audit(_Choices, {"items": [[BAD, TALL]]}, context=CONTEXT).ok


# --- what is left at fault -------------------------------------------------------------------


class _Item(BaseModel):
    quote: Drop
    year: int = 0


class _Trees(Grounded):
    items: list[_Item] = []
    lists: list[list[_Item]] = []
    parts: list[Annotated[_Text | _List, Field(discriminator="kind")]] = []
    pair: Annotated[list[Drop], Field(min_length=2)] = [TALL, GREY]


def _item(quote: str, year: Any = 1) -> dict[str, Any]:
    return {"quote": quote, "year": year}


LEFT: dict[str, tuple[dict[str, Any], list[tuple[Any, ...]]]] = {
    "behind one": ({"items": [_item(BAD), _item(TALL, "?")]}, [("items", 1, "year")]),
    "between several": (
        {"items": [_item(q, "?" if q == TALL else 1) for q in (BAD, TALL, BAD, BAD, GREY, TALL)]},
        [("items", 1, "year"), ("items", 5, "year")],
    ),
    "in lists of lists": (
        {"lists": [[_item(BAD), _item(TALL)], [_item(BAD), _item(BAD), _item(TALL, "?")]]},
        [("lists", 1, 2, "year")],
    ),
    "behind the tag of a union": (
        {
            "parts": [
                {"kind": "text", "quote": BAD},
                {"kind": "list", "quotes": [BAD, TALL, 5]},
            ]
        },
        [("parts", 1, "list", "quotes", 2)],
    ),
    "the list itself": ({"pair": [BAD, TALL]}, [("pair",)]),
}


@pytest.mark.parametrize(("data", "locs"), LEFT.values(), ids=LEFT.keys())
def test_faults_are_where_the_answer_has_them_and_not_what_is_left_of_it(
    data: dict[str, Any], locs: list[Any]
) -> None:
    validations: list[Callable[[], Any]] = [
        lambda: _Trees.model_validate(data, context=CONTEXT),
        lambda: _Trees.model_validate_json(json.dumps(data), context=CONTEXT),
        lambda: verify(_Trees, data, context=CONTEXT),
    ]
    for validate in validations:
        with pytest.raises(ValidationError) as raised:
            validate()
        assert [line["loc"] for line in raised.value.errors()] == locs
    report = audit(_Trees, data, context=CONTEXT)
    assert [fault.loc for fault in report.faults if not fault.dropped] == locs
    assert report.error is not None
    assert [line["loc"] for line in report.error.errors()] == locs


def test_other_faults_of_an_item_are_left_out_with_it() -> None:
    report = audit(_Trees, {"items": [_item(BAD, "?"), _item(TALL)]}, context=CONTEXT)
    assert [(fault.slug, fault.dropped) for fault in report.faults] == [
        ("quote_not_found", True),
        ("int_parsing", True),
    ]
    assert (report.ok, report.decision) == (True, "accept")


def test_the_error_hides_inputs_where_the_model_hides_them() -> None:
    class Hiding(_Trees, hide_input_in_errors=True):
        pass

    with pytest.raises(ValidationError) as raised:
        verify(Hiding, {"items": [_item(BAD), _item(TALL, "secret")]}, context=CONTEXT)
    assert "secret" not in str(raised.value) and "items.1.year" in str(raised.value)


def test_what_reads_the_rest_of_a_list_has_its_verdict_in_the_audit() -> None:
    class Summary(Grounded):
        quotes: list[Drop]
        text: Annotated[str, Entailed(by="quotes")]

    nli = ScriptedNLI(lambda pair: ENTAILED if "tall" in pair.premise else REFUTED)
    context = CONTEXT | {"judges": Judges(nli=nli)}
    for left, ok in ((TALL, True), ("It is wide", False)):
        data = {"quotes": [BAD, left], "text": "The tower is tall."}
        report = audit(Summary, data, context=context)
        assert report.ok == ok
        found = [(verdict.loc, verdict.ok, verdict.dropped) for verdict in report.verdicts]
        assert found == [
            (("quotes", 0), False, True),
            (("quotes", 1), True, False),
            (("text",), ok, False),
        ]


# --- what a validator has moved --------------------------------------------------------------


class _Reversed(Grounded):
    quotes: list[Drop]

    @field_validator("quotes", mode="before")
    @classmethod
    def turn(cls, quotes: list[str]) -> list[str]:
        return quotes[::-1]


class _Split(Grounded):
    quotes: Annotated[list[Drop], BeforeValidator(lambda text: text.split(";"))]


class _InText(Grounded):
    quotes: Json[list[Drop]]


@pytest.mark.parametrize(
    ("model", "quotes"),
    [
        (_Reversed, [TALL, GREY, BAD]),
        (_Split, f"{BAD};{TALL}"),
        (_InText, json.dumps([BAD, TALL])),
    ],
)
def test_a_fault_that_is_not_where_the_input_has_it_remains_a_fault(
    model: Any, quotes: Any
) -> None:
    report = audit(model, {"quotes": quotes}, context=CONTEXT)
    assert [(fault.slug, fault.dropped) for fault in report.faults] == [("quote_not_found", False)]


def test_items_that_a_validator_moves_to_their_mirror_image_are_dropped() -> None:
    answer = verify(_Reversed, {"quotes": [TALL, BAD, GREY]}, context=CONTEXT)
    assert answer.quotes == [GREY, TALL]


# --- siblings --------------------------------------------------------------------------------


class _Fact(BaseModel):
    quote: Annotated[str, Quoted(of="source")]
    other: Drop = TALL
    source: str  # declared behind the field whose check reads it


class _Dropping(BaseModel):
    quote: Annotated[str, Quoted(of="source", on_fault="drop")]
    source: str


class _Facts(Grounded):
    facts: list[_Fact] = []
    dropping: list[_Dropping] = []


def test_a_check_never_reads_the_sibling_of_an_item_that_was_left_out() -> None:
    facts = [
        {"quote": "It is wide", "source": "b", "other": BAD},
        {"quote": "It is wide", "source": "a", "other": TALL},
    ]
    report = audit(_Facts, {"facts": facts}, context=CONTEXT)
    assert report.value is None
    dropping = [{"quote": "It is wide", "source": source} for source in "abab"]
    answer = verify(_Facts, {"dropping": dropping}, context=CONTEXT)
    assert [fact.source for fact in answer.dropping] == ["b", "b"]
