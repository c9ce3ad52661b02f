"""Reading one raw figure that begins with a word: "two thirds", "half an hour", "twice"."""

import re
from fractions import Fraction
from typing import Final

from groundtypes.figures.bounds import end_of_bound
from groundtypes.figures.clocks import TimeExpression
from groundtypes.figures.dates import read_century, read_date_of_ordinal, read_written_year
from groundtypes.figures.figure import Number, RawFigure, Reading, date
from groundtypes.figures.identifiers import read_roman_century, read_roman_number
from groundtypes.figures.notations import read_period_of_ordinal
from groundtypes.figures.number_units import (
    last_word,
    noun_after,
    take_rest,
    take_sign,
    take_unit,
    units_named,
)
from groundtypes.figures.numbers import SCALES, Phrase, read_phrase, scale_of_part, step_of
from groundtypes.figures.unit_expressions import read_unit
from groundtypes.words import all_words

#: Before these words "one" is a pronoun: "one of", "one who".
_PRONOUN_AFTER: Final = re.compile(
    r"(?:'s|\s(?:of|another|by\sone|who|whose|can|could|must|should|may|might|would|will|has|is|"
    r"or\sthe\sother|way|day|another's)\b)",
    re.IGNORECASE,
)
_UNIT_WORD: Final = re.compile(r"an?\s+([a-z]+)", re.IGNORECASE)
#: After "half" these make another word: "half-hearted", "half time".
_HALF_NAME: Final = re.compile(
    r"-(?!a\b|an\b)[a-z]|\s?(?:time|back|brother|sister|sibling|way)s?\b"
)
_ARTICLE: Final = re.compile(r"\b[aA]n?\s\Z")
_NAME_OF_UNIT: Final = re.compile(r"[\s-]([A-Za-z]{3,24})(?![A-Za-z])")
_FORTNIGHT: Final = re.compile(r"fortnight(?:ly)?\b", re.IGNORECASE)
_MULTIPLE: Final = re.compile(r"(?:twice|thrice|(?P<couple>couple of))\b", re.IGNORECASE)
_MULTIPLIED: Final = re.compile(
    r"(?P<verb>halv|doubl|tripl|trebl|quadrupl|quintupl)(?:ed|ing)\b"
    r"(?!\s(?:over|up|down|back|as|to\s(?:left|right|center))\b|-)",
    re.IGNORECASE,
)
_MULTIPLES: Final[dict[str, Number]] = {
    "halv": Fraction(1, 2), "doubl": 2, "tripl": 3, "trebl": 3, "quadrupl": 4, "quintupl": 5,
}  # fmt: skip
#: Something halved or doubled, as in a recipe, and no change.
_BEFORE_PARTICIPLE: Final = re.compile(r"(?:,|\b(?:an?|the|[0-9]+))\s\Z")
_AFTER_RANK: Final = re.compile(
    r"\s?(?:[.,;:!?)]|\Z)|\s(?:in|behind|after|overall|on|at|among|with)\b"
)
_RANKED_NOUN: Final = re.compile(
    r"\s(?:place|prize|edition|floor|largest|biggest|highest|most|best|oldest|fastest|division)\b"
)
_OF_A: Final = re.compile(r"[\s-](?:(?:of\s)?an?|of\sone)(?=[\s-])")
#: The scale of a label such as "Revenue (EUR million)" or "(million euros)" is no number.
_BRACKET: Final = re.compile(r"[(\[][^()\[\]0-9]{0,20}\Z")
_OF_LABEL: Final = re.compile(r"(?:\s[A-Za-z€$£]{1,12}){0,2}\s?[)\]]")
_TO_A: Final = re.compile(r"\bto\s(?:a|one)\s\Z")
_OF: Final = re.compile(r"\s+(?:of|were|are|have|to\s(?:a|one)\s(?:half|third|fifth))\b")


def from_time_expression(start: int, expression: TimeExpression) -> RawFigure:
    """Return a time expression that starts at `start` as a figure."""
    return RawFigure(
        start, expression.end, other_readings=expression.readings, bounds=expression.bounds
    )


