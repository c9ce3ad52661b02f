"""What engines are asked and what they answer: plain data, and the protocols of the engines.

The engines stand behind protocols that take a whole batch, so that batching is the only way to
call them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

from pydantic import BaseModel

__all__ = [
    "LLM",
    "Label",
    "NLIScorer",
    "NLIScores",
    "Pair",
    "Question",
    "Reply",
]


class Label(StrEnum):
    """How a premise bears on a hypothesis."""

    ENTAILMENT = "entailment"
    NEUTRAL = "neutral"
    CONTRADICTION = "contradiction"


@dataclass(frozen=True, slots=True)
class Pair:
    """A question to an NLI engine: does the premise entail the hypothesis?"""

    premise: str
    hypothesis: str


@dataclass(frozen=True, slots=True)
class NLIScores:
    """The probabilities of the three labels; they add up to 1.

    Raises:
        ArithmeticError: A score is not a probability, or the three do not add up to 1 within
            0.001. It is no `ValueError`, because Pydantic would make a fault of that.
    """

    entailment: float
    neutral: float
    contradiction: float

    def __post_init__(self) -> None:
        scores = (self.entailment, self.neutral, self.contradiction)
        # `not <=` also catches NaN, for which every comparison is false.
        if not all(0.0 <= score <= 1.0 for score in scores) or not math.isclose(
            math.fsum(scores), 1.0, abs_tol=1e-3
        ):
            raise ArithmeticError(f"not three probabilities that add up to 1: {scores}")

    @property
    def label(self) -> Label:
        """The most probable label; on a tie the more cautious one (neutral first)."""
        best = max(self.neutral, self.contradiction, self.entailment)
        if self.neutral == best:
            return Label.NEUTRAL
        return Label.CONTRADICTION if self.contradiction == best else Label.ENTAILMENT


@runtime_checkable
class NLIScorer(Protocol):
    """An engine that judges pairs of premise and hypothesis, a batch at a time."""

    def score(self, pairs: Sequence[Pair], /) -> Sequence[NLIScores]:
        """Return one row of scores for each pair, in their order."""
        ...


@dataclass(frozen=True, slots=True)
class Question:
    """A question to an LLM: what it is told to do, with what, and the model of its answer.

    `prompt` is the name and the version of the prompt. `instructions` are ours; `content` holds
    references and answers, fenced as data. `examples` are contents with the right answers, as JSON.
    """

    prompt: str
    instructions: str
    content: str
    response_model: type[BaseModel]
    examples: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """What an LLM answered, and the tokens that it read and wrote for it; none from a cache."""

    answer: BaseModel
    tokens_in: int = 0
    tokens_out: int = 0


@runtime_checkable
class LLM(Protocol):
    """An engine that answers typed questions, many at a time."""

    def answer(self, questions: Sequence[Question], /) -> Sequence[Reply]:
        """Return one reply for each question, in their order; each holds its question's model."""
        ...
