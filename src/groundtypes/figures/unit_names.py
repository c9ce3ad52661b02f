"""One factor of a unit: a known name or symbol with its exponent, or what looks like a unit."""

import re
from functools import cache
from typing import Final, NamedTuple

from groundtypes.figures.currencies import spaceless_currencies
from groundtypes.figures.measure import Measure, power
from groundtypes.figures.unit_words import is_unit_here, spaceless_units
from groundtypes.figures.units import begins_longer_name, meanings

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
#: Words before a length that make an area or a volume.
_POWER_WORDS: Final = {
    "square": 2, "sq": 2, "cubic": 3, "cu": 3, "кв": 2, "куб": 3, "vierkante": 2, "kubieke": 3,
    "квадратных": 2, "квадратный": 2, "квадратного": 2, "квадратные": 2,
    "кубических": 3, "кубический": 3, "кубического": 3,
}  # fmt: skip
#: Words after a length that do the same.
_POWER_AFTER: Final = re.compile(
    r"\s(?:(?P<two>squared|carrés?|cuadrados?|quadrados?|quadrat[io])"
    r"|(?P<three>cubed|cubes?|cúbicos?|cub[io]))\b"
)
#: Signs that stand in units and in no words.
_UNIT_SIGNS: Final = re.compile(r"[µΩ°‰℃℉Å]")
_MIXED_CASE: Final = re.compile(r"[a-z]{1,3}[A-Z]{1,3}[a-z]?[A-Z]?")
_NO_VOWELS: Final = re.compile(r"[bcdfghjklmnpqrstvwxz]{2,5}")
_CAPITALS: Final = re.compile(r"[A-Z]{2,5}")
#: Abbreviations that look like units.
_NO_UNITS: Final = frozenset(
    "vs th nd rd st pm ff nr dr mr mrs ms pts pp fl ch ss tr km AM PM AD BC CE BCE US UK EU UN CEO "
    "UTC GMT EST EDT CST CDT MST MDT PST PDT ET CT MT PT BST CET CEST EET EEST IST JST MSK AEST "
    "AEDT SGT HKT ST ND RD TH AND OR OF TO IN AT BY FOR ON THE IF AS IS NO NOT PER MAY".split()
)
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
    lower = word.lower()
    exponent = _POWER_WORDS.get(lower)
    if exponent is not None:
        return _powered(text, match.end(), exponent)
    found: tuple[Measure, ...] = ()
    stop = match.end()
    if begins_longer_name(lower):
        found, stop = _longest_name(text, match)
    if not found:
        found, stop = meanings(word.replace(" ", "").replace("₂", "2")), match.end()
    if not found:
        return None
    return _with_exponent(text, Factor(stop, found))


def _powered(text: str, end: int, exponent: int) -> Factor | None:
    """Return the area or volume after a word such as "square"."""
    gap = re.compile(r"\.?[\s-]{1,2}").match(text, end)
    match = name_pattern().match(text, gap.end()) if gap else None
    found = meanings(match[0]) if match else ()
    lengths = tuple(power(item, exponent) for item in found if item.dimension == (("length", 1),))
    if match is None or not lengths or name_goes_on(text, match.end()):
        return None
    return Factor(match.end(), lengths)


def _longest_name(text: str, first: re.Match[str]) -> tuple[tuple[Measure, ...], int]:
    """Return the meanings and the end of the longest known name of several words."""
    words, ends = [first[0]], [first.end()]
    while len(words) < 4 and (gap := _WORD_GAP.match(text, ends[-1])):
        match = name_pattern().match(text, gap.end())
        if match is None:
            break
        words.append(match[0])
        ends.append(match.end())
    for count in range(len(words), 1, -1):
        name = " ".join(words[:count])
        if found := meanings(name) or meanings(name.lower()):
            return found, ends[count - 1]
    return (), first.end()


def _with_exponent(text: str, factor: Factor) -> Factor | None:
    """Return the factor with its power; nothing if it is only the beginning of a longer word."""
    end = factor.end
    exponent = 1
    if match := _POWER_AFTER.match(text, end):
        exponent, end = (2 if match["two"] else 3), match.end()
    elif match := _EXPONENT.match(text, end):
        digits = match["super"] or match["caret"] or match["plain"]
        if not match["plain"] or match["plain"][0] == "-" or _is_length(factor):
            exponent, end = int(digits.translate(_SUPERSCRIPTS)), match.end()
    if not exponent or (name_goes_on(text, end) and text[end - 1] not in "¹²³⁴⁵⁶"):
        return None
    if exponent == 1:
        return factor._replace(end=end)
    return Factor(end, tuple(power(meaning, exponent) for meaning in factor.meanings))


def _is_length(factor: Factor) -> bool:
    return any(meaning.dimension == (("length", 1),) for meaning in factor.meanings)


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
    if name in _NO_UNITS:
        return False
    if _UNIT_SIGNS.search(name) or text[stop : stop + 1] in ("²", "³", "⁻"):
        return True
    if stop == end + len(name):
        return False  # "5xyz" is the name of something
    if _MIXED_CASE.fullmatch(name) or _NO_VOWELS.fullmatch(name):
        return True
    if text[stop : stop + 1] == "/" and (factor := read_factor(text, stop + 1)):
        return len(name) <= 5 and bool(factor.meanings)  # "5 XYZ/mL"
    return (
        _CAPITALS.fullmatch(name) is not None
        and not follows_year(text, end)
        and _AFTER_CAPITALS.match(text, stop) is not None
    )
