"""What stands around the name of a unit: adjectives, what is measured, what a percentage is of.

Most adjectives leave the unit as it is: "3 calendar months", "2 heaped teaspoons". Others make
another one of it: a limit of five working days is not one of five days. What is measured, such as
the "of body weight" of "5 mg per kilogram of body weight per day" and the "CO2" of "120 g CO2/km",
is not compared. What a percentage is of may be left out, but 5 vol% are not 5 wt%.
"""

import re
from typing import Final

from groundtypes.figures.measure import Measure, Unit, unit_of
from groundtypes.figures.number_words import NUMBER_WORDS
from groundtypes.figures.unit_names import Factor, follows_year, read_factor
from groundtypes.figures.units import meanings

#: Days without holidays and weekends; those of a German Werktag and a French jour ouvrable have
#: Saturdays. English texts do not tell which.
_WORKING: Final = ("working",)
_WITH_SATURDAYS: Final = ("working with Saturdays",)
_EITHER: Final = _WORKING + _WITH_SATURDAYS
#: What makes another unit of a length of time or an amount of money that follows.
_OTHER_UNITS: Final[dict[str, tuple[str, ...]]] = {
    **{
        word: (word,)
        for word in "school trading court man person staff credit dog lunar teaching".split()
    },
    **dict.fromkeys("labor labour".split(), ("person",)),
    **dict.fromkeys("office opening".split(), ("office",)),
    **dict.fromkeys("old former alte alten anciens ancien antiguas vecchie oude".split(), ("old",)),
    **dict.fromkeys("working business banking".split(), _EITHER),
}
#: The same behind a day, in Romance languages.
_BEHIND_DAYS: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(
        "hábiles hábil habiles laborables laborable lavorativi lavorativo feriali úteis útil "
        "uteis".split(),
        _EITHER,
    ),
    **dict.fromkeys("ouvrés ouvré".split(), _WORKING),
    **dict.fromkeys("ouvrables ouvrable".split(), _WITH_SATURDAYS),
}
#: Days in one word.
_DAYS: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys("workdays werkdagen werkdag".split(), _EITHER),
    **dict.fromkeys(
        "Arbeitstage Arbeitstagen Arbeitstag Bankarbeitstage Bankarbeitstagen Bankarbeitstag "
        "Geschäftstage Geschäftstagen".split(),
        _WORKING,
    ),
    **dict.fromkeys("Werktage Werktagen Werktag".split(), _WITH_SATURDAYS),
    **dict.fromkeys("Schultage Schultagen".split(), ("school",)),
    **dict.fromkeys("Kalendertage Kalendertagen Kalendertag kalenderdagen".split(), ()),
}
#: Words before the name of a unit that are no adjectives: of the next phrase, or verbs.
_NO_ADJECTIVES: Final = frozenset(
    "a about after again ago all almost an and another any are around as at be been before began "
    "between both but by can came come could did do does during each either ended even ever every "
    "except few for from gave get gets give given goes got had half has have hence her his how if "
    "in includes including into is it its just kept lasted lasts later less lost made many may "
    "might minus mostly much must my near nearly need needs never no nor not of off on once only "
    "or our out over own paid per plus say says several shall since so some spend spends spent "
    "still such take takes than that the their them then there these they this those through till "
    "to took under until up upon versus very via was we were what when where which while who whose "
    "will with within without worked works worth would yet you your".split()
)
_ADJECTIVE: Final = re.compile(r"(?P<word>[^\W\d_]{2,24}),?(?P<gap>[ -])")
_NAME: Final = re.compile(r"[^\W\d_]{3,24}")
_SHORTEST_UNIT: Final = 3
_MOST_ADJECTIVES: Final = 2
#: What the units measure that adjectives stand before; "bright pixels" are counted.
_COUNTABLE: Final = ("time", "month", "length", "mass", "money:", "volume", "percent")
#: The past of the verb "win", and what is no unit behind an adjective.
_NO_UNITS: Final = frozenset("won real lot link mark hand stone slug turn time".split())
_BEFORE_YEAR: Final = re.compile(r"\b(?:in|since|until|during|by)\s[0-9]{4}\Z", re.IGNORECASE)
_ONE: Final = re.compile(r"(?<![0-9.,])1\Z|\b[Oo]ne\Z")
#: After the name of a thing, these say when: "Voyager 1 last year".
_SHIFTED: Final = frozenset(("last", "next", "past"))
#: Nouns that only a singular before another noun makes modifiers: "3 full day passes".
_NEXT_NOUN: Final = re.compile(
    r"[ -](?!(?:and|or|of|to|in|at|on|per|a|an|each|for|from|later|ago)\b)[a-z]"
)
#: The CO2 of "120 g CO2/km".
_SUBSTANCE: Final = re.compile(
    r"\s(?:of\s)?[A-Z][A-Za-z]{0,2}[0-9₂₃₄]?[A-Za-z]?[0-9]?(?:-?eq?)?(?=/[^\W\d_]|\sper\s)"
)
#: What a dose is for, and what is measured, before the quotient goes on: the "of body weight" of
#: "5 mg per kilogram of body weight per day", the "of salt" of "5 g of salt a day". It is not
#: compared.
_OF_WHAT: Final = re.compile(
    r"\s(?:of\s)?(?:the\s)?(?:body[\s-]?(?:weight|mass|surface(?:\sarea)?)|bodyweight|bw|BW)\b"
    r"|(?P<noun>\sof\s[a-z]{3,20}(?:\s(?!(?:once|twice|thrice|for|and|with|from|over|into|than|then|when"
    r"|after|before|every|each|lasts|makes|costs|takes)\b)[a-z]{3,20})?)"
    r"(?=\s(?:per|an?|each|every)\s|\s(?:daily|weekly|monthly|yearly|annually)\b)"
    r"|(?P<joined>\s[a-z]{3,15})(?=/(?:[0-9]{1,4}\s?)?(?:k?g|m?[lL]|day|d|h)\b)"
)
_LONGEST_NOUN: Final = 18
_PENCE: Final = re.compile(
    r"p(?!\w|\s(?:orbital|electron|subshell|shell|state|level)|-(?!per)[a-z])"
)
#: The lines of a screen, and what is numbered with letters.
_NO_PENCE: Final = re.compile(
    r"(?<![0-9.,])(?:144|240|360|480|540|576|720|900|1080|1440|2160|4320)\Z"
    r"|\b(?:chromosome|section|article|figure|table|clause|page|part|no\.|arm)\s[0-9]{1,4}\Z",
    re.IGNORECASE,
)
_OF_WHOLE: Final = re.compile(
    r"[\s-]{0,2}(?:(?P<before>[Vv]ol|[Ww]t|[Mm]ol|[Aa]t|[Mm]ass|[Gg]ew|Ma)\.?[\s-]?%"
    r"|%\s?(?:\((?P<bracket>[vwm]/[vwm]|vol\.?|wt\.?|ABV|abv)\)|(?P<after>[vwm]/[vwm]|vol|wt|ABV|abv)))"
    r"(?![A-Za-z0-9/])"
)
_WHOLES: Final = {
    "vol": "volume", "v/v": "volume", "abv": "volume", "wt": "mass", "mass": "mass", "gew": "mass",
    "ma": "mass", "w/w": "mass", "m/m": "mass", "w/v": "mass/volume", "m/v": "mass/volume",
}  # fmt: skip
_PERCENT_BEFORE: Final = re.compile(r"(?:(?<![^\s(\[|/'\"])%|(?<!\w)[Yy]üzde\s|百分之)\s?\Z")
_LAST_OF_PERCENT: Final = "% 之"
_LONGEST_PERCENT: Final = 7
_PERCENT: Final = Measure((("percent", 1),), "%", "1/100")


