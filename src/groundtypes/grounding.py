"""`grounded_in`: references for validations to which no context can be passed.

A context variable holds the blocks in which code runs, so that tasks, and threads that are started
with a copy of the context, see the block in which they were started.

A generator has no context of its own: what it sets stays set in its caller between two items. So a
block remembers the generator that entered it. Whatever runs inside of that generator sees the
block, in whichever thread the generator goes on; the caller that only waits for its next item does
not. So that tasks and threads of the caller do not see it either, it is taken out of the context
when the generator yields, and put back when the generator goes on. Where that cannot be seen
(Python 3.11), new tasks of asyncio are looked at instead, and a thread that may be the caller's is
refused while the generator waits for its caller.
A generator that is driven as a context manager (`contextlib.contextmanager`, a dependency of
FastAPI, a fixture of pytest) acts for its caller, which does see its block.
"""

import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from types import FrameType, TracebackType
from typing import Any, Final, ParamSpec, Self, TypeVar
from weakref import ref

from groundtypes.errors import ContextError
from groundtypes.generator_frames import hands_over, running_generators, watch
from groundtypes.judges import Judges
from groundtypes.references import References

__all__ = ["Grounding", "current_grounding", "ground", "ground_each", "grounded_in"]

_P = ParamSpec("_P")
_T = TypeVar("_T")

#: The flags of the code of generators and coroutines (`inspect.CO_*`, which is slow to import).
_NOT_A_CALL: Final = 0x20 | 0x80 | 0x200


class _Block:
    """One use of a `Grounding`, from its entry to its exit.

    Attributes:
        grounding: What the block gives.
        task: The thread and the task that entered it.
        generator: The frame of the generator that entered it, while it is open.
        closed: Whether it counts in no context any more: it has been left, and contexts in which
            it was never meant to count may still hold it.
        watched: Whether the contexts of the generator's callers never hold it.
    """

    __slots__ = ("closed", "generator", "grounding", "task", "watched")

    def __init__(self, grounding: "Grounding", generator: FrameType | None) -> None:
        self.grounding = grounding
        self.task = _current_task()
        self.generator = generator
        self.closed = False
        self.watched = generator is not None and watch(
            generator, yields=_take_out, goes_on=_put_back
        )
        if generator is not None and not self.watched:
            from groundtypes.task_contexts import prepare_contexts  # noqa: PLC0415 # rarely needed

            prepare_contexts(_keep_own)

    @property
    def may_be_the_callers(self) -> bool:
        """Whether code of the generator cannot be told from that of the generator's caller."""
        if self.watched or self.generator is None or self in _blocks_of_task.get():
            return False
        return hands_over(self.generator)


#: The blocks in which the code of this context runs, the innermost last.
_blocks: ContextVar[tuple[_Block, ...]] = ContextVar("groundtypes_blocks", default=())
#: The blocks of generators that the task has from the generator, and not from its caller.
_blocks_of_task: ContextVar[frozenset[_Block]] = ContextVar("groundtypes_task", default=frozenset())
#: The open blocks of each generator, the innermost last.
_blocks_of_generators: Final[dict[FrameType, list[_Block]]] = {}


def _take_out(generator: FrameType) -> None:
    """Take the blocks of a generator, which yields, out of the context."""
    if own := _blocks_of_generators.get(generator):
        blocks = _blocks.get()
        _blocks.set(tuple(block for block in blocks if block not in own))


def _put_back(generator: FrameType) -> None:
    """Put the blocks of a generator, which goes on, into the context, as the innermost."""
    if own := _blocks_of_generators.get(generator):
        blocks = _blocks.get()
        missing = tuple(block for block in own if block not in blocks)
        if missing:
            _blocks.set((*blocks, *missing))


def _still_counting(blocks: Iterable[_Block]) -> Iterator[_Block]:
    """Yield the blocks that have not been left, or that the task keeps."""
    of_task = _blocks_of_task.get()
    return (block for block in blocks if not block.closed or block in of_task)


def _keep_own(frame: FrameType) -> None:
    """Keep the blocks of those generators in the context of a new task that create the task.

    `frame` creates it. The generators are those that run there, and those whose task it is.
    """
    blocks = _blocks.get()
    if all(block.generator is None for block in blocks):
        return
    creators = set(_generators(frame))
    known = _blocks_of_task.get()
    own = {block for block in blocks if block.generator in creators or block in known}
    _blocks.set(tuple(block for block in blocks if block.generator is None or block in own))
    _blocks_of_task.set(frozenset(own))


