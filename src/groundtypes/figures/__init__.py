"""Figures: the numbers, dates and quantities of a text, and whether references support them.

How the data flows:

1. `normalise` brings a text to plain digits, spaces and marks; offsets stay the same or are mapped.
2. `scanner` finds where a figure may start; `raw_reader` reads one there in digits (`numerals`,
   `notations`), and `word_reader` one in words (`number_words`), with what `number_units` takes
   from around it: its sign (`signs`), scale (`scales`), currency or noun (`measures`) and unit
   (`unit_expressions`); or a date (`dates`), time (`clocks`) or quarter (`periods`), or a name with
   a number in it (`identifiers`). The result is a `raw_figure`.
3. `compounds` joins "5 ft 10 in", `shared_units` gives "5, 10 and 20 mg" their unit and joins "one
   in four", `ranges` joins "5 to 10 kg", and `reader` adds `modifiers` such as "more than" and
   yields each `figure` with its place in the original text.
4. `index` holds the figures of all references by what they may mean; `lookup` asks it whether a
   figure of a statement is supported, and which figures are nearest to it.
5. `passages` cuts the references into sentences, items and rows. `derivation` looks whether one of
   the `steps` of arithmetic makes a figure that is not stated, or whether `listings` have as many
   items. `outcomes` puts all of it together.
"""

from groundtypes.figures.figure import Comparison, Figure
from groundtypes.figures.reader import find_figures

__all__ = [
    "Comparison",
    "Figure",
    "find_figures",
]
