"""Tables as references: Markdown and CSV of every shape, with a place for each cell."""

import csv
import io
from typing import Any

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
    "shorter rows, and a delimiter at the end": (
        "a,b\n1\n1,2,\n3,4\n\n",
        ["a: 1", "a: 1 | b: 2", "a: 3 | b: 4"],
    ),
    "old line ends": ("a,b\r1,2\r3,4\r", ["a: 1 | b: 2", "a: 3 | b: 4"]),
    "a line for Excel": ("\ufeffsep=;\r\nName;Sum\r\nX;1,5", ["Name: X | Sum: 1,5"]),
    "commas in cells between semicolons": (
        "Net, EUR;Gross, EUR\n1,5;2,5\n3,5;4,5",
        ["Net, EUR: 1,5 | Gross, EUR: 2,5", "Net, EUR: 3,5 | Gross, EUR: 4,5"],
    ),
    "commas in cells between pipes": (
        "id|tags\n1|red,blue\n2|green,red",
        ["id: 1 | tags: red,blue", "id: 2 | tags: green,red"],
    ),
    "one column of decimal commas": ("Price\n1,5\n2,5", ["Price: 1,5", "Price: 2,5"]),
    "one column of sentences": (
        "text\nIt is tall, and grey.\nYes; no.",
        ["text: It is tall, and grey.", "text: Yes; no."],
    ),
    "a blank line below the header": ("a,b\n\n1,x\n2,y", ["a: 1 | b: x", "a: 2 | b: y"]),
    "pipes without a rule": ("| a | b |\n| 1 | 2 |", ["a: 1 | b: 2"]),
    "columns without a header or values": ("a,,c,\n1,2,,\n,,3,", ["a: 1 | 2", "c: 3"]),
    "delimiters alone": (",,\n,,", []),
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


def test_without_header_no_row_names_the_columns() -> None:
    reference = Reference.of_table("t", ",x,y\n1,2,3\n4,5,6", header=False)
    assert reference.text == "x | y\n1 | 2 | 3\n4 | 5 | 6\n"
    markdown = Reference.of_table("t", "| a | b |\n|---|---|\n| 1 | 2 |", header=False)
    assert markdown.text == "a | b\n1 | 2\n"


@pytest.mark.parametrize(
    "text",
    [
        "1,5\n2,5", "1,234\n2,345", "1.234,5\nLee, Ann", "a, b; c, d\n1, 2; 3, 4",
        "a,b;c\n1,5;2\n3,5;4", "Sales of 2024\nName,Sum\nX,5", "Name,Sum\nX,1,5",
        "Name,Sum\nX,1,5\nY,2,5\nZ,3", "name\nLee,Ann\nKim,Bo", "name\n\nLee,Ann\n\nKim,Bo",
        "Sales,,\nName,Sum,Tax\nX,1,2", "Sales\n\nName;Sum\nX;1,5",
        "a\tb\n1,5\t2\tx", "+--+--+\n| a | b |\n+--+--+",
        "a|b\n" + "-|" * 50_000 + "x",
    ],
    ids=lambda text: repr(text[:30]),
)  # fmt: skip
def test_a_text_that_can_be_read_in_several_ways_is_a_mistake(text: str) -> None:
    for header in (True, False):
        if not header and text.startswith("Sales,,"):
            continue  # the first row is one of values
        with pytest.raises(ReferencesError, match="delimiter="):
            Reference.of_table("t", text, header=header)


@pytest.mark.parametrize(
    ("text", "delimiter", "lines"),
    [
        ("1,5\n2,5", ";", ["1,5", "2,5"]),
        ("1,5\n2,5", ",", ["1 | 5", "2 | 5"]),
        ("a,b;c\n1,5;2", ";", ["a,b | c", "1,5 | 2"]),
        ("a b\n1 2", " ", ["a | b", "1 | 2"]),
        ("sep=,\na;b", ";", ["a | b"]),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "|", ["a | b", "--- | ---", "1 | 2"]),
    ],
)
def test_the_delimiter_may_be_given(text: str, delimiter: str, lines: list[str]) -> None:
    reference = Reference.of_table("t", text, header=False, delimiter=delimiter)
    assert reference.text.splitlines() == lines


@pytest.mark.parametrize("delimiter", ["", ";;", '"', "\n", "\r", "\0", 5, b";", [";"]])
def test_what_is_no_delimiter_is_a_mistake(delimiter: Any) -> None:
    with pytest.raises(ReferencesError, match="delimiter"):
        Reference.of_table("t", "a;b", delimiter=delimiter)


def test_a_quotation_mark_that_is_never_closed_is_a_mistake() -> None:
    for text in ('a,b\n"x,1\ny,2', 'a,b\n"' + "x,\n" * 20_000):
        with pytest.raises(ReferencesError, match="never closed"):
            Reference.of_table("t", text)


def test_columns_with_the_same_header_have_places_of_their_own() -> None:
    reference = Reference.of_table("t", "City,2022,2022\nUlm,1,2")
    assert reference.structure is not None
    places = [cell.place for cell in reference.structure.rows[0].cells]
    assert places == ["row 'Ulm', column 'City'", "row 'Ulm', column 2", "row 'Ulm', column 3"]


def test_a_table_may_have_thousands_of_columns() -> None:
    names = [f"n{number}" for number in range(5_000)]
    values = [str(number) for number in range(5_000)]
    reference = Reference.of_table("t", "\n".join([";".join(names), *[";".join(values)] * 20]))
    assert reference.structure is not None
    assert [len(row.cells) for row in reference.structure.rows] == [5_000] * 20


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
        "a|b\n-|" + " " * 100_000 + "x",
        "a|b\n-|-\n" * 5_000,
        "a,b\n" + "\u200b,\u200b\n" * 5_000,
    ],
    ids=["pipes", "spaces", "rules", "zero-width characters"],
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


_hard_cells = st.sampled_from(
    ["Ulm", "Sum", "1", "1,5", "12,75", "3.5", "1.234,5", "Lee, Ann", "a;b", "x; y", "a|b", "",
     "red,blue", "2024-01-01", '5" pipe', "a\nb", "12 %", "a\tb", "1,234"]
)  # fmt: skip


@given(
    st.lists(st.lists(_hard_cells, min_size=3, max_size=3), min_size=2, max_size=5),
    st.sampled_from(",;\t|"),
    st.booleans(),
)
def test_every_row_is_read_as_it_was_written_or_is_a_mistake(
    rows: list[list[str]], delimiter: str, is_given: bool
) -> None:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows(rows)
    try:
        reference = Reference.of_table(
            "t", out.getvalue(), header=False, delimiter=delimiter if is_given else None
        )
    except ReferencesError as error:
        assert "delimiter=" in str(error)
        return
    assert reference.structure is not None
    read = [
        [reference.text[cell.start : cell.end] for cell in row.cells]
        for row in reference.structure.rows
    ]
    assert read == [list(filter(None, row)) for row in rows if any(row)]
