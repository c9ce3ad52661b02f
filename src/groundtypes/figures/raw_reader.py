"""Reading raw figures one by one: numbers with sign, scale, unit or noun, dates, identifiers."""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Final

from groundtypes.figures.clocks import (
    begins_iso_time,
    possible_times,
    read_clock_words,
    read_iso_time,
)
from groundtypes.figures.dates import read_time_expression
from groundtypes.figures.east_asian import (
    IDEOGRAPHS,
    read_ideographs,
    read_number_of_time,
    read_parts,
)
from groundtypes.figures.figure import RawFigure, Reading, pair, simplify
from groundtypes.figures.identifiers import SPACELESS, attached_prefix, name_before, read_identifier
from groundtypes.figures.month_words import is_date_in_words, read_date_in_words, read_month_before
from groundtypes.figures.notations import feet_and_inches, is_reading, iso_duration, read_period
from groundtypes.figures.number_units import (
    money_before,
    take_minus,
    take_sign,
    take_unit,
    units_named,
)
from groundtypes.figures.numbers import NUMBER_WORDS, SLASHED, read_numeral, scale_of_part, step_of
from groundtypes.figures.unit_expressions import read_unit
from groundtypes.figures.unit_names import percent_before
from groundtypes.figures.word_reader import from_time_expression, ordinal, read_roman, read_words
from groundtypes.words import all_words, named_words

#: Three days of each week: 一周三天.
_RATE: Final = re.compile("[个個]?(?:小时|小時|[年月周週天日])[0-9一二三四五六七八九十两兩]")
#: What makes a single 一年 "each year" or a part of an idiom, as 一天 is without it.
_EACH_BEFORE: Final = re.compile("[每毎有某这這那同本去今昨当當前后後另上下全唯]\\Z")
_EACH_AFTER: Final = re.compile("[一四次回中度]|に|ごと")
_SHORT_TIMES: Final = ("d", "h", "min", "s")
_ORDINAL_ENDING: Final = re.compile(r"\s?(?:st|nd|rd|th|ST|ND|RD|TH)(?![^\W_])")
#: People of an age: "under-18s", "over-65s", "18s and over"; not seconds.
_AGE: Final = re.compile(
    r"(?:(?<=[Uu]nder-)|(?<=[Oo]ver-)"
    r"|(?=[0-9]{1,2}s\s(?:and|or)\s(?:over|under|above|below)\b))([0-9]{1,2})s\b"
)
#: A telephone number, an ISBN and the like.
_DOTTED: Final = re.compile(r"[0-9]*\.[0-9.]*")
_LABEL: Final = re.compile(r"[0-9.,']{1,60}")
_HYPHENATED_DIGITS: Final = re.compile(r"[0-9]{1,20}(?:-[0-9]{1,20}){2,8}(?![0-9])")
#: The sides of "4x6 m" and "2x3x4 in", and what is counted in "6x330 ml"; and those of screens.
_SIDES: Final = re.compile(
    r"[0-9]{1,6}(?:\.[0-9]{1,4})?(?:x[0-9]{1,6}(?:\.[0-9]{1,4})?){1,3}(?![0-9x])"
)
_AFTER_SIDE: Final = re.compile(r"[0-9]x\Z")
_LARGE_SIDES: Final = re.compile(r"[0-9]{3,5}x[0-9]{3,5}")
_SIDE_KINDS: Final = frozenset(("length", "mass", "volume", "pixel"))
#: What begins a notation of several numbers.
_NOTATION: Final = re.compile(
    r"[0-9]{1,3}(?:\.[0-9]{1,3})?½?\s?(?P<mark>['\"′″]|°\s?[0-9]|-?(?:ft|foot|feet)[\s.-]{0,2}[0-9])"
    r"|(?:[1-4]|(?:19|20)[0-9]{2}[\s-]?)(?P<letter>[QH])(?:[0-9]|\b)"
)


