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
from groundtypes.words import all_words, named_words

#: "bin" is a thousand in Turkish and another word in many languages.
_TURKISH_THOUSAND: Final = re.compile(
    r"\s?bin(?=\s(?:TL|TRY|₺|lira|[Tt]ürk|dolar|[Ee]uro|avro|kişi|adet|ton|km|kilometre|metre|hektar|"
    r"konut|öğrenci|çalışan|yıl)|'[a-zıüöş]|\s[0-9]{1,3}\s(?:TL|₺|lira))"
)
#: A smaller number behind a scale: "1 milyon 200 bin", "1 millón 200 mil".
_LOWER: Final = re.compile(r"\s(?P<number>[1-9][0-9]{0,2})(?=\s|\Z)")
_BIN: Final = re.compile(r"\sbin(?!\w)")
_TURKISH: Final = frozenset(("bin", "milyon", "milyar", "trilyon"))
#: Abbreviations that are scales wherever they follow a number.
_ABBREVIATIONS: Final = {
    "tsd": 10**3, "tys": 10**3, "тыс": 10**3, "тис": 10**3, "mio": 10**6, "mln": 10**6,
    "milj": 10**6, "млн": 10**6, "mrd": 10**9, "mrds": 10**9, "mld": 10**9, "млрд": 10**9,
    "трлн": 10**12,
}  # fmt: skip
#: Abbreviations that are scales before a currency, or with a full stop before a word in lower case.
_DEPENDENT: Final = {
    "mil": 10**6, "mill": 10**6, "tis": 10**3, "mia": 10**9, "md": 10**9, "mds": 10**9,
    "bio": 10**12,
}  # fmt: skip
_INDIC: Final = "\u0900"
_EAST_ASIA: Final = "\u2e80"
_WORD: Final = re.compile(r"[\s-]{0,2}(?P<word>[^\W\d_]{2,18})\b")
_MILES: Final = re.compile(r"\sde\s")
#: What stands behind the scale of an amount of money.
_CURRENCY: Final = (
    rf"(?:[€$£¥₹₽₴₺₩]|(?:{'|'.join(CODES)})(?![A-Za-z])|(?:US|U\.S\.)[\s-]?(?:\$|[Dd]ollar)"
    r"|(?:[Ee]uro|[Dd]ollar|[Pp]ound)s?\b|(?:kr|Kč|zł|lei|leu|Ft|Franken|CHF|de|руб)\b|d')"
)
_DEPENDENT_WORD: Final = re.compile(
    rf"\s?(?:(?P<full>mill?|tis|mia|[Bb]io|Mill|Mia)\.(?=\s?[\s-]{_CURRENCY})"
    r"|(?P<stopped>mill?|tis|mia|Mill|Mia)\.(?=\s[^\W\d_A-ZÀ-ÖØ-ÞА-ЯŠŽČŁŻŚ])"
    rf"|(?P<plain>mill|[Mm]ia|[Mm]ds?)\.?(?=\s?{_CURRENCY})|(?P<french>Mds?)(?![\w.]))"
)
#: A scale that is joined to its currency: "M€", "TEUR", "MSEK", "mkr".
_JOINED: Final = re.compile(
    r"\s?(?P<scale>Mrd|Mio|Tsd|Mds?|md|mds|mn|MN|mln|bn|BN|MM|mm|[kKtTmMbB])\.?"
    rf"(?=[€$£]|(?:{'|'.join(CODES)}|kr)(?![A-Za-z]))"
)
_LETTER: Final = re.compile(r"(k|K|m|M|mm|MM|mn|mln|bn|b|B|tn|trn|T)(?![A-Za-z0-9/²³·])")
_SPACED_LETTERS: Final = re.compile(
    rf"\s(mn|mln|bn|tn|trn|(?:MM|mm|[kKmMbB])(?=\.?\s?(?!de\b|d'){_CURRENCY}))(?![A-Za-z0-9])"
)
#: After an amount with a sign before it, any letter is a scale: "$5 B".
_MONEY_LETTERS: Final = re.compile(
    r"\s?(k|K|mm|MM|mn|mln|m|M|bn|b|B|tn|trn|T|[Cc]rs?|mi|bi|tri)(?![A-Za-z0-9])"
)
_LETTER_FACTORS: Final = {
    "k": 10**3, "m": 10**6, "mm": 10**6, "mn": 10**6, "mln": 10**6, "b": 10**9, "bn": 10**9,
    "t": 10**12, "tn": 10**12, "trn": 10**12, "cr": 10**7, "crs": 10**7, "mi": 10**6, "bi": 10**9,
    "tri": 10**12,
}  # fmt: skip
_GAPS: Final = frozenset(" -\n\t")
#: Behind these, a full stop ends the abbreviation, perhaps not the sentence.
_WITH_STOP: Final = frozenset((*_ABBREVIATIONS, *_DEPENDENT, *_LETTER_FACTORS))
#: Words of a German sentence around its "Billion", which is a thousand times an English one.
_GERMAN: Final = re.compile(
    r"\b(?:und|der|das|von|mit|für|auf|ist|sind|waren|wurden?|über|rund|etwa|knapp|beträgt|im|zum|"
    r"zur|eine[rmn]?|nicht|Jahre?|Milliarden|Millionen|betrugen|betrug|es|Es|bei|aus)\b"
)
_GERMAN_BILLION: Final = re.compile(r"[\s-]Billion(?=[\s-](?:US-)?[A-ZÄÖÜ][a-z]+)")
#: French billions and trillions are followed by "de" or "d'".
_FRENCH_OF: Final = re.compile(r"\s(?:de\s|d'|d’)")
#: A noun that a scale counts: in German it has a capital, in Romance languages a "de" before it.
_GERMAN_NOUN: Final = re.compile(r"\.?[\s-]([A-ZÄÖÜ][a-zäöüß]{2,40})(?![\w])")
_ROMANCE_NOUN: Final = re.compile(r"\s(?:d[eio]s?\s|d')([^\W\d_]{3,40})(?!\w)")


