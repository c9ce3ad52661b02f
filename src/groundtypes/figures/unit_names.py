"""One factor of a unit: a name with its exponent, adjectives, and what is measured.

Most adjectives leave the unit as it is: "3 calendar months", "2 heaped teaspoons". Others make
another one of it: a limit of five working days is not one of five days. What is measured, such as
the "of body weight" of "5 mg per kilogram of body weight per day" and the "CO2" of "120 g CO2/km",
is not compared. What a percentage is of may be left out, but 5 vol% are not 5 wt%.
"""

import re
from functools import cache
from typing import Final, NamedTuple

from groundtypes.figures.figure import Unit
from groundtypes.figures.measure import Measure, power, spaceless_currencies, unit_of
from groundtypes.figures.numbers import NUMBER_WORDS
from groundtypes.figures.units import begins_longer_name, is_unit_here, meanings, spaceless_units
from groundtypes.words import all_words, names_of

#: A letter; superscripts are no letters here.
LETTER: Final = r"[^\W\d_⁰¹²³⁴⁵⁶⁷⁸⁹ºª½¼¾⅓⅔⅛]"


@cache
def name_pattern() -> re.Pattern[str]:
    """Return the pattern of what may be the name of a unit.

    A name in katakana ends before the next sign of another script: トンネル is a tunnel.
    """
    units = [
        f"{name}(?![\u30a1-\u30ff])" if "\u30a1" <= name[-1] <= "\u30ff" else name
        for name in spaceless_units()
    ]
    return re.compile(
        rf"[cm]m\s?H[2₂]O(?!{LETTER})|[°º˚]\s?[CFcf](?!{LETTER})|[°º˚](?!{LETTER})|%p(?!{LETTER})|[%‰℃℉€$£¥₹₩₽₺¢₴₸₪₫₱₦฿]"
        rf"|US\$|{'|'.join(sorted((*spaceless_currencies(), *units), key=len, reverse=True))}"
        rf"|(?:{LETTER}\.){{2,3}}(?!{LETTER})|(?:{LETTER}|µ){{1,24}}"
    )


#: The "d'" and "l'" of Romance languages are no units.
_ELISION: Final = re.compile(r"[A-Za-z]'[^\W\d_]")
#: A name in a script without spaces between words ends where it ends.
_SPACELESS: Final = "\u2e80"
_WORD_GAP: Final = re.compile(r"\.?[ -]")
_EXPONENT: Final = re.compile(
    r"(?P<super>[⁺⁻]?[¹²³⁴⁵⁶])|\^[({]?(?P<caret>[+-]?[0-9])[)}]?|(?P<plain>-[1-4]|[23])(?![0-9A-Za-z])"
)
_SUPERSCRIPTS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
#: A mass of what is emitted, in one word: "gCO2/km".
_MASS_OF_GAS: Final = re.compile(r"(mg|kg|g|t|kt|Mt|Gt)(?:CO[2₂]|CH[4₄])(?:-?eq?)?(?![A-Za-z0-9])")
_POWER_GAP: Final = re.compile(r"\.?[\s-]{1,2}")
#: Words after a length that make an area or a volume.
_POWER_AFTER: Final = re.compile(
    r"\s(?:(?P<two>squared|carrés?|cuadrados?|quadrados?|quadrat[io])"
    r"|(?P<three>cubed|cubes?|cúbicos?|cub[io]))\b"
)
#: Signs that stand in units and in no words.
_UNIT_SIGNS: Final = re.compile(r"[µΩ°‰℃℉Å]")
_MIXED_CASE: Final = re.compile(r"[a-z]{1,3}[A-Z]{1,3}[a-z]?[A-Z]?")
_NO_VOWELS: Final = re.compile(r"[bcdfghjklmnpqrstvwxz]{2,5}")
_CAPITALS: Final = re.compile(r"[A-Z]{2,5}")
#: What may follow a unit of capitals; a noun may not: "12 EU states".
_AFTER_CAPITALS: Final = re.compile(
    r"\s?(?:[.,;:)\]/]|\Z|-)|\s(?:of|per|and|or|for|at|to|from|on|is|was|were|are|a|the|with|by|when|"
    r"daily|weekly|each|every|than|as|once|twice|in|but)\b"
)


class Factor(NamedTuple):
    """One factor of a unit, which ends at `end`; `is_rate` says that texts may leave it out."""

    end: int
    meanings: tuple[Measure, ...]
    is_rate: bool = False


def read_factor(text: str, start: int) -> Factor | None:
    """Return one known unit with its exponent."""
    if match := _MASS_OF_GAS.match(text, start):
        return Factor(match.end(), meanings(match[1]))
    match = name_pattern().match(text, start)
    if match is None or _ELISION.match(text, start) or not is_unit_here(text, start, match[0]):
        return None
    word = match[0]
    if exponent := names_of("power of a length").get(word.lower()):
        return _powered(text, match.end(), int(exponent))
    factor = _longest_name(text, match) if begins_longer_name(word.lower()) else None
    if factor is None and (found := meanings(word.replace(" ", "").replace("₂", "2"))):
        factor = Factor(match.end(), found)
    return factor and _with_exponent(text, factor)