def qualified_unit(text: str, start: int, end: int) -> Factor | None:
    """Return the unit from `start` on behind adjectives, for a number that ends at `end`."""
    if start == end or text[end] == "\n":
        return None
    if (name := _NAME.match(text, start)) and name[0] in _DAYS:
        return _of_kinds(Factor(name.end(), meanings("days")), _DAYS[name[0]])
    if follows_year(text, end) and _BEFORE_YEAR.search(text, max(0, end - 12), end):
        return None  # "in 2019 working hours fell"
    kinds: tuple[str, ...] = ()
    at = start
    for _ in range(_MOST_ADJECTIVES):
        match = _ADJECTIVE.match(text, at)
        if match is None or not _is_adjective(match["word"]):
            return None
        kinds = kinds or _OTHER_UNITS.get(match["word"], ())
        at = match.end()
        if unit := _unit_behind(text, at, kinds, end, match["word"]):
            return unit
    return None


def _is_adjective(word: str) -> bool:
    """Whether a word may be an adjective before a unit."""
    if word in _OTHER_UNITS or word in ("US", "UK"):
        return True
    return not (
        not word.islower()
        or word in _NO_ADJECTIVES
        or word in NUMBER_WORDS
        or word.endswith("ly")
        or meanings(word)
    )


def _unit_behind(
    text: str, at: int, kinds: tuple[str, ...], end: int, adjective: str
) -> Factor | None:
    """Return the unit behind an adjective; a symbol or the first part of a compound is none."""
    if text[at : at + 1] == "%":
        return read_factor(text, at)
    name = _NAME.match(text, at)
    if name is None:
        return None
    word = name[0]
    if kinds and word in _DAYS:
        return _of_kinds(Factor(name.end(), meanings("days")), _DAYS[word])
    factor = read_factor(text, at)
    if factor is None or factor.end - at < _SHORTEST_UNIT:
        return None
    if word.isupper() or word.rstrip("s") in _NO_UNITS:
        return None
    if _is_singular(text, word, factor, end, adjective):
        return None
    if kinds:
        return _of_kinds(factor, kinds)
    if factor.meanings[0].dimension[0][0].startswith(_COUNTABLE):
        return with_following_qualifier(text, factor)
    return None


