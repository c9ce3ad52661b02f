"""One figure at one place: a number with its sign, scale, unit or noun, a date, an identifier."""

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from groundtypes.figures.dates import date, read_century, read_moment
from groundtypes.figures.figure import Number, Reading, whole
from groundtypes.figures.measures import money_before, noun_after, read_scale, read_unit
from groundtypes.figures.names import Token, glued_left, glued_right, named
from groundtypes.figures.numerals import read_numeral, step_of
from groundtypes.figures.units import UNITS, Unit
from groundtypes.figures.words import Phrase, read_phrase

__all__ = ["Atom", "read_atom"]

_ORDINAL_ENDING: Final = re.compile(r"\s?(?:st|nd|rd|th|ST|ND|RD|TH)(?![A-Za-z0-9])")
_BEFORE_YEAR: Final = frozenset(
    "in since during from until till by after before of for circa c. early late mid year "
    "january february march april may june july august september october november december "
    "spring summer autumn fall winter and".split()
)
_LAST_WORD: Final = re.compile(r"([A-Za-z.']+)[\s(-]*\Z")
_ERA_BEFORE: Final = re.compile(r"\b(?:AD|A\.D\.|CE)\s?\Z")
_PRONOUN_AFTER: Final = re.compile(
    r"(?:'s|\s(?:of|another|by\sone|who|whose|can|could|must|should|may|might|would|will|has|is|"
    r"or\sthe\sother|way|day|another's)\b)",
    re.IGNORECASE,
)
_NOT_ONE: Final = frozenset(
    "no any every some this that the which each another such only good other last".split()
)
_NOT_COUNTED: Final = frozenset("several few many".split())
_HALVES: Final = frozenset("first second latter other better former final opening 1st 2nd".split())
_BEFORE_SECOND: Final = frozenset(
    "the his her its their my our your this that every finished came placed ranked in".split()
)
_UNIT_WORD: Final = re.compile(r"an?\s+([a-z]+)", re.IGNORECASE)
_HALF_NAME: Final = re.compile(
    r"-(?!a\b|an\b)[a-z]|\s?(?:time|back|brother|sister|sibling|way)s?\b"
)
_ARTICLE: Final = re.compile(r"\b[aA]\s")
_CHAIN: Final = re.compile(r"[0-9]{1,20}(?:-[0-9]{1,20}){2,8}(?![0-9])")
_OF_A: Final = re.compile(r"[\s-](?:of\s)?an?(?=[\s-])")
_OF: Final = re.compile(r"\s+of\b")


@dataclass(slots=True)
class Atom:
    """A figure in the making; it becomes a `Figure` when its neighbours are known."""

    start: int
    end: int
    values: tuple[Number, ...] = ()
    scale: Number = 1
    units: tuple[Unit, ...] = ()
    #: What needs no unit: dates, ordinals, identifiers.
    fixed: tuple[Reading, ...] = ()
    step: Number = 1
    noun: str | None = None
    slight: bool = False
    #: Whether a bare number of four digits is a year, if that is known.
    year: bool | None = None
    ends: "tuple[Reading, Reading] | None" = None
    parts: "list[Atom]" = field(default_factory=list)

    @property
    def bare(self) -> bool:
        """Whether it is a number and nothing else."""
        return bool(self.values) and not self.units and self.scale == 1 and self.noun is None

    def readings(self) -> tuple[Reading, ...]:
        """Return what it may mean."""
        found: list[Reading] = []
        for value in self.values:
            written = whole(value * self.scale)
            found.extend(
                Reading(unit.kind, whole(written * unit.factor + unit.offset), written, unit.factor)
                for unit in self.units
            )
            if not self.units and self.year is not True:
                found.append(Reading("count" if self.noun else "number", written, written))
            if not self.units and self.year is not False and self._may_be_year(value):
                found.append(date("year", int(value)))
        return tuple(dict.fromkeys((*found, *self.fixed)))

    def _may_be_year(self, value: Number) -> bool:
        return (
            self.scale == 1
            and value.denominator == 1
            and self.end - self.start == 4
            and (1000 <= value < 2200)
        )


def read_atom(text: str, start: int, floor: int) -> Atom | int | None:
    """Return the figure whose first digit, sign of a fraction or word stands at `start`.

    Nothing before `floor` belongs to it. A number is where to go on: what stands there is none.
    """
    first = text[start]
    if not first.isalpha():
        return _in_digits(text, start, floor)
    if first.isupper() and (moment := read_moment(text, start)):
        return Atom(start, moment.end, fixed=moment.readings, ends=moment.ends)
    return _in_words(text, start, floor)


