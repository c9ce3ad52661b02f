"""The figures of some texts, ready to be asked whether a figure stands there.

Each different figure is kept once, with the first place where it stands, so that the size of an
index grows with what is said and not with how often.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

from groundtypes.figures.dates import coarser
from groundtypes.figures.figure import Comparison, Figure, Number, Reading
from groundtypes.figures.reader import iterate_figures

__all__ = ["FigureIndex", "Place"]

#: "about": so much off is close enough, by the number of digits written up to the last that is
#: not zero. Whoever writes more digits means them, and only rounds.
_CLOSE: Final = {1: Fraction(5, 100), 2: Fraction(5, 100), 3: Fraction(2, 100)}
#: A rounding to the digits written may be so much off.
_ROUNDED: Final = Fraction(10, 100)
#: "about 1990" and "about 3 o'clock": years and seconds.
_YEARS_OFF: Final = 5
_SECONDS_OFF: Final = 900
#: "more than 100" is no way to say 5,000: beyond this factor a figure means something else.
_FAR: Final = 5
_LOW: Final = "low"
_HIGH: Final = "high"
#: What lasts or stretches, as kinds and as nouns.
_STRETCHES: Final = frozenset(("duration", "months", "length", "area"))
_COURSES: Final = frozenset(
    "season game match round leg term generation session quarter series night lap episode volume "
    "tour inning semester stage".split()
)
#: Bare numbers; those that may be years satisfy no "more than".
_BARE: Final = ("number", "maybe year")


class Place(NamedTuple):
    """Where a figure stands: the number of the text, and a half-open span in it."""

    text: int
    start: int
    end: int


class FigureIndex:
    """The figures of some texts.

    A table holds the values of one form (a kind of unit, `number`, `count`, `written` for numbers
    that have a unit, `date`, ...) under one bound: a `Comparison`, or an end of a range.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        """Read the texts once."""
        self._tables: dict[tuple[str, str], dict[Any, Place]] = {}
        self._ordered: dict[tuple[str, str], list[Number]] = {}
        #: "a day" supports "24 hours", and is nobody's nearest figure.
        self._slight: set[Place] = set()
        for number, text in enumerate(texts):
            for figure in iterate_figures(text):
                self._add(figure, Place(number, figure.start, figure.end))

    def find(self, figure: Figure) -> Place | None:
        """Return where the figure is supported, or `None`."""
        if figure.comparison is not Comparison.EXACTLY:
            place = self._compared(figure)
            if place is not None or not _in_course(figure):
                return place
        for form, value in _wanted(figure):
            if place := self._look(form, "", value):
                return place
        if figure.approximate and (place := self._close(figure)):
            return place
        return self._in_parts(figure)

    def nearest(self, figure: Figure, count: int = 3) -> list[Place]:
        """Return the figures that are most like one: of its kind first, then the nearest."""
        found: dict[Place, None] = {}
        for forms in _alike(figure):
            ranked: list[tuple[Any, Place]] = []
            for form in forms:
                for bound in ("", *Comparison, _LOW, _HIGH):
                    ranked.extend(self._near(form, bound, figure, count))
            for _, place in sorted(ranked):
                if place in self._slight:
                    continue
                if len(found) < count and not any(_overlap(place, other) for other in found):
                    found[place] = None
        return list(found)

    def _add(self, figure: Figure, place: Place) -> None:
        if figure.slight:
            self._slight.add(place)
        bounds = (figure.comparison.value, "") if _in_course(figure) else (figure.comparison.value,)
        for reading in figure.readings:
            for form, value in _filed(reading, figure):
                for bound in bounds:
                    self._tables.setdefault((form, bound), {}).setdefault(value, place)
        if figure.kind == "range" and len(figure.parts) == 2:
            for end, part in zip((_LOW, _HIGH), figure.parts, strict=True):
                for reading in part.readings:
                    for form, value in _filed(reading, part):
                        self._tables.setdefault((form, end), {}).setdefault(value, place)
        if figure.loose:
            for part in figure.parts:
                self._add(part, Place(place.text, part.start, part.end))

    def _look(self, form: str, bound: str, value: object) -> Place | None:
        table = self._tables.get((form, bound))
        return table.get(value) if table else None

    def _compared(self, figure: Figure) -> Place | None:
        """Return what carries the same comparison, or satisfies it."""
        comparison = figure.comparison
        strict = comparison in (Comparison.MORE, Comparison.LESS)
        up = comparison.upwards
        tighter = Comparison.MORE if up else Comparison.LESS
        wider = Comparison.AT_LEAST if up else Comparison.AT_MOST
        same = (tighter,) if strict else (tighter, wider, "", _LOW if up else _HIGH)
        for form, value in _wanted(figure):
            for bound in same:
                if place := self._look(form, bound, value):
                    return place
        end = _LOW if up else _HIGH
        for form, value in _measured(figure):
            for bound in ("", end):
                if place := self._beyond(form, bound, value, up=up):
                    return place
        return None

    def _beyond(self, form: str, bound: str, value: Number, *, up: bool) -> Place | None:
        """Return the next larger or smaller figure, if it is not far away."""
        ordered = self._values(form, bound)
        at = bisect_right(ordered, value) if up else bisect_left(ordered, value) - 1
        if not 0 <= at < len(ordered):
            return None
        near = ordered[at]
        far = value > 0 and (near > value * _FAR if up else near * _FAR < value)
        return None if far else self._tables[form, bound][near]

    def _close(self, figure: Figure) -> Place | None:
        """Return a figure that is about as large."""
        for reading in figure.readings:
            if reading.kind == "date" and isinstance(reading.value, tuple):
                level, year = reading.value[0], int(reading.value[1])
                if level == "year":
                    for off in range(1, _YEARS_OFF + 1):
                        for near in (year - off, year + off):
                            if place := self._look("date", "", ("year", near)):
                                return place
                continue
            slack = _slack(figure, reading)
            if slack is None or isinstance(reading.value, str | tuple):
                continue
            for form, value in _forms(reading):
                if isinstance(value, int | Fraction):
                    room = slack if form == reading.kind else slack / Fraction(reading.scale)
                    ordered = self._values(form, "")
                    at = bisect_left(ordered, value - room)
                    if at < len(ordered) and ordered[at] <= value + room:
                        return self._tables[form, ""][ordered[at]]
        return None

    def _in_parts(self, figure: Figure) -> Place | None:
        """Return where the first part stands, if each part stands somewhere."""
        if not figure.parts:
            return None
        bounds = ("", _LOW, _HIGH) if figure.kind == "range" else ("",)
        places = [
            next(
                filter(
                    None,
                    (
                        self._look(form, bound, value)
                        for form, value in _wanted(part)
                        for bound in bounds
                    ),
                ),
                None,
            )
            for part in figure.parts
        ]
        return places[0] if all(places) else None

    def _values(self, form: str, bound: str) -> list[Number]:
        key = (form, bound)
        if key not in self._ordered:
            table = self._tables.get(key, {})
            self._ordered[key] = sorted(v for v in table if isinstance(v, int | Fraction))
        return self._ordered[key]

    def _near(
        self, form: str, bound: str, figure: Figure, count: int
    ) -> Iterator[tuple[Any, Place]]:
        table = self._tables.get((form, bound))
        if not table:
            return
        if form in ("date", "identifier", "label", "range", "ratio"):
            wanted = next((r.value for r in figure.readings if r.kind == form), "")
            ranked = sorted(((_unlike(wanted, value), place) for value, place in table.items()))
            yield from ranked[:count]
            return
        for value in _amounts(figure, form):
            ordered = self._values(form, bound)
            at = bisect_left(ordered, value)
            for near in ordered[max(0, at - count) : at + count]:
                yield ((abs(near - value),), table[near])


