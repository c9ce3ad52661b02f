"""Scales after a number: words such as "million", "Mio.", "milliards" and "万", and letters.

Words count in the scale of their language: a French or Dutch "biljoen" is 10¹², an English
"billion" 10⁹. An abbreviation may end with a full stop, behind which its unit still follows.
"""

import re
from functools import cache
from typing import Final, NamedTuple

from groundtypes.figures.east_asian import read_myriads
from groundtypes.figures.figure import Unit
from groundtypes.figures.measure import CODES, units_of
from groundtypes.figures.units import meanings
from groundtypes.text.language_detection import most_probable_language
from groundtypes.words import all_words, named_words

#: A smaller number behind a scale: "1 milyon 200 bin", "1 millón 200 mil".
_LOWER: Final = re.compile(r"\s([1-9][0-9]{0,2})(?=\s)")
#: Several scales multiply up to here, so that no text costs much arithmetic.
_LARGEST: Final = 10**12
_INDIC: Final = "\u0900"
_EAST_ASIA: Final = "\u2e80"
_WORD: Final = re.compile(r"[\s-]{0,2}(?P<word>(?:de\s)?[^\W\d_]{2,18})\b")
_MILES: Final = re.compile(r"\sde\s")
#: What stands behind the scale of an amount of money.
_CURRENCY: Final = (
    rf"(?:[€$£¥₹₽₴₺₩]|(?:{'|'.join(CODES)}|TL)(?![A-Za-z])|(?:US|U\.S\.)[\s-]?(?:\$|[Dd]ollar)"
    r"|(?:[Ee]uro|[Dd]ollar|[Pp]ound)s?\b|(?:kr|Kč|zł|lei|leu|lira|Ft|Franken|CHF|de|руб)\b|d')"
)
#: Abbreviations that are scales before a currency, or with a full stop before a word in lower case.
_DEPENDENT_WORD: Final = re.compile(
    rf"\s?(?:(?P<full>mill?|tis|mia|[Bb]io|Mill|Mia)\.(?=\s?[\s-]{_CURRENCY})"
    r"|(?P<stopped>mill?|tis|mia|Mill|Mia)\.(?=\s[^\W\d_A-ZÀ-ÖØ-ÞА-ЯŠŽČŁŻŚ])"
    rf"|(?P<plain>mill|bin|[Mm]ia|[Mm]ds?)\.?(?=\s?(?:[0-9]{{1,3}}\s)?{_CURRENCY})|(?P<french>Mds?)(?![\w.]))"
)
#: A scale that is joined to its currency: "M€", "TEUR", "MSEK", "mkr".
_JOINED: Final = re.compile(
    r"\s?(?P<scale>Mrd|Mio|Tsd|Mds?|md|mds|mn|MN|mln|bn|BN|MM|mm|[kKtTmMbB])\.?"
    rf"(?=[€$£]|(?:{'|'.join(CODES)}|kr)(?![A-Za-z]))"
)
_LETTER: Final = re.compile(
    r"(k|K|m|M|mm|MM|mn|mln|bn|b|B|tn|trn|T)(?![A-Za-z0-9/²³·])"
    rf"|\s(mn|mln|bn|tn|trn|(?:MM|mm|[kKmMbB])(?=\.?\s?(?!de\b|d'){_CURRENCY}))(?![A-Za-z0-9])"
)
#: After an amount with a sign before it, any letter is a scale: "$5 B".
_MONEY_LETTERS: Final = re.compile(
    r"\s?(k|K|mm|MM|mn|mln|m|M|bn|b|B|tn|trn|T|[Cc]rs?|mi|bi|tri)(?![A-Za-z0-9])"
)
#: So much around a German "Billion", which is a thousand times an English one, tells the language.
_AROUND: Final = 100
_GERMAN_BILLION: Final = re.compile(r"[\s-]Billion(?=[\s-](?:US-)?[A-ZÄÖÜ][a-z]+)")
#: French billions and trillions are followed by "de" or "d'".
_FRENCH_OF: Final = re.compile(r"\s(?:de\s|d'|d’)")
_FRENCH_FACTORS: Final = {"billion": 10**3, "trillion": 10**6}
#: A noun that a scale counts: in German it has a capital, in Romance languages a "de" before it.
_GERMAN_NOUN: Final = re.compile(r"\.?[\s-]([A-ZÄÖÜ][a-zäöüß]{2,40})(?![\w])")
_ROMANCE_NOUN: Final = re.compile(r"\s(?:d[eio]s?\s|d')([a-zß-ÿ]{3,40})(?!\w)")


class ScaleMatch(NamedTuple):
    """A factor that ends at `end`; its letter may be a unit, and `more` is added to the product."""

    end: int
    factor: int
    units: tuple[Unit, ...] = ()
    word: str = ""
    has_stop: bool = False
    more: int = 0


@cache
def _factors(*kinds: str) -> dict[str, int]:
    """Return the words in lower case; a normalised text has the micro sign for the Greek letter."""
    return {
        word.replace("\u03bc", "\u00b5"): int(factor)
        for kind in kinds
        for factor, _, word in named_words(kind)
    }


