"""Lines to rows: which part of a row is its answer, and which lines are broken."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, model_validator

from groundtypes.models import CitedAnswer, EntailedAnswer
from groundtypes.references.row_keys import REFERENCES
from groundtypes.row_files.answer_rows import Keys, RowReader
from groundtypes.row_files.json_lines import BrokenLineError, Line, parse_line, read_line
from tests.cli import models
from tests.command_line import REFERENCE, row

CITATIONS = [{"statement": "s", "quote": "capital of France"}]
WHOLE = {"answer": "Paris", "citations": CITATIONS}


class Completed(BaseModel):
    answer: str
    length: int

    @model_validator(mode="before")
    @classmethod
    def add_length(cls, data: Any) -> Any:
        return {"length": 0, **data}


def read(model: Any, data: Any) -> tuple[str | None, Any]:
    """Return where the answer stood, and the answer as plain data where it is JSON."""
    found = RowReader(model).read(parse_line(json.dumps(data).encode()))
    try:
        return found.answer_key, json.loads(found.answer)
    except (TypeError, ValueError):
        return found.answer_key, found.answer


@pytest.mark.parametrize(
    ("model", "parts", "place", "answer"),
    [
        pytest.param(CitedAnswer, WHOLE, None, WHOLE, id="text in a field answer: the rest"),
        pytest.param(CitedAnswer, {"answer": WHOLE}, "answer", WHOLE, id="object"),
        pytest.param(CitedAnswer, {"answer": json.dumps(WHOLE)}, "answer", WHOLE, id="JSON text"),
        pytest.param(
            CitedAnswer, {"answer": "{no", "citations": []}, None,
            {"answer": "{no", "citations": []}, id="text like JSON in a field answer: the rest",
        ),
        pytest.param(
            CitedAnswer, {"answer": "[1]", "id": 3}, "answer", [1],
            id="a list as text, and nothing of the other fields",
        ),
        pytest.param(
            CitedAnswer, {"answer": "Paris", "id": 3}, "answer", "Paris",
            id="plain text, and nothing of the other fields",
        ),
        pytest.param(
            EntailedAnswer, {"answer": "Paris"}, None, {"answer": "Paris"},
            id="plain text, and no other field",
        ),
        pytest.param(
            Completed, {"answer": "Paris"}, None, {"answer": "Paris"},
            id="plain text, to which a validator adds what is missing",
        ),
        pytest.param(
            models.Fact, {"answer": "no JSON"}, "answer", "no JSON",
            id="plain text for a model without a field answer",
        ),
        pytest.param(
            CitedAnswer, {"answer": f"```json\n{json.dumps(WHOLE)}\n```\n"}, "answer", WHOLE,
            id="a fenced block",
        ),
        pytest.param(
            models.FactDict, {"answer": '~~~\n{"quote": "q"}\n~~~'}, "answer", {"quote": "q"},
            id="a fenced block for a TypedDict",
        ),
        pytest.param(
            models.Fact, {"answer": '```json\n{"quote": "q"}\n```\nDone.'}, "answer",
            '```json\n{"quote": "q"}\n```\nDone.', id="words behind the block",
        ),
        pytest.param(models.Fact, {"quote": "q"}, None, {"quote": "q"}, id="no answer: the rest"),
        pytest.param(models.Fact, {"answer": {"x": 1}}, "answer", {"x": 1}, id="another object"),
        pytest.param(models.Fact, {"answer": "{no"}, "answer", "{no", id="broken JSON text"),
        pytest.param(
            models.Fact, {"answer": "no JSON", "quote": "q"}, None,
            {"answer": "no JSON", "quote": "q"}, id="plain text: the rest",
        ),
        pytest.param(
            models.Nested, {"answer": {"quote": "q"}, "note": "n"}, None,
            {"answer": {"quote": "q"}, "note": "n"}, id="object of a field answer: the rest",
        ),
        pytest.param(
            models.Nested, {"answer": {"answer": {"quote": "q"}, "note": "n"}}, "answer",
            {"answer": {"quote": "q"}, "note": "n"}, id="object with a field answer",
        ),
        pytest.param(models.Facts, {"answer": [{"quote": "q"}]}, "answer", [{"quote": "q"}],
                     id="list"),
        pytest.param(models.FactDict, {"answer": '{"quote": "q"}'}, "answer", {"quote": "q"},
                     id="JSON text for a TypedDict"),
        pytest.param(models.FactClass, {"quote": "q"}, None, {"quote": "q"},
                     id="rest for a dataclass"),
        pytest.param(models.Asked, {"question": "why?", "quote": "q"}, None,
                     {"question": "why?", "quote": "q"}, id="question is a field too"),
        pytest.param(models.Fact, {"question": "why?", "quote": "q"}, None, {"quote": "q"},
                     id="question is no field"),
        pytest.param(EntailedAnswer, {"response": "Paris", "reference": "Rome"}, None,
                     {"answer": "Paris", "reference": "Rome"}, id="text of Ragas"),
        pytest.param(CitedAnswer, {"actual_output": json.dumps(WHOLE)}, "actual_output", WHOLE,
                     id="JSON text of DeepEval"),
        pytest.param(CitedAnswer, {"output": "Paris", "citations": CITATIONS}, None, WHOLE,
                     id="text of TruLens beside a field of the model"),
        pytest.param(CitedAnswer, {"response": "Paris", "id": 3}, "response", "Paris",
                     id="plain text of Ragas, and nothing of the other fields"),
        pytest.param(CitedAnswer, {**WHOLE, "output": {"raw": 1}}, None,
                     {**WHOLE, "output": {"raw": 1}}, id="fields beside each other, and an output"),
        pytest.param(models.Fact, {"quote": "q", "output": {"x": 1}}, None,
                     {"quote": "q", "output": {"x": 1}}, id="an output beside a field"),
        pytest.param(models.Texts, {"response": "r", "query": "q"}, None,
                     {"response": "r", "query": "q"}, id="fields of the model with usual names"),
        pytest.param(models.Fact, {"answer": None, "quote": "q"}, None,
                     {"answer": None, "quote": "q"}, id="null: the rest"),
    ],
)  # fmt: skip
def test_the_answer_is_the_object_under_answer_or_else_the_rest_of_the_row(
    model: Any, parts: dict[str, Any], place: str | None, answer: Any
) -> None:
    assert read(model, {"references": [REFERENCE], **parts}) == (place, answer)


def test_named_keys_are_the_only_ones_that_are_read() -> None:
    data = {"docs": [REFERENCE], "output": {"quote": "q"}, "ask": "why?", "context": "other"}
    found = RowReader(models.Fact, Keys("output", "docs", "ask")).read(
        parse_line(json.dumps(data).encode())
    )
    assert found.answer_key == "output"
    assert found.context["question"] == "why?"
    assert [reference.text for reference in found.context["references"]] == [REFERENCE]
    assert found.cleaned({"quote": "Q"}) == {**data, "output": {"quote": "Q"}}


@pytest.mark.parametrize("key", REFERENCES.names)
@pytest.mark.parametrize(
    "value",
    [
        pytest.param(REFERENCE, id="text"),
        pytest.param([REFERENCE], id="list"),
        pytest.param({"a": REFERENCE}, id="mapping"),
        pytest.param([{"id": "a", "page_content": REFERENCE}], id="documents"),
    ],
)
def test_references_are_read_in_every_shape_under_every_key(key: str, value: Any) -> None:
    found = RowReader(models.Fact).read(parse_line(json.dumps({key: value, "quote": "q"}).encode()))
    assert [reference.text for reference in found.context["references"]] == [REFERENCE]
    assert json.loads(found.answer) == {"quote": "q"}


def found(data: dict[str, Any], keys: Keys = Keys()) -> Any:  # noqa: B008 # frozen
    return RowReader(EntailedAnswer, keys).read(data)


@pytest.mark.parametrize("key", ["question", "user_input", "query", "input"])
def test_the_question_is_found_under_the_keys_of_other_tools(key: str) -> None:
    data = {"contexts": [REFERENCE], "response": "Paris", key: "Which city?"}
    assert found(data).context["question"] == "Which city?"


def test_an_input_that_is_no_text_is_no_question() -> None:
    assert "question" not in found({"references": "r", "input": {"role": "user"}}).context


_RAGAS = {"retrieved_contexts": [REFERENCE], "response": "Paris", "reference": "Rome"}


def test_a_reference_of_ragas_is_no_reference() -> None:
    assert found(_RAGAS).context["references"].texts == (REFERENCE,)
    with pytest.raises(BrokenLineError, match=r"no references .* but 'response', 'reference'"):
        found({"response": "Paris", "reference": "Rome"})


@pytest.mark.parametrize(
    ("others", "keys", "read"),
    [
        ({"references": ["other"]}, ("references", "retrieved_contexts"), Keys(references="x")),
        ({"answer": "Rome"}, ("answer", "response"), Keys(answer="x")),
        ({"question": "a", "input": "b"}, ("question", "input"), Keys(question="x")),
    ],
)
def test_two_keys_with_different_values_break_the_row_unless_one_is_named(
    others: dict[str, Any], keys: tuple[str, str], read: Keys
) -> None:
    with pytest.raises(BrokenLineError, match=f"the keys '{keys[0]}' and '{keys[1]}' hold diff"):
        found(_RAGAS | others)
    assert found(_RAGAS | others | {"x": '{"answer": "x"}'}, read)


def test_two_keys_with_the_same_value_are_one() -> None:
    row = _RAGAS | {"context": REFERENCE, "output": "Paris", "query": "a", "question": "a"}
    assert found(row).context["references"].texts == (REFERENCE,)


def test_a_named_key_is_no_other_part_too() -> None:
    row = {"response": "It is tall.", "output": "x"}
    read = found(row, Keys(references="response"))
    assert json.loads(read.answer)["answer"] == "x"
    with pytest.raises(BrokenLineError, match="no references"):
        found({"context": "x"}, Keys(answer="context"))


def test_a_message_names_the_keys_of_a_row_bounded_and_escaped() -> None:
    row = {"\x1b[31m": 1, "k" * 500: 2, **{f"key {n}": n for n in range(50)}}
    with pytest.raises(BrokenLineError) as raised:
        found(row)
    message = str(raised.value)
    assert r"'\x1b[31m'" in message
    assert len(message) < 800
    assert message.endswith(", …; the option `references` names another")


def test_text_under_a_named_key_is_the_field_answer() -> None:
    row = {"references": "r", "reply": "It is tall.", "answer": "other"}
    read = found(row, Keys(answer="reply"))
    assert json.loads(read.answer)["answer"] == "It is tall."
    assert read.cleaned({"answer": "It is."}) == {"references": "r", "reply": "It is."}


def test_a_clean_answer_is_written_under_the_key_that_held_it() -> None:
    row = {"id": 1, **_RAGAS}
    assert found(row).cleaned({"answer": "Paris!"}) == {**row, "response": "Paris!"}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        pytest.param(b"{", "not JSON", id="cut off"),
        pytest.param(b'{"references": "a"} {}', "not JSON", id="two objects"),
        pytest.param(b'{"references": "a\x00"}', "not JSON", id="a raw null byte"),
        pytest.param(b"\x00\x00\x00", "not JSON", id="null bytes"),
        pytest.param(b'{"references": "\xff"}', "not UTF-8", id="bad UTF-8"),
        pytest.param(b"\xff\xfe{\x00", "not UTF-8", id="UTF-16"),
        pytest.param(b"[1]", "not an object but a list", id="list"),
        pytest.param(b'"text"', "not an object but a text", id="text"),
        pytest.param(b"null", "not an object but null", id="null"),
        pytest.param(b"true", "not an object but true or false", id="true"),
        pytest.param(b'{"references": "a", "x": NaN}', "not JSON", id="NaN"),
        pytest.param(b'{"references": "a", "x": 1e999}', "not JSON", id="infinite"),
        pytest.param(b'{"references": "a", "x": ' + b"9" * 5000 + b"}", "not JSON", id="digits"),
        pytest.param(b'{"references": "a", "references": "b"}', "occurs twice", id="key twice"),
        pytest.param(b'{"references": "a", "x": [{"y": 1, "y": 1}]}', "occurs twice", id="deep"),
        pytest.param(b'{"x": ' + b"[" * 100 + b"]" * 100 + b"}", "nested", id="101 deep"),
        pytest.param(b"[" * 10**6, "nested", id="a million deep"),
        pytest.param(b'{"x": ' + b'{"x": ' * 10**5 + b"1" + b"}" * 10**5 + b"}", "nested",
                     id="a hundred thousand objects deep"),
        pytest.param(b'{"answer": "a"}', "no references", id="no references"),
        pytest.param(b'{"references": null}', "no references", id="references are null"),
        pytest.param(b'{"references": 7}', "unreadable references", id="a number"),
        pytest.param(b'{"references": [["a"]]}', "unreadable references", id="nested lists"),
        pytest.param(b'{"references": "a", "question": 1}', "question", id="question"),
    ],
)  # fmt: skip
def test_a_line_that_cannot_be_judged_says_why(line: bytes, reason: str) -> None:
    with pytest.raises(BrokenLineError, match=reason):
        RowReader(CitedAnswer).read(parse_line(line))


def test_a_hundred_levels_are_read() -> None:
    line = b'{"references": "a", "x": ' + b"[" * 99 + b"]" * 99 + b"}"
    assert RowReader(CitedAnswer).read(parse_line(line)).data["references"] == "a"


def test_a_missing_answer_key_is_the_rows_problem() -> None:
    with pytest.raises(BrokenLineError, match="output"):
        RowReader(CitedAnswer, Keys(answer="output")).read(parse_line(json.dumps(row()).encode()))


def test_a_clean_row_keeps_its_other_keys_in_their_order() -> None:
    data = {"id": 1, **row(), "note": [1, None]}
    found = RowReader(CitedAnswer).read(parse_line(json.dumps(data).encode()))
    cleaned = found.cleaned({"answer": "A", "citations": []})
    assert list(cleaned) == ["id", "references", "answer", "citations", "note"]
    assert cleaned == {**data, "answer": "A", "citations": []}


def test_a_clean_row_holds_no_unchecked_copy_of_a_field() -> None:
    line = json.dumps({"references": [REFERENCE], "Quote": "raw", "id": 1}).encode()
    cleaned = RowReader(models.Renamed).read(parse_line(line)).cleaned({"quote": "verbatim"})
    assert cleaned == {"references": [REFERENCE], "id": 1, "quote": "verbatim"}


@given(st.binary(max_size=200))
def test_any_bytes_are_a_row_or_a_broken_line(line: bytes) -> None:
    try:
        RowReader(CitedAnswer).read(parse_line(line))
    except BrokenLineError as error:
        assert str(error)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["answer", "citations", "id", "question", "x"]), JSON), JSON)
def test_any_object_is_a_row_or_a_broken_line(data: dict[str, Any], references: Any) -> None:
    line = json.dumps({**data, "references": references}).encode()
    found = read_line(Line(1, line), RowReader(CitedAnswer).read)
    given_row = found.row if isinstance(found, BrokenLineError) else found.data
    assert given_row == {**data, "references": references}
