"""Extracting the claims of a text: what an LLM is asked, and how its replies are read.

`extract_triplets` asks through a ledger and serves checks and the public `extract_claims` alike: a
check passes `Ledger.ask`, which may have to wait for the next round.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from groundtypes.claims.attribution import TextVocabulary, attribute_sentence
from groundtypes.claims.claim import ClaimTriplet, ExtractedClaims
from groundtypes.claims.prompt_limits import (
    MAX_CHARACTERS,
    MAX_PRECEDING,
    MAX_QUESTION,
    MAX_SENTENCES,
)
from groundtypes.concurrency.threads import run_in_thread
from groundtypes.judges import llm_engine
from groundtypes.ledger import Ask, Ledger
from groundtypes.prompts.prompt import EXTRACT_CLAIMS
from groundtypes.prompts.prompt_texts import numbered_lines, preceding_text, question_text
from groundtypes.prompts.response_models import Claims
from groundtypes.scoring import LLM, Question, Reply
from groundtypes.text.hypotheses import Hypothesis, hypotheses


def extract_triplets(
    text: str, user_question: str | None, llm: LLM, ask: Ask
) -> tuple[ExtractedClaims, int]:
    """Return the claims of a text, and how many tokens they took."""
    requests = _build_requests(text, user_question)
    replies = ask(llm, [request.question for request in requests]) if requests else []
    tokens = sum(reply.tokens_in + reply.tokens_out for reply in replies)
    return _read_replies(requests, replies, TextVocabulary.of(text, user_question)), tokens


def extract_claims(text: str, question: str | None = None, *, llm: Any) -> ExtractedClaims:
    """Return the claims of a text, each with the span of its sentence.

    One call to the LLM covers several sentences. A claim that is repeated is returned once; claims
    that the text does not make are left out and listed in `.dropped`. `llm` is what
    `Judges(llm=...)` takes.

    Raises:
        Mistake: There is no LLM, or it fails.
    """
    claims, _ = extract_triplets(text, question, llm_engine(llm), Ledger().ask_now)
    return claims


async def aextract_claims(text: str, question: str | None = None, *, llm: Any) -> ExtractedClaims:
    """Return what `extract_claims` returns, without blocking the event loop."""
    return await run_in_thread(extract_claims, text, question, llm=llm)


@dataclass(frozen=True, slots=True)
class _Request:
    """A question to the LLM for the claims of some sentences, which it numbers from 1."""

    question: Question
    sentences: tuple[Hypothesis, ...]


def _build_requests(text: str, user_question: str | None) -> list[_Request]:
    sentences = [sentence for sentence in hypotheses(text) if sentence.is_claim]
    return [
        _Request(
            EXTRACT_CLAIMS.question(
                question_text(user_question, MAX_QUESTION),
                preceding_text(text, batch[0].start, MAX_PRECEDING),
                (
                    "sentences",
                    numbered_lines(sentence.text[:MAX_CHARACTERS] for sentence in batch),
                ),
            ),
            batch,
        )
        for batch in _batches(sentences)
    ]


def _batches(sentences: Sequence[Hypothesis]) -> Iterator[tuple[Hypothesis, ...]]:
    batch: list[Hypothesis] = []
    characters = 0
    for sentence in sentences:
        is_full = len(batch) == MAX_SENTENCES or characters + len(sentence.text) > MAX_CHARACTERS
        if batch and is_full:
            yield tuple(batch)
            batch, characters = [], 0
        batch.append(sentence)
        characters += len(sentence.text)
    if batch:
        yield tuple(batch)


def _read_replies(
    requests: Sequence[_Request], replies: Sequence[Reply], vocabulary: TextVocabulary
) -> ExtractedClaims:
    """Return each claim of the replies once; claims that the text does not make are dropped.

    This is so if any of the claim's numbers, or most content words of its subject or of its object,
    are neither in the text nor in the question.
    """
    claims: dict[tuple[str, ...], ClaimTriplet] = {}
    dropped: list[ClaimTriplet] = []
    for request, reply in zip(requests, replies, strict=True):
        for claim in _claims_of_reply(request, reply):
            if vocabulary.contains_words_of(claim.text, claim.subject, claim.object):
                parts = (claim.subject, claim.predicate, claim.object)
                key = tuple(" ".join(part.casefold().split()) for part in parts)
                claims.setdefault(key, claim)
            else:
                dropped.append(claim)
    return ExtractedClaims(sorted(claims.values(), key=lambda claim: claim.start), dropped)


def _claims_of_reply(request: _Request, reply: Reply) -> Iterator[ClaimTriplet]:
    answer = reply.answer
    for claim in answer.claims if isinstance(answer, Claims) else ():
        if 1 <= claim.sentence <= len(request.sentences) and claim.subject.strip():
            sentence = attribute_sentence(
                request.sentences[claim.sentence - 1],
                request.sentences,
                f"{claim.subject} {claim.predicate} {claim.object}",
                claim.object,
            )
            yield ClaimTriplet(
                claim.subject, claim.predicate, claim.object, sentence.start, sentence.end
            )
