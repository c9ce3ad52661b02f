"""Units: what they measure, and how many base units they have.

Base units are metre, kilogram, second, month (which has no fixed number of days), square metre,
cubic metre, metre per second, kelvin, byte, watt, joule, hertz, volt, pascal, and 1 for percent.
The factors are those of the units' definitions. A name may have several meanings: there are a short
and a long ton.
"""

from fractions import Fraction
from typing import Final, NamedTuple

from groundtypes.figures.figure import Number, simplify

__all__ = ["CURRENCIES", "SIGNS", "UNITS", "Unit"]


class Unit(NamedTuple):
    """One meaning of a unit: `value * factor + offset` is the value in the base unit."""

    kind: str
    symbol: str
    factor: Number = 1
    offset: Number = 0


#: Name or symbol -> what it may mean.
UNITS: dict[str, tuple[Unit, ...]] = {}


def _add(kind: str, symbol: str, factor: Number | str, names: str, offset: Number = 0) -> None:
    """Add a unit under its symbol and its names.

    `names` is separated by commas; `*` means that a name is used with and without a final `s`.
    """
    exact = Fraction(factor) if isinstance(factor, str) else factor
    unit = Unit(kind, symbol, simplify(exact), simplify(Fraction(offset)))
    for name in (symbol, *names.split(",")):
        for form in {name.replace("*", ""), name.replace("*", "s")} - {""}:
            meanings = UNITS.get(form, ())
            UNITS[form] = meanings if unit in meanings else (*meanings, unit)


#: Metric prefix -> its name and its power of ten.
_PREFIXES: Final = {"n": ("nano", "1e-9"), "µ": ("micro", "1e-6"), "m": ("milli", "1e-3"),
    "c": ("centi", "1e-2"), "d": ("deci", "1e-1"), "k": ("kilo", "1e3"), "M": ("mega", "1e6"),
    "G": ("giga", "1e9"), "T": ("tera", "1e12"), "P": ("peta", "1e15")}  # fmt: skip


def _add_metric(
    kind: str, symbol: str, names: str, prefixes: str, factor: Number | str = 1
) -> None:
    """Add a unit and its multiples with metric prefixes; `prefixes` are their letters."""
    base = Fraction(factor)
    _add(kind, symbol, base, names)
    for prefix in prefixes:
        word, power = _PREFIXES[prefix]
        spelled = ",".join(word + name for name in names.split(",") if len(name) > 2)
        _add(kind, prefix + symbol, base * Fraction(power), spelled)


_add_metric("length", "m", "metre*,meter*", "nµmcdk")
_add("length", "km", 1000, "kms,klick*")
_add("length", "cm", "0.01", "cms")
_add("length", "µm", "0.000001", "um,micron*")
_add("length", "ft", "0.3048", "foot,feet")
_add("length", "in", "0.0254", "inch,inches")
_add("length", "yd", "0.9144", "yard*,yds")
_add("length", "mi", "1609.344", "mile*")
_add("length", "nmi", 1852, "nautical mile*")
_add("length", "ly", "9460730472580800", "light-year*,light year*,lightyear*")
_add("length", "AU", "149597870700", "astronomical unit*")
_add_metric("mass", "g", "gram*,gramme*", "nµmkc", "0.001")
_add("mass", "kg", 1, "kgs,kilo*")
_add("mass", "t", 1000, "tonne*,metric ton*,metric tonne*")
for _ton in (1000, "907.18474", "1016.0469088"):
    _add("mass", "ton", _ton, "ton*")
_add("mass", "kt", 1000000, "kilotonne*")
_add("mass", "Mt", 1000000000, "megatonne*")
_add("mass", "lb", "0.45359237", "lbs,pound*")
_add("mass", "oz", "0.028349523125", "ounce*")
_add("mass", "st", "6.35029318", "stone,stones")
_add_metric("duration", "s", "second*,sec,secs", "nµm")
_add("duration", "min", 60, "mins,minute*")
_add("duration", "h", 3600, "hr,hrs,hour*")
_add("duration", "d", 86400, "day*")
_add("duration", "wk", 604800, "wks,week*")
_add("duration", "fortnight", 1209600, "fortnights")
_add("months", "mo", 1, "month*,mos")
_add("months", "yr", 12, "yrs,year*,annum")
_add("months", "decade", 120, "decades")
_add("months", "century", 1200, "centuries")
_add("months", "millennium", 12000, "millennia,millenniums")
for _squared in ("m2", "sq m", "sqm", "sq. m", "square metre*", "square meter*"):
    _add("area", "m²", 1, _squared)
