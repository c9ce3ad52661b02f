"""Reading one raw figure: a number with its sign, scale, unit or noun, a date, an identifier."""

import re
from fractions import Fraction
from typing import Final

from groundtypes.figures.clocks import TimeExpression, read_clock_words, read_military
from groundtypes.figures.dates import date, read_century, read_time_expression
from groundtypes.figures.figure import Reading, simplify
from groundtypes.figures.identifiers import attached_prefix, name_before, read_identifier
from groundtypes.figures.measure import Measure, Unit, unit_of
from groundtypes.figures.measures import money_before, noun_after, read_scale
from groundtypes.figures.notations import feet_and_inches, iso_duration, roman_number
from groundtypes.figures.number_words import Phrase, read_phrase
from groundtypes.figures.numerals import read_numeral, step_of
from groundtypes.figures.periods import read_period, read_period_of_ordinal
from groundtypes.figures.raw_figure import RawFigure
from groundtypes.figures.unit_expressions import read_rate, read_unit
from groundtypes.figures.units import meanings

__all__ = ["read_raw_figure"]

_ORDINAL_ENDING: Final = re.compile(r"\s?(?:st|nd|rd|th|ST|ND|RD|TH)(?![A-Za-z0-9])")
#: After these words a number of four digits is a year.
_BEFORE_YEAR: Final = frozenset(
    "in since during from until till by after before of for circa c. early late mid year "
    "january february march april may june july august september october november december "
    "spring summer autumn fall winter and".split()
)
_LAST_WORD: Final = re.compile(r"([A-Za-z.']+)[\s(-]*\Z")
_ERA_BEFORE: Final = re.compile(r"\b(?:AD|A\.D\.|CE)\s?\Z")
#: Before these words "one" is a pronoun: "one of", "one who".
_PRONOUN_AFTER: Final = re.compile(
    r"(?:'s|\s(?:of|another|by\sone|who|whose|can|could|must|should|may|might|would|will|has|is|"
    r"or\sthe\sother|way|day|another's)\b)",
    re.IGNORECASE,
)
#: After these words "one" is a pronoun: "no one", "this one".
_PRONOUN_BEFORE: Final = frozenset(
    "no any every some this that the which each another such only good other last".split()
)
#: After these words a number word is vague: "several hundred".
_VAGUE: Final = frozenset("several few many".split())
#: After these words "half" names a part and not a number: "the first half".
_BEFORE_HALF: Final = frozenset(
    "first second latter other better former final opening 1st 2nd".split()
)
#: After these words "second" is an ordinal and not a length of time.
_BEFORE_SECOND: Final = frozenset(
    "the his her its their my our your this that every finished came placed ranked in".split()
)
_UNIT_WORD: Final = re.compile(r"an?\s+([a-z]+)", re.IGNORECASE)
#: After "half" these make another word: "half-hearted", "half time".
_HALF_NAME: Final = re.compile(
    r"-(?!a\b|an\b)[a-z]|\s?(?:time|back|brother|sister|sibling|way)s?\b"
)
_ARTICLE: Final = re.compile(r"\b[aA]\s")
#: A telephone number, an ISBN and the like.
_HYPHENATED_DIGITS: Final = re.compile(r"[0-9]{1,20}(?:-[0-9]{1,20}){2,8}(?![0-9])")
#: What begins a notation of several numbers.
_NOTATION: Final = re.compile(
    r"[0-9]{1,3}(?:\.[0-9]{1,3})?½?\s?(?P<mark>['\"′″]|°\s?[0-9]|-?(?:ft|foot|feet)[\s.-]{0,2}[0-9])"
    r"|(?:[1-4]|(?:19|20)[0-9]{2}[\s-]?)(?P<letter>[QH])(?:[0-9]|\b)"
    r"|0[0-9]{3}\s?(?P<hours>h)|[0-9]{4}(?P<zulu>Z\b)"
)
_OF_A: Final = re.compile(r"[\s-](?:of\s)?an?(?=[\s-])")
_OF: Final = re.compile(r"\s+of\b")


