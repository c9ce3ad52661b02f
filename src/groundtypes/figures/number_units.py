"""What a number takes from the text around it: sign, scale, currency, unit, noun, and its year."""

import re
from fractions import Fraction
from functools import cache
from typing import Final, NamedTuple

from groundtypes.figures.bounds import phrase_before
from groundtypes.figures.east_asian import read_half
from groundtypes.figures.figure import RawFigure, Reading, Unit, date
from groundtypes.figures.identifiers import SPACELESS
from groundtypes.figures.measure import Measure, currency_signs, money, units_of
from groundtypes.figures.numbers import SCALES as ENGLISH_SCALES
from groundtypes.figures.numbers import step_of
from groundtypes.figures.scales import ScaleMatch, noun_of_scale, read_scale, scale_named
from groundtypes.figures.unit_expressions import UnitMatch, read_rate, read_unit
from groundtypes.figures.units import meanings
from groundtypes.words import all_words

#: No currency with its scale is longer, before a number.
_LONGEST_BEFORE: Final = 16


@cache
def _currency_before() -> re.Pattern[str]:
    signs = "|".join(map(re.escape, currency_signs()))
    return re.compile(
        r"(?<![^\W\d_])(?:(?P<scale>T|k|K|M|m|MM|(?:Mio|Mrd|Tsd|Mill)\.?\s?|mn\s|bn\s))?"
        rf"(?P<sign>{signs})\s?(?:(?P<after>(?:Mio|Mrd|Tsd)\.?|Mill\.|mn|bn|mln|mld|[mk]|million"
        r"|billion|thousand)\s)?[-+]?\Z"
    )


#: The last letters of signs, and of scales behind a currency: "EUR Mio. 3,8", "€ million 3.8".
@cache
def _last_of_money() -> frozenset[str]:
    return frozenset((*(sign[-1] for sign in currency_signs()), *"od.nkm"))


_NOUN: Final = re.compile(r"\s{1,3}([a-z]{3,20})(?![a-z-])")


class _MoneyBefore(NamedTuple):
    """A currency before a number: its start, what it may mean, and the scale of "TEUR 500"."""

    start: int
    measures: tuple[Measure, ...]
    scale: int = 1


def money_before(text: str, floor: int, start: int) -> _MoneyBefore | None:
    """Return the currency before a number, if it has one."""
    at = start - 1
    while at > floor and text[at] in " +-" and at > start - 3:
        at -= 1
    if at < floor or text[at] not in _last_of_money():
        return None
    match = _currency_before().search(text[max(floor, start - _LONGEST_BEFORE) : start])
    if match is None:
        return None
    name, sign = match["scale"] or match["after"], match["sign"]
    scale = (name and scale_named(name)) or 1
    return _MoneyBefore(
        start - len(match.string) + match.start(), money(currency_signs()[sign], sign), scale
    )


def noun_after(text: str, end: int) -> str | None:
    """Return the singular of the counted noun, where a plural directly follows the number."""
    match = _NOUN.match(text, end)
    word = match[1] if match else ""
    if word in all_words("plural without an s") or word.endswith(("men", "children", "people")):
        return word
    is_plural = word.endswith("s") and not word.endswith(("ss", "us"))
    return word[:-1] if is_plural and word not in all_words("no plural") else None


