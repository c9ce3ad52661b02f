"""JSON values as references: their lines, their places, and input of any shape."""

import copy
import datetime as dt
import json
import pickle
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtypes import Reference, References, Span, find_quote
from groundtypes.errors import ReferencesError

ORDERS: dict[str, Any] = {
    "customer": {"name": "Ann Lee", "vip": True},
    "currency": "EUR",
    "orders": [
        {"id": "A17", "status": "shipped", "total": 41.5, "weights_kg": [1.5, 2]},
        {"id": "A18", "status": "open", "total": None},
    ],
}


def values(reference: Reference) -> dict[str, str]:
    """Return the values of a reference by their places."""
    assert reference.structure is not None
    return {
        cell.place: reference.text[cell.start : cell.end]
        for row in reference.structure.rows
        for cell in row.cells
    }


def test_each_object_is_a_line_with_the_key_before_each_value() -> None:
    assert Reference.of_json("orders", ORDERS).text.splitlines() == [
        "customer.name: Ann Lee | customer.vip: true | currency: EUR",
        "orders[0] | id: A17 | status: shipped | total: 41.5 | weights_kg: 1.5, 2",
        "orders[1] | id: A18 | status: open | total: null",
    ]


def test_each_value_has_its_path() -> None:
    assert values(Reference.of_json("orders", ORDERS)) == {
        "customer.name": "Ann Lee",
        "customer.vip": "true",
        "currency": "EUR",
        "orders[0].id": "A17",
        "orders[0].status": "shipped",
        "orders[0].total": "41.5",
        "orders[0].weights_kg[0]": "1.5",
        "orders[0].weights_kg[1]": "2",
        "orders[1].id": "A18",
        "orders[1].status": "open",
        "orders[1].total": "null",
    }


def test_a_text_is_read_as_json_with_its_numbers_as_they_are_written() -> None:
    text = '{"a": 3.50, "b": 1e3, "a": 12345678901234567890}'
    reference = Reference.of_json("x", text)
    assert reference.text == "a: 3.50 | b: 1e3 | a: 12345678901234567890\n"


def test_a_list_of_values_and_a_single_value_have_places() -> None:
    assert values(Reference.of_json("x", ["red", None])) == {"[0]": "red", "[1]": "null"}
    assert values(Reference.of_json("x", '"red"')) == {"$": "red"}
    assert values(Reference.of_json("x", {})) == {"$": "{}"}
    assert values(Reference.of_json("x", {"a": [], "b": {}, "c": ""})) == {
        "a": "[]",
        "b": "{}",
        "c": '""',
    }


@pytest.mark.parametrize(
    ("key", "place"),
    [
        ("total", "total"),
        ("a.b", '["a.b"]'),
        ("c[0]", '["c[0]"]'),
        ("", '[""]'),
        ('say "x"', '["say \\"x\\""]'),
        ("größe", "größe"),
    ],
)
def test_a_key_that_is_no_name_is_quoted_in_the_path(key: str, place: str) -> None:
    assert values(Reference.of_json("x", {key: 1})) == {place: "1"}


def test_lists_of_one_length_are_columns_of_one_table() -> None:
    hourly = {"hourly": {"time": ["10:00", "11:00"], "temp": [17.5, 18]}}
    assert Reference.of_json("x", hourly).text.splitlines() == [
        "hourly[0] | time: 10:00 | temp: 17.5",
        "hourly[1] | time: 11:00 | temp: 18",
    ]
    assert values(Reference.of_json("x", hourly))["hourly.temp[1]"] == "18"


def test_rows_of_lists_have_the_names_of_their_columns() -> None:
    reference = Reference.of_json(
        "x", {"columns": ["city", "n"], "rows": [["Ulm", 1], ["Bonn", 2]]}
    )
    assert "rows[1] | city: Bonn | n: 2" in reference.text.splitlines()


def test_objects_of_one_shape_are_lines_of_their_own() -> None:
    cities = {"Ulm": {"area": 118, "people": 126}, "Bonn": {"area": 141, "people": 331}}
    assert Reference.of_json("x", cities).text.splitlines() == [
        "Ulm | area: 118 | people: 126",
        "Bonn | area: 141 | people: 331",
    ]


def test_a_span_has_the_place_of_its_value_or_of_its_object() -> None:
    references = References.of([Reference.of_json("orders", ORDERS)])
    assert find_quote("41.5", references).span.place == "orders[0].total"  # type: ignore[union-attr]
    match = find_quote("status: shipped | total: 41.5", references)
    assert match is not None
    assert match.span.place == "orders[0]"
    assert repr(match.span).endswith("place='orders[0]')")
    assert references["orders"].span(0, len(references["orders"].text)).place is None