def read_roman(text: str, start: int, floor: int) -> RawFigure | None:
    """Return the Roman number after a name or a numbered noun, or that of a century."""
    if found := read_roman_century(text, start, floor):
        return RawFigure(start, found[0], other_readings=(date("century", found[1]),))
    number = read_roman_number(text, start, floor)
    if number is None:
        return None
    end, value, name = number
    reading = Reading("identifier", f"{name}{value}")
    return RawFigure(start, end, (value,), other_readings=(reading,), is_year=False)


def read_words(text: str, start: int, floor: int) -> RawFigure | int | None:
    """Return the figure whose first word is at `start`, as `read_raw_figure` does."""
    if match := _UNIT_WORD.match(text, start):
        if match[1].lower() == "quarter":
            return match.start(1)
        figure = RawFigure(start, match.end(), (1,), units=units_named(match[1].lower()))
        take_rest(text, figure)
        figure.incidental = figure.values == (1,)
        return figure
    if match := _FORTNIGHT.match(text, start):  # "every fortnight"
        units = units_named("fortnight")
        return RawFigure(start, match.end(), (1,), units=units, incidental=True)
    if multiple := _multiple(text, start):
        return multiple
    if year := _written_year(text, start):
        return from_time_expression(start, year)
    phrase = read_phrase(text, start)
    if phrase is None:
        return None
    if phrase.words == 1 and (bound := end_of_bound(text, start, phrase.end)):
        return bound  # the "ten" of the Dutch "ten minste"
    if phrase.is_ordinal and (
        found := read_date_of_ordinal(text, start, phrase.end, int(phrase.value), floor)
    ):
        return from_time_expression(*found)
    if phrase.words == 1 and _is_not_figure(text, start, phrase):
        return phrase.end
    if phrase.is_ordinal:
        return _ordinal_word(text, start, phrase, floor)
    start = _with_article(text, start, floor)
    figure = RawFigure(start, phrase.end, (phrase.value,), step=step_of(phrase.value))
    if not phrase.is_fraction:
        take_sign(text, figure, floor)
    else:
        figure.step = Fraction(1, phrase.value.denominator)
        if scale := scale_of_part(text, figure.end):
            figure.end, figure.scale = scale  # "three quarters of a million"
        elif (of_a := _OF_A.match(text, figure.end)) and read_unit(text, of_a.end()):
            figure.end = of_a.end()  # "half an hour"
    take_unit(text, figure, None)
    is_plain = not figure.units and figure.scale == 1
    figure.incidental = phrase.words == 1 and phrase.value == 1 and is_plain
    figure.is_year = False
    return figure


def _written_year(text: str, start: int) -> TimeExpression | None:
    """Return "nineteen eighty-four", if no unit or noun follows that it may count."""
    year = read_written_year(text, start)
    if year is None or read_unit(text, year.end, known=True):
        return None
    before = last_word(text, start)
    is_year = before in all_words("before a year in words") or noun_after(text, year.end) is None
    return year if is_year and before != "at" else None  # "at sixteen thirty"


def _multiple(text: str, start: int) -> RawFigure | int | None:
    """Return "twice" and "doubled" as two times, and "a couple of" as about two.

    Of a halved avocado, it is where the search goes on.
    """
    if match := _MULTIPLIED.match(text, start):
        if _BEFORE_PARTICIPLE.search(text, max(0, start - 6), start):
            return match.end()
        value = _MULTIPLES[match["verb"].lower()]
        return RawFigure(start, match.end(), (value,), units=units_named("times"))
    match = _MULTIPLE.match(text, start)
    if match is None:
        return None
    if match["couple"]:
        figure = RawFigure(start, match.end(), (2,))
        take_unit(text, figure, None)
        figure.incidental = True
        return figure
    rate = read_unit(f"2 times{text[match.end() : match.end() + 30]}", 1)
    end, units = match.end(), units_named("times")
    if rate:
        end, units = end + rate.end - len("2 times"), rate.units
    return RawFigure(start, end, (3 if match[0].lower() == "thrice" else 2,), units=units)


