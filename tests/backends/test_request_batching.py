"""What waits for an engine goes out together; failures, waits and cancellations stay apart."""

import asyncio
import multiprocessing
import os
import pickle
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from groundtypes import Entailed, Grounded, Judges, Pair, averify
from groundtypes.backends.languages import DeclaredLanguages
from groundtypes.backends.nli_onnx import OnnxNLI
from groundtypes.backends.request_batching import QUEUES, EngineQueue, ask_together
from groundtypes.backends.score_cache import MemoryScoreCache
from groundtypes.concurrency.threads import CancelledCall, check_cancelled, run_in_thread
from groundtypes.errors import BackendError, BudgetError, ContextError, Mistake
from groundtypes.ledger import Ledger, SettledCache
from groundtypes.testing import ScriptedNLI

WAIT = 60.0


class Gate:
    """An engine that returns its questions when it is let; every call is recorded."""

    def __init__(self, rule: Callable[[list[Any]], Any] = lambda questions: questions) -> None:
        self.rule = rule
        self.batches: list[list[Any]] = []
        self.most = 0
        self._running = 0
        self._lock = threading.Lock()
        self.entered = threading.Semaphore(0)
        self.may_return = threading.Semaphore(0)

    def score(self, questions: Sequence[Any], /) -> Any:
        with self._lock:
            self.batches.append(list(questions))
            self._running += 1
            self.most = max(self.most, self._running)
        self.entered.release()
        assert self.may_return.acquire(timeout=WAIT)
        with self._lock:
            self._running -= 1
        return self.rule(list(questions))

    def let(self, calls: int = 1000) -> None:
        self.may_return.release(calls)

    def until_called(self) -> None:
        assert self.entered.acquire(timeout=WAIT)

    def until_waiting(self, count: int) -> None:
        """Wait until so many requests are in the queue."""
        until(lambda: waiting_for(self) == count)


def waiting_for(engine: object) -> int:
    queue = QUEUES._queues.get(id(engine))
    return 0 if queue is None else len(queue._queue)


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.001)


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(64) as threads:
        yield threads


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    yield
    until(lambda: not QUEUES._queues)


@contextmanager
def busy(engine: Gate, pool: ThreadPoolExecutor) -> Iterator[Future[Any]]:
    """Have the engine called, which does not return before the end of this block."""
    first = pool.submit(ask_together, engine, ["first"])
    engine.until_called()
    try:
        yield first
    finally:
        engine.let()
    assert first.result(WAIT) == ["first"]


def test_an_engine_that_is_free_is_called_at_once_by_the_thread_that_asks() -> None:
    threads: list[threading.Thread] = []

    class Engine:
        def score(self, questions: list[str], /) -> list[str]:
            threads.append(threading.current_thread())
            return questions

    assert ask_together(Engine(), ["b", "a", "c"]) == ["b", "a", "c"]
    assert threads == [threading.current_thread()]


def test_what_arrives_while_an_engine_is_busy_goes_out_as_one_batch(
    pool: ThreadPoolExecutor,
) -> None:
    engine = Gate()
    with busy(engine, pool):
        asked = [pool.submit(ask_together, engine, [n, n + 1]) for n in range(0, 100, 2)]
        engine.until_waiting(50)
    assert [future.result(WAIT) for future in asked] == [[n, n + 1] for n in range(0, 100, 2)]
    assert [sorted(map(str, batch)) for batch in engine.batches] == [
        ["first"],
        sorted(map(str, range(100))),
    ]


def test_equal_questions_of_several_requests_are_asked_once(pool: ThreadPoolExecutor) -> None:
    engine = Gate()
    with busy(engine, pool):
        asked = [pool.submit(ask_together, engine, ["a", number % 2]) for number in range(10)]
        engine.until_waiting(10)
    assert [future.result(WAIT) for future in asked] == [["a", number % 2] for number in range(10)]
    assert len(engine.batches[1]) == 3


@dataclass
class Unhashable:
    gate: Gate

    def score(self, questions: list[Any], /) -> Any:
        return self.gate.score(questions)


@dataclass(frozen=True, slots=True)
class WithoutWeakReferences:
    gate: Gate

    def answer(self, questions: list[Any], /) -> Any:
        return self.gate.score(questions)


