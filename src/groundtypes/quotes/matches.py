"""What a search for a quote returns where the quote occurs."""

from dataclasses import dataclass

from groundtypes.quotes.occurrences import MatchKind
from groundtypes.references import Span

__all__ = ["QuoteMatch"]


@dataclass(frozen=True, slots=True)
class QuoteMatch:
    """Where a quote occurs in the references.

    Attributes:
        text: The reference's own words, cut out by `span`.
        span: Where they are.
        how: Whether they match exactly, up to typography, or up to typos.
        cut: Whether they start or end inside a word or number of the reference, or start right
            behind the negation of what they say.
    """

    text: str
    span: Span
    how: MatchKind
    cut: bool = False
