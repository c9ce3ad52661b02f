"""The figures of some texts, by what they can support, and whether they support another figure.

A *form* is the kind of a reading (`number`, `count`, `length`, `date`), or `written` for the bare
number of a quantity. Each different figure is held once, with its first location.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, Final, NamedTuple

from groundtypes.figures.cell_figures import LocatedFigure, located_figures
from groundtypes.figures.dates import coarser
from groundtypes.figures.figure import Comparison, Figure, Number, Reading
from groundtypes.references.spans import Structures
from groundtypes.words import all_words

#: Marks the form of a reading that leaves out what its text says.
_PARTIAL: Final = "~"
#: The forms of bare numbers. Those that may be years satisfy no "more than".
_BARE_FORMS: Final = ("number", "maybe year")
#: The hour of a clock of 24 hours.
_TWO_DIGITS: Final = re.compile(r"(?:[^0-9]*\s)?[0-9]{2}\s?:")
#: The table keys for the ends of ranges, and those of all tables of one form.
_LOW: Final = "low"
_HIGH: Final = "high"
#: The bounds and ends of ranges in references that a figure with a comparison does not contradict.
_UPWARDS: Final = (Comparison.MORE, Comparison.AT_LEAST, _LOW)
_DOWNWARDS: Final = (Comparison.LESS, Comparison.AT_MOST, _HIGH)
#: "more than 100" is not supported by 5,000: beyond this factor a figure means something else.
_LARGEST_FACTOR: Final = 5
#: What lasts or extends, before which "over" may mean "in the course of".
_EXTENDED_KINDS: Final = ("duration", "months", "length", "area")
#: By how large a share "about" may be off, by the number of significant digits. A number with
#: more digits allows only rounding, and that is off by a tenth at the most.
_TOLERANCES: Final = {1: Fraction(5, 100), 2: Fraction(5, 100), 3: Fraction(2, 100)}
_ROUNDING_TOLERANCE: Final = Fraction(10, 100)
#: How far off "about 1990" may be in years, and "about 3 o'clock" in seconds.
_YEARS_TOLERANCE: Final = 5
_SECONDS_TOLERANCE: Final = 900
#: What stands before the ends of a range with words between: "from 5 mg in adults to 10 mg".
_FIRST_END: Final = re.compile(r"\b(?:(?P<between>between)|from)\s\Z", re.IGNORECASE)
_SECOND_END: Final = re.compile(r"(?i)\b(?:(?P<between>and)|to|until|till|through|thru)\s\Z")
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


def _indexed_forms(figure: Figure) -> Iterator[_Form]:
    """Yield the forms and values under which a figure of a reference is indexed."""
    for kind, value, written, _, partial in figure.readings:
        # "14:30:27 UTC" also says "14:30"; but "2:15:30" may as well be a length of time.
        is_time = _TWO_DIGITS.match(figure.text) or not _may_be(figure, "duration")
        if kind.startswith("time") and isinstance(value, int) and value % 60 and is_time:
            yield kind + _PARTIAL, value - value % 60
        if partial:
            yield kind + _PARTIAL, value
        elif kind == "date" and isinstance(value, tuple):
            # "Q3 2023" may be "Q3 of FY2023", but does not say "FY2023".
            calendar = str(value[0]).removeprefix("fiscal ")
            is_doubtful = calendar != value[0] and any(
                isinstance(other.value, tuple) and other.value[0] == calendar
                for other in figure.readings
            )
            yield from (("date", date) for date in ([value] if is_doubtful else coarser(value)))
        elif kind == "number":
            yield "maybe year" if _may_be(figure, "date") else "number", value
        elif kind == "count":
            yield "count", value
            yield f"count:{figure.unit}", value
        elif kind == "cell":
            yield "written", value
        else:
            yield kind, value
            if written is not None and kind != "ordinal":
                yield "written", written


def _may_be(figure: Figure, *kinds: str) -> bool:
    return any(reading.kind in kinds for reading in figure.readings)


def _forms(reading: Reading) -> Iterator[_Form]:
    """Yield the forms and values that support a reading of a statement.

    A bare number supports a number with any unit and is supported by it: where only one side has a
    unit, the numbers decide.
    """
    kind, value, written, _, partial = reading
    if partial:
        yield kind, value
        return
    is_share = isinstance(value, Fraction) and value.denominator != 1
    if kind == "number":
        yield from ((form, value) for form in (*_BARE_FORMS, "count", "written", "ordinal"))
        if is_share:
            yield "percent", value
        return
    yield kind, value
    yield kind + _PARTIAL, value
    if kind == "label":
        yield "identifier", value
    elif kind == "bare cell":
        yield from ((form, value) for form in _BARE_FORMS)
    elif kind == "percent" and is_share:
        yield "number", value
    if written is not None and kind != "range":
        yield from ((form, written) for form in _BARE_FORMS)


def _supporting_forms(figure: Figure) -> Iterator[_Form]:
    """Yield the forms and values that support any reading of a statement's figure."""
    for reading in figure.readings:
        if figure.kind != "ratio" or reading.kind == "ratio":  # "21 of 28" is not stated by 75 %
            yield from _forms(reading)


