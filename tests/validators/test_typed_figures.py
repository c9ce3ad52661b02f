"""`Figures` on numbers, dates and lengths of time: the value is stated where it must be."""

import datetime as dt
import json
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import (
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    PositiveInt,
    ValidationError,
    conint,
    create_model,
)

from groundtypes import Audit, Figures, Grounded, Quote, Quoted, Reference, audit, verify
from groundtypes.errors import MarkerError, MissingReferencesError

TYPES: Mapping[str, Any] = {
    "int": int,
    "float": float,
    "Decimal": Decimal,
    "Fraction": Fraction,
    "date": dt.date,
    "datetime": dt.datetime,
    "time": dt.time,
    "timedelta": dt.timedelta,
}
CASES: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "field_cases.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
REPORT = "Net revenue was $3.2 million. On 3 April 2024, 12 of 40 shops closed, 30 % of them."


def outcome(case: Mapping[str, Any]) -> str:
    """Return the slug of the fault of a case, or "holds"."""
    options = dict(case["options"])
    siblings = dict(case.get("siblings", {}))
    if case["quote"]:
        siblings["quote"] = case["reference"] if case["quote"] is True else case["quote"]
        options["by"] = "quote"
    fields: dict[str, Any] = dict.fromkeys(siblings, (str, ...))
    fields[case["field"]] = (Annotated[TYPES[case["type"]], Figures(**options)], ...)
    model = create_model("Row", **fields)
    data = {**siblings, case["field"]: case["value"]}
    faults = audit(model, data, context={"references": [case["reference"]]}).faults
    return str(faults[0].slug) if faults else "holds"


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            case,
            id=f"{case['domain']}: {case['field']}={case['value']} {case['options']}",
            marks=[pytest.mark.xfail(strict=True)] if "known" in case else [],
        )
        for case in CASES
    ],
)
def test_a_value_holds_if_and_only_if_the_text_states_it(case: Mapping[str, Any]) -> None:
    assert outcome(case) == case["wanted"]


def judge(annotation: Any, value: Any, text: str = REPORT) -> Audit[Any]:
    model: type[BaseModel] = create_model("Row", value=(annotation, ...))
    return audit(model, {"value": value}, context={"references": {"report": text}})


def slugs(report: Audit[Any]) -> list[tuple[str, str | None]]:
    return [(".".join(map(str, fault.loc)), fault.slug) for fault in report.faults]


VISITORS = "It had 5.8 million visitors in 2022, and 12,400 people work there. 4 dozen eggs."
TABLE = "| Year | Visitors |\n|---|---|\n| 2022 | 5,800,000 |\n"


@pytest.mark.parametrize(
    ("unit", "right", "wrong", "text"),
    [
        ("million visitors", 5.8, 5_800_000, VISITORS),
        ("million visitors", 5.8, 58, VISITORS),
        ("thousand people", 12.4, 12_400, VISITORS),
        ("dozen eggs", 4, 48, VISITORS),
        ("million", 5.8, 58, VISITORS),
        ("million visitors", 5.8, 58, TABLE),
        (
            "million visitors",
            5.8,
            58,
            TABLE.replace("ors |", "ors (million) |").replace(",800,000", ".8"),
        ),
        ("million visitors", 5.8, 58, "The number was 5.8."),
        ("visitors", 5_800_000, 5.8, VISITORS),
    ],
)
def test_a_unit_is_a_scale_and_what_is_counted(
    unit: str, right: float, wrong: float, text: str
) -> None:
    assert judge(Annotated[float, Figures(unit=unit)], right, text).ok
    assert not judge(Annotated[float, Figures(unit=unit)], wrong, text).ok


@pytest.mark.parametrize(
    ("annotation", "right", "wrong"),
    [
        (Annotated[int | None, Figures()], 12, 13),
        (Annotated[int, Field(ge=0), Figures()], 12, 13),
        (Annotated[conint(gt=0), Figures()], 12, 13),
        (Annotated[PositiveInt, Figures()], 12, 13),
        (Annotated[int | float, Figures()], 12, 13),
        (Annotated[float | dt.date, Figures()], 12.0, 13.5),
        (Annotated[Decimal, Field(max_digits=9), Figures()], "3200000.00", "3200001"),
        (Annotated[Fraction, Figures()], Fraction(3, 10), Fraction(1, 7)),
        (Annotated[dt.date | None, Figures()], "2024-04-03", "2024-05-03"),
    ],
    ids=str,
)
def test_optional_and_constrained_fields_are_judged(
    annotation: Any, right: Any, wrong: Any
) -> None:
    assert judge(annotation, right).ok
    assert not judge(annotation, wrong).ok