def read_raw_figure(text: str, start: int, floor: int) -> RawFigure | int | None:
    """Return the figure whose first digit, fraction character or word is at `start`.

    Nothing before `floor` belongs to it. Where there is no figure, the result is `None` or the
    offset at which the search goes on.
    """
    first = text[start]
    if not first.isalpha():
        return _in_digits(text, start, floor)
    if first >= SPACELESS:
        return _in_ideographs(text, start)
    if first in "IVXL" and not text[start + 1 : start + 2].islower():
        return read_roman(text, start, floor)
    if first in "fF" and (expression := read_period(text, start)):
        return from_time_expression(start, expression)
    if expression := read_clock_words(text, start):
        return from_time_expression(start, expression)
    if first.isupper() and (expression := read_time_expression(text, start)):
        return from_time_expression(start, expression)
    return read_words(text, start, floor)


def _in_ideographs(text: str, start: int) -> RawFigure | int:
    """Return the figure of 五千万 or 三分之二, or where a run of such signs ends that is none."""
    if parts := read_parts(text, start):
        end, count, whole = parts
        if whole == 100:
            return RawFigure(start, end, (count,), units=units_named("%"), is_year=False)
        share = Fraction(count, whole)
        return RawFigure(start, end, (share,), step=Fraction(1, whole), is_year=False)
    number = read_number_of_time(text, start)
    end, value = number or read_ideographs(text, start)
    if value is None or (number is None and value == 1 and _RATE.match(text, end)):
        return end
    figure = RawFigure(start, end, (simplify(value),), is_year=False)
    figure.step = 1 if number else step_of(value)
    take_unit(text, figure, None)
    # 一天 or 一年 may be "a day" or "each year" rather than how long something lasts.
    may_be_each = number is None and figure.values == (1,)
    figure.incidental = may_be_each and (
        figure.units[0].symbol in _SHORT_TIMES
        or _EACH_BEFORE.search(text, max(0, start - 1), start) is not None
        or _EACH_AFTER.match(text, figure.end) is not None
    )
    return figure


def _in_digits(text: str, start: int, floor: int) -> RawFigure:
    """Return the figure whose first digit is at `start`; a name with digits is an identifier."""
    if time := _iso_time(text, start, floor):
        return time
    if age := _AGE.match(text, start):
        return RawFigure(start, age.end(), (int(age[1]),), is_year=False)
    is_side = _AFTER_SIDE.search(text, max(0, start - 2), start) is not None
    prefix = attached_prefix(text, start, floor) if start > floor and not is_side else None
    if prefix is not None and prefix.is_name:
        return _in_period(text, prefix.start) or _identifier(text, prefix.start, start)
    money = money_before(text, floor, start)
    if money is None:
        figure = _in_notation(text, start) or _date_or_time(text, start, floor)
        if figure is not None:
            return figure
    if match := _HYPHENATED_DIGITS.match(text, start):
        reading = Reading("identifier", match[0].replace("-", ""))
        return RawFigure(start, match.end(), other_readings=(reading,))
    if (match := SLASHED.match(text, start)) and is_reading(int(match[1]), int(match[2])):
        first, second = (_part(text, *match.span(number)) for number in (1, 2))
        if unit := read_unit(text, match.end()):
            second.end, second.units = unit.end, unit.units
        return pair(first, second)
    numeral = read_numeral(text, start)
    if not numeral.values:
        if not _LABEL.fullmatch(numeral.literal):
            # It is too large to compute with, so it is compared as it is written.
            reading = Reading("identifier", numeral.literal)
            return RawFigure(start, numeral.end, other_readings=(reading,))
        return _identifier(text, start, start)
    figure = RawFigure(start, numeral.end, numeral.values, step=numeral.step)
    if text[numeral.end : numeral.end + 1] == "x" and _is_first_side(text, start):
        return figure
    if text.startswith(" of a ", numeral.end) and 0 < max(numeral.values) < 1:
        figure.end, figure.scale = scale_of_part(text, numeral.end) or (numeral.end, 1)
    figure.parts = [_part(text, *span) for span in numeral.parts]
    if (match := SLASHED.fullmatch(numeral.literal)) and int(match[1]) <= int(match[2]):
        figure.other_readings = (Reading("ratio", ("of", int(match[1]), int(match[2]))),)
    take_sign(text, figure, floor)
    if ending := _ORDINAL_ENDING.match(text, figure.end):
        return ordinal(text, start, ending.end(), int(numeral.values[-1]))
    percent_sign = percent_before(text, floor, start)
    if not take_unit(text, figure, money):
        return _identifier(text, start, start)
    if money is not None:
        take_minus(text, figure, floor)  # "minus £40"
    if percent_sign is not None and not figure.units:
        figure.start, figure.units, figure.noun = percent_sign, units_named("%"), None
    if prefix is not None:  # "top-10", "covid-19": a number, or a name
        figure.other_readings += (Reading("identifier", prefix.key + numeral.literal),)
    _take_name(text, figure, numeral.literal, floor)
    return figure


