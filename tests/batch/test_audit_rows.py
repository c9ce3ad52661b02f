"""A table in, the same table with verdicts out; a bad row has a reason, a mistake is raised."""

import threading
import unicodedata
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pyarrow as pa
import pytest
from pydantic import BaseModel, ConfigDict

from groundtypes import Grounded, Judges, Quote
from groundtypes.batch import AuditRows, verdict_schema
from groundtypes.errors import BackendError, ContextError, DatasetError, MarkerError
from groundtypes.models import CitedAnswer, EntailedAnswer
from groundtypes.testing import ENTAILED, ScriptedNLI
from tests.batch import models
from tests.batch.models import Fact, Reply, Statement

TALL = '{"quote": "is tall"}'
ROWS = {
    "id": [1, 2],
    "answer": [TALL, '{"quote": "is small"}'],
    "references": ["It is tall.", "It is tall."],
}


def audited(rows: Any, model: Any = Fact, **options: Any) -> dict[str, list[Any]]:
    """Return the columns of the audited table."""
    result = AuditRows(model, **options)(rows)
    columns: dict[str, list[Any]] = result if isinstance(result, dict) else result.to_pydict()
    return columns


def test_the_result_has_the_columns_of_the_input_and_those_of_the_verdicts() -> None:
    table = pa.table(ROWS)
    result = AuditRows(Fact)(table)
    assert result.select(table.schema.names) == table
    assert result.schema.names == [*ROWS, "ok", "verdicts", "faults", "error", "value"]
    columns = result.to_pydict()
    assert columns["ok"] == [True, False]
    assert columns["faults"] == [[], ["quote_not_found"]]
    assert columns["error"] == [None, None]
    assert columns["value"] == ['{"quote":"is tall","note":""}', None]
    verdict = columns["verdicts"][0][0]
    assert verdict["check"] == "Quoted" and verdict["loc"] == ["quote"]
    assert (verdict["span"]["reference"], verdict["span"]["start"]) == ("0", 3)


def test_a_record_batch_stays_one_and_a_dict_of_columns_a_dict() -> None:
    [batch] = pa.table(ROWS).to_batches()
    result = AuditRows(Fact, batch=1)(batch)
    assert isinstance(result, pa.RecordBatch)
    assert result.to_pydict() == AuditRows(Fact)(ROWS)


def test_whatever_exports_an_arrow_stream_becomes_a_table() -> None:
    reader = pa.RecordBatchReader.from_batches(pa.table(ROWS).schema, pa.table(ROWS).to_batches())
    assert AuditRows(Fact)(reader) == AuditRows(Fact)(pa.table(ROWS))


def test_the_schema_is_that_of_the_options_whatever_the_rows_hold() -> None:
    audit = AuditRows(Fact, answer="reply", references="docs", keep=["reply"])
    rows = [
        {"reply": [TALL], "docs": ["It is tall."]},
        {"reply": ["{"], "docs": ["It is tall."]},
        {"reply": [None], "docs": [None]},
    ]
    types = {"reply": pa.string(), "docs": pa.string()}
    tables = [pa.table(row, schema=pa.schema(types)) for row in rows]
    tables.append(tables[0].slice(0, 0))
    assert all(
        audit(table).schema == audit.output_schema(table.schema)
        == pa.schema([("reply", pa.string()), *verdict_schema()])
        for table in tables
    )  # fmt: skip
    [batch] = tables[0].to_batches()
    assert audit(batch.slice(0, 0)).schema == audit(batch).schema


def test_the_columns_of_other_tools_are_found() -> None:
    table = pa.table(
        {
            "response": ["It is tall.", "It is tall.", "It is tall."],
            "retrieved_contexts": [["It is tall."]] * 3,
            "contexts": [None, ["It is tall."], ["It is small."]],
        }
    )
    audit = AuditRows(EntailedAnswer, judges=Judges(nli=ScriptedNLI(lambda _: ENTAILED)))
    result = audit(table)
    assert result.column("ok").to_pylist() == [True, True, False]
    assert "'contexts' and 'retrieved_contexts'" in result.column("error")[2].as_py()
    with pytest.raises(DatasetError, match="but 'response'; the option `references` names"):
        audit(table.select(["response"]))


