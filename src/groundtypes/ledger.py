"""The ledger: the questions of one or many answers, pending and settled.

A check does not call its engine. It asks the ledger, which knows the result already or notes the
question as pending; `Ledger.settle` then sends all pending questions to each engine together.

A *result* is what an engine returns for a question (an *answer* is what is validated). A `Ledger`
keeps its own for as long as it is used, and all ledgers of the process share `SHARED_CACHE`. So a
re-ask costs only the questions that the new answer changed: a question of the same content to the
same engine object is not asked again.
"""

import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any, Final, Protocol, TypeAlias, TypeVar
from weakref import WeakKeyDictionary

from groundtypes.backends.languages import check_languages
from groundtypes.backends.observing import Observer, current_observer
from groundtypes.concurrency.blocking import call_blocking
from groundtypes.concurrency.bounded_cache import BoundedCache
from groundtypes.concurrency.threads import check_cancelled
from groundtypes.scoring import LLM, asked_engine

__all__ = [
    "SHARED_CACHE",
    "Ask",
    "CheckQuestions",
    "Ledger",
    "Scorer",
    "SettledCache",
    "Unsettled",
    "engines_replaced",
]

_Question_contra = TypeVar("_Question_contra", bound=Hashable, contravariant=True)
_Result_co = TypeVar("_Result_co", covariant=True)
_MISSING: Final = object()
#: What a settled question takes in memory in addition to its texts, in characters: as an entry, and
#: for each object in it.
_ENTRY_WEIGHT: Final = 600
_OBJECT_WEIGHT: Final = 64


class Scorer(Protocol[_Question_contra, _Result_co]):
    """An engine for questions of any kind, a batch at a time; `NLIScorer` is one for pairs."""

    def score(self, questions: Sequence[_Question_contra], /) -> Sequence[_Result_co]:
        """Return one result for each question, in their order."""
        ...


#: Raises a mistake if an engine cannot be asked one of the questions.
CheckQuestions: TypeAlias = Callable[[Any, Sequence[Any]], None]


class Ask(Protocol):
    """Asks an engine a batch of questions: `Ledger.ask`, which may wait, or `Ledger.ask_now`."""

    def __call__(
        self, engine: Any, questions: Sequence[Any], check: CheckQuestions = ..., /
    ) -> list[Any]:
        """Return one result for each question, in their order."""
        ...


class Unsettled(Exception):
    """The check must wait: some of its questions are pending."""


class SettledCache(BoundedCache[tuple[object, Hashable], Any]):
    """Settled questions with their results, shared by ledgers, re-asks and chunks of a stream.

    A key is that of an engine, and the question itself, so that equal content is recognised. The
    cache is bounded by the characters of the questions, because premises are long and their number
    says little.
    """

    def __init__(self, max_characters: int = 8_000_000) -> None:
        super().__init__(
            max_weight=max_characters,
            weigh=lambda key, _: _ENTRY_WEIGHT + _characters(key[1]),
        )
        self._engine_keys: WeakKeyDictionary[Any, object] = WeakKeyDictionary()

    def engine_key(self, engine: object) -> object:
        """Return the key of an engine; it does not keep the engine alive."""
        with self._lock:
            try:
                return self._engine_keys.setdefault(engine, object())
            except TypeError:  # unhashable, or no weak references: no other ledger can find it
                return object()


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

#: Returns the results of an engine for some questions, in its place.
_Replacement = Callable[[Any, list[Any]], Sequence[Any]]
#: What is asked in the place of the engines, and the cache of its results.
_replacement: ContextVar[tuple[_Replacement, SettledCache] | None] = ContextVar(
    "groundtypes_replaced_engines", default=None
)


@contextmanager
def engines_replaced(ask: _Replacement, cache: SettledCache) -> Iterator[None]:
    """Have the ledgers that are made in this block call `ask(engine, questions)`, and no engine.

    Its results stay in `cache`: the one that all ledgers share neither gets nor gives any.
    """
    token = _replacement.set((ask, cache))
    try:
        yield
    finally:
        _replacement.reset(token)


