"""Intervals and lists in brackets, which look like citations of several references: "[0, 1]"."""

import re
from typing import Final

__all__ = ["is_around", "is_interval", "is_interval_by_words"]

_NUMBERS: Final = re.compile(
    r"\s{0,3}(?P<low>[0-9]{1,9})\s{0,3}[,;]\s{0,3}(?P<high>[0-9]{1,9})\s{0,3}"
)
#: What an interval or a list stands behind. "in [1, 2]" alone is a citation more often.
_BEFORE: Final = re.compile(
    r"(?:[\u2208=\u00d7\u2282\u2286]|\"\s?:|'\s?:|\\in|\b(?:interval|range|domain|between|vector|matrix|"
    r"array|list|tuple|Intervall|intervalle|intervalo|CI|CrI|IQR|HDI|KI)(?:\s(?:is|are|was|of|from)|:)?"
    r"|\b(?:li(?:es?|ying)|lay|falls?|fell|falling|ranges?|ranging|var(?:y|ies|ied)|values?|restricted|"
    r"confined|[a-z]) (?:in|within|over)"
    r"|\b(?:continuous|differentiable|integrable|analytic|holomorphic|bounded|monoton(?:e|ic)|"
    r"increasing|decreasing|convex|concave|uniform(?:ly)?|distributed|supported|positive|negative|"
    r"functions?|defined|[a-z])(?: distribut(?:ed|ion))? (?:on|over)"
    r"|\b(?:scaled|normali[sz]ed|rescaled|clipped|mapped|closed|limited) (?:to|into|onto)"
    r"|\b(?:takes?|taking|has|have|with) values in)\s?\Z",
    re.IGNORECASE,
)
#: A number before an interval around it: "330 [325, 335]".
_CENTRE: Final = re.compile(r"(?<![\w.,])(?P<number>[0-9]{1,9})(?:\s?%)?\s\Z")
_REACH: Final = 60


def is_interval(body: str) -> bool:
    """Whether the text between brackets may be an interval: two numbers that ascend."""
    found = _NUMBERS.fullmatch(body)
    return found is not None and int(found["low"]) < int(found["high"])


def is_interval_by_words(before: str, body: str) -> bool:
    """Whether the words before brackets say that they are an interval, a list or a vector."""
    if "," not in body and "=" not in before[-2:]:
        return False
    return _BEFORE.search(before[-_REACH:]) is not None


def is_around(text: str, start: int, body: str) -> bool:
    """Whether brackets at a place hold an interval around the number before them."""
    found, numbers = _CENTRE.search(text[max(0, start - 20) : start]), _NUMBERS.fullmatch(body)
    if found is None or numbers is None:
        return False
    return int(numbers["low"]) <= int(found["number"]) <= int(numbers["high"])
