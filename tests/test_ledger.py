"""The ledger notes questions, settles them in batches, and remembers within bounds."""

import gc
from dataclasses import dataclass
from typing import Any

import pytest

from groundtypes.errors import BackendError
from groundtypes.ledger import Ledger, Memory, Unsettled


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
    ledger, engine = Ledger(Memory()), Echo()
    for questions in (["a", "b"], ["b", "c"]):
        with pytest.raises(Unsettled):
            ledger.ask(engine, questions)
    assert ledger.pending == 3
    ledger.settle()
    assert (ledger.ask(engine, ["c", "a"]), engine.calls, ledger.pending) == (["c", "a"], 1, 0)


def test_each_engine_is_called_once() -> None:
    ledger, engines = Ledger(Memory()), [Echo(), Echo()]
    for engine in engines * 2:
        with pytest.raises(Unsettled):
            ledger.ask(engine, ["a"])
    ledger.settle()
    assert [engine.calls for engine in engines] == [1, 1]


def test_a_later_ledger_remembers_by_content_and_by_engine() -> None:
    memory, engine = Memory(), Echo()
    settled(Ledger(memory), engine, "ab")
    assert Ledger(memory).ask(engine, ["a" + "b"]) == ["ab"]
    with pytest.raises(Unsettled):
        Ledger(memory).ask(Echo(), ["ab"])


def test_the_memory_is_bounded_by_what_the_questions_hold() -> None:
    memory, engine = Memory(max_characters=10_000), Echo()
    for number in range(100):
        settled(Ledger(memory), engine, f"{number:03}" + "x" * 1_000)
    assert 0 < len(memory) < 11
    settled(Ledger(memory), engine, "y" * 1_000_000)
    assert len(memory) == 0


def test_a_ledger_keeps_its_own_answers_though_the_memory_forgets_them() -> None:
    ledger, engine = Ledger(Memory(max_characters=0)), Echo()
    assert settled(ledger, engine, "a") == ["a"]
    assert engine.calls == 1


def test_an_engine_that_cannot_be_hashed_is_served_too() -> None:
    ledger, engine = Ledger(Memory()), Unhashable()
    assert settled(ledger, engine, "a") == ["a"]


def test_the_memory_does_not_keep_an_engine_alive() -> None:
    memory, engine = Memory(), Echo()
    settled(Ledger(memory), engine, "a")
    del engine
    gc.collect()
    assert len(memory._tokens) == 0


def test_an_engine_that_fails_leaves_its_cause() -> None:
    class Dead:
        def score(self, questions: Any, /) -> Any:
            raise ConnectionError("gone")

    ledger = Ledger(Memory())
    with pytest.raises(BackendError) as caught:
        settled(ledger, Dead(), "a")
    assert isinstance(caught.value.__cause__, ConnectionError)