for _symbol, _factor, _names in (
    ("km", 1000, "kilometre kilometer"),
    ("cm", "0.01", "centimetre centimeter"),
    ("mm", "0.001", "millimetre millimeter"),
    ("mi", "1609.344", "mile"),
    ("ft", "0.3048", "foot"),
    ("in", "0.0254", "inch"),
    ("yd", "0.9144", "yard"),
):
    _length = Fraction(_factor)
    _spelled = [f"square {name}*" for name in _names.split()]
    _plural = {"ft": ["square feet"], "in": ["square inches"], "mi": ["sq mile*"]}.get(_symbol, [])
    _short = [f"{_symbol}2", f"sq {_symbol}", f"sq. {_symbol}", *_spelled, *_plural]
    _add("area", f"{_symbol}²", _length**2, ",".join(_short))
    _cubic = [item.replace("square", "cubic") for item in (*_spelled, *_plural)]
    _add("volume", f"{_symbol}³", _length**3, ",".join([f"{_symbol}3", f"cu {_symbol}", *_cubic]))
_add("area", "ha", 10000, "hectare*")
_add("area", "acre", "4046.8564224", "acres")
_add("volume", "m³", 1, "m3,cubic metre*,cubic meter*")
_add_metric("volume", "l", "litre*,liter*", "µmcd", "0.001")
_add_metric("volume", "L", "", "µmcd", "0.001")
for _gallon in ("3.785411784", "4.54609"):
    _litres = Fraction(_gallon) / 1000
    _add("volume", "gal", _litres, "gallon*")
    _add("volume", "pt", _litres / 8, "pint*")
    _add("volume", "qt", _litres / 4, "quart*")
_add("volume", "bbl", "0.158987294928", "")
_add("speed", "m/s", 1, "mps,metre* per second,meter* per second")
_add("speed", "km/h", Fraction(5, 18),
     "kmh,kph,km/hr,km per hour,kilometre* per hour,kilometer* per hour,kilometres an hour,"
     "kilometers an hour")  # fmt: skip
_add("speed", "mph", "0.44704", "mi/h,mile* per hour,mile* an hour")
_add("speed", "kn", Fraction(463, 900), "knot*,kt*")
_add("speed", "ft/s", "0.3048", "feet per second")
_ZERO: Final = Fraction("273.15")
_FAHRENHEIT: Final = Fraction("459.67") * 5 / 9
_CELSIUS_NAMES: Final = "°c,° C,degree* Celsius,degree* C,degree* centigrade,celsius,Celsius"
_FAHRENHEIT_NAMES: Final = "°f,° F,degree* Fahrenheit,degree* F,fahrenheit,Fahrenheit"
_add("temperature", "°C", 1, _CELSIUS_NAMES, _ZERO)
_add("temperature", "°F", Fraction(5, 9), _FAHRENHEIT_NAMES, _FAHRENHEIT)
_add("temperature", "K", 1, "kelvin*")
_add("angle", "°", 1, "degree*")
_add("temperature", "°", 1, "degree*", _ZERO)
_add("temperature", "°", Fraction(5, 9), "degree*", _FAHRENHEIT)
_add("data", "B", 1, "byte*")
for _power, (_prefix, _word) in enumerate(
    (("k", "kilo"), ("M", "mega"), ("G", "giga"), ("T", "tera"), ("P", "peta")), start=1
):
    # A kilobyte is 1,000 bytes or 1,024: writers use both.
    for _base in (1000, 1024):
        _other = "KB," if _prefix == "k" else ""
        _add("data", f"{_prefix}B", _base**_power, f"{_other}{_word}byte*")
    _add("data", f"{_prefix.upper()}iB", 1024**_power, "")
    _add("data", f"{_prefix}bit", Fraction(1000**_power, 8), f"{_word}bit*")
    _add("data rate", f"{_prefix}bit/s", 1000**_power, f"{_prefix}bps,{_prefix}b/s")