class ScaleMatch(NamedTuple):
    """A factor such as "million" that ends at `end`.

    Attributes:
        end: Where it ends, before a full stop.
        factor: What the number is multiplied by.
        units: What its letter may mean instead: the m of "1.2m" may be million or metre.
        word: The last word in lower case; empty for letters and ideographs.
        has_stop: Whether a full stop follows that may be that of the abbreviation.
        more: What is added to the product: the 5,000 of "8万5,000".
    """

    end: int
    factor: int
    units: tuple[Unit, ...] = ()
    word: str = ""
    has_stop: bool = False
    more: int = 0


@cache
def _factors() -> dict[str, int]:
    """Return the words in lower case; a normalised text has the micro sign for the Greek letter."""
    return {
        word.replace("\u03bc", "\u00b5"): int(factor) for factor, _, word in named_words("scale")
    }


@cache
def _initials() -> frozenset[str]:
    return frozenset(
        letter
        for names in (_factors(), _ABBREVIATIONS, _DEPENDENT, _LETTER_FACTORS)
        for name in names
        for letter in name[0] + name[0].upper()
    )


@cache
def _spaceless_factors() -> dict[str, int]:
    return {
        form: int(factor)
        for factor, _, word in named_words("spaceless scale")
        for form in (word, word.replace("\u0921\u093c", "\u095c").replace("\u091c\u093c", "\u095b"))
    }


@cache
def _spaceless() -> re.Pattern[str]:
    return re.compile(rf"\s?({'|'.join(sorted(_spaceless_factors(), key=len, reverse=True))})")


def read_scale(text: str, end: int, *, money: bool) -> ScaleMatch | None:
    """Return the scale after a number that ends at `end`; `money` has a currency before it."""
    for following in text[end : end + 3]:
        if following not in _GAPS:
            break
    else:
        return None
    if following not in _initials() and following < _INDIC:
        return None  # so are most numbers left
    scale = _one_scale(text, end, money=money)
    if scale is None or scale.units or not (scale.word or text[scale.end - 1] >= _EAST_ASIA):
        return scale
    while (more := _one_scale(text, scale.end, money=False)) and scale.factor <= more.factor:
        if not more.word or more.factor < 10**3:
            break
        scale = more._replace(factor=scale.factor * more.factor)  # "mil millones", "lakh crore"
        if scale.factor > 10**24:
            break
    return _with_lower(text, scale)


def _with_lower(text: str, scale: ScaleMatch) -> ScaleMatch:
    """Return a scale with the smaller numbers behind it: the 200 bin of "1 milyon 200 bin"."""
    end, more, below = scale.end, 0, scale.factor
    is_turkish = scale.word in _TURKISH
    while scale.word and below >= 10**3 and (number := _LOWER.match(text, end)):
        count = int(number["number"])
        if is_turkish and below > 10**3 and (thousand := _BIN.match(text, number.end())):
            end, more, below = thousand.end(), more + count * 10**3, 10**3
            continue
        lower = _one_scale(text, number.end(), money=False)
        if (
            lower is not None
            and lower.word
            and lower.factor >= 10**3
            and count * lower.factor < below
        ):
            end, more, below = lower.end, more + count * lower.factor, lower.factor
            continue
        if is_turkish and below == 10**3:
            end, more = number.end(), more + count
        break
    return scale if end == scale.end else scale._replace(end=end, more=more, has_stop=False)


