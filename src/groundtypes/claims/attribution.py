"""Which sentence makes a claim, whether the text makes it, and which sentences no claim covers.

LLMs miscount sentences, add claims of their own and skip sentences; and a text may contain
instructions that make them do so. The functions here compare claims with the text by their content
words and numbers, without any engine.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from groundtypes.claims.claim import ClaimTriplet
from groundtypes.text.coverage import content_terms, numbers_of
from groundtypes.text.hypotheses import Hypothesis, hypotheses

#: A sentence without a number and with fewer content words makes no claim if none was extracted
#: from it.
_MIN_CONTENT_WORDS: Final = 3


@dataclass(frozen=True, slots=True)
class TextVocabulary:
    """The content words and the numbers of a text and of the user's question."""

    words: set[str]
    numbers: set[str]

    @classmethod
    def of(cls, text: str, user_question: str | None) -> "TextVocabulary":
        """Return the vocabulary of a text and the user's question."""
        both = f"{text}\n{user_question or ''}"
        return cls(content_terms(both), set(numbers_of(both)))

    def contains_words_of(self, claim: str, *parts: str) -> bool:
        """Whether it has all numbers of a claim and at least half the content words of each part.

        Without parts the whole claim is the only part.
        """
        if not set(numbers_of(claim)) <= self.numbers:
            return False
        return all(
            2 * len(words & self.words) >= len(words)
            for words in map(content_terms, parts or (claim,))
        )


def attribute_sentence(
    named: Hypothesis, sentences: Sequence[Hypothesis], claim: str, claim_object: str = ""
) -> Hypothesis:
    """Return the sentence that makes a claim: the one the LLM named, or one that fits better.

    Another sentence fits better if it has all content words of the claim and the named one does
    not; or if it has all content words of the claim's object and the named one has none of them.
    Small LLMs miscount.
    """
    named_words = content_terms(named.text)
    claim_words, object_words = content_terms(claim), content_terms(claim_object)
    for sentence in sentences:
        words = content_terms(sentence.text)
        if claim_words <= words and not claim_words <= named_words:
            return sentence
        if object_words and object_words <= words and not object_words & named_words:
            return sentence
    return named


class _LocatedClaim(Protocol):
    """A claim with the span of the sentence that makes it."""

    @property
    def text(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


def uncovered_sentences(text: str, claims: Iterable[_LocatedClaim]) -> list[Hypothesis]:
    """Return the sentences that make a claim and that the claims attributed to them do not cover.

    Claims cover a sentence if they have all its numbers and at least half of its content words. A
    sentence without claims is covered if it has no number and hardly any content words.
    """
    claims_of: dict[tuple[int, int], list[str]] = {}
    for claim in claims:
        claims_of.setdefault((claim.start, claim.end), []).append(claim.text)
    return [
        sentence
        for sentence in hypotheses(text)
        if sentence.is_claim
        and not _is_covered(sentence.text, claims_of.get((sentence.start, sentence.end)))
    ]


def _is_covered(sentence: str, claims: Sequence[str] | None) -> bool:
    words, numbers = content_terms(sentence), set(numbers_of(sentence))
    if claims is None:
        return len(words) < _MIN_CONTENT_WORDS and not numbers
    claimed = " ".join(claims)
    missing = words - content_terms(claimed)
    return numbers <= set(numbers_of(claimed)) and 2 * len(missing) <= len(words)


def claims_and_uncovered_sentences(text: str, claims: Sequence[ClaimTriplet]) -> list[Hypothesis]:
    """Return all that must be checked of a text: its claims, and each sentence they do not cover.

    A sentence that the LLM skipped is checked as a whole. Otherwise a text could escape the check
    by instructing the LLM not to extract its claims.
    """
    claimed = [Hypothesis(claim.text, claim.start, claim.end) for claim in claims]
    return sorted(
        [*claimed, *uncovered_sentences(text, claims)], key=lambda hypothesis: hypothesis.start
    )
