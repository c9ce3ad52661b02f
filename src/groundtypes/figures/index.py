"""The figures of some texts, by what they can support, and whether they support another figure.

Each different figure is held once, with its first location, so that the size of the tables grows
with the number of different figures and not with their occurrences.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

from groundtypes.figures.cell_figures import LocatedFigure, located_figures
from groundtypes.figures.figure import Comparison, Figure, Number, Reading
from groundtypes.figures.forms import (
    BARE_FORMS,
    comparable_forms,
    forms,
    indexed_forms,
    supporting_forms,
)
from groundtypes.references.spans import Structures

#: The table keys for the ends of ranges.
_LOW: Final = "low"
_HIGH: Final = "high"
#: The keys of all tables of one form.
BOUNDS: Final = ("", *list(Comparison)[1:], _LOW, _HIGH)
#: The bounds and ends of ranges in references that a figure with a comparison does not contradict.
_UPWARDS: Final = (Comparison.MORE, Comparison.AT_LEAST, _LOW)
_DOWNWARDS: Final = (Comparison.LESS, Comparison.AT_MOST, _HIGH)
_COMPATIBLE: Final = {
    Comparison.EXACTLY: (Comparison.AT_LEAST, Comparison.AT_MOST, _LOW, _HIGH),
    Comparison.MORE: _UPWARDS,
    Comparison.AT_LEAST: _UPWARDS,
    Comparison.LESS: _DOWNWARDS,
    Comparison.AT_MOST: _DOWNWARDS,
}
#: "more than 100" is not supported by 5,000: beyond this factor a figure means something else.
_LARGEST_FACTOR: Final = 5
#: Kinds and nouns of what lasts or extends, before which "over" may mean "in the course of".
_EXTENDED_KINDS: Final = frozenset(("duration", "months", "length", "area"))
_EXTENDED_NOUNS: Final = frozenset(
    "season game match round leg term session quarter series night episode tour semester".split()
)
#: By how large a share "about" may be off, by the number of significant digits. A number with
#: more digits allows only rounding.
_TOLERANCES: Final = {1: Fraction(5, 100), 2: Fraction(5, 100), 3: Fraction(2, 100)}
#: By how large a share a rounding to the significant digits may be off.
_ROUNDING_TOLERANCE: Final = Fraction(10, 100)
#: How far off "about 1990" may be in years, and "about 3 o'clock" in seconds.
_YEARS_TOLERANCE: Final = 5
_SECONDS_TOLERANCE: Final = 900
#: What stands before the ends of a range that a text states with more words between them: "from
#: 5 mg in adults to 10 mg in children".
_FIRST_END: Final = re.compile(r"\b(?:(?P<between>between)|from)\s\Z", re.IGNORECASE)
_SECOND_END: Final = re.compile(
    r"\b(?:(?P<between>and)|to|until|till|through|thru)\s\Z", re.IGNORECASE
)
_SENTENCE_END: Final = re.compile(r"[.;!?]\s|\n")
#: The most characters between the ends, and of the words before one.
_LONGEST_GAP: Final = 80
_LONGEST_WORD: Final = 9

_Form = tuple[str, Any]


class FigureLocation(NamedTuple):
    """The number of the text that has a figure, and the half-open span in it."""

    text: int
    start: int
    end: int


class FigureIndex:
    """The figures of some texts, of JSON values and tables with the units of headers.

    There is one table for each pair of a *form* and a *bound*. The form is the kind of a reading,
    such as `number`, `count`, `length` or `date`, or `written` for the bare number of a quantity;
    the bound is a `Comparison`, or an end of a range.

    Attributes:
        incidental: Where figures are that support others, but are not worth showing as the nearest:
            "a day" supports "24 hours".
    """

    def __init__(
        self,
        texts: Sequence[str],
        structures: Structures = (),
        located: Sequence[Sequence[LocatedFigure]] | None = None,
    ) -> None:
        """Index the figures of the texts, which are given if they have been read before."""
        self._tables: dict[tuple[str, str], dict[Any, FigureLocation]] = {}
        self._ordered: dict[tuple[str, str], list[Number]] = {}
        self.incidental: set[FigureLocation] = set()
        #: The ranges by the forms of their ends: the ends of two ranges make no third one.
        self._ranges: dict[tuple[_Form, _Form], FigureLocation] = {}
        #: Where the ends of ranges and the numbers of rates are that are figures of their own.
        self._range_ends: set[FigureLocation] = set()
        if located is None:
            located = located_figures(texts, structures)
        for number, (text, figures) in enumerate(zip(texts, located, strict=True)):
            for figure, start, end in figures:
                self._add(figure, FigureLocation(number, start, end))
            for low, high in _ranges_in_words(text, figures):
                location = FigureLocation(number, high.start, high.end)
                self._add_range(low.figure, high.figure, location)

    def table(self, form: str, bound: str) -> dict[Any, FigureLocation]:
        """Return the locations of one table's values, which is empty if there is none."""
        return self._tables.get((form, bound), {})

    def values(self, form: str, bound: str) -> list[Number]:
        """Return the numbers of one table, ascending."""
        key = (form, bound)
        if key not in self._ordered:
            table = self._tables.get(key, {})
            self._ordered[key] = sorted(
                value for value in table if isinstance(value, int | Fraction)
            )
        return self._ordered[key]

    def find(self, figure: Figure) -> FigureLocation | None:
        """Return where the figure is supported, or `None`."""
        if figure.comparison is not Comparison.EXACTLY:
            location = self._find_compared(figure)
            if location is not None or not _may_mean_during(figure):
                return location
        if location := self._look_up(figure, ("",)):
            return location
        if figure.approximate and (location := self._find_approximate(figure)):
            return location
        return self._find_parts(figure) if figure.parts else None

    def find_bounded(self, figure: Figure, *, is_known: bool) -> FigureLocation | None:
        """Return where the value stands with another bound that does not exclude the figure.

        `is_known` says whether the bound of the figure is: a language whose words for bounds are
        not read may have any.
        """
        bounds = _COMPATIBLE[figure.comparison] if is_known else ("", *_UPWARDS, *_DOWNWARDS)
        return self._look_up(figure, bounds)

    def _look_up(self, figure: Figure, bounds: Iterable[str]) -> FigureLocation | None:
        """Return where any reading of a figure is, with the first of the bounds that has one."""
        for form, value in supporting_forms(figure):
            for bound in bounds:
                if location := self.table(form, bound).get(value):
                    return location
        return None

    def _find_compared(self, figure: Figure) -> FigureLocation | None:
        """Return a figure with the same comparison, or one that satisfies it."""
        comparison = figure.comparison
        up = comparison.upwards
        end = _LOW if up else _HIGH
        tighter = Comparison.MORE if up else Comparison.LESS
        looser = Comparison.AT_LEAST if up else Comparison.AT_MOST
        same = (tighter,) if comparison is tighter else (tighter, looser, "", end)
        if location := self._look_up(figure, same):
            return location
        for form, value in comparable_forms(figure):
            for bound in ("", end):
                if location := self._find_beyond(form, bound, value, up=up):
                    return location
        return None

    def _find_beyond(
        self, form: str, bound: str, value: Number, *, up: bool
    ) -> FigureLocation | None:
        """Return the next larger or smaller figure, if it is not far away."""
        ordered = self.values(form, bound)
        at = bisect_right(ordered, value) if up else bisect_left(ordered, value) - 1
        if not 0 <= at < len(ordered):
            return None
        near = ordered[at]
        larger, smaller = (near, value) if up else (value, near)
        is_far = value > 0 and larger > smaller * _LARGEST_FACTOR
        return None if is_far else self.table(form, bound)[near]

    def _find_approximate(self, figure: Figure) -> FigureLocation | None:
        """Return a figure that is about as large, or a year that is about the same."""
        may_be_year = any(reading.kind == "date" for reading in figure.readings)
        for reading in figure.readings:
            if isinstance(reading.value, tuple):
                found = self._near_year(reading)
            else:
                found = self._near_number(figure, reading, may_be_year=may_be_year)
            if found is not None:
                return found
        return None

    def _near_year(self, reading: Reading) -> FigureLocation | None:
        """Return a year that is about the same; other dates have none."""
        if reading.kind != "date" or reading.value[0] != "year":  # type: ignore[index]
            return None
        year = int(reading.value[1])  # type: ignore[index]
        near = (year + sign * off for off in range(1, _YEARS_TOLERANCE + 1) for sign in (-1, 1))
        locations = (self.table("date", "").get(("year", other)) for other in near)
        return next(filter(None, locations), None)

    def _near_number(
        self, figure: Figure, reading: Reading, *, may_be_year: bool
    ) -> FigureLocation | None:
        """Return a number in any of a reading's forms that is about as large."""
        tolerance = tolerance_of(figure, reading)
        if tolerance is None or isinstance(reading.value, str | tuple):
            return None
        for form, value in forms(reading):
            if (form == "maybe year" and may_be_year) or not isinstance(value, int | Fraction):
                continue  # "around 2000" is not "about 1975"
            # In base units, as the value is: 30 % is also 0.3, and 5 km the bare number 5.
            is_base = value == reading.value
            width = tolerance if is_base else tolerance / Fraction(reading.scale)
            is_share = is_base and reading.kind == "percent" and form in BARE_FORMS
            ordered = self.values(form, "")
            for near in ordered[bisect_left(ordered, value - width) :]:
                if near > value + width:
                    break
                if not is_share or near.denominator != 1:  # 1 is no 99.9 %
                    return self.table(form, "")[near]
        return None

    def _find_parts(self, figure: Figure) -> FigureLocation | None:
        """Return the location of the first part, if every part has one."""
        has_rate = _is_rate(figure)
        is_range = figure.kind == "range"
        if figure.kind in ("number", "count") and "/" not in figure.text and not has_rate:
            return None  # a statement does not mean 12 and 345 by "12 345"
        if any(
            item.kind == "ratio" and item.value[::-1] in self.table("ratio", "")  # type: ignore[index]
            for item in figure.readings
        ):
            return None  # 1-3 instead of 3-1
        if is_range and len(figure.parts) == 2:
            low, high = (tuple(supporting_forms(part)) for part in figure.parts)
            if location := self._find_range(low, high):
                return location
            # "From 3 to 8" is not "from 8 in June to 3 in July".
            if not _states_two_figures(figure) or self._find_range(high, low):
                return None
        locations = [self._find_part(part) for part in figure.parts]
        if (has_rate or is_range) and not self._range_ends.isdisjoint(filter(None, locations)):
            return None  # ends of other ranges, numbers of other rates
        return locations[0] if all(locations) else None

    def _find_range(self, low: Iterable[_Form], high: Sequence[_Form]) -> FigureLocation | None:
        """Return where a range has both ends, or `None`."""
        if not self._ranges:
            return None
        pairs = ((first, last) for first in low for last in high)
        return next(filter(None, map(self._ranges.get, pairs)), None)

    def _find_part(self, part: Figure) -> FigureLocation | None:
        """Return where a part is a figure of its own, if possible not as an end of a range."""
        found = [
            location
            for form, value in supporting_forms(part)
            if (location := self.table(form, "").get(value))
        ]
        alone = (location for location in found if location not in self._range_ends)
        return next(alone, found[0] if found else None)

    def _add(self, figure: Figure, location: FigureLocation) -> None:
        if figure.incidental:
            self.incidental.add(location)
        bounds: tuple[str, ...] = (figure.comparison.value,)
        if _may_mean_during(figure):
            bounds = (*bounds, "")
        for form, value in _all_forms(figure):
            for bound in bounds:
                table = self._tables.setdefault((form, bound), {})
                if table.setdefault(value, location) in self._range_ends:
                    table[value] = location
        if figure.kind == "range" and len(figure.parts) == 2:
            self._add_range(figure.parts[0], figure.parts[1], location)
            for end, part in zip((_LOW, _HIGH), figure.parts, strict=True):
                for form, value in _all_forms(part):
                    self._tables.setdefault((form, end), {}).setdefault(value, location)
        if figure.parts_stand_alone:
            offset = location.start - figure.start  # not 0 in a value of a table
            for part in figure.parts:
                last = min(part.end + offset, location.end)
                place = FigureLocation(location.text, min(part.start + offset, last), last)
                self._add(part, place)
                if figure.kind == "range" or _is_rate(figure):
                    self._range_ends.add(place)

    def _add_range(self, low: Figure, high: Figure, location: FigureLocation) -> None:
        """Add a range by the forms of its ends."""
        ends = list(_all_forms(high))
        for first in _all_forms(low):
            for last in ends:
                self._ranges.setdefault((first, last), location)


def _all_forms(figure: Figure) -> Iterator[_Form]:
    """Yield the forms and values under which a figure of a reference is indexed."""
    for reading in figure.readings:
        yield from indexed_forms(reading, figure)


def _ranges_in_words(
    text: str, figures: Sequence[LocatedFigure]
) -> Iterator[tuple[LocatedFigure, LocatedFigure]]:
    """Yield the ends of ranges between which a text has more words."""
    opened: tuple[LocatedFigure, bool] | None = None
    for located in figures:
        if located.figure.kind == "range":
            continue
        before = text[max(0, located.start - _LONGEST_WORD) : located.start]
        if opened is not None and (match := _SECOND_END.search(before)):
            first, is_between = opened
            gap = text[first.end : located.start]
            is_closed = len(gap) > _LONGEST_GAP or _SENTENCE_END.search(gap)
            if bool(match["between"]) == is_between and not is_closed:
                yield first, located
                opened = None
        if match := _FIRST_END.search(before):
            opened = located, bool(match["between"])


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
    kinds = {reading.kind for reading in figure.readings}
    return figure.unit in _EXTENDED_NOUNS or not kinds.isdisjoint(_EXTENDED_KINDS)


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