@pytest.mark.parametrize(
    ("annotation", "value", "place"),
    [
        (list[Annotated[int, Figures()]], [12, 41], "value.1"),
        (Annotated[list[int], Figures()], [12, 41], "value.1"),
        (Annotated[tuple[int, ...], Figures()], [12, 41], "value.1"),
        (Annotated[tuple[int, dt.date], Figures()], [12, "2024-04-04"], "value.1"),
        (Annotated[set[int] | None, Figures()], [41], "value.0"),
        (Annotated[dict[str, int], Figures()], {"a": 12, "b": 41}, "value.b"),
        (dict[str, Annotated[int, Figures()]], {"a": 12, "b": 41}, "value.b"),
    ],
    ids=str,
)
def test_the_items_of_a_container_are_judged_one_by_one(
    annotation: Any, value: Any, place: str
) -> None:
    assert [at for at, _ in slugs(judge(annotation, value))] == [place]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "-inf"])
def test_what_is_not_finite_is_a_fault(value: Any) -> None:
    assert slugs(judge(Annotated[float, Figures()], value)) == [("value", "value_not_finite")]


def test_a_decimal_that_is_not_a_number_is_a_fault() -> None:
    annotation = Annotated[Decimal, Field(allow_inf_nan=True), Figures()]
    assert slugs(judge(annotation, "NaN")) == [("value", "value_not_finite")]


def test_a_truth_value_is_no_number() -> None:
    with pytest.raises(ValidationError) as caught:
        verify(
            create_model("Row", value=(Annotated[int, Figures()], ...)),
            {"value": True},
            context={"references": "1 shop closed."},
        )
    assert [error["type"] for error in caught.value.errors()] == ["value_is_bool"]


def test_the_message_says_what_to_write() -> None:
    fault = judge(Annotated[int, Figures()], 7).faults[0]
    assert fault.slug == "value_not_stated"
    [fault] = judge(Annotated[float, Figures(unit="USD")], 3.2).faults
    assert fault.message is not None
    assert fault.message.endswith('In the references it is "$3.2 million": write 3200000.')
    [fault] = judge(Annotated[dt.date, Figures()], "2024-03-04").faults
    assert fault.message is not None
    assert fault.message.endswith('In the references it is "3 April 2024": write 2024-04-03.')


def test_a_verdict_knows_where_the_value_stands() -> None:
    [verdict] = judge(Annotated[int, Figures(unit="USD")], 3_200_000).verdicts
    assert verdict.span is not None
    assert REPORT[verdict.span.start : verdict.span.end] == "$3.2 million"


class Fact(BaseModel):
    quote: Annotated[str, Quoted(on_fault="drop", min_words=1)]
    closed: Annotated[int, Figures(by="quote")]


class Facts(Grounded):
    model_config = ConfigDict(extra="forbid")

    facts: list[Fact]


def test_a_quote_is_read_where_it_stands_in_the_reference() -> None:
    class Limit(Grounded):
        quote: Annotated[str, Quoted(min_words=1, cut="accept")]
        limit: Annotated[int, Figures(by="quote")]

    context = {"references": ["There are up to 5 users, or at least they say so."]}
    [fault] = audit(Limit, {"quote": "5 users", "limit": 5}, context=context).faults
    assert fault.slug == "value_bounded"


def test_an_item_whose_quote_is_dropped_has_no_fault_of_its_value() -> None:
    data = {
        "facts": [
            {"quote": "12 of 40 shops", "closed": 12},
            {"quote": "13 of 40 shops", "closed": 13},
        ]
    }
    answer = Facts.model_validate(data, context={"references": [REPORT]})
    assert [fact.closed for fact in answer.facts] == [12]
    again = Facts.model_validate_json(json.dumps(data), context={"references": [REPORT]})
    assert again == answer


def test_strict_models_and_json_are_judged_the_same() -> None:
    class Strict(Grounded):
        model_config = ConfigDict(strict=True)

        day: Annotated[dt.date, Figures()]
        shops: Annotated[int, Figures()]
        revenue: Annotated[Decimal | None, Figures()] = None
        share: Annotated[float | None, Figures()] = None

    context = {"references": [REPORT]}
    data = '{"day": "2024-04-03", "shops": 12, "revenue": "3200000.0", "share": 30}'
    assert Strict.model_validate_json(data, context=context).revenue == 3_200_000
    with pytest.raises(ValidationError) as caught:
        Strict.model_validate({"day": dt.date(2024, 3, 4), "shops": 12}, context=context)
    assert [error["type"] for error in caught.value.errors()] == ["value_day_month_swapped"]


