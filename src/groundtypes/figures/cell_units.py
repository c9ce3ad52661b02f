"""Units that headers and keys name for their values: "Revenue (EUR million)", "weight_kg"."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from groundtypes.figures.reader import find_figures
from groundtypes.structured.names import is_identifier, plain_words
from groundtypes.structured.structure import Row

__all__ = ["name_without_unit", "unit_of_name", "units_of_row"]

#: A value that may take a unit: digits without letters.
_BARE: Final = re.compile(r"(?=.*\d)[^A-Za-z%$€£¥°]{1,60}")
_BRACKETS: Final = re.compile(r"[(\[]([^()\[\]]{1,40})[)\]]")
_AFTER_COMMA: Final = re.compile(r"(?:,|\bin|\bper)\s+([^,]{1,40})\Z")
_WORD: Final = re.compile(r"[^\s_]+")
#: Words for scales, and the multiples of currencies that are written as one word, as in "msek".
_SCALES: Final = {
    "k": "thousand", "tsd": "thousand", "thousand": "thousand", "thousands": "thousand",
    "'000": "thousand", "000": "thousand", "000s": "thousand", "'000s": "thousand",
    "m": "million", "mn": "million", "mio": "million", "mln": "million", "mm": "million",
    "million": "million", "millions": "million", "bn": "billion", "mrd": "billion",
    "b": "billion", "billion": "billion", "billions": "billion", "trillion": "trillion",
}  # fmt: skip
#: Scales that are units where no currency stands beside them.
_AMBIGUOUS_SCALES: Final = frozenset(("k", "m", "mm", "b", "000"))
_SIGNS: Final = {"€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "us$": "USD"}
#: The last words of keys that are units; other words there are nouns.
_KEY_UNITS: Final = {
    "kg": "kg", "g": "g", "mg": "mg", "ug": "µg", "lb": "lb", "lbs": "lb", "oz": "oz",
    "tonnes": "tonnes", "t": "t", "km": "km", "m": "m", "cm": "cm", "mm": "mm", "um": "µm",
    "nm": "nm", "mi": "mi", "miles": "miles", "ft": "ft", "inch": "inches", "inches": "inches",
    "metres": "m", "meters": "m", "km2": "km²", "m2": "m²", "sqm": "m²", "sqkm": "km²", "ha": "ha",
    "m3": "m³", "l": "l", "ml": "ml", "liters": "l", "litres": "l", "s": "s", "sec": "s",
    "secs": "s", "seconds": "seconds", "ms": "ms", "millis": "ms", "milliseconds": "ms",
    "us": "µs", "ns": "ns", "minutes": "minutes", "mins": "minutes", "h": "h", "hr": "h",
    "hrs": "h", "hours": "hours", "days": "days", "weeks": "weeks", "months": "months",
    "years": "years", "yrs": "years", "pct": "%", "percent": "%", "percentage": "%",
    "pp": "percentage points", "bps": "basis points", "deg": "degrees", "degrees": "degrees",
    "celsius": "°C", "fahrenheit": "°F", "kelvin": "K", "kmh": "km/h", "kph": "km/h",
    "mph": "mph", "mps": "m/s", "knots": "knots", "kt": "knots", "hpa": "hPa", "bar": "bar",
    "psi": "psi", "kpa": "kPa", "w": "W", "kw": "kW", "mw": "MW", "kwh": "kWh", "mwh": "MWh",
    "wh": "Wh", "v": "V", "mah": "mAh", "hz": "Hz", "khz": "kHz", "mhz": "MHz", "ghz": "GHz",
    "b": "B", "bytes": "bytes", "kb": "kB", "mb": "MB", "gb": "GB", "tb": "TB", "kib": "KiB",
    "mib": "MiB", "gib": "GiB", "mbps": "Mbit/s", "gbps": "Gbit/s", "kcal": "kcal", "kj": "kJ",
    "cal": "kcal", "calories": "kcal", "db": "dB", "rpm": "rpm", "bpm": "bpm", "arcsec": "arcsec",
    "arcmin": "arcmin", "mmhg": "mmHg", "ppm": "ppm", "cents": "cents",
}  # fmt: skip
#: "temp_c" is in degrees; "mg_l" is a rate. A number after such a word counts.
_TEMPERATURES: Final = frozenset("temp temperature temps dewpoint feels feelslike low high".split())
_RATES: Final = frozenset(
    "mg_l mg_dl g_l g_dl ug_l ng_ml mmol_l umol_l km_h m_s mi_h kwh_day l_min mg_kg g_kg g_cm3 "
    "kg_m3 ml_min mb_s gb_s kb_s".split()
)
#: After these words a unit is what something is counted by: "hab_km2".
_COUNTED: Final = frozenset("hab inh pop people persons residents cfu per".split())
#: "price_min" is the lowest price, not minutes.
_LASTING: Final = frozenset("duration time delay wait length runtime eta travel elapsed".split())
_SPOKEN: Final = {"working days": "working days", "pp": "percentage points", "fte": ""}


def units_of_row(text: str, row: Row) -> list[str]:
    """Return the unit of each value of a row, as it is written behind a number, or `""`.

    A header or key with a unit decides, then a value such as "EUR" in a field "currency" beside it,
    then the name of the row, then the header of the row names.
    """
    label = ""
    if len(row.cells) > 1 and row.cells[0].name != row.cells[1].name:
        first = row.cells[0]
        label = _bracketed(text[first.start : first.end][:200]) or _whole(first.name)
    units: list[str] = []
    for number, cell in enumerate(row.cells):
        value = text[cell.start : min(cell.end, cell.start + 80)]
        if not _BARE.fullmatch(value) or is_identifier(cell.name):
            units.append("")
            continue
        named = unit_of_name(cell.name)
        if not named and cell.unit:
            named = _read(cell.unit)
        units.append(named or (label if number else ""))
    return units


@lru_cache(maxsize=4096)
def unit_of_name(name: str) -> str:
    """Return the unit that a key or header names, as it is written behind a number, or `""`."""
    return _bracketed(name) or _after_comma(name) or _of_key(name)


def _bracketed(name: str) -> str:
    for match in reversed(_BRACKETS.findall(name)):
        if unit := _read(match):
            return unit
        if "," in match and (unit := _read(match.partition(",")[0])):
            return unit
    return ""


def _after_comma(name: str) -> str:
    match = _AFTER_COMMA.search(name.strip())
    if match is None or name[match.start()] not in ",i":
        return ""
    return _read(match[1])


@lru_cache(maxsize=4096)
def _whole(name: str) -> str:
    """Return the unit that the header of row names is, such as "EUR million" or "%"."""
    unit = _read(name) if name and len(name) <= 30 else ""  # a header
    words = unit.split()
    return unit if unit == "%" or any(word in _SCALES or _currency(word) for word in words) else ""


def _of_key(name: str) -> str:
    """Return the unit at the end of a key such as `weight_kg`, or of a key around it."""
    for part in reversed(name.split(".")):
        words = re.sub(r"\[\d+\]", "", plain_words(part)).lower().split()
        if unit := next(_candidates(words), ""):
            return unit
    return ""


def _candidates(words: list[str]) -> Iterator[str]:
    if not words:
        return
    last = words[-1]
    before = words[-2] if len(words) > 1 else ""
    if f"{before}_{last}" in _RATES:
        yield f"{before}/{last}"
    if before in _COUNTED and last in _KEY_UNITS:
        return
    if last in _SCALES and last not in _AMBIGUOUS_SCALES:
        yield _read(f"{before} {last}") or _SCALES[last]
    if last in ("c", "f") and _TEMPERATURES.intersection(words):
        yield f"°{last.upper()}"
    if last == "min" and _LASTING.intersection(words):
        yield "minutes"
    if len(words) > 1 or len(last) > 1:
        if last in _KEY_UNITS:
            yield _KEY_UNITS[last]
        elif currency := _currency(last):
            yield currency
        elif last[:1] in _SCALES and (currency := _currency(last[1:])):
            yield f"{_SCALES[last[:1]]} {currency}"
    if before in ("pct", "percent", "percentage") or words[0] in ("pct", "percent", "percentage"):
        yield "%"


@lru_cache(maxsize=1024)
def _read(unit: str) -> str:
    """Return a unit as it is written behind a number, or `""` if it is none."""
    unit = unit.strip().removeprefix("in ").strip()
    if unit.lower() in _SPOKEN:
        return _SPOKEN[unit.lower()]
    words = _WORD.findall(unit)
    currency = next((known for word in words if (known := _currency(word))), "")
    scale = next(
        (
            _SCALES[word.lower()]
            for word in words
            if word.lower() in _SCALES and (currency or word.lower() not in _AMBIGUOUS_SCALES)
        ),
        "",
    )
    if len(words) <= 2 and (currency or scale):  # a scale and a currency
        rest = len(words) - bool(currency) - bool(scale)
        if rest == 0:
            return f"{scale} {currency}".strip()
    figures = find_figures(f"1 {unit}")
    if len(figures) == 1 and figures[0].end == len(unit) + 2 and figures[0].kind != "count":
        return unit
    return ""


@lru_cache(maxsize=1024)
def _currency(word: str) -> str:
    """Return the code of a currency that a word or sign is, or `""`."""
    if word.lower() in _SIGNS:
        return _SIGNS[word.lower()]
    code = word.upper()
    if len(code) != 3 or not code.isascii() or not code.isalpha():  # ISO 4217
        return ""
    figures = find_figures(f"1 {code}")
    is_money = bool(figures) and any("money" in reading.kind for reading in figures[0].readings)
    return code if is_money else ""


@lru_cache(maxsize=4096)
def name_without_unit(name: str) -> str:
    """Return a key or header in plain words, without the unit that `unit_of_name` reads from it."""
    if _bracketed(name):
        return plain_words(" ".join(_BRACKETS.sub(" ", name).split())) or plain_words(name)
    if _after_comma(name) and (match := _AFTER_COMMA.search(name.strip())):
        return plain_words(name[: match.start()].strip()) or plain_words(name)
    parts = [plain_words(part).split() for part in name.split(".")]
    for number in reversed(range(len(parts))):
        if next(_candidates([word.lower() for word in parts[number]]), ""):
            parts[number] = _without_unit_words(parts[number])
            break
    return " ".join(word for words in parts for word in words)


def _without_unit_words(words: list[str]) -> list[str]:
    lower = [word.lower() for word in words]
    pair = "_".join(lower[-2:])
    is_pair = pair in _RATES or (
        len(lower) > 1 and lower[-1] in _SCALES and bool(_currency(lower[-2]))
    )
    if lower[0] in ("pct", "percent", "percentage"):
        return words
    return words[: -2 if is_pair else -1] or words