def _is_singular(text: str, word: str, factor: Factor, end: int, adjective: str) -> bool:
    """Whether an English unit is singular behind another number than one, or before a noun."""
    if word.endswith("s") or not (meanings(f"{word}s") or meanings(f"{word}es") or word == "foot"):
        return False
    return (
        _ONE.search(text, max(0, end - 4), end) is None
        or adjective in _SHIFTED
        or _NEXT_NOUN.match(text, factor.end) is not None
    )


def _of_kinds(factor: Factor, kinds: tuple[str, ...]) -> Factor | None:
    """Return a length of time or money as units of their own: working days, old pence."""
    dimension = factor.meanings[0].dimension[:1]
    if not kinds:
        return factor
    if not dimension or not dimension[0][0].startswith(("time", "month", "money:")):
        return None
    symbol = factor.meanings[0].symbol
    return factor._replace(
        meanings=tuple(Measure(((f"{kind} {symbol}", 1),), f"{kind} {symbol}") for kind in kinds)
    )


def with_following_qualifier(text: str, factor: Factor) -> Factor:
    """Return the unit with the adjective behind it: "10 jours ouvrables", "5 días hábiles"."""
    if text[factor.end : factor.end + 1] != " " or factor.meanings[0].symbol != "d":
        return factor
    match = _NAME.match(text, factor.end + 1)
    if match is None or match[0] not in _BEHIND_DAYS:
        return factor
    return _of_kinds(factor._replace(end=match.end()), _BEHIND_DAYS[match[0]]) or factor


def after_substance(text: str, end: int) -> tuple[int, bool]:
    """Return where what is measured ends, if a unit ends at `end`, and whether a rate follows.

    A text may leave out such a rate: a table of values "per 100 ml" says "5 g of salt" alone.
    """
    first = text[end + 1 : end + 2]  # decides for most units, and quickly
    if (first.isupper() or first == "o") and (match := _SUBSTANCE.match(text, end)):
        return match.end(), False
    if (first in "obtB" or "/" in text[end : end + _LONGEST_NOUN]) and (
        match := _OF_WHAT.match(text, end)
    ):
        return match.end(), bool(match["noun"] or match["joined"])
    return end, False


def is_pence(text: str, end: int) -> bool:
    """Whether the "p" at `end` is that of "50p", not of a 1080p screen or the chromosome 5p."""
    if not _PENCE.match(text, end):
        return False
    return _NO_PENCE.search(text, max(0, end - 20), end) is None


def read_percentage(text: str, end: int) -> tuple[int, tuple[Unit, ...]] | None:
    """Return end and unit of a percentage of something, behind a number that ends at `end`."""
    if "%" not in text[end : end + 8]:
        return None
    match = _OF_WHOLE.match(text, end)
    if match is None:
        return None
    name = (match["before"] or match["bracket"] or match["after"]).lower().rstrip(".")
    whole = Measure((("percent of " + _WHOLES.get(name, name), 1),), "%", "1/100")
    return match.end(), (unit_of(whole, match[0].strip(" -"), _PERCENT),)


def percent_before(text: str, floor: int, start: int) -> int | None:
    """Return where the sign of percent before a number starts, if it has one."""
    if start == floor or text[start - 1] not in _LAST_OF_PERCENT:
        return None
    lowest = max(floor, start - _LONGEST_PERCENT)
    match = _PERCENT_BEFORE.search(text[lowest:start])
    return None if match is None else lowest + match.start()
