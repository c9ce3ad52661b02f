"""Compound quantities: "5 ft 10 in" and "2 hours and 30 minutes" are one figure each."""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from groundtypes.figures.raw_figure import RawFigure

__all__ = ["join_compounds"]

_JOINT: Final = re.compile(r"[\s-]?|(?P<comma>,)?\s(?:and\s)?")
_HUNDREDTH: Final = Fraction(1, 100)
_KINDS: Final = frozenset(("length", "mass", "duration", "months"))


def join_compounds(text: str, figures: Iterator[RawFigure]) -> Iterator[RawFigure]:
    """Yield the figures, neighbours that make one quantity as one figure."""
    previous: RawFigure | None = None
    for figure in figures:
        if previous is not None and _continues(text, previous, figure):
            parts = [previous] if _last_quantity(previous) is previous else previous.parts
            # The quantity is written in the unit of its first part.
            is_money = figure.units[0].kind.startswith("money")
            kinds = {unit.kind for unit in figure.units}
            units = [unit for unit in previous.units if not is_money or unit.kind in kinds]
            ratio = Fraction(figure.units[0].factor) / units[0].factor
            previous = RawFigure(
                parts[0].start,
                figure.end,
                (previous.values[0] + figure.values[0] * ratio,),
                units=tuple(units if is_money else units[:1]),
                step=figure.step * ratio,
                parts=[*parts, figure],
                is_year=False,
            )
            continue
        if previous is not None:
            yield previous
        previous = figure
    if previous is not None:
        yield previous


def _continues(text: str, first: RawFigure, second: RawFigure) -> bool:
    """Whether the second figure is a smaller part of the quantity that the first begins."""
    if not (first.units and second.units and len(first.values) == len(second.values) == 1):
        return False
    larger, smaller = _last_quantity(first).units[0], second.units[0]
    if smaller.kind.startswith("money"):
        return _continues_money(text, first, second)
    joint = _JOINT.fullmatch(text, first.end, second.start)
    if joint is None or (joint["comma"] and _is_power_of_ten(larger.factor / smaller.factor)):
        return False  # "12 km, 450 m of ascent" are two quantities
    return (
        larger.kind == smaller.kind
        and larger.kind in _KINDS
        and larger.factor > smaller.factor
        and second.scale == 1
        and not second.incidental
        and 0 <= second.values[0] * smaller.factor < larger.factor
    )


def _continues_money(text: str, first: RawFigure, second: RawFigure) -> bool:
    """Whether the second figure is the hundredths of the first: "2 euros and 10 cents"."""
    if first.parts or first.scale != 1 or text[first.end : second.start] not in (" and ", " "):
        return False
    kinds = {unit.kind for unit in second.units if unit.factor == _HUNDREDTH}
    return (
        any(unit.kind in kinds and unit.factor == 1 for unit in first.units)
        and first.values[0].denominator == 1
        and 0 < second.values[0] < 1 / _HUNDREDTH
    )


def _is_power_of_ten(ratio: float | Fraction) -> bool:
    """Whether a ratio of two units is 10, 100 or 1000, as only those of metric units are."""
    return ratio in (10, 100, 1000)


def _last_quantity(figure: RawFigure) -> RawFigure:
    """Return the last part of a compound quantity, else the figure itself."""
    return figure.parts[-1] if figure.parts and figure.parts[-1].units else figure
