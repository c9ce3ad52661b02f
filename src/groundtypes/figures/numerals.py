"""Numbers written in digits: separators of several locales, powers of ten, simple fractions."""

import re
from fractions import Fraction
from typing import Final, NamedTuple

from groundtypes.figures.figure import Number, simplify

#: A number with more digits is compared as it is written, so that no text costs much arithmetic.
_MOST_DIGITS: Final = 60
#: A number with a larger power of ten is compared as it is written, too.
_MOST_POWER: Final = 300

_RUN: Final = re.compile(r"[0-9]+(?:[.,'][0-9]+)*")
_SPACED: Final = re.compile(
    r"[1-9][0-9]{0,2}(?: [0-9]{3}){1,6}(?:[.,][0-9]{1,2})?(?![0-9]|[.,'][0-9]| [0-9]{3}(?![0-9]))"
)
_COMMAS: Final = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_INDIAN: Final = re.compile(r"[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}(?:\.[0-9]+)?")
_POINTS: Final = re.compile(r"[1-9][0-9]{0,2}(?:\.[0-9]{3})+(?:,[0-9]+)?")
_APOSTROPHES: Final = re.compile(r"[1-9][0-9]{0,2}(?:'[0-9]{3})+(?:[.,][0-9]+)?")
_DECIMAL: Final = re.compile(r"[0-9]+\.[0-9]+")
_DECIMAL_COMMA: Final = re.compile(r"(?:0,[0-9]+|[0-9]+,[0-9]{1,2})")
_POWER: Final = re.compile(
    r"(?:[eE](?P<e>[+-]?[0-9]+)|\s?[×xX*·]\s?10(?:\^\{?(?P<caret>[+-]?[0-9]+)\}?|(?P<flat>\ue000[0-9]{1,2})|"
    r"(?P<super>[\u207a\u207b]?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+)))(?![0-9A-Za-z])"
)
_POWER_OF_TEN: Final = re.compile(
    r"(?:\^\{?(?P<caret>[+-]?[0-9]+)\}?|(?P<flat>\ue000[0-9]{1,2})|(?P<super>[\u207a\u207b]?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+))"
)
_SUPERSCRIPTS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻\ue000", "0123456789+--")
SLASHED: Final = re.compile(r"([0-9]{1,6})\s?/\s?([0-9]{1,6})(?![0-9/]|[.,][0-9])")
_MIXED: Final = re.compile(r"([0-9]{1,6})[ -]([0-9]{1,3})\s?/\s?([0-9]{1,4})(?![0-9/]|[.,][0-9])")
_FRACTIONS: Final = {
    "½": Fraction(1, 2), "¼": Fraction(1, 4), "¾": Fraction(3, 4), "⅓": Fraction(1, 3),
    "⅔": Fraction(2, 3), "⅕": Fraction(1, 5), "⅖": Fraction(2, 5), "⅗": Fraction(3, 5),
    "⅘": Fraction(4, 5), "⅙": Fraction(1, 6), "⅚": Fraction(5, 6), "⅐": Fraction(1, 7),
    "⅛": Fraction(1, 8), "⅜": Fraction(3, 8), "⅝": Fraction(5, 8), "⅞": Fraction(7, 8),
    "⅑": Fraction(1, 9), "⅒": Fraction(1, 10),
}  # fmt: skip


class Numeral(NamedTuple):
    """A number in digits.

    Attributes:
        end: Where it ends in the text.
        literal: The number as it is written.
        values: What it may mean; empty where it is only a label, such as 3.11.2.
        step: The place value of the last non-zero digit: 100 for 1,200, 1/10 for 2.5; for a
            fraction, 1 divided by its denominator.
        parts: Start and end of each number that it consists of, where it may be several numbers
            instead of one: "12 345" in a table.
    """

    end: int
    literal: str
    values: tuple[Number, ...]
    step: Number = 1
    parts: tuple[tuple[int, int], ...] = ()


def read_numeral(text: str, start: int) -> Numeral:
    """Return the number whose first digit or fraction character is at `start`."""
    if text[start] in _FRACTIONS:
        value = _FRACTIONS[text[start]]
        return Numeral(start + 1, text[start], (value,), Fraction(1, value.denominator))
    has_slash = "/" in text[start : start + 12]
    if has_slash and (match := _MIXED.match(text, start)):
        integer, above, below = map(int, match.groups())
        if 0 < above < below:
            step = Fraction(1, below)
            return Numeral(match.end(), match[0], (integer + Fraction(above, below),), step)
    if has_slash and (match := SLASHED.match(text, start)):
        above, below = map(int, match.groups())
        if below:
            # "24/7" is two numbers, "3/4" is one
            parts = (match.span(1), match.span(2)) if above > below else ()
            value = Fraction(above, below)
            return Numeral(match.end(), match[0], (value,), Fraction(1, below), parts)
    numeral = _grouped(text, start) or _plain(text, start)
    return _with_power(text, start, numeral) if numeral.values else numeral


