"""Whether the references answer a question, decided by an NLI engine or by an LLM."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from groundtypes.entailment.evidence.passage_index import Passage, select_passages
from groundtypes.entailment.evidence.prompt_passages import relevant_references
from groundtypes.prompts.prompt import ANSWERABLE
from groundtypes.prompts.prompt_texts import question_text
from groundtypes.prompts.response_models import Judgement
from groundtypes.references import References
from groundtypes.scoring import NLIScores, Pair, Question, Reply
from groundtypes.text.message_excerpts import clip

#: A passage that entails the user's question with at least this probability answers it. Chosen on
#: the train and tune parts of ClapNQ (`docs/refusals.md`).
ANSWERABLE_THRESHOLD: Final = 0.4
#: How many passages are scored.
_PASSAGES: Final = 5
#: How many characters of the user's question are judged, and of the LLM's reasons are returned.
_MAX_QUESTION: Final = 2_000
_MAX_REASON: Final = 200


@dataclass(frozen=True, slots=True)
class Answerability:
    """Whether references contain an answer, with the probability (by NLI), and in which passage."""

    is_answerable: bool
    score: float | None = None
    passage: Passage | None = None
    reason: str | None = None
    tokens: int = 0


def candidate_passages(user_question: str, references: References) -> list[Passage]:
    """Return the passages most likely to answer the user's question, the best first."""
    return select_passages(references, user_question[-_MAX_QUESTION:], _PASSAGES)


def answerable_pairs(user_question: str, passages: Sequence[Passage]) -> list[Pair]:
    """Return the pairs for an NLI engine: the hypothesis is the user's question itself.

    A passage that answers "who built the bridge" entails that somebody built the bridge, and that
    is how a cross-encoder reads a question.
    """
    hypothesis = " ".join(user_question[-_MAX_QUESTION:].split())
    return [Pair(passage.text, hypothesis) for passage in passages]


def answerability_by_nli(
    passages: Sequence[Passage],
    scores: Sequence[NLIScores],
    threshold: float = ANSWERABLE_THRESHOLD,
) -> Answerability:
    """Return whether any of the passages with these scores answers a question."""
    if not passages:
        return Answerability(is_answerable=False, score=0.0, reason="the references hold no text")
    best = max(range(len(passages)), key=lambda position: scores[position].entailment)
    score = scores[best].entailment
    return Answerability(score >= threshold, score, passages[best])


def answerable_question(user_question: str, references: References) -> Question:
    """Return the question that asks an LLM whether the references answer the user's question."""
    return ANSWERABLE.question(
        *relevant_references(references, user_question), question_text(user_question, _MAX_QUESTION)
    )


def answerability_by_llm(reply: Reply, passages: Sequence[Passage]) -> Answerability:
    """Return what an LLM replied, with the first of the candidate passages."""
    judgement = reply.answer
    assert isinstance(judgement, Judgement)  # noqa: S101 # the engine answers with the model asked for
    reasons = " ".join(" ".join(judgement.reasons).split())
    return Answerability(
        judgement.holds,
        None,
        passages[0] if passages else None,
        clip(reasons, _MAX_REASON) or None,
        reply.tokens_in + reply.tokens_out,
    )
