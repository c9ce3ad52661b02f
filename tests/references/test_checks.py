"""Checks on JSON values and tables: quotes, figures with the units of headers, and evidence."""

from typing import Annotated, Any

import pytest

from groundtypes import Audit, Figures, Grounded, Quoted, Reference, References, audit, find_quote
from groundtypes.entailment.evidence.selections import select_references
from groundtypes.entailment.evidence.statement_evidence import select_evidence
from groundtypes.figures.header_units import unit_of_name

ORDERS = Reference.of_json(
    "orders",
    {
        "currency": "EUR",
        "orders": [
            {"order_id": "A17", "orderStatus": "shipped", "total": 41.5, "weight_kg": 3.50},
            {"order_id": "A18", "orderStatus": "not shipped", "total": 1250, "duration_ms": 1200},
        ],
        "created": "2024-05-03",
        "seat": 17,
    },
)
SALES = Reference.of_table(
    "sales",
    "| | 2022 | 2023 |\n|---|---|---|\n| Revenue (EUR million) | 38.6 | 41.2 |\n"
    "| Margin (%) | 7.4 | 9.0 |\n| Staff | 231 | 228 |\n",
)
REFERENCES = References.of([ORDERS, SALES])


class Answer(Grounded):
    """A quote and a statement."""

    quote: Annotated[str, Quoted()] = "order_id: A17"
    statement: Annotated[str, Figures()] = ""


def judged(**values: Any) -> Audit[Answer]:
    return audit(Answer, values, context={"references": REFERENCES})


@pytest.mark.parametrize(
    ("quote", "place"),
    [
        ("41.5", "orders[0].total"),
        ("not shipped", "orders[1].orderStatus"),
        ("order_id: A17", "orders[0].order_id"),
        ("Order status: shipped", "orders[0].orderStatus"),
        ('"orderStatus": "shipped"', "orders[0].orderStatus"),
        ("total = 1250", "orders[1].total"),
        ("Revenue (EUR million), 2023: 41.2", "row 'Revenue (EUR million)'"),
        ("2023: 41.2", "row 'Revenue (EUR million)', column '2023'"),
        ("Staff 228", "row 'Staff'"),
    ],
)
def test_a_value_is_quoted_alone_or_with_what_names_it(quote: str, place: str) -> None:
    match = find_quote(quote, REFERENCES)
    assert match is not None
    assert not match.cut
    assert match.span.place == place
    assert REFERENCES[match.span.reference].text[match.span.start : match.span.end] == match.text
    assert judged(quote=quote).ok


@pytest.mark.parametrize(
    "quote",
    [
        "125",
        "41",
        "total: 12",
        "A1",
        "2024-05",
        "a17",
        "orderStatus: A17",
        "Margin (%), 2023: 41.2",
        "Staff 41.2",
        "A17 1250",
        "41.52",
    ],
)
def test_a_part_of_a_value_or_another_value_is_no_quote(quote: str) -> None:
    match = find_quote(quote, REFERENCES)
    assert match is None or match.cut
    assert not judged(quote=quote).ok


def test_a_number_is_quoted_as_it_is_written() -> None:
    table = Reference.of_table("t", "a,b\nx,3.50")
    assert find_quote("3.50", [table]) is not None
    match = find_quote("3.5", [table])
    assert match is None or match.cut


def test_a_quote_in_one_reference_names_only_its_values() -> None:
    class Cited(Grounded):
        source: str
        quote: Annotated[str, Quoted(of="source")]

    context = {"references": REFERENCES}
    assert audit(Cited, {"source": "sales", "quote": "Staff 228"}, context=context).ok
    (fault,) = audit(Cited, {"source": "orders", "quote": "Staff 228"}, context=context).faults
    assert fault.slug == "quote_in_other_reference"
    assert fault.span is not None
    assert fault.span.place == "row 'Staff'"
    assert fault.to_dict()["span"]["place"] == "row 'Staff'"


def test_a_whole_value_is_as_good_as_two_words_but_not_as_three() -> None:
    class Strict(Grounded):
        quote: Annotated[str, Quoted(min_words=3)]

    (fault,) = audit(Strict, {"quote": "shipped"}, context={"references": REFERENCES}).faults
    assert fault.slug == "quote_too_short"


@pytest.mark.parametrize(
    "statement",
    [
        "The order came to 41.5 euros.",
        "It weighs 3.5 kg, or 3,500 g.",
        "It took 1.2 seconds.",
        "Revenue was 41.2 million euros in 2023.",
        "The margin was 9 percent.",
        "The seat is number 17.",
        "It was created on 3 May 2024.",
    ],
)
def test_a_figure_has_the_unit_of_its_key_or_header(statement: str) -> None:
    assert judged(statement=statement).ok


@pytest.mark.parametrize(
    "statement",
    [
        "The order came to 41.5 dollars.",
        "It weighs 3.5 g.",
        "It took 1,200 seconds.",
        "Revenue was 41.2 billion euros.",
        "Revenue was 41.2 thousand euros.",
        "The margin was 9 percentage points.",
    ],
)
def test_a_figure_with_another_unit_is_a_fault(statement: str) -> None:
    assert [fault.slug for fault in judged(statement=statement).faults] == ["figure_unsupported"]


