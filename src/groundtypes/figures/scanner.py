"""From a flat text to its atoms: where figures may start, and what is none."""

import re
from collections.abc import Iterator
from typing import Final

from groundtypes.figures.atoms import Atom, read_atom
from groundtypes.figures.words import NUMBER_WORDS

__all__ = ["atoms"]

_MONTHS: Final = (
    r"(?:J(?:an|AN|un|UN|ul|UL)|F(?:eb|EB)|M(?:a[ry]|A[RY])|A(?:pr|PR|ug|UG)|S(?:ep|EP)|O(?:ct|CT)"
    r"|N(?:ov|OV)|D(?:ec|EC))[A-Za-z]{0,6}\.?,?\s{1,3}(?:the\s|of\s)?[0-9]"
)
_AN: Final = (
    r"(?i:an?\s(?:hour|minute|day|week|month|year|decade|century|fortnight|mile|kilomet(?:re|er)|"
    r"kilogram|lit(?:re|er)|quarter)\b)"
)
_WORDS: Final = "|".join(sorted(NUMBER_WORDS, key=lambda word: (-len(word), word)))
_NEXT: Final = re.compile(
    rf"[0-9½¼¾⅓⅔⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒]|\b(?:(?P<link>https?://\S+|www\.\S+)|{_MONTHS}|{_AN}|(?i:(?:{_WORDS})\b))"
)
_MARKER: Final = re.compile(r"[0-9]{1,3}[.)](?=[ \t]+\S)")
_NOTE: Final = re.compile(r"[0-9]{1,3}(?:\s?[,;-]\s?[0-9]{1,3}){0,12}\s?\]")
_ENTITY: Final = re.compile(r"[0-9]{1,7};")
_INTERVALS: Final = ("range", "interval", "iqr", "ci", "between", "from", "scale", "values", "of")


def atoms(text: str) -> Iterator[Atom]:
    """Yield the figures of a flat text one by one, in order, not overlapping."""
    at = floor = 0
    while match := _NEXT.search(text, at):
        start = match.start()
        if match["link"]:
            at = floor = match.end()
            continue
        if text[start] <= "9" and (end := _no_figure(text, start)):
            at = floor = end
            continue
        found = read_atom(text, start, floor)
        if isinstance(found, Atom):
            yield found
            at = floor = max(found.end, start + 1)
        else:
            at = found or start + 1


def _no_figure(text: str, start: int) -> int | None:
    """Return where the number of a list, of a footnote or of a character entity ends."""
    before = text[start - 1] if start else "\n"
    if before in "\n \t(" and (match := _MARKER.match(text, start)):
        line = text.rfind("\n", max(0, start - 10), start) + 1
        if (line or start < 10) and not text[line:start].strip(" \t(>"):
            return match.end()
    if before == "[" and (match := _NOTE.match(text, start)):
        words = text[max(0, start - 16) : start - 1].lower().split()
        return None if words and words[-1].strip(",:=") in _INTERVALS else match.end()
    if (
        before == "#"
        and text[start - 2 : start - 1] == "&"
        and (match := _ENTITY.match(text, start))
    ):
        return match.end()
    return None
