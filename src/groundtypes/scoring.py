"""What engines are asked and what they answer, and the verdict of a check: plain data.

The engines stand behind protocols that take a whole batch, so that batching is the only way to
call them.
"""

import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Final, Protocol, runtime_checkable

from pydantic import BaseModel

from groundtypes.errors import MissingJudgeError
from groundtypes.references import Span
from groundtypes.text.hypotheses import triplet_hypothesis

__all__ = [
    "LLM",
    "ClaimTriplet",
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
    "llm_of",
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


@dataclass(frozen=True, slots=True)
class ClaimTriplet:
    """One claim of a text, and where the sentence stands that makes it (half open, code points).

    Two are equal when they claim the same, wherever they stand.
    """

    subject: str
    predicate: str
    object: str
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)

    @property
    def text(self) -> str:
        """The claim as a sentence."""
        return triplet_hypothesis(self.subject, self.predicate, self.object)


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
    answer: type[BaseModel]
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


@dataclass(frozen=True, slots=True)
class Judges:
    """Which engines judge; for an NLI engine that is left out the bundled one does.

    There is no LLM unless one is named: an engine, an instructor client, an OpenAI client together
    with `model`, or the name of a provider and a model ("openai/gpt-5-mini"). `checker` is what
    labels claims: an engine of either kind, by default the LLM that extracts them.
    """

    nli: NLIScorer | None = None
    llm: Any = None
    model: str | None = None
    checker: Any = None


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


class _Offered:
    """Makes an engine of a client that is none; once for each client."""

    def __init__(self) -> None:
        self._make: Callable[[Any, str | None], LLM] | None = None
        self._made: OrderedDict[tuple[object, str | None], tuple[Any, LLM]] = OrderedDict()
        self._lock = threading.Lock()

    def offer(self, make: Callable[[Any, str | None], LLM]) -> None:
        """Say how the engine of a client is made."""
        self._make = make

    def __call__(self, client: Any, model: str | None = None) -> LLM:
        """Return the client itself if it is an engine, else the engine that asks it.

        Raises:
            MissingJudgeError: There is no client, or what it needs is not installed.
            ContextError: It is no client that can be asked.
        """
        if client is None:
            raise MissingJudgeError(
                "This check needs an LLM. Name one: "
                "context={'judges': Judges(llm='openai/gpt-5-mini')}, or Judges(llm=client)."
            )
        if isinstance(client, LLM):
            return client
        if self._make is None:
            raise MissingJudgeError("No LLM engine comes with this build.")
        # The client is held beside its engine, so that no other can take its identity.
        key = (client if isinstance(client, str) else id(client), model)
        with self._lock:
            if key not in self._made:
                try:
                    self._made[key] = (client, self._make(client, model))
                except ImportError as error:
                    raise MissingJudgeError(
                        "An LLM is asked through instructor: pip install 'groundtypes[instructor]'."
                    ) from error
                while len(self._made) > _CLIENTS:
                    self._made.popitem(last=False)
            self._made.move_to_end(key)
            return self._made[key][1]


#: So many clients have their engines kept.
_CLIENTS: Final = 16
#: The engine of whatever `Judges.llm` holds.
llm_of: Final = _Offered()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What one check found at one place of an answer.

    `check` is the marker's name, or `schema` for what Pydantic itself found. `label` says what
    was found (for a quote: `exact`, `normalised` or `fuzzy`), `slug` and `message` are those of
    the fault and `None` where the check holds. `span` points at the evidence. `tokens` are those
    that an LLM read and wrote for this verdict; what many verdicts share is split among them.
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
    tokens: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as plain data that JSON can hold."""
        return {**asdict(self), "loc": list(self.loc)}
