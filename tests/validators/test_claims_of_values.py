"""`Entailed`, `Judged`, `Faithful`, `Supported` and `Quoted` on values that are no text."""

import datetime as dt
import enum
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, TypeAdapter, create_model
from typing_extensions import TypeAliasType, TypedDict

from groundtypes import (
    Audit,
    Entailed,
    Faithful,
    Grounded,
    Judged,
    Judges,
    Pair,
    Quoted,
    Supported,
    audit,
)
from groundtypes.errors import MarkerError
from groundtypes.scoring import NLIScores
from groundtypes.testing import ScriptedNLI

CONTRACT = "The contract renews automatically. The status is paid. It costs 12 EUR."
ENTAILED, NEUTRAL, REFUTED = (
    NLIScores(0.9, 0.1, 0),
    NLIScores(0.1, 0.8, 0.1),
    NLIScores(0, 0.1, 0.9),
)


class Status(enum.Enum):
    PAID = "paid"
    OVER_DUE = "over_due"


def answer(*entailed: str, refuted: tuple[str, ...] = ()) -> Judges:
    """Return judges to whom only these claims follow, and those contradict."""

    def score(pair: Pair) -> NLIScores:
        if pair.hypothesis in entailed:
            return ENTAILED
        return REFUTED if pair.hypothesis in refuted else NEUTRAL

    return Judges(nli=ScriptedNLI(score))


def judge(annotation: Any, value: Any, judges: Judges, **siblings: Any) -> Audit[Any]:
    fields: dict[str, Any] = dict.fromkeys(siblings, (Any, ...))
    model: type[BaseModel] = create_model("Row", **fields, field=(annotation, ...))
    context = {"references": [CONTRACT], "judges": judges}
    return audit(model, {**siblings, "field": value}, context=context)


RENEWS, RENEWS_NOT = "The contract renews automatically.", "The contract does not renew."
ONE = Annotated[bool, Entailed(claim=RENEWS)]
TWO = Annotated[bool, Entailed(claim="The contract {field:renews automatically|does not renew}.")]
ABSENT = Annotated[bool, Entailed(claim=RENEWS, absent_is_false=True)]


@pytest.mark.parametrize(
    ("annotation", "value", "judges", "slug"),
    [
        (ONE, True, answer(RENEWS), None),
        (ONE, True, answer(), "not_entailed"),
        (ONE, True, answer(refuted=(RENEWS,)), "contradicted"),
        (ONE, False, answer(RENEWS), "contradicted"),
        (ONE, False, answer(), "not_entailed"),
        (ONE, False, answer(refuted=(RENEWS,)), None),
        (TWO, True, answer(RENEWS), None),
        (TWO, True, answer(RENEWS_NOT), "contradicted"),
        (TWO, False, answer(RENEWS_NOT), None),
        (TWO, False, answer(refuted=(RENEWS,)), None),
        (TWO, False, answer(RENEWS), "contradicted"),
        (TWO, False, answer(), "not_entailed"),
        (ABSENT, False, answer(), None),
        (ABSENT, False, answer(RENEWS), "contradicted"),
        (ABSENT, True, answer(), "not_entailed"),
    ],
)
def test_true_must_be_entailed_and_false_contradicted(
    annotation: Any, value: Any, judges: Judges, slug: str | None
) -> None:
    assert [fault.slug for fault in judge(annotation, value, judges).faults] == [slug] * bool(slug)


@pytest.mark.parametrize(
    "annotation",
    [
        Annotated[Status, Entailed(claim="The status is {value}.")],
        Annotated[Literal["paid", "over_due"], Entailed(claim="The status is {field}.")],
        Annotated[
            Literal["paid", "over_due"],
            Entailed(claim="The status is {value:paid=paid|over_due=over due}."),
        ],
    ],
    ids=str,
)
def test_one_of_several_values_must_follow_more_surely_than_the_others(annotation: Any) -> None:
    assert judge(annotation, "paid", answer("The status is paid.")).ok
    [fault] = judge(annotation, "over_due", answer("The status is paid.")).faults
    assert fault.slug == "contradicted"
    assert fault.message is not None
    assert fault.message.endswith("Write paid.")
    assert not judge(annotation, "paid", answer()).ok


PAID = Annotated[Literal["paid", "over_due"], Entailed(claim="The status is {value}.")]


class Row(TypedDict):
    field: PAID


@dataclass
class Item:
    field: PAID


class Plain(BaseModel):
    model_config = ConfigDict(use_enum_values=True)
    field: Annotated[Status, Entailed(claim="The status is {value}.")]


class Several(BaseModel):
    field: Annotated[Literal["paid", "over_due"] | None, Entailed(claim="The status is {value}.")]


class Aliased(BaseModel):
    field: TypeAliasType("Aliased", PAID)  # type: ignore[valid-type]


