"""What a figure is: a stretch of a text, what it may mean, and a figure while it is being read."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

#: Always exact: an `int` and a `Fraction` of the same value are equal and have the same hash.
Number = int | Fraction
#: A number, an identifier, or a date or range as a tuple.
Value = Number | str | tuple[Number | str, ...]


def simplify(value: Number) -> Number:
    """Return the number as an `int` where it is a whole number."""
    return int(value) if value.denominator == 1 else value


class Comparison(StrEnum):
    """How a measured amount compares with the figure."""

    EXACTLY = ""
    MORE = ">"
    AT_LEAST = ">="
    LESS = "<"
    AT_MOST = "<="

    @property
    def upwards(self) -> bool:
        """Whether larger amounts satisfy it."""
        return self in (Comparison.MORE, Comparison.AT_LEAST)


class Reading(NamedTuple):
    """One thing that a figure may mean.

    Attributes:
        kind: What is measured (`length`, `money:EUR`, `percent`, `date`, ...); `number` where that
            is not said, `count` where a noun follows.
        value: The value in the base unit of the kind (metres, seconds, a date as a tuple, an
            identifier as a text), comparable among readings of one kind.
        written: The number as it is written in the text.
        scale: How many base units one written unit has.
        partial: Whether the text says more, such as the "a day" of "5 km a day" or a time zone.
    """

    kind: str
    value: "Value"
    written: Number | None = None
    scale: Number = 1
    partial: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a text, `text[start:end]`, with its comparison ("more than") and its unit.

    Attributes:
        text: The words of the figure, as they are written.
        start: Where it starts, in code points.
        end: Where it ends.
        readings: What it may mean; "1.200" and "03/04/2021" may mean two things each.
        unit: The unit as a symbol ("km", "%", "USD"), or the noun of what is counted.
        comparison: "more than 5" is `>`, "at least 5" is `>=`.
        approximate: Whether it says "about 5" or the like.
        incidental: Whether it is hardly a figure ("one", "an hour"): it may support another figure,
            but needs no support itself.
        step: The place value of the last non-zero digit: 100 for 1,200, 1/10 for 2.5; for a
            fraction, 1 divided by its denominator.
        scale: The factor of its scale word: 1000000 for "3.2 million".
        parts: The ends of a range, or the quantities of "5 ft 10 in".
        parts_stand_alone: Whether each part is also a figure of its own: so are the years of "from
            1990 to 1995", but not the weights of "5-10 kg".
    """

    text: str
    start: int
    end: int
    readings: tuple[Reading, ...]
    unit: str | None = None
    comparison: Comparison = Comparison.EXACTLY
    approximate: bool = False
    incidental: bool = False
    step: Number = 1
    scale: Number = 1
    parts: "tuple[Figure, ...]" = ()
    parts_stand_alone: bool = False

    @property
    def kind(self) -> str:
        """What it most probably is: `number`, `count`, `percent`, `length`, `date`, `range`, ..."""
        return self.readings[0].kind.partition(":")[0]

    @property
    def values(self) -> "tuple[Value, ...]":
        """The values that it may have, each once: numbers as written, dates, identifiers."""
        values = (
            reading.value if reading.written is None else reading.written
            for reading in self.readings
            if not reading.kind.startswith("timestamp")
        )
        return tuple(dict.fromkeys(values))


class Unit(NamedTuple):
    """A unit; only those of one kind are compared. `offset` is added to a value in base units."""

    kind: str
    symbol: str
    factor: Number = 1
    offset: Number = 0
    without_rate: "Unit | None" = None


def date(*parts: int | str) -> Reading:
    """Return the reading of a date."""
    return Reading("date", parts)