class Grounding:
    """What `grounded_in` returns: the references, the question and the judges of a block.

    It may be entered any number of times, also by several threads and tasks at once, with `with`
    and with `async with`.
    """

    def __init__(
        self, references: References, question: str | None = None, judges: Judges | None = None
    ) -> None:
        self.references = references
        self.question = question
        self.judges = judges
        self._open: list[_Block] = []

    def wrap(self, function: Callable[_P, _T]) -> "Callable[_P, _T]":
        """Return a function that runs in a block of this grounding, whatever thread calls it.

        It is for executors and threads that start without a copy of the context:
        `pool.map(grounding.wrap(check), answers)`. It has the name, the documentation and the
        signature of the function, binds as a method, and can be pickled if the function and the
        judges can.

        Raises:
            ContextError: This is nothing that can be called; or the function is async or a
                generator, so that it has not run yet when the call returns. Open a block inside of
                it instead.
        """
        if not callable(function):
            raise ContextError(
                f"wrap() takes a function, not an object of type {type(function).__name__}"
            )
        from groundtypes.wrapped_functions import WrappedFunction, code_of  # noqa: PLC0415 # rare

        code = code_of(function)
        if code is not None and code.co_flags & _NOT_A_CALL:
            raise ContextError(
                f"wrap() takes a function, but {code.co_qualname} is async or a generator: "
                "open a block inside of it, or start its task inside of one"
            )
        return WrappedFunction(self, function)

    def __enter__(self) -> Self:
        generator = next(_generators(sys._getframe(1)), None)  # noqa: SLF001 # documented
        block = _Block(self, generator)
        if generator is not None:
            _blocks_of_generators.setdefault(generator, []).append(block)
        self._open.append(block)
        _blocks.set((*_still_counting(_blocks.get()), block))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        block = self._innermost(sys._getframe(1))  # noqa: SLF001 # documented
        # Not a reset of the variable: blocks may be left in another order or in another context.
        blocks = _blocks.get()
        # A task that was started inside keeps the block. But a generator is often left in another
        # context than its reader's, such as the task in which an event loop closes what the reader
        # has abandoned. The reader's context, and what is started with a copy of it, would keep it.
        block.closed = not block.watched and (
            block.generator is not None or block.task != _current_task() or block not in blocks
        )
        _blocks.set(tuple(other for other in _still_counting(blocks) if other is not block))
        self._open.remove(block)
        if block.generator is not None:
            in_generator = _blocks_of_generators[block.generator]
            in_generator.remove(block)
            if not in_generator:
                del _blocks_of_generators[block.generator]
            block.generator = None

    async def __aenter__(self) -> Self:
        return self.__enter__()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.__exit__(kind, error, trace)

    def _innermost(self, frame: FrameType) -> _Block:
        """Return the block of this object that is left in a frame.

        Raises:
            ContextError: There is no open block.
        """
        generator = next(_generators(frame), None)
        task = _current_task()
        ours = [block for block in self._open if block.generator is generator]
        for block in reversed(ours):
            if generator is not None or block.task == task:
                return block
        if not self._open:
            raise ContextError("grounded_in is left, but it has not been entered")
        return self._open[-1]  # entered elsewhere, such as a generator that a loop finalises

    def __reduce__(self) -> tuple[type["Grounding"], tuple[References, str | None, Judges | None]]:
        return Grounding, (self.references, self.question, self.judges)

    def __repr__(self) -> str:
        return f"<Grounding in {self.references!r}>"


class _UnclearGrounding(Grounding):
    """What stands for a block that may be that of another task."""

    def __init__(self) -> None:
        self.question = None
        self.judges = None

    @property
    def references(self) -> References:  # type: ignore[override]
        """Raise the mistake that says what to do."""
        raise ContextError(
            "This task or thread was started by a generator inside of grounded_in, or by the code "
            "that reads the generator: before Python 3.12 nothing tells which. Open grounded_in in "
            "the task itself, or pass context={'references': ...}"
        )


_UNCLEAR: Final = _UnclearGrounding()