def read_raw_figure(text: str, start: int, floor: int) -> RawFigure | int | None:
    """Return the figure whose first digit, fraction character or word is at `start`.

    Nothing before `floor` belongs to it. Where there is no figure, the result is `None` or the
    offset at which the search goes on.
    """
    first = text[start]
    if not first.isalpha():
        return _in_digits(text, start, floor)
    if first in "IVXL" and not text[start + 1 : start + 2].islower():
        return _roman(text, start, floor)
    if first in "fF" and (expression := read_period(text, start)):
        return _from_time_expression(start, expression)
    if expression := read_clock_words(text, start):
        return _from_time_expression(start, expression)
    if first.isupper() and (expression := read_time_expression(text, start)):
        return _from_time_expression(start, expression)
    return _in_words(text, start, floor)


def _roman(text: str, start: int, floor: int) -> RawFigure | None:
    """Return the Roman number after a name."""
    name = name_before(text, start, floor)
    number = roman_number(text, start, name) if name else None
    if number is None:
        return None
    end, value = number
    reading = Reading("identifier", f"{name}{value}")
    return RawFigure(start, end, (value,), other_readings=(reading,), is_year=False)


def _in_digits(text: str, start: int, floor: int) -> RawFigure:
    """Return the figure whose first digit is at `start`; a name with digits is an identifier."""
    prefix = attached_prefix(text, start, floor) if start > floor else None
    if prefix is not None and prefix.is_name:
        return _in_period(text, prefix.start) or _identifier(text, prefix.start, start)
    money = money_before(text, floor, start)
    if money is None and (figure := _in_notation(text, start)):
        return figure
    expression = None if money else read_time_expression(text, start)
    if expression is not None:
        if expression.end < len(text) and _is_inside_word(text, expression.end):
            return _identifier(text, start, start)
        return _from_time_expression(start, expression)
    if match := _HYPHENATED_DIGITS.match(text, start):
        reading = Reading("identifier", match[0].replace("-", ""))
        return RawFigure(start, match.end(), other_readings=(reading,))
    numeral = read_numeral(text, start)
    if not numeral.values:
        if len(numeral.literal) > 60 or "e" in numeral.literal.lower() or "^" in numeral.literal:
            # It is too large to compute with, so it is compared as it is written.
            reading = Reading("identifier", numeral.literal)
            return RawFigure(start, numeral.end, other_readings=(reading,))
        return _identifier(text, start, start)
    figure = RawFigure(start, numeral.end, numeral.values, step=numeral.step)
    figure.parts = [_part(text, *span) for span in numeral.parts]
    _take_sign(text, figure, floor)
    if ending := _ORDINAL_ENDING.match(text, figure.end):
        return _ordinal(text, start, ending.end(), int(numeral.values[-1]))
    if not _take_unit(text, figure, money):
        return _identifier(text, start, start)
    if prefix is not None:  # "top-10", "covid-19": a number, or a name
        figure.other_readings = (Reading("identifier", prefix.key + numeral.literal),)
    _take_name(text, figure, numeral.literal, floor)
    return figure


def _in_period(text: str, start: int) -> RawFigure | None:
    """Return "Q3 2023" or the duration "PT1H30M", whose first letter is at `start`."""
    if text[start] in "QHF" and (expression := read_period(text, start)):
        return _from_time_expression(start, expression)
    if text[start] == "P" and (duration := iso_duration(text, start)):
        return RawFigure(start, duration[0], other_readings=duration[1])
    return None


def _in_notation(text: str, start: int) -> RawFigure | None:
    """Return `5'10"`, "3Q23", "2023 Q3" or "0930 hours", whose first digit is at `start`."""
    if match := _NOTATION.match(text, start):
        if match["letter"] and (expression := read_period(text, start)):
            return _from_time_expression(start, expression)
        if match["mark"] and (length := feet_and_inches(text, start)):
            end, value, units = length
            return RawFigure(start, end, (simplify(value),), units=units, step=Fraction(1, 12))
        if match["hours"] and (expression := read_military(text, start)):
            return _from_time_expression(start, expression)
    return None


def _part(text: str, start: int, end: int) -> RawFigure:
    value = int(text[start:end])
    return RawFigure(start, end, (value,), step=step_of(value))


def _from_time_expression(start: int, expression: TimeExpression) -> RawFigure:
    return RawFigure(
        start, expression.end, other_readings=expression.readings, bounds=expression.bounds
    )


