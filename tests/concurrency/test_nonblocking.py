"""Inside of `nonblocking`, synchronous validation waits for engines while the event loop runs."""

import asyncio
import contextvars
import gc
import inspect
import logging
import subprocess
import sys
import threading
import types
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Generator
from contextvars import ContextVar
from typing import Any

import greenlet
import pytest
from pydantic import ValidationError

from groundtypes import judges, nonblocking
from groundtypes.backends.nli_engine import LoadedModels
from groundtypes.errors import BackendError
from groundtypes.testing import ScriptedNLI
from tests.concurrency.answers import GOOD, Answer, LettingNLI, until, validate

variable: ContextVar[str] = ContextVar("variable", default="outside")


async def let(nli: LettingNLI) -> None:
    """Let the engine answer once it is asked: only a running event loop gets here."""
    await until(nli.is_asked.is_set, asyncio.sleep)
    nli.may_answer.set()


async def ask(nli: Any, data: Any = GOOD) -> Answer:
    """Do what a framework does: await a reply, validate it, and await more."""
    await asyncio.sleep(0)
    answer = validate(nli, data)
    await asyncio.sleep(0)
    return answer


def run(main: Callable[[LettingNLI], Awaitable[Any]], look: Callable[[], Any] = str) -> LettingNLI:
    """Run a coroutine beside one that lets its engine answer; return the engine."""
    nli = LettingNLI(look)

    async def both() -> None:
        await asyncio.gather(main(nli), let(nli))
        assert len(asyncio.all_tasks()) == 1
        assert asyncio.get_running_loop().get_task_factory() is None

    asyncio.run(both())
    nli.join()
    return nli


def test_the_event_loop_runs_while_an_engine_is_asked() -> None:
    async def main(nli: LettingNLI) -> None:
        assert (await nonblocking(ask(nli))).text == GOOD["text"]

    assert run(main).threads != [threading.main_thread()]


def test_without_it_the_engine_blocks_the_thread_of_the_loop() -> None:
    nli = LettingNLI()
    nli.may_answer.set()
    asyncio.run(ask(nli))
    assert nli.threads == [threading.current_thread()]


def test_a_fault_is_raised_where_the_answer_is_validated() -> None:
    async def main(nli: LettingNLI) -> None:
        async def caught() -> list[Any]:
            try:
                await ask(nli, {"text": "It is low."})
            except ValidationError as error:
                return error.errors()
            return []

        [error] = await nonblocking(caught())
        assert (error["type"], error["loc"]) == ("does_not_follow", ("text",))

    run(main)


def test_an_outage_is_raised_where_the_answer_is_validated() -> None:
    def fail(pair: Any) -> None:
        raise ConnectionError

    async def main() -> None:
        with pytest.raises(BackendError) as raised:
            await nonblocking(ask(ScriptedNLI(fail)))
        assert isinstance(raised.value.__cause__, ConnectionError)

    asyncio.run(main())


def test_context_variables_go_in_and_come_out() -> None:
    async def main(nli: LettingNLI) -> None:
        async def inner() -> None:
            assert variable.get() == "before"
            variable.set("inside")
            await ask(nli)
            assert variable.get() == "inside"
            variable.set("after")

        variable.set("before")
        await nonblocking(inner())
        assert variable.get() == "after"

    assert run(main, variable.get).seen == ["inside"]


def test_a_context_that_is_run_inside_is_the_one_that_the_engine_sees() -> None:
    async def main(nli: LettingNLI) -> None:
        async def inner() -> None:
            def set_and_validate() -> None:
                variable.set("copied")
                validate(nli)
                assert variable.get() == "copied"

            contextvars.copy_context().run(set_and_validate)
            assert variable.get() == "outside"

        await nonblocking(inner())

    assert run(main, variable.get).seen == ["copied"]


def test_what_another_task_sets_meanwhile_is_not_seen() -> None:
    async def main(nli: LettingNLI) -> None:
        async def other() -> None:
            await until(nli.is_asked.is_set, asyncio.sleep)
            variable.set("other")

        async def inner() -> str:
            await ask(nli)
            return variable.get()

        assert (await asyncio.gather(nonblocking(inner()), other()))[0] == "outside"

    run(main)


def test_the_current_task_is_the_one_that_awaits() -> None:
    async def main(nli: LettingNLI) -> None:
        async def inner() -> list[Any]:
            before = asyncio.current_task()
            validate(nli)
            return [before, asyncio.current_task()]

        assert await nonblocking(inner()) == [asyncio.current_task()] * 2

    run(main)


