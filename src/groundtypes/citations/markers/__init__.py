"""Citation markers in a text: which there are, and what they mean.

1. `styles` finds what may be a marker in each style, outside of code (`markdown`); `own_pattern`
   checks a pattern of one's own.
2. `labels` splits a marker into labels, and `known_sources` says which reference each one means;
   `source_list` finds the list of sources at the end of the text.
3. `marker_reader` decides what is a marker and which style a text has. The result is a
   `marked_text`, which `cited_text` shows.
"""
