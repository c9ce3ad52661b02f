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
    rest = None
    if without_rate is not None:
        rest = unit_of(without_rate, without_rate.symbol)
    return Unit(
        kind_of(measure.dimension), symbol, simplify(Fraction(measure.factor)), measure.offset, rest
    )


@lru_cache(maxsize=4096)
def units_of(measures: tuple[Measure, ...]) -> tuple[Unit, ...]:
    """Return the units that the meanings of one name are."""
    return tuple(dict.fromkeys(unit_of(measure, measure.symbol) for measure in measures))


#: Without a country, "dollar" may be any of these.
_DOLLARS: Final = ("USD", "CAD", "AUD", "NZD", "HKD", "SGD")
#: Sign or word -> the currencies that it may mean.
CURRENCIES: Final[dict[str, tuple[str, ...]]] = {
    "$": _DOLLARS, "US$": ("USD",), "A$": ("AUD",), "AU$": ("AUD",), "C$": ("CAD",),
    "CA$": ("CAD",), "NZ$": ("NZD",), "HK$": ("HKD",), "S$": ("SGD",), "R$": ("BRL",),
    "€": ("EUR",), "£": ("GBP",), "¥": ("JPY", "CNY"), "₹": ("INR",), "₩": ("KRW",),
    "₽": ("RUB",), "₺": ("TRY",), "₪": ("ILS",), "₫": ("VND",), "₱": ("PHP",), "₦": ("NGN",),
    "Rs": ("INR", "PKR"), "Rs.": ("INR", "PKR"), "dollar": _DOLLARS, "US dollar": ("USD",),
    "U.S. dollar": ("USD",), "American dollar": ("USD",), "Canadian dollar": ("CAD",),
    "Australian dollar": ("AUD",), "buck": _DOLLARS, "euro": ("EUR",), "pound": ("GBP",),
    "quid": ("GBP",), "pound sterling": ("GBP",), "yen": ("JPY",), "yuan": ("CNY",),
    "renminbi": ("CNY",), "RMB": ("CNY",), "rupee": ("INR", "PKR"), "franc": ("CHF", "FRF"),
    "rouble": ("RUB",),
    "ruble": ("RUB",), "peso": ("MXN", "ARS", "PHP"), "won": ("KRW",), "krona": ("SEK",),
    "kronor": ("SEK",), "krone": ("NOK", "DKK"), "real": ("BRL",), "mark": ("DEM",),
    "shilling": ("GBP", "KES"), "guinea": ("GBP",), "TL": ("TRY",),
}  # fmt: skip
#: Codes of ISO 4217 that are no other words or abbreviations.
CODES: Final = tuple(
    (
        "USD EUR GBP JPY CNY CHF INR CAD AUD NZD HKD SGD SEK NOK DKK RUB BRL MXN KRW TRY ZAR PLN "
        "CZK HUF ILS THB IDR MYR PHP VND NGN KES PKR AED SAR UAH RON BGN ISK TWD ARS CLP COP EGP "
        "QAR KWD BHD OMR JOD TND DZD KZT UZS AZN BYN RSD LKR BDT NPR GHS ETB UGX TZS UYU PYG RMB "
        "DEM FRF ITL"
    ).split()
)
CURRENCIES.update({code: (code,) for code in CODES if code != "RMB"})
#: Signs and codes that may precede an amount, the longest first.
SIGNS: Final = tuple(
    sorted((name for name in CURRENCIES if not name.islower()), key=len, reverse=True)
)

#: Words with other meanings: only their plural is a unit.
_PLURAL_ONLY: Final = frozenset(("real", "mark", "guinea"))
#: Hundredths: their names, and what they are hundredths of.
_HUNDREDTHS: Final = (
    (("euro cents", "euro cent", "eurocents", "eurocent"), ("EUR",)),
    (("cents", "cent", "¢", "ct"), (*_DOLLARS, "EUR")), (("pence", "pennies", "penny"), ("GBP",)),
)  # fmt: skip


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
    words: dict[str, tuple[Measure, ...]] = {}
    for name, currencies in CURRENCIES.items():
        meanings = money(currencies, name)
        is_word = name.islower() or " " in name
        if name == "won" or name not in _PLURAL_ONLY:
            words[name] = meanings
        if is_word:
            words[f"{name}s"] = meanings
    del words["won"]
    for kind in ("currency", "spaceless currency"):
        for codes, _, name in named_words(kind):
            words[name] = money(tuple(codes.split()), name)
    for currency, _, country in named_words("country of"):
        code, noun = currency.split()
        for form in (noun, f"{noun}s", noun.capitalize(), f"{noun.capitalize()}s"):
            words[f"{country} {form}"] = words[f"{country} {form}".lower()] = money((code,), form)
    for names, currencies in _HUNDREDTHS:
        words |= dict.fromkeys(names, money(currencies, names[0], "1/100"))
    return words
