"""Tables as references: Markdown and CSV of every shape, with a place for each cell."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtypes import Reference, References, find_quote
from groundtypes.errors import ReferencesError

SALES = """\
| City   | 2022 | 2023     |
|:-------|-----:|---------:|
| Berlin | 38.1 | **41.2** |
| Paris  |      | a\\|b     |
"""
SHAPES: dict[str, tuple[str, list[str]]] = {
    "Markdown": (SALES, ["City: Berlin | 2022: 38.1 | 2023: 41.2", "City: Paris | 2023: a|b"]),
    "Markdown between lines": (
        "Sales\n\na | b\n--|--\n1 | 2\n\nIn euros.",
        ["Sales", "a: 1 | b: 2", "In euros."],
    ),
    "two header lines": (
        "| | Sales | | Staff |\n|---|---|---|---|\n| | 2022 | 2023 | 2023 |\n| Ulm | 1 | 2 | 3 |",
        ["Ulm | Sales 2022: 1 | Sales 2023: 2 | Staff 2023: 3"],
    ),
    "commas": ("City,2022\nUlm,1\n", ["City: Ulm | 2022: 1"]),
    "semicolons and decimal commas": (
        "City;Area\nUlm;118,7\nBonn;141,1",
        ["City: Ulm | Area: 118,7", "City: Bonn | Area: 141,1"],
    ),
    "tabulators": ("City\tArea\nUlm\t118", ["City: Ulm | Area: 118"]),
    "quoted cells": (
        'name,note\n"Lee, Ann","said ""no""\nand left"\n',
        ['name: Lee, Ann | note: said "no"', "and left"],
    ),
    "a mark of the byte order": ("\ufeffCity,Area\nUlm,118", ["City: Ulm | Area: 118"]),
    "rows of other lengths": ("a,b\n1\n1,2,3\n\n", ["a: 1", "a: 1 | b: 2 | 3"]),
    "one column": ("name\nUlm\nBonn", ["name: Ulm", "name: Bonn"]),
    "a header alone": ("a,b,c", ["a | b | c"]),
    "formulas": ("a,b\n=SUM(A1:A2),+1", ["a: =SUM(A1:A2) | b: +1"]),
    "nothing": ("", []),
    "blank lines": ("\n \n", []),
}


@pytest.mark.parametrize(("text", "lines"), SHAPES.values(), ids=SHAPES)
def test_each_row_is_a_line_with_the_header_before_each_cell(text: str, lines: list[str]) -> None:
    assert Reference.of_table("t", text).text.splitlines() == lines


def test_a_csv_text_without_header_has_numbered_columns() -> None:
    reference = Reference.of_table("t", "Ulm,118\nBonn,141", header=False)
    assert reference.text == "Ulm | 118\nBonn | 141\n"
    assert find_quote("141", [reference]).span.place == "row 'Bonn', column 2"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "quote", "place"),
    [
        (SALES, "41.2", "row 'Berlin', column '2023'"),
        (SALES, "Paris", "row 'Paris', column 'City'"),
        (SALES, "38.1 | 2023: 41.2", "row 'Berlin'"),
        ("n,n2\n1,2\n1,3", "n2: 3", "row 2, column 'n2'"),
        ("a | b\n--|--\n1 | 2\n\nx\n\nc | d\n--|--\n3 | 4", "4", "table 2, row '3', column 'd'"),
    ],
)
def test_a_span_has_the_place_of_its_cell_or_row(text: str, quote: str, place: str) -> None:
    match = find_quote(quote, [Reference.of_table("t", text)])
    assert match is not None
    assert match.span.place == place


@pytest.mark.parametrize("text", [None, 5, b"a,b", ["a"]])
def test_what_is_no_text_is_a_mistake(text: object) -> None:
    with pytest.raises(ReferencesError, match="CSV"):
        Reference.of_table("t", text)  # type: ignore[arg-type]


def test_a_cell_that_is_too_long_is_a_mistake() -> None:
    with pytest.raises(ReferencesError, match="too long"):
        Reference.of_table("t", "a,b\n1," + "x" * 200_000)


def test_more_cells_than_a_reference_may_have_are_a_mistake() -> None:
    with pytest.raises(ReferencesError, match="1,000,000 cells"):
        Reference.of_table("t", "," * 1_000_000 + "1\n" + "," * 1_000_000 + "1")


@pytest.mark.parametrize(
    "text",
    [
        "|" * 200_000,
        "a|b\n" + "-|" * 50_000 + " " * 1_000 + "x",
        "a|b\n-|" + " " * 100_000 + "x",
        "a|b\n-|-\n" * 5_000,
        'a,b\n"' + "x,\n" * 20_000,
        "a,b\n" + "\u200b,\u200b\n" * 5_000,
    ],
    ids=["pipes", "a long rule", "spaces", "rules", "an open quote", "zero-width characters"],
)
def test_texts_that_are_hardly_tables_are_read(text: str) -> None:
    reference = Reference.of_table("t", text)
    assert reference.structure is not None
    assert References.of([reference]).texts == (reference.text,)


_cells = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12).filter(
    lambda cell: cell == cell.strip() and "\ufeff" not in cell
)


@given(st.lists(st.lists(_cells, min_size=3, max_size=3), min_size=2, max_size=6))
def test_every_cell_of_a_csv_text_is_found_in_its_row(rows: list[list[str]]) -> None:
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows([["first", "second", "third"], *rows])
    reference = Reference.of_table("t", out.getvalue())
    assert reference.structure is not None
    read = [
        [reference.text[cell.start : cell.end] for cell in row.cells]
        for row in reference.structure.rows
    ]
    assert read == rows
