"""What a unit measures: its dimension, and how many base units it has."""

from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from groundtypes.figures.figure import Number, simplify

#: The base quantities of a unit with their powers, in alphabetical order: those of m/s are
#: `(("length", 1), ("time", -1))`.
Dimension = tuple[tuple[str, int], ...]


class Measure(NamedTuple):
    """One meaning of a unit: `value * factor + offset` is the value in base units."""

    dimension: Dimension
    symbol: str
    factor: Number | str = 1
    offset: Number = 0


class Unit(NamedTuple):
    """A unit as figures are compared by it: only those of one kind are compared.

    Attributes:
        kind: What it measures, such as `length` or `mass/length³`.
        symbol: The unit as it is shown.
        factor: How many base units it has.
        offset: What is added to a value in base units; 0 for all but temperatures.
        without_rate: The unit without the "a day" of "5 km a day", which texts may leave out.
    """

    kind: str
    symbol: str
    factor: Number = 1
    offset: Number = 0
    without_rate: "Unit | None" = None


#: What is counted without a unit: the people of "300 people per square kilometre".
COUNT: Final = Measure((("count", 1),), "")
#: The kinds that have a name.
_KINDS: Final[dict[Dimension, str]] = {
    (("time", 1),): "duration",
    (("month", 1),): "months",
    (("length", 2),): "area",
    (("length", 3),): "volume",
    (("length", 1), ("time", -1)): "speed",
    (("data", 1), ("time", -1)): "data rate",
    (("length", 2), ("mass", 1), ("time", -3)): "power",
    (("length", 2), ("mass", 1), ("time", -2)): "energy",
    (("time", -1),): "frequency",
    (("length", -1), ("mass", 1), ("time", -2)): "pressure",
}
_SUPERSCRIPTS: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def kind_of(dimension: Dimension) -> str:
    """Return the kind of a dimension; the money of a price comes first in it."""
    if kind := _KINDS.get(dimension):
        return kind
    above = [_with_power(name, exponent) for name, exponent in dimension if exponent >= 0]
    below = [_with_power(name, -exponent) for name, exponent in dimension if exponent <= 0]
    above.sort(key=lambda name: not name.startswith("money:"))
    return "·".join(above or ["1"]) + "".join(f"/{name}" for name in below)


def _with_power(name: str, exponent: int) -> str:
    return name if exponent in (0, 1) else name + str(exponent).translate(_SUPERSCRIPTS)


def power(measure: Measure, exponent: int) -> Measure:
    """Return a measure to a power."""
    if exponent == 1:
        return measure
    dimension = tuple((name, count * exponent) for name, count in measure.dimension)
    factor = Fraction(measure.factor) ** exponent
    symbol = f"{measure.symbol}{str(exponent).translate(_SUPERSCRIPTS).replace('-', '⁻')}"
    return Measure(dimension, symbol, simplify(factor))


def product(first: Measure, second: Measure) -> Measure:
    """Return the product of two measures."""
    powers = dict(first.dimension)
    for name, count in second.dimension:
        powers[name] = powers.get(name, 0) + count
    # A power of 0 stays: 5 mg/kg are not 5 ml/l.
    dimension = tuple(sorted(powers.items()))
    factor = simplify(Fraction(first.factor) * Fraction(second.factor))
    return Measure(dimension, f"{first.symbol}·{second.symbol}", factor)


def unit_of(measure: Measure, symbol: str, without_rate: Measure | None = None) -> Unit:
    """Return a measure as a unit with its symbol."""
    rest = None
    if without_rate is not None:
        rest = unit_of(without_rate, without_rate.symbol)
    return Unit(
        kind_of(measure.dimension),
        symbol,
        simplify(Fraction(measure.factor)),
        measure.offset,
        rest,
    )


@lru_cache(maxsize=4096)
def units_of(measures: tuple[Measure, ...]) -> tuple[Unit, ...]:
    """Return the units that the meanings of one name are."""
    return tuple(dict.fromkeys(unit_of(measure, measure.symbol) for measure in measures))
