"""How much the prompts about the sentences and claims of a text show of it."""

from typing import Final

#: How many sentences, and how many characters of them, one question is about at most.
MAX_SENTENCES: Final = 24
MAX_CHARACTERS: Final = 6_000
#: How many characters of the user's question are shown.
MAX_QUESTION: Final = 1_000
#: How many characters of the text before the sentences are shown, to resolve their pronouns.
MAX_PRECEDING: Final = 600