@pytest.mark.parametrize("wrap", [Unhashable, WithoutWeakReferences])
def test_engines_of_every_kind_are_gathered(
    wrap: Callable[[Gate], Any], pool: ThreadPoolExecutor
) -> None:
    gate = Gate()
    engine = wrap(gate)
    asked = [pool.submit(ask_together, engine, ["first"])]
    gate.until_called()
    asked += [pool.submit(ask_together, engine, [number]) for number in range(5)]
    until(lambda: waiting_for(engine) == 5)
    gate.let()
    assert [future.result(WAIT) for future in asked] == [["first"], [0], [1], [2], [3], [4]]
    assert len(gate.batches) == 2


def test_an_engine_whose_languages_are_declared_is_the_same_engine(
    pool: ThreadPoolExecutor,
) -> None:
    engine = Gate()
    with busy(engine, pool):
        declared = [DeclaredLanguages(engine, code) for code in ("en", "de")]
        asked = [pool.submit(ask_together, wrapper, [1]) for wrapper in declared]
        engine.until_waiting(2)
    assert [future.result(WAIT) for future in asked] == [[1], [1]]
    assert len(engine.batches) == 2


# --- fairness and bounds ----------------------------------------------------------------------


class SmallCalls(Gate):
    questions_at_once = 4


def test_no_request_waits_for_the_end_of_a_huge_one(pool: ThreadPoolExecutor) -> None:
    engine = SmallCalls()
    huge = pool.submit(ask_together, engine, list(range(40)))
    engine.until_called()
    small = pool.submit(ask_together, engine, ["a", "b"])
    engine.until_waiting(2)
    engine.let(2)
    assert small.result(WAIT) == ["a", "b"]
    assert not huge.done()
    engine.let()
    assert huge.result(WAIT) == list(range(40))
    assert set(engine.batches[1]) == {4, 5, "a", "b"}
    assert max(map(len, engine.batches)) == 4


def test_more_requests_than_a_call_has_room_for_have_their_turns_in_order(
    pool: ThreadPoolExecutor,
) -> None:
    engine = SmallCalls()
    with busy(engine, pool):
        asked = []
        for number in range(10):
            asked.append(pool.submit(ask_together, engine, [(number, 0), (number, 1)]))
            engine.until_waiting(number + 1)
    for number, future in enumerate(asked):
        assert future.result(WAIT) == [(number, 0), (number, 1)]
    order = [number for batch in engine.batches[1:] for number, _ in batch]
    assert order == [*range(10), *range(10)]


def test_a_wait_ends_with_its_deadline_and_those_without_one_go_on(
    pool: ThreadPoolExecutor,
) -> None:
    class Impatient(Gate):
        queue_timeout = 0.05

    engine = Impatient()
    with busy(engine, pool):
        asked = [pool.submit(ask_together, engine, [number]) for number in range(3)]
        for future in asked:
            with pytest.raises(BackendError, match=r"Impatient was busy for 0\.05 seconds"):
                future.result(WAIT)
    assert engine.batches == [["first"]]


def test_an_engine_says_how_many_calls_it_can_use(pool: ThreadPoolExecutor) -> None:
    class Two(Gate):
        calls_at_once = 2

    class Free(Gate):
        calls_at_once = None

    two, free = Two(), Free()
    for engine, most in ((two, 2), (free, 6)):
        asked = []
        for number in range(6):
            asked.append(pool.submit(ask_together, engine, [number]))
            if number < most:
                engine.until_called()
        engine.until_waiting(6 - most)
        engine.let()
        assert [future.result(WAIT) for future in asked] == [[number] for number in range(6)]
        assert engine.most == most
    assert 3 <= len(two.batches) <= 4


@pytest.mark.parametrize("name", ["calls_at_once", "questions_at_once"])
@pytest.mark.parametrize("value", [0, -1, "many", 1.5, True, float("nan")])
def test_an_attribute_that_makes_no_sense_is_a_mistake(name: str, value: Any) -> None:
    engine = Gate()
    setattr(engine, name, value)
    with pytest.raises(ContextError, match=name):
        ask_together(engine, ["a"])


@pytest.mark.parametrize("value", [0, -1, "x", True, float("nan")])
def test_a_queue_timeout_that_is_no_number_of_seconds_is_a_mistake(value: Any) -> None:
    engine = Gate()
    engine.queue_timeout = value  # type: ignore[attr-defined] # engines may have it
    with pytest.raises(ContextError, match="queue_timeout of Gate must be a positive number"):
        ask_together(engine, ["a"])


