"""Whether references hold an answer to a question: what engines are asked, and what it comes to."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from groundtypes.errors import clip
from groundtypes.evidence.index import Passage
from groundtypes.evidence.prompt_references import relevant_references
from groundtypes.evidence.selection import select_passages
from groundtypes.prompts.prompt import ANSWERABLE
from groundtypes.prompts.response_models import Judgement
from groundtypes.references import References
from groundtypes.scoring import NLIScores, Pair, Question, Reply

__all__ = [
    "ANSWERABLE_FROM",
    "Answerability",
    "answerable_question",
    "by_llm",
    "by_nli",
    "looked_at",
    "nli_pairs",
]

#: A passage that entails the question with this probability is taken to answer it. Chosen on the
#: train and tune parts of ClapNQ (`docs/refusals.md`).
ANSWERABLE_FROM: Final = 0.46
_PASSAGES: Final = 5
_QUESTION: Final = 2_000
_REASONS: Final = 200


@dataclass(frozen=True, slots=True)
class Answerability:
    """Whether references answer a question, how likely (by NLI), and which passage does."""

    holds: bool
    score: float | None = None
    passage: Passage | None = None
    reason: str | None = None
    tokens: int = 0


def looked_at(question: str, references: References) -> list[Passage]:
    """Return the passages that may answer the question, best first."""
    asked = question[-_QUESTION:]
    return select_passages(references, asked, _PASSAGES)


def nli_pairs(question: str, passages: Sequence[Passage]) -> list[Pair]:
    """Return what an NLI engine is asked: the question itself is the hypothesis.

    A passage that answers "who built the bridge" entails that somebody built the bridge, and that
    is how a cross-encoder reads a question.
    """
    asked = " ".join(question[-_QUESTION:].split())
    return [Pair(passage.text, asked) for passage in passages]


def by_nli(passages: Sequence[Passage], scores: Sequence[NLIScores]) -> Answerability:
    """Return what the scores of the pairs, in their order, come to."""
    if not passages:
        return Answerability(holds=False, score=0.0, reason="the references hold no text")
    best = max(range(len(passages)), key=lambda at: scores[at].entailment)
    score = scores[best].entailment
    return Answerability(score >= ANSWERABLE_FROM, score, passages[best])


def answerable_question(question: str, references: References) -> Question:
    """Return the question to an LLM whether the references answer a question."""
    return ANSWERABLE.question(
        *relevant_references(references, question), ("question", question[-_QUESTION:])
    )


def by_llm(reply: Reply, passages: Sequence[Passage]) -> Answerability:
    """Return what an LLM said; of the passages the first is shown."""
    found = reply.answer
    assert isinstance(found, Judgement)  # noqa: S101 # the engine answers with the model asked for
    reasons = " ".join(" ".join(found.reasons).split())
    return Answerability(
        found.holds,
        None,
        passages[0] if passages else None,
        clip(reasons, _REASONS) or None,
        reply.tokens_in + reply.tokens_out,
    )
