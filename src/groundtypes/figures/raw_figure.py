"""A raw figure: one number, date or identifier while the text is read, without its neighbours.

What it is part of (a range, a compound quantity) and words such as "about" before it are added by
`compounds`, `ranges` and `reader`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from groundtypes.figures.dates import date
from groundtypes.figures.figure import Comparison, Figure, Number, Reading, simplify
from groundtypes.figures.measure import Unit


@dataclass(slots=True)
class RawFigure:
    """A figure that is still being read; it becomes a `Figure` when its neighbours are known.

    Attributes:
        start: Where it starts in the text.
        end: Where it ends.
        values: What its number may be, without scale and unit.
        scale: The factor of a word such as "million".
        units: What its unit may be.
        other_readings: Readings that need no unit: dates, ordinals, identifiers.
        step: The place value of the last non-zero digit, without the scale; see `Figure`.
        noun: The noun that it counts.
        incidental: Whether it is hardly a figure, such as "one".
        is_year: Whether a bare number of four digits is a year; `None` if that is not known.
        falls: Whether something falls by it, or is lost, so that it may be written with a minus.
        is_unit_shared: Whether its unit is written at another number of its list.
        bounds: The first and last date of a range in one notation.
        parts: The quantities or numbers of which it consists.
    """

    start: int
    end: int
    values: tuple[Number, ...] = ()
    scale: Number = 1
    units: tuple[Unit, ...] = ()
    other_readings: tuple[Reading, ...] = ()
    step: Number = 1
    noun: str | None = None
    incidental: bool = False
    is_year: bool | None = None
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
        if not self.values:
            return self.other_readings
        readings: list[Reading] = []
        for value in self.values:
            written = value if self.scale == 1 else simplify(value * self.scale)
            for unit in self.units:
                in_base_unit = written
                if unit.factor != 1 or unit.offset:
                    in_base_unit = simplify(written * unit.factor + unit.offset)
                readings.append(Reading(unit.kind, in_base_unit, written, unit.factor))
                if rest := unit.without_rate:
                    without_rate = simplify(written * rest.factor)
                    readings.append(Reading(rest.kind, without_rate, written, rest.factor, True))
            if not self.units and self.is_year is not True:
                readings.append(Reading("count" if self.noun else "number", written, written))
            if not self.units and self.is_year is not False and self._may_be_year(value):
                readings.append(date("year", int(value)))
        readings.extend(self.other_readings)
        return tuple(readings) if len(readings) == 1 else tuple(dict.fromkeys(readings))

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
    """Yield the readings of amounts with a minus."""
    for reading in readings:
        value, written = reading.value, reading.written
        if written is not None and isinstance(value, int | Fraction) and reading.kind != "ordinal":
            yield reading._replace(value=-value, written=-written)


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
