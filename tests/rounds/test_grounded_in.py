"""Inside of `grounded_in` models find their references without a context; outside they do not."""

import asyncio
import contextvars
import copy
import gc
import pickle
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack, aclosing, asynccontextmanager, contextmanager
from typing import Annotated, Any

import anyio
import anyio.lowlevel
import anyio.to_thread
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter, ValidationError, ValidationInfo, field_validator

from groundtypes import (
    Check,
    Entailed,
    Grounded,
    Judges,
    NLIScores,
    Quote,
    Quoted,
    Verdict,
    aaudit,
    audit,
    audit_many,
    averify,
    averify_many,
    grounded_in,
    nonblocking,
    verify,
    verify_many,
)
from groundtypes.errors import ContextError, MissingReferencesError, ReferencesError
from groundtypes.rounds.grounding import _blocks, _blocks_of_generators, current_grounding, ground
from groundtypes.testing import ScriptedNLI
from groundtypes.validation import aiter_audits, iter_audits

SUN, MOON, STAR = "The sun is hot today.", "The moon is cold today.", "The star is far away."


class Plain(BaseModel):
    quote: Quote


class Answer(Grounded):
    quote: Quote


def holds(model: type[BaseModel] = Answer) -> set[str]:
    """Return which of the three texts are references where this is called."""
    try:
        return {text for text in (SUN, MOON, STAR) if _is_quote(model, text)}
    except MissingReferencesError:
        return set()


def _is_quote(model: type[BaseModel], text: str) -> bool:
    try:
        model.model_validate({"quote": text})
    except ValidationError:
        return False
    return True


def is_sun() -> bool:
    return holds() == {SUN}


# --- what finds its references ----------------------------------------------------------------


@pytest.mark.parametrize("model", [Plain, Answer])
def test_models_find_references_inside_and_raise_outside(model: type[BaseModel]) -> None:
    data = {"quote": "the sun is HOT"}
    validations: list[Callable[[], Any]] = [
        lambda: model.model_validate(data),
        lambda: model.model_validate_json('{"quote": "the sun is HOT"}'),
        lambda: TypeAdapter(list[model]).validate_python([data])[0],  # type: ignore[valid-type]
        lambda: model(**data),
        lambda: verify(model, data),
        lambda: audit(model, data).value,
        lambda: verify_many(model, [data])[0],
        lambda: audit_many(model, [data])[0].value,
    ]
    with grounded_in([SUN]):
        answers = [validation() for validation in validations]
    assert {answer.quote for answer in answers} == {"The sun is hot"}
    assert {answer.quote.span.reference for answer in answers} == {"0"}
    for validation in validations:
        with pytest.raises(MissingReferencesError, match="grounded_in"):
            validation()


def test_async_calls_find_references_and_keep_those_of_their_call() -> None:
    async def main() -> None:
        data = {"quote": SUN}
        async with grounded_in([SUN]):
            assert (await averify(Answer, data)).quote == SUN
            assert (await aaudit(Answer, data)).ok
            assert len(await averify_many(Answer, [data])) == 1
            later = [aiter_audits(Answer, [data]), aiter_audits(Answer, [data], context=[{}])]
        for audits in later:
            assert [found.ok async for found in audits] == [True]
        with pytest.raises(MissingReferencesError):
            await averify(Answer, data)

    asyncio.run(main())


def test_audits_read_later_keep_the_block_of_their_call() -> None:
    with grounded_in([SUN]):
        contexts: list[Any] = [None, {}, [{}]]
        audits = [iter_audits(Answer, [{"quote": SUN}], context=context) for context in contexts]
    with grounded_in([MOON]):
        assert [next(found).ok for found in audits] == [True] * 3


def test_an_instance_is_judged_as_with_a_context() -> None:
    false = Answer.model_construct(quote=MOON)
    assert Answer.model_validate(false) is false  # as Pydantic does
    with grounded_in([SUN]), pytest.raises(ValidationError, match="quote_altered"):
        Answer.model_validate(false)


def test_an_audit_keeps_what_the_block_gave() -> None:
    with grounded_in({"a": SUN}, question="How hot is it?"):
        found = audit(Answer, {"quote": SUN})
    assert found.references is not None
    assert list(found.references.ids) == ["a"]
    assert found.question == "How hot is it?"