class Cut(Exception):
    pass


@pytest.mark.parametrize("how", ["cancel", "timeout", "wait_for", "task_group"])
def test_a_cancellation_arrives_where_the_answer_is_validated(how: str) -> None:
    nli = LettingNLI()
    places: list[str] = []

    async def inner() -> None:
        place = "before"
        try:
            await asyncio.sleep(0)
            place = "validation"
            validate(nli)
            place = "after"
        except asyncio.CancelledError:
            places.append(place)
            raise

    async def cut() -> None:
        await until(nli.is_asked.is_set, asyncio.sleep)
        raise Cut

    async def in_group_with_cut(driven: Coroutine[Any, Any, None]) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(driven)
            group.create_task(cut())

    async def timed_out_when_asked(driven: Awaitable[None]) -> None:
        async with asyncio.timeout(None) as limit:
            asked = asyncio.ensure_future(until(nli.is_asked.is_set, asyncio.sleep))
            now = asyncio.get_running_loop().time()
            asked.add_done_callback(lambda _: limit.reschedule(now))
            await driven

    async def main() -> None:
        driven = nonblocking(inner())
        if how == "cancel":
            task = asyncio.create_task(driven)
            await until(nli.is_asked.is_set, asyncio.sleep)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        elif how == "timeout":
            with pytest.raises(TimeoutError):
                await timed_out_when_asked(driven)
        elif how == "wait_for":
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(driven, 0.2)
        else:
            with pytest.raises(ExceptionGroup) as raised:
                await in_group_with_cut(driven)
            assert [type(error) for error in raised.value.exceptions] == [Cut]
        if how == "timeout":
            current = asyncio.current_task()
            assert current is not None and current.cancelling() == 0
        nli.may_answer.set()

    asyncio.run(main())
    nli.join()
    assert places == ["validation"]


def test_a_timeout_inside_may_be_caught_and_the_coroutine_goes_on() -> None:
    nli = LettingNLI()

    async def inner() -> str:
        try:
            async with asyncio.timeout(0.05):  # noqa: ASYNC100 # a validation can be cut
                validate(nli)
        except TimeoutError:
            nli.may_answer.set()
            return validate(ScriptedNLI()).text
        return "not cut"

    assert asyncio.run(nonblocking(inner())) == GOOD["text"]


def test_tasks_that_are_created_inside_do_not_block_either() -> None:
    async def main(nli: LettingNLI) -> None:
        async def inner() -> list[Answer]:
            async with asyncio.TaskGroup() as group:
                one = group.create_task(ask(nli), name="one")
                two = asyncio.ensure_future(ask(nli, {"text": "tower"}))
                three = asyncio.gather(ask(nli, {"text": "tall"}))
            assert one.get_name() == "one"
            return [one.result(), await two, *(await three)]

        answers = await nonblocking(inner())
        assert [answer.text for answer in answers] == [GOOD["text"], "tower", "tall"]

    nli = run(main)
    assert sum(map(len, nli.batches)) == 3  # perhaps in fewer batches
    assert threading.main_thread() not in nli.threads


def test_tasks_that_others_create_are_left_alone() -> None:
    async def main(nli: LettingNLI) -> None:
        async def beside() -> object:
            await until(nli.is_asked.is_set, asyncio.sleep)
            task = asyncio.create_task(asyncio.sleep(0))
            await task
            return task.get_coro()

        _, coroutine = await asyncio.gather(nonblocking(ask(nli)), beside())
        assert isinstance(coroutine, types.CoroutineType)

    run(main)


def test_a_task_factory_of_the_loop_goes_on_making_the_tasks() -> None:
    class OwnTask(asyncio.Task[Any]):
        pass

    def factory(loop: Any, coroutine: Any, **options: Any) -> OwnTask:
        return OwnTask(coroutine, loop=loop, **options)

    async def main() -> None:
        loop = asyncio.get_running_loop()
        loop.set_task_factory(factory)

        async def inner() -> None:
            task = asyncio.create_task(ask(ScriptedNLI()))
            assert isinstance(task, OwnTask)
            await task

        await nonblocking(inner())
        assert loop.get_task_factory() is factory

    asyncio.run(main())