def test_places_survive_pickles_and_copies_and_do_not_count_in_comparisons() -> None:
    references = References.of([Reference.of_json("orders", ORDERS), "prose"])
    for same in (pickle.loads(pickle.dumps(references)), copy.deepcopy(references)):  # noqa: S301 # its own
        assert same == references
        assert same["orders"].structure == references["orders"].structure
        assert find_quote("A18", same).span.place == "orders[1].id"  # type: ignore[union-attr]
    span = Span("a", 0, 1, None, "x.y")
    assert pickle.loads(pickle.dumps(span)).place == "x.y"  # noqa: S301 # its own
    assert span == Span("a", 0, 1)
    assert references != References.of({"orders": references["orders"].text, "1": "prose"})


def test_equal_json_values_share_what_was_computed() -> None:
    first = References.of([Reference.of_json("orders", ORDERS)])
    again = References.of([Reference.of_json("orders", json.loads(json.dumps(ORDERS)))])
    assert first is again


def test_values_of_other_types_are_written_as_json_writes_them() -> None:
    value = {"day": dt.date(2024, 5, 3), "price": Decimal("3.50"), "nan": float("nan"), 1: False}
    assert (
        Reference.of_json("x", value).text
        == "day: 2024-05-03 | price: 3.50 | nan: NaN | 1: false\n"
    )


_cycle: list[Any] = []
_cycle.append(_cycle)
UNREADABLE: dict[str, Any] = {
    "no JSON": "{a: 1}",
    "two values": "1 2",
    "nested too deep": "[" * 10_000 + "]" * 10_000,
    "nested too deep, but not for Python": "[" * 200 + "]" * 200,
    "a cycle": _cycle,
    "bytes": b"{}",
    "an object": {"a": object()},
    "a set": {"a": {1, 2}},
    "an integer that Python does not write": {"a": 10**5_000},
    "a key that is a list": {("a",): 1},
}


@pytest.mark.parametrize("value", UNREADABLE.values(), ids=UNREADABLE)
def test_what_is_no_json_is_a_mistake_in_a_short_message(value: Any) -> None:
    with pytest.raises(ReferencesError) as caught:
        Reference.of_json("x", value)
    assert len(str(caught.value)) < 200


def test_more_values_than_a_reference_may_have_are_a_mistake() -> None:
    with pytest.raises(ReferencesError, match="1,000,000 values"):
        Reference.of_json("x", "[" + "1," * 1_000_000 + "1]")


def test_long_keys_do_not_multiply() -> None:
    key = "k" * 100_000
    reference = Reference.of_json("x", {key: {str(number): {"a": 1} for number in range(50)}})
    assert len(reference.text) < 50 * 300


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=30,
)


@given(_json)
def test_every_text_and_number_is_a_value_with_a_place(value: Any) -> None:
    reference = Reference.of_json("x", [value])
    assert reference.structure is not None

    def leaves(part: Any) -> list[str]:
        if isinstance(part, dict):
            return [leaf for item in part.values() for leaf in leaves(item)] or ["{}"]
        if isinstance(part, list):
            return [leaf for item in part for leaf in leaves(item)] or ["[]"]
        if isinstance(part, str):
            return [part or '""']
        return [json.dumps(part)]

    cells = [cell for row in reference.structure.rows for cell in row.cells]
    assert sorted(reference.text[cell.start : cell.end] for cell in cells) == sorted(leaves(value))
    assert all(cell.place for cell in cells)
    for row in reference.structure.rows:
        assert row.cells
        for cell in row.cells:
            assert row.start <= cell.start <= cell.end <= row.end
            if cell.start < cell.end:
                assert reference.structure.place_at(cell.start, cell.end) == cell.place


MAKERS: list[Callable[[Any, str], Reference]] = [
    Reference.of_json,
    Reference.of_table,
    Reference,
]


@pytest.mark.parametrize("id_", [None, 1.5, True, b"x", ["x"]], ids=repr)
def test_an_id_that_is_no_text_is_a_mistake(id_: Any) -> None:
    for make in MAKERS:
        with pytest.raises(ReferencesError, match="id of a reference"):
            make(id_, "{}")


def test_an_id_may_be_a_number_as_in_documents() -> None:
    assert [make(7, "{}").id for make in MAKERS] == ["7"] * 3


@pytest.mark.parametrize("text", [None, 5, b"x", {"a": 1}], ids=repr)
def test_a_text_that_is_none_is_a_mistake(text: Any) -> None:
    with pytest.raises(ReferencesError, match="text of reference 'x' is"):
        Reference("x", text)