#: The word "minus", unless it is an operation: "10 minus 5".
_MINUS: Final = re.compile(
    r"(?<![0-9%)\]])(?<![0-9%)\]]\s)(?<![^\W_])(?:minus|negative|moins|menos|meno|минус)[ -]\Z",
    re.IGNORECASE,
)
_BELOW_ZERO: Final = re.compile(
    r"\s(?:below\s(?:zero|0)|sub-?zero|unter\s(?:Null|null|0)|bajo\scero|sotto\s(?:lo\s)?zero|"
    r"au-dessous\sde\széro|abaixo\sde\szero|ниже\sнуля|onder\snul)(?!\w)"
    r"(?:\s(?P<scale>Celsius|Fahrenheit|[CF]\b))?"
)
_LAST_WORD: Final = re.compile(r"([A-Za-z.']+)[\s(-]*\Z")
_ERA_BEFORE: Final = re.compile(r"\b(?:AD|A\.D\.|CE)\s?\Z")
_AND_A_HALF: Final = re.compile(r"\sand\sa\s(half|quarter)(?![\w-]|\sof\b)")
_HALF: Final = re.compile(r"半(?![径徑分])|\s반(?=입|이|으로|간|동안|을|은|[^\uac00-\ud7af]|\Z)")
#: Between a scale and its unit: "millions of euros", "milliards d'euros", "milioni di euro".
_OF: Final = re.compile(r"\.?\s(?:(?:of|de|di|do|von)\s(?:d')?|d')")
#: After the full stop of a scale, one capital is the first word of a sentence and no unit.
_CAPITAL_ALONE: Final = re.compile(r"[\s-]{0,2}[A-Z](?![^\W\d_])")
#: After these, a full stop ends an abbreviation and no sentence.
_GOES_ON: Final = re.compile(r"\.(?=[ -]?[^\W_A-Z\u00c0-\u00de\u0410-\u042f]|\s-|[,;)])")
#: What is counted, behind a letter that may be a scale or a unit: "5m people", "100B parameters".
_COUNTED: Final = re.compile(r"[\s-](?:(?:active|daily|monthly|new|training)\s)?([a-z]{4,14})\b")


def take_sign(text: str, figure: RawFigure, floor: int) -> None:
    """Take a sign or a leading decimal point into the number."""
    if take_minus(text, figure, floor):
        return
    at = figure.start - 1
    if at < floor or (floor and not text[floor:at].strip()):
        return  # the hyphen of a range is not a minus sign
    before = text[at - 1] if at else " "
    if text[at] == "." and not before.isdigit() and text[figure.start : figure.end].isdigit():
        figure.step = Fraction(1, 10 ** (figure.end - figure.start))
        value = int(figure.values[0]) * figure.step
        if before.isalpha():  # "no.1" may be 1, and "of.257" is 0.257
            figure.values = (value, *figure.values)
        else:
            figure.values, figure.start = (value,), at
    elif text[at] in "-+" and (before.isspace() or before in "([=:<>≤≥~≈,|/\"'"):
        if text[at] == "-":
            figure.values = tuple(-value for value in figure.values)
        figure.start = at


def take_minus(text: str, figure: RawFigure, floor: int) -> bool:
    """Take the word "minus" before the number or its currency; return whether it is there."""
    start = figure.start
    match = _MINUS.search(text, max(floor, start - 10), start)
    if match is None or (floor and not text[floor : match.start()].strip()):  # "ten minus five"
        return False
    if phrase_before(text, floor, start, may_be_year=False):
        return False  # the "moins" of "au moins 18"
    figure.values = tuple(-value for value in figure.values)
    figure.start = match.start()
    return True


def take_unit(text: str, figure: RawFigure, money: _MoneyBefore | None) -> bool:
    """Take scale, unit and noun; return whether what follows can follow a number."""
    following = text[figure.end : figure.end + 1]
    # Scripts without spaces join a number to any word.
    is_attached = (following.isalpha() and following < SPACELESS) or following == "_"
    scale = read_scale(text, figure.end, money=money is not None)
    end = figure.end if scale is None else _take_scale(figure, scale)
    noun = _COUNTED.match(text, scale.end) if scale is not None and scale.units else None
    if scale is not None and noun and noun[1] in all_words("counted behind a letter"):
        scale = scale._replace(units=())  # "100B parameters" are no bytes
    unit = _unit_behind(text, end, scale, money)
    units, end = (unit.units, unit.end) if unit else ((), end)
    if is_attached and end == figure.end:
        return False
    if scale is not None and not units and money is None:
        figure.other_readings += tuple(  # "1.2m" is 1.2 metres or 1.2 million
            Reading(unit.kind, value * unit.factor, value, unit.factor)
            for unit in scale.units[:1]
            for value in figure.values
        )
        figure.noun = noun_of_scale(text, scale)
    if scale is not None and end == scale.end and scale.has_stop:
        end += bool(figure.noun or _GOES_ON.match(text, end))
    figure.end, figure.units = end, units
    if money is not None:
        figure.start = money.start
        figure.units = units or units_of(money.measures)
        figure.scale *= money.scale
        before = text[max(0, figure.start - 2) : figure.start]
        if before.endswith("-") and not before[0].isalnum():
            figure.start -= 1
            figure.values = tuple(-value for value in figure.values)
    if _is_grouped_amount(figure):
        figure.values, figure.step = figure.values[-1:], step_of(figure.values[-1])
    take_rest(text, figure)
    if not figure.units and figure.noun is None:
        figure.noun = noun_after(text, figure.end)
        _decide_year(text, figure)
    return True


