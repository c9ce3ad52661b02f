"""Claims as plain data: extracted as triplets, and labelled by what the references say of them."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from groundtypes.references import Span
from groundtypes.scoring import Label, NLIScores
from groundtypes.text.hypotheses import triplet_hypothesis


@dataclass(frozen=True, slots=True)
class ClaimTriplet:
    """One claim of a text, with the span of the sentence that makes it.

    The span is half open, in code points of the text. Triplets with the same subject, predicate and
    object are equal, whatever their spans.
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


class ExtractedClaims(list[ClaimTriplet]):
    """Claims in the order of the text; `dropped` are those that the text does not make."""

    def __init__(
        self, claims: Iterable[ClaimTriplet] = (), dropped: Iterable[ClaimTriplet] = ()
    ) -> None:
        super().__init__(claims)
        self.dropped = tuple(dropped)


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim with its label, and the passage of the references that decided.

    `start` and `end` are the span of the sentence that makes the claim. `scores` are those of an
    NLI engine; an LLM gives none. `tokens` are those that an LLM read and wrote for this claim.
    `engine` is the class of the engine that decided, where a cascade did.
    """

    text: str
    start: int
    end: int
    label: Label
    passage: str | None = None
    span: Span | None = None
    scores: NLIScores | None = None
    tokens: int | None = None
    engine: str | None = None
