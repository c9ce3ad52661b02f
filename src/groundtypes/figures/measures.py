"""What a number measures, by the words around it: scales, units, currencies, nouns."""

import re
from typing import Final, NamedTuple

from groundtypes.figures.currencies import CURRENCIES, SIGNS, money
from groundtypes.figures.measure import Measure, Unit, units_of
from groundtypes.figures.units import meanings

__all__ = ["ScaleMatch", "money_before", "noun_after", "read_scale"]

#: Scale words of several languages. A "Billion" is 10⁹ in English and "Billionen" 10¹² in German.
_SCALE_FACTORS: Final = {
    "hundred": 100, "dozen": 12, "hundert": 100, "score": 20,
    **dict.fromkeys(
        "thousand thousands tausend tsd mille mila mil duizend тыс тысяч тысячи тысяча".split(),
        10**3,
    ),
    **dict.fromkeys("lakh lakhs lac lacs".split(), 10**5),
    **dict.fromkeys("million millions millionen mio millón millones milione milioni milhão "
                    "milhões miljoen млн миллион миллиона миллионов".split(), 10**6),
    **dict.fromkeys("crore crores".split(), 10**7),
    **dict.fromkeys("billion billions milliarde milliarden mrd milliard milliards miliardo "
                    "miliardi mld bilhão bilhões miljard млрд миллиард миллиарда "
                    "миллиардов".split(), 10**9),
    "mil millones": 10**9,
    **dict.fromkeys("trillion trillions billionen billones billón biljoen трлн триллион триллиона "
                    "триллионов trilhão trilhões".split(), 10**12),
    "万": 10**4, "萬": 10**4, "만": 10**4, "億": 10**8, "亿": 10**8, "억": 10**8, "兆": 10**12,
}  # fmt: skip
_SCALE_WORD: Final = re.compile(
    r"[\s-]{0,2}("
    + "|".join(sorted(_SCALE_FACTORS, key=len, reverse=True))
    + r")(?:\b|(?<=[万萬만億亿억兆]))",
    re.IGNORECASE,
)
_SCALE_LETTER: Final = re.compile(r"(k|K|m|M|mm|MM|mn|mln|bn|b|B|tn|trn|T)(?![A-Za-z0-9/²³·])")
_SPACED_LETTERS: Final = re.compile(
    r"\s(mn|mln|bn|tn|trn|[kKmMbB](?=\s?(?:[€$£¥]|EUR|USD|GBP|CHF|euros?\b|dollars?\b|pounds?\b)))"
    r"(?![A-Za-z0-9])"
)
#: After an amount with a sign before it, any letter is a scale: "$5 B".
_MONEY_LETTERS: Final = re.compile(r"\s?(k|K|mm|MM|mn|mln|m|M|bn|b|B|tn|trn|T)(?![A-Za-z0-9])")
_LETTER_FACTORS: Final = {
    "k": 10**3, "m": 10**6, "mm": 10**6, "mn": 10**6, "mln": 10**6, "b": 10**9, "bn": 10**9,
    "t": 10**12, "tn": 10**12, "trn": 10**12,
}  # fmt: skip
_CURRENCY_BEFORE: Final = re.compile(
    "(?<![A-Za-z])(" + "|".join(map(re.escape, SIGNS)) + r")\s?[-+]?\Z"
)
_LAST_OF_SIGN: Final = frozenset(sign[-1] for sign in SIGNS)
_NOUN: Final = re.compile(r"\s{1,3}([a-z]{3,20})(?![a-z-])")
#: Plural nouns without an s, and words that count people or shares.
_PLURALS: Final = frozenset(
    "persons feet teeth mice fish sheep species series aircraft "
    "dead injured staff police percent".split()
)
#: Words that end with an s and are not the plural of a noun.
_NO_NOUNS: Final = frozenset(
    "was has his its this thus yes plus minus times always across versus less perhaps us as is "
    "does makes comes goes gives says shows means becomes remains contains includes hours' years' "
    "represents equals gets puts takes sees lies stands besides afterwards towards".split()
)


class ScaleMatch(NamedTuple):
    """A factor such as "million" that ends at `end`.

    `units` are what its letter may mean instead: the m of "1.2m" may be million or metre.
    """

    end: int
    factor: int
    units: tuple[Unit, ...] = ()


def read_scale(text: str, end: int, *, money: bool) -> ScaleMatch | None:
    """Return the scale after a number that ends at `end`."""
    following = text[end : end + 1]
    if not following or following in ".,;)":
        return None
    if match := _SCALE_WORD.match(text, end):
        factor = _SCALE_FACTORS[match[1].lower()]
        if money and match[1].lower() == "mil":
            factor = 10**6  # "$5 mil"
        return ScaleMatch(match.end(), factor)
    if money and (match := _MONEY_LETTERS.match(text, end)):
        return ScaleMatch(match.end(), _LETTER_FACTORS[match[1].lower()])
    match = _SCALE_LETTER.match(text, end) or _SPACED_LETTERS.match(text, end)
    if match is None:
        return None
    letters = match[1]
    units = () if money else units_of(meanings(letters))
    return ScaleMatch(match.end(), _LETTER_FACTORS[letters.lower()], units)


def money_before(text: str, floor: int, start: int) -> tuple[int, tuple[Measure, ...]] | None:
    """Return where the currency before a number starts, and what it may mean."""
    at = start - 1
    while at > floor and text[at] in " +-" and at > start - 3:
        at -= 1
    if at < floor or text[at] not in _LAST_OF_SIGN:
        return None
    tail = text[max(floor, start - 8) : start]
    match = _CURRENCY_BEFORE.search(tail)
    if match is None:
        return None
    return start - len(tail) + match.start(), money(CURRENCIES[match[1]], match[1])


def noun_after(text: str, end: int) -> str | None:
    """Return the singular of the counted noun, where a plural directly follows the number."""
    match = _NOUN.match(text, end)
    if match is None:
        return None
    word = match[1]
    if word in _PLURALS or word.endswith(("men", "children", "people")):
        return word
    if word.endswith("s") and not word.endswith(("ss", "ous", "us")) and word not in _NO_NOUNS:
        return word[:-1]
    return None
