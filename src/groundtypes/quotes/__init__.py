"""Quotes: where the words of a quote stand in the references, and how a near miss differs."""

from groundtypes.quotes.finder import How
from groundtypes.quotes.search import NearMiss, QuoteMatch, find_quote

__all__ = [
    "How",
    "NearMiss",
    "QuoteMatch",
    "find_quote",
]
