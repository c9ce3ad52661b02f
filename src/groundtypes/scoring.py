"""What engines are asked and what they answer, and the verdict of a check: plain data.

The engines stand behind protocols that take a whole batch, so that batching is the only way to
call them.
"""

import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Final, Protocol, runtime_checkable

from pydantic import BaseModel

from groundtypes.errors import MissingJudgeError
from groundtypes.references import Span

__all__ = [
    "LLM",
    "Judges",
    "Label",
    "Loc",
    "NLIScorer",
    "NLIScores",
    "Pair",
    "Question",
    "Reply",
    "Verdict",
    "bundled_nli",
]

#: Where a value stands in an answer: field names and positions, as Pydantic gives them.
Loc = tuple[str | int, ...]


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
    references and answers, fenced as data.
    """

    prompt: str
    instructions: str
    content: str
    answer: type[BaseModel]


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


@dataclass(frozen=True, slots=True)
class Judges:
    """Which engines judge; for an NLI engine that is left out the bundled one does.

    There is no LLM unless one is named.
    """

    nli: NLIScorer | None = None
    llm: LLM | None = None


class Bundled:
    """The engine that judges where none is named: made when it is first needed."""

    def __init__(self) -> None:
        self._make: Callable[[], NLIScorer] | None = None
        self._made: NLIScorer | None = None
        self._lock = threading.Lock()

    def offer(self, make: Callable[[], NLIScorer]) -> None:
        """Say how the engine is made."""
        self._make = make

    def __call__(self) -> NLIScorer:
        """Return the bundled NLI engine.

        Raises:
            MissingJudgeError: What it needs is not installed.
        """
        with self._lock:
            if self._made is None:
                if self._make is None:
                    raise MissingJudgeError("No NLI engine comes with this build.")
                try:
                    self._made = self._make()
                except ImportError as error:
                    raise MissingJudgeError(
                        "This check needs an NLI engine. Install the one that is bundled with "
                        "pip install 'groundtypes[nli]', or name one: "
                        "context={'judges': Judges(nli=...)}."
                    ) from error
            return self._made


#: The engine that judges where none is named. The engines live above this module, so that it is
#: told from there how one is made.
bundled_nli: Final = Bundled()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What one check found at one place of an answer.

    `check` is the marker's name, or `schema` for what Pydantic itself found. `label` says what
    was found (for a quote: `exact`, `normalised` or `fuzzy`), `slug` and `message` are those of
    the fault and `None` where the check holds. `span` points at the evidence.
    """

    check: str
    ok: bool
    loc: Loc = ()
    slug: str | None = None
    message: str | None = None
    label: str | None = None
    score: float | None = None
    threshold: float | None = None
    span: Span | None = None
    reason: str | None = None
    dropped: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as plain data that JSON can hold."""
        return {**asdict(self), "loc": list(self.loc)}
