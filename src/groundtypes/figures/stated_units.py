"""Units as headers, keys and captions state them: "Mio. EUR", "€m", "$000", "in millions of euros".

Scale and currency stand in any order there, often joined, and nothing else may stand beside them
but a unit: "Tsd. t". The result is written as it stands behind a number: "million EUR".
"""

import re
from functools import cache, lru_cache
from typing import Final, NamedTuple

from groundtypes.figures.currencies import CODES, CURRENCIES, SIGNS, spaceless_currencies
from groundtypes.figures.reader import find_figures
from groundtypes.figures.scales import scale_named

#: Factors as they are written behind a number.
_NAMES: Final = {
    12: "dozen", 100: "hundred", 10**3: "thousand", 10**4: "万", 10**5: "lakh", 10**6: "million",
    10**7: "crore", 10**8: "億", 10**9: "billion", 10**12: "trillion",
}  # fmt: skip
SCALE_NAMES: Final = {name: factor for factor, name in _NAMES.items()}
#: Spoken units that the reader of figures does not know.
_SPOKEN: Final = {"working days": "working days", "pp": "percentage points", "fte": ""}
#: What stands before the unit: "in", "Angaben in", "amounts expressed in".
_LEAD: Final = re.compile(
    r"(?:(?:all\s)?(?:figures|amounts|values|numbers|data)\s(?:are\s)?(?:stated\s|expressed\s)?"
    r"|(?:alle\s)?(?:angaben|beträge|werte|zahlen)\s(?:sind\s)?|(?:montants|chiffres|données|importes|cifras|"
    r"datos|valores|valori|dati|importi|bedragen|суммы|данные)\s)?(?:in|en|em|i|w|v|в|à)\s",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(
    r"(?:units?|einheit|unité|unidad|単位|单位|單位|단위)\s?[:：]\s?", re.IGNORECASE
)
_SEPARATOR: Final = re.compile(
    r"[\s,\-\u2013]+|(?:of|de|di|do|der|von|in|en|em|w|x|×)(?=\s)|d['\u2019]", re.IGNORECASE
)
_CURRENCY_WORD: Final = re.compile(
    r"(?:US[\s-]|U\.S\.\s|Swiss\s|Schweizer\s)?[^\W\d_]{3,12}(?:\s(?:suisses|sterling))?(?![^\W\d_])"
)
_CODE: Final = re.compile(
    rf"(?:{'|'.join(CODES)})(?=[^A-Za-z]|\Z|(?:m|mn|bn|k|b|M|Mio|Mrd|T)(?![A-Za-z]))"
)
#: Numbers that are scales: "'000", "1,000", "10^6".
_NUMBER: Final = re.compile(
    r"10(?:\^|\*\*)?(?P<power>[369⁶³⁹])(?![0-9])|1e(?P<e>[369])|1?(?P<mark>['\u2019.,\s])?(?P<zeros>000(?:[.,\s']?000)?)"
    r"(?P<s>s)?(?![0-9])"
)
_POWERS: Final = {"3": 10**3, "6": 10**6, "9": 10**9, "³": 10**3, "⁶": 10**6, "⁹": 10**9}
_SCALE: Final = re.compile(
    r"(?P<myriad>[十百千십백천]?[万萬億亿만억兆조]|[百千천])"
    r"|(?P<joined>Mio\.?|Mrd\.?|Tsd\.?|Mds?|bn|mn|MM|mm|md|[kKmMtTbB])"
    rf"(?=€|US\$|\$|£|¥|₹|(?:{'|'.join(CODES)}|kr)(?![A-Za-z]))"
    r"|(?P<word>[^\W\d_]{1,12})(?P<stop>\.)?(?![^\W_])"
)
#: Letters and short words that are scales only beside a currency.
_NEEDS_CURRENCY: Final = frozenset("k m mm mil t b mi bi tri md mds mia mill tis bio miles".split())
_DOLLARS: Final = frozenset(("USD", "$", "US$"))
_REST: Final = re.compile(r"[^\W\d_]+(?:[\s-][^\W\d_]+){0,2}")
_KINDS_WITHOUT_UNIT: Final = frozenset(
    "number count date time range ordinal identifier label ratio".split()
)
_BRACKETS: Final = re.compile(r"[(\[（［]([^()\[\]（）［］]{1,60})[)\]）］]")
#: "in" with what follows it, up to a mark that is not the full stop of an abbreviation.
_STATED: Final = re.compile(
    rf"(?<!\w){_LEAD.pattern}(?P<unit>(?:[^.,;:()\n]|(?<=Mio|Mrd|Tsd|mil|ill|mld|mln|тыс|руб)\.){{1,60}})",
    re.IGNORECASE,
)


class _Parts(NamedTuple):
    """What of a stated unit is known: its currency, its scale, and where the rest begins."""

    currency: str
    factor: int
    end: int


@lru_cache(maxsize=4096)
def read_stated_unit(unit: str) -> str:
    """Return a unit as it is written behind a number, or `""` if it is none."""
    unit = unit.strip().strip("()[]（）［］").strip()
    for lead in (_LABEL, _LEAD):
        if match := lead.match(unit):
            unit = unit[match.end() :].strip()
    if unit.lower() in _SPOKEN:
        return _SPOKEN[unit.lower()]
    parts = _parts(unit)
    if parts.end and (parts.currency or parts.factor > 1) and parts.factor in (1, *_NAMES):
        return _with_rest(parts, unit[parts.end :].strip())
    return unit if _is_unit(unit) else ""


def _with_rest(parts: _Parts, rest: str) -> str:
    """Return scale and currency with what is behind them: a unit, or the noun that is counted."""
    known = f"{_NAMES[parts.factor]} {parts.currency}" if parts.factor > 1 else parts.currency
    known = known.strip()
    if not rest:
        return known
    joint = "" if rest[0] == "/" else " "
    if _is_unit(known + joint + rest) and (not parts.currency or rest[0] == "/" or "per" in rest):
        return known + joint + rest
    if parts.factor > 1 and not parts.currency and _REST.fullmatch(rest):
        return known
    return ""


def _is_unit(unit: str) -> bool:
    """Whether a text is a unit as a whole, as the reader of figures reads it."""
    if not unit or len(unit) > 60:
        return False
    figures = find_figures(f"1 {unit}")
    if len(figures) != 1 or figures[0].end != len(unit) + 2:
        return False
    return figures[0].kind not in _KINDS_WITHOUT_UNIT


def _parts(unit: str) -> _Parts:
    """Return the scale and the currency with which a unit begins."""
    currency, factor, end, at = "", 1, 0, 0
    needs_currency = False
    while at < len(unit):
        if separator := _SEPARATOR.match(unit, at):
            at = separator.end()
            continue
        if not currency and (found := _currency(unit, at)):
            currency, at = found
        elif factor == 1 and (scale := _scale(unit, at, currency)):
            factor, at, needs_currency = scale
        elif factor > 1 and not currency and (more := _scale(unit, at, "")) and more[0] >= 10**6:
            factor, at = factor * more[0], more[1]  # "mil millones"
        else:
            break
        end = at
    if needs_currency and not currency:
        return _Parts("", 1, 0)
    return _Parts(currency, factor, end)


def _currency(unit: str, at: int = 0) -> tuple[str, int] | None:
    """Return the currency at an offset, as it is written behind a number, and where it ends."""
    if code := _CODE.match(unit, at):
        return code[0], code.end()
    for sign in _signs():
        if unit.startswith(sign, at) and not (
            sign[-1].isalpha() and unit[at + len(sign) : at + len(sign) + 1].isalpha()
        ):
            return _code_of_sign(sign), at + len(sign)
    if word := _CURRENCY_WORD.match(unit, at):
        figures = find_figures(f"1 {word[0]}")
        if figures and figures[0].end == len(word[0]) + 2 and figures[0].kind == "money":
            # "TEUR" has a scale, too.
            return (word[0], word.end()) if figures[0].values == (1,) else None
    return None


@cache
def _signs() -> list[str]:
    """Return signs and short names of currencies, the longest first; codes have their pattern."""
    names = {*SIGNS, *spaceless_currencies(), "zł", "Kč", "kr", "Fr.", "руб.", "руб"}
    return sorted(names - set(CODES), key=len, reverse=True)


def _code_of_sign(sign: str) -> str:
    """Return the code of a sign that may mean one currency, and the first one of "$" and "¥"."""
    names = CURRENCIES.get(sign)
    return names[0] if names and (len(names) == 1 or sign in ("$", "¥")) else sign


def _scale(unit: str, at: int, currency: str) -> tuple[int, int, bool] | None:
    """Return the factor of a scale, where it ends, and whether it is one only beside a currency."""
    if match := _NUMBER.match(unit, at):
        if power := match["power"] or match["e"]:
            return _POWERS[power], match.end(), False
        is_sure = bool(match["mark"] or match["s"] or match[0][0] == "1")
        digits = match["zeros"].count("0")
        return 10**digits, match.end(), not is_sure
    match = _SCALE.match(unit, at)
    if match is None:
        return None
    name = (match["myriad"] or match["word"] or match["joined"]).lower().rstrip(".")
    factor = scale_named(name)
    if factor is None:
        return None
    if name == "mil" and not match["stop"]:
        if currency in _DOLLARS:
            return None  # a million in English, a thousand in Portuguese
        factor = 10**3
    if name == "t" and currency and not match["joined"]:
        factor = 10**12 if currency in _DOLLARS else 10**3
    needs_currency = name in _NEEDS_CURRENCY and not (name in ("mil", "mill") and match["stop"])
    return factor, match.end(), needs_currency


@lru_cache(maxsize=1024)
def is_currency(unit: str) -> bool:
    """Whether a unit is a currency alone."""
    parts = _parts(unit)
    return bool(parts.currency) and parts.factor == 1 and parts.end == len(unit)


@lru_cache(maxsize=1024)
def has_scale_or_currency(unit: str) -> bool:
    """Whether a unit as it is written behind a number begins with a scale or a currency."""
    parts = _parts(unit)
    return bool(parts.currency) or parts.factor > 1


def stated_in(caption: str) -> str:
    """Return the scale or currency that a line above a table states, or `""`.

    "Income statement (in millions of EUR)", "Angaben in Tsd. EUR zum Jahresende".
    """
    for stated in _BRACKETS.findall(caption):
        for text in (stated, stated.partition(",")[0]):
            if has_scale_or_currency(unit := read_stated_unit(text)):
                return unit
    for match in _STATED.finditer(caption):
        words = match["unit"].split()
        for count in (len(words), 4, 3, 2):
            unit = read_stated_unit(" ".join(words[:count]))
            has_both = unit.partition(" ")[0] in SCALE_NAMES and " " in unit
            if has_both or (count == len(words) and has_scale_or_currency(unit)):
                return unit
    return ""