def _in_digits(text: str, start: int, floor: int) -> Atom | int | None:
    left = glued_left(text, start, floor) if start > floor else None
    if left is not None and left.name:
        return _identifier(text, left.start, start)
    money = money_before(text, floor, start)
    moment = None if money else read_moment(text, start)
    if moment is not None:
        atom = Atom(start, moment.end, fixed=moment.readings, ends=moment.ends)
        return (
            atom
            if atom.end == len(text) or not _word_goes_on(text, atom.end)
            else _identifier(text, start, start)
        )
    if match := _CHAIN.match(text, start):  # a telephone number, an ISBN
        return Atom(start, match.end(), fixed=(Reading("identifier", match[0].replace("-", "")),))
    numeral = read_numeral(text, start)
    if not numeral.values:
        if len(numeral.literal) > 60 or "e" in numeral.literal.lower() or "^" in numeral.literal:
            return Atom(start, numeral.end, fixed=(Reading("identifier", numeral.literal),))
        return _identifier(text, start, start)
    atom = Atom(start, numeral.end, numeral.values, step=numeral.step)
    atom.parts = [_part(text, *span) for span in numeral.parts]
    _take_sign(text, atom, floor)
    if ending := _ORDINAL_ENDING.match(text, atom.end):
        return _ordinal(text, start, ending.end(), int(numeral.values[-1]))
    if not _take_unit(text, atom, money):
        return _identifier(text, start, start)
    if left is not None:  # "top-10", "covid-19": a number, or a name
        atom.fixed = (Reading("identifier", left.key + numeral.literal),)
    _take_name(text, atom, numeral.literal, floor)
    return atom


def _part(text: str, start: int, end: int) -> Atom:
    value = int(text[start:end])
    return Atom(start, end, (value,), step=step_of(value))


def _word_goes_on(text: str, end: int) -> bool:
    return text[end].isalpha() and text[end - 1].isdigit()


def _identifier(text: str, start: int, digit: int) -> Atom:
    token: Token = glued_right(text, start, digit)
    return Atom(start, token.end, fixed=tuple(Reading("identifier", key) for key in token.keys))


def _take_sign(text: str, atom: Atom, floor: int) -> None:
    """Take a sign or a leading decimal point into the number."""
    at = atom.start - 1
    if at < floor or (floor and not text[floor:at].strip()):
        return  # what joins this number to the one before it is no sign
    before = text[at - 1] if at else " "
    if text[at] == "." and not before.isdigit() and text[atom.start : atom.end].isdigit():
        value = Fraction(int(atom.values[0]), 10 ** (atom.end - atom.start))
        step = Fraction(1, 10 ** (atom.end - atom.start))
        joined = before.isalpha()  # "no.1", "of.257"
        atom.values = (value, *atom.values) if joined else (value,)
        atom.step = step
        if not joined:
            atom.start = at
    elif text[at] in "-+" and (before.isspace() or before in "([=:<>≤≥~≈,|/\"'"):
        if text[at] == "-":
            atom.values = tuple(-value for value in atom.values)
        atom.start = at


def _take_unit(text: str, atom: Atom, money: tuple[int, tuple[Unit, ...]] | None) -> bool:
    """Take scale, unit and noun; say whether what stands there can follow a number."""
    glued = atom.end < len(text) and (text[atom.end].isalpha() or text[atom.end] == "_")
    scale = read_scale(text, atom.end, money=money is not None)
    units: tuple[Unit, ...] = ()
    end = atom.end
    if scale is not None:
        end = scale.end
        unit = read_unit(text, end)
        units, end = (unit.units, unit.end) if unit else ((), end)
    else:
        unit = read_unit(text, end)
        units, end = (unit.units, unit.end) if unit else ((), end)
    if glued and end == atom.end:
        return False
    if scale is not None:
        atom.scale = scale.factor
        if scale.unit and not units and money is None:
            # "1.2m" is 1.2 metres or 1.2 million.
            written = [value * unit.factor for value in atom.values for unit in scale.unit]
            atom.fixed += tuple(
                Reading(scale.unit[0].kind, one, value, scale.unit[0].factor)
                for one, value in zip(written, atom.values, strict=True)
            )
    atom.end = end
    if money is not None:
        atom.start, atom.units = money[0], money[1]
        if text[atom.start - 1 : atom.start] == "-" and not text[: atom.start - 1][-1:].isalnum():
            atom.start -= 1
            atom.values = tuple(-value for value in atom.values)
    else:
        atom.units = units
    if not atom.units:
        atom.noun = noun_after(text, atom.end)
        _weigh_year(text, atom)
    return True


