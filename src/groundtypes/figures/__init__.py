"""Figures: the numbers, dates and quantities of a text, and whether references support them.

How the data flows:

1. `normalise` brings a text to plain digits, spaces and marks; offsets stay the same or are mapped.
2. `scanner` finds where a figure may start; `raw_reader` reads one there: a number in digits
   (`numerals`) or in words (`number_words`) with its scale, unit, currency or noun (`measures`,
   `units`), a date or time (`dates`), or a name with a number in it (`identifiers`). The result is
   a `raw_figure`.
3. `compounds` joins "5 ft 10 in", `ranges` joins "5 to 10 kg", and `reader` adds `modifiers` such
   as "more than" and yields each `figure` with its place in the original text.
4. `index` holds the figures of all references by what they may mean; `lookup` asks it whether a
   figure of a statement is supported, and which figures are nearest to it.
"""

from groundtypes.figures.figure import Comparison, Figure
from groundtypes.figures.reader import find_figures

__all__ = [
    "Comparison",
    "Figure",
    "find_figures",
]
