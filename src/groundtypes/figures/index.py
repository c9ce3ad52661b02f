"""The index of all figures of some texts, which says whether a figure is supported there.

Each different figure is held once, with its first location, so that the size of an index grows with
the number of different figures and not with their occurrences.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

from rapidfuzz.distance import Prefix

from groundtypes.figures.cell_figures import figures_of_structure, figures_of_text
from groundtypes.figures.figure import Comparison, Figure, Number, Reading
from groundtypes.figures.forms import (
    BARE_FORMS,
    comparable_forms,
    forms,
    indexed_forms,
    supporting_forms,
)
from groundtypes.figures.range_index import RangeIndex, RangeWords
from groundtypes.spans import Structures

__all__ = ["FigureIndex", "FigureLocation"]

#: By how large a share "about" may be off, by the number of significant digits. A number with
#: more digits allows only rounding.
_TOLERANCES: Final = {1: Fraction(5, 100), 2: Fraction(5, 100), 3: Fraction(2, 100)}
#: By how large a share a rounding to the significant digits may be off.
_ROUNDING_TOLERANCE: Final = Fraction(10, 100)
#: How far off "about 1990" may be in years, and "about 3 o'clock" in seconds.
_YEARS_TOLERANCE: Final = 5
_SECONDS_TOLERANCE: Final = 900
#: "more than 100" is not supported by 5,000: beyond this factor a figure means something else.
_LARGEST_FACTOR: Final = 5
#: The table keys for the ends of ranges.
_LOW: Final = "low"
_HIGH: Final = "high"
#: Kinds and nouns of what lasts or extends, before which "over" may mean "in the course of".
_EXTENDED_KINDS: Final = frozenset(("duration", "months", "length", "area"))
_EXTENDED_NOUNS: Final = frozenset(
    "season game match round leg term generation session quarter series night lap episode volume "
    "tour inning semester stage".split()
)
#: The levels of dates, from exact to vague.
_LEVELS: Final = {"day": 0, "month": 1, "year": 2, "yearless": 0, "decade": 3, "century": 4}


class FigureLocation(NamedTuple):
    """The number of the text that has a figure, and the half-open span in it."""

    text: int
    start: int
    end: int


class FigureIndex:
    """The figures of some texts.

    There is one table for each pair of a *form* and a *bound*. The form is the kind of a reading,
    such as `number`, `count`, `length` or `date`, or `written` for the bare number of a quantity;
    the bound is a `Comparison`, or an end of a range.
    """

    def __init__(self, texts: Sequence[str], structures: Structures = ()) -> None:
        """Index the figures of the texts; of JSON values and tables with the units of headers."""
        self._tables: dict[tuple[str, str], dict[Any, FigureLocation]] = {}
        self._ordered: dict[tuple[str, str], list[Number]] = {}
        #: "a day" supports "24 hours", but is not worth showing as the nearest figure.
        self._incidental: set[FigureLocation] = set()
        self._ranges: RangeIndex[FigureLocation] = RangeIndex()
        #: Where the ends of ranges and the numbers of rates are that are figures of their own.
        self._range_ends: set[FigureLocation] = set()
        for number, text in enumerate(texts):
            structure = structures[number] if structures else None
            if structure is None:
                located = figures_of_text(text)
            else:
                located = figures_of_structure(text, structure)
            words = RangeWords(text)
            for figure, start, end in located:
                location = FigureLocation(number, start, end)
                self._add(figure, location)
                if first := words.first_end(figure, start, end):
                    self._add_range(first, figure, location)

    def find(self, figure: Figure) -> FigureLocation | None:
        """Return where the figure is supported, or `None`."""
        if figure.comparison is not Comparison.EXACTLY:
            location = self._find_compared(figure)
            if location is not None or not _may_mean_during(figure):
                return location
        for form, value in supporting_forms(figure):
            if location := self._look_up(form, "", value):
                return location
        if figure.approximate and (location := self._find_approximate(figure)):
            return location
        return self._find_parts(figure)

    def nearest(self, figure: Figure, count: int = 3) -> list[FigureLocation]:
        """Return the figures most like this one: its kind first, each group nearest first."""
        nearest: list[FigureLocation] = []
        for group in _similar_forms(figure):
            ranked: list[tuple[Any, FigureLocation]] = []
            for form in group:
                for bound in ("", *Comparison, _LOW, _HIGH):
                    ranked.extend(self._neighbours(form, bound, figure, count))
            for _, location in sorted(ranked):
                if location in self._incidental:
                    continue
                if len(nearest) < count and not any(_overlap(location, other) for other in nearest):
                    nearest.append(location)
        return nearest

    def _add(self, figure: Figure, location: FigureLocation) -> None:
        if figure.incidental:
            self._incidental.add(location)
        bounds: tuple[str, ...] = (figure.comparison.value,)
        if _may_mean_during(figure):
            bounds = (*bounds, "")
        for reading in figure.readings:
            for form, value in indexed_forms(reading, figure):
                for bound in bounds:
                    table = self._tables.setdefault((form, bound), {})
                    if table.setdefault(value, location) in self._range_ends:
                        table[value] = location
        if figure.kind == "range" and len(figure.parts) == 2:
            self._add_range(figure.parts[0], figure.parts[1], location)
            for end, part in zip((_LOW, _HIGH), figure.parts, strict=True):
                for reading in part.readings:
                    for form, value in indexed_forms(reading, part):
                        self._tables.setdefault((form, end), {}).setdefault(value, location)
        if figure.parts_stand_alone:
            offset = location.start - figure.start  # not 0 in a value of a table
            for part in figure.parts:
                last = min(part.end + offset, location.end)
                first = min(part.start + offset, last)
                end_location = FigureLocation(location.text, first, last)
                self._add(part, end_location)
                if figure.kind == "range" or _is_rate(figure):
                    self._range_ends.add(end_location)

    def _add_range(self, low: Figure, high: Figure, location: FigureLocation) -> None:
        """Add a range by the forms of its ends."""
        first, last = (
            [form for reading in end.readings for form in indexed_forms(reading, end)]
            for end in (low, high)
        )
        self._ranges.add(first, last, location)

    def _look_up(self, form: str, bound: str, value: object) -> FigureLocation | None:
        table = self._tables.get((form, bound))
        return table.get(value) if table else None

    def _find_compared(self, figure: Figure) -> FigureLocation | None:
        """Return a figure with the same comparison, or one that satisfies it."""
        comparison = figure.comparison
        is_strict = comparison in (Comparison.MORE, Comparison.LESS)
        up = comparison.upwards
        tighter = Comparison.MORE if up else Comparison.LESS
        looser = Comparison.AT_LEAST if up else Comparison.AT_MOST
        same = (tighter,) if is_strict else (tighter, looser, "", _LOW if up else _HIGH)
        for form, value in supporting_forms(figure):
            for bound in same:
                if location := self._look_up(form, bound, value):
                    return location
        end = _LOW if up else _HIGH
        for form, value in comparable_forms(figure):
            for bound in ("", end):
                if location := self._find_beyond(form, bound, value, up=up):
                    return location
        return None

    def _find_beyond(
        self, form: str, bound: str, value: Number, *, up: bool
    ) -> FigureLocation | None:
        """Return the next larger or smaller figure, if it is not far away."""
        ordered = self._values(form, bound)
        at = bisect_right(ordered, value) if up else bisect_left(ordered, value) - 1
        if not 0 <= at < len(ordered):
            return None
        near = ordered[at]
        is_far = value > 0 and (
            near > value * _LARGEST_FACTOR if up else near * _LARGEST_FACTOR < value
        )
        return None if is_far else self._tables[form, bound][near]

    def _find_approximate(self, figure: Figure) -> FigureLocation | None:
        """Return a figure that is about as large, or a year that is about the same."""
        may_be_year = any(reading.kind == "date" for reading in figure.readings)
        for reading in figure.readings:
            if reading.kind == "date" and isinstance(reading.value, tuple):
                level, year = reading.value[0], int(reading.value[1])
                if level == "year":
                    for off in range(1, _YEARS_TOLERANCE + 1):
                        for near in (year - off, year + off):
                            if location := self._look_up("date", "", ("year", near)):
                                return location
                continue
            tolerance = _tolerance(figure, reading)
            if tolerance is None or isinstance(reading.value, str | tuple):
                continue
            for form, value in forms(reading):
                if form == "maybe year" and may_be_year:
                    continue  # "around 2000" is not "about 1975"
                if isinstance(value, int | Fraction):
                    # In base units, as the value is: 30 % is also 0.3, and 5 km the bare number 5.
                    is_base = value == reading.value
                    in_form = tolerance if is_base else tolerance / Fraction(reading.scale)
                    is_share = is_base and reading.kind == "percent" and form in BARE_FORMS
                    found = self._within(form, value - in_form, value + in_form, is_share=is_share)
                    if found is not None:
                        return self._tables[form, ""][found]
        return None

    def _within(self, form: str, low: Number, high: Number, *, is_share: bool) -> Number | None:
        """Return the first number of a table from `low` to `high`, of shares the first fraction."""
        ordered = self._values(form, "")
        for at in range(bisect_left(ordered, low), len(ordered)):
            if ordered[at] > high:
                return None
            if not is_share or ordered[at].denominator != 1:  # 1 is no 99.9 %
                return ordered[at]
        return None

    def _find_parts(self, figure: Figure) -> FigureLocation | None:
        """Return the location of the first part, if every part has one."""
        if not figure.parts:
            return None
        is_rate = _is_rate(figure)
        if figure.kind in ("number", "count") and "/" not in figure.text and not is_rate:
            return None  # a statement does not mean 12 and 345 by "12 345"
        if self._is_reversed(figure):
            return None
        if figure.kind == "range" and len(figure.parts) == 2:
            low, high = (tuple(supporting_forms(part)) for part in figure.parts)
            if location := self._ranges.find(low, high):
                return location
            # "From 3 to 8" is not "from 8 in June to 3 in July".
            if not _states_two_figures(figure) or self._ranges.find(high, low):
                return None
        locations = [self._find_part(part) for part in figure.parts]
        is_whole = is_rate or figure.kind == "range"
        if is_whole and not self._range_ends.isdisjoint(filter(None, locations)):
            return None  # ends of other ranges, numbers of other rates
        return locations[0] if all(locations) else None

    def _is_reversed(self, figure: Figure) -> bool:
        """Whether a score or ratio occurs the other way round, as 1-3 instead of 3-1."""
        ratios = [reading.value for reading in figure.readings if reading.kind == "ratio"]
        return any(
            isinstance(ratio, tuple) and self._look_up("ratio", "", ratio[::-1]) is not None
            for ratio in ratios
        )

    def _find_part(self, part: Figure) -> FigureLocation | None:
        """Return where a part is a figure of its own, if possible not as an end of a range."""
        locations = (self._look_up(form, "", value) for form, value in supporting_forms(part))
        found = [location for location in locations if location is not None]
        alone = (location for location in found if location not in self._range_ends)
        return next(alone, found[0] if found else None)

    def _values(self, form: str, bound: str) -> list[Number]:
        """Return the numbers of one table, ascending."""
        key = (form, bound)
        if key not in self._ordered:
            table = self._tables.get(key, {})
            self._ordered[key] = sorted(
                value for value in table if isinstance(value, int | Fraction)
            )
        return self._ordered[key]

    def _neighbours(
        self, form: str, bound: str, figure: Figure, count: int
    ) -> Iterator[tuple[Any, FigureLocation]]:
        """Yield the nearest figures of one table with their distances."""
        table = self._tables.get((form, bound))
        if not table:
            return
        if form in ("date", "identifier", "label", "range", "ratio"):
            own = next((item.value for item in figure.readings if item.kind == form), "")
            ranked = sorted(
                ((_distance(own, value), location) for value, location in table.items())
            )
            yield from ranked[:count]
            return
        for value in _numbers_in_form(figure, form):
            ordered = self._values(form, bound)
            at = bisect_left(ordered, value)
            for near in ordered[max(0, at - count) : at + count]:
                yield ((abs(near - value),), table[near])


def _states_two_figures(figure: Figure) -> bool:
    """Whether both ends of a range say something of their own: a change, or two dates."""
    return figure.text[:5].lower() == "from " or any(
        reading.kind == "range"
        and isinstance(reading.value, tuple)
        and str(reading.value[0]).partition(":")[0] in ("date", "time")
        for reading in figure.readings
    )


def _is_rate(figure: Figure) -> bool:
    """Whether it is "3 deaths per 1,000", which texts also state as "deaths per 1,000: 3"."""
    return len(figure.parts) == 2 and figure.kind == "number" and " per " in figure.text


def _may_mean_during(figure: Figure) -> bool:
    """Whether it begins with an "over" that may mean "during": "over five years", "over 50 km"."""
    if figure.text[:1] not in ("o", "O") or figure.text[:5].lower() != "over ":
        return False
    return figure.unit in _EXTENDED_NOUNS or any(
        reading.kind in _EXTENDED_KINDS for reading in figure.readings
    )


def _overlap(first: FigureLocation, second: FigureLocation) -> bool:
    return first.text == second.text and first.start < second.end and second.start < first.end


def _tolerance(figure: Figure, reading: Reading) -> Fraction | None:
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


def _similar_forms(figure: Figure) -> Iterator[tuple[str, ...]]:
    """Yield the groups of forms in which the nearest figures are looked for, the best first."""
    kinds = tuple(dict.fromkeys(reading.kind for reading in figure.readings))
    if figure.kind == "range":
        kinds = (*kinds, *(reading.kind for part in figure.parts for reading in part.readings))
    if "count" in kinds:
        yield (f"count:{figure.unit}",)
    yield tuple("maybe year" if kind == "number" else kind for kind in kinds) + kinds
    if "date" not in kinds or "number" in kinds:
        yield ("number", "maybe year", "count", "written")


def _numbers_in_form(figure: Figure, form: str) -> Iterable[Number]:
    """Return the numbers of a figure that are compared with those of a form."""
    parts = figure.parts if figure.kind == "range" else (figure,)
    numbers: dict[Number, None] = {}  # each once, in order
    for part in parts:
        for reading in part.readings:
            number = reading.value if reading.kind == form else reading.written
            if isinstance(number, int | Fraction):
                numbers[number] = None
    return numbers


def _distance(first: Any, second: Any) -> tuple[int, ...]:
    """Return how different two dates or identifiers are; tuples compare the most important first.

    Dates differ in their level, then in year, month and day; identifiers in their common beginning,
    then in their length.
    """
    if isinstance(first, tuple) and isinstance(second, tuple):
        first_level, second_level = (_LEVELS.get(str(date[0]), 0) for date in (first, second))
        return (
            int(first[0] != second[0] and "yearless" in (first[0], second[0])),
            abs(first_level - second_level),
            *(
                abs(int(a) - int(b))
                for a, b in zip(first[1:], second[1:], strict=False)
                if isinstance(a, int) and isinstance(b, int)
            ),
        )
    common = Prefix.similarity(str(first), str(second))
    return (-common, abs(len(str(first)) - len(str(second))))