def _in_course(figure: Figure) -> bool:
    """Whether "over" may mean "in the course of": "over five years", "over 50 km"."""
    if figure.text[:5].lower() != "over ":
        return False
    return figure.unit in _COURSES or any(one.kind in _STRETCHES for one in figure.readings)


def _overlap(one: Place, other: Place) -> bool:
    return one.text == other.text and one.start < other.end and other.start < one.end


def _filed(reading: Reading, figure: Figure) -> Iterator[tuple[str, Any]]:
    """Yield the forms and values under which a reading of a reference is found."""
    kind, value, written, _ = reading
    if kind == "date" and isinstance(value, tuple):
        yield from (("date", one) for one in coarser(value))
    elif kind == "number":
        maybe_year = any(other.kind == "date" for other in figure.readings)
        yield ("maybe year" if maybe_year else "number", value)
    elif kind == "count":
        yield "count", value
        yield f"count:{figure.unit}", value
    else:
        yield kind, value
        if written is not None and kind != "ordinal":
            yield "written", written


def _forms(reading: Reading) -> Iterator[tuple[str, Any]]:
    """Yield the forms and values that support a reading of a statement.

    A bare number supports and is supported by one with any unit: where only one side tells the
    unit, the numbers decide.
    """
    kind, value, written, _ = reading
    if kind == "number":
        yield from ((form, value) for form in (*_BARE, "count", "written", "ordinal"))
        if isinstance(value, Fraction) and value.denominator != 1:
            yield "percent", value
        return
    yield kind, value
    if kind == "label":
        yield "identifier", value
    elif kind == "percent" and isinstance(value, Fraction) and value.denominator != 1:
        yield "number", value
    if written is not None and kind != "range":
        yield from ((form, written) for form in _BARE)