def test_the_json_schema_is_that_of_the_type() -> None:
    class Plain(BaseModel):
        closed: Annotated[int, Field(ge=0)]
        days: list[dt.date]

    class Marked(BaseModel):
        closed: Annotated[int, Field(ge=0), Figures(describe=False)]
        days: Annotated[list[dt.date], Figures(describe=False)]

    schema = Marked.model_json_schema()
    assert schema["properties"] == Plain.model_json_schema()["properties"]

    class Described(BaseModel):
        value: Annotated[int, Figures(unit="EUR", of="rent")]

    [shown] = Described.model_json_schema()["properties"].values()
    assert shown["description"] == "State rent in EUR, as it stands in the references."


def test_the_unit_may_be_a_sibling_field() -> None:
    class Amount(Grounded):
        amount: Annotated[int, Figures(unit="currency")]
        currency: str | None

    context = {"references": [REPORT]}
    for currency, ok in (("USD", True), ("EUR", False), (None, True)):
        report = audit(Amount, {"amount": 3_200_000, "currency": currency}, context=context)
        assert report.ok is ok


def test_a_table_names_the_value_by_row_and_column() -> None:
    table = Reference.of_table(
        "sales", "City,2022 (EUR m),2023 (EUR m)\nBerlin,38.1,41.2\nRome,9,7"
    )
    annotation = Annotated[int, Figures(unit="EUR", of=("Berlin", "2023"))]
    model = create_model("Row", value=(annotation, ...))
    context = {"references": [table]}
    assert audit(model, {"value": 41_200_000}, context=context).ok
    [fault] = audit(model, {"value": 38_100_000}, context=context).faults
    assert fault.slug == "value_of_other"


def test_numbers_that_cannot_be_negative_are_sizes() -> None:
    text = "The company made a loss of 3 million euros."
    assert judge(Annotated[PositiveInt, Figures()], 3_000_000, text).ok
    assert not judge(Annotated[int, Figures()], 3_000_000, text).ok


@pytest.mark.parametrize(
    ("text", "value", "ok"),
    [
        ("The call is on 5 May 2025 at 9:30 am New York time.", "2025-05-05T09:30:00", True),
        ("Sent 2025-05-05T09:30:00+02:00.", "2025-05-05T07:30:00Z", True),
        ("Sent 2025-05-05T09:30:00+02:00.", "2025-05-05T09:30:00Z", False),
        ("Sent on 5 May 2025.", "2025-05-05T00:00:00", True),
        ("Sent on 5 May 2025.", "2025-05-05T09:30:00", False),
    ],
)
def test_a_moment_is_compared_with_its_zone(text: str, value: str, *, ok: bool) -> None:
    assert judge(Annotated[dt.datetime, Figures()], value, text).ok is ok
    if value.endswith("Z"):
        assert judge(Annotated[AwareDatetime, Figures()], value, text).ok is ok


@pytest.mark.parametrize(
    "options",
    [
        {"within": -1},
        {"within": "x%"},
        {"within": True},
        {"within": float("nan")},
        {"of": ""},
        {"of": ()},
        {"unit": " "},
        {"bounds": 1},
    ],
    ids=str,
)
def test_options_that_mean_nothing_are_mistakes(options: dict[str, Any]) -> None:
    with pytest.raises(MarkerError):
        Figures(**options)


@pytest.mark.parametrize(
    "annotation",
    [
        Annotated[bool, Figures()],
        Annotated[str, Figures(unit="EUR")],
        Annotated[list[bool], Figures()],
        Annotated[tuple[int, bool], Figures()],
        Annotated[int | bool, Figures()],
        Annotated[bytes, Figures()],
    ],
    ids=str,
)
def test_a_type_that_cannot_be_judged_is_a_mistake_of_the_class(annotation: Any) -> None:
    with pytest.raises(MarkerError):
        create_model("Row", value=(annotation, ...))


def test_without_references_nothing_passes() -> None:
    with pytest.raises(MissingReferencesError):
        audit(create_model("Row", value=(Annotated[int, Figures()], ...)), {"value": 1}, context={})


def test_quote_and_value_of_one_item_belong_together() -> None:
    class Row(Grounded):
        quote: Quote
        shops: Annotated[int, Figures(by="quote")]

    context = {"references": [REPORT]}
    assert audit(Row, {"quote": "12 of 40 shops closed", "shops": 12}, context=context).ok
    [fault] = audit(Row, {"quote": "30 % of them", "shops": 12}, context=context).faults
    assert (fault.loc, fault.slug) == (("shops",), "value_not_stated")


@pytest.mark.parametrize(
    ("marker", "message"),
    [
        (Figures(by="value"), "names the field itself"),
        (Figures(within=dt.timedelta(1)), "is for dates and times"),
    ],
    ids=str,
)
def test_options_that_say_nothing_are_refused(marker: Figures, message: str) -> None:
    with pytest.raises(MarkerError, match=message):
        create_model("Row", __base__=Grounded, value=(Annotated[int, marker], ...))
