"""A claim triplet: one claim of a text as subject, predicate and object."""

from dataclasses import dataclass, field

from groundtypes.text.hypotheses import triplet_hypothesis

__all__ = ["ClaimTriplet"]


@dataclass(frozen=True, slots=True)
class ClaimTriplet:
    """One claim of a text, and the span of the sentence that makes it.

    `start` and `end` are half open, in code points of the text. Two triplets are equal when they
    claim the same, wherever their sentences are.
    """

    subject: str
    predicate: str
    object: str
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)

    @property
    def text(self) -> str:
        """The claim as a sentence."""
        return triplet_hypothesis(self.subject, self.predicate, self.object)
