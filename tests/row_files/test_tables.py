"""Rows of tables: which columns they may have."""

from pathlib import Path

import pytest

from groundtypes.errors import DatasetError
from groundtypes.row_files.table_files import column_names, read_table


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
