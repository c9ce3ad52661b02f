"""Claims of a text: the question to an LLM, and what its answer comes to.

The questions are put together and the answers are read here; who asks the LLM, and when, is the
caller's: a check asks through its ledger, the plain functions at once.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from groundtypes.claims.triplet import ClaimTriplet
from groundtypes.evidence.passages import asked_question
from groundtypes.prompts.prompt import EXTRACT_CLAIMS
from groundtypes.prompts.response_models import Claims
from groundtypes.scoring import Question, Reply
from groundtypes.text.coverage import content_terms
from groundtypes.text.hypotheses import Hypothesis, hypotheses

__all__ = [
    "CHARACTERS",
    "SENTENCES",
    "Extracted",
    "Extraction",
    "Said",
    "extractions",
    "numbered",
    "read_claims",
    "text_before",
    "told_by",
    "uncovered",
    "with_uncovered",
]

#: One call takes apart at most so many sentences, or characters of them.
SENTENCES: Final = 24
CHARACTERS: Final = 6_000
#: So much of the text before stands in front, for what pronouns mean.
_BEFORE: Final = 600
#: A sentence of fewer telling words, and no number, of which no claim was extracted claims nothing.
_TELLING: Final = 3
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")


class Extracted(list[ClaimTriplet]):
    """Claims in the order of the text, and those that were dropped for what the text lacks."""

    def __init__(
        self, claims: Iterable[ClaimTriplet] = (), dropped: Iterable[ClaimTriplet] = ()
    ) -> None:
        super().__init__(claims)
        self.dropped = tuple(dropped)


@dataclass(frozen=True, slots=True)
class Extraction:
    """One question for claims, and the sentences that it numbers from 1."""

    question: Question
    sentences: tuple[Hypothesis, ...]


def extractions(text: str, question: str | None = None) -> list[Extraction]:
    """Return what to ask for the claims of a text: one question for every few sentences."""
    claiming = [sentence for sentence in hypotheses(text) if sentence.claims]
    return [_extraction(text, part, question) for part in _parts(claiming)]


def _parts(sentences: Sequence[Hypothesis]) -> Iterator[tuple[Hypothesis, ...]]:
    part: list[Hypothesis] = []
    size = 0
    for sentence in sentences:
        if part and (len(part) == SENTENCES or size + len(sentence.text) > CHARACTERS):
            yield tuple(part)
            part, size = [], 0
        part.append(sentence)
        size += len(sentence.text)
    if part:
        yield tuple(part)


def _extraction(text: str, part: tuple[Hypothesis, ...], question: str | None) -> Extraction:
    asked = EXTRACT_CLAIMS.question(
        asked_question(question),
        text_before(text, part[0].start),
        ("sentences", numbered(sentence.text[:CHARACTERS] for sentence in part)),
    )
    return Extraction(asked, part)


def text_before(text: str, begin: int) -> tuple[str, str]:
    """Return the end of what stands before a place of a text, as a prompt takes it."""
    return "text before", text[max(0, begin - _BEFORE) : begin].strip()


def numbered(texts: Iterable[str]) -> str:
    """Return texts under their numbers, on one line each, so that no text can number itself."""
    return "\n".join(f"{number}. {' '.join(text.split())}" for number, text in enumerate(texts, 1))


def read_claims(
    asked: Sequence[Extraction], replies: Sequence[Reply], text: str, question: str | None = None
) -> Extracted:
    """Return the claims that the replies hold: each once, and none that the text does not make.

    A claim is dropped when most telling words of its subject or object, or any of its numbers,
    stand neither in the text nor in the question.
    """
    said = Said.of(text, question)
    kept: dict[tuple[str, ...], ClaimTriplet] = {}
    dropped: list[ClaimTriplet] = []
    for one, reply in zip(asked, replies, strict=True):
        for claim in _claims(one, reply):
            parts = (claim.subject, claim.predicate, claim.object)
            if said.holds(claim.text, claim.subject, claim.object):
                kept.setdefault(tuple(" ".join(part.casefold().split()) for part in parts), claim)
            else:
                dropped.append(claim)
    return Extracted(sorted(kept.values(), key=lambda claim: claim.start), dropped)


def _claims(one: Extraction, reply: Reply) -> Iterator[ClaimTriplet]:
    found = reply.answer
    for claim in found.claims if isinstance(found, Claims) else ():
        if 1 <= claim.sentence <= len(one.sentences) and claim.subject.strip():
            sentence = told_by(
                one.sentences[claim.sentence - 1],
                one.sentences,
                f"{claim.subject} {claim.predicate} {claim.object}",
                claim.object,
            )
            yield ClaimTriplet(
                claim.subject, claim.predicate, claim.object, sentence.start, sentence.end
            )


def told_by(
    named: Hypothesis, sentences: Sequence[Hypothesis], claim: str, said: str = ""
) -> Hypothesis:
    """Return the sentence that makes a claim: the named one, unless only another has its words.

    Those are all words of the claim; or those of `said`, what it says of its subject, where the
    named sentence has none of them. Small LLMs miscount.
    """
    here = content_terms(named.text)
    whole, part = content_terms(claim), content_terms(said)
    for one in sentences:
        there = content_terms(one.text)
        if whole <= there and not whole <= here:
            return one
        if part and part <= there and not part & here:
            return one
    return named


@dataclass(frozen=True, slots=True)
class Said:
    """The telling words and the numbers of a text and its question."""

    words: set[str]
    numbers: set[str]

    @classmethod
    def of(cls, text: str, question: str | None) -> "Said":
        """Return what a text and its question say."""
        known = f"{text}\n{question or ''}"
        return cls(content_terms(known), set(_NUMBER.findall(known)))

    def holds(self, claim: str, *parts: str) -> bool:
        """Return whether all numbers of a claim, and half the telling words of each part, are said.

        Without parts, of the whole.
        """
        if not set(_NUMBER.findall(claim)) <= self.numbers:
            return False
        for part in parts or (claim,):
            telling = content_terms(part)
            if telling and 2 * len(telling & self.words) < len(telling):
                return False
        return True


class _Placed(Protocol):
    """A claim, and where the sentence stands that makes it."""

    @property
    def text(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


def uncovered(text: str, claims: Iterable[_Placed]) -> list[Hypothesis]:
    """Return the sentences of which there is no claim, or of which the claims leave much out.

    Much is a number, or more than half of the telling words. A sentence without a claim that has no
    number and very few telling words claims nothing.
    """
    told: dict[tuple[int, int], list[str]] = {}
    for claim in claims:
        told.setdefault((claim.start, claim.end), []).append(claim.text)
    return [
        sentence
        for sentence in hypotheses(text)
        if sentence.claims and not _covered(sentence.text, told.get((sentence.start, sentence.end)))
    ]


def _covered(sentence: str, claims: Sequence[str] | None) -> bool:
    telling, numbers = content_terms(sentence), set(_NUMBER.findall(sentence))
    if claims is None:
        return len(telling) < _TELLING and not numbers
    said = " ".join(claims)
    missing = telling - content_terms(said)
    return numbers <= set(_NUMBER.findall(said)) and 2 * len(missing) <= len(telling)


def with_uncovered(text: str, claims: Sequence[ClaimTriplet]) -> list[Hypothesis]:
    """Return the claims as sentences, and each sentence that they do not cover.

    What an LLM passes over is thus judged as it stands: else a text could talk its way past.
    """
    found = [Hypothesis(claim.text, claim.start, claim.end) for claim in claims]
    return sorted([*found, *uncovered(text, claims)], key=lambda one: one.start)
