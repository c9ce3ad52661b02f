"""The ledger: the questions of one or many answers, pending and settled.

A check does not call its engine. It asks the ledger, which knows the answer already or notes the
question as pending; `Ledger.settle` then sends all pending questions to each engine in one call.
"""

import threading
from collections.abc import Hashable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Final, Protocol, TypeVar, overload
from weakref import WeakKeyDictionary

from groundtypes.bounded_cache import BoundedCache
from groundtypes.errors import BackendError, Mistake
from groundtypes.forking import renew_in_child
from groundtypes.scoring import LLM, Question, Reply

__all__ = ["SHARED_CACHE", "Ask", "Ledger", "Scorer", "SettledCache", "Unsettled"]

_Question_contra = TypeVar("_Question_contra", bound=Hashable, contravariant=True)
_Answer_co = TypeVar("_Answer_co", covariant=True)
_Q = TypeVar("_Q", bound=Hashable)
_A = TypeVar("_A")
_MISSING: Final = object()
#: What a settled question takes in memory beside its texts, in characters: in all, and per object.
_ENTRY_WEIGHT: Final = 600
_OBJECT_WEIGHT: Final = 64


class Scorer(Protocol[_Question_contra, _Answer_co]):
    """An engine that answers a batch of questions of any kind; `NLIScorer` is one for pairs."""

    def score(self, questions: Sequence[_Question_contra], /) -> Sequence[_Answer_co]:
        """Return one answer for each question, in their order."""
        ...


class Ask(Protocol):
    """Asks an engine a batch of questions: `Ledger.ask`, which may wait, or `Ledger.ask_now`."""

    def __call__(self, engine: Any, questions: Sequence[Any], /) -> list[Any]:
        """Return one answer for each question, in their order."""
        ...


class Unsettled(Exception):
    """The check must wait: some of its questions are pending."""


class SettledCache:
    """Settled questions with their answers, shared by ledgers, re-asks and chunks of a stream.

    Keys hold the question itself, so that equal content is recognised. The cache is bounded by the
    characters of the questions, because premises are long and their number says little. It holds
    enough for re-asks; engines cache their scores for longer, without the texts.
    """

    def __init__(self, max_characters: int = 8_000_000) -> None:
        self._answers = BoundedCache[tuple[object, Hashable], Any](
            max_weight=max_characters,
            weigh=lambda key, _: _ENTRY_WEIGHT + _characters(key[1]),
        )
        self._tokens: WeakKeyDictionary[Any, object] = WeakKeyDictionary()
        self._lock = threading.Lock()
        renew_in_child(self)

    def token(self, engine: object) -> object:
        """Return what identifies the engine in keys; it does not keep the engine alive."""
        with self._lock:
            try:
                return self._tokens.setdefault(engine, object())
            except TypeError:  # unhashable, or no weak references: no other ledger can find it
                return object()

    def get(self, token: object, question: Hashable, default: object) -> Any:
        """Return the answer of an engine to a question, or `default`."""
        return self._answers.get((token, question), default)

    def put(self, token: object, question: Hashable, answer: object) -> None:
        """Store the answer of an engine to a question."""
        self._answers.put((token, question), answer)

    def clear(self) -> None:
        """Remove all answers."""
        self._answers.clear()

    def renew(self) -> None:
        """Make a new lock in a forked child."""
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._answers)


def _characters(question: object) -> int:
    if isinstance(question, str | bytes):
        return _OBJECT_WEIGHT + len(question)
    if isinstance(question, tuple | frozenset):
        return _OBJECT_WEIGHT + sum(map(_characters, question))
    if is_dataclass(question):
        values = (getattr(question, field.name) for field in fields(question))
        return _OBJECT_WEIGHT + sum(map(_characters, values))
    return _OBJECT_WEIGHT


#: The cache of all ledgers that are given none of their own.
SHARED_CACHE: Final = SettledCache()


class Ledger:
    """The questions of one or many answers: settled ones have an answer, the others are pending.

    A ledger belongs to one thread; only its cache is shared.
    """

    def __init__(self, cache: SettledCache = SHARED_CACHE) -> None:
        self._cache = cache
        self._engines: list[tuple[Scorer[Any, Any] | LLM, object]] = []
        self._pending: dict[object, dict[Hashable, None]] = {}
        # The answers of this ledger stay here: the shared cache may drop them between two rounds.
        self._settled: dict[tuple[object, Hashable], Any] = {}
        self.calls = 0

    @overload
    def ask(self, engine: LLM, questions: Sequence[Question]) -> list[Reply]: ...

    @overload
    def ask(self, engine: Scorer[_Q, _A], questions: Sequence[_Q]) -> list[_A]: ...

    def ask(self, engine: Any, questions: Sequence[Any]) -> list[Any]:
        """Return the answers in order, if all are settled.

        Raises:
            Unsettled: At least one question is now pending until `settle`.
        """
        token = self._token(engine)
        answers = [self._look_up(token, question) for question in questions]
        unknown = [q for q, a in zip(questions, answers, strict=True) if a is _MISSING]
        if unknown:
            self._pending.setdefault(token, {}).update(dict.fromkeys(unknown))
            raise Unsettled
        return answers

    @overload
    def ask_now(self, engine: LLM, questions: Sequence[Question]) -> list[Reply]: ...

    @overload
    def ask_now(self, engine: Scorer[_Q, _A], questions: Sequence[_Q]) -> list[_A]: ...

    def ask_now(self, engine: Any, questions: Sequence[Any]) -> list[Any]:
        """Return the answers in order, settling at once what is pending.

        Raises:
            BackendError: As `settle`.
        """
        try:
            return self.ask(engine, questions)
        except Unsettled:
            self.settle()
            return self.ask(engine, questions)

    @property
    def pending(self) -> int:
        """How many different questions are pending."""
        return sum(map(len, self._pending.values()))

    def settle(self) -> None:
        """Send every pending question to its engine, in one call for each engine.

        Raises:
            BackendError: An engine failed, or did not return one answer for each question.
        """
        pending, self._pending = self._pending, {}
        for engine, token in self._engines:
            if questions := list(pending.get(token, ())):
                self.calls += 1
                for question, answer in zip(questions, _call(engine, questions), strict=True):
                    self._settled[token, question] = answer
                    self._cache.put(token, question, answer)

    def _token(self, engine: Scorer[Any, Any] | LLM) -> object:
        for known, token in self._engines:
            if known is engine:
                return token
        token = self._cache.token(engine)
        self._engines.append((engine, token))
        return token

    def _look_up(self, token: object, question: Hashable) -> Any:
        answer = self._settled.get((token, question), _MISSING)
        if answer is _MISSING:
            answer = self._cache.get(token, question, _MISSING)
            if answer is not _MISSING:
                self._settled[token, question] = answer
        return answer


def _call(engine: Scorer[Any, Any] | LLM, questions: list[Any]) -> Sequence[Any]:
    name = type(engine).__name__
    try:
        answers = (engine.answer if isinstance(engine, LLM) else engine.score)(questions)
    except Mistake:
        raise
    except Exception as error:
        # Whatever an engine raises is an outage or a bug. A ValueError that got through here would
        # become a fault, and an LLM would be asked to fix a broken endpoint.
        raise BackendError(f"{name} failed: {type(error).__name__}") from error
    try:
        count = len(answers)
    except TypeError as error:
        raise BackendError(f"{name} returned {type(answers).__name__}, not a sequence") from error
    if count != len(questions):
        raise BackendError(f"{name} returned {count} answers to {len(questions)} questions")
    return answers