# --- how a context and blocks combine ---------------------------------------------------------


class Question(Check):
    """Holds; the message says what the check has read."""

    def judge(self, value: str, case: Any) -> Verdict:
        name = NAMES.get(id(case.judges))
        return self.fails("seen", f"{case.references.texts[0][4:7]}, {case.question}, {name}")


A, B, C = (Judges(model=name) for name in "ABC")
NAMES = {id(A): "A", id(B): "B", id(C): "C"}


class Asking(BaseModel):
    text: Annotated[str, Question()]


class AskingInRounds(Grounded, judges=C):
    text: Annotated[str, Question()]


def seen(context: dict[str, Any] | None = None, model: type[BaseModel] = Asking) -> str:
    with pytest.raises(ValidationError) as caught:
        model.model_validate({"text": "-"}, context=context)
    via = audit(model, {"text": "-"}, context=context)
    assert caught.value.errors()[0]["msg"] == via.faults[0].message
    return via.faults[0].message


@pytest.mark.parametrize(
    ("context", "expected"),
    [
        (None, "sun, Q, A"),
        ({}, "sun, Q, A"),
        ({"own": 1}, "sun, Q, A"),
        ({"references": None}, "sun, Q, A"),
        ({"question": "mine"}, "sun, mine, A"),
        ({"judges": B}, "sun, Q, B"),
        ({"references": [MOON]}, "moo, None, A"),
        ({"text_chunks": [MOON]}, "moo, None, A"),
        ({"context": MOON, "judges": B}, "moo, None, B"),
        ({"references": [MOON], "question": "mine", "judges": B}, "moo, mine, B"),
    ],
)
@pytest.mark.parametrize("model", [Asking, AskingInRounds])
def test_a_context_goes_before_the_block(
    context: dict[str, Any] | None, expected: str, model: type[BaseModel]
) -> None:
    with grounded_in([SUN], question="Q", judges=A):
        assert seen(context, model) == expected


def test_judges_of_a_model_class_come_last() -> None:
    with grounded_in([SUN]):
        assert seen(None, AskingInRounds) == "sun, None, C"
        assert seen({"judges": B}, AskingInRounds) == "sun, None, B"


def test_of_nested_blocks_the_innermost_counts_and_inherits_only_judges() -> None:
    with grounded_in([SUN], question="Q", judges=A):
        with grounded_in([MOON]):
            assert seen() == "moo, None, A"
            with grounded_in([STAR], question="R", judges=B):
                assert seen() == "sta, R, B"
        assert seen() == "sun, Q, A"


def test_a_validator_may_open_a_block_of_its_own() -> None:
    class Part(Grounded):
        quote: Quote

    class Whole(Grounded):
        quote: Quote
        part: Any

        @field_validator("part")
        @classmethod
        def from_other_references(cls, value: Any, info: ValidationInfo) -> Part:
            with grounded_in([MOON]):
                return Part.model_validate(value)

    with grounded_in([SUN]):
        whole = Whole.model_validate({"quote": SUN, "part": {"quote": MOON}})
        assert whole.part.quote == MOON
        with pytest.raises(ValidationError, match=r"part\.quote|quote"):
            Whole.model_validate({"quote": SUN, "part": {"quote": SUN}})


def test_a_context_that_is_no_mapping_is_a_mistake_inside_too() -> None:
    with grounded_in([SUN]), pytest.raises(ContextError, match="mapping"):
        Answer.model_validate({"quote": SUN}, context=[SUN])


def test_nothing_to_add_leaves_the_context_as_it_is() -> None:
    context = {"references": [MOON], "judges": B}
    assert ground(context) is context
    with grounded_in([SUN], question="Q", judges=A):
        assert ground(context) is context


@pytest.mark.parametrize(
    ("arguments", "mistake"),
    [
        ({"references": None}, ReferencesError),
        ({"references": [1]}, ReferencesError),
        ({"references": [], "question": 1}, ContextError),
        ({"references": [], "judges": "A"}, ContextError),
    ],
)
def test_wrong_arguments_are_mistakes_at_once(
    arguments: dict[str, Any], mistake: type[Exception]
) -> None:
    with pytest.raises(mistake):
        grounded_in(**arguments)