@pytest.mark.parametrize("value", [None, 60, 0.5, float("inf")])
def test_a_queue_timeout_is_a_number_of_seconds(value: Any) -> None:
    engine = ScriptedNLI()
    engine.queue_timeout = value  # type: ignore[attr-defined] # engines may have it
    assert len(ask_together(engine, [Pair("a", "a")])) == 1


def test_a_time_out_that_is_not_positive_is_a_mistake() -> None:
    with pytest.raises(ContextError, match="timeout"):
        OnnxNLI(timeout=0)


# --- failures ---------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [ConnectionError("gone"), BudgetError("spent")])
def test_an_outage_is_told_to_all_whose_questions_were_in_the_batch(
    pool: ThreadPoolExecutor, error: Exception
) -> None:
    def fail(questions: list[Any]) -> Any:
        if questions == ["first"]:
            return questions
        raise error

    engine = Gate(fail)
    with busy(engine, pool):
        asked = [pool.submit(ask_together, engine, [number]) for number in range(8)]
        engine.until_waiting(8)
    raised = [future.exception(WAIT) for future in asked]
    assert len(set(map(id, raised))) == 8  # each thread adds to the traceback of its own
    for mistake in raised:
        assert isinstance(mistake, BackendError | BudgetError)
        assert error in (mistake.__cause__, mistake) or str(mistake) == str(error)
    assert len(engine.batches) == 2


def out_of_memory(questions: list[Any]) -> Any:
    raise MemoryError


def too_few(questions: list[Any]) -> Any:
    return questions[1:]


def invalid(questions: list[Any]) -> Any:
    raise ValueError("a bad question")


@pytest.mark.parametrize("fail", [out_of_memory, too_few, invalid])
@pytest.mark.parametrize("bad", [{3}, {0, 15}, set(range(16))])
def test_a_question_that_fails_fails_nobody_elses(
    pool: ThreadPoolExecutor, fail: Callable[[list[Any]], Any], bad: set[int]
) -> None:
    engine = Gate(lambda questions: fail(questions) if bad & {*questions} else questions)
    with busy(engine, pool):
        asked = [pool.submit(ask_together, engine, [number, "x"]) for number in range(16)]
        engine.until_waiting(16)
    for number, future in enumerate(asked):
        if number in bad:
            assert isinstance(future.exception(WAIT), BackendError)
        else:
            assert future.result(WAIT) == [number, "x"]
    # The first one, the batch, and two halves of each that failed.
    assert len(engine.batches) <= 2 + 2 * 4 * len(bad)


def test_a_failure_of_a_huge_request_ends_all_of_it(pool: ThreadPoolExecutor) -> None:
    engine = SmallCalls(lambda questions: invalid(questions) if 2 in questions else questions)
    engine.let()
    with pytest.raises(BackendError):
        ask_together(engine, list(range(100)))
    assert len(engine.batches) == 1


# --- cancellation -----------------------------------------------------------------------------


def start(engine: Any, questions: list[Any]) -> "asyncio.Task[Any]":
    return asyncio.create_task(run_in_thread(ask_together, engine, questions))


async def in_thread(function: Callable[..., Any], *args: Any) -> Any:
    return await asyncio.to_thread(function, *args)


def test_who_is_cancelled_while_waiting_is_not_asked_for_and_others_are() -> None:
    engine = Gate()

    async def run() -> None:
        first = start(engine, ["first"])
        await in_thread(engine.until_called)
        tasks = [start(engine, [number]) for number in range(4)]
        await in_thread(engine.until_waiting, 4)
        tasks[1].cancel()
        await in_thread(engine.until_waiting, 3)
        engine.let()
        results = await asyncio.gather(first, *tasks, return_exceptions=True)
        assert isinstance(results.pop(2), asyncio.CancelledError)
        assert results == [["first"], [0], [2], [3]]

    asyncio.run(run())
    assert sorted(engine.batches[1]) == [0, 2, 3]


def gathered_tasks(engine: Gate) -> Any:
    """Return three tasks whose questions are in one call that is under way."""

    async def begin() -> "list[asyncio.Task[Any]]":
        first = start(engine, ["first"])
        await in_thread(engine.until_called)
        tasks = []
        for number in range(3):
            tasks.append(start(engine, [number]))
            await in_thread(engine.until_waiting, number + 1)
        engine.let(1)
        await in_thread(engine.until_called)
        assert await first == ["first"]
        return tasks

    return begin()


