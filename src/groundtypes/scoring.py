"""What engines are asked and what they return: plain data, and the protocols of the engines.

Both protocols take a whole batch, so that batching is the only way to call an engine.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Protocol, runtime_checkable

from pydantic import BaseModel

__all__ = [
    "LLM",
    "THRESHOLD",
    "CalibratedScores",
    "EngineWrapper",
    "InvalidScoresError",
    "Label",
    "NLIScorer",
    "NLIScores",
    "Pair",
    "Question",
    "Reply",
    "asked_engine",
    "window_of_reader",
]


#: The lowest probability of entailment at which a passage entails a sentence.
THRESHOLD: Final = 0.5


class Label(StrEnum):
    """The relation of a premise to a hypothesis."""

    ENTAILMENT = "entailment"
    NEUTRAL = "neutral"
    CONTRADICTION = "contradiction"


@dataclass(frozen=True, slots=True)
class Pair:
    """A question to an NLI engine: does the premise entail the hypothesis?

    `before` is what stands before the hypothesis in its text, to which pronouns may refer. Engines
    that read whole texts take it into account, and others leave it out. It is not judged itself.
    """

    premise: str
    hypothesis: str
    before: str = ""


class InvalidScoresError(ArithmeticError):
    """An engine's scores are not three probabilities; the message shows the numbers only."""


@dataclass(frozen=True, slots=True)
class NLIScores:
    """The probabilities of the three labels; they add up to 1.

    Raises:
        InvalidScoresError: A score is not a probability, or the sum differs from 1 by more than
            0.001. It is not a `ValueError`, which Pydantic would turn into a fault of the answer.
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
            raise InvalidScoresError(f"not three probabilities that add up to 1: {scores}")

    @property
    def label(self) -> Label:
        """The most probable label; if several are, the most cautious of them, neutral first."""
        best = max(self.neutral, self.contradiction, self.entailment)
        if self.neutral == best:
            return Label.NEUTRAL
        return Label.CONTRADICTION if self.contradiction == best else Label.ENTAILMENT


@dataclass(frozen=True, slots=True)
class CalibratedScores(NLIScores):
    """The calibrated scores of a pair, with what the network itself says of it."""

    network: NLIScores


@dataclass(frozen=True, slots=True)
class MarkedScores(NLIScores):
    """The scores of a pair, with the parts of the hypothesis that its premise does not support.

    An engine that finds these has an attribute `marks`, an engine that returns such scores. Parts
    are half open, in code points.
    """

    unsupported: tuple[tuple[int, int], ...] = ()


@runtime_checkable
class NLIScorer(Protocol):
    """An NLI engine: it scores pairs of premise and hypothesis, a batch at a time.

    It may have an attribute `languages`, the ISO 639 codes of what it reads. Then a text that is
    clearly in none of them is a `LanguageError`; without it nothing is checked.

    An engine with a `window` reads whole texts: `window` tokens of a question at once. Its premises
    are all references where they fit, else the best passages. A method `count_tokens(text)` says
    how many tokens a text has; without it they are estimated.
    """

    def score(self, pairs: Sequence[Pair], /) -> Sequence[NLIScores]:
        """Return the scores of each pair, in their order."""
        ...


class EngineWrapper:
    """An NLI engine around another one: what it does not define itself is that of the other.

    So it hands on all that the engine says about itself, such as its `window`, `evidence_weights`
    and `identity`, and what is judged with a wrapper is judged as with the engine.
    """

    def __init__(self, engine: NLIScorer) -> None:
        self.engine = engine

    def score(self, pairs: Sequence[Pair], /) -> Sequence[NLIScores]:
        """Return the scores of the engine."""
        return self.engine.score(pairs)

    def __getattr__(self, name: str) -> Any:
        # `copy` and `pickle` look for special methods, and on an object that has no engine yet.
        if name == "engine" or (name.startswith("__") and name.endswith("__")):
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        return getattr(self.engine, name)


def asked_engine(engine: Any) -> Any:
    """Return the engine without wrappers that leave the scores to it: the one that is called."""
    while isinstance(engine, EngineWrapper) and type(engine).score is EngineWrapper.score:
        engine = engine.engine
    return engine


def window_of_reader(engine: object) -> int | None:
    """Return how many tokens an engine reads at once; `None` if it does not read whole texts."""
    window = getattr(engine, "window", None)
    return window if isinstance(window, int) and window > 0 else None


@dataclass(frozen=True, slots=True)
class Question:
    """A question to an LLM engine, whose answer is an instance of `response_model`.

    `prompt` is the name and the version of the prompt. `instructions` are part of the prompt;
    `content` holds references and answers, fenced as data. `examples` are pairs of a content and
    its correct answer as JSON.
    """

    prompt: str
    instructions: str
    content: str
    response_model: type[BaseModel]
    examples: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer of an LLM engine, and the tokens read and written for it; 0 from a cache."""

    answer: BaseModel
    tokens_in: int = 0
    tokens_out: int = 0


@runtime_checkable
class LLM(Protocol):
    """An LLM engine: it answers typed questions, a batch at a time."""

    def answer(self, questions: Sequence[Question], /) -> Sequence[Reply]:
        """Return the reply to each question, in their order."""
        ...