def test_no_references_are_not_missing_references() -> None:
    with grounded_in([]), pytest.raises(ValidationError, match="quote_not_found"):
        Answer.model_validate({"quote": SUN})


def test_engines_are_asked_with_the_question_of_the_block() -> None:
    engine = ScriptedNLI(lambda pair: NLIScores(0.9, 0.05, 0.05))

    class Statement(Grounded):
        text: Annotated[str, Entailed()]

    with grounded_in([SUN], judges=Judges(nli=engine)):
        found = audit(Statement, {"text": "It is hot."})
    assert found.ok and engine.batches


# --- entering and leaving ---------------------------------------------------------------------


def test_one_object_is_entered_any_number_of_times() -> None:
    grounding = grounded_in([SUN])
    for _ in range(2):
        with grounding:
            with grounding as same, grounded_in([MOON]), grounding:
                assert same is grounding
                assert is_sun()
            assert is_sun()
        assert holds() == set()


def test_it_is_left_when_an_error_passes() -> None:
    with pytest.raises(KeyError), grounded_in([SUN]):
        raise KeyError
    assert current_grounding() is None


def test_leaving_without_entering_is_a_mistake() -> None:
    with pytest.raises(ContextError, match="not been entered"):
        grounded_in([SUN]).__exit__(None, None, None)


def test_blocks_that_are_left_in_the_wrong_order_leave_nothing_behind() -> None:
    sun, moon = grounded_in([SUN]), grounded_in([MOON])
    sun.__enter__()
    moon.__enter__()
    sun.__exit__(None, None, None)
    assert holds() == {MOON}
    moon.__exit__(None, None, None)
    assert holds() == set()


@given(st.lists(st.tuples(st.integers(0, 2), st.booleans()), max_size=20))
def test_law_the_block_entered_last_of_those_still_open_counts(
    steps: list[tuple[int, bool]],
) -> None:
    groundings = [grounded_in([text]) for text in (SUN, MOON, STAR)]
    still_open: list[int] = []
    for number, enter in steps:
        if enter:
            groundings[number].__enter__()
            still_open.append(number)
        elif number in still_open:
            groundings[number].__exit__(None, None, None)
            last = len(still_open) - 1 - still_open[::-1].index(number)
            del still_open[last]
        expected = groundings[still_open[-1]] if still_open else None
        assert current_grounding() is expected
    for number in still_open:
        groundings[number].__exit__(None, None, None)
    assert current_grounding() is None


def test_a_block_that_another_context_leaves_is_over() -> None:
    grounding = grounded_in([SUN])
    grounding.__enter__()
    contextvars.Context().run(grounding.__exit__, None, None, None)
    assert current_grounding() is None


def test_a_copy_of_a_context_keeps_the_block() -> None:
    with grounded_in([SUN]):
        context = contextvars.copy_context()
    assert context.run(is_sun)
    assert holds() == set()


def test_it_can_be_copied_and_pickled() -> None:
    with grounded_in([SUN], question="Q") as grounding:
        for same in (pickle.loads(pickle.dumps(grounding)), copy.deepcopy(grounding)):  # noqa: S301
            with grounded_in([MOON]), same:
                assert is_sun()


# --- threads ----------------------------------------------------------------------------------


def test_threads_that_copy_no_context_open_the_block_themselves() -> None:
    with ThreadPoolExecutor(4) as pool, grounded_in([SUN]) as grounding:

        def holds_here(model: type[BaseModel]) -> set[str]:
            with grounding:
                return holds(model)

        assert not any(pool.map(holds, [Answer] * 8))
        assert all(pool.map(holds_here, [Answer] * 8))
        assert pool.submit(contextvars.copy_context().run, is_sun).result()


def is_sun_by(grounding: Any) -> bool:
    with grounding:
        return is_sun()


def test_a_block_is_opened_in_another_process() -> None:
    from multiprocessing import get_context  # noqa: PLC0415 # only here

    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(is_sun_by, grounded_in([SUN])).result()


def test_threads_of_asyncio_and_anyio_see_the_block() -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        with grounded_in([SUN]):
            assert await asyncio.to_thread(is_sun)
            assert await anyio.to_thread.run_sync(is_sun)
            assert not await loop.run_in_executor(None, is_sun)

    asyncio.run(main())


