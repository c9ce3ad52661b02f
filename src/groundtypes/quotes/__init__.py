"""Quotes: where a quote occurs in the references, and how a near miss differs from it.

How the data flows:

1. `exact_search` finds a quote that stands in a text as it is; `boundaries` says whether it cuts a
   word or number (by `edge_patterns` and `amounts`), and `negations` whether it leaves out the
   negation before it. For every other quote there is `tolerant_search`.
2. `word_index` reads the references once and remembers the positions of every word, and
   `candidates` lets the words of a quote vote for the places where it may occur.
3. `fast_path` compares quote and text around a candidate character by character, folded, and only
   what differs token by token. Where it cannot decide, `slow_path` scans a window of the text.
4. `scanner` turns text into normalised `tokens`; `comparison` tells whether two lists of tokens
   differ in typography alone, and `alignment` which edits lie between them. `tolerance` decides
   whether these are only punctuation and typos, which a fuzzy search accepts.
5. `occurrences` runs these steps for one quote, the cheapest first, and leaves out passages that
   differ in `letter_case` or `layout`. `ellipses` joins parts and judges what is hidden.
6. `near_miss` describes the passage most like a quote that occurs nowhere, and `advice` chooses the
   one that a message proposes.
"""

from groundtypes.quotes.matches import MatchKind, NearMiss, QuoteMatch
from groundtypes.quotes.search import find_quote

__all__ = [
    "MatchKind",
    "NearMiss",
    "QuoteMatch",
    "find_quote",
]