def _grouped(text: str, start: int) -> Numeral | None:
    """Return a number whose groups of three digits are separated by spaces."""
    match = _SPACED.match(text, start)
    if match is None or len(match[0]) > _MOST_DIGITS:
        return None
    groups = tuple(group.span() for group in re.finditer(r"[0-9]+", match[0]))
    digits, _, rest = match[0].replace(",", ".").partition(".")
    value = _decimal(digits.replace(" ", ""), rest)
    parts = tuple((start + first, start + last) for first, last in groups)
    return Numeral(match.end(), match[0], (value,), step_of(value), parts)


def _plain(text: str, start: int) -> Numeral:
    match = _RUN.match(text, start)
    run = match[0] if match else text[start]
    if len(run) > _MOST_DIGITS:
        return Numeral(start + len(run), run, ())
    if not run.isdigit():
        run = _first_number(run)
    end = start + len(run)
    if run.isdigit():
        value = int(run)
        numeral = Numeral(end, run, (value,), step_of(value))
        space = 1 if text[end : end + 1] == " " else 0
        if (sign := text[end + space : end + space + 1]) in _FRACTIONS:
            part = _FRACTIONS[sign]
            end += space
            return Numeral(
                end + 1, text[start : end + 1], (value + part,), Fraction(1, part.denominator)
            )
        return numeral
    values = _values(run)
    if not values:
        return Numeral(end, run, ())
    point = max(run.rfind("."), run.rfind(","))
    decimals = len(run) - point - 1
    step = Fraction(1, 10**decimals) if values[0] != int(values[0]) else step_of(values[0])
    return Numeral(end, run, values, step)


def _first_number(run: str) -> str:
    """Return the run of digits, or the first number of a list that is written without spaces."""
    if "'" in run and not _APOSTROPHES.fullmatch(run):
        return _first_number(run[: run.index("'")])
    notations = (_COMMAS, _INDIAN, _POINTS, _APOSTROPHES, _DECIMAL_COMMA)
    if "," in run and not any(notation.fullmatch(run) for notation in notations):
        return _first_number(run[: run.index(",")])
    return run


def _values(run: str) -> tuple[Number, ...]:
    """Return what a run of digits and separators may mean; nothing for a label such as 3.11.2."""
    if _COMMAS.fullmatch(run) or _INDIAN.fullmatch(run):
        digits, _, rest = run.replace(",", "").partition(".")
        return (_decimal(digits, rest),)
    if _APOSTROPHES.fullmatch(run):
        digits, _, rest = run.replace("'", "").replace(",", ".").partition(".")
        return (_decimal(digits, rest),)
    if _POINTS.fullmatch(run):
        digits, _, rest = run.replace(".", "").partition(",")
        grouped = _decimal(digits, rest)
        if run.count(".") == 1 and not rest:
            return (_decimal(*run.split(".")), grouped)
        return (grouped,)
    if _DECIMAL.fullmatch(run) or _DECIMAL_COMMA.fullmatch(run):
        return (_decimal(*re.split("[.,]", run)),)
    return (int(run),) if run.isdigit() else ()


def _decimal(digits: str, decimals: str) -> Number:
    return simplify(Fraction(int(digits + decimals), 10 ** len(decimals)))


def _with_power(text: str, start: int, numeral: Numeral) -> Numeral:
    """Return the number with the power of ten that follows it."""
    match = _POWER.match(text, numeral.end)
    values = numeral.values
    if match is None and numeral.literal == "10":
        match = _POWER_OF_TEN.match(text, numeral.end)
        values = (1,)
    if match is None:
        return numeral
    digits = next(filter(None, match.groups())).translate(_SUPERSCRIPTS)
    literal = text[start : match.end()]
    if len(digits) > 5 or abs(int(digits)) > _MOST_POWER:
        return Numeral(match.end(), literal, ())
    scale = Fraction(10) ** int(digits)
    scaled = tuple(simplify(value * scale) for value in values)
    return Numeral(match.end(), literal, scaled, simplify(numeral.step * scale))


def step_of(value: Number) -> Number:
    """Return the place value of the last non-zero digit: 100 for 1,200, 1/10 for 2.5."""
    if value.denominator != 1:
        part = Fraction(1, 10)
        while (value / part).denominator != 1 and part > Fraction(1, 10**9):
            part /= 10
        return part
    digits, step = int(value), 1
    while digits and digits % 10 == 0:
        digits //= 10
        step *= 10
    return step
