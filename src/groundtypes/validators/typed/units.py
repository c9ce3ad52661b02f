"""The unit of a field: what one of it is in the units in which figures are compared."""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from groundtypes.figures.figure import Figure, Number
from groundtypes.figures.reader import find_figures
from groundtypes.text.bm25 import terms

#: The unit of shares: 0.12 of "12 %".
_SHARE: Final = "1"
_WORDS_BEHIND: Final = 4
_WORD: Final = re.compile(r"[^\W\d_]+")


class FieldUnit(NamedTuple):
    """A unit with its meanings, each with the base units of one, or the terms of a counted noun."""

    text: str
    meanings: tuple[tuple[str, Number], ...] = ()
    offset: Number = 0
    noun: tuple[str, ...] = ()

    @property
    def scale(self) -> Number:
        """How many ones a scale word in the unit makes, as in "million EUR"."""
        return self.meanings[0][1] if self.meanings else 1


@lru_cache(maxsize=1024)
def field_unit(text: str) -> FieldUnit:
    """Return the unit that a text names: "EUR", "million people", "mg/dL", "%", "tablets"."""
    if text.strip() == _SHARE:
        return FieldUnit(text, (("percent", 1),))
    one = _figure_of(text)
    meanings = tuple(
        (reading.kind, reading.value)
        for reading in (one.readings if one else ())
        if reading.kind != "count" and isinstance(reading.value, Number) and not reading.partial
    )
    if one is None or not meanings or (meanings[0] == ("number", 1)):
        return FieldUnit(text, _scale_of_count(one), noun=tuple(terms(text)))
    offset: Number = 0
    if meanings[0][0] == "temperature":
        zero = find_figures(f"0 {text}")[0].readings[0].value
        offset = zero if isinstance(zero, Number) else 0
        meanings = (("temperature", meanings[0][1] - offset),)
    return FieldUnit(text, meanings, offset)


def _scale_of_count(one: Figure | None) -> tuple[tuple[str, Number], ...]:
    """Return how many a scale before a counted noun makes, as in "million people"."""
    value = one.readings[0].value if one is not None and one.kind == "count" else 1
    return (("count", value),) if isinstance(value, Number) and value > 1 else ()


def _figure_of(unit: str) -> Figure | None:
    """Return "1" with the unit, of which a scale may also be the last word ("EUR million")."""
    figures = find_figures(f"1 {unit}")
    if len(figures) == 2:
        *words, scale = unit.split()
        figures = find_figures(f"1 {scale} {' '.join(words)}")
    return figures[0] if len(figures) == 1 else None


def counts_noun(figure: Figure, behind: str, noun: tuple[str, ...]) -> bool | None:
    """Whether a figure counts what a noun names: `None` if nothing in particular."""
    words = _WORD.findall(behind)[: _WORDS_BEHIND + len(noun)]
    near = [term for word in (*words, figure.unit or "") for term in terms(word)]
    if set(noun[-1:]) <= set(near):
        return True
    return None if figure.kind == "number" else False