class Ledger:
    """The questions of one or many answers: settled ones have a result, the others are pending.

    A ledger belongs to one thread; only its cache is shared.

    Attributes:
        calls: How often an engine was asked.
        asked: How many questions were sent, by the class name of the engine.
        cached: How many questions needed no engine, because the cache had their results.
        seconds: How long `settle` waited for engines.
    """

    def __init__(self, cache: SettledCache = SHARED_CACHE) -> None:
        replacement = _replacement.get()
        self._replacement = None if replacement is None else replacement[0]
        self._cache = cache if replacement is None else replacement[1]
        self._engines: list[tuple[Scorer[Any, Any] | LLM, object]] = []
        self._pending: dict[object, dict[Hashable, None]] = {}
        # The results of this ledger stay here: the shared cache may drop them between two rounds.
        self._settled: dict[tuple[object, Hashable], Any] = {}
        self.calls = 0
        self.asked: dict[str, int] = {}
        self.cached = 0
        self.seconds = 0.0

    def ask(
        self, engine: Any, questions: Sequence[Any], check: CheckQuestions = check_languages
    ) -> list[Any]:
        """Return the results in order, or raise `Unsettled` if a question is now pending.

        `check` is called with the engine and the questions whose results are not known.
        """
        key, cached = self._engine_key(engine), self.cached
        results = [self._look_up(key, question) for question in questions]
        if self.cached > cached and (observer := self.observer) is not None:
            observer.cache_hits("ledger", self.cached - cached)
        unknown = [
            question
            for question, result in zip(questions, results, strict=True)
            if result is _MISSING
        ]
        if unknown:
            check(engine, unknown)
            self._pending.setdefault(key, {}).update(dict.fromkeys(unknown))
            raise Unsettled
        return results

    def ask_now(
        self, engine: Any, questions: Sequence[Any], check: CheckQuestions = check_languages
    ) -> list[Any]:
        """Return the results in order, settling immediately what is pending."""
        try:
            return self.ask(engine, questions, check)
        except Unsettled:
            self.settle()
            return self.ask(engine, questions, check)

    @property
    def observer(self) -> Observer | None:
        """Who is to be told of what is asked and judged; nobody while engines are replaced."""
        return None if self._replacement is not None else current_observer()

    @property
    def pending(self) -> int:
        """How many different questions are pending."""
        return sum(map(len, self._pending.values()))

    def settle(self) -> None:
        """Send each engine its pending questions, together with those of others who wait for it."""
        check_cancelled()
        pending, self._pending = self._pending, {}
        for engine, key in self._engines:
            if questions := list(pending.get(key, ())):
                self._count(engine, len(questions))
                ask = self._replacement or _ask_together
                started = time.perf_counter()
                try:
                    results = call_blocking(partial(ask, engine, questions))
                finally:
                    self.seconds += time.perf_counter() - started
                for question, result in zip(questions, results, strict=True):
                    self._settled[key, question] = result
                    self._cache.put((key, question), result)

    def _count(self, engine: Any, questions: int) -> None:
        name = type(asked_engine(engine)).__name__
        self.calls += 1
        self.asked[name] = self.asked.get(name, 0) + questions

    def _engine_key(self, engine: Scorer[Any, Any] | LLM) -> object:
        for known_engine, key in self._engines:
            if known_engine is engine:
                return key
        key = self._cache.engine_key(engine)
        self._engines.append((engine, key))
        return key

    def _look_up(self, engine_key: object, question: Hashable) -> Any:
        result = self._settled.get((engine_key, question), _MISSING)
        if result is _MISSING:
            result = self._cache.get((engine_key, question), _MISSING)
            if result is not _MISSING:
                self._settled[engine_key, question] = result
                self.cached += 1
        return result


def _ask_together(engine: Any, questions: Sequence[Any]) -> Sequence[Any]:
    """Ask an engine; the import is made here, which under `nonblocking` is in a thread."""
    from groundtypes.backends.request_batching import ask_together  # noqa: PLC0415 # not all ask

    return ask_together(engine, questions)
