"""Citation markers in prose: which there are, what they mean, and what each sentence cites.

How the data flows:

1. `styles` finds what may be a marker in each style, outside of code (`code_spans`); `own_pattern`
   checks a pattern of one's own.
2. `labels` splits a marker into labels, and `known_sources` says which reference each one means;
   `source_list` finds the list of sources at the end of the text.
3. `reader` decides what is a marker and which style a text has. The result is a `marked_text` with
   each `marker`.
4. `sentences` says which markers count for which sentence, and `cited_text` shows them.
"""

from groundtypes.citation_markers.cited_text import Citation, CitedText
from groundtypes.citation_markers.marked_text import MarkedText
from groundtypes.citation_markers.marker import Marker
from groundtypes.citation_markers.reader import read_markers, style_pattern
from groundtypes.citation_markers.sentences import CitedSentence, cited_sentences
from groundtypes.citation_markers.styles import STYLES

__all__ = [
    "STYLES",
    "Citation",
    "CitedSentence",
    "CitedText",
    "MarkedText",
    "Marker",
    "cited_sentences",
    "read_markers",
    "style_pattern",
]