def _is_inside_word(text: str, end: int) -> bool:
    """Whether letters follow the last digit directly, as in a product code."""
    return text[end].isalpha() and text[end - 1].isdigit()


def _identifier(text: str, start: int, digit: int) -> RawFigure:
    identifier = read_identifier(text, start, digit)
    readings = tuple(Reading("identifier", key) for key in identifier.keys)
    return RawFigure(start, identifier.end, other_readings=readings)


def _take_sign(text: str, figure: RawFigure, floor: int) -> None:
    """Take a sign or a leading decimal point into the number."""
    at = figure.start - 1
    if at < floor or (floor and not text[floor:at].strip()):
        return  # the hyphen of a range is not a minus sign
    before = text[at - 1] if at else " "
    if text[at] == "." and not before.isdigit() and text[figure.start : figure.end].isdigit():
        value = Fraction(int(figure.values[0]), 10 ** (figure.end - figure.start))
        step = Fraction(1, 10 ** (figure.end - figure.start))
        is_joined = before.isalpha()  # "no.1" may be 1, and "of.257" is 0.257
        figure.values = (value, *figure.values) if is_joined else (value,)
        figure.step = step
        if not is_joined:
            figure.start = at
    elif text[at] in "-+" and (before.isspace() or before in "([=:<>≤≥~≈,|/\"'"):
        if text[at] == "-":
            figure.values = tuple(-value for value in figure.values)
        figure.start = at


def _take_unit(text: str, figure: RawFigure, money: tuple[int, tuple[Measure, ...]] | None) -> bool:
    """Take scale, unit and noun; return whether what follows can follow a number."""
    is_attached = figure.end < len(text) and (text[figure.end].isalpha() or text[figure.end] == "_")
    scale = read_scale(text, figure.end, money=money is not None)
    end = figure.end if scale is None else scale.end
    unit = read_unit(text, end) if money is None else read_rate(text, end, money[1])
    units, end = (unit.units, unit.end) if unit else ((), end)
    if is_attached and end == figure.end:
        return False
    if scale is not None:
        figure.scale = scale.factor
        if scale.units and not units and money is None:
            # "1.2m" is 1.2 metres or 1.2 million.
            in_base_unit = [value * unit.factor for value in figure.values for unit in scale.units]
            figure.other_readings += tuple(
                Reading(scale.units[0].kind, base_value, value, scale.units[0].factor)
                for base_value, value in zip(in_base_unit, figure.values, strict=True)
            )
    figure.end = end
    if money is not None:
        figure.start = money[0]
        figure.units = units or tuple(unit_of(item, item.symbol) for item in money[1])
        if (
            text[figure.start - 1 : figure.start] == "-"
            and not text[: figure.start - 1][-1:].isalnum()
        ):
            figure.start -= 1
            figure.values = tuple(-value for value in figure.values)
    else:
        figure.units = units
    if not figure.units:
        figure.noun = noun_after(text, figure.end)
        _decide_year(text, figure)
    return True


def _decide_year(text: str, figure: RawFigure) -> None:
    """Decide whether a number of four digits is a year, from the words around it."""
    if _ERA_BEFORE.search(text[max(0, figure.start - 6) : figure.start]):
        figure.other_readings = (date("year", int(figure.values[0])),)
        figure.values = ()
    if (
        figure.end - figure.start != 4
        or figure.scale != 1
        or not (figure.values and figure.values[0] >= 1000)
    ):
        return
    word = _last_word(text, figure.start)
    if word in _BEFORE_YEAR:
        figure.is_year = True if figure.noun is None and figure.values[0] < 2200 else None
    elif figure.noun is not None:
        figure.is_year = False


def _last_word(text: str, start: int) -> str:
    """Return the word before an offset in lower case, or `""`."""
    match = _LAST_WORD.search(text[max(0, start - 16) : start])
    return match[1].lower() if match else ""


def _take_name(text: str, figure: RawFigure, literal: str, floor: int) -> None:
    """Add the readings of a number after a name: "Python 3.11", "Apollo 11"."""
    if figure.units or figure.scale != 1 or "," in literal or not figure.values:
        return
    is_dotted = "." in literal and literal.replace(".", "").isdigit()
    name = name_before(text, figure.start, floor)
    if name:
        figure.other_readings += (Reading("identifier", name + literal),)
    if is_dotted and min(figure.values) >= 0:
        figure.other_readings += (Reading("label", literal),)
        if name:
            figure.values = ()