def grounded_in(
    references: object, *, question: str | None = None, judges: Judges | None = None
) -> Grounding:
    """Give references to every validation inside of a `with` block that is passed none.

    It is for frameworks that validate without a context, such as the OpenAI SDK, LangChain and
    FastAPI. It is entered with `with` or `async with`:

        with grounded_in(documents, question=question):
            completion = client.chat.completions.parse(response_format=Answer, ...)

    A context that is passed goes before the block: one with references takes only `judges` from
    the block, if it has none itself; one without references takes whatever it lacks. Of nested
    blocks the innermost counts, which takes only `judges` from those around it.

    Args:
        references: References in any shape that `References.of` reads; an empty list says that
            there are none.
        question: The question that the answers are to.
        judges: The engines, which go before those of a model class.

    Raises:
        ReferencesError: The references cannot be read.
        ContextError: The question is not text, or the judges are not a `Judges` object.
    """
    if question is not None and not isinstance(question, str):
        raise ContextError(f"the question is of type {type(question).__name__}; pass it as text")
    if judges is not None and not isinstance(judges, Judges):
        raise ContextError(
            f"judges is of type {type(judges).__name__}; pass Judges(nli=..., llm=...)"
        )
    return Grounding(References.of(references), question, judges)


def ground(context: Any) -> Any:
    """Return a validation context together with what the block around the call gives to it.

    A context to which there is nothing to add is returned as it is.
    """
    groundings = tuple(_blocks_in_force(sys._getframe(1)))  # noqa: SLF001 # documented
    return _add(groundings, context) if groundings else context


def ground_each(contexts: Iterable[Any]) -> Iterator[Any]:
    """Return an iterator over `ground` of each context, by the block around this very call.

    However late the contexts are read, and wherever.
    """
    groundings = tuple(_blocks_in_force(sys._getframe(1)))  # noqa: SLF001 # documented
    return (_add(groundings, context) if groundings else context for context in contexts)


def _add(groundings: Sequence[Grounding], context: Any) -> Any:
    """Return a context together with what it lacks; the groundings are the innermost first.

    Raises:
        ContextError: References are lacking, and it is unclear whose they would be.
    """
    if not (context is None or isinstance(context, Mapping)):
        return context
    given = {} if context is None else context
    added: dict[str, Any] = {}
    if not References.are_in_context(given):
        grounding = groundings[0]
        added["references"] = grounding.references
        if grounding.question is not None and given.get("question") is None:
            added["question"] = grounding.question
    if given.get("judges") is None:
        judges = next((other.judges for other in groundings if other.judges is not None), None)
        if judges is not None:
            added["judges"] = judges
    return {**given, **added} if added else context


def current_grounding() -> Grounding | None:
    """Return what gives references to the code that calls this, or `None` outside of any block.

    Its references raise `ContextError` where it is unclear whose block counts.
    """
    if not _blocks.get() and not _blocks_of_generators:
        return None
    return next(_blocks_in_force(sys._getframe(1)), None)  # noqa: SLF001 # documented


def _blocks_in_force(frame: FrameType) -> Iterator[Grounding]:
    """Yield the groundings in whose blocks a frame runs, the innermost first."""
    if _blocks_of_generators:
        for generator in _generators(frame):
            for block in reversed(_blocks_of_generators.get(generator, ())):
                yield block.grounding
    blocks = _blocks.get()
    if not blocks:
        return
    task, of_task = _current_task(), _blocks_of_task.get()
    for block in reversed(blocks):
        # What a generator of this task has entered counts inside of that generator alone. A block
        # of another task or thread came with a copy of its context.
        is_own = block in of_task
        if is_own or (not block.closed and (block.generator is None or block.task != task)):
            yield _UNCLEAR if block.may_be_the_callers else block.grounding


def _generators(frame: FrameType | None) -> Iterator[FrameType]:
    """Yield the frames of generators that run in the current task, the innermost first.

    What lies below the task is left out: an event loop may run inside of a generator.
    """
    return running_generators(frame, _root_frame())


def _task_object() -> Any:
    """Return the task of asyncio or trio that runs, or `None`; it imports neither of them."""
    for module, path in (("asyncio", "asyncio"), ("trio", "trio.lowlevel")):
        if module in sys.modules and (library := sys.modules.get(path)) is not None:
            try:
                if (task := library.current_task()) is not None:
                    return task
            except RuntimeError:
                continue  # this library runs no task here
    return None


def _current_task() -> tuple[int, object]:
    """Return what tells this thread and task from others."""
    task = _task_object()
    return threading.get_ident(), None if task is None else ref(task)


def _root_frame() -> FrameType | None:
    """Return the outermost frame of the current task, if it can be told."""
    task = _task_object()
    coroutine = None
    if task is not None:
        coroutine = task.get_coro() if hasattr(task, "get_coro") else getattr(task, "coro", None)
    frame: FrameType | None = getattr(coroutine, "cr_frame", None)
    return frame