@cache
def _spaceless_factors() -> dict[str, int]:
    return {
        form: factor
        for word, factor in _factors("spaceless scale").items()
        for form in (word, word.replace("\u0921\u093c", "\u095c").replace("\u091c\u093c", "\u095b"))
    }


@cache
def _spaceless() -> re.Pattern[str]:
    return re.compile(rf"\s?({'|'.join(sorted(_spaceless_factors(), key=len, reverse=True))})")


def read_scale(text: str, end: int, *, money: bool) -> ScaleMatch | None:
    """Return the scale after a number that ends at `end`; `money` has a currency before it."""
    scale = _one_scale(text, end, money=money)
    if scale is None or not (scale.word or text[scale.end - 1] >= _EAST_ASIA):
        return scale
    while (more := _one_scale(text, scale.end, money=False)) and scale.factor <= more.factor:
        if not more.word or more.factor < 10**3 or scale.factor > _LARGEST:
            break
        scale = more._replace(factor=scale.factor * more.factor)  # "mil millones", "lakh crore"
    lowest = scale.factor
    while (number := _LOWER.match(text, scale.end)) and (
        lower := _one_scale(text, number.end(), money=False)
    ):
        below = int(number[1]) * lower.factor
        if not lower.word or lower.factor < 10**3 or below >= lowest:
            break
        scale = scale._replace(end=lower.end, more=scale.more + below, has_stop=False)
        lowest = lower.factor
    if scale.word == "bin" and (number := _LOWER.match(text, scale.end)):
        scale = scale._replace(end=number.end(), more=int(number[1]))  # "5 bin 300 TL"
    return scale


def _one_scale(text: str, end: int, *, money: bool) -> ScaleMatch | None:
    if (match := _WORD.match(text, end)) and (scale := _word_scale(text, match, money=money)):
        return scale
    following = text[end : end + 2].strip()[:1]
    if following >= _EAST_ASIA:
        myriads = read_myriads(text, end)
        return myriads and ScaleMatch(myriads.end, myriads.factor, more=myriads.more)
    if following >= _INDIC and (match := _spaceless().match(text, end)):
        return ScaleMatch(match.end(), _spaceless_factors()[match[1]], word=match[1])
    if match := _DEPENDENT_WORD.match(text, end):
        word = next(filter(None, match.groups())).lower()
        stop = match.end() - (text[match.end() - 1] == ".")
        factor = _factors("scale before a currency")[word]
        return ScaleMatch(stop, factor, word=word, has_stop=stop < match.end())
    if match := _JOINED.match(text, end):
        return ScaleMatch(match.end(), scale_named(match["scale"]) or 1)
    match = (money and _MONEY_LETTERS.match(text, end)) or _LETTER.match(text, end)
    if match is None:
        return None
    letters, end = match[match.lastindex or 0], match.end()
    units = () if money else units_of(meanings(letters))
    factor = _factors("scale letter")[letters.lower()]
    return ScaleMatch(end, factor, units, has_stop=text[end : end + 1] == ".")


def _word_scale(text: str, match: re.Match[str], *, money: bool) -> ScaleMatch | None:
    word = " ".join(match["word"].lower().split())
    start, end = match.span()
    if word == "miles" and _MILES.match(text, end):
        word = "mil"
    short = _factors("short scale")
    factor = short.get(word) or _factors("scale").get(word)
    if factor is None:
        return None
    has_stop = text[end : end + 1] == "." and (word in short or word == "mil")
    if word == "mil" and (money or (has_stop and _DEPENDENT_WORD.match(text, start))):
        factor = 10**6  # "$5 mil", "5 mil. Kč"
    elif word == "billion" and _is_german_billion(text, start):
        factor = 10**12
    elif _FRENCH_OF.match(text, end):
        factor *= _FRENCH_FACTORS.get(word.removesuffix("s"), 1)
    return ScaleMatch(end, factor, word=word, has_stop=has_stop)


def _is_german_billion(text: str, start: int) -> bool:
    """Whether "1 Billion Euro" stands among German words."""
    if not (match := _GERMAN_BILLION.match(text, start)):
        return False
    around = text[max(0, start - _AROUND) : start] + text[match.end() : match.end() + _AROUND]
    return most_probable_language(around, ("de", "en")) == "de"


def scale_named(name: str) -> int | None:
    """Return the factor of a scale before or beside its currency: the T of "TEUR" is a thousand."""
    lower = name.lower().rstrip(". ").replace("μ", "µ")
    if lower in ("t", "miles"):
        return 10**3
    known = _factors("scale", "scale letter", "scale before a currency", "short scale")
    if lower in known:
        return known[lower]
    scale = read_myriads(lower, 0)
    return scale.factor if scale is not None and scale.end == len(lower) else None


def noun_of_scale(text: str, scale: ScaleMatch) -> str | None:
    """Return the noun that a scale of another language counts: "Mio. Nutzer", "millions de"."""
    for kind, pattern, excluded in (
        ("noun-counting scale", _GERMAN_NOUN, "no noun behind a scale"),
        ("of-counting scale", _ROMANCE_NOUN, "no noun behind the of of a scale"),
    ):
        if scale.word in all_words(kind):
            match = pattern.match(text, scale.end)
            noun = match[1].lower() if match else None
            return None if noun in all_words(excluded) else noun
    return None