def _wanted(figure: Figure) -> Iterator[tuple[str, Any]]:
    for reading in figure.readings:
        yield from _forms(reading)


def _measured(figure: Figure) -> Iterator[tuple[str, Number]]:
    """Yield the forms and values in which a larger or smaller figure satisfies a comparison."""
    for kind, value, written, _ in figure.readings:
        if isinstance(value, str | tuple) or written is None:
            continue
        if kind == "number":
            yield "number", value
            yield "count", value
        elif kind == "count":
            yield f"count:{figure.unit}", value
            yield "number", value
        else:
            yield kind, value


def _slack(figure: Figure, reading: Reading) -> Fraction | None:
    """Return how far off "about" may be, in base units."""
    if reading.kind == "time":
        return Fraction(_SECONDS_OFF)
    if reading.written is None:
        return None
    size = abs(Fraction(reading.written))
    rounded = min(Fraction(figure.step) / 2, size * _ROUNDED)
    digits = len(str(int(size / figure.step))) if figure.step else 1
    close = size * _CLOSE.get(digits, Fraction(0))
    return max(close, rounded) * Fraction(reading.scale)


def _alike(figure: Figure) -> Iterator[tuple[str, ...]]:
    """Yield the forms in which nearest figures are looked for: of the same kind first."""
    kinds = tuple(dict.fromkeys(reading.kind for reading in figure.readings))
    if figure.kind == "range":
        kinds = (*kinds, *(reading.kind for part in figure.parts for reading in part.readings))
    if "count" in kinds:
        yield (f"count:{figure.unit}",)
    yield tuple("maybe year" if kind == "number" else kind for kind in kinds) + kinds
    if "date" not in kinds or "number" in kinds:
        yield ("number", "maybe year", "count", "written")


def _amounts(figure: Figure, form: str) -> Iterable[Number]:
    """Return the numbers of a figure that are near or far in a form."""
    parts = figure.parts if figure.kind == "range" else (figure,)
    found: dict[Number, None] = {}
    for part in parts:
        for reading in part.readings:
            same = reading.kind == form
            amount = reading.value if same else reading.written
            if isinstance(amount, int | Fraction):
                found[amount] = None
    return found


def _unlike(wanted: Any, value: Any) -> tuple[int, ...]:
    """Return how different two dates or identifiers are."""
    if isinstance(wanted, tuple) and isinstance(value, tuple):
        levels = {"day": 0, "month": 1, "year": 2, "yearless": 0, "decade": 3, "century": 4}
        one, two = levels.get(str(wanted[0]), 0), levels.get(str(value[0]), 0)
        gaps = [abs(int(a) - int(b)) for a, b in zip(wanted[1:], value[1:], strict=False)
                if isinstance(a, int) and isinstance(b, int)]  # fmt: skip
        return (
            int(wanted[0] != value[0] and "yearless" in (wanted[0], value[0])),
            abs(one - two),
            *gaps,
        )
    first, second = str(wanted), str(value)
    same = 0
    while first[same : same + 1] and first[same : same + 1] == second[same : same + 1]:
        same += 1
    return (-same, abs(len(first) - len(second)))
