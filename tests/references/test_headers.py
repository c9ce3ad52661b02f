"""Scale and unit of a header belong to its cells, in every form of a table and for every check."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import BaseModel

from groundtypes import Figures, Reference, References, audit

_DATA = Path(__file__).parent / "data" / "headers.jsonl"
HEADERS: list[dict[str, Any]] = [
    json.loads(line) for line in _DATA.read_text(encoding="utf-8").splitlines()
]


class Statement(BaseModel):
    text: Annotated[str, Figures()]


def holds(text: str, references: object) -> bool:
    return audit(Statement, {"text": text}, context={"references": references}).ok


def forms(header: str, cell: str) -> Iterator[tuple[str, object]]:
    """Yield the header with its cell in the forms that a table may have."""
    table = f"| City | {header} |\n|---|---|\n| Ulm | {cell} |\n| Bonn | 9.1 |"
    yield "markdown", [Reference.of_table("t", table)]
    yield "in a text", [f"The table of 2023:\n\n{table}\n\nThat is all."]
    yield "csv", [Reference.of_table("t", f'City;"{header}"\nUlm;{cell}\nBonn;9.1')]
    yield "json", [Reference.of_json("t", [{"city": "Ulm", header: float(cell)}, {"city": "Bonn"}])]
    if "(" in header or "（" in header:
        rows = f"| | 2022 | 2023 |\n|---|---|---|\n| {header} | {cell} | 5.5 |\n| Total | 7 | 8 |"
        yield "row", [Reference.of_table("t", rows)]


@pytest.mark.parametrize("case", HEADERS, ids=lambda case: case["header"])
def test_a_cell_has_the_scale_and_unit_of_its_header(case: dict[str, Any]) -> None:
    for form, references in forms(case["header"], case["cell"]):
        for statement in case["holds"]:
            assert holds(f"It was {statement}.", references), (form, statement)
        for statement in case["refused"]:
            assert not holds(f"It was {statement}.", references), (form, statement)


def test_a_cell_under_a_scale_supports_its_bare_number() -> None:
    for form, references in forms("Revenue (EUR million)", "3.8"):
        assert holds("Revenue (EUR million): 3.8", references), form
        assert not holds("Revenue (EUR million): 3.9", references), form


@pytest.mark.parametrize(
    ("caption", "statement"),
    [
        ("Income statement (in millions of EUR)", "3.8 million euros"),
        ("Angaben in Mio. EUR", "3,8 Mio. EUR"),
        ("Amounts in thousands of US dollars, unless noted otherwise.", "$3,800"),
        ("(in millions, except per share data)", "3.8 million"),
        ("Alle Beträge in T€.", "3.800 Euro"),
        ("En millions d'euros", "3,8 millions d'euros"),
    ],
)
def test_a_caption_gives_numbers_a_possible_unit(caption: str, statement: str) -> None:
    table = f"{caption}\n\n| | 2023 |\n|---|---|\n| Revenue | 3.8 |\n| Staff | 231 |"
    for references in ([Reference.of_table("t", table)], [table]):
        assert holds(f"It was {statement}.", references)
        assert holds("It has 231 employees. In 2023.", references)
        assert not holds("It was 3.8 billion euros.", references)
        assert "per share" in caption or not holds("It was 3.8 million pounds.", references)


def test_text_that_states_no_unit_is_no_caption() -> None:
    table = "Results in brief (see note 3)\n\n| | 2023 |\n|---|---|\n| Revenue | 3.8 |"
    assert not holds("It was 3.8 million euros.", [table])


def test_the_tables_of_a_statement_have_the_units_of_their_headers() -> None:
    table = "| City | {} |\n|---|---|\n| Ulm | 3,8 |"
    millions, billions = table.format("Umsatz (Mio. EUR)"), table.format("Umsatz (Mrd. EUR)")
    for references in ("Ulm had 3.8 million euros.", millions, "Umsatz in Mio. EUR 2023: 3,8"):
        assert holds(millions, references)
    assert not holds(billions, "Ulm had 3.8 million euros.")
    assert not holds(billions, millions)
    assert not holds(table.format("Gewicht (kg)"), table.format("Gewicht (g)"))


@pytest.mark.parametrize(
    ("value", "supported", "refused"),
    [
        ({"value": 3.8, "unit": "Mio. EUR"}, "3.8 million euros", "3.8 euros"),
        ({"amount": 3.8, "currency": "EUR", "unit": "million"}, "€3.8 million", "$3.8 million"),
        ({"currency": "EUR", "revenue_million": 3.8}, "€3.8 million", "€3.8"),
        ({"unit": "EUR million", "data": {"2023": 3.8, "2022": 3.5}}, "€3.8 million", "€3.8"),
        (
            {"unit": "kg", "data": [{"year": 2023, "value": 3.8}, {"year": 2022, "value": 5}]},
            "3.8 kg in 2023",
            "3.8 g",
        ),
    ],
)
def test_a_unit_beside_or_around_a_value_belongs_to_it(
    value: object, supported: str, refused: str
) -> None:
    references = References.of([Reference.of_json("j", value)])
    assert holds(f"It was {supported}.", references)
    assert not holds(f"It was {refused}.", references)


_ACCOUNTS = """| EUR million | 2022 | 2023 |
|---|---|---|
| Revenue | 3.8 | 4.1 |
| Orders (USD million) | 2.8 | 2.1 |
| Dividend per share (EUR) | 1.20 | 1.35 |
| Earnings per share | 0.5 | 0.6 |
| Ergebnis je Aktie | 0.7 | 0.9 |
"""


@pytest.mark.parametrize(
    ("statement", "is_stated"),
    [
        ("Revenue was 4.1 million euros.", True),
        ("Revenue was 4.1 euros.", False),
        ("Orders were $2.1 million.", True),
        ("Orders were 2.1 million euros.", False),
        ("The dividend was 1.35 euros.", True),
        ("The dividend was 1.35 million euros.", False),
        ("Earnings were 0.6 euros a share.", True),
        ("Earnings were 0.6 million euros a share.", False),
        ("Das Ergebnis je Aktie war 0,9 Euro.", True),
    ],
)
def test_a_row_for_one_share_is_not_in_the_scale_of_its_table(
    statement: str, is_stated: bool
) -> None:
    for reference in (_ACCOUNTS, Reference.of_table("accounts", _ACCOUNTS)):
        assert holds(statement, [reference]) is is_stated
