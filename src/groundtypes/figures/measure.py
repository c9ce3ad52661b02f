"""What a unit measures, and the currencies, by their signs, codes and words."""

from fractions import Fraction
from functools import cache, lru_cache
from typing import Final, NamedTuple

from groundtypes.figures.figure import Number, Unit, simplify
from groundtypes.words import named_words

#: The base quantities of a unit with their powers, in alphabetical order: those of m/s are
#: `(("length", 1), ("time", -1))`.
Dimension = tuple[tuple[str, int], ...]


class Measure(NamedTuple):
    """One meaning of a unit: `value * factor + offset` is the value in base units."""

    dimension: Dimension
    symbol: str
    factor: Number | str = 1
    offset: Number = 0


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
    rest = without_rate and unit_of(without_rate, without_rate.symbol)
    factor = simplify(Fraction(measure.factor))
    return Unit(kind_of(measure.dimension), symbol, factor, measure.offset, rest)


@lru_cache(maxsize=4096)
def units_of(measures: tuple[Measure, ...]) -> tuple[Unit, ...]:
    """Return the units that the meanings of one name are."""
    return tuple(dict.fromkeys(unit_of(measure, measure.symbol) for measure in measures))


#: Codes of ISO 4217 that are no other words or abbreviations.
CODES: Final = tuple(
    (
        "USD EUR GBP JPY CNY CHF INR CAD AUD NZD HKD SGD SEK NOK DKK RUB BRL MXN KRW TRY ZAR PLN "
        "CZK HUF ILS THB IDR MYR PHP VND NGN KES PKR AED SAR UAH RON BGN ISK TWD ARS CLP COP EGP "
        "QAR KWD BHD OMR JOD TND DZD KZT UZS AZN BYN RSD LKR BDT NPR GHS ETB UGX TZS UYU PYG RMB "
        "DEM FRF ITL"
    ).split()
)


@cache
def currency_signs() -> dict[str, tuple[str, ...]]:
    """Return the currencies of the signs and codes that may precede an amount, longest first."""
    signs: dict[str, tuple[str, ...]] = {code: (code,) for code in CODES}
    signs |= {sign: tuple(codes.split()) for codes, _, sign in named_words("currency sign")}
    return dict(sorted(signs.items(), key=lambda item: -len(item[0])))


def money(names: tuple[str, ...], symbol: str, factor: str = "1") -> tuple[Measure, ...]:
    """Return what an amount in one of the currencies measures."""
    return tuple(
        Measure(((f"money:{name}", 1),), symbol if len(names) > 1 else name, factor)
        for name in names
    )


@cache
def spaceless_currencies() -> tuple[str, ...]:
    """Return the names in scripts without spaces between words, which any letter may follow."""
    return tuple(name for _, _, name in named_words("spaceless currency"))


@cache
def money_words() -> dict[str, tuple[Measure, ...]]:
    """Return what each word or sign after an amount means."""
    words = {sign: money(codes, sign) for sign, codes in currency_signs().items()}
    for kind, factor in (("currency", "1"), ("spaceless currency", "1"), ("hundredth", "1/100")):
        for codes, _, name in named_words(kind):
            singular = name.removesuffix("s")
            symbol = "cents" if factor != "1" else singular if singular in words else name
            words[name] = money(tuple(codes.split()), symbol, factor)
    for currency, _, country in named_words("country of"):
        code, noun = currency.split()
        for form in (noun, f"{noun}s", noun.capitalize(), f"{noun.capitalize()}s"):
            words[f"{country} {form}"] = words[f"{country} {form}".lower()] = money((code,), form)
    return words