_add_metric("power", "W", "watt*", "mkMGT")
_add("power", "hp", "745.69987158227022", "horsepower")
_add_metric("energy", "J", "joule*", "mkMGT")
_add("energy", "Wh", 3600, "watt-hour*")
_add("energy", "kWh", 3600000, "kilowatt-hour*,kilowatt hour*")
_add("energy", "MWh", 3600000000, "megawatt-hour*,megawatt hour*")
_add("energy", "GWh", 3600000000000, "gigawatt-hour*,gigawatt hour*")
_add("energy", "TWh", 3600000000000000, "terawatt-hour*,terawatt hour*")
_add("energy", "cal", "4.184", "calorie*")
_add("energy", "kcal", 4184, "kilocalorie*,calorie*")
_add_metric("frequency", "Hz", "hertz", "kMGT")
_add_metric("voltage", "V", "volt*", "mkM")
_add_metric("pressure", "Pa", "pascal*", "kMG")
_add("pressure", "bar", 100000, "bars")
_add("pressure", "atm", 101325, "atmosphere*")
_add("pressure", "psi", "6894.757293168", "")
_add("sound", "dB", 1, "decibel*")
_add("percent", "%", "0.01",
     "percent,per cent,per-cent,pct,pct.,percentage point*,% points,percentage-point")  # fmt: skip
_add("percent", "‰", "0.001", "per mille,per mil,permille")
_add("percent", "bp", "0.0001", "bps,basis point*")

#: Without a country, "dollar" may be any of these.
_DOLLARS: Final = ("USD", "CAD", "AUD", "NZD", "HKD", "SGD")
#: Sign or word -> the currencies that it may mean.
CURRENCIES: dict[str, tuple[str, ...]] = {
    "$": _DOLLARS, "US$": ("USD",), "A$": ("AUD",), "AU$": ("AUD",), "C$": ("CAD",),
    "CA$": ("CAD",), "NZ$": ("NZD",), "HK$": ("HKD",), "S$": ("SGD",), "R$": ("BRL",),
    "€": ("EUR",), "£": ("GBP",), "¥": ("JPY", "CNY"), "₹": ("INR",), "₩": ("KRW",),
    "₽": ("RUB",), "₺": ("TRY",), "₪": ("ILS",), "₫": ("VND",), "₱": ("PHP",), "₦": ("NGN",),
    "Rs": ("INR", "PKR"), "Rs.": ("INR", "PKR"), "dollar": _DOLLARS, "US dollar": ("USD",),
    "U.S. dollar": ("USD",), "American dollar": ("USD",), "Canadian dollar": ("CAD",),
    "Australian dollar": ("AUD",), "buck": _DOLLARS, "euro": ("EUR",), "pound": ("GBP",),
    "pound sterling": ("GBP",), "yen": ("JPY",), "yuan": ("CNY",), "renminbi": ("CNY",),
    "RMB": ("CNY",), "rupee": ("INR", "PKR"), "franc": ("CHF", "FRF"), "rouble": ("RUB",),
    "ruble": ("RUB",), "peso": ("MXN", "ARS", "PHP"), "won": ("KRW",), "krona": ("SEK",),
    "kronor": ("SEK",), "krone": ("NOK", "DKK"), "real": ("BRL",), "mark": ("DEM",),
    "shilling": ("GBP", "KES"), "guinea": ("GBP",),
}  # fmt: skip
_CODES: Final = (
    "USD EUR GBP JPY CNY CHF INR CAD AUD NZD HKD SGD SEK NOK DKK RUB BRL MXN KRW TRY ZAR PLN CZK "
    "HUF ILS THB IDR MYR PHP VND NGN KES PKR AED SAR"
)
CURRENCIES.update({code: (code,) for code in _CODES.split()})
#: Signs and codes that may precede an amount, the longest first.
SIGNS: Final = tuple(
    sorted((name for name in CURRENCIES if not name.islower()), key=len, reverse=True)
)

for _name, _currencies in CURRENCIES.items():
    if _name in (
        "won",
        "real",
        "mark",
        "guinea",
    ):  # words with other meanings: only their plural is a unit
        _forms = [] if _name == "won" else [_name + "s"]
    else:
        _forms = [_name, _name + "s"] if _name.islower() or " " in _name else [_name]
    for _form in _forms:
        for _currency in _currencies:
            _add(f"money:{_currency}", _name if len(_currencies) > 1 else _currency, 1, _form)
for _cents, _of in (("cent", (*_DOLLARS, "EUR")), ("penny", ("GBP",)), ("¢", _DOLLARS)):
    _plurals = {"cent": "cents", "penny": "pence,pennies", "¢": ""}[_cents]
    for _currency in _of:
        _add(f"money:{_currency}", _cents, "0.01", f"{_plurals}")
# More often than units, these symbols are words or abbreviations of something else.
for _word in ("AU", "d", "ly", "pt", "st"):
    del UNITS[_word]
