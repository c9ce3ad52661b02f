"""What a figure is: a stretch of a text, and what it may mean."""

from dataclasses import dataclass
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