@pytest.mark.parametrize("cancelled", [{0}, {1}, {0, 2}])
def test_a_call_goes_on_while_anybody_waits_for_it(cancelled: set[int]) -> None:
    def score(questions: list[Any]) -> Any:
        check_cancelled()
        return questions

    engine = Gate(score)

    async def run() -> None:
        tasks = await gathered_tasks(engine)
        for number in cancelled:  # 0 is the one whose thread makes the call
            tasks[number].cancel()
        await asyncio.sleep(0)
        engine.let()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        for number, result in enumerate(results):
            if number in cancelled:
                assert isinstance(result, asyncio.CancelledError)
            else:
                assert result == [number]

    asyncio.run(run())
    assert len(engine.batches) == 2


def test_a_call_is_cancelled_when_nobody_waits_for_it() -> None:
    stopped = threading.Event()

    def score(questions: list[Any]) -> Any:
        try:
            check_cancelled()
        except CancelledCall:
            stopped.set()
            raise
        return questions

    engine = Gate(score)

    async def run() -> None:
        tasks = await gathered_tasks(engine)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(run())
    engine.let()
    assert stopped.wait(WAIT)
    assert ask_together(engine, ["again"]) == ["again"]


def test_who_calls_may_be_interrupted_and_others_ask_again(pool: ThreadPoolExecutor) -> None:
    interrupted = threading.Event()

    def interrupt(questions: list[Any]) -> Any:
        if len(questions) > 1 and not interrupted.is_set():
            interrupted.set()
            raise KeyboardInterrupt
        return questions

    engine = Gate(interrupt)
    with busy(engine, pool):
        asked = []
        for number in range(5):
            asked.append(pool.submit(ask_together, engine, [number]))
            engine.until_waiting(number + 1)
    assert isinstance(asked[0].exception(WAIT), KeyboardInterrupt)
    assert [future.result(WAIT) for future in asked[1:]] == [[1], [2], [3], [4]]
    assert engine.batches[2] == [1, 2, 3, 4]