def _comparable_forms(figure: Figure) -> Iterator[tuple[str, Number]]:
    """Yield the forms and values in which a larger or smaller figure satisfies a comparison."""
    for kind, value, written, *_ in figure.readings:
        if not isinstance(value, str | tuple) and written is not None:
            yield f"count:{figure.unit}" if kind == "count" else kind, value
            if kind in ("number", "count"):
                yield "count" if kind == "number" else "number", value


class FigureIndex:
    """The figures of some texts, of JSON values and tables with the units of headers.

    There is one table for each pair of a form and a bound: a `Comparison`, or an end of a range.
    """

    def __init__(
        self,
        texts: Sequence[str],
        structures: Structures = (),
        located: Sequence[Sequence[LocatedFigure]] | None = None,
    ) -> None:
        """Index the figures, which are `located` if they have been read before."""
        self._tables: dict[tuple[str, str], dict[Any, FigureLocation]] = {}
        self._ordered: dict[tuple[str, str], list[Number]] = {}
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
        """Return the locations of one table's values."""
        return self._tables.get((form, bound), {})

    def values(self, form: str, bound: str) -> list[Number]:
        """Return the numbers of one table, ascending."""
        key = (form, bound)
        if key not in self._ordered:
            numbers = (one for one in self.table(*key) if isinstance(one, int | Fraction))
            self._ordered[key] = sorted(numbers)
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
        """Return where the value stands with another bound that does not exclude the figure."""
        if not is_known:
            return self._look_up(figure, ("", *_UPWARDS, *_DOWNWARDS))
        if figure.comparison is Comparison.EXACTLY:
            return self._look_up(figure, (Comparison.AT_LEAST, Comparison.AT_MOST, _LOW, _HIGH))
        return self._look_up(figure, _UPWARDS if figure.comparison.upwards else _DOWNWARDS)

    def _look_up(self, figure: Figure, bounds: Iterable[str]) -> FigureLocation | None:
        """Return where any reading of a figure is, with the first of the bounds that has one."""
        for form, value in _supporting_forms(figure):
            for bound in bounds:
                if location := self.table(form, bound).get(value):
                    return location
        return None

    def _find_compared(self, figure: Figure) -> FigureLocation | None:
        """Return a figure with the same comparison, or one that satisfies it."""
        up = figure.comparison.upwards
        end = _LOW if up else _HIGH
        tighter = Comparison.MORE if up else Comparison.LESS
        looser = Comparison.AT_LEAST if up else Comparison.AT_MOST
        same = (tighter,) if figure.comparison is tighter else (tighter, looser, "", end)
        if location := self._look_up(figure, same):
            return location
        for form, value in _comparable_forms(figure):
            for bound in ("", end):
                ordered = self.values(form, bound)
                at = bisect_right(ordered, value) if up else bisect_left(ordered, value) - 1
                if 0 <= at < len(ordered):
                    larger, smaller = (ordered[at], value) if up else (value, ordered[at])
                    if value <= 0 or larger <= smaller * _LARGEST_FACTOR:
                        return self.table(form, bound)[ordered[at]]
        return None

    def _find_approximate(self, figure: Figure) -> FigureLocation | None:
        """Return a figure that is about as large, or a year that is about the same."""
        for reading in figure.readings:
            if not isinstance(reading.value, tuple):
                found = self._near_number(figure, reading)
            elif reading.kind == "date" and reading.value[0] == "year":
                found = self._near_year(int(reading.value[1]))
            else:
                continue
            if found is not None:
                return found
        return None

    def _near_year(self, year: int) -> FigureLocation | None:
        offs = (sign * off for off in range(1, _YEARS_TOLERANCE + 1) for sign in (-1, 1))
        locations = (self.table("date", "").get(("year", year + off)) for off in offs)
        return next(filter(None, locations), None)

    def _near_number(self, figure: Figure, reading: Reading) -> FigureLocation | None:
        tolerance = tolerance_of(figure, reading)
        if tolerance is None or isinstance(reading.value, str | tuple):
            return None
        for form, value in _forms(reading):
            if (form == "maybe year" and _may_be(figure, "date")) or isinstance(value, str):
                continue  # "around 2000" is not "about 1975"
            # In base units, as the value is: 30 % is also 0.3, and 5 km the bare number 5.
            is_base = value == reading.value
            width = tolerance if is_base else tolerance / Fraction(reading.scale)
            is_share = is_base and reading.kind == "percent" and form in _BARE_FORMS
            ordered = self.values(form, "")
            for near in ordered[bisect_left(ordered, value - width) :]:
                if near > value + width:
                    break
                if not is_share or near.denominator != 1:  # 1 is no 99.9 %
                    return self.table(form, "")[near]
        return None

    def _find_parts(self, figure: Figure) -> FigureLocation | None:
        """Return the location of the first part, if every part has one."""
        has_rate, is_range = _is_rate(figure), figure.kind == "range"
        if figure.kind in ("number", "count") and "/" not in figure.text and not has_rate:
            return None  # a statement does not mean 12 and 345 by "12 345"
        ratios = self.table("ratio", "")
        if any(one.kind == "ratio" and one.value[::-1] in ratios for one in figure.readings):  # type: ignore[index] # a tuple
            return None  # 1-3 instead of 3-1
        if is_range and len(figure.parts) == 2:
            low, high = (tuple(_supporting_forms(part)) for part in figure.parts)
            found = [
                next(filter(None, map(self._ranges.get, product(*ends))), None)
                for ends in ((low, high), (high, low))
            ]
            # "From 3 to 8" is not "from 8 in June to 3 in July".
            if any(found) or not _states_two_figures(figure):
                return found[0]
        locations = [self._find_part(part) for part in figure.parts]
        if (has_rate or is_range) and not self._range_ends.isdisjoint(filter(None, locations)):
            return None  # ends of other ranges, numbers of other rates
        return locations[0] if all(locations) else None

    def _find_part(self, part: Figure) -> FigureLocation | None:
        """Return where a part is a figure of its own, if possible not as an end of a range."""
        tables = ((self.table(form, ""), value) for form, value in _supporting_forms(part))
        found = [table[value] for table, value in tables if value in table]
        alone = (location for location in found if location not in self._range_ends)
        return next(alone, found[0] if found else None)

    def _add(self, figure: Figure, location: FigureLocation) -> None:
        bounds = (figure.comparison.value, *([""] if _may_mean_during(figure) else []))
        for form, value in _indexed_forms(figure):
            for bound in bounds:
                table = self._tables.setdefault((form, bound), {})
                if table.setdefault(value, location) in self._range_ends:
                    table[value] = location
        if figure.kind == "range" and len(figure.parts) == 2:
            self._add_range(figure.parts[0], figure.parts[1], location)
            for end, part in zip((_LOW, _HIGH), figure.parts, strict=True):
                for form, value in _indexed_forms(part):
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
        ends = list(_indexed_forms(high))
        for first in _indexed_forms(low):
            for last in ends:
                self._ranges.setdefault((first, last), location)


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
        and str(reading.value[0]).startswith(("date", "time"))
        for reading in figure.readings
    )


def _is_rate(figure: Figure) -> bool:
    """Whether it is "3 deaths per 1,000", which texts also state as "deaths per 1,000: 3"."""
    return len(figure.parts) == 2 and figure.kind == "number" and " per " in figure.text


def _may_mean_during(figure: Figure) -> bool:
    """Whether it begins with an "over" that may mean "during": "over five years", "over 50 km"."""
    is_extended = _may_be(figure, *_EXTENDED_KINDS) or figure.unit in all_words("lasts")
    return figure.text[:5].lower() == "over " and is_extended


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