REFERENCES = {
    "text": ("It is tall.", pa.string()),
    "text in a dictionary": ("It is tall.", pa.dictionary(pa.int32(), pa.string())),
    "bytes": (b"It is tall.", pa.large_binary()),
    "list of texts": (["It is tall."], pa.list_(pa.large_string())),
    "map": ([("0", "It is tall.")], pa.map_(pa.string(), pa.string())),
    "struct of ids": (
        {"0": "It is tall.", "1": None}, pa.struct({"0": pa.string(), "1": pa.string()})
    ),
    "documents": (
        [{"id": 0, "text": "It is tall.", "when": None}],
        pa.list_(pa.struct({"id": pa.int8(), "text": pa.string(), "when": pa.date32()})),
    ),
    "JSON of a list": ('["It is tall."]', pa.string()),
    "JSON of a mapping": ('{"0": "It is tall."}', pa.string()),
    "JSON of documents": ('[{"id": 0, "text": "It is tall."}]', pa.string()),
}  # fmt: skip


@pytest.mark.parametrize(("cell", "type_"), REFERENCES.values(), ids=REFERENCES.keys())
def test_references_are_read_in_every_shape(cell: Any, type_: Any) -> None:
    column = pa.array([cell, None], type_)
    table = pa.table({"answer": [TALL, TALL], "docs": column})
    result = audited(table, references="docs")
    assert result["ok"] == [True, False]
    assert result["verdicts"][0][0]["span"]["reference"] == "0"
    assert result["error"] == [None, "no references under 'docs', which holds none"]
    assert audited({"answer": [TALL, TALL], "docs": [cell, None]}, references="docs")["ok"] == [
        True,
        False,
    ]


@pytest.mark.parametrize(
    "answers",
    [
        pytest.param(pa.array([{"quote": "is tall"}]), id="struct"),
        pytest.param(
            pa.array([[("quote", "is tall")]], pa.map_(pa.string(), pa.string())), id="map"
        ),
        pytest.param(pa.array([TALL.encode()]), id="bytes"),
        pytest.param(pa.array([TALL]).dictionary_encode(), id="dictionary"),
    ],
)
def test_answers_are_read_in_every_shape(answers: Any) -> None:
    table = pa.table({"reply": answers, "references": ["It is tall."]})
    assert audited(table, answer="reply")["ok"] == [True]


def test_without_the_name_of_its_column_the_answer_is_the_fields_of_the_model() -> None:
    table = pa.table({"quote": ["is tall"], "references": ["It is tall."], "day": [None]})
    assert audited(table)["ok"] == [True]


@pytest.mark.parametrize("column", ["answer", "response"])
def test_a_null_answer_is_an_error_also_in_a_column_that_is_found(column: str) -> None:
    result = audited(pa.table({column: [None, TALL], "references": ["It is tall."] * 2}))
    assert result["faults"] == [[], []]
    assert result["error"] == [f"no answer: {column!r} is null", None]


