"""Figures: the numbers, dates and quantities of a text, and their lookup in references."""

from groundtypes.figures.figure import Comparison, Figure
from groundtypes.figures.lookup import find_figures

__all__ = [
    "Comparison",
    "Figure",
    "find_figures",
]
