"""Coroutines that are about to validate take turns, between which the event loop serves others."""

import asyncio
from itertools import pairwise
from typing import Annotated, Any

import pytest
from pydantic import BeforeValidator

from groundtypes import Grounded, Judges, nonblocking
from groundtypes.errors import MissingReferencesError
from groundtypes.testing import ScriptedNLI
from tests.checks import Follows

TEXT = "The tower is tall."


def noting(events: list[str]) -> type[Grounded]:
    """Return a model whose validation is noted in each round."""

    def note(value: Any) -> Any:
        events.append("round")
        return value

    class Noted(Grounded):
        text: Annotated[str, Follows(), BeforeValidator(note)]

    return Noted


async def tick(events: list[str]) -> None:
    while True:
        events.append("other")
        await asyncio.sleep(0)


@pytest.mark.parametrize("in_tasks", [False, True], ids=["each driven", "in one task group"])
def test_others_are_served_between_any_two_rounds(in_tasks: bool) -> None:
    events: list[str] = []
    model, judges = noting(events), Judges(nli=ScriptedNLI())

    async def ask(number: int) -> None:
        text = f"The tower has {number} steps."  # which the engine has not been asked yet
        model.model_validate({"text": text}, context={"references": text, "judges": judges})

    async def ask_all() -> None:
        async with asyncio.TaskGroup() as group:
            for number in range(20):
                group.create_task(ask(number) if in_tasks else nonblocking(ask(number)))

    async def run() -> None:
        await nonblocking(ask(20))  # imports what validation needs
        events.clear()
        ticking = asyncio.create_task(tick(events))
        await (nonblocking(ask_all()) if in_tasks else ask_all())
        ticking.cancel()

    asyncio.run(run())
    assert events.count("round") == 40
    assert ("round", "round") not in set(pairwise(events))


def test_who_is_cancelled_while_it_waits_for_its_turn_lets_the_next_have_it() -> None:
    events: list[str] = []
    model, judges = noting(events), Judges(nli=ScriptedNLI())
    validated: list[int] = []

    async def ask(number: int) -> None:
        model.model_validate({"text": TEXT}, context={"references": TEXT, "judges": judges})
        validated.append(number)

    async def run() -> None:
        tasks = [asyncio.create_task(nonblocking(ask(number))) for number in range(6)]
        await asyncio.sleep(0)
        for number in (1, 2, 4):
            tasks[number].cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        cancelled = [isinstance(result, asyncio.CancelledError) for result in results]
        assert cancelled == [False, True, True, False, True, False]

    asyncio.run(run())
    assert sorted(validated) == [0, 3, 5]


def test_a_coroutine_alone_waits_for_no_turn() -> None:
    events: list[str] = []
    model = noting(events)

    async def ask() -> None:
        with pytest.raises(MissingReferencesError):  # in the first round, without an engine
            model.model_validate({"text": TEXT})

    async def run() -> None:
        with pytest.raises(StopIteration):
            nonblocking(ask()).send(None)

    asyncio.run(run())
    assert events == ["round"]
