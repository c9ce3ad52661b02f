"""Units as headers, keys and captions state them: "Mio. EUR", "€m", "$000", "in millions of euros".

Scale and currency stand in any order there, often joined, and nothing else may stand beside them
but a unit: "Tsd. t". The result is written as it stands behind a number: "million EUR".
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final, NamedTuple

from groundtypes.figures.measure import CODES, currency_signs, spaceless_currencies
from groundtypes.figures.reader import find_figures
from groundtypes.figures.scales import scale_named
from groundtypes.references.names import is_identifier, plain_words
from groundtypes.references.structure import Cell, Row
from groundtypes.words import all_words, names_of

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
_LABEL: Final = re.compile(r"(?i)(?:units?|einheit|unité|unidad|単位|单位|單位|단위)\s?[:：]\s?")
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
_SUPERSCRIPTS: Final = str.maketrans("³⁶⁹", "369")
_SCALE: Final = re.compile(
    r"(?P<myriad>[十百千십백천]?[万萬億亿만억兆조]|[百千천])"
    r"|(?P<joined>Mio\.?|Mrd\.?|Tsd\.?|Mds?|bn|mn|MM|mm|md|[kKmMtTbB])"
    rf"(?=€|US\$|\$|£|¥|₹|(?:{'|'.join(CODES)}|kr)(?![A-Za-z]))"
    r"|(?P<word>[^\W\d_]{1,12})(?P<stop>\.)?(?![^\W_])"
)
_DOLLARS: Final = frozenset(("USD", "$", "US$"))
_REST: Final = re.compile(r"[^\W\d_]+(?:[\s-][^\W\d_]+){0,2}")
_WITHOUT_UNIT: Final = tuple("number count date time range ordinal identifier label ratio".split())
_BRACKETS: Final = re.compile(r"[(\[（［]([^()\[\]（）［］]{1,60})[)\]）］]")
#: "in" with what follows it, up to a mark that is not the full stop of an abbreviation.
_STATED: Final = re.compile(
    rf"(?<!\w){_LEAD.pattern}(?P<unit>(?:[^.,;:()\n]|(?<=Mio|Mrd|Tsd|mil|ill|mld|mln|тыс|руб)\.){{1,60}})",
    re.IGNORECASE,
)
#: A value that may take a unit: digits without letters.
_BARE: Final = re.compile(r"(?=.*\d)[^A-Za-z%$€£¥°]{1,60}")
_AFTER_COMMA: Final = re.compile(
    r"(?:(?P<mark>,)|\b(?P<word>in|en|em|i|w|v|в)\b)\s+(?P<unit>[^,]{1,48})\Z"
)
_LONGEST_UNIT: Final = 30
_PERCENT: Final = frozenset(("pct", "percent", "percentage"))
_INDEX: Final = re.compile(r"\[\d+\]")
_LONGEST_LABEL: Final = 60
#: A joined pair of a scale and a currency in a key: "meur", "kusd", "eurm".
_JOINED: Final = re.compile(r"(?:(?:mn|bn|[kmtb])[a-z]{3}|[a-z]{3}(?:mn|bn|mio|[kmb]))")


class _Parts(NamedTuple):
    """What of a stated unit is known: its currency, its scale, and where the rest begins."""

    currency: str = ""
    factor: int = 1
    end: int = 0


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
    if parts.end and parts.factor in (1, *_NAMES):
        return _with_rest(parts, unit[parts.end :].strip())
    return unit if _is_unit(unit) else ""


def _with_rest(parts: _Parts, rest: str) -> str:
    """Return scale and currency with what is behind them: a unit, or the noun that is counted."""
    scale = _NAMES[parts.factor] if parts.factor > 1 else ""
    known = f"{scale} {parts.currency}".strip()
    if not rest:
        return known
    whole = known + (rest if rest[0] == "/" else f" {rest}")
    if (not parts.currency or rest[0] == "/" or "per" in rest) and _is_unit(whole):
        return whole
    return known if scale and not parts.currency and _REST.fullmatch(rest) else ""


def _is_unit(unit: str) -> bool:
    if not unit or len(unit) > _LONGEST_LABEL:
        return False
    figures = find_figures(f"1 {unit}")
    is_whole = len(figures) == 1 and figures[0].end == len(unit) + 2
    return is_whole and figures[0].kind not in _WITHOUT_UNIT


def _parts(unit: str) -> _Parts:
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
    return _Parts() if needs_currency and not currency else _Parts(currency, factor, end)


def _currency(unit: str, at: int = 0) -> tuple[str, int] | None:
    if code := _CODE.match(unit, at):
        return code[0], code.end()
    for sign in _signs():
        if unit.startswith(sign, at) and not (
            sign[-1].isalpha() and unit[at + len(sign) : at + len(sign) + 1].isalpha()
        ):
            # A sign that may mean one currency is its code; "$" and "¥" are the first of theirs.
            codes = currency_signs().get(sign, ())
            is_sure = len(codes) == 1 or (codes and sign in ("$", "¥"))
            return codes[0] if is_sure else sign, at + len(sign)
    if word := _CURRENCY_WORD.match(unit, at):
        figures = find_figures(f"1 {word[0]}")
        if figures and figures[0].end == len(word[0]) + 2 and figures[0].kind == "money":
            # "TEUR" has a scale, too.
            return (word[0], word.end()) if figures[0].values == (1,) else None
    return None


@cache
def _signs() -> list[str]:
    """Return signs and short names of currencies, the longest first; codes have their pattern."""
    names = {*currency_signs(), *spaceless_currencies(), "zł", "Kč", "kr", "Fr.", "руб.", "руб"}
    return sorted(names - set(CODES), key=len, reverse=True)


def _scale(unit: str, at: int, currency: str) -> tuple[int, int, bool] | None:
    """Return the factor of a scale, where it ends, and whether it is one only beside a currency."""
    if match := _NUMBER.match(unit, at):
        if power := match["power"] or match["e"]:
            return 10 ** int(power.translate(_SUPERSCRIPTS)), match.end(), False
        is_sure = bool(match["mark"] or match["s"] or match[0][0] == "1")
        return 10 ** match["zeros"].count("0"), match.end(), not is_sure
    match = _SCALE.match(unit, at)
    if match is None:
        return None
    name = (match["myriad"] or match["word"] or match["joined"]).lower().rstrip(".")
    factor = scale_named(name)
    is_lone_mil = name == "mil" and not match["stop"]
    if factor is None or (is_lone_mil and currency in _DOLLARS):
        return None  # "mil" is a million in English, a thousand in Portuguese
    if is_lone_mil:
        factor = 10**3
    if name == "t" and currency in _DOLLARS and not match["joined"]:
        factor = 10**12
    is_stopped = name in ("mil", "mill") and match["stop"]
    return factor, match.end(), name in all_words("scale only beside a currency") and not is_stopped


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
        if has_scale_or_currency(unit := _before_comma(stated)):
            return unit
    for match in _STATED.finditer(caption):
        words = match["unit"].split()
        for count in (len(words), 4, 3, 2):
            unit = read_stated_unit(" ".join(words[:count]))
            has_both = unit.partition(" ")[0] in SCALE_NAMES and " " in unit
            if has_both or (count == len(words) and has_scale_or_currency(unit)):
                return unit
    return ""


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
        unit = ""
        if _BARE.fullmatch(value) and not is_identifier(cell.name):
            unit = _joined(unit_of_name(cell.name), read_stated_unit(cell.unit))
            unit = _joined(unit, label if number else "")
        units.append(unit)
    return units


@cache
def _rows(kind: str) -> re.Pattern[str]:
    """Return the words of rows that count, or that have an amount for one thing."""
    return re.compile(rf"(?i)\b(?:{'|'.join(map(re.escape, all_words(kind)))})\b")


def _label_unit(text: str, first: Cell) -> str:
    name = text[first.start : first.end][:200]
    own = _bracketed(name) or _after_comma(name)[0]
    if not own and len(name) <= _LONGEST_LABEL:
        own = unit_of_name(name)
        own = own * (own.partition(" ")[0] in SCALE_NAMES and " " in own)
    whole = _whole(first.name)
    if not whole or _BARE.fullmatch(name) or _rows("row that counts").search(name):
        return own
    scale, _, currency = whole.partition(" ")
    # What is for one share, or names its currency anew, is not in millions.
    is_alone = _rows("row for one thing").search(name) or (currency and is_currency(own))
    return (own or currency) if scale in SCALE_NAMES and is_alone else _joined(own, whole)


def _joined(unit: str, other: str) -> str:
    """Return a unit, with the scale or currency that only the other place names."""
    scale = other.partition(" ")[0]
    if unit in SCALE_NAMES and is_currency(other):
        return f"{unit} {other}"
    if scale in SCALE_NAMES and is_currency(unit):
        return f"{scale} {unit}"
    return unit or other


def unit_of_name(name: str) -> str:
    """Return the unit that a key or header names, as it is written behind a number, or `""`."""
    return _split(name)[1]


def name_without_unit(name: str) -> str:
    """Return a key or header in plain words, without its unit."""
    return _split(name)[0]


@lru_cache(maxsize=4096)
def _split(name: str) -> tuple[str, str]:
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
    for stated in reversed(_BRACKETS.findall(name)):
        unit = _joined(unit, _before_comma(stated))
    return unit


def _before_comma(stated: str) -> str:
    return read_stated_unit(stated) or read_stated_unit(stated.partition(",")[0])


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
    if len(header) > _LONGEST_LABEL:
        return ""
    unit = read_stated_unit(header) if len(header) <= _LONGEST_UNIT else ""
    unit = unit or _bracketed(header) or _after_comma(header)[0]
    return unit if unit == "%" or has_scale_or_currency(unit) else ""


def _candidates(words: list[str]) -> Iterator[tuple[str, int]]:
    """Yield the units that a key may end with, each with the number of its words."""
    before, last = ["", "", *words][-2:]
    if f"{before}_{last}" in all_words("rate in a key"):
        yield f"{before}/{last}", 2
    rate = words[-3:] if len(words) > 3 and before == "per" else []
    if unit := read_stated_unit(" ".join(map(_with_capitals, rate))):
        yield unit, 3
    units = names_of("unit of a key")
    if before in all_words("counted in a key") and last in units:  # "hab_km2"
        return
    yield from _money_at_end(words)
    if last in ("c", "f") and all_words("temperature in a key").intersection(words):
        yield f"°{last.upper()}", 1
    if last == "min" and all_words("lasting in a key").intersection(words):
        yield "minutes", 1
    if (len(words) > 1 or len(last) > 1) and last in units:
        yield units[last], 1
    if not _PERCENT.isdisjoint((before, *words[:1])):
        yield "%", 1


def _money_at_end(words: list[str]) -> Iterator[tuple[str, int]]:
    """Yield scale and currency at the end of a key: `amount_usd_thousands`, `net_million_eur`."""
    uncertain = all_words("no currency in a key") | all_words("scale only beside a currency")
    for count in (4, 3, 2, 1):
        run = words[-count:]
        if len(run) < count or run[0] in ("in", "of") or (count == 1 and run[0] in uncertain):
            continue
        name = " ".join(map(_with_capitals, run))
        unit = read_stated_unit(name)
        if unit and _parts(name).end == len(name):
            yield unit, count


def _with_capitals(word: str) -> str:
    """Return a word of a key with its currency in capitals, as in "mEUR"."""
    if is_currency(word.upper()) and len(word) == 3:
        return word.upper()
    if _JOINED.fullmatch(word):
        for code, rest in ((word[:3], word[3:]), (word[-3:], word[:-3])):
            if is_currency(code.upper()) and scale_named(rest):
                return f"{rest} {code.upper()}"
    return word
