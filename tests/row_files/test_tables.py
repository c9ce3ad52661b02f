"""Rows of tables: which columns they may have."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtypes.errors import DatasetError
from groundtypes.row_files.table_files import (
    column_names,
    open_rows,
    parsed_references,
    read_table,
)


def test_two_columns_with_one_name_are_a_mistake(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("answer,context,answer\na,b,c\n")
    for read in (column_names, lambda given: list(read_table(given))):
        with pytest.raises(DatasetError, match="two columns with the name 'answer'"):
            read(path)


def test_columns_without_a_name_as_spreadsheets_write_them_are_none(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("answer,context,,\na,b,,\n")
    [read] = read_table(path)
    assert read.data == {"answer": "a", "context": "b", "": None}


def test_a_key_that_occurs_twice_breaks_its_row(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"answer": "a", "answer": "b"}\n{"answer": "c"}\n')
    broken, read = read_table(path)
    assert broken.data is None
    assert "occurs twice" in (broken.broken or "")
    assert read.data == {"answer": "c"}


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_a_cell_holds_the_list_that_json_python_or_numpy_has_written(texts: list[str]) -> None:
    for cell in (json.dumps(texts), str(texts), f"[{' '.join(map(repr, texts))}]"):
        assert parsed_references(cell) == texts


@pytest.mark.parametrize(
    "cell",
    [
        "[1] says that it's tall.", "['a', 'b'", "['a' + 'b']", "['a', None]", "[f'a']",
        "['\\N{DASH}']", "['a'b']", r"['\U00110000']", "[__import__('os')]",
        "['" + "\\\\" * 100_000,
    ],
)  # fmt: skip
def test_a_cell_that_is_no_list_of_texts_is_a_text(cell: str) -> None:
    assert parsed_references(cell) == cell


def json_rows(path: Path, text: str) -> list[Any]:
    path.write_text(text, encoding="utf-8")
    return [row.broken or row.data for row in read_table(path)]


def test_a_file_of_json_may_be_a_list_of_rows_or_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    rows = [{"a": "]}\u2028, [", "b": [1, {"c": 2}]}, {}]
    assert json_rows(path, "\ufeff \n" + json.dumps(rows, indent=4) + "\n\n") == rows
    assert json_rows(path, "[]") == json_rows(path, "[ \n]") == json_rows(path, "") == []
    assert json_rows(path, '{"a": 1}\n{"a": 2}') == [{"a": 1}, {"a": 2}]


def test_an_element_that_is_no_row_breaks_no_other(tmp_path: Path) -> None:
    found = json_rows(tmp_path / "rows.json", '[{"a": 1, "a": 2}, {"x": NaN}, 3, {"a": 1}]')
    assert [each if isinstance(each, str) else "row" for each in found] == [
        "the key 'a' occurs twice in one object",
        "not JSON: NaN is not a number in JSON",
        "not an object but a number",
        "row",
    ]


@pytest.mark.parametrize("text", ["[{}", "[{} {}]", "[{},]", "[,{}]", "[{}]]", "[{}] {}", "[{1}]"])
def test_a_list_that_is_not_json_is_a_mistake(tmp_path: Path, text: str) -> None:
    with pytest.raises(DatasetError, match="not a list in JSON"):
        json_rows(tmp_path / "rows.json", text)


def test_the_rows_of_a_table_are_opened_as_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("contexts,docs,answer\n\"['a', 'b']\",\"['c']\",['d']\nx,\nx,,[1]\n")
    with open_rows(path, ["contexts"]) as stream:
        assert [json.loads(line) for line in stream] == [
            {"contexts": ["a", "b"], "docs": "['c']", "answer": "['d']"},
            "its number of cells differs from the header's",
            {"contexts": "x", "docs": None, "answer": "[1]"},
        ]


def test_the_values_of_parquet_become_json(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "rows.parquet"
    cells = {"contexts": [["a"]], "score": [float("nan")], "raw": [b"\xff"], "n": [2**60]}
    parquet.write_table(pa.table(cells), path)
    with open_rows(path, []) as stream:
        row = {"contexts": ["a"], "score": None, "raw": "_w==", "n": 2**60}
        assert [json.loads(line) for line in stream] == [row]


@pytest.mark.parametrize(
    ("rows", "reason", "read_on"),
    [
        ('a,"It is\nb,"It is"\nc,d\n', "lines 2 to 3 of the file: ',' expected", ["c"]),
        ('a,"It is\nb,It is\nc,d\n', "lines 2 to 4 of the file: unexpected end", []),
    ],
    ids=["another cell closes it", "nothing closes it"],
)  # fmt: skip
def test_a_quotation_mark_that_is_not_closed_swallows_no_rows_unnoticed(
    tmp_path: Path, rows: str, reason: str, read_on: list[str]
) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(f"answer,context\n{rows}")
    broken, *rest = read_table(path)
    assert broken.data is None
    assert reason in (broken.broken or "")
    assert [row.data and row.data["answer"] for row in rest] == read_on


def test_cells_in_quotation_marks_hold_any_text(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text('answer,context\n"a ""b"", c","It is\ntall."\n')
    assert [row.data for row in read_table(path)] == [
        {"answer": 'a "b", c', "context": "It is\ntall."}
    ]


def test_maps_and_structs_of_parquet_are_references_by_their_ids(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "rows.parquet"
    maps = pa.map_(pa.string(), pa.string())
    table = {
        "map": pa.array([[("a", "tall")], [("b", "grey"), ("c", None)], []], maps),
        "struct": [{"a": "tall"}, {"b": "grey"}, {"a": None}],
        "maps": pa.array([[[("a", "tall")]], [], []], pa.list_(maps)),
    }
    parquet.write_table(pa.table(table), path)
    with open_rows(path, ("map", "struct")) as file:
        rows = [json.loads(line) for line in file]
    assert [row["map"] for row in rows] == [{"a": "tall"}, {"b": "grey"}, []]
    assert [row["struct"] for row in rows] == [{"a": "tall"}, {"b": "grey"}, None]
    assert rows[0]["maps"] == [{"a": "tall"}]


def test_a_map_of_parquet_that_has_a_key_twice_stays_a_list_of_pairs(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    twice = pa.array([[("a", "tall"), ("a", "grey")]], pa.map_(pa.string(), pa.string()))
    parquet.write_table(pa.table({"map": twice}), tmp_path / "rows.parquet")
    [row] = read_table(tmp_path / "rows.parquet")
    assert row.data == {"map": [("a", "tall"), ("a", "grey")]}