def test_a_task_factory_that_is_set_inside_stays() -> None:
    def factory(loop: Any, coroutine: Any, **options: Any) -> Any:
        return asyncio.Task(coroutine, loop=loop, **options)

    async def inner() -> None:
        asyncio.get_running_loop().set_task_factory(factory)
        await asyncio.create_task(ask(ScriptedNLI()))

    async def main() -> None:
        await nonblocking(inner())
        assert asyncio.get_running_loop().get_task_factory() is factory

    asyncio.run(main())


@pytest.mark.skipif(sys.version_info < (3, 12), reason="eager tasks came with Python 3.12")
@pytest.mark.parametrize("how", ["create_task", "Task", "anyio"])
def test_an_eager_task_that_validates_at_once_starts_and_ends(how: str) -> None:
    import anyio  # noqa: PLC0415 # one of the ways

    nli = LettingNLI()
    nli.may_answer.set()

    async def eager() -> Answer:
        return validate(nli)

    async def inner() -> None:
        if how == "create_task":
            task = asyncio.create_task(eager())
        elif how == "Task":
            options: Any = {"eager_start": True}
            task = asyncio.Task(eager(), loop=asyncio.get_running_loop(), **options)
        else:
            async with anyio.create_task_group() as group:
                group.start_soon(eager)
            return
        assert (await task).text == GOOD["text"]

    async def main() -> None:
        eager_factory: Any = asyncio.eager_task_factory  # type: ignore[attr-defined,unused-ignore]
        asyncio.get_running_loop().set_task_factory(eager_factory)
        await nonblocking(inner())

    asyncio.run(main())


def test_models_are_loaded_in_threads_and_found_at_once_afterwards() -> None:
    threads: list[threading.Thread] = []
    models = LoadedModels[Any]()

    def load() -> Any:
        threads.append(threading.current_thread())
        return "a model"

    async def main() -> None:
        async def inner() -> list[Any]:
            return [models.get("settings", load), models.get("settings", load)]

        assert await nonblocking(inner()) == ["a model"] * 2

    asyncio.run(main())
    assert len(threads) == 1 and threads != [threading.main_thread()]


def test_the_engine_of_a_client_is_made_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[threading.Thread] = []

    def made(client: Any, model: str | None) -> Any:
        threads.append(threading.current_thread())
        return "an engine"

    monkeypatch.setattr(judges, "_instructor_llm", made)
    client = object()

    async def inner() -> list[Any]:
        return [judges.llm_engine(client), judges.llm_engine(client)]

    assert asyncio.run(nonblocking(inner())) == ["an engine"] * 2
    assert len(threads) == 1 and threads != [threading.main_thread()]


def test_it_can_be_nested() -> None:
    async def main(nli: LettingNLI) -> None:
        async def outer() -> list[str]:
            first = await nonblocking(nonblocking(ask(nli)))
            return [first.text, validate(ScriptedNLI()).text]

        assert await nonblocking(outer()) == [GOOD["text"]] * 2

    assert threading.main_thread() not in run(main).threads


def test_a_validation_in_a_thread_of_the_coroutine_runs_there() -> None:
    async def main(nli: LettingNLI) -> None:
        async def inner() -> int:
            def work() -> int:
                validate(nli)
                return threading.get_ident()

            return await asyncio.to_thread(work)

        assert await nonblocking(inner()) == nli.threads[0].ident

    nli = LettingNLI()

    async def both() -> None:
        await asyncio.gather(main(nli), let(nli))

    asyncio.run(both())


def test_an_async_generator_inside_and_one_that_is_given() -> None:
    async def texts(nli: LettingNLI) -> AsyncIterator[str]:
        variable.set("of the generator")
        try:
            for _ in range(2):
                yield (await ask(nli)).text
        finally:
            validate(ScriptedNLI())

    async def main(nli: LettingNLI) -> None:
        async def inner() -> list[str]:
            return [text async for text in texts(nli)]

        assert await nonblocking(inner()) == [GOOD["text"]] * 2
        nli.may_answer.clear()
        nli.is_asked.clear()
        again = asyncio.create_task(let(nli))
        assert [text async for text in nonblocking(texts(LettingNLIOf(nli)))] == [GOOD["text"]] * 2
        await again

    assert threading.main_thread() not in run(main).threads


def LettingNLIOf(nli: LettingNLI) -> LettingNLI:  # noqa: N802 # another engine object: no cache
    other = LettingNLI()
    other.is_asked, other.may_answer, other.threads = nli.is_asked, nli.may_answer, nli.threads
    return other


