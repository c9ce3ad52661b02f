"""What a search for a quote returns: where the quote occurs, or the passage most like it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from groundtypes.references import Span
from groundtypes.text.message_excerpts import in_quotation_marks

#: The differences that a message spells out.
_EXPLAINED: Final = 3
#: The quote's side of a difference that is a word left out by an ellipsis, and of one that is
#: struck out.
ELLIPSIS_DIFFERENCE: Final = "..."
STRUCK_OUT_DIFFERENCE: Final = "the reference strikes out"
#: Why a passage of the quote's words is none of its quotes.
BLOCK_DIFFERENCE: Final = "it joins a list, table or heading to other text"
CELLS_DIFFERENCE: Final = "it joins table cells or list items that stand apart"
MARK_DIFFERENCE: Final = "the sign, box or number before it differs"
_REASONS: Final = frozenset((BLOCK_DIFFERENCE, CELLS_DIFFERENCE, MARK_DIFFERENCE))


class EllipsisRule(StrEnum):
    """What an ellipsis between two parts of a quote may hide."""

    STRICT = "strict"
    LENIENT = "lenient"
    REFUSE = "refuse"


class MatchKind(StrEnum):
    """How a quote matches a reference."""

    EXACT = "exact"
    NORMALISED = "normalised"
    FUZZY = "fuzzy"
    DAMAGED = "damaged"


class Occurrence(NamedTuple):
    """A stretch of the text with this number where the quote occurs."""

    number: int
    start: int
    end: int
    how: MatchKind


def places_by_scanning(
    quote: str, texts: Sequence[str], numbers: range
) -> Iterator[tuple[int, int]]:
    """Yield the number of a text and the start in it, wherever the quote occurs exactly."""
    for number in numbers:
        text = texts[number]
        at = text.find(quote)
        while at >= 0:
            yield number, at
            at = text.find(quote, at + 1)


@dataclass(frozen=True, slots=True)
class QuoteMatch:
    """Where a quote occurs in the references.

    Attributes:
        text: The reference's own words, cut out by `span`.
        span: Where they are; of a quote across two chunks, where it begins.
        how: Whether they match exactly, up to typography, up to typos, or only in a
            repaired text.
        cut: Whether they start or end inside a word or number of the reference, or start right
            behind the negation of what they say.
        spans: The spans of a quote that begins in one chunk of a source and ends in the next one.
    """

    text: str
    span: Span
    how: MatchKind
    cut: bool = False
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class NearMiss:
    """The passage most like a quote that occurs nowhere.

    Attributes:
        excerpt: At most 200 characters of the passage, on one line, which are a quote that holds;
            empty where no such words were found.
        span: All of the passage.
        similarity: The share of words that both have in common, between 0 and 1.
        altered: Whether the quote is an altered copy of the passage.
        differences: Pairs of what the quote says and what the reference says in its place.
    """

    excerpt: str
    span: Span
    similarity: float
    altered: bool
    differences: tuple[tuple[str, str], ...]

    def explain(self) -> str:
        """Return the first differences in words, for the message to the LLM."""
        # Signs of which no word remains, such as a raised sign, are seen in the passage itself.
        told = [pair for pair in self.differences if any(pair)]
        if self.differences and not told:
            return "a sign, or its position above or below the line, differs"
        explanations = [_explain(*pair) for pair in told[:_EXPLAINED]]
        more = len(told) - len(explanations)
        if more:
            explanations.append(f"and {more} more")
        return ", ".join(explanations) or "its parts stand in another order"


def _explain(quoted: str, original: str) -> str:
    if quoted == ELLIPSIS_DIFFERENCE:
        if not original:
            return "there is an ellipsis where nothing may be left out"
        return f"the ellipsis leaves out {in_quotation_marks(original)}"
    if quoted == STRUCK_OUT_DIFFERENCE:
        return f"{quoted} {in_quotation_marks(original)}"
    if quoted in _REASONS:
        return quoted
    if not original:
        return f"{in_quotation_marks(quoted)} was added"
    if not quoted:
        return f"{in_quotation_marks(original)} is missing"
    return f"{in_quotation_marks(quoted)} should be {in_quotation_marks(original)}"
