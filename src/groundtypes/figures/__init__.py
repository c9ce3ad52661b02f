"""Figures: the numbers, dates and quantities of a text, and whether references support them.

How the data flows:

1. `normalise` brings a text to plain digits, spaces and marks; offsets stay the same or are mapped.
2. `raw_reader` finds where a figure may start and reads one there in digits (`numbers`,
   `notations`), and `word_reader` one in words (`numbers`, `east_asian`), with what `number_units`
   takes from around it: its sign, scale (`scales`), currency (`measure`), noun and unit
   (`unit_expressions`, `unit_names`, `units`); or a date (`dates`, `month_words`) or time
   (`clocks`), or a name with a number in it (`identifiers`). The result is a `RawFigure`.
3. `joining` joins "5 ft 10 in" and "one in four", gives "5, 10 and 20 mg" their unit, and joins a
   date and its time. `reader` joins "5 to 10 kg", adds what `bounds` says ("more than", "fell by"),
   and yields each `Figure` with its place in the original text. `cell_figures` does so for JSON
   values and tables, with the units of keys and headers (`header_units`).
4. `index` holds the figures of all references by the forms in which they support others.
5. `derivation` cuts the references into passages, and looks whether one of the `steps` of
   arithmetic makes a figure that is not stated, or whether as many items are listed. `outcomes`
   puts all of it together.
"""

from groundtypes.figures.figure import Comparison, Figure
from groundtypes.figures.reader import find_figures

__all__ = ["Comparison", "Figure", "find_figures"]
