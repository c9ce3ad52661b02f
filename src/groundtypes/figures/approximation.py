"""Figures that are about as large as another, or about the same year."""

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from groundtypes.figures.figure import Figure, Number, Reading
from groundtypes.figures.forms import BARE_FORMS, forms
from groundtypes.figures.tables import FigureLocation, FigureTables

__all__ = ["find_approximate", "tolerance_of"]

#: By how large a share "about" may be off, by the number of significant digits. A number with
#: more digits allows only rounding.
_TOLERANCES: Final = {1: Fraction(5, 100), 2: Fraction(5, 100), 3: Fraction(2, 100)}
#: By how large a share a rounding to the significant digits may be off.
_ROUNDING_TOLERANCE: Final = Fraction(10, 100)
#: How far off "about 1990" may be in years, and "about 3 o'clock" in seconds.
_YEARS_TOLERANCE: Final = 5
_SECONDS_TOLERANCE: Final = 900


def find_approximate(tables: FigureTables, figure: Figure) -> FigureLocation | None:
    """Return a figure that is about as large, or a year that is about the same."""
    may_be_year = any(reading.kind == "date" for reading in figure.readings)
    for reading in figure.readings:
        if reading.kind == "date" and isinstance(reading.value, tuple):
            found = _near_date(tables, reading.value)
        else:
            found = _near_number(tables, figure, reading, may_be_year=may_be_year)
        if found is not None:
            return found
    return None


def _near_date(tables: FigureTables, date: Sequence[object]) -> FigureLocation | None:
    """Return a year that is about the same; other dates have none."""
    if date[0] != "year":
        return None
    year = int(str(date[1]))
    years = (near for off in range(1, _YEARS_TOLERANCE + 1) for near in (year - off, year + off))
    locations = (tables.look_up("date", "", ("year", near)) for near in years)
    return next((location for location in locations if location is not None), None)


def _near_number(
    tables: FigureTables, figure: Figure, reading: Reading, *, may_be_year: bool
) -> FigureLocation | None:
    """Return a number in any of a reading's forms that is about as large."""
    tolerance = tolerance_of(figure, reading)
    if tolerance is None or isinstance(reading.value, str | tuple):
        return None
    for form, value in forms(reading):
        if form == "maybe year" and may_be_year:
            continue  # "around 2000" is not "about 1975"
        if isinstance(value, int | Fraction):
            # In base units, as the value is: 30 % is also 0.3, and 5 km the bare number 5.
            is_base = value == reading.value
            in_form = tolerance if is_base else tolerance / Fraction(reading.scale)
            is_share = is_base and reading.kind == "percent" and form in BARE_FORMS
            found = _within(tables, form, value - in_form, value + in_form, is_share=is_share)
            if found is not None:
                return tables.table(form, "")[found]
    return None


def _within(
    tables: FigureTables, form: str, low: Number, high: Number, *, is_share: bool
) -> Number | None:
    """Return the first number of a table from `low` to `high`, of shares the first fraction."""
    ordered = tables.values(form, "")
    for at in range(bisect_left(ordered, low), len(ordered)):
        if ordered[at] > high:
            return None
        if not is_share or ordered[at].denominator != 1:  # 1 is no 99.9 %
            return ordered[at]
    return None


def tolerance_of(figure: Figure, reading: Reading) -> Fraction | None:
    """Return how far off "about" may be, in base units; `None` for what has no size."""
    if reading.kind.startswith("time"):
        return Fraction(_SECONDS_TOLERANCE)
    if reading.written is None:
        return None
    size = abs(Fraction(reading.written))
    rounding = min(Fraction(figure.step) / 2, size * _ROUNDING_TOLERANCE)
    digits = len(str(int(size / figure.step))) if figure.step else 1
    relative = size * _TOLERANCES.get(digits, Fraction(0))
    return max(relative, rounding) * Fraction(reading.scale)
