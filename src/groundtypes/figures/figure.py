"""What a figure is: a stretch of a text, and what it may mean."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

__all__ = ["Comparison", "Figure", "Number", "Reading", "Value", "whole"]

#: Exact always: an `int` and a `Fraction` of one value are equal and have one hash.
Number = int | Fraction
#: A number, an identifier, or a date or range as a tuple.
Value = Number | str | tuple[Number | str, ...]


def whole(value: Number) -> Number:
    """Return the number as an `int` where it is one."""
    return int(value) if value.denominator == 1 else value


class Comparison(StrEnum):
    """How the thing that is measured stands to the figure."""

    EXACTLY = ""
    MORE = ">"
    AT_LEAST = ">="
    LESS = "<"
    AT_MOST = "<="

    @property
    def upwards(self) -> bool:
        """Whether what is larger satisfies it."""
        return self in (Comparison.MORE, Comparison.AT_LEAST)


class Reading(NamedTuple):
    """One thing that a figure may mean.

    `kind` is what is measured (`length`, `money:EUR`, `percent`, `date`, ...), `number` where that
    is not said, `count` where a noun follows. `value` is in the base unit of the kind (metres,
    seconds, a date as a tuple, an identifier as a text) and comparable among readings of one kind.
    `written` is the number as it stands in the text, and `scale` how many base units a written one
    has.
    """

    kind: str
    value: "Value"
    written: Number | None = None
    scale: Number = 1


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a text: `text[start:end]`, with its comparison ("more than") and its unit.

    Attributes:
        text: The words of the figure, as they stand there.
        start: Where it starts, in code points.
        end: Where it ends.
        readings: What it may mean; "1.200" and "03/04/2021" may mean two things each.
        unit: The unit as a symbol ("km", "%", "USD"), or the noun of what is counted.
        comparison: "more than 5" is `>`, "at least 5" is `>=`.
        approximate: "about 5".
        slight: Hardly a figure ("one", "an hour"): it supports others and needs no support.
        step: The value of the last digit that is not zero: 100 for 1,200, 0.1 for 2.5.
        parts: The ends of a range, the parts of "5 ft 10 in".
        loose: Whether the parts also hold on their own: "from 1990 to 1995", not "5-10 kg".
    """

    text: str
    start: int
    end: int
    readings: tuple[Reading, ...]
    unit: str | None = None
    comparison: Comparison = Comparison.EXACTLY
    approximate: bool = False
    slight: bool = False
    step: Number = 1
    parts: "tuple[Figure, ...]" = ()
    loose: bool = False

    @property
    def kind(self) -> str:
        """What it most probably is: `number`, `count`, `percent`, `length`, `date`, `range`, ..."""
        return self.readings[0].kind.partition(":")[0]

    @property
    def values(self) -> "tuple[Value, ...]":
        """The values that it may have, each once: numbers as written, dates, identifiers."""
        found = (item.value if item.written is None else item.written for item in self.readings)
        return tuple(dict.fromkeys(found))