def _weigh_year(text: str, atom: Atom) -> None:
    """Find out whether a number of four digits is a year."""
    if _ERA_BEFORE.search(text[max(0, atom.start - 6) : atom.start]):
        atom.fixed = (date("year", int(atom.values[0])),)
        atom.values = ()
    if (
        atom.end - atom.start != 4
        or atom.scale != 1
        or not (atom.values and atom.values[0] >= 1000)
    ):
        return
    word = _last_word(text, atom.start)
    if word in _BEFORE_YEAR:
        atom.year = True if atom.noun is None and atom.values[0] < 2200 else None
    elif atom.noun is not None:
        atom.year = False


def _last_word(text: str, start: int) -> str:
    match = _LAST_WORD.search(text[max(0, start - 16) : start])
    return match[1].lower() if match else ""


def _take_name(text: str, atom: Atom, literal: str, floor: int) -> None:
    """Take a name before the number into account: "Python 3.11", "Apollo 11"."""
    if atom.units or atom.scale != 1 or "," in literal or not atom.values:
        return
    dotted = "." in literal and literal.replace(".", "").isdigit()
    name = named(text, atom.start, floor)
    if name:
        atom.fixed += (Reading("identifier", name + literal),)
    if dotted and min(atom.values) >= 0:
        atom.fixed += (Reading("label", literal),)
        if name:
            atom.values = ()


def _ordinal(text: str, start: int, end: int, number: int) -> Atom:
    if century := read_century(text, end, number):
        return Atom(start, century.end, fixed=century.readings)
    reading = Reading("ordinal", number, number)
    return Atom(start, end, fixed=(reading,))


def _in_words(text: str, start: int, floor: int) -> Atom | int | None:
    if text[start] in "aA" and (match := _UNIT_WORD.match(text, start)):
        if text[match.start(1) : match.end()].lower() == "quarter":
            return match.start(1)
        return Atom(start, match.end(), (1,), units=UNITS[match[1].lower()], slight=True)
    phrase = read_phrase(text, start)
    if phrase is None:
        return None
    if phrase.words == 1 and _no_figure(text, start, phrase):
        return phrase.end
    if phrase.ordinal:
        return _ordinal_word(text, start, phrase, floor)
    start = _with_article(text, start, floor)
    atom = Atom(start, phrase.end, (phrase.value,), step=step_of(phrase.value))
    if phrase.part:
        atom.step = Fraction(1, phrase.value.denominator)
        if (of_a := _OF_A.match(text, atom.end)) and read_unit(text, of_a.end()):
            atom.end = of_a.end()  # "half an hour"
    _take_unit(text, atom, None)
    plain = not atom.units and atom.scale == 1
    atom.slight = phrase.words == 1 and phrase.value == 1 and plain
    atom.year = False
    return atom


def _no_figure(text: str, start: int, phrase: Phrase) -> bool:
    """Say whether a single word that may be a number is none here."""
    word = text[start : phrase.end].lower()
    before = _last_word(text, start)
    if word == "one":
        return before in _NOT_ONE or _PRONOUN_AFTER.match(text, phrase.end) is not None
    if word == "half":
        if read_unit(text, phrase.end) is not None:  # "half-hour"
            return False
        return before in _HALVES or _HALF_NAME.match(text, phrase.end) is not None
    if word == "quarter":
        return before not in ("a", "one") or not _OF.match(text, phrase.end)
    if phrase.ordinal:
        if text[phrase.end : phrase.end + 1] == "," and _opens(text, start):
            return True  # "Second, ..." counts arguments
        return (
            word == "second"
            and before not in _BEFORE_SECOND
            and text[phrase.end : phrase.end + 1] != "-"
        )
    return before in _NOT_COUNTED


def _opens(text: str, start: int) -> bool:
    """Whether a sentence starts here."""
    before = text[max(0, start - 4) : start].rstrip()
    return (
        (start < 4 and not before)
        or before[-1:] in (".", "!", "?", ":", ";")
        or "\n" in (text[max(0, start - 4) : start])
    )


def _ordinal_word(text: str, start: int, phrase: Phrase, floor: int) -> Atom:
    number = int(phrase.value)
    atom = _ordinal(text, start, phrase.end, number)
    atom.slight = phrase.words == 1 and number == 1 and atom.fixed[0].kind == "ordinal"
    if phrase.words == 1 and number > 2 and _last_word(text, start) == "a":
        part = Fraction(1, number)
        if _OF.match(text, phrase.end):
            atom.fixed = ()
        atom.fixed += (Reading("number", part, part),)
        atom.step = part
        atom.start = _with_article(text, start, floor)
    return atom


def _with_article(text: str, start: int, floor: int) -> int:
    """Return where "a hundred" starts, for what stands before it to be seen."""
    at = start - 2
    return at if at >= floor and _ARTICLE.match(text, at) else start
