"""`keep_valid` of an audit: the smallest part around a fault that may be absent is left out."""

import asyncio
import dataclasses
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import (
    AliasPath,
    BaseModel,
    ConfigDict,
    Field,
    RootModel,
    TypeAdapter,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic.dataclasses import dataclass as pydantic_dataclass
from typing_extensions import TypedDict

from groundtypes import (
    Entailed,
    Grounded,
    Judges,
    Mistake,
    Quote,
    Quoted,
    akeep_valid,
    audit,
    keep_valid,
)
from groundtypes.errors import BackendError, ContextError
from groundtypes.integrations.attempts import KeptAnswer
from groundtypes.testing import ScriptedNLI

TEXT = "The tower was finished in 1889. It is 330 metres tall."
CONTEXT: dict[str, Any] = {"references": TEXT}
TRUE, TRUE_TOO, FALSE = (
    "The tower was finished in 1889",
    "It is 330 metres tall",
    "Nobody has written this",
)


class Fact(BaseModel):
    statement: str
    quote: Quote
    note: Quote | None = None


class Section(BaseModel):
    facts: list[Fact]


class Report(Grounded):
    title: str
    facts: list[Fact] = []
    sections: list[Section] = []
    motto: Annotated[str, Quoted()] = "no motto"
    remark: Quote | None


def fact(quote: str, **more: Any) -> dict[str, Any]:
    return {"statement": "s", "quote": quote, **more}


def keep(model: Any, data: Any) -> KeptAnswer[Any]:
    return keep_valid(audit(model, data, context=CONTEXT))


def report(**more: Any) -> dict[str, Any]:
    return {"title": "t", "remark": None, **more}


def locs(kept: KeptAnswer[Any]) -> list[tuple[str | int, ...]]:
    return [part.loc for part in kept.left_out]


def test_a_valid_answer_is_kept_as_it_is() -> None:
    whole = audit(Report, report(facts=[fact(TRUE)]), context=CONTEXT)
    kept = keep_valid(whole)
    assert kept.value is whole.value
    assert kept.complete and str(kept) == "Nothing was left out."


@pytest.mark.parametrize("as_json", [False, True])
def test_items_and_fields_with_faults_are_left_out(as_json: bool) -> None:
    data = report(
        facts=[fact(FALSE), fact(TRUE), fact(TRUE_TOO, note=FALSE), fact(FALSE)],
        motto=FALSE,
        remark=FALSE,
    )
    row = TypeAdapter(Any).dump_json(data) if as_json else data
    kept = keep(Report, row)
    assert [each.quote for each in kept.value.facts] == [TRUE, TRUE_TOO]
    assert kept.value.facts[1].note is None
    assert (kept.value.motto, kept.value.remark) == ("no motto", None)
    assert locs(kept) == [("remark",), ("facts", 0), ("facts", 2, "note"), ("facts", 3), ("motto",)]
    assert [part.faults[0].loc for part in kept.left_out][1:3] == [
        ("facts", 0, "quote"),
        ("facts", 2, "note"),
    ]
    assert all(part.faults[0].slug == "quote_not_found" for part in kept.left_out)
    assert kept.left_out[3].value == fact(FALSE)
    assert "- facts.2.note (quote_not_found)" in str(kept)
    assert kept.left_out[0].to_dict()["faults"][0]["slug"] == "quote_not_found"


def test_a_list_may_become_empty() -> None:
    kept = keep(Report, report(sections=[{"facts": [fact(FALSE)]}, {"facts": [fact(TRUE)]}]))
    assert [len(section.facts) for section in kept.value.sections] == [0, 1]
    assert locs(kept) == [("sections", 0, "facts", 0)]


def test_a_list_that_would_be_too_short_takes_what_is_around_it() -> None:
    class Chapter(BaseModel):
        quotes: Annotated[list[Quote], Field(min_length=1)]

    class Book(Grounded):
        chapters: list[Chapter]

    kept = keep(Book, {"chapters": [{"quotes": [FALSE]}, {"quotes": [FALSE, TRUE]}]})
    assert [chapter.quotes for chapter in kept.value.chapters] == [[TRUE]]
    assert locs(kept) == [("chapters", 0), ("chapters", 1, "quotes", 0)]
    assert {fault.slug for fault in kept.left_out[0].faults} == {"quote_not_found", "too_short"}


@pytest.mark.parametrize(
    "data",
    [
        report(title=5),
        report(title=5, remark=FALSE, facts=[fact(FALSE)]),
        {"title": "t"} | {"facts": [fact(FALSE)]},
        [],
        "no json",
    ],
    ids=["a required field", "and others", "a missing field", "another type", "no JSON"],
)
def test_what_must_be_there_cannot_be_left_out(data: Any) -> None:
    whole = audit(Report, data, context=CONTEXT)
    assert whole.error is not None
    with pytest.raises(ValidationError) as raised:
        keep_valid(whole)
    assert raised.value.errors(include_url=False) == whole.error.errors(include_url=False)


def test_the_error_says_what_cannot_be_left_out() -> None:
    with pytest.raises(ValidationError) as raised:
        keep(Report, report(title=5, facts=[fact(FALSE)]))
    assert raised.value.__notes__ == [
        "Nothing is kept: title cannot be left out. Input should be a valid string"
    ]


def test_what_needs_the_left_out_part_is_left_out_too() -> None:
    class Claim(BaseModel):
        quote: Quote | None = None
        statement: Annotated[str, Entailed(by="quote")]

    class Claims(Grounded, judges=Judges(nli=ScriptedNLI())):
        claims: list[Claim]

    claims = [{"quote": FALSE, "statement": FALSE}, {"quote": TRUE + ".", "statement": TRUE + "."}]
    kept = keep(Claims, {"claims": claims})
    assert locs(kept) == [("claims", 0)]
    assert [claim.statement for claim in kept.value.claims] == [TRUE + "."]


def test_two_faults_of_one_field_leave_it_out_once() -> None:
    class Answer(Grounded):
        size: int | list[int] | None = 7

    kept = keep(Answer, {"size": "large"})
    assert kept.value.size == 7
    assert [fault.loc for fault in kept.left_out[0].faults] == [
        ("size", "int"),
        ("size", "list[int]"),
    ]


class Cited(BaseModel):
    kind: Literal["cited"]
    quote: Quote
    page: int | None = None


class Plain(BaseModel):
    kind: Literal["plain"] = "plain"
    text: str = ""


def test_branches_of_a_discriminated_union_lose_their_own_fields() -> None:
    class Answer(Grounded):
        parts: list[Annotated[Cited | Plain, Field(discriminator="kind")]]

    parts = [
        {"kind": "cited", "quote": TRUE, "page": "x"},
        {"kind": "cited", "quote": FALSE},
        {"kind": "song"},
        {"kind": "plain", "text": "t"},
    ]
    kept = keep(Answer, {"parts": parts})
    assert locs(kept) == [("parts", 0, "page"), ("parts", 1), ("parts", 2)]
    assert kept.value.model_dump()["parts"] == [
        {"kind": "cited", "quote": TRUE, "page": None},
        {"kind": "plain", "text": "t"},
    ]


def test_the_value_of_a_plain_union_never_becomes_another_branch() -> None:
    class Named(BaseModel):
        name: str
        age: Annotated[int, Field(gt=0)]

    class Anything(BaseModel):
        model_config = ConfigDict(extra="forbid")
        name: str

    class Answer(BaseModel):
        people: list[Named | Anything]

    kept = keep(Answer, {"people": [{"name": "a", "age": -1}, {"name": "b", "age": 1}]})
    assert locs(kept) == [("people", 0)]
    assert kept.value.people == [Named(name="b", age=1)]


def test_aliases_are_the_keys_that_are_left_out() -> None:
    class Answer(Grounded):
        first: Annotated[Quote | None, Field(alias="firstQuote")] = None
        second: Annotated[Quote | None, Field(validation_alias=AliasPath("meta", "quote"))] = None

    kept = keep(Answer, {"firstQuote": FALSE, "meta": {"quote": FALSE, "other": 1}})
    assert (kept.value.first, kept.value.second) == (None, None)
    assert locs(kept) == [("firstQuote",), ("meta", "quote")]


@pydantic_dataclass(frozen=True)
class Pair:
    left: Quote
    right: Quote | None = None


class Row(TypedDict, total=False):
    quote: Quote


@dataclasses.dataclass(slots=True)
class Slotted:
    quotes: list[Quote]


@pytest.mark.parametrize(
    ("model", "data", "expected"),
    [
        (
            list[Pair],
            [{"left": TRUE, "right": FALSE}, {"left": FALSE}],
            [{"left": TRUE, "right": None}],
        ),
        (Row, {"quote": FALSE}, {}),
        (dict[str, Quote], {"a": FALSE, "b": TRUE}, {"b": TRUE}),
        (Slotted, {"quotes": [FALSE, TRUE]}, {"quotes": [TRUE]}),
        (RootModel[list[Quote]], [FALSE, TRUE], [TRUE]),
        (list[list[Quote]], [[FALSE, TRUE], [FALSE]], [[TRUE], []]),
        (tuple[Quote, ...], (FALSE, TRUE), [TRUE]),
    ],
    ids=["dataclass", "TypedDict", "mapping", "slots", "root model", "nested lists", "tuple"],
)
def test_whatever_pydantic_validates_can_be_kept(model: Any, data: Any, expected: Any) -> None:
    adapter = TypeAdapter(model)
    kept = keep(adapter, data)
    assert adapter.dump_python(kept.value, mode="json") == expected
    assert kept.left_out


def test_a_fixed_tuple_is_left_out_as_a_whole() -> None:
    class Answer(Grounded):
        pair: tuple[Quote, Quote] | None = None

    kept = keep(Answer, {"pair": [TRUE, FALSE]})
    assert kept.value.pair is None
    assert locs(kept) == [("pair",)]


def test_frozen_models_and_forbidden_keys() -> None:
    class Answer(Grounded):
        model_config = ConfigDict(frozen=True, extra="forbid")
        quotes: tuple[Quote, ...]

    kept = keep(Answer, {"quotes": [FALSE, TRUE], "more": 1})
    assert kept.value.quotes == (TRUE,)
    assert locs(kept) == [("quotes", 0), ("more",)]


def test_items_that_are_to_be_dropped_are_left_out_as_items() -> None:
    class Item(BaseModel):
        text: str
        quote: Annotated[str, Quoted(on_fault="drop")] | None = None

    class Answer(Grounded):
        items: list[Item]
        remark: Quote | None = None

    items = [{"text": "a", "quote": FALSE}, {"text": "b", "quote": TRUE}]
    dropped = audit(Answer, {"items": items}, context=CONTEXT)
    assert dropped.ok
    kept = keep_valid(dropped)
    assert kept.value == dropped.value
    assert locs(kept) == [("items", 0)]
    assert locs(keep(Answer, {"items": items, "remark": FALSE})) == [("items", 0), ("remark",)]


def test_validators_of_the_model_judge_what_is_kept() -> None:
    class Answer(Grounded):
        quotes: list[Quote]
        best: Quote | None = None

        @field_validator("quotes")
        @classmethod
        def no_duplicates(cls, quotes: list[str]) -> list[str]:
            if len(set(quotes)) < len(quotes):
                raise ValueError("duplicates")
            return quotes

        @model_validator(mode="after")
        def best_is_one(self) -> "Answer":
            if self.best is not None and self.best not in self.quotes:
                raise ValueError("best is none of them")
            return self

    assert keep(Answer, {"quotes": [TRUE, FALSE]}).value.quotes == [TRUE]
    with pytest.raises(ValidationError) as raised:
        keep(Answer, {"quotes": [TRUE, FALSE, TRUE], "best": FALSE})
    assert raised.value.__notes__ == [
        "Nothing is kept: quotes cannot be left out. Value error, duplicates"
    ]
    with pytest.raises(ValidationError, match="best is none"):
        keep(Answer, {"quotes": [FALSE], "best": TRUE})


def test_strict_models_read_what_is_left_as_json() -> None:
    class Answer(Grounded):
        model_config = ConfigDict(strict=True)
        pair: tuple[int, str]
        quotes: set[Quote] = set()
        facts: list[Fact]

    text = (
        f'{{"pair": [1, "a"], "quotes": ["{TRUE}"], "facts": [{{"statement": "s", "quote": "x"}}]}}'
    )
    kept = keep(Answer, text)
    assert (kept.value.pair, kept.value.facts) == ((1, "a"), [])


def test_instances_are_kept_as_new_ones() -> None:
    answer = Report.model_construct(
        title="t", remark=None, facts=[Fact.model_construct(statement="s", quote=FALSE)]
    )
    kept = keep(Report, answer)
    assert kept.value.facts == []
    assert len(answer.facts) == 1


def test_other_things_are_no_answers() -> None:
    with pytest.raises(ContextError, match="not dict"):
        keep_valid({})  # type: ignore[call-overload]


def test_an_outage_is_raised() -> None:
    class Dead(ScriptedNLI):
        def score(self, pairs: Any, /) -> Any:
            raise OSError("gone")

    class Answer(Grounded):
        text: Annotated[str, Entailed()]
        remark: Quote | None = None

    context = {**CONTEXT, "judges": Judges(nli=ScriptedNLI())}
    whole = audit(Answer, {"text": TRUE + ".", "remark": FALSE}, context=context)
    with pytest.raises(BackendError):
        keep_valid(whole, Answer, context={**CONTEXT, "judges": Judges(nli=Dead())})


def test_the_engine_is_asked_nothing_twice() -> None:
    engine = ScriptedNLI()

    class Answer(Grounded, judges=Judges(nli=engine)):
        texts: list[Annotated[str, Entailed()]]

    whole = audit(Answer, {"texts": [TRUE + ".", "It is red."]}, context=CONTEXT)
    calls = engine.calls
    assert keep_valid(whole).value.texts == [TRUE + "."]
    assert engine.calls == calls


def test_a_huge_answer_and_a_deep_one() -> None:
    kept = keep(Report, report(facts=[fact(FALSE if n % 2 else TRUE) for n in range(2_000)]))
    assert len(kept.value.facts) == len(kept.left_out) == 1_000
    assert "and 980 more" in str(kept)

    class Node(BaseModel):
        quote: Quote | None = None
        child: "Node | None" = None

    data: dict[str, Any] = {"quote": FALSE}
    for _ in range(60):
        data = {"child": data, "quote": FALSE}
    kept = keep(Node, data)
    assert len(kept.left_out) == 61
    deep = "[" * 100_000
    with pytest.raises(ValidationError):
        keep(Report, deep)


async def _kept() -> KeptAnswer[Any]:
    return await akeep_valid(audit(Report, report(facts=[fact(FALSE)]), context=CONTEXT))


def test_the_async_twin_returns_the_same() -> None:
    assert asyncio.run(_kept()) == keep(Report, report(facts=[fact(FALSE)]))


quotes = st.sampled_from([TRUE, TRUE_TOO, FALSE, "It is blue"])
facts = st.lists(
    st.fixed_dictionaries(
        {"statement": st.one_of(st.just("s"), st.just(5)), "quote": quotes},
        optional={"note": st.one_of(st.none(), quotes)},
    ),
    max_size=4,
)
reports = st.fixed_dictionaries(
    {"title": st.just("t"), "remark": st.one_of(st.none(), quotes)},
    optional={
        "facts": facts,
        "motto": quotes,
        "sections": st.lists(facts.map(lambda f: {"facts": f})),
    },
)


def _is_true(quote: object) -> bool:
    return quote in (TRUE, TRUE_TOO)


def _expected_facts(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {**row, "note": row.get("note") if _is_true(row.get("note")) else None}
        for row in rows
        if row["statement"] == "s" and _is_true(row["quote"])
    ]


@settings(max_examples=60, deadline=None)
@given(reports)
def test_what_is_kept_is_all_that_is_true(data: dict[str, Any]) -> None:
    kept = keep(Report, data)
    assert kept.value.model_dump() == {
        "title": "t",
        "remark": data["remark"] if _is_true(data["remark"]) else None,
        "facts": _expected_facts(data.get("facts", [])),
        "sections": [{"facts": _expected_facts(s["facts"])} for s in data.get("sections", [])],
        "motto": data.get("motto") if _is_true(data.get("motto")) else "no motto",
    }
    assert kept.complete == audit(Report, data, context=CONTEXT).ok


def test_mistakes_of_the_context_are_raised() -> None:
    whole = audit(Report, report(facts=[fact(FALSE)]), context=CONTEXT)
    with pytest.raises(Mistake):
        keep_valid(whole, Report, context={})
