"""Citation markers in a text: which there are, and which references they mean.

`styles` finds what may be a marker, `labels` what it names; `marker_reader` decides what is one.
The result is a `marked_text`, which `cited_text` shows.
"""