def _ordinal(text: str, start: int, end: int, number: int) -> RawFigure:
    if century := read_century(text, end, number):
        return RawFigure(start, century.end, other_readings=century.readings)
    if period := read_period_of_ordinal(text, end, number):
        ordinal = Reading("ordinal", number, number, partial=True)
        return RawFigure(start, period.end, other_readings=(*period.readings, ordinal))
    reading = Reading("ordinal", number, number)
    return RawFigure(start, end, other_readings=(reading,))


def _units(name: str) -> tuple[Unit, ...]:
    return tuple(unit_of(item, item.symbol) for item in meanings(name))


def _in_words(text: str, start: int, floor: int) -> RawFigure | int | None:
    """Return the figure whose first word is at `start`, as `read_raw_figure` does."""
    if text[start] in "aA" and (match := _UNIT_WORD.match(text, start)):
        if text[match.start(1) : match.end()].lower() == "quarter":
            return match.start(1)
        return RawFigure(start, match.end(), (1,), units=_units(match[1].lower()), incidental=True)
    phrase = read_phrase(text, start)
    if phrase is None:
        return None
    if phrase.words == 1 and _is_not_figure(text, start, phrase):
        return phrase.end
    if phrase.is_ordinal:
        return _ordinal_word(text, start, phrase, floor)
    start = _with_article(text, start, floor)
    figure = RawFigure(start, phrase.end, (phrase.value,), step=step_of(phrase.value))
    if phrase.is_fraction:
        figure.step = Fraction(1, phrase.value.denominator)
        if (of_a := _OF_A.match(text, figure.end)) and read_unit(text, of_a.end()):
            figure.end = of_a.end()  # "half an hour"
    _take_unit(text, figure, None)
    is_plain = not figure.units and figure.scale == 1
    figure.incidental = phrase.words == 1 and phrase.value == 1 and is_plain
    figure.is_year = False
    return figure


def _is_not_figure(text: str, start: int, phrase: Phrase) -> bool:
    """Whether a single number word is not a figure here, such as the pronoun "one"."""
    word = text[start : phrase.end].lower()
    before = _last_word(text, start)
    if word == "one":
        return before in _PRONOUN_BEFORE or _PRONOUN_AFTER.match(text, phrase.end) is not None
    if word == "half":
        if read_unit(text, phrase.end) is not None:  # "half-hour"
            return False
        return before in _BEFORE_HALF or _HALF_NAME.match(text, phrase.end) is not None
    if word == "quarter":
        return before not in ("a", "one") or not _OF.match(text, phrase.end)
    if phrase.is_ordinal:
        if text[phrase.end : phrase.end + 1] == "," and _is_sentence_start(text, start):
            return True  # "Second, ..." counts arguments
        return (
            word == "second"
            and before not in _BEFORE_SECOND
            and text[phrase.end : phrase.end + 1] != "-"
        )
    return before in _VAGUE


def _is_sentence_start(text: str, start: int) -> bool:
    before = text[max(0, start - 4) : start].rstrip()
    return (
        (start < 4 and not before)
        or before[-1:] in (".", "!", "?", ":", ";")
        or "\n" in (text[max(0, start - 4) : start])
    )


def _ordinal_word(text: str, start: int, phrase: Phrase, floor: int) -> RawFigure:
    number = int(phrase.value)
    figure = _ordinal(text, start, phrase.end, number)
    figure.incidental = (
        phrase.words == 1 and number == 1 and figure.other_readings[0].kind == "ordinal"
    )
    if phrase.words == 1 and number > 2 and _last_word(text, start) == "a":
        fraction = Fraction(1, number)  # "a third"
        if _OF.match(text, phrase.end):
            figure.other_readings = ()
        figure.other_readings += (Reading("number", fraction, fraction),)
        figure.step = fraction
        figure.start = _with_article(text, start, floor)
    return figure


def _with_article(text: str, start: int, floor: int) -> int:
    """Return where "a hundred" starts, so that the words before its article are seen."""
    at = start - 2
    return at if at >= floor and _ARTICLE.match(text, at) else start