def test_many_threads_share_one_object() -> None:
    grounding = grounded_in([SUN])
    barrier = threading.Barrier(8)

    def work(number: int) -> bool:
        barrier.wait()
        right = True
        for _ in range(50):
            with grounding, grounded_in([MOON]), grounding:
                right &= is_sun()
            right &= current_grounding() is None
        return right

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))
    assert not grounding._open


# --- tasks ------------------------------------------------------------------------------------


def test_tasks_at_the_same_time_have_their_own_blocks() -> None:
    shared = grounded_in([STAR])

    async def work(text: str) -> None:
        async with grounded_in([text]):
            for _ in range(5):
                await asyncio.sleep(0)
                assert holds() == {text}
                async with shared:
                    await asyncio.sleep(0)
                    assert holds() == {STAR}

    async def main() -> None:
        async with asyncio.TaskGroup() as group:
            for number in range(30):
                group.create_task(work((SUN, MOON)[number % 2]))
        assert current_grounding() is None

    asyncio.run(main())


def test_a_task_keeps_the_block_in_which_it_was_started() -> None:
    async def later() -> bool:
        await asyncio.sleep(0.01)
        return is_sun()

    async def main() -> None:
        loop = asyncio.get_running_loop()
        called = loop.create_future()
        with grounded_in([SUN]):
            task = asyncio.create_task(later())
            loop.call_soon(lambda: called.set_result(is_sun()))
        with grounded_in([MOON]):
            assert await task
            assert await called

    asyncio.run(main())


def test_a_coroutine_of_another_thread_sees_the_block_of_that_thread() -> None:
    async def work() -> bool:
        return is_sun()

    async def main() -> None:
        loop = asyncio.get_running_loop()

        def thread() -> bool:
            with grounded_in([SUN]):
                return asyncio.run_coroutine_threadsafe(work(), loop).result()

        with grounded_in([MOON]):
            assert await asyncio.to_thread(thread)

    asyncio.run(main())


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_anyio_task_groups(backend: str) -> None:
    if backend == "trio":
        pytest.importorskip("trio")

    async def expect(text: str) -> None:
        await anyio.lowlevel.checkpoint()
        assert holds() == {text}

    async def main() -> None:
        async with grounded_in([SUN]), anyio.create_task_group() as group:
            group.start_soon(expect, SUN)
            async with grounded_in([MOON]):
                group.start_soon(expect, MOON)
            await expect(SUN)

    anyio.run(main, backend=backend)


def test_what_does_not_block_sees_the_block() -> None:
    pytest.importorskip("greenlet")
    engine = ScriptedNLI()

    class Statement(Grounded):
        text: Annotated[str, Entailed()]

    async def validate(text: str) -> bool:
        async with grounded_in([text], judges=Judges(nli=engine)):
            await asyncio.sleep(0)
            return Statement.model_validate({"text": text}).text == text

    async def work(text: str) -> bool:
        outside = await nonblocking(validate(text))
        async with grounded_in([text], judges=Judges(nli=engine)):
            inside = await nonblocking(asyncio.to_thread(Statement.model_validate, {"text": text}))
        return outside and inside.text == text and current_grounding() is None

    async def main() -> list[bool]:
        return await asyncio.gather(*(work(text) for text in (SUN, MOON, STAR) * 5))

    assert all(asyncio.run(main()))
    assert engine.calls


# --- generators -------------------------------------------------------------------------------


def seen_here() -> set[str] | str:
    """Return which texts are references here, or "unclear" for the mistake that it is unclear."""
    try:
        return holds()
    except ContextError as error:
        assert "Pass context=" in str(error)
        return "unclear"


async def seen_in_a_task() -> set[str] | str:
    return seen_here()


def texts_in(text: str, times: int = 3) -> Generator[set[str]]:
    """Yield what holds inside of a block of this generator's own."""
    with grounded_in([text]):
        for _ in range(times):
            yield holds()
    yield holds()


def test_who_reads_a_generator_does_not_see_its_block_but_a_mistake() -> None:
    items = texts_in(SUN)
    assert next(items) == {SUN}
    assert seen_here() == "unclear"
    with grounded_in([MOON]):
        assert holds() == {MOON}
        assert next(items) == {SUN}
        assert holds() == {MOON}
    assert list(items) == [{SUN}, set()]
    assert holds() == set()