def test_an_abandoned_async_iterator_is_closed() -> None:
    closed: list[bool] = []

    async def texts() -> AsyncIterator[str]:
        try:
            yield "one"
        finally:
            await asyncio.sleep(0)
            closed.append(True)

    async def main() -> None:
        items = nonblocking(texts())
        assert await anext(items) == "one"
        await items.aclose()

    asyncio.run(main())
    assert closed == [True]


def test_an_async_iterator_that_is_no_generator_is_ended_by_what_is_thrown() -> None:
    class Numbers:
        number = 0

        def __aiter__(self) -> "Numbers":
            return self

        async def __anext__(self) -> int:
            self.number += 1
            return self.number

    async def main() -> None:
        items = nonblocking(Numbers())
        assert [await anext(items), await anext(items)] == [1, 2]
        with pytest.raises(KeyError):
            await items.athrow(KeyError())
        assert await anext(items, None) is None

    asyncio.run(main())


class Custom:
    """An awaitable of its own kind."""

    def __init__(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        self._coroutine = coroutine

    def __await__(self) -> Generator[Any, Any, Any]:
        return self._coroutine.__await__()


@types.coroutine
def generated(coroutine: Coroutine[Any, Any, Any]) -> Generator[Any, Any, Any]:
    return (yield from coroutine.__await__())


@pytest.mark.parametrize("kind", [Custom, generated])
def test_every_awaitable_is_driven(kind: Callable[[Any], Awaitable[Any]]) -> None:
    async def main(nli: LettingNLI) -> None:
        answer = await nonblocking(kind(ask(nli)))
        assert answer.text == GOOD["text"]

    assert threading.main_thread() not in run(main).threads


@pytest.mark.parametrize("value", [None, 3, "text", asyncio.sleep, [1]])
def test_what_cannot_be_awaited_is_a_type_error(value: Any) -> None:
    with pytest.raises(TypeError, match=r"nonblocking\(\) takes"):
        _ = nonblocking(value)


def test_a_task_is_refused_because_it_runs_by_itself() -> None:
    async def main() -> None:
        task = asyncio.create_task(asyncio.sleep(0))
        for future in (task, asyncio.gather(task), asyncio.get_running_loop().create_future()):
            with pytest.raises(TypeError, match="future or task"):
                _ = nonblocking(future)
        await task

    asyncio.run(main())


def test_a_coroutine_is_awaited_once() -> None:
    async def main() -> None:
        driven = nonblocking(ask(ScriptedNLI()))
        await driven
        with pytest.raises(RuntimeError, match="cannot reuse"):
            await driven
        with pytest.raises(RuntimeError, match="cannot reuse"):
            driven.send(None)
        driven.close()
        sleeping = nonblocking(asyncio.sleep(60))
        task = asyncio.create_task(sleeping)
        await asyncio.sleep(0)
        with pytest.raises(RuntimeError, match="awaited already"):
            await sleeping
        task.cancel()

    asyncio.run(main())


def test_where_no_loop_runs_it_says_so_and_can_be_run() -> None:
    driven = nonblocking(ask(ScriptedNLI()))
    with pytest.raises(RuntimeError, match="asyncio and trio"):
        driven.send(None)
    assert asyncio.run(nonblocking(ask(ScriptedNLI()))).text == GOOD["text"]


def test_a_coroutine_that_is_never_awaited_is_warned_of_as_usual() -> None:
    with pytest.warns(RuntimeWarning, match="'ask' was never awaited"):
        repr(nonblocking(ask(ScriptedNLI())))


def test_it_looks_like_the_coroutine() -> None:
    async def main() -> None:
        driven: Any = nonblocking(ask(ScriptedNLI()))
        assert inspect.getcoroutinestate(driven) == inspect.CORO_CREATED
        assert (driven.__name__, driven.__qualname__) == ("ask", "ask")
        task = asyncio.create_task(driven)
        await asyncio.sleep(0)
        assert inspect.getcoroutinestate(driven) == inspect.CORO_SUSPENDED
        assert "ask" in repr(task) and "ask" in repr(driven)
        assert [frame.f_code.co_name for frame in task.get_stack()] == ["ask"]
        await task
        assert inspect.getcoroutinestate(driven) == inspect.CORO_CLOSED
        assert not hasattr(driven, "no_such_attribute")

    asyncio.run(main())


def test_errors_have_the_contexts_that_they_have_without_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def fail(nli: Any) -> None:
        logging.getLogger("inner").exception("seen")  # noqa: LOG004 # the handler awaits this
        validate(nli)
        try:
            raise KeyError  # noqa: TRY301 # to have a context
        except KeyError:
            await asyncio.sleep(0)
            raise LookupError from None

    async def handle(drive: Callable[[Any], Any]) -> list[type]:
        try:
            try:
                raise OSError  # noqa: TRY301 # to be handled
            except OSError:
                await drive(fail(ScriptedNLI()))
        except LookupError as error:
            chain: list[type] = []
            link: BaseException | None = error
            while link is not None:
                chain.append(type(link))
                link = link.__context__
            return chain
        return []

    expected = [LookupError, KeyError, OSError]
    assert asyncio.run(handle(lambda coroutine: coroutine)) == expected
    assert asyncio.run(handle(nonblocking)) == expected
    for record in caplog.records:
        assert record.exc_info is not None and record.exc_info[0] is OSError


def test_keyboard_interrupt_leaves_the_loop_as_it_does_without() -> None:
    async def interrupt() -> None:
        validate(ScriptedNLI())
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(nonblocking(interrupt()))


def greenlets() -> int:
    greenlet.getcurrent()  # the thread's own, which is made when it is first asked for
    gc.collect()
    return sum(isinstance(each, greenlet.greenlet) for each in gc.get_objects())


def test_an_abandoned_coroutine_is_closed_and_freed() -> None:
    reached: list[bool] = []
    ended: list[str] = []

    class Thing:
        pass

    async def inner(thing: Thing) -> None:
        task = asyncio.current_task()  # a cycle through the task
        try:
            validate(ScriptedNLI())
            reached.append(True)
            await asyncio.get_running_loop().create_future()
        finally:
            ended.append(type(task).__name__)

    async def main() -> weakref.ref[Thing]:
        thing = Thing()
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
        task = asyncio.create_task(nonblocking(inner(thing)))
        await until(lambda: bool(reached), asyncio.sleep)
        del task
        before = weakref.ref(thing)
        del thing
        gc.collect()
        return before

    number = greenlets()
    assert asyncio.run(main())() is None
    assert len(ended) == 1
    assert greenlets() == number


@pytest.mark.parametrize("place", ["between steps", "in a validation"])
def test_closing_raises_where_the_coroutine_is_suspended(place: str) -> None:
    nli, places = LettingNLI(), list[str]()

    async def inner() -> None:
        try:
            if place == "between steps":
                await asyncio.get_running_loop().create_future()
            else:
                validate(nli)
        except GeneratorExit:
            places.append(place)
            raise
        finally:
            validate(ScriptedNLI())  # here and now, because nobody awaits it

    async def main() -> None:
        driven = nonblocking(inner())
        driven.send(None)
        if place != "between steps":
            await until(nli.is_asked.is_set, asyncio.sleep)
        driven.close()
        driven.close()
        nli.may_answer.set()

    number = greenlets()
    asyncio.run(main())
    nli.join()
    assert places == [place]
    assert greenlets() == number


def test_a_coroutine_that_ignores_being_closed_is_an_error() -> None:
    async def inner() -> None:
        try:
            await asyncio.get_running_loop().create_future()
        except GeneratorExit:
            await asyncio.sleep(0)

    async def main() -> None:
        driven = nonblocking(inner())
        driven.send(None)
        with pytest.raises(RuntimeError, match="ignored GeneratorExit"):
            driven.close()

    asyncio.run(main())


def test_without_greenlet_it_says_what_to_install() -> None:
    program = (
        "import sys, asyncio; sys.modules['greenlet'] = None\n"
        "from groundtypes import nonblocking, asgi\n"
        "calls = lambda: nonblocking(asyncio.sleep(0)), lambda: asgi.NonBlockingMiddleware(1)\n"
        "for call in calls:\n"
        "    try: call()\n"
        "    except ImportError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=True
    )
    assert (
        done.stdout.splitlines()
        == ["nonblocking needs greenlet: pip install 'groundtypes[async]'"] * 2
    )
    assert done.stderr == ""


def test_a_future_that_was_refused_leaves_no_warning_when_its_loop_ends() -> None:
    """The developer gets the error; what the abandoned future ends with is no second one."""
    complaints: list[Any] = []

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, told: complaints.append(told))
        with pytest.raises(TypeError, match="future or task"):
            _ = nonblocking(asyncio.gather(asyncio.sleep(3600)))

    asyncio.run(main())
    gc.collect()
    assert complaints == []
