"""`Entailment`: what references say of one sentence."""

from dataclasses import dataclass

from groundtypes.references import Span
from groundtypes.scoring import Label, NLIScores


@dataclass(frozen=True, slots=True)
class Entailment:
    """Whether references entail one sentence of a text, contradict it, or do neither.

    Attributes:
        text: The sentence.
        label: What the references say of it.
        scores: The probabilities, of all evidence together.
        passage: The sentences or the passage that decided, or that are closest.
        span: Where they are; of several, the one that shares most words with the sentence.
        conflict: Where another sentence contradicts what this passage entails.
        spans: Where all sentences are, if several decided together.
        difference: What differs most between the passage and the sentence, in plain English, if
            they are not found to say the same.
        differing_words: The words of the passage that differ.
        is_ruled: Whether that difference decided, whatever the scores were.
    """

    text: str
    label: Label
    scores: NLIScores
    passage: str | None = None
    span: Span | None = None
    conflict: Span | None = None
    spans: tuple[Span, ...] = ()
    difference: str | None = None
    differing_words: tuple[str, ...] = ()
    is_ruled: bool = False

    @property
    def because(self) -> str:
        """The difference as the end of a message on the passage, if it alone decided; else `""`."""
        return f"; {self.difference}" if self.is_ruled else ""
