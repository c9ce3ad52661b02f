"""Figures: the numbers, dates and quantities of a text, and whether references support them.

How the data flows:

1. `normalise` brings a text to plain digits, spaces and marks; offsets stay the same or are mapped.
2. `raw_reader` finds where a figure may start and reads one there in digits (`numerals`,
   `notations`), and `word_reader` one in words (`number_words`, `east_asian`), with what
   `number_units` takes from around it: its sign, scale (`scales`), currency (`currencies`), noun
   and unit (`unit_expressions`, `unit_names`, `qualifiers`, `units`); or a date (`dates`,
   `written_dates`, `month_words`) or time (`clocks`), or a name with a number in it
   (`identifiers`). The result is a `raw_figure`.
3. `joining` joins "5 ft 10 in" and "one in four", and gives "5, 10 and 20 mg" their unit;
   `timestamps` joins a date and its time, `ranges` joins "5 to 10 kg", and `reader` adds
   `modifiers` such as "more than" and yields each `figure` with its place in the original text.
   `cell_figures` does so for JSON values and tables, with the units of keys and headers
   (`cell_units`, `stated_units`).
4. `index` holds the figures of all references by the `forms` in which they support others;
   `lookup` asks it whether a figure of a statement is supported, and which are nearest to it.
5. `passages` cuts the references into sentences, items and rows. `derivation` looks whether one of
   the `steps` of arithmetic makes a figure that is not stated, whether it is a case of a bound, or
   whether as many items are listed. `outcomes` puts all of it together.
"""

from groundtypes.figures.figure import Comparison, Figure
from groundtypes.figures.reader import find_figures

__all__ = [
    "Comparison",
    "Figure",
    "find_figures",
]