def test_a_context_is_clear_inside_of_a_loop_over_a_generator() -> None:
    for _ in texts_in(MOON):
        answer = Answer.model_validate({"quote": "sun is hot"}, context={"references": [SUN]})
        assert answer.quote.span.start == 4


def test_generators_that_take_turns_see_their_own_blocks() -> None:
    generators = [texts_in(text) for text in (SUN, MOON, STAR)]
    for _ in range(3):
        assert [next(items) for items in generators] == [{SUN}, {MOON}, {STAR}]
    for items in generators:
        items.close()
    assert holds() == set()


def test_a_generator_in_a_generator() -> None:
    def outer() -> Iterator[set[str]]:
        with grounded_in([MOON]):
            for found in texts_in(SUN, 2):
                yield found
                yield holds()
            with grounded_in([STAR]):
                yield holds()

    assert list(outer()) == [{SUN}, {MOON}] * 2 + [{MOON}] * 2 + [{STAR}]


def test_a_function_that_a_generator_calls_may_open_a_block() -> None:
    def in_star() -> set[str]:
        with grounded_in([STAR]):
            return holds()

    def items() -> Iterator[set[str]]:
        with grounded_in([SUN]):
            for _ in range(2):
                yield in_star()
                yield holds()

    reader = items()
    with grounded_in([MOON]):
        assert [*reader] == [{STAR}, {SUN}] * 2


def test_context_managers_made_of_generators_act_for_their_caller() -> None:
    @contextmanager
    def in_text(text: str) -> Iterator[None]:
        with grounded_in([text]):
            assert holds() == {text}
            yield
            assert holds() == {text}

    def generator() -> Iterator[set[str]]:
        with grounded_in([SUN]):
            yield holds()
            with in_text(MOON):
                yield holds()
            yield holds()
            with ExitStack() as stack:
                stack.enter_context(in_text(STAR))
                yield holds()
                stack.enter_context(grounded_in([MOON]))
                yield holds()

    with in_text(STAR):
        assert list(generator()) == [{SUN}, {MOON}, {SUN}, {STAR}, {MOON}]
        assert holds() == {STAR}
    assert holds() == set()


@pytest.fixture
def sun_fixture() -> Iterator[None]:
    with grounded_in([SUN]):
        yield


def test_a_fixture_of_pytest_gives_references_to_its_test(sun_fixture: None) -> None:
    assert holds() == {SUN}


def test_a_generator_that_goes_on_in_other_threads_keeps_its_block() -> None:
    # As starlette does with the body of a StreamingResponse: a copy of the context each time.
    items = texts_in(SUN)
    with ThreadPoolExecutor(3) as pool, grounded_in([MOON]):
        for expected in ({SUN}, {SUN}, {SUN}, {MOON}):
            context = contextvars.copy_context()
            assert pool.submit(context.run, next, items).result() == expected
    assert not _blocks_of_generators


def test_a_generator_that_is_dropped_leaves_nothing() -> None:
    next(texts_in(SUN))
    gc.collect()
    assert not _blocks_of_generators
    assert current_grounding() is None


async def async_texts_in(text: str, times: int = 3) -> AsyncGenerator[set[str], None]:
    """Yield what holds inside of a block of this generator's own."""
    async with grounded_in([text]):
        for _ in range(times):
            await asyncio.sleep(0)
            yield holds()


def test_async_generators_that_take_turns_see_their_own_blocks() -> None:
    async def main() -> None:
        async with aclosing(async_texts_in(SUN)) as sun, aclosing(async_texts_in(MOON)) as moon:
            for _ in range(2):
                assert await anext(sun) == {SUN}
                assert await anext(moon) == {MOON}
                assert seen_here() == "unclear"
            # Another task reads the next item.
            assert await asyncio.create_task(anext(sun, set())) == {SUN}

    asyncio.run(main())
    assert not _blocks_of_generators


async def _taken_by_a_helper(items: AsyncGenerator[set[str], None]) -> None:
    async for _ in items:
        return


async def _closed_by_another_task(items: AsyncGenerator[set[str], None]) -> None:
    await anext(items)

    async def close() -> None:
        await items.aclose()

    await asyncio.create_task(close())


