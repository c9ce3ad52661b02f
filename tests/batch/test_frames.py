"""Data frames of pandas and Polars, and relations of DuckDB, are audited as Arrow tables are."""

import json
from typing import Any

import pyarrow as pa
import pytest

from groundtypes.batch import AuditRows, verdict_schema
from groundtypes.errors import DatasetError
from tests.batch.models import Fact

pytestmark = pytest.mark.engines
TALL = '{"quote": "is tall"}'
DOCUMENTS = pa.list_(pa.struct({"id": pa.string(), "text": pa.string()}))
TABLE = pa.table(
    {
        "number": [1, 2, 3, 4],
        "answer": [TALL, '{"quote": "is small"}', None, TALL],
        "references": pa.array([[{"id": "a", "text": "It is tall."}]] * 3 + [None], DOCUMENTS),
    }
)
AUDIT = AuditRows(Fact, answer="answer")
EXPECTED = AUDIT(TABLE).select(verdict_schema().names).to_pylist()


def test_pandas_keeps_its_index_and_gets_columns_of_arrow_types() -> None:
    pandas = pytest.importorskip("pandas")
    frame = TABLE.to_pandas().set_index("number", drop=False).iloc[::-1]
    result = AUDIT(frame)
    assert list(result.index) == [4, 3, 2, 1]
    verdicts = pa.Table.from_pandas(result[verdict_schema().names], preserve_index=False)
    assert verdicts.to_pylist() == EXPECTED[::-1]
    assert verdicts.schema.remove_metadata() == verdict_schema()
    assert list(AUDIT(frame.head(0)).dtypes) == list(result.dtypes)
    assert len(result[result["ok"]]) == 1 and "ok" not in frame
    assert isinstance(result, pandas.DataFrame)


def test_pandas_cells_may_be_anything() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {
            "answer": [TALL, json.loads(TALL), float("nan"), pandas.NA, pandas.NaT, "\ud800"],
            "references": ["It is tall.", ["It is tall."], "x", "x", "x", "x"],
        },
        dtype=object,
    )
    result = AUDIT(frame)
    assert result["ok"].tolist() == [True, True, False, False, False, False]
    assert [error.partition(":")[0] for error in result["error"][2:]] == [
        *["no answer"] * 3,
        "column 'answer'",
    ]


def test_the_types_of_pandas_tell_of_mistakes_unless_there_is_no_value() -> None:
    pandas = pytest.importorskip("pandas")
    good = {"answer": [TALL], "references": ["It is tall."]}
    for name, cells, message in (
        ("references", [1], "'references' holds no references: its type is int64"),
        ("answer", [1.5], "'answer' holds no answers: its type is double"),
        ("question", [pandas.Timestamp(0)], "'question' holds no questions"),
        ("references", pandas.Categorical([7]), "'references' holds no references"),
    ):
        with pytest.raises(DatasetError, match=message):
            AUDIT(pandas.DataFrame(good | {name: cells}))
    missing = pandas.DataFrame(good | {"question": [float("nan")]})
    assert AUDIT(missing)["ok"].tolist() == [True]
    nothing = pandas.DataFrame(good | {"references": [float("nan")]})
    assert AUDIT(nothing)["error"].tolist()[0].startswith("no references")


def test_categories_are_texts() -> None:
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    frame = pandas.DataFrame({"answer": [TALL], "references": ["It is tall."]}, dtype="category")
    assert AUDIT(frame)["ok"].tolist() == [True]
    types = {"answer": polars.Categorical, "references": polars.Enum(["It is tall."])}
    columns = polars.DataFrame({"answer": [TALL], "references": ["It is tall."]}, schema=types)
    assert AUDIT(columns)["ok"].to_list() == [True]


def test_frames_without_columns_and_rows_get_those_of_the_verdicts() -> None:
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    assert list(AUDIT(pandas.DataFrame()).columns) == verdict_schema().names
    assert AUDIT(polars.DataFrame()).columns == verdict_schema().names


def test_polars_stays_polars() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.from_arrow(TABLE)
    result = frame.pipe(AUDIT)
    assert result.select(verdict_schema().names).to_dicts() == EXPECTED
    assert AUDIT(frame.head(0)).schema == result.schema
    kept = AuditRows(Fact, answer="answer", keep=[])(frame)
    assert kept.columns == verdict_schema().names and kept.height == 4
    lazy = frame.lazy().map_batches(AUDIT, schema=result.schema)
    assert lazy.filter(polars.col("ok")).collect().height == 1


def test_a_relation_of_duckdb_becomes_an_arrow_table() -> None:
    duckdb = pytest.importorskip("duckdb")
    result = AUDIT(duckdb.from_arrow(TABLE))
    assert result.select(verdict_schema().names).to_pylist() == EXPECTED


def test_arrays_of_numpy_are_columns_and_lists() -> None:
    numpy = pytest.importorskip("numpy")
    references = numpy.empty(2, dtype=object)
    references[:] = [numpy.array(["It is tall."], dtype=object), None]
    rows: dict[str, Any] = {"answer": numpy.array([TALL, TALL]), "references": references}
    result = AUDIT(rows)
    assert result["ok"] == [True, False]
    assert result["answer"] is rows["answer"]
    with pytest.raises(DatasetError, match="its type is int64"):
        AUDIT(rows | {"references": numpy.array([1, 2])})
    nothing = AUDIT(rows | {"references": numpy.array([numpy.nan, numpy.nan])})
    assert [error.partition(" under")[0] for error in nothing["error"]] == ["no references"] * 2
