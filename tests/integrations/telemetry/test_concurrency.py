"""Telemetry in threads, tasks, cancelled calls and `nonblocking`."""

import asyncio
import logging
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from opentelemetry import trace

from groundtypes import (
    Judges,
    NLIScores,
    Pair,
    averify,
    grounded_in,
    nonblocking,
    verify,
)
from groundtypes.testing import ScriptedNLI
from tests.concurrency.answers import LettingNLI, until
from tests.integrations.telemetry.answers import GOOD, TOWER, Answer, context
from tests.integrations.telemetry.emitted import Emitted


def parents_of(emitted: Emitted, name: str) -> set[int]:
    return {
        span.parent.span_id
        for span in emitted.spans
        if span.name == name and span.parent is not None
    }


def test_each_thread_has_its_own_spans_and_events(emitted: Emitted) -> None:
    barrier = threading.Barrier(8)

    def request(number: int) -> int:
        with emitted.tracer.start_as_current_span(f"request {number}") as span:
            barrier.wait(30)
            for _ in range(5):
                verify(Answer, GOOD, context=context())
            assert trace.get_current_span() is span
            return span.get_span_context().span_id

    with ThreadPoolExecutor(8) as pool:
        ids = set(pool.map(request, range(8)))
    assert parents_of(emitted, "verify Answer") == ids
    assert {event.span_id for event in emitted.events} == ids
    assert len(emitted.events) == 8 * 5 * 2
    assert emitted.counted("groundtypes.verdicts") == 80


def test_each_task_has_its_own_spans_and_events(emitted: Emitted) -> None:
    async def request(number: int) -> int:
        with emitted.tracer.start_as_current_span(f"request {number}") as span:
            await averify(Answer, GOOD, context=context())
            assert trace.get_current_span() is span
            return span.get_span_context().span_id

    async def main() -> set[int]:
        return set(await asyncio.gather(*map(request, range(8))))

    ids = asyncio.run(main())
    assert parents_of(emitted, "verify Answer") == ids
    assert {event.span_id for event in emitted.events} == ids


def test_inside_of_nonblocking_the_context_of_each_task_is_its_own(
    emitted: Emitted, caplog: pytest.LogCaptureFixture
) -> None:
    nli = LettingNLI(str)

    async def framework(number: int) -> int:
        with emitted.tracer.start_as_current_span(f"request {number}") as span:
            await asyncio.sleep(0)
            Answer.model_validate(GOOD, context=context(judges=Judges(nli=nli)))
            assert trace.get_current_span() is span
            await asyncio.sleep(0)
            assert trace.get_current_span() is span
            return span.get_span_context().span_id

    async def let() -> None:
        await until(nli.is_asked.is_set, asyncio.sleep)
        nli.may_answer.set()

    async def main() -> set[int]:
        *ids, _ = await asyncio.gather(*(nonblocking(framework(n)) for n in range(4)), let())
        return set(ids)  # type: ignore[arg-type] # the last one is None

    ids = asyncio.run(main())
    nli.join()
    assert parents_of(emitted, "validate Answer") == ids
    assert {event.span_id for event in emitted.events} == ids
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_with_grounded_in_the_events_are_the_same(emitted: Emitted) -> None:
    with grounded_in(TOWER, judges=Judges(nli=ScriptedNLI())):
        Answer.model_validate(GOOD)
    Answer.model_validate(GOOD, context=context())
    found = emitted.attributes()
    assert found[:2] == found[2:]


class Hanging(ScriptedNLI):
    """An engine that answers only when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.is_asked, self.may_answer = threading.Event(), threading.Event()

    def score(self, pairs: Sequence[Pair], /) -> Sequence[NLIScores]:
        self.is_asked.set()
        self.may_answer.wait(30)
        return super().score(pairs)


def test_a_cancelled_call_ends_its_span_without_an_error_or_an_event(
    emitted: Emitted, caplog: pytest.LogCaptureFixture
) -> None:
    nli = Hanging()

    async def main() -> None:
        task = asyncio.create_task(averify(Answer, GOOD, context=context(judges=Judges(nli=nli))))
        await asyncio.to_thread(nli.is_asked.wait, 30)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not trace.get_current_span().get_span_context().is_valid
        nli.may_answer.set()
        await until(lambda: bool(emitted.spans), asyncio.sleep)

    asyncio.run(main())
    span = emitted.span("verify Answer")
    assert (span.attributes or {})["error.type"] == "CancelledCall"
    assert span.status.is_ok or span.status.is_unset
    assert emitted.events == []
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_a_check_that_verifies_itself_has_a_span_within(emitted: Emitted) -> None:
    class Nested(ScriptedNLI):
        def score(self, pairs: Sequence[Pair], /) -> Sequence[NLIScores]:
            verify(Answer, GOOD, context=context())
            return super().score(pairs)

    verify(Answer, GOOD, context=context(judges=Judges(nli=Nested())))
    inner, outer = emitted.spans
    assert inner.parent is not None
    assert outer.context is not None
    assert inner.parent.span_id == outer.context.span_id
    assert not trace.get_current_span().get_span_context().is_valid
