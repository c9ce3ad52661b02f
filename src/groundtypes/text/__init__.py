"""Pure string work: folding, tokens, the anchor index, alignment. It knows no references."""