BAD_CELLS: dict[str, tuple[Mapping[str, Any], str]] = {
    "null answer": ({"answer": None}, "no answer: 'answer' is null"),
    "no answer of pandas": ({"answer": float("nan")}, "no answer: 'answer' is null"),
    "null references": ({"references": None}, "no references"),
    "references are no texts": ({"references": [1]}, "unreadable references"),
    "a question of another type": ({"question": 7}, "'question' is of type int, not text"),
    "surrogate in the answer": ({"answer": '{"quote": "\ud800"}'}, "column 'answer': not Unicode"),
    "surrogate in a reference": ({"references": ["x", "\udfff"]}, "column 'references': not Unic"),
    "surrogate in JSON": ({"references": '["\\ud800"]'}, "a lone surrogate"),
    "not UTF-8": ({"answer": b"\xff"}, "column 'answer': not UTF-8: byte 0xff"),
    "an object": ({"answer": object()}, "the answer is not data as JSON has them"),
    "a key twice": ({"references": [("a", "x"), ("a", "y")]}, "the key 'a' occurs twice"),
    "a validator raises": (
        {"answer": '{"quote": "is tall", "note": "boom"}'}, "the model raised KeyError: 'boom'"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("cells", "reason"), BAD_CELLS.values(), ids=BAD_CELLS.keys())
def test_a_bad_row_has_its_reason_and_the_others_are_judged(
    cells: Mapping[str, Any], reason: str
) -> None:
    good = {"answer": TALL, "references": "It is tall.", "question": None}
    rows = [good, good, {**good, **cells}, good, good]
    result = audited({name: [row[name] for row in rows] for name in good}, answer="answer")
    assert result["ok"] == [True, True, False, True, True]
    assert [error is None for error in result["error"]] == result["ok"]
    assert reason in result["error"][2]
    assert result["faults"][2] == result["verdicts"][2] == [] and result["value"][2] is None


def test_text_of_arrow_that_is_not_utf_8_is_a_bad_row() -> None:
    raw = pa.array([TALL.encode(), b'{"quote": "\xff"}'])
    answers = pa.Array.from_buffers(pa.string(), 2, raw.buffers())
    result = AuditRows(Fact, answer="answer", keep=[])(
        pa.table({"answer": answers, "references": ["It is tall."] * 2})
    ).to_pydict()
    assert result["ok"] == [True, False]
    assert "not UTF-8" in result["error"][1]


def test_nulls_in_references_are_named_or_left_out() -> None:
    documents = pa.list_(pa.struct({"id": pa.string(), "text": pa.string()}))
    cells = {
        "a null among texts": pa.array([["It is tall.", None]], pa.list_(pa.string())),
        "a document without a text": pa.array([[{"id": "a", "text": None}]], documents),
        "a null among documents": pa.array([[None, {"id": "a", "text": "It is tall."}]], documents),
    }
    for name, column in cells.items():
        result = audited({"answer": [TALL], "docs": column}, references="docs")
        assert result["ok"] == [False], name
        assert "column 'docs'" in result["error"][0] and "position" in result["error"][0]
    pairs = pa.array([[("a", None), ("b", "It is tall.")]], pa.map_(pa.string(), pa.string()))
    result = audited(pa.table({"answer": [TALL], "docs": pairs}), references="docs")
    assert result["ok"] == [True]
    none = pa.array([[]], pa.list_(pa.string()))
    assert audited({"answer": [TALL], "references": none})["faults"] == [["quote_not_found"]]


def test_nulls_in_a_struct_are_faults_of_the_answer() -> None:
    type_ = pa.struct(
        {
            "answer": pa.string(),
            "citations": pa.list_(pa.struct({"statement": pa.string(), "quote": pa.string()})),
        }
    )
    citation = {"statement": "It is.", "quote": "is tall"}
    replies = [
        {"answer": "It is tall.", "citations": [citation]},
        {"answer": None, "citations": [citation]},
        {"answer": "It is tall.", "citations": [None]},
        {"answer": "It is tall.", "citations": [{"statement": None, "quote": "is tall"}]},
        {"answer": "It is tall.", "citations": None},
        None,
    ]
    table = pa.table(
        {"reply": pa.array(replies, type_), "references": ["It is tall."] * len(replies)}
    )
    result = audited(table, CitedAnswer, answer="reply")
    assert result["ok"] == [True, False, False, False, False, False]
    assert result["error"] == [None] * 5 + ["no answer: 'reply' is null"]
    assert [[".".join(each["loc"]) for each in row if not each["ok"]]
            for row in result["verdicts"][1:5]] == [
        ["answer"], ["citations.0"], ["citations.0.statement"], ["citations"],
    ]  # fmt: skip


class Dated(Grounded):
    """A quote with a time, read strictly."""

    model_config = ConfigDict(strict=True)

    quote: Quote
    at: datetime


@pytest.mark.parametrize("zone", ["UTC", "Europe/Paris", "+05:30", None])
@pytest.mark.parametrize("unit", ["s", "us", "ns"])
def test_times_of_any_zone_are_read(zone: str | None, unit: str) -> None:
    reply = pa.StructArray.from_arrays(
        [pa.array(["is tall"]), pa.array([1_000_000_000], pa.timestamp(unit, zone))],
        ["quote", "at"],
    )
    table = pa.table({"reply": reply, "references": ["It is tall."]})
    result = audited(table, Dated, answer="reply")
    assert (result["ok"], result["error"]) == ([True], [None])
    assert '"at":"' in result["value"][0]


def test_a_zone_that_is_not_known_is_a_mistake_and_a_year_that_is_none_a_bad_row() -> None:
    unknown = pa.table(
        {
            "quote": ["is tall"],
            "at": pa.array([0], pa.timestamp("us", "Mars/Phobos")),
            "references": ["It is tall."],
        }
    )
    for rows in (unknown, unknown.slice(0, 0)):
        with pytest.raises(DatasetError, match=r"'at' has times in the time zone 'Mars/Phobos'"):
            audited(rows, Dated)
    seconds = pa.array([10**13, 0], pa.timestamp("s", "UTC"))
    late = unknown.drop_columns(["at"])
    late = pa.concat_tables([late, late]).append_column("at", seconds)
    result = audited(late, Dated, keep=["quote"])
    assert result["ok"] == [False, True]
    assert result["error"][0].startswith("column 'at': unreadable")


def test_names_that_are_not_ascii_are_names_and_a_similar_one_is_shown() -> None:
    rows = pa.table({"réponse": [TALL], "参考": ["It is tall."]})
    assert audited(rows, answer="réponse", references="参考")["ok"] == [True]
    decomposed = rows.rename_columns([unicodedata.normalize("NFD", "réponse"), "参考"])
    with pytest.raises(DatasetError, match=r"Did you mean 're\\u0301ponse'\?"):
        audited(decomposed, answer="réponse", references="参考")


@pytest.mark.parametrize("rows", [pa.table({}), {}], ids=["Arrow", "dict"])
def test_a_partition_without_columns_and_rows_gets_those_of_the_verdicts(rows: Any) -> None:
    result = AuditRows(Fact, answer="reply", keep=["id"])(rows)
    names = result.schema.names if isinstance(result, pa.Table) else list(result)
    assert names == verdict_schema().names
    with pytest.raises(DatasetError, match="no column 'id'"):
        AuditRows(Fact, answer="reply", keep=["id"])(pa.table({"other": pa.array([], pa.string())}))


def test_chunks_without_rows_make_no_difference() -> None:
    text = pa.string()
    table = pa.table(
        {
            "answer": pa.chunked_array([[], [TALL], [], [TALL]], text),
            "references": pa.chunked_array([["It is tall.", "It is low."], []], text),
        }
    )
    assert audited(table, batch=1)["ok"] == [True, False]


def test_a_hundred_thousand_references_of_a_row_are_searched() -> None:
    references = [f"The town of {number} is old." for number in range(100_000)]
    table = pa.table(
        {
            "answer": ['{"quote": "town of 99999 is old"}', '{"quote": "town of 100000 is"}'],
            "references": [references, references],
        }
    )
    result = audited(table)
    assert result["ok"] == [True, False]
    assert result["verdicts"][0][0]["span"]["reference"] == "99999"


def test_a_faulty_answer_is_no_error() -> None:
    result = audited({"answer": ["no JSON"], "references": ["It is tall."]}, answer="answer")
    assert (result["error"], result["faults"]) == ([None], [["json_invalid"]])


def test_a_batch_asks_the_engine_once_and_bad_rows_do_not_change_that() -> None:
    engine = ScriptedNLI()
    texts = [f"It is {number}." for number in range(20)]
    rows = {
        "text": [*texts, None],
        "references": [*texts, "x"],
    }
    result = audited(rows, Statement, judges=Judges(nli=engine), batch=100)
    assert result["ok"] == [True] * 20 + [False]
    assert engine.calls == 1


def test_a_dead_engine_is_raised_and_names_the_rows() -> None:
    rows = {"text": ["It is tall."] * 3, "references": ["It is tall."] * 3}
    with pytest.raises(BackendError) as caught:
        audited(rows, Statement, judges=models.dead_judges, batch=2)
    assert caught.value.__notes__ == ["while rows 0 to 1 were judged"]


def test_a_missing_question_is_of_its_row_unless_no_row_can_have_one() -> None:
    sorry = '{"text": "The references do not say."}'
    rows = {"answer": [sorry] * 2, "references": ["It is tall."] * 2}
    asked = {**rows, "question": ["Is it open?", None]}
    judges = Judges(nli=ScriptedNLI())
    result = audited(asked, Reply, judges=judges)
    assert result["error"][0] is None
    assert "needs the question" in result["error"][1]
    with pytest.raises(ContextError, match="needs the question"):
        audited(rows, Reply, judges=judges)


MISTAKES: dict[str, tuple[Any, dict[str, Any], str]] = {
    "no such answer": (ROWS, {"answer": "reply"}, "no column 'reply' (`answer`); the columns are"),
    "no such references": (ROWS, {"references": "docs"}, "no column 'docs' (`references`)"),
    "no such question": (ROWS, {"question": "ask"}, "no column 'ask' (`question`)"),
    "no such column to keep": (ROWS, {"keep": ["name"]}, "no column 'name' (`keep`)"),
    "no references": ({"answer": [TALL]}, {}, "No column holds references"),
    "no answers": ({"references": ["x"]}, {}, "No column holds answers"),
    "a name twice": (
        pa.Table.from_arrays([pa.array(["x"])] * 2, ["a", "a"]), {}, "Two columns have the name 'a'"
    ),
    "numbers as references": (
        pa.table({"answer": [TALL], "references": [1]}), {},
        "The column 'references' holds no references: its type is int64",
    ),
    "lists of numbers as references": (
        pa.table({"answer": [TALL], "references": [[1.5]]}), {}, "holds no references"
    ),
    "a map of numbers as references": (
        pa.table({"answer": [TALL],
                  "references": pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int8()))}), {},
        "The column 'references' holds no references: its type is map<string, int8>",
    ),
    "structs of numbers as references": (
        pa.table({"answer": [TALL], "references": [{"a": 1}]}), {}, "holds no references"
    ),
    "documents without a text": (
        pa.table({"answer": [TALL], "docs": [[{"id": "a", "body": "x"}]]}),
        {"references": "docs"}, "The column 'docs' holds no references: its type is list<item: str",
    ),
    "lists of lists as references": (
        pa.table({"answer": [TALL], "references": [[["x"]]]}), {}, "holds no references"
    ),
    "an array of numbers as references": (
        {"answer": [TALL], "references": pa.array([1])}, {}, "its type is int64"
    ),
    "numbers as answers": (
        pa.table({"reply": [1.5], "references": ["x"]}), {"answer": "reply"},
        "The column 'reply' holds no answers: its type is double",
    ),
    "structs as questions": (
        pa.table({**ROWS, "question": [{"a": 1}] * 2}), {}, "The column 'question' holds no questio"
    ),
    "columns of two lengths": ({**ROWS, "id": [1]}, {}, "The columns differ in length"),
    "a column with a space": (
        {**ROWS, "reply ": [TALL, TALL]}, {"answer": "Reply"}, "Did you mean 'reply '?"
    ),
    "a text as a column": ({**ROWS, "id": "12"}, {}, "a column is a list or an array"),
    "a column of the result": ({**ROWS, "ok": [1, 0]}, {}, "have a column 'ok' already"),
}  # fmt: skip


