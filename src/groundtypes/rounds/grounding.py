"""`grounded_in`: references for validations to which no context can be passed.

A context variable holds the blocks in which code runs, so that tasks, and threads that are started
with a copy of the context, see the block in which they were started.

A generator has no context of its own: what it sets stays set in its reader between two items. So a
block remembers the generator that entered it. What the generator itself calls finds the block. Its
reader, and tasks and threads, get a `ContextError` where the block would be used. A generator that
is driven as a context manager acts for its caller, which does see its block.
"""

import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from types import FrameType, TracebackType
from typing import Any, Final, Self
from weakref import ref

from groundtypes.errors import ContextError
from groundtypes.judges import Judges
from groundtypes.references import References

#: The flags of the code of generators and async generators (`inspect.CO_*`, slow to import).
_GENERATOR: Final = 0x20 | 0x200
#: The methods and modules that drive generators as context managers.
_MANAGER_METHODS: Final = frozenset({"__enter__", "__aenter__", "__exit__", "__aexit__"})
_MANAGER_MODULES: Final = frozenset(
    {"_pytest.fixtures", "anyio._backends._asyncio", "anyio._backends._trio"}
)


class _Block:
    """One use of a `Grounding`, from its entry to its exit.

    `generator` is the frame of the generator in which it was entered, `task` the thread and the
    task. It is `closed` if it was left elsewhere: contexts that still hold it were never meant to
    keep it.
    """

    __slots__ = ("closed", "generator", "grounding", "task")

    def __init__(self, grounding: "Grounding", generator: FrameType | None) -> None:
        self.grounding = grounding
        self.generator = generator
        self.task = _current_task()
        self.closed = False


#: The blocks in which the code of this context runs, the innermost last.
_blocks: ContextVar[tuple[_Block, ...]] = ContextVar("groundtypes_blocks", default=())
#: The open blocks that each generator has entered itself, the innermost last.
_blocks_of_generators: Final[dict[FrameType, list[_Block]]] = {}


class Grounding:
    """What `grounded_in` returns: the references, the question and the judges of a block.

    It may be entered any number of times, also by several threads and tasks at once.
    """

    def __init__(
        self, references: References, question: str | None = None, judges: Judges | None = None
    ) -> None:
        self.references = references
        self.question = question
        self.judges = judges
        self._open: list[_Block] = []

    def __enter__(self) -> Self:
        generator, is_own = _entering_generator(sys._getframe(1))  # noqa: SLF001 # documented
        block = _Block(self, generator)
        if generator is not None and is_own:
            _blocks_of_generators.setdefault(generator, []).append(block)
        self._open.append(block)
        _blocks.set((*(other for other in _blocks.get() if not other.closed), block))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        generator, _ = _entering_generator(sys._getframe(1))  # noqa: SLF001 # documented
        blocks = _blocks.get()
        ours = [block for block in self._open if block.generator is generator] or self._open
        if not ours:
            raise ContextError("grounded_in is left, but it has not been entered")
        # Not a reset of the variable: blocks may be left in another order or in another context.
        block = next((other for other in reversed(ours) if other in blocks), ours[-1])
        block.closed = block not in blocks or block.task != _current_task()
        _blocks.set(tuple(other for other in blocks if other is not block and not other.closed))
        self._open.remove(block)
        own = _blocks_of_generators.get(block.generator, []) if block.generator else []
        if block in own:
            own.remove(block)
        if block.generator is not None and not own:
            _blocks_of_generators.pop(block.generator, None)

    async def __aenter__(self) -> Self:
        return self.__enter__()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.__exit__(kind, error, trace)

    def __reduce__(self) -> tuple[type["Grounding"], tuple[References, str | None, Judges | None]]:
        return Grounding, (self.references, self.question, self.judges)

    def __repr__(self) -> str:
        return f"<Grounding in {self.references!r}>"


class _UnclearGrounding(Grounding):
    """What stands for the block of a generator where it is unclear whether it counts."""

    def __init__(self) -> None:
        self.question = None
        self.judges = None

    @property
    def references(self) -> References:  # type: ignore[override]
        raise ContextError(
            "A generator has opened grounded_in and has yielded inside of it: here, outside of the "
            "generator, or in a task or thread, it is unclear whose references count. Pass "
            "context={'references': ...}, or open grounded_in here"
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
    """Return a validation context together with what the block around the call gives to it."""
    groundings = tuple(_blocks_in_force(sys._getframe(1)))  # noqa: SLF001 # documented
    return _add(groundings, context) if groundings else context


def ground_each(contexts: Iterable[Any]) -> Iterator[Any]:
    """Return an iterator over `ground` of each context, by the block around this very call."""
    groundings = tuple(_blocks_in_force(sys._getframe(1)))  # noqa: SLF001 # documented
    return (_add(groundings, context) if groundings else context for context in contexts)


def _add(groundings: Sequence[Grounding], context: Any) -> Any:
    """Return a context together with what it lacks; the groundings are the innermost first."""
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
    """Return what gives references to the code that calls this, or `None` outside of any block."""
    if not _blocks.get() and not _blocks_of_generators:
        return None
    return next(_blocks_in_force(sys._getframe(1)), None)  # noqa: SLF001 # documented


def _blocks_in_force(frame: FrameType) -> Iterator[Grounding]:
    """Yield the groundings in whose blocks a frame runs, the innermost first."""
    blocks = [block for block in reversed(_blocks.get()) if not block.closed]
    for generator in _open_generators(frame):
        inside = [block for block in blocks if block.generator is generator]
        # They are lacking where the generator goes on in another thread or task.
        for block in inside or reversed(_blocks_of_generators[generator]):
            yield block.grounding
        blocks = [block for block in blocks if block.generator is not generator]
    for block in blocks:
        yield block.grounding if block.generator is None else _UNCLEAR


def _open_generators(frame: FrameType | None) -> Iterator[FrameType]:
    """Yield the generators that run and have open blocks of their own, the innermost first."""
    if not _blocks_of_generators:
        return
    while frame is not None:
        if frame in _blocks_of_generators:
            yield frame
        frame = frame.f_back


def _entering_generator(frame: FrameType) -> tuple[FrameType | None, bool]:
    """Return the generator that enters or leaves a block, and whether it does so itself."""
    caller: FrameType | None = frame
    while caller is not None:
        if caller.f_globals.get("__name__") in ("contextlib", __name__):
            caller = caller.f_back
        elif not caller.f_code.co_flags & _GENERATOR:
            break
        elif _is_manager(caller.f_back):
            caller = caller.f_back
        else:
            return caller, True
    return next(_open_generators(caller), None), False


def _is_manager(driver: FrameType | None) -> bool:
    return driver is not None and (
        driver.f_code.co_name in _MANAGER_METHODS
        or driver.f_globals.get("__name__") in _MANAGER_MODULES
    )


def _current_task() -> tuple[int, object]:
    task = None
    if (asyncio := sys.modules.get("asyncio.tasks")) is not None:
        try:
            task = asyncio.current_task()
        except RuntimeError:  # no event loop runs here
            task = None
    return threading.get_ident(), None if task is None else ref(task)
