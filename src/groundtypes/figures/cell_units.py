"""Units that headers and keys name for their values: "Revenue (EUR million)", "weight_kg"."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from groundtypes.figures.scales import scale_named
from groundtypes.figures.stated_units import (
    SCALE_NAMES,
    has_scale_or_currency,
    is_currency,
    read_stated_unit,
)
from groundtypes.references.names import is_identifier, plain_words
from groundtypes.references.structure import Cell, Row

#: A value that may take a unit: digits without letters.
_BARE: Final = re.compile(r"(?=.*\d)[^A-Za-z%$€£¥°]{1,60}")
_BRACKETS: Final = re.compile(r"[(\[（［]([^()\[\]（）［］]{1,60})[)\]）］]")
_AFTER_COMMA: Final = re.compile(
    r"(?:(?P<mark>,)|\b(?P<word>in|en|em|i|w|v|в)\b)\s+(?P<unit>[^,]{1,48})\Z"
)
#: Words of keys that are scales only beside a currency; elsewhere they are units or nouns.
_AMBIGUOUS_SCALES: Final = frozenset("k m mm b t md mil mill mi bi tri bio tis mia".split())
#: Codes of currencies that are also other words of keys: "first_try", "version_php".
_UNCERTAIN_CODES: Final = frozenset("try php cop ron sar clp kes".split())
#: The last words of keys that are units; other words there are nouns.
_KEY_UNITS: Final = {
    **{
        name: name
        for name in (
            "kg g mg lb oz tonnes t km m cm mm nm mi miles ft inches ha l ml s seconds ms ns "
            "minutes h hours days weeks months years degrees mph knots bar psi bytes rpm bpm "
            "arcsec arcmin ppm cents kcal"
        ).split()
    },
    **{
        name.lower(): name
        for name in (
            "hPa kPa W kW MW kWh MWh Wh V mAh Hz kHz MHz GHz B kB MB GB TB KiB MiB GiB kJ dB mmHg K"
        ).split()
    },
    "ug": "µg", "lbs": "lb", "um": "µm", "inch": "inches", "metres": "m", "meters": "m",
    "km2": "km²", "m2": "m²", "sqm": "m²", "sqkm": "km²", "m3": "m³", "liters": "l", "litres": "l",
    "sec": "s", "secs": "s", "millis": "ms", "milliseconds": "ms", "us": "µs", "mins": "minutes",
    "hr": "h", "hrs": "h", "yrs": "years", "pct": "%", "percent": "%", "percentage": "%",
    "pp": "percentage points", "bps": "basis points", "deg": "degrees", "celsius": "°C",
    "fahrenheit": "°F", "kelvin": "K", "kmh": "km/h", "kph": "km/h", "mps": "m/s", "kt": "knots",
    "mbps": "Mbit/s", "gbps": "Gbit/s", "cal": "kcal", "calories": "kcal", "ct": "cents",
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
#: Rows of these count something, whatever the unit of their table is.
_COUNTS: Final = re.compile(
    r"(?i)\b(?:employees|staff|headcount|customers|users|stores|number of|mitarbeiter|beschäftigte|"
    r"kunden|anzahl|salariés|effectifs?|empleados|dipendenti|funcionários|medewerkers|werknemers)\b"
)
#: Rows of these have an amount for one thing, in the currency of the table but not in its scale.
_FOR_ONE: Final = re.compile(
    r"(?i)\b(?:per (?:(?:ordinary|diluted|basic) )?(?:share|unit|employee|head|capita|customer)|"
    r"EPS|DPS|(?:je|pro) (?:Aktie|Stück|Kopf|Mitarbeiter)|par (?:action|tête|salarié)|"
    r"por (?:acción|ação|habitante)|per (?:azione|aandeel|aktie|aksje)|na akcję)\b"
)
_LONGEST_UNIT: Final = 30
_PERCENT: Final = ("pct", "percent", "percentage")
_INDEX: Final = re.compile(r"\[\d+\]")
_LONGEST_LABEL: Final = 60
#: What begins a unit in the name of a row.
_MAY_STATE: Final = re.compile(r"[(\[（［]|,\s|\s(?:in|en|em|i|w|v|в)\s")
#: What the name of a row has that states a scale and a currency; most names are left at once.
_MONEY_IN_LABEL: Final = re.compile(
    r"[€$£¥₹₽₩円元원]|eur|dollar|pound|franken|zł|kč|kr\b|руб|usd|gbp|chf|jpy|cny|inr|cad|aud|[snd][eok]k|"
    r"rub|brl|pln|czk|huf",
    re.IGNORECASE,
)
#: A joined pair of a scale and a currency in a key: "meur", "kusd", "eurm".
_JOINED: Final = re.compile(r"(?:(?:mn|bn|[kmtb])[a-z]{3}|[a-z]{3}(?:mn|bn|mio|[kmb]))")


def units_of_row(text: str, row: Row) -> list[str]:
    """Return the unit of each value of a row, as it is written behind a number, or `""`.

    A header or key with a unit decides, then a value such as "EUR" in a field "currency" beside it,
    then the name of the row, then the header of the row names. A scale in one of them and a
    currency in another belong together.
    """
    label = ""
    if len(row.cells) > 1 and row.cells[0].name != row.cells[1].name:
        label = _label_unit(text, row.cells[0])
    units: list[str] = []
    for number, cell in enumerate(row.cells):
        value = text[cell.start : min(cell.end, cell.start + 80)]
        if not _BARE.fullmatch(value) or is_identifier(cell.name):
            units.append("")
            continue
        unit = unit_of_name(cell.name)
        if cell.unit:
            unit = _joined(unit, read_stated_unit(cell.unit))
        units.append(_joined(unit, label if number else ""))
    return units


def _label_unit(text: str, first: Cell) -> str:
    """Return the unit that the name of a row, or the header of these, states for its values."""
    name = text[first.start : first.end][:200]
    own = ""
    if _MAY_STATE.search(name):
        own = _bracketed(name) or _after_comma(name)[0]
    if not own and len(name) <= _LONGEST_LABEL and _MONEY_IN_LABEL.search(name):
        own = unit_of_name(name)
        own = own if own.partition(" ")[0] in SCALE_NAMES and " " in own else ""
    whole = _whole(first.name)
    if not whole or _BARE.fullmatch(name) or _COUNTS.search(name):
        return own
    scale, _, currency = whole.partition(" ")
    if scale in SCALE_NAMES and (_FOR_ONE.search(name) or (currency and is_currency(own))):
        # What is for one share, or names its currency anew, is not in millions.
        return own or currency
    return _joined(own, whole)


def _joined(unit: str, other: str) -> str:
    """Return a unit, with the scale or currency that only the other place names."""
    if not (unit and other):
        return unit or other
    if unit in SCALE_NAMES and is_currency(other):
        return f"{unit} {other}"
    if is_currency(unit) and other.partition(" ")[0] in SCALE_NAMES:
        return f"{other.partition(' ')[0]} {unit}"
    return unit


def unit_of_name(name: str) -> str:
    """Return the unit that a key or header names, as it is written behind a number, or `""`."""
    return _split(name)[1]


def name_without_unit(name: str) -> str:
    """Return a key or header in plain words, without the unit that `unit_of_name` reads from it."""
    return _split(name)[0]


@lru_cache(maxsize=4096)
def _split(name: str) -> tuple[str, str]:
    """Return the plain words of a key or header, and its unit."""
    if unit := _bracketed(name):
        words = plain_words(" ".join(_BRACKETS.sub(" ", name).split()))
        return words or plain_words(name), unit
    unit, at = _after_comma(name)
    if unit:
        return plain_words(name.strip()[:at].strip()) or plain_words(name), unit
    unit = read_stated_unit(name) if len(name) <= _LONGEST_UNIT else ""
    if has_scale_or_currency(unit):  # "Mio. EUR"
        return plain_words(name), unit
    # The keys of a path; in a header, a full stop ends an abbreviation.
    keys = [name] if " " in name else name.split(".")
    parts = [plain_words(_INDEX.sub("", key)).split() for key in keys]
    for part in reversed(parts):
        unit, count = next(_candidates([word.lower() for word in part]), ("", 0))
        if unit:
            if part[0].lower() not in _PERCENT:
                part[:] = part[:-count] or part
            break
    plain = " ".join(word for part in parts for word in part).rstrip(" /-\u2013:")
    return plain or name, unit


def _bracketed(name: str) -> str:
    unit = ""
    for match in reversed(_BRACKETS.findall(name)):
        stated = read_stated_unit(match)
        if not stated and "," in match:
            stated = read_stated_unit(match.partition(",")[0])
        unit = _joined(unit, stated)
    return unit


def _after_comma(name: str) -> tuple[str, int]:
    """Return the unit behind the last comma, "in" or the like, and where what is before it ends."""
    match = _AFTER_COMMA.search(name.strip())
    unit = read_stated_unit(match["unit"]) if match else ""
    if match is None or not unit:
        return "", 0
    # Other languages have "en", "i" or "w" before more than units.
    is_sure = (match["mark"] or match["word"]) in (",", "in") or has_scale_or_currency(unit)
    return (unit, match.start()) if is_sure else ("", 0)


@lru_cache(maxsize=4096)
def _whole(header: str) -> str:
    """Return the unit that the header of row names states, such as "EUR million" or "%"."""
    if not header or len(header) > _LONGEST_LABEL:
        return ""
    unit = read_stated_unit(header) if len(header) <= _LONGEST_UNIT else ""
    unit = unit or _bracketed(header) or _after_comma(header)[0]
    return unit if unit == "%" or has_scale_or_currency(unit) else ""


def _candidates(words: list[str]) -> Iterator[tuple[str, int]]:
    """Yield the units that a key may end with, each with the number of its words."""
    if not words:
        return
    last = words[-1]
    before = words[-2] if len(words) > 1 else ""
    if f"{before}_{last}" in _RATES:
        yield f"{before}/{last}", 2
    if (
        len(words) > 3
        and before == "per"
        and (unit := read_stated_unit(" ".join(map(_with_capitals, words[-3:]))))
    ):
        yield unit, 3
    if before in _COUNTED and last in _KEY_UNITS:
        return
    yield from _money_at_end(words)
    if last in ("c", "f") and _TEMPERATURES.intersection(words):
        yield f"°{last.upper()}", 1
    if last == "min" and _LASTING.intersection(words):
        yield "minutes", 1
    if (len(words) > 1 or len(last) > 1) and last in _KEY_UNITS:
        yield _KEY_UNITS[last], 1
    if before in _PERCENT or words[0] in _PERCENT:
        yield "%", 1


def _money_at_end(words: list[str]) -> Iterator[tuple[str, int]]:
    """Yield scale and currency at the end of a key: `amount_usd_thousands`, `net_million_eur`."""
    for count in (4, 3, 2, 1):
        run = words[-count:]
        if len(run) < count or not all(map(_is_money_word, run)) or run[0] in ("in", "of"):
            continue
        if count == 1 and (run[0] in _UNCERTAIN_CODES or run[0] in _AMBIGUOUS_SCALES):
            continue
        unit = read_stated_unit(" ".join(map(_with_capitals, run)))
        if unit and has_scale_or_currency(unit):
            yield unit, count


def _is_money_word(word: str) -> bool:
    """Whether a word of a key is a scale, the code of a currency, or both in one."""
    if word in ("in", "of", "us") or scale_named(word) or is_currency(word.upper()):
        return True
    return word[:1] in "€$£" or _with_capitals(word) != word


def _with_capitals(word: str) -> str:
    """Return a word of a key with its currency in capitals, as in "mEUR"."""
    if is_currency(word.upper()) and len(word) == 3:
        return word.upper()
    if _JOINED.fullmatch(word):
        for start in range(len(word) - 2):
            code = word[start : start + 3].upper()
            rest = word[:start] + word[start + 3 :]
            if start in (0, len(word) - 3) and is_currency(code) and scale_named(rest):
                return f"{rest} {code}"
    return word