@pytest.mark.parametrize(("rows", "options", "message"), MISTAKES.values(), ids=MISTAKES.keys())
def test_what_is_wrong_with_every_row_is_a_mistake_that_names_the_column(
    rows: Any, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(DatasetError) as caught:
        audited(rows, **options)
    assert message in str(caught.value)
    if isinstance(rows, pa.Table):  # and before there is a row
        with pytest.raises(DatasetError):
            audited(rows.slice(0, 0), **options)


def test_a_name_that_is_taken_gets_a_prefix_or_is_left_out() -> None:
    rows = {**ROWS, "ok": [7, 8]}
    result = audited(rows, prefix="audit_")
    assert (result["ok"], result["audit_ok"]) == ([7, 8], [True, False])
    assert audited(rows, keep=["id"])["ok"] == [True, False]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"keep": "id"}, "keep"),
        ({"batch": 0}, "batch"),
        ({"judges": "engines"}, "module:name"),
        ({"judges": 7}, "pass Judges"),
    ],
)
def test_an_option_that_is_invalid_is_a_mistake_at_once(
    options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ContextError, match=message):
        AuditRows(Fact, **options)


def test_what_is_no_table_is_a_mistake() -> None:
    with pytest.raises(ContextError, match="not an object of type list"):
        AuditRows(Fact)([{"answer": TALL}])