def test_an_id_is_a_name_and_no_count() -> None:
    table = Reference.of_table("t", "invoice_no,buyer\n4711,Ann")
    context = {"references": [table]}
    assert audit(Answer, {"quote": "Ann", "statement": "Invoice 4711."}, context=context).ok
    wrong = audit(Answer, {"quote": "Ann", "statement": "There are 4711 buyers."}, context=context)
    assert [fault.slug for fault in wrong.faults] == ["figure_unsupported_alone"] or wrong.faults


def test_the_span_of_a_figure_is_its_value() -> None:
    found = audit(Answer, {"statement": "41.2 million euros"}, context={"references": REFERENCES})
    verdict = next(verdict for verdict in found.verdicts if verdict.check == "Figures")
    assert verdict.span is not None
    assert verdict.span.place == "row 'Revenue (EUR million)', column '2023'"
    assert SALES.text[verdict.span.start : verdict.span.end] == "41.2"


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("weight_kg", "kg"),
        ("durationMs", "ms"),
        ("share_pct", "%"),
        ("Revenue (EUR million)", "million EUR"),
        ("Net, EUR", "EUR"),
        ("AUM (USD mn)", "million USD"),
        ("amount_usd_thousand", "thousand USD"),
        ("market_cap_msek", "million SEK"),
        ("nitrate_mg_l", "mg/l"),
        ("temp_c", "°C"),
        ("price_min", ""),
        ("duration_min", "minutes"),
        ("pH", ""),
        ("density_people_km2", ""),
        ("year", ""),
        ("name", ""),
        ("", ""),
    ],
)
def test_the_unit_of_a_key_or_header(name: str, unit: str) -> None:
    assert unit_of_name(name) == unit


def test_the_evidence_of_a_statement_is_a_row_with_its_headers() -> None:
    evidence = select_evidence(References.of([SALES]), "Revenue was 41.2 million euros in 2023.")
    assert evidence.sentences[0].text == "Revenue (EUR million). 2023 is 41.2 million EUR"
    assert evidence.sentences[0].spans[0].place == "row 'Revenue (EUR million)'"
    assert evidence.passage == evidence.sentences[0]


def test_the_evidence_of_a_statement_about_a_part_has_what_is_around_it() -> None:
    value = {
        "customer": "Ann Lee",
        "orders": [{"id": "A17", "shipped": False, "on": "2024-05-03T09:14:00Z", "paid": None}] * 2,
    }
    references = References.of([Reference.of_json("x", value)])
    evidence = select_evidence(references, "Order A17 of Ann Lee was shipped on 3 May 2024.")
    assert evidence.sentences[0].text == (
        "customer: Ann Lee; orders. id is A17. not shipped. on is 3 May 2024, 09:14"
    )


def test_an_empty_cell_is_said_to_be_empty() -> None:
    table = Reference.of_table("t", "Fund,Return (%),Risk (%)\nCedar,,9.7\nTarn,3,2")
    evidence = select_evidence(References.of([table]), "The return of Cedar was 9.7 percent.")
    assert "Return has no value" in evidence.sentences[0].text


def test_a_table_in_prose_has_rows_with_headers_as_evidence() -> None:
    text = (
        "The company grew.\n\n| City | Revenue (EUR million) |\n|---|---|\n| Berlin | 41.2 |\n"
        "| Paris | 35.0 |\n\nIt has many shops."
    )
    references = References.of({"report": text})
    evidence = select_evidence(references, "The revenue of Berlin was 41.2 million euros.")
    assert evidence.sentences[0].text == "City is Berlin. Revenue is 41.2 million EUR"
    span = evidence.sentences[0].spans[0]
    assert text[span.start : span.end] == "Berlin | 41.2"
    context = {"references": references}
    answer = {"quote": "It has many shops", "statement": "It made 41.2 million euros."}
    assert audit(Answer, answer, context=context).ok


def test_a_long_text_value_is_cut_into_sentences() -> None:
    text = "The lamp is small. " * 30 + "The lamp is made of brass."
    references = References.of([Reference.of_json("x", {"id": 7, "text": text})])
    evidence = select_evidence(references, "The lamp is made of brass.")
    assert evidence.sentences[0].text.endswith("The lamp is made of brass.")
    assert len(evidence.sentences[0].text) < 600


def test_a_mapping_where_a_text_is_expected_is_not_read_as_json() -> None:
    from groundtypes.errors import ReferencesError  # noqa: PLC0415 # only here

    with pytest.raises(ReferencesError, match="of_json"):
        References.of([{"id": "a", "content": {"total": 1}}])


def test_selected_references_keep_their_places() -> None:
    selected = select_references(REFERENCES, ["sales"])
    assert find_quote("228", selected).span.place == "row 'Staff', column '2023'"  # type: ignore[union-attr]