@pytest.mark.parametrize("method", ["_run", "_leave"])
def test_who_is_interrupted_beside_the_call_leaves_the_questions_of_others(
    method: str, pool: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A signal arrives between any two instructions; here it does at the worst of them.
    original: Any = getattr(EngineQueue, method)
    engine = Gate()
    interrupted: list[Any] = []

    def interrupt(queue: Any, about: Any) -> None:
        if not interrupted and len(engine.batches) > (method == "_leave"):
            interrupted.append(about)
            raise KeyboardInterrupt
        original(queue, about)

    with busy(engine, pool):
        asked = []
        for number in range(4):
            asked.append(pool.submit(ask_together, engine, [number]))
            engine.until_waiting(number + 1)
        monkeypatch.setattr(EngineQueue, method, interrupt)
        if method == "_leave":
            engine.let()
            engine.until_called()
    outcomes = [future.exception(WAIT) for future in asked]
    assert [type(error) for error in outcomes if error] == [KeyboardInterrupt]
    assert [n for n, future in enumerate(asked) if not outcomes[n] and future.result() != [n]] == []


# --- where engines are asked --------------------------------------------------------------------


def test_an_engine_that_asks_engines_does_not_wait_for_itself(pool: ThreadPoolExecutor) -> None:
    class Asking:
        other: Any = None

        def score(self, questions: Sequence[Any], /) -> Any:
            if len(questions) == 1:
                return list(questions)
            return [Ledger(SettledCache()).ask_now(self.other, [q])[0] for q in questions]

    one, two = Asking(), Asking()
    one.other, two.other = two, one
    alone = Asking()
    alone.other = alone
    engines = [one, two, alone] * 10
    asked = [pool.submit(ask_together, engine, [1, 2, 3]) for engine in engines]
    assert [future.result(WAIT) for future in asked] == [[1, 2, 3]] * 30


class Answer(Grounded):
    text: Annotated[str, Entailed()]


def test_the_requests_of_two_event_loops_are_gathered(pool: ThreadPoolExecutor) -> None:
    gate = Gate()

    class Engine(ScriptedNLI):
        def score(self, pairs: Sequence[Pair], /) -> Any:
            gate.score(pairs)
            return super().score(pairs)

    engine = Engine()
    texts = [f"Tower {number} is tall." for number in range(20)]
    context = {"references": texts, "judges": Judges(nli=engine)}

    async def verify(texts: list[str]) -> list[str]:
        answers = [averify(Answer, {"text": text}, context=context) for text in texts]
        return [answer.text for answer in await asyncio.gather(*answers)]

    loops = [pool.submit(lambda part: asyncio.run(verify(part)), texts[n::2]) for n in (0, 1)]
    gate.until_called()
    until(lambda: waiting_for(engine) == 19)
    gate.let()
    assert [loop.result(WAIT) for loop in loops] == [texts[0::2], texts[1::2]]
    assert engine.calls == 2


def test_an_engine_that_is_busy_can_be_pickled(pool: ThreadPoolExecutor) -> None:
    engine = OnnxNLI(timeout=5)
    with QUEUES.of(engine):
        copied = pickle.loads(pickle.dumps(engine))  # noqa: S301 # our own
    assert (copied.queue_timeout, copied.calls_at_once) == (5, engine.calls_at_once)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_child_that_is_forked_while_an_engine_is_busy_asks_for_itself(
    pool: ThreadPoolExecutor,
) -> None:
    engine = Gate()

    def child() -> None:
        engine._lock = threading.Lock()
        engine.let()
        os._exit(0 if ask_together(engine, ["child"]) == ["child"] else 1)

    with busy(engine, pool):
        waiting = pool.submit(ask_together, engine, ["waits"])
        engine.until_waiting(1)
        process = multiprocessing.get_context("fork").Process(target=child)
        process.start()
        process.join(WAIT)
        assert process.exitcode == 0
    assert waiting.result(WAIT) == ["waits"]


def test_scores_do_not_depend_on_what_was_gathered(pool: ThreadPoolExecutor) -> None:
    pairs = [
        Pair("The rain fell on the hill. " * (number % 9 + 1), f"It rained {number} times.")
        for number in range(40)
    ]
    alone = OnnxNLI(cache=MemoryScoreCache(0))
    expected = [alone.score([pair])[0] for pair in pairs]
    engine = OnnxNLI()
    engine.load()
    scored = list(pool.map(lambda pair: ask_together(engine, [pair])[0], pairs))
    for found, score in zip(scored, expected, strict=True):
        assert found.entailment == pytest.approx(score.entailment, abs=1e-3)
    assert engine.score(pairs) == scored  # from the engine's cache


def test_progress_is_that_of_one_caller() -> None:
    assert OnnxNLI(progress=lambda _done, _total: None).calls_at_once is None
    assert OnnxNLI(threads=10_000).calls_at_once == 1


@pytest.mark.parametrize("calls", [1, 3])
@pytest.mark.parametrize("seed", range(4))
def test_whatever_happens_everybody_gets_their_own_and_nobody_waits_for_ever(
    calls: int, seed: int
) -> None:
    chance = random.Random(seed)

    class Moody:
        calls_at_once = calls
        questions_at_once = 7

        def score(self, questions: list[Any], /) -> Any:
            time.sleep(chance.random() / 1000)
            check_cancelled()
            mood = chance.random()
            if mood < 0.05:
                raise ConnectionError
            if mood < 0.1:
                raise ValueError(mood)
            if any(number % 50 == 49 for _, number in questions):
                raise LookupError
            return [("reply", *question) for question in questions]

    engine = Moody()

    async def one(number: int) -> str:
        questions = [(number, n) for n in range(chance.choice([1, 2, 5, 40]))]
        if number % 10 == 0:
            questions.append((number, 49))
        task = start(engine, questions)
        if number % 7 == 0:
            await asyncio.sleep(chance.random() / 100)
            task.cancel()
        try:
            found = await task
        except asyncio.CancelledError:
            return "cancelled"
        except Mistake:
            return "mistake"
        assert found == [("reply", *question) for question in questions]
        assert number % 10
        return "answered"

    async def run() -> list[str]:
        async with asyncio.timeout(WAIT):
            return await asyncio.gather(*(one(number) for number in range(1, 200)))

    assert {"cancelled", "mistake", "answered"} == {*asyncio.run(run())}