def _date_or_time(text: str, start: int, floor: int) -> RawFigure | None:
    """Return the date or time whose first digit is at `start`; in a word, it is a name."""
    if found := read_month_before(text, start, floor):
        return from_time_expression(*found)
    expression = read_date_in_words(text, start) or read_time_expression(text, start)
    if expression is None:
        return None
    end = expression.end
    is_inside_word = text[end - 1].isdigit() and text[end : end + 1].isalpha()
    if is_inside_word and not begins_iso_time(text, end):
        return _identifier(text, start, start)
    return from_time_expression(start, expression)


def _iso_time(text: str, start: int, floor: int) -> RawFigure | None:
    """Return the time of "2024-05-17T14:30:00Z", whose first digit is at `start`."""
    is_after_date = start - 1 == floor
    if not is_after_date and text[start - 1 : start] != "T":
        return None
    expression = read_iso_time(text, start)
    if expression is None:
        return None
    figure = from_time_expression(start, expression)
    # Where only a date is known, programs write midnight.
    figure.incidental = is_after_date and expression.readings[0].value == 0
    return figure


def _is_first_side(text: str, start: int) -> bool:
    """Whether "4x6 m" and "1920x1080" begin at `start`; the "4x4" of a car is a name."""
    match = _SIDES.match(text, start)
    if match is None:
        return False
    if _LARGE_SIDES.fullmatch(match[0]):
        return True
    unit = read_unit(text, match.end(), known=True)
    return unit is not None and any(meaning.kind in _SIDE_KINDS for meaning in unit.units)


def _in_period(text: str, start: int) -> RawFigure | None:
    """Return "Q3 2023" or the duration "PT1H30M", whose first letter is at `start`."""
    if text[start] in "QHF" and (expression := read_period(text, start)):
        return from_time_expression(start, expression)
    if text[start] == "P" and (duration := iso_duration(text, start)):
        return RawFigure(start, duration[0], other_readings=duration[1])
    return None


def _in_notation(text: str, start: int) -> RawFigure | None:
    """Return `5'10"`, "3Q23" or "2023 Q3", whose first digit is at `start`."""
    if match := _NOTATION.match(text, start):
        if match["letter"] and (expression := read_period(text, start)):
            return from_time_expression(start, expression)
        if match["mark"] and (length := feet_and_inches(text, start)):
            end, value, units = length
            return RawFigure(start, end, (simplify(value),), units=units, step=Fraction(1, 12))
    return None


def _part(text: str, start: int, end: int) -> RawFigure:
    value = int(text[start:end])
    return RawFigure(start, end, (value,), step=step_of(value))


def _identifier(text: str, start: int, digit: int) -> RawFigure:
    identifier = read_identifier(text, start, digit)
    readings = tuple(Reading("identifier", key) for key in identifier.keys)
    return RawFigure(start, identifier.end, other_readings=readings)


def _take_name(text: str, figure: RawFigure, literal: str, floor: int) -> None:
    """Add the readings of a number after a name: "Python 3.11", "Apollo 11"."""
    if figure.units or figure.scale != 1 or "," in literal or not figure.values:
        return
    if name := name_before(text, figure.start, floor):
        figure.other_readings += (Reading("identifier", name + literal),)
    if _DOTTED.fullmatch(literal) and min(figure.values) >= 0:
        figure.other_readings += (Reading("label", literal),)
        if name:
            figure.values = ()


