"""Questions pending and settled, for one or many answers: the batching.

A check does not call its engine. It asks the ledger, which knows the answer already or notes the
question; `Ledger.settle` then puts all the questions of a round to each engine in one call.
"""

import threading
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Final, Protocol, TypeVar, overload
from weakref import WeakKeyDictionary

from groundtypes.errors import BackendError, Mistake
from groundtypes.scoring import LLM, Question, Reply

__all__ = ["MEMORY", "Ask", "Ledger", "Memory", "Scorer", "Unsettled"]

_Question_contra = TypeVar("_Question_contra", bound=Hashable, contravariant=True)
_Answer_co = TypeVar("_Answer_co", covariant=True)
_Q = TypeVar("_Q", bound=Hashable)
_A = TypeVar("_A")
_MISSING: Final = object()
#: What a question with its answer takes in memory, in characters, beside the texts.
_ENTRY: Final = 600


class Scorer(Protocol[_Question_contra, _Answer_co]):
    """Whatever answers a batch of questions; `NLIScorer` is one such."""

    def score(self, questions: Sequence[_Question_contra], /) -> Sequence[_Answer_co]:
        """Return one answer for each question, in their order."""
        ...


class Ask(Protocol):
    """Asks an engine a batch of questions: `Ledger.ask`, which may wait, or `Ledger.settled`."""

    def __call__(self, engine: Any, questions: Sequence[Any], /) -> list[Any]:
        """Return one answer for each question, in their order."""
        ...


class Unsettled(Exception):
    """The check must wait: its questions are noted and not yet answered."""


class Memory:
    """Settled questions kept across answers, re-asks and chunks of a stream; bounded, thread-safe.

    Keys hold the question itself, so that equal content is found again. The bound is on the
    characters that the questions hold, because premises are long and their number says little;
    each question counts as some hundred more, which is what it takes beside its text. It is
    as much as re-asks need: engines keep scores of their own, for longer and without the texts.
    """

    def __init__(self, max_characters: int = 8_000_000) -> None:
        self._max = max_characters
        self._weight = 0
        self._settled: OrderedDict[tuple[object, Hashable], tuple[Any, int]] = OrderedDict()
        self._tokens: WeakKeyDictionary[Any, object] = WeakKeyDictionary()
        self._lock = threading.Lock()

    def token(self, engine: object) -> object:
        """Return what stands for the engine in keys; it does not keep the engine alive."""
        with self._lock:
            try:
                return self._tokens.setdefault(engine, object())
            except TypeError:  # unhashable or not weakly referable: remembered by no later ledger
                return object()

    def get(self, token: object, question: Hashable, default: object) -> Any:
        """Return the answer, or `default`."""
        with self._lock:
            entry = self._settled.get((token, question))
            if entry is None:
                return default
            self._settled.move_to_end((token, question))
            return entry[0]

    def put(self, token: object, question: Hashable, answer: object) -> None:
        """Remember an answer, and forget the least recently used ones over the bound."""
        weight = _ENTRY + _characters(question)
        with self._lock:
            old = self._settled.pop((token, question), None)
            self._weight += weight - (old[1] if old else 0)
            self._settled[token, question] = (answer, weight)
            while self._weight > self._max and self._settled:
                _, (_, freed) = self._settled.popitem(last=False)
                self._weight -= freed

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._settled.clear()
            self._weight = 0

    def __len__(self) -> int:
        return len(self._settled)


def _characters(question: object) -> int:
    if isinstance(question, str | bytes):
        return len(question) + 64
    if isinstance(question, tuple | frozenset):
        return 64 + sum(_characters(part) for part in question)
    if is_dataclass(question):
        return 64 + sum(_characters(getattr(question, field.name)) for field in fields(question))
    return 64


#: The memory that ledgers share unless they are given one of their own.
MEMORY: Final = Memory()


class Ledger:
    """The questions of one or many answers: settled ones are answered, others noted.

    A ledger belongs to one thread; only the memory behind it is shared.
    """

    def __init__(self, memory: Memory = MEMORY) -> None:
        self._memory = memory
        self._engines: list[tuple[Scorer[Any, Any] | LLM, object]] = []
        self._pending: dict[object, dict[Hashable, None]] = {}
        # Answers of this ledger are pinned here: the shared memory may forget them between rounds.
        self._settled: dict[tuple[object, Hashable], Any] = {}
        self.calls = 0

    @overload
    def ask(self, engine: LLM, questions: Sequence[Question]) -> list[Reply]: ...

    @overload
    def ask(self, engine: Scorer[_Q, _A], questions: Sequence[_Q]) -> list[_A]: ...

    def ask(self, engine: Any, questions: Sequence[Any]) -> list[Any]:
        """Return the answers in order, or note what is unknown.

        Raises:
            Unsettled: At least one question waits for `settle`.
        """
        token = self._token(engine)
        answers = [self._look(token, question) for question in questions]
        unknown = [q for q, a in zip(questions, answers, strict=True) if a is _MISSING]
        if unknown:
            self._pending.setdefault(token, {}).update(dict.fromkeys(unknown))
            raise Unsettled
        return answers

    @overload
    def settled(self, engine: LLM, questions: Sequence[Question]) -> list[Reply]: ...

    @overload
    def settled(self, engine: Scorer[_Q, _A], questions: Sequence[_Q]) -> list[_A]: ...

    def settled(self, engine: Any, questions: Sequence[Any]) -> list[Any]:
        """Return the answers in order, asking the engine at once for what is unknown.

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
        """How many different questions wait."""
        return sum(map(len, self._pending.values()))

    def settle(self) -> None:
        """Put every pending question to its engine, one call for each engine.

        Raises:
            BackendError: An engine failed, or did not give one answer for each question.
        """
        pending, self._pending = self._pending, {}
        for engine, token in self._engines:
            if questions := list(pending.get(token, ())):
                self.calls += 1
                for question, answer in zip(questions, _call(engine, questions), strict=True):
                    self._settled[token, question] = answer
                    self._memory.put(token, question, answer)

    def _token(self, engine: Scorer[Any, Any] | LLM) -> object:
        for known, token in self._engines:
            if known is engine:
                return token
        token = self._memory.token(engine)
        self._engines.append((engine, token))
        return token

    def _look(self, token: object, question: Hashable) -> Any:
        answer = self._settled.get((token, question), _MISSING)
        if answer is _MISSING:
            answer = self._memory.get(token, question, _MISSING)
            if answer is not _MISSING:
                self._settled[token, question] = answer
        return answer


def _call(engine: Scorer[Any, Any] | LLM, questions: list[Any]) -> Sequence[Any]:
    name = type(engine).__name__
    try:
        # An LLM answers, whatever else judges scores.
        ask = engine.answer if isinstance(engine, LLM) else engine.score
        answers = ask(questions)
    except Mistake:
        raise
    except Exception as error:
        # Whatever an engine raises is an outage or a bug. A ValueError let through here would
        # become a fault, and an LLM would be asked to mend a broken endpoint.
        raise BackendError(f"{name} failed: {type(error).__name__}") from error
    try:
        count = len(answers)
    except TypeError as error:
        raise BackendError(f"{name} returned {type(answers).__name__}, not a sequence") from error
    if count != len(questions):
        raise BackendError(f"{name} returned {count} answers to {len(questions)} questions")
    return answers