def _powered(text: str, end: int, exponent: int) -> Factor | None:
    """Return the area or volume after a word such as "square"."""
    gap = _POWER_GAP.match(text, end)
    match = name_pattern().match(text, gap.end()) if gap else None
    if match is None or name_goes_on(text, match.end()):
        return None
    found = (item for item in meanings(match[0]) if item.dimension == (("length", 1),))
    lengths = tuple(power(item, exponent) for item in found)
    return Factor(match.end(), lengths) if lengths else None


def _longest_name(text: str, first: re.Match[str]) -> Factor | None:
    """Return the unit with a name of two to four words."""
    name, longest, match = first[0], None, first
    for _ in range(3):
        gap = _WORD_GAP.match(text, match.end())
        following = name_pattern().match(text, gap.end()) if gap else None
        if following is None:
            break
        name, match = f"{name} {following[0]}", following
        if found := meanings(name) or meanings(name.lower()):
            longest = Factor(match.end(), found)
    return longest


def _with_exponent(text: str, factor: Factor) -> Factor | None:
    """Return the factor with its power; nothing if it is only the beginning of a longer word."""
    end = factor.end
    exponent = 1
    if match := _POWER_AFTER.match(text, end):
        exponent, end = (2 if match["two"] else 3), match.end()
    elif match := _EXPONENT.match(text, end):
        digits = match["super"] or match["caret"] or match["plain"]
        is_length = any(one.dimension == (("length", 1),) for one in factor.meanings)
        if not match["plain"] or match["plain"][0] == "-" or is_length:
            exponent, end = int(digits.translate(_SUPERSCRIPTS)), match.end()
    if not exponent or (name_goes_on(text, end) and text[end - 1] not in "¹²³⁴⁵⁶"):
        return None
    return Factor(end, tuple(power(meaning, exponent) for meaning in factor.meanings))


def name_goes_on(text: str, end: int) -> bool:
    """Whether a letter or digit follows, so that what ends here is no word of its own."""
    following = text[end : end + 1]
    if text[end - 1 : end] >= _SPACELESS or following >= _SPACELESS:
        return False
    return (following.isalnum() and following not in "½¼¾") or following == "_"


def follows_year(text: str, end: int) -> bool:
    """Whether the number before `end` may be a year."""
    year = text[max(0, end - 5) : end]
    return len(year) >= 4 and year[-4:].isdigit() and not year[:-4].isdigit() and year[-4] in "12"


def looks_like_unit(text: str, name: str, stop: int, end: int) -> bool:
    """Whether an unknown word from its letters and what follows is a unit."""
    if name in all_words("abbreviation that is no unit"):
        return False
    if _UNIT_SIGNS.search(name) or text[stop : stop + 1] in ("²", "³", "⁻"):
        return True
    if stop == end + len(name):
        return False  # "5xyz" is the name of something
    if _MIXED_CASE.fullmatch(name) or _NO_VOWELS.fullmatch(name):
        return True
    if text[stop : stop + 1] == "/" and read_factor(text, stop + 1):
        return len(name) <= 5  # "5 XYZ/mL"
    return (
        _CAPITALS.fullmatch(name) is not None
        and not follows_year(text, end)
        and _AFTER_CAPITALS.match(text, stop) is not None
    )


_ADJECTIVE: Final = re.compile(r"(?P<word>[^\W\d_]{2,24}),?(?P<gap>[ -])")
_NAME: Final = re.compile(r"[^\W\d_]{3,24}")
_SHORTEST_UNIT: Final = 3
_MOST_ADJECTIVES: Final = 2
#: What the units measure that adjectives stand before; "bright pixels" are counted.
_COUNTABLE: Final = ("time", "month", "length", "mass", "money:", "volume", "percent")
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
_PERCENT_BEFORE: Final = re.compile(r"(?:(?<![^\s(\[|/'\"])%|(?<!\w)[Yy]üzde\s|百分之)\s?\Z")
_LONGEST_PERCENT: Final = 7
_PERCENT: Final = Measure((("percent", 1),), "%", "1/100")


def qualified_unit(text: str, start: int, end: int) -> Factor | None:
    """Return the unit from `start` on behind adjectives, for a number that ends at `end`."""
    if start == end or text[end] == "\n":
        return None
    if follows_year(text, end) and _BEFORE_YEAR.search(text, max(0, end - 12), end):
        return None  # "in 2019 working hours fell"
    at, word = start, ""
    kinds: tuple[str, ...] = ()
    for _ in range(_MOST_ADJECTIVES + 1):
        if unit := _unit_behind(text, at, kinds, end, word):
            return unit
        match = _ADJECTIVE.match(text, at)
        if match is None or not _is_adjective(match["word"]):
            return None
        at, word = match.end(), match["word"]
        kinds = kinds or _kinds("other unit before it", word)
    return None


