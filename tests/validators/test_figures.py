"""`Figures`: every number, date and unit of a value occurs where it must occur."""

import json
import pickle
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, ValidationError

import groundtypes.figures.outcomes
from groundtypes import Audit, Figures, Grounded, Quote, References, Span, audit, verify
from groundtypes.errors import MarkerError, MissingReferencesError
from groundtypes.figures.index import FigureIndex

_DATA = Path(__file__).parents[1] / "figures" / "data"
PAIRS: list[dict[str, Any]] = [
    json.loads(line)
    for name in (
        "figure_pairs.jsonl",
        "figure_pairs_units.jsonl",
        "figure_pairs_page.jsonl",
        "figure_pairs_scales.jsonl",
        "figure_pairs_languages.jsonl",
        "figure_pairs_forms.jsonl",
        "figure_pairs_prose.jsonl",
        "figure_pairs_qualifiers.jsonl",
        "figure_pairs_everyday.jsonl",
        "figure_pairs_notations.jsonl",
    )
    for line in (_DATA / name).read_text(encoding="utf-8").splitlines()
]


class Statement(BaseModel):
    text: Annotated[str, Figures()]


class Backed(BaseModel):
    quote: str | None = None
    quotes: list[str | None] | None = None
    year: int | None = None
    text: Annotated[str, Figures(by=("quote", "quotes", "year"))]


def judge(text: str, *references: str) -> Audit[Statement]:
    return audit(Statement, {"text": text}, context={"references": list(references)})


def faults(report: Audit[Any]) -> list[str]:
    return [fault.message or "" for fault in report.faults]


@pytest.mark.parametrize(
    "pair",
    [
        pytest.param(
            pair,
            id=f"{pair['group']}: {pair['statement']}",
            marks=[pytest.mark.xfail(strict=True)] if "passes" in pair else [],
        )
        for pair in PAIRS
    ],
)
def test_a_statement_holds_if_and_only_if_its_figures_stand_in_the_reference(
    pair: dict[str, Any],
) -> None:
    report = judge(pair["statement"], pair["reference"])
    assert report.ok is pair["holds"], faults(report)
    assert {fault.slug for fault in report.faults} <= {"figure_unsupported"}


def test_there_are_enough_pairs_from_real_texts() -> None:
    assert len(PAIRS) >= 300
    assert sum(pair["origin"] == "real" for pair in PAIRS) >= 150


@pytest.mark.parametrize("reference", sorted({pair["reference"] for pair in PAIRS}))
def test_every_text_supports_its_own_figures(reference: str) -> None:
    assert judge(reference, reference).ok


def test_the_reason_says_how_a_figure_is_supported() -> None:
    report = judge("It is 25 EUR less.", "It is 65 EUR and not 90 EUR.")
    assert [verdict.reason for verdict in report.verdicts] == ["derived: 90 EUR - 65 EUR"]
    (verdict,) = judge("It is capped at £6,500.", "It must not exceed £6,500.").verdicts
    assert (verdict.ok, verdict.reason) == (True, "bounded otherwise: not exceed £6,500")
    (verdict,) = judge("It is £6,500.", "It is £6,500.").verdicts
    assert (verdict.ok, verdict.reason) == (True, None)


def test_the_question_may_be_repeated_and_computed_with_but_no_sibling_knows_it() -> None:
    context = {"references": "A night costs £38.", "question": "What do 2 nights cost?"}
    report = audit(Statement, {"text": "2 nights cost £76."}, context=context)
    assert [verdict.ok for verdict in report.verdicts] == [True, True]
    data = {"quote": "A night costs £38.", "text": "I need 2 rooms."}
    assert not audit(Backed, data, context=context).ok


def test_each_unsupported_figure_is_a_fault_of_its_own() -> None:
    report = judge("In 1990 it had 5 rooms, 7 doors and 5 rooms.", "In 1991 it had 6 rooms.")
    assert [(fault.loc, fault.slug) for fault in report.faults] == [
        (("text",), "figure_unsupported")
    ] * 3
    assert [message.split(" does")[0] for message in faults(report)] == ['"1990"', '"5"', '"7"']


def test_the_message_names_the_nearest_figures_of_the_same_unit_first() -> None:
    (message,) = faults(
        judge("It is 331 m tall.", "It is 330 metres tall, 0.3 km from 332 houses, and weighs 9 t.")
    )
    assert '"331 m"' in message
    nearest = message.split("nearest figures there: ")[1]
    assert nearest.startswith('"330 metres", "0.3 km", ')
    assert nearest.count('"') <= 6


def test_the_message_stays_short_whatever_the_figures_are() -> None:
    for fault in faults(judge("9" * 5000 + " and 7 km", "8" * 5000 + " and 6 km")):
        assert len(fault) <= 700


def test_a_figure_that_holds_says_where_it_stands() -> None:
    references = {"a": "Nothing.", "b": "It weighs 2.5 kg."}
    report = audit(Statement, {"text": "2,500 g"}, context={"references": references})
    (verdict,) = report.verdicts
    assert (verdict.ok, verdict.label, verdict.span) == (True, "mass", Span("b", 10, 16))


def test_a_text_without_figures_holds_whatever_the_references_are() -> None:
    assert judge("The dog barks at one of the cats.").ok


def test_figures_without_references_are_faults_and_a_context_without_them_a_mistake() -> None:
    report = judge("It has 5 rooms.")
    assert [fault.slug for fault in report.faults] == ["figure_unsupported"]
    with pytest.raises(MissingReferencesError):
        verify(Statement, {"text": "It has 5 rooms."}, context={})
    with pytest.raises(MissingReferencesError):
        verify(Statement, {"text": "No figure here."}, context={})


