"""What a number measures, by the words around it: a currency before it, a noun behind it."""

import re
from typing import Final, NamedTuple

from groundtypes.figures.currencies import CURRENCIES, SIGNS, money
from groundtypes.figures.measure import Measure
from groundtypes.figures.scales import scale_named

__all__ = ["MoneyBefore", "money_before", "noun_after"]

#: No currency with its scale is longer, before a number.
_LONGEST_BEFORE: Final = 16
_CURRENCY_BEFORE: Final = re.compile(
    r"(?<![^\W\d_])(?:(?P<scale>T|k|K|M|m|MM|(?:Mio|Mrd|Tsd|Mill)\.?\s?|mn\s|bn\s))?(?P<sign>"
    + "|".join(map(re.escape, SIGNS))
    + r")\s?(?:(?P<after>(?:Mio|Mrd|Tsd)\.?|Mill\.|mn|bn|mln|mld|[mk]|million|billion|thousand)\s)?"
    r"[-+]?\Z"
)
#: What the last letters before a number are where a scale follows its currency.
_LAST_OF_SCALE: Final = (
    "Mio", "Mio.", "Mrd", "Mrd.", "Tsd", "Tsd.", "Mill.", "mn", "bn", "mln", "mld", "€m", "$m",
    "£m", "€k", "$k", "£k", "Rm", "Dm", "Pm", "Fm", "Rk", "Dk", "Pk", "Fk", "R million",
    "R billion", "R thousand", "D million", "D billion", "D thousand", "€ million", "€ billion",
    "$ million", "$ billion",
)  # fmt: skip
_LAST_OF_SIGN: Final = frozenset(sign[-1] for sign in SIGNS)
_NOUN: Final = re.compile(r"\s{1,3}([a-z]{3,20})(?![a-z-])")
#: Plural nouns without an s, and words that count people or shares.
_PLURALS: Final = frozenset(
    "persons feet teeth mice fish sheep species series aircraft "
    "dead injured staff police percent".split()
)
#: Words that end with an s and are not the plural of a noun.
_NO_NOUNS: Final = frozenset(
    "bis was has his its this thus yes plus minus times always across versus less perhaps us as is "
    "does makes comes goes gives says shows means becomes remains contains includes hours' years' "
    "represents equals gets puts takes sees lies stands besides afterwards towards".split()
)


class MoneyBefore(NamedTuple):
    """A currency before a number: where it starts, what it may mean, and its scale if it has one.

    The scale is that of "TEUR 500", "Mio. EUR 3,8" and "EUR Mio. 3,8".
    """

    start: int
    measures: tuple[Measure, ...]
    scale: int = 1


def money_before(text: str, floor: int, start: int) -> MoneyBefore | None:
    """Return the currency before a number, if it has one."""
    at = start - 1
    while at > floor and text[at] in " +-" and at > start - 3:
        at -= 1
    if at < floor:
        return None
    if text[at] not in _LAST_OF_SIGN and not text.endswith(_LAST_OF_SCALE, floor, at + 1):
        return None
    tail = text[max(floor, start - _LONGEST_BEFORE) : start]
    match = _CURRENCY_BEFORE.search(tail)
    if match is None:
        return None
    name = match["scale"] or match["after"]
    scale = (name and scale_named(name)) or 1
    measures = money(CURRENCIES[match["sign"]], match["sign"])
    return MoneyBefore(start - len(tail) + match.start(), measures, scale)


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