async def _left_by_a_break(items: AsyncGenerator[set[str], None]) -> None:
    async for _ in items:
        break


async def _driven_without_blocking(items: AsyncGenerator[set[str], None]) -> None:
    pytest.importorskip("greenlet")
    async for _ in nonblocking(items):
        break


@pytest.mark.parametrize(
    "read",
    [
        _taken_by_a_helper,
        _closed_by_another_task,
        _left_by_a_break,
        _driven_without_blocking,
    ],
)
def test_the_block_of_an_abandoned_async_generator_counts_nowhere(
    read: Callable[[AsyncGenerator[set[str], None]], Awaitable[None]],
) -> None:
    async def started() -> set[str]:
        return holds()

    async def main() -> None:
        with grounded_in([MOON]):
            await read(async_texts_in(SUN))
            gc.collect()
            await asyncio.sleep(0.01)  # the event loop closes what has been abandoned
            assert holds() == {MOON}
            assert await asyncio.create_task(started()) == {MOON}
            assert await asyncio.to_thread(holds) == {MOON}
        assert holds() == set()

    asyncio.run(main())
    assert not _blocks_of_generators


def test_a_task_that_abandons_many_streams_keeps_none_of_their_blocks() -> None:
    async def main() -> int:
        for _ in range(20):
            await _left_by_a_break(async_texts_in(SUN))
            gc.collect()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        return len(_blocks.get())

    assert asyncio.run(main()) <= 2


def test_a_block_that_a_copy_of_the_context_leaves_in_another_task_is_over() -> None:
    # As when a fixture is set up in one task and torn down in another.
    async def leave(grounding: Any) -> None:
        grounding.__exit__(None, None, None)

    async def main() -> None:
        grounding = grounded_in([SUN])
        grounding.__enter__()
        assert is_sun()
        await asyncio.create_task(leave(grounding))
        assert current_grounding() is None

    asyncio.run(main())


@pytest.mark.parametrize("around", [set(), {MOON}])
def test_in_tasks_and_threads_it_is_unclear_whether_they_are_the_generators(
    around: set[str],
) -> None:
    async def items() -> AsyncGenerator[set[str] | str, None]:
        async with grounded_in([SUN]):
            yield await asyncio.create_task(seen_in_a_task())
            yield await asyncio.to_thread(seen_here)

    async def main() -> None:
        with ExitStack() as stack:
            if around:
                stack.enter_context(grounded_in(sorted(around)))
            async for found in items():
                assert found == "unclear"
                assert await asyncio.create_task(seen_in_a_task()) == "unclear"
                assert await asyncio.to_thread(seen_here) == "unclear"
                with grounded_in([STAR]):
                    assert await asyncio.create_task(seen_in_a_task()) == {STAR}
            assert await asyncio.to_thread(seen_here) == around

    asyncio.run(main())


def test_async_context_managers_made_of_generators_act_for_their_caller() -> None:
    @asynccontextmanager
    async def in_text(text: str) -> AsyncIterator[None]:
        async with grounded_in([text]):
            yield

    async def main() -> None:
        async with in_text(SUN):
            assert is_sun()
            assert await asyncio.to_thread(is_sun)
            async with in_text(MOON):
                assert holds() == {MOON}
            assert is_sun()
        assert holds() == set()

    asyncio.run(main())


def test_an_event_loop_inside_of_a_generator_keeps_its_tasks_apart() -> None:
    async def work(text: str) -> bool:
        async with grounded_in([text]):
            await asyncio.sleep(0.001)
            return holds() == {text}

    async def main() -> list[bool]:
        return await asyncio.gather(*(work(text) for text in (SUN, MOON, STAR)))

    def generator() -> Iterator[list[bool]]:
        with grounded_in([STAR]):
            yield asyncio.run(main())

    assert list(generator()) == [[True] * 3]


def test_quotes_of_a_generator_as_input_are_judged_by_the_block_around_the_validation() -> None:
    def quotes() -> Iterator[str]:
        with grounded_in([MOON]):
            yield SUN
            yield SUN

    class Several(Grounded):
        quotes: list[Annotated[str, Quoted()]]

    with grounded_in([SUN]):
        assert Several.model_validate({"quotes": quotes()}).quotes == [SUN, SUN]
