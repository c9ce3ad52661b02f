"""Tests of the values that texts state, and of how wanted values differ from them."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import pytest

from groundtypes import References
from groundtypes.figures.figure import Comparison
from groundtypes.figures.readings import (
    Difference,
    TypedValue,
    look_up,
    read_values,
    values_of,
)


def test_a_value_has_its_number_kind_unit_bound_scale_and_place() -> None:
    text = "It costs up to 3.2 million EUR."
    (value,) = read_values(text)
    assert value.value == value.base == 3_200_000
    assert value.scale == 10**6
    assert (value.kind, value.unit, value.bound) == ("money:EUR", "EUR", Comparison.AT_MOST)
    assert text[value.location.start : value.location.end] == value.text == "up to 3.2 million EUR"


def test_a_figure_with_two_readings_has_two_values() -> None:
    assert {value.value for value in read_values("1.200 Stück")} == {1200, Fraction(6, 5)}
    days = {("day", 2021, 4, 3), ("day", 2021, 3, 4)}
    assert {value.value for value in read_values("am 03/04/2021")} == days


def test_a_cell_has_the_unit_of_its_header() -> None:
    table = "| Year | Revenue (EUR million) |\n|---|---|\n| 2021 | 3.2 |"
    values = values_of(References.of(table))
    assert (3_200_000, "money:EUR") in {(value.value, value.kind) for value in values}


@pytest.mark.parametrize(
    ("value", "unit", "text", "difference"),
    [
        (3_200_000, "EUR", "Revenue was 3.2 million EUR.", Difference.NONE),
        (Decimal("3.2"), "million EUR", "Revenue was EUR 3,200,000.", Difference.NONE),
        (3_200_000.0, "€", "Revenue was 3.2 million EUR.", Difference.NONE),
        (5, "km", "a walk of 5,000 m", Difference.NONE),
        (20, "°C", "at 68 °F", Difference.NONE),
        (0.12, None, "a share of 12 %", Difference.NONE),
        (12, "%", "a share of 0.12", Difference.SCALE),
        (-3, "million USD", "net income of -$3 million", Difference.NONE),
        (3_200_000, "EUR", "Revenue was 3,200,000.", Difference.NO_UNIT),
        (5, None, "up to 5 people", Difference.BOUND),
        (5, "kg", "5-10 kg", Difference.RANGE),
        (3.2, "EUR", "Revenue was 3.2 million EUR.", Difference.SCALE),
        (3_200_000, "USD", "Revenue was 3.2 million EUR.", Difference.UNIT),
        (-12, "%", "It grew by 12 %.", Difference.SIGN),
        (4, None, "There were 7 of them.", Difference.VALUE),
        (dt.date(2021, 3, 4), None, "signed on 4 March 2021", Difference.NONE),
        (dt.date(2021, 3, 4), None, "signed on 2021-04-03", Difference.DAY_AND_MONTH),
        (dt.date(2021, 3, 4), None, "signed in March 2021", Difference.LESS_EXACT),
        (dt.date(2021, 3, 4), None, "signed on 5 March 2021", Difference.VALUE),
        (dt.time(14, 5), None, "leaves at 2:05 pm", Difference.NONE),
        (dt.time(14, 5), None, "leaves at 14:50", Difference.VALUE),
        (dt.timedelta(days=14), None, "within two weeks", Difference.NONE),
        (
            dt.datetime.fromisoformat("2021-03-04T14:05"),
            None,
            "on 4 March 2021 at 2:05 pm",
            Difference.NONE,
        ),
        (
            dt.datetime.fromisoformat("2021-03-04T14:05"),
            None,
            "on 4 March 2021",
            Difference.LESS_EXACT,
        ),
        (
            dt.datetime(2021, 3, 4, 13, 5, tzinfo=dt.UTC),
            None,
            "2021-03-04T14:05:00+01:00",
            Difference.NONE,
        ),
    ],
)
def test_the_first_candidate_says_how_it_differs(
    value: TypedValue, unit: str | None, text: str, difference: Difference
) -> None:
    assert look_up(value, read_values(text), unit=unit)[0].difference is difference


def test_the_nearest_value_of_one_difference_comes_first() -> None:
    found = look_up(48, read_values("There were 7, 51 and 900 of them."))
    assert [candidate.stated.value for candidate in found] == [51, 7, 900]


def test_a_tolerance_is_in_the_unit_of_the_value() -> None:
    stated = read_values("a distance of 5.2 km")
    assert look_up(5, stated, unit="km", within=0.2)[0].difference is Difference.ROUNDED
    assert look_up(5, stated, unit="km", within=0.1)[0].difference is Difference.VALUE


def test_a_unit_that_is_not_known_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="'quux flumps' is no unit"):
        look_up(5, read_values("5"), unit="quux flumps")