def _kinds(kind: str, word: str) -> tuple[str, ...]:
    """Return what a word makes of a unit.

    Days without holidays and weekends are working days; those of a German Werktag and a French jour
    ouvrable have Saturdays. English texts do not tell which.
    """
    names = names_of(kind).get(word)
    return tuple(names.split("; ")) if names else ()


def _is_adjective(word: str) -> bool:
    """Whether a word may be an adjective before a unit."""
    if word in names_of("other unit before it") or word in ("US", "UK"):
        return True
    is_other = word in all_words("no adjective") or word in NUMBER_WORDS or word.endswith("ly")
    return word.islower() and not is_other and not meanings(word)


def _unit_behind(
    text: str, at: int, kinds: tuple[str, ...], end: int, adjective: str
) -> Factor | None:
    """Return the unit behind an adjective; a symbol or the first part of a compound is none."""
    name = _NAME.match(text, at)
    word = name[0] if name else ""
    if name and word in names_of("kind of day"):
        days = Factor(name.end(), meanings("days"))
        return _of_kinds(days, _kinds("kind of day", word)) or days
    factor = read_factor(text, at) if adjective else None
    if factor is None or text[at] == "%":
        return factor
    is_no_unit = factor.end - at < _SHORTEST_UNIT or word.isupper()
    if is_no_unit or word.rstrip("s") in all_words("no unit behind an adjective"):
        return None
    has_plural = word == "foot" or bool(meanings(f"{word}s") or meanings(f"{word}es"))
    if has_plural and not word.endswith("s"):
        is_one = _ONE.search(text, max(0, end - 4), end) is not None
        if not is_one or adjective in _SHIFTED or _NEXT_NOUN.match(text, factor.end):
            return None
    if kinds:
        return _of_kinds(factor, kinds)
    is_countable = factor.meanings[0].dimension[0][0].startswith(_COUNTABLE)
    return with_following_qualifier(text, factor) if is_countable else None


def _of_kinds(factor: Factor, kinds: tuple[str, ...]) -> Factor | None:
    """Return a length of time or money as units of their own: working days, old pence."""
    first = factor.meanings[0]
    if not (kinds and first.dimension[0][0].startswith(("time", "month", "money:"))):
        return None
    names = [f"{kind} {first.symbol}" for kind in kinds]
    return factor._replace(meanings=tuple(Measure(((name, 1),), name) for name in names))


def with_following_qualifier(text: str, factor: Factor) -> Factor:
    """Return the unit with the adjective behind it: "10 jours ouvrables", "5 días hábiles"."""
    is_day = text[factor.end : factor.end + 1] == " " and factor.meanings[0].symbol == "d"
    match = _NAME.match(text, factor.end + 1) if is_day else None
    kinds = _kinds("other unit behind it", match[0]) if match else ()
    return (match and _of_kinds(factor._replace(end=match.end()), kinds)) or factor


def after_substance(text: str, end: int) -> tuple[int, bool]:
    """Return where what is measured ends, if a unit ends at `end`, and whether a rate follows.

    A text may leave out such a rate: a table of values "per 100 ml" says "5 g of salt" alone.
    """
    if match := _SUBSTANCE.match(text, end):
        return match.end(), False
    if match := _OF_WHAT.match(text, end):
        return match.end(), bool(match["noun"] or match["joined"])
    return end, False


def is_pence(text: str, end: int) -> bool:
    """Whether the "p" at `end` is that of "50p", not of a 1080p screen or the chromosome 5p."""
    is_name = _NO_PENCE.search(text, max(0, end - 20), end)
    return _PENCE.match(text, end) is not None and is_name is None


def read_percentage(text: str, end: int) -> tuple[int, tuple[Unit, ...]] | None:
    """Return end and unit of a percentage of something, behind a number that ends at `end`."""
    match = _OF_WHOLE.match(text, end)
    if match is None:
        return None
    name = (match["before"] or match["bracket"] or match["after"]).lower().rstrip(".")
    kind = names_of("whole of a percentage").get(name, name)
    whole = Measure(((f"percent of {kind}", 1),), "%", "1/100")
    return match.end(), (unit_of(whole, match[0].strip(" -"), _PERCENT),)


def percent_before(text: str, floor: int, start: int) -> int | None:
    """Return where the sign of percent before a number starts, if it has one."""
    lowest = max(floor, start - _LONGEST_PERCENT)
    match = _PERCENT_BEFORE.search(text[lowest:start])
    return match and lowest + match.start()