def test_the_marker_works_without_rounds_too() -> None:
    context = {"references": "It has five rooms."}
    assert Statement.model_validate({"text": "It has 5 rooms."}, context=context)
    with pytest.raises(ValidationError) as caught:
        Statement.model_validate({"text": "It has 6 rooms."}, context=context)
    (error,) = caught.value.errors()
    assert (error["type"], error["loc"]) == ("figure_unsupported", ("text",))


@pytest.mark.parametrize(
    ("siblings", "ok"),
    [
        ({"quote": "five rooms"}, True),
        ({"quote": "six rooms"}, False),
        ({"quote": None}, False),
        ({"quotes": ["six rooms", None, "five rooms"]}, True),
        ({"quotes": []}, False),
        ({"quotes": None, "quote": "5"}, True),
        ({"year": 5}, True),
        ({}, False),
    ],
)
def test_siblings_may_be_texts_lists_and_none(siblings: dict[str, Any], ok: bool) -> None:
    report = audit(Backed, {**siblings, "text": "It has 5 rooms."}, context=None)
    assert report.ok is ok
    assert {fault.slug for fault in report.faults} <= {"figure_unsupported"}


def test_the_references_do_not_help_where_a_sibling_is_named() -> None:
    data = {"quote": "It has rooms.", "text": "It has 5 rooms."}
    report = audit(Backed, data, context={"references": "It has 5 rooms."})
    assert [fault.loc for fault in report.faults] == [("text",)]
    assert "the field quote or quotes or year" in faults(report)[0]


class Cited(Grounded):
    text: Annotated[str, Figures("quote")]
    quote: Quote


def test_a_sibling_may_be_declared_later_and_a_quote_knows_its_place() -> None:
    references = {"a": "Long ago. It had exactly 1,200 rooms in all."}
    data = {"text": "It had 1200 rooms.", "quote": "had exactly 1,200 rooms"}
    report = audit(Cited, data, context={"references": references})
    (span,) = [verdict.span for verdict in report.verdicts if verdict.check == "Figures"]
    assert span is not None
    assert references["a"][span.start : span.end] == "1,200"


def test_a_sibling_at_fault_keeps_the_check_silent() -> None:
    data = {"text": "It had 7 rooms.", "quote": "never said at all"}
    report = audit(Cited, data, context={"references": "It had 1,200 rooms."})
    assert [fault.slug for fault in report.faults] == ["quote_not_found"]


def test_the_rule_stands_in_the_json_schema_unless_it_is_not_wanted() -> None:
    class Quiet(BaseModel):
        text: Annotated[str, Figures(describe=False)]

    shown = Statement.model_json_schema()["properties"]["text"]["description"]
    assert shown == "Use only numbers, dates and units that stand in the references."
    assert "description" not in Quiet.model_json_schema()["properties"]["text"]


def test_a_marker_is_a_value() -> None:
    marker = Figures(["a", "b"])
    assert marker == Figures(by=("a", "b"))
    assert hash(marker) == hash(Figures(by=("a", "b")))
    assert pickle.loads(pickle.dumps(marker)) == marker  # noqa: S301 # our own bytes


@pytest.mark.parametrize("by", [[], (), "", ["a", ""], [1], 5])
def test_options_that_name_no_field_are_a_mistake(by: Any) -> None:
    with pytest.raises(MarkerError):
        Figures(by=by)


def test_a_sibling_that_is_not_there_or_holds_no_text_is_a_mistake() -> None:
    with pytest.raises(MarkerError):

        class Lost(BaseModel):
            text: Annotated[str, Figures("quote")]

    class Odd(BaseModel):
        other: dict[str, str]
        text: Annotated[str, Figures("other")]

    with pytest.raises(MarkerError):
        audit(Odd, {"other": {}, "text": "It has 5 rooms."})


def test_references_of_one_content_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    class Counting(FigureIndex):
        def __init__(self, texts: Any, *read_before: Any) -> None:
            read.append(len(texts))
            super().__init__(texts, *read_before)

    monkeypatch.setattr(groundtypes.figures.outcomes, "FigureIndex", Counting)
    texts = ["The 4711th reference is read once.", "It has 5 rooms."]
    kept = References.of(list(texts))
    for number in range(50):
        verify(Statement, {"text": "It has 5 rooms."}, context={"references": list(texts)})
        audit(Statement, {"text": f"{number} km"}, context={"references": kept})
    assert read == [2]


HOSTILE = {
    "null bytes": ("\x00 5\x00 km\x00", True),
    "many digits": ("9" * 1_000_000, True),
    "a huge exponent": ("1e999999999 and 10^999999999", True),
    "right to left": ("\u202e٣٤٥\u202c \u200f12\u200e", True),
    "emoji": ("😀5 km👍🏽 and 5️⃣", True),
    "a lone surrogate": ("\ud800 5 km", True),
    "braces": ("{figure} {0} 5 {nearest}", True),
    "thai": ("๕๐ กิโลเมตร", True),
    "many separators": ("1," * 5000 + "1." * 5000 + "1-" * 5000, True),
    "zero divisor": ("5/0 and 0/0", True),
    "impossible dates": ("31 February 2021, 99/99/9999, 2021-13-45, 25:61", True),
    "superscripts": ("10⁹⁹⁹⁹⁹ m² x³", True),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_support_themselves_and_nothing_else(name: str) -> None:
    text, supported = HOSTILE[name]
    assert judge(text, text).ok is supported
    assert not judge(text + " 4242 km", text).ok


def test_numbers_beyond_all_bounds_are_compared_as_they_are_written() -> None:
    assert not judge("1e999999999", "1e999999998").ok
    assert not judge("9" * 1000, "9" * 1001).ok