@dataclass(slots=True)
class RawFigure:
    """A figure that is still being read, until its neighbours are known."""

    start: int
    end: int
    values: tuple[Number, ...] = ()
    scale: Number = 1
    units: tuple[Unit, ...] = ()
    other_readings: tuple[Reading, ...] = ()
    step: Number = 1
    noun: str | None = None
    incidental: bool = False
    #: Whether a bare number of four digits is a year; `None` if that is not known.
    is_year: bool | None = None
    #: Whether something falls by it, or is lost, so that it may be written with a minus.
    falls: bool = False
    is_unit_shared: bool = False
    bounds: "tuple[Reading, Reading] | None" = None
    parts: "list[RawFigure]" = field(default_factory=list)

    @property
    def is_bare(self) -> bool:
        """Whether it is a number without scale, unit and noun."""
        return self.is_unitless and self.scale == 1

    @property
    def is_unitless(self) -> bool:
        """Whether it is a number without unit and noun, perhaps with a scale."""
        return bool(self.values) and not self.units and self.noun is None

    @property
    def may_be_year(self) -> bool:
        """Whether one of its readings is a date."""
        return any(reading.kind == "date" for reading in self.readings())

    def readings(self) -> tuple[Reading, ...]:
        """Return what it may mean."""
        readings: list[Reading] = []
        for value in self.values:
            written = value if self.scale == 1 else simplify(value * self.scale)
            for unit in self.units:
                in_base_unit = simplify(written * unit.factor + unit.offset)
                readings.append(Reading(unit.kind, in_base_unit, written, unit.factor))
                if rest := unit.without_rate:
                    without_rate = simplify(written * rest.factor)
                    readings.append(Reading(rest.kind, without_rate, written, rest.factor, True))
            if not self.units and self.is_year is not True:
                readings.append(Reading("count" if self.noun else "number", written, written))
            if not self.units and self.is_year is not False and self._may_be_year(value):
                readings.append(date("year", int(value)))
        return tuple(dict.fromkeys((*readings, *self.other_readings)))

    def to_figure(
        self,
        text: str,
        start: int | None = None,
        end: int | None = None,
        comparison: Comparison = Comparison.EXACTLY,
        *,
        approximate: bool = False,
    ) -> Figure:
        """Return it as a `Figure`; `start` and `end` are those with its modifiers."""
        start = self.start if start is None else start
        end = self.end if end is None else end
        readings = self.readings()
        if comparison is not Comparison.EXACTLY and self.is_year is None:
            # "more than 2000" is not a year.
            readings = tuple(item for item in readings if item.kind != "date") or readings
        if self.falls and comparison is Comparison.EXACTLY:
            readings += tuple(_negatives(readings))
        is_one_number = self.scale != 1 or bool(self.units)
        parts = tuple(
            part.to_figure(text)
            for part in self.parts
            if not is_one_number or part.units or not part.is_bare
        )
        if self.bounds is not None:
            parts = tuple(Figure(text[start:end], start, end, (bound,)) for bound in self.bounds)
        return Figure(
            text[start:end],
            start,
            end,
            readings,
            self.units[0].symbol if self.units else self.noun,
            comparison,
            approximate,
            self.incidental,
            self.step if self.scale == 1 else self.step * self.scale,
            self.scale,
            parts,
            parts_stand_alone=bool(parts) and not self.units,
        )

    def _may_be_year(self, value: Number) -> bool:
        return (
            self.scale == 1
            and value.denominator == 1
            and self.end - self.start == 4
            and (1000 <= value < 2200)
        )


def _negatives(readings: Iterable[Reading]) -> Iterator[Reading]:
    for reading in readings:
        value, written = reading.value, reading.written
        if isinstance(value, str | tuple) or reading.kind == "ordinal":
            continue
        if written is not None and written > 0:
            moved = value - 2 * written * reading.scale  # without the offset of °C
            yield reading._replace(value=simplify(moved), written=-written)


def pair(first: RawFigure, second: RawFigure, sign: str = "/") -> RawFigure:
    """Return "120/80" as one figure, whose numbers are also figures of their own.

    The unit of the second number is that of both.
    """
    values = tuple(int(figure.values[0]) for figure in (first, second))
    whole = RawFigure(first.start, second.end, other_readings=(Reading("ratio", (sign, *values)),))
    if sign == "of":
        share = simplify(Fraction(*values))
        whole.other_readings += (Reading("number", share, share),)
    first.units, first.noun = second.units, second.noun if sign != "/" else None
    whole.parts = [first, second]
    return whole
