"""The ledger notes questions, settles them in batches, and remembers within bounds."""

import gc
from dataclasses import dataclass
from typing import Any

import pytest

from groundtypes.errors import BackendError
from groundtypes.ledger import Ledger, SettledCache, Unsettled


@dataclass(eq=False)
class Echo:
    calls: int = 0

    def score(self, questions: Any, /) -> Any:
        self.calls += 1
        return list(questions)


class Unhashable(Echo):
    __hash__ = None  # type: ignore[assignment] # what is tested

    def __eq__(self, other: object) -> bool:
        return self is other


def settled(ledger: Ledger, engine: Any, *questions: str) -> list[str]:
    try:
        return ledger.ask(engine, questions)
    except Unsettled:
        ledger.settle()
        return ledger.ask(engine, questions)


def test_unknown_questions_are_noted_once_and_settled_together() -> None:
    ledger, engine = Ledger(SettledCache()), Echo()
    for questions in (["a", "b"], ["b", "c"]):
        with pytest.raises(Unsettled):
            ledger.ask(engine, questions)
    assert ledger.pending == 3
    ledger.settle()
    assert (ledger.ask(engine, ["c", "a"]), engine.calls, ledger.pending) == (["c", "a"], 1, 0)


def test_each_engine_is_called_once() -> None:
    ledger, engines = Ledger(SettledCache()), [Echo(), Echo()]
    for engine in engines * 2:
        with pytest.raises(Unsettled):
            ledger.ask(engine, ["a"])
    ledger.settle()
    assert [engine.calls for engine in engines] == [1, 1]


def test_a_later_ledger_remembers_by_content_and_by_engine() -> None:
    cache, engine = SettledCache(), Echo()
    settled(Ledger(cache), engine, "ab")
    assert Ledger(cache).ask(engine, ["a" + "b"]) == ["ab"]
    with pytest.raises(Unsettled):
        Ledger(cache).ask(Echo(), ["ab"])


def test_the_cache_is_bounded_by_what_the_questions_hold() -> None:
    cache, engine = SettledCache(max_characters=10_000), Echo()
    for number in range(100):
        settled(Ledger(cache), engine, f"{number:03}" + "x" * 1_000)
    assert 0 < len(cache) < 11
    count = len(cache)
    settled(Ledger(cache), engine, "y" * 1_000_000)
    assert len(cache) == count
    with pytest.raises(Unsettled):
        Ledger(cache).ask(engine, ["y" * 1_000_000])


def test_a_ledger_keeps_its_own_answers_though_the_cache_forgets_them() -> None:
    ledger, engine = Ledger(SettledCache(max_characters=0)), Echo()
    assert settled(ledger, engine, "a") == ["a"]
    assert engine.calls == 1


def test_an_engine_that_cannot_be_hashed_is_served_too() -> None:
    ledger, engine = Ledger(SettledCache()), Unhashable()
    assert settled(ledger, engine, "a") == ["a"]


def test_the_cache_does_not_keep_an_engine_alive() -> None:
    cache, engine = SettledCache(), Echo()
    settled(Ledger(cache), engine, "a")
    del engine
    gc.collect()
    assert len(cache._engine_keys) == 0


def test_an_engine_that_fails_leaves_its_cause() -> None:
    class Dead:
        def score(self, questions: Any, /) -> Any:
            raise ConnectionError("gone")

    ledger = Ledger(SettledCache())
    with pytest.raises(BackendError) as caught:
        settled(ledger, Dead(), "a")
    assert isinstance(caught.value.__cause__, ConnectionError)
