"""The words that languages have for bounds, months, units and the like, as data.

`data` has one file for each language. Its lines are `kind: word | word`, below the source of the
words in square brackets; "#" begins a comment. `research/tables` writes the sections whose source
is CLDR. Nothing is read before a word is needed.
"""

from groundtypes.words.reader import languages, named_words, words_of

__all__ = ["languages", "named_words", "words_of"]
