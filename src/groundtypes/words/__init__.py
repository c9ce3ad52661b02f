"""The words that languages have for bounds, months, units and the like, as data.

`data` has one file for each language, and `mul.txt` for words whose languages are not told apart.
Its lines are `kind: word | word`, or `kind [name]: word` for the words of something with a name,
such as a unit, below the source of the words in square brackets; "#" begins a comment.
`research/tables` writes the sections whose source is CLDR. Nothing is read before a word is needed.
"""

from groundtypes.words.reader import all_words, languages, named_words, names_of, words_of

__all__ = ["all_words", "languages", "named_words", "names_of", "words_of"]