@pytest.mark.parametrize("type_", [Row, Item, Plain, Several, Aliased], ids=str)
def test_the_other_values_are_known_wherever_the_type_stands(type_: Any) -> None:
    likely = NLIScores(0.6, 0.3, 0.1)
    nli = ScriptedNLI(lambda pair: ENTAILED if "paid" in pair.hypothesis else likely)
    context = {"references": [CONTRACT], "judges": Judges(nli=nli)}
    assert audit(type_, {"field": "paid"}, context=context).ok
    [fault] = audit(type_, {"field": "over_due"}, context=context).faults
    assert fault.slug == "contradicted"
    adapter: TypeAdapter[Any] = TypeAdapter(PAID)
    assert not audit(adapter, "over_due", context=context).ok


def test_a_claim_that_something_is_not_listed_is_no_abstention() -> None:
    annotation = Annotated[
        bool, Entailed(claim="The company {value:is listed|is not listed} on a stock exchange.")
    ]
    [fault] = judge(annotation, False, answer()).faults
    assert fault.slug == "not_entailed"
    said = "The company is not listed on a stock exchange."
    assert judge(annotation, False, answer(said)).ok


@pytest.mark.parametrize(
    ("type_", "value", "claim", "said"),
    [
        (int, 12, "It costs {value} EUR.", "It costs 12 EUR."),
        (int, 1_250_000, "It costs {value} EUR.", "It costs 1,250,000 EUR."),
        (Decimal, "12.50", "It costs {value} {unit}.", "It costs 12.50 EUR."),
        (dt.date, "2024-05-03", "It was paid on {value}.", "It was paid on 3 May 2024."),
        (dt.time, "14:30", "It starts at {value}.", "It starts at 14:30."),
        (dt.timedelta, "P30D", "The term is {value}.", "The term is 30 days."),
        (bool, True, "{{It}} {value:is|is not} {unit}.", "{It} is EUR."),
        (str, "paid", "The status is {value}.", "The status is paid."),
    ],
    ids=str,
)
def test_a_claim_says_the_value_in_words(type_: Any, value: Any, claim: str, said: str) -> None:
    annotation = Annotated[type_, Entailed(claim=claim)]
    assert judge(annotation, value, answer(said), unit="EUR").ok


@pytest.mark.parametrize(
    "held", ["{value}", "{field.real}", "{0!r:>1000000}", "%(field)s", "{{}}", "{"]
)
def test_what_a_sibling_says_is_never_read_as_a_template(held: str) -> None:
    annotation = Annotated[bool, Entailed(claim="{unit} {field:is|is not} there.")]
    said = f"{held} is there."
    seen: list[str] = []

    def score(pair: Pair) -> NLIScores:
        seen.append(pair.hypothesis)
        return ENTAILED if pair.hypothesis == said else NEUTRAL

    judges = Judges(nli=ScriptedNLI(score))
    assert judge(annotation, True, judges, unit=held).ok, seen


@pytest.mark.parametrize(
    "claim",
    [
        "{field.__class__}",
        "{0}",
        "{field!r}",
        "{field[0]}",
        "{field:>10}",
        "{",
        "}",
        "",
        "{unknown} is paid.",
        "{field:a|b|c}",
    ],
)
def test_a_claim_that_names_no_field_is_a_mistake_of_the_class(claim: str) -> None:
    with pytest.raises(MarkerError):
        create_model("Row", field=(Annotated[int, Entailed(claim=claim)], ...))


@pytest.mark.parametrize(
    "check", [Entailed(), Judged("It is so."), Faithful(), Supported(), Quoted()]
)
@pytest.mark.parametrize("type_", [bool, int, dt.date, Status, Literal["a"]], ids=str)
def test_without_a_claim_a_value_that_is_no_text_is_a_mistake_that_shows_one(
    check: Any, type_: Any
) -> None:
    with pytest.raises(MarkerError, match="claim="):
        create_model("Row", field=(Annotated[type_, check], ...))


@pytest.mark.parametrize(
    "check", [Judged("It is so.", claim=RENEWS), Faithful(claim=RENEWS), Supported(claim=RENEWS)]
)
def test_a_check_that_denies_nothing_needs_a_form_for_false(check: Any) -> None:
    with pytest.raises(MarkerError, match="false"):
        create_model("Row", field=(Annotated[bool, check], ...))


def test_an_empty_sibling_makes_no_claim() -> None:
    annotation = Annotated[int, Entailed(claim="The {unit} is {value}.")]
    [fault] = judge(annotation, 12, answer(), unit=None).faults
    assert fault.slug == "claim_incomplete"


def test_the_words_of_a_value_are_looked_up_and_the_value_stays() -> None:
    annotation = Annotated[Status, Quoted(claim="The status is {value}")]
    report = judge(annotation, "paid", answer())
    assert report.value is not None
    assert report.value.field is Status.PAID
    assert not judge(annotation, "over_due", answer()).ok


def test_the_items_of_a_list_are_judged_one_by_one() -> None:
    class Costs(Grounded):
        costs: Annotated[list[int], Entailed(claim="It costs {value} EUR.")]

    context = {"references": [CONTRACT], "judges": answer("It costs 12 EUR.")}
    faults = audit(Costs, {"costs": [12, 13]}, context=context).faults
    assert [fault.loc for fault in faults] == [("costs", 1)]