def _is_grouped_amount(figure: RawFigure) -> bool:
    """Whether the point of "348.500 €" groups thousands: only rates have so small parts of money.

    Of less than ten, prices for a unit that is not named may: 1.899.
    """
    return (
        len(figure.values) > 1
        and figure.scale == 1
        and not -10 < figure.values[0] < 10
        and bool(figure.units)
        and all(unit.kind.startswith("money:") and not unit.without_rate for unit in figure.units)
    )


def _take_scale(figure: RawFigure, scale: ScaleMatch) -> int:
    """Take a scale, with the smaller ones behind it in "1億2000万"; return where they end."""
    figure.scale = scale.factor
    if scale.word and scale.word not in ENGLISH_SCALES:
        figure.values = figure.values[-1:]  # the point of "2.000 millones" groups thousands
    if scale.more and figure.values:
        figure.values = tuple(value * scale.factor + scale.more for value in figure.values)
        figure.scale, figure.step = 1, step_of(figure.values[0])
        figure.is_year = False
    return scale.end


def _unit_behind(
    text: str, end: int, scale: ScaleMatch | None, money: _MoneyBefore | None
) -> UnitMatch | None:
    """Return the unit behind a number and its scale; only the rate where money stands before."""
    has_stop = scale is not None and scale.has_stop
    if money is not None:
        rate = read_rate(text, end, money.measures)
        return rate or (read_rate(text, end + 1, money.measures) if has_stop else None)
    if unit := read_unit(text, end):
        return unit
    if has_stop:
        end += 1  # "3,8 Mio. EUR"
        if not _CAPITAL_ALONE.match(text, end) and (unit := read_unit(text, end, known=True)):
            return unit
    if scale is not None and (of := _OF.match(text, end)):
        return read_unit(text, of.end(), known=True)
    return None


def take_rest(text: str, figure: RawFigure) -> None:
    """Take "and a half" and "below zero", which follow the unit, and the half of 两年半."""
    if half := read_half(text, figure.end):  # 两个半月
        figure.end, figure.units = half[0], units_named(half[1])
        _add(figure, Fraction(1, 2))
    elif figure.units and (behind := _HALF.match(text, figure.end)):
        figure.end = behind.end()
        _add(figure, Fraction(1, 2))
    elif (figure.units or figure.scale != 1) and (match := _AND_A_HALF.match(text, figure.end)):
        figure.end = match.end()
        _add(figure, Fraction(1, 2 if match[1] == "half" else 4))
    elif below := _BELOW_ZERO.match(text, figure.end):
        figure.values = tuple(-value if value > 0 else value for value in figure.values)
        figure.end = below.end()
        if below["scale"] or not figure.units:
            scale = below["scale"]
            figure.units = units_named(f"°{scale[0]}" if scale else "degrees")


def _add(figure: RawFigure, part: Fraction) -> None:
    figure.values, figure.step = tuple(value + part for value in figure.values), part


def _decide_year(text: str, figure: RawFigure) -> None:
    """Decide whether a number of four digits is a year, from the words around it."""
    value = figure.values[0] if figure.values else 0
    if _ERA_BEFORE.search(text, max(0, figure.start - 6), figure.start):
        figure.values, figure.other_readings = (), (date("year", int(value)),)
    elif figure.end - figure.start == 4 and figure.scale == 1 and value >= 1000:
        if last_word(text, figure.start) in all_words("before a year"):
            figure.is_year = True if figure.noun is None and value < 2200 else None
        elif figure.noun is not None:
            figure.is_year = False


def last_word(text: str, start: int) -> str:
    """Return the word before an offset in lower case, or `""`."""
    match = _LAST_WORD.search(text[max(0, start - 16) : start])
    return match[1].lower() if match else ""


def units_named(name: str) -> tuple[Unit, ...]:
    """Return what a known name of a unit may mean."""
    return units_of(meanings(name))