def _one_scale(text: str, end: int, *, money: bool) -> ScaleMatch | None:
    if (match := _WORD.match(text, end)) and (scale := _word_scale(text, match, money=money)):
        return scale
    following = text[end : end + 2].strip()[:1]
    if following >= _EAST_ASIA:
        return _ideograph(text, end)
    if following >= _INDIC and (match := _spaceless().match(text, end)):
        return ScaleMatch(match.end(), _spaceless_factors()[match[1]], word=match[1])
    if following == "b" and (match := _TURKISH_THOUSAND.match(text, end)):
        return ScaleMatch(match.end(), 10**3, word="bin")
    if match := _DEPENDENT_WORD.match(text, end):
        word = next(filter(None, match.groups())).lower()
        stop = match.end() - 1 if text[match.end() - 1] == "." else match.end()
        return ScaleMatch(stop, _DEPENDENT[word], word=word, has_stop=stop < match.end())
    if match := _JOINED.match(text, end):
        return ScaleMatch(match.end(), scale_named(match["scale"]) or 1)
    if money and (match := _MONEY_LETTERS.match(text, end)):
        return _letters(text, match, ())
    match = _LETTER.match(text, end) or _SPACED_LETTERS.match(text, end)
    if match is None:
        return None
    return _letters(text, match, () if money else units_of(meanings(match[1])))


def _letters(text: str, match: re.Match[str], units: tuple[Unit, ...]) -> ScaleMatch:
    end = match.end()
    has_stop = text[end : end + 1] == "." and len(match[1]) > 1
    return ScaleMatch(end, _LETTER_FACTORS[match[1].lower()], units, has_stop=has_stop)


def _word_scale(text: str, match: re.Match[str], *, money: bool) -> ScaleMatch | None:
    word = match["word"].lower()
    start, end = match.span()
    if word == "miles" and _MILES.match(text, end):
        word = "mil"
    factor = _ABBREVIATIONS.get(word) or _factors().get(word)
    if factor is None:
        return None
    has_stop = text[end : end + 1] == "." and word in _WITH_STOP
    if word == "mil" and (money or (has_stop and _DEPENDENT_WORD.match(text, start))):
        factor = 10**6  # "$5 mil", "5 mil. Kč"
    elif word == "billion" and _is_german_billion(text, start):
        factor = 10**12
    elif word in ("billions", "billion", "trillions", "trillion") and _FRENCH_OF.match(text, end):
        factor *= 10**3 if word[0] == "b" else 10**6
    return ScaleMatch(end, factor, word=word, has_stop=has_stop)


def _is_german_billion(text: str, start: int) -> bool:
    """Whether "1 Billion Euro" stands among German words."""
    match = _GERMAN_BILLION.match(text, start)
    if match is None:
        return False
    around = text[max(0, start - 100) : start] + " " + text[match.end() : match.end() + 100]
    return _GERMAN.search(around) is not None


def _ideograph(text: str, end: int) -> ScaleMatch | None:
    match = read_myriads(text, end)
    return None if match is None else ScaleMatch(match.end, match.factor, more=match.more)


def scale_named(name: str) -> int | None:
    """Return the factor of a scale before or beside its currency: the T of "TEUR" is a thousand."""
    lower = name.lower().rstrip(". ").replace("μ", "µ")
    if lower in ("t", "miles"):
        return 10**3
    for factors in (_ABBREVIATIONS, _DEPENDENT, _LETTER_FACTORS, _factors()):
        if lower in factors:
            return factors[lower]
    scale = read_myriads(lower, 0)
    return scale.factor if scale is not None and scale.end == len(lower) else None


def noun_of_scale(text: str, scale: ScaleMatch) -> str | None:
    """Return the noun that a scale of another language counts: "Mio. Nutzer", "millions de"."""
    if scale.word in all_words("noun-counting scale"):
        match = _GERMAN_NOUN.match(text, scale.end)
        return (
            match[1].lower()
            if match and match[1].lower() not in all_words("no noun behind a scale")
            else None
        )
    if scale.word in all_words("of-counting scale"):
        match = _ROMANCE_NOUN.match(text, scale.end)
        if (
            match
            and match[1].islower()
            and match[1] not in all_words("no noun behind the of of a scale")
        ):
            return match[1]
    return None