#: The beginning of a date such as "March 4th".
_MONTH_FIRST: Final = (
    r"(?:J(?:an|AN|un|UN|ul|UL)|F(?:eb|EB)|M(?:a[ry]|A[RY])|A(?:pr|PR|ug|UG)|S(?:ep|EP)|O(?:ct|CT)"
    r"|N(?:ov|OV)|D(?:ec|EC))[A-Za-z]{0,6}\.?,?\s{1,3}(?:the\s|of\s)?'?[0-9]"
)
#: Units after "a" or "an" that make a figure: "an hour".
_A_UNIT: Final = (
    r"[aA](?i:n?\s(?:hour|minute|day|week|month|year|decade|century|fortnight|mile|kilomet(?:re|er)|"
    r"kilogram|lit(?:re|er)|quarter)\b)"
)
#: Words that begin a time, a fiscal year or a Roman number.
_OTHER_WORDS: Final = (
    r"(?:[Nn]oon|[Mm]idday|[Mm]idnight|[Tt]wice|[Tt]hrice|couple of)\b"
    r"|(?:FY\s?|[Ff]iscal\s(?:[Yy]ear\s)?|[Ff]inancial\syear\s)"
    r"(?=[12'][0-9])|(?<=[^\W\d_]\s)[IVXL]{1,6}(?:e|ème|ᵉ)?\b|(?:[IVX]{2,6}|[VX])(?:e|ème|ᵉ)?\s(?=[csw])"
    r"|(?<=very\s)fortnight\b|[Ff]ortnightly\b"
    r"|(?:[Hh]alv|[Dd]oubl|[Tt]r[ie]bl|[Tt]ripl|[Qq]uadrupl|[Qq]uintupl)(?:ed|ing)\b"
)


def _by_first_letter(words: frozenset[str]) -> str:
    """Return a pattern for the words in any case, which is left at once at any other letter."""
    rests: dict[str, list[str]] = {}
    for word in sorted(words, key=lambda word: (-len(word), word)):
        rests.setdefault(word[0], []).append(word[1:])
    return "|".join(
        f"[{first}{first.upper()}](?i:{'|'.join(rest)})" for first, rest in rests.items()
    )


@cache
def _start() -> re.Pattern[str]:
    """Return the pattern of where a figure may start."""
    of_time = "".join({word[0] for _, language, word in named_words("number") if language == "ko"})
    return re.compile(
        # Three fraction signs in a row are no number.
        r"(?P<ornament>[½¼¾⅓⅔⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒]{3,})"
        rf"|[0-9½¼¾⅓⅔⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒{IDEOGRAPHS}半]|(?<![\uac00-\ud7af])[{of_time}]"
        rf"|\b(?:(?P<link>https?://\S+|www\.\S+)|{_MONTH_FIRST}|{_A_UNIT}|{_OTHER_WORDS}|(?:{_by_first_letter(NUMBER_WORDS)})(?:fold)?\b)"
    )


_LIST_NUMBER: Final = re.compile(r"[0-9]{1,3}[.)](?=[ \t]+\S)")
_FOOTNOTE: Final = re.compile(r"[0-9]{1,3}(?:\s?[,;-]\s?[0-9]{1,3}){0,12}\s?\]")
_ENTITY: Final = re.compile(r"[0-9]{1,7};")


def raw_figures(text: str) -> Iterator[RawFigure]:
    """Yield the raw figures of a normalised text, in order; they do not overlap."""
    at = floor = 0
    start_of_figure = _start()
    while match := start_of_figure.search(text, at):
        start = match.start()
        if match["link"] or match["ornament"]:
            at = floor = match.end()
            continue
        end = _end_of_label(text, start) if text[start] <= "9" else None
        if end and not is_date_in_words(text, start):
            at = floor = end
            continue
        figure = read_raw_figure(text, start, floor)
        if isinstance(figure, RawFigure):
            if figure.values:
                figure.other_readings += possible_times(text, figure.start, figure.end)
            yield figure
            at = floor = max(figure.end, start + 1)
        else:
            at = figure or start + 1


def _end_of_label(text: str, start: int) -> int | None:
    before = text[start - 1] if start else "\n"
    if before in "\n \t(" and (match := _LIST_NUMBER.match(text, start)):
        line = text.rfind("\n", max(0, start - 10), start) + 1
        if (line or start < 10) and not text[line:start].strip(" \t(>"):
            return match.end()
    if before == "[" and (match := _FOOTNOTE.match(text, start)):
        words = ["", *text[max(0, start - 16) : start - 1].lower().split()]
        is_interval = words[-1].strip(",:=") in all_words("before an interval in brackets")
        return None if is_interval else match.end()
    is_entity = text[max(0, start - 2) : start] == "&#"
    match = _ENTITY.match(text, start) if is_entity else None
    return match and match.end()
