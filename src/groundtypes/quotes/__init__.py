"""Quotes: where a quote occurs in the references, and how a near miss differs from it.

How the data flows:

1. `word_index` reads the references once and remembers the positions of every word.
2. `candidates` lets the words of a quote vote for the places where it may occur; an exact
   occurrence is found in this step.
3. `fast_path` compares quote and text around a candidate character by character, folded, and only
   what differs token by token. Where it cannot decide, `slow_path` scans a window of the text.
4. `scanner` turns text into normalised `tokens` (`token_patterns` says what a token looks like and
   `equal_characters` which characters are equal); `comparison` tells whether two lists of tokens
   differ in typography alone, and `alignment` which edits lie between them. `tolerance` decides
   whether these are only punctuation and `typos`, which a fuzzy search accepts.
5. `occurrences` runs these steps for one quote, the cheapest first. `search` adds the rest:
   parts joined by an ellipsis (`ellipses`; `gaps` judges what it hides, by the lists that
   `turning_words` reads), whether a match cuts a word (`boundaries`) or leaves out the negation
   before it (`negations`), and the near miss for a quote that occurs nowhere (`near_miss`).
6. `advice` chooses the passage that a message proposes: of the candidates around what differs
   (`passage_windows`, within `word_limits`), the first that is itself a quote. `cut_quotes` asks
   it for a quote that cuts something.
"""

from groundtypes.quotes.matches import QuoteMatch
from groundtypes.quotes.near_miss import NearMiss
from groundtypes.quotes.occurrences import MatchKind
from groundtypes.quotes.search import find_quote

__all__ = [
    "MatchKind",
    "NearMiss",
    "QuoteMatch",
    "find_quote",
]