def _is_not_figure(text: str, start: int, phrase: Phrase) -> bool:
    """Whether a single number word is not a figure here, such as the pronoun "one"."""
    word = text[start : phrase.end].lower()
    before = last_word(text, start)
    if word == "one":
        is_pronoun = _PRONOUN_AFTER.match(text, phrase.end) is not None
        return is_pronoun or before in all_words("before the pronoun one")
    if word == "half":
        is_name = _HALF_NAME.match(text, phrase.end) is not None
        is_name = is_name or before in all_words("before a half that is no number")
        return is_name and read_unit(text, phrase.end) is None  # "half-hour"
    if word == "quarter":
        if _is_before_unit(text, phrase.end):  # "a quarter teaspoon", "quarter of an hour"
            return before in all_words("before a quarter of a year")
        if before not in ("a", "one"):
            return True
        is_end = _TO_A.search(text, max(0, start - 7), start) is not None  # "a fifth to a quarter"
        return not (is_end or _OF.match(text, phrase.end))
    if phrase.is_ordinal:
        if text[phrase.end : phrase.end + 1] == "," and _is_sentence_start(text, start):
            return True  # "Second, ..." counts arguments
        return word == "second" and not _is_rank(text, phrase.end, before)
    if word in SCALES and before not in ("a", "per") and _OF_LABEL.match(text, phrase.end):
        return _BRACKET.search(text[max(0, start - 30) : start]) is not None
    return before in all_words("vague before a number")


def _is_rank(text: str, end: int, before: str) -> bool:
    """Whether a "second" that ends at `end` is an ordinal and not a length of time."""
    if before in all_words("before the ordinal second") or text[end : end + 1] == "-":
        return True
    if before in all_words("before a rank"):
        return _AFTER_RANK.match(text, end) is not None
    return _RANKED_NOUN.match(text, end) is not None


def _is_before_unit(text: str, end: int) -> bool:
    """Whether a fraction in words is one of a unit whose name follows: "mile", "of a mile"."""
    of_a = _OF_A.match(text, end)
    match = _NAME_OF_UNIT.match(text, of_a.end() if of_a else end)
    return match is not None and bool(units_named(match[1].lower()))


def _is_sentence_start(text: str, start: int) -> bool:
    before = text[max(0, start - 4) : start]
    return "\n" in before or before.rstrip()[-1:] in ("", ".", "!", "?", ":", ";")


def ordinal(text: str, start: int, end: int, number: int) -> RawFigure:
    """Return the ordinal between `start` and `end`, with the century or quarter that it counts."""
    if century := read_century(text, end, number):
        return RawFigure(start, century.end, other_readings=century.readings)
    if period := read_period_of_ordinal(text, end, number):
        ordinal = Reading("ordinal", number, number, partial=True)
        return RawFigure(start, period.end, other_readings=(*period.readings, ordinal))
    reading = Reading("ordinal", number, number)
    return RawFigure(start, end, other_readings=(reading,))


def _ordinal_word(text: str, start: int, phrase: Phrase, floor: int) -> RawFigure:
    """Return "third", or the part that "a third" is."""
    number = int(phrase.value)
    is_part = phrase.words == 1 and number > 2 and last_word(text, start) in ("a", "an")
    part = Fraction(1, number)
    begin = _with_article(text, start, floor) if is_part else start
    scale = scale_of_part(text, phrase.end) if is_part else None  # "a tenth of a million"
    of_a = _OF_A.match(text, phrase.end) if is_part else None  # "a third of a mile"
    if scale or (of_a and _is_before_unit(text, phrase.end)):
        end, factor = scale or (of_a.end() if of_a else phrase.end, 1)
        figure = RawFigure(begin, end, (part,), factor, step=part)
        take_unit(text, figure, None)
        figure.is_year = False
        return figure
    figure = ordinal(text, start, phrase.end, number)
    is_first = phrase.words == 1 and number == 1
    figure.incidental = is_first and figure.other_readings[0].kind == "ordinal"
    if is_part:
        kept = () if _OF.match(text, phrase.end) else figure.other_readings
        figure.other_readings = (*kept, Reading("number", part, part))
        figure.step, figure.start = part, begin
    return figure


def _with_article(text: str, start: int, floor: int) -> int:
    """Return where "a hundred" starts, so that the words before its article are seen."""
    match = _ARTICLE.search(text, max(floor, start - 3), start)
    return match.start() if match else start
