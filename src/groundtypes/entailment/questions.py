"""The questions to an NLI engine: each sentence of a text, with the passages selected for it.

The sentences of a text that make a claim become an `EntailmentQuestion` each. Its `pairs` go to the
engine first. If their scores make the sentence neutral, `second_look` pairs it with a premise that
is composed of single sentences of the references.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from groundtypes.evidence.index import Passage, select_passages
from groundtypes.evidence.premises import ComposedPremise, compose_premise, premise_with_question
from groundtypes.references import References
from groundtypes.scoring import Pair
from groundtypes.text.coverage import content_terms
from groundtypes.text.hypotheses import Hypothesis, hypotheses

__all__ = ["EntailmentQuestion", "SecondLook", "build_questions", "sentences_with_claims"]

#: How many passages are scored for each sentence.
_PASSAGES: Final = 5
#: A sentence with fewer content words may be a short answer that only makes sense after its
#: question.
_MIN_CONTENT_WORDS: Final = 4


@dataclass(frozen=True, slots=True)
class SecondLook:
    """A second pair for a sentence: its premise is composed of sentences that share its words."""

    premise: ComposedPremise
    pair: Pair


@dataclass(frozen=True, slots=True)
class EntailmentQuestion:
    """Whether any of a few passages entails a sentence."""

    hypothesis: Hypothesis
    passages: tuple[Passage, ...]
    user_question: str | None
    references: References

    @property
    def pairs(self) -> list[Pair]:
        """One pair for each passage, in the order of the passages."""
        return [self._pair(passage.text) for passage in self.passages]

    def second_look(self) -> SecondLook | None:
        """Return the pair to score if the first scores are neutral; `None` if none is new."""
        premise = compose_premise(self.references, self.hypothesis.text)
        if premise is None or any(
            " ".join(passage.text.split()) == premise.text for passage in self.passages
        ):
            return None
        return SecondLook(premise, self._pair(premise.text))

    def _pair(self, premise: str) -> Pair:
        # The user's question precedes the premise only if the sentence alone says too little, as
        # "11 years." does. With every premise it misleads a model trained without questions.
        is_short = len(content_terms(self.hypothesis.text)) < _MIN_CONTENT_WORDS
        return Pair(
            premise_with_question(self.user_question if is_short else None, premise),
            self.hypothesis.text,
        )


def sentences_with_claims(text: str) -> list[Hypothesis]:
    """Return the sentences of a text that make a claim.

    If no sentence does, the whole text counts as one that does; a text without any letter or digit
    has none.
    """
    sentences = [sentence for sentence in hypotheses(text) if sentence.is_claim]
    if not sentences and any(character.isalnum() for character in text):
        return [Hypothesis(" ".join(text.split()), 0, len(text))]
    return sentences


def build_questions(
    text: str | Sequence[Hypothesis],
    references: References,
    user_question: str | None = None,
    max_passages: int = _PASSAGES,
) -> list[EntailmentQuestion]:
    """Return one question for each given sentence, or for each of a text that makes a claim."""
    sentences = sentences_with_claims(text) if isinstance(text, str) else text
    return [
        EntailmentQuestion(
            sentence,
            tuple(select_passages(references, sentence.text, max_passages)),
            user_question,
            references,
        )
        for sentence in sentences
    ]
