"""`Cascade`: a cheap engine judges first, and a better one what the first leaves open."""

from collections.abc import Sequence
from typing import Any

from groundtypes.backends.by_name import nli_by_name
from groundtypes.backends.languages import check_languages
from groundtypes.errors import BackendError, ContextError, LanguageError
from groundtypes.prompts.prompt import CHECK_CLAIM
from groundtypes.prompts.response_models import LABELS, ClaimLabel
from groundtypes.scoring import LLM, Label, NLIScorer, NLIScores, Pair, window_of_reader

__all__ = ["Cascade", "LLMScorer"]


class Cascade:
    """Asks `then` only about what `first` gives a probability of entailment in a band.

    Each engine judges a sentence by the evidence that it needs: a small one by passages, one that
    reads by all references. A sentence that the first engine cannot read, because of its language,
    goes to the second. `then` may be a cascade again, or an LLM.

    Examples:
        >>> from groundtypes import Judges
        >>> judges = Judges(nli=Cascade("bundled", "judge", between=(0.3, 0.8)))

    Raises:
        ContextError: The band is not within 0 and 1, or something is no engine.
        MissingJudgeError: An engine that is named is not installed.
    """

    def __init__(
        self,
        first: NLIScorer | str,
        then: "NLIScorer | LLM | str",
        between: tuple[float, float] = (0.1, 0.9),
    ) -> None:
        """Store the engines, or make those that are named.

        Args:
            first: The engine that is asked about everything.
            then: The engine that is asked about the rest: also an LLM engine such as
                `InstructorLLM`.
            between: The band: what has a probability of entailment between these goes on.
        """
        try:
            low, high = between
            is_band = 0.0 <= low <= high <= 1.0
        except (TypeError, ValueError):
            is_band = False
        if not is_band:
            raise ContextError(
                f"between is {between}; it must be two numbers from 0 to 1, in order"
            )
        self.first = engine_of(first)
        self.then = engine_of(then)
        self.between = (float(low), float(high))

    @property
    def stages(self) -> tuple[NLIScorer, NLIScorer, tuple[float, float]]:
        """Both engines and the band, by which checks decide sentence by sentence."""
        return self.first, self.then, self.between

    @property
    def window(self) -> int | None:
        """How many tokens of whole texts are read by the engine that reads, if one does."""
        return window_of_reader(self.then) or window_of_reader(self.first)

    @property
    def languages(self) -> tuple[str, ...] | None:
        """The languages that one of the engines reads; `None` if that is not known."""
        codes: list[tuple[str, ...] | None]
        codes = [getattr(engine, "languages", None) for engine in (self.first, self.then)]
        known = [each for each in codes if each is not None]
        return tuple(sorted({*known[0], *known[1]})) if len(known) == 2 else None

    @property
    def identity(self) -> str:
        """Both engines and the band."""
        return f"cascade {_identity(self.first)} {_identity(self.then)} {self.between}"

    def leaves_open(self, entailment: float) -> bool:
        """Whether a probability of entailment lies within the band."""
        low, high = self.between
        return low <= entailment <= high

    def score(self, pairs: Sequence[Pair], /) -> list[NLIScores]:
        """Return the scores of each pair: of `then` where `first` does not read or decide it."""
        read = [at for at, pair in enumerate(pairs) if _is_read(pair, self.first)]
        by_first = self.first.score([pairs[at] for at in read]) if read else []
        scores = dict(zip(read, by_first, strict=True))
        rest = [
            at
            for at in range(len(pairs))
            if at not in scores or self.leaves_open(scores[at].entailment)
        ]
        if rest:
            better = self.then.score([pairs[at] for at in rest])
            scores |= zip(rest, better, strict=True)
        return [scores[at] for at in range(len(pairs))]

    def __repr__(self) -> str:
        return f"Cascade({self.first!r}, {self.then!r}, between={self.between})"


class LLMScorer:
    """An LLM engine as an NLI engine: it says a label for each pair, as sure as `sureness`.

    It reads whole texts, like other engines with a window.
    """

    def __init__(self, llm: LLM, *, window: int = 8192, sureness: float = 0.95) -> None:
        """Store the engine, how many tokens it reads, and the probability of what it says."""
        if window < 1 or not 0.5 < sureness <= 1.0:
            raise ContextError("window must be positive, and sureness above 0.5 and at most 1")
        self.llm = llm
        self.window = window
        self.sureness = sureness

    @property
    def identity(self) -> str:
        """The engine, and how sure it is taken to be."""
        return f"LLM {_identity(self.llm)} {self.sureness}"

    @property
    def calls_at_once(self) -> Any:
        """How many calls the engine can use at the same time."""
        return getattr(self.llm, "calls_at_once", 1)

    def score(self, pairs: Sequence[Pair], /) -> list[NLIScores]:
        """Return the label of each pair as scores."""
        questions = [
            CHECK_CLAIM.question(("passage 1", pair.premise), ("claim", _claim(pair)))
            for pair in pairs
        ]
        replies = self.llm.answer(questions) if questions else []
        return [self._scores(getattr(reply, "answer", reply)) for reply in replies]

    def _scores(self, answer: Any) -> NLIScores:
        if not isinstance(answer, ClaimLabel):
            raise BackendError(
                f"{type(self.llm).__name__} returned a {type(answer).__name__}, not the ClaimLabel "
                "that the question asks for"
            )
        rest = (1.0 - self.sureness) / 2
        label = LABELS[answer.label]
        shares = {each: self.sureness if each is label else rest for each in Label}
        return NLIScores(
            shares[Label.ENTAILMENT], shares[Label.NEUTRAL], shares[Label.CONTRADICTION]
        )

    def __repr__(self) -> str:
        return f"LLMScorer({self.llm!r})"


def _is_read(pair: Pair, engine: NLIScorer) -> bool:
    try:
        check_languages(engine, [pair])
    except LanguageError:
        return False
    return True


def _claim(pair: Pair) -> str:
    return " ".join(pair.hypothesis.split())


def _identity(engine: Any) -> str:
    """Return what an engine says of itself, else its class, as calibrations do."""
    identity = getattr(engine, "identity", None)
    kind = type(engine)
    return identity if isinstance(identity, str) else f"{kind.__module__}.{kind.__qualname__}"


def engine_of(engine: Any) -> NLIScorer:
    """Return an NLI engine, also of an LLM engine or of the name of an NLI engine.

    Raises:
        ContextError: It is none of these.
    """
    if isinstance(engine, str):
        return nli_by_name(engine)
    if isinstance(engine, LLM):
        return LLMScorer(engine)
    if not isinstance(engine, NLIScorer) or isinstance(engine, type):
        raise ContextError(
            f"a {type(engine).__name__} is no engine: pass one with score(pairs), an LLM engine "
            "with answer(questions), or the name of an NLI engine"
        )
    return engine