class Ambiguous(BaseModel):
    """A model in which a false quote could pass as another branch of a union."""

    quote: Quote | str


def test_a_model_or_engines_that_suit_no_row_are_a_mistake() -> None:
    with pytest.raises(MarkerError):
        audited({"quote": ["x"], "references": ["x"]}, Ambiguous)
    with pytest.raises(ContextError, match="not Judges"):
        audited({"text": ["x"], "references": ["x"]}, Statement, judges=lambda: 7)


def test_a_hundred_thousand_rows_keep_their_order() -> None:
    count = 100_000
    answers = [TALL if number % 1000 == 7 else None for number in range(count)]
    table = pa.table({"id": range(count), "answer": answers, "references": ["It is tall."] * count})
    result = AuditRows(Fact, answer="answer")(table)
    assert result.column("id").to_pylist() == list(range(count))
    ok = result.column("ok").to_pylist()
    assert [number for number in range(count) if ok[number]] == list(range(7, count, 1000))
    assert result.column("error").null_count == 100


def test_threads_share_one_callable() -> None:
    audit = AuditRows(Statement, judges="tests.batch.models:judges", keep=[])
    tables = [
        pa.table({"text": [f"It is {n}."] * 20, "references": [f"It is {n % 2}."] * 20})
        for n in range(4)
    ]
    models.MADE.clear()
    results: dict[int, list[bool]] = {}

    def run(number: int) -> None:
        results[number] = audit(tables[number]).column("ok").to_pylist()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {n: [n < 2] * 20 for n in range(4)}
    assert len(models.MADE) <= 1
