"""Which generators run, and when each of them hands over to its reader and goes on.

A generator has no context of its own: a context variable that it sets stays set in its reader
between two items. `watch` says when a generator yields and when it goes on, so that what belongs
to the generator can be taken out of the context meanwhile. That needs `sys.monitoring` (Python
3.12 or later); `hands_over` tells at least where a generator stands now.
"""

import sys
import threading
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any, Final

__all__ = ["hands_over", "running_generators", "watch"]

#: The flags of code objects (`inspect.CO_*`, which is slow to import).
_GENERATOR: Final = 0x20
_ASYNC_GENERATOR: Final = 0x200
#: The methods and modules that drive generators as context managers.
_MANAGER_METHODS: Final = frozenset({"__enter__", "__aenter__", "__exit__", "__aexit__"})
_MANAGER_MODULES: Final = frozenset(
    {"_pytest.fixtures", "anyio._backends._asyncio", "anyio._backends._trio"}
)
#: The type of what an async generator yields to its reader. What it hands to the event loop while
#: it waits for something has other types.
_YIELDED: Final = "async_generator_wrapped_value"
#: What `RESUME` says of the instruction before it (the lowest two bits of its argument): that it
#: was a `yield`, or for 2 a `yield from`, and for 3 an `await`.
_AFTER: Final = 3
_AFTER_YIELD: Final = 1

_Step = Callable[[FrameType], None]


def running_generators(frame: FrameType | None, root: FrameType | None) -> Iterator[FrameType]:
    """Yield the frames of generators that run, the innermost first, down to the frame `root`.

    Those that are driven as context managers are left out: they act for their caller.
    """
    while frame is not None:
        is_generator = frame.f_code.co_flags & (_GENERATOR | _ASYNC_GENERATOR)
        if is_generator and not _is_manager(frame.f_back):
            yield frame
        if frame is root:
            return
        frame = frame.f_back


def _is_manager(driver: FrameType | None) -> bool:
    """Return whether a frame drives a generator as a context manager."""
    return driver is not None and (
        driver.f_code.co_name in _MANAGER_METHODS
        or driver.f_globals.get("__name__") in _MANAGER_MODULES
    )


def hands_over(frame: FrameType) -> bool:
    """Return whether a generator has yielded, and waits for its reader to go on.

    One that waits for something itself, or that runs, does not.
    """
    from opcode import opmap  # noqa: PLC0415 # only where a generator is left open

    code, place = frame.f_code, frame.f_lasti
    instructions = code.co_code[place : place + 4]
    if len(instructions) < 4 or instructions[0] != opmap["YIELD_VALUE"]:
        return False
    if instructions[2] != opmap["RESUME"]:
        return False
    is_async = code.co_flags & _ASYNC_GENERATOR
    return not is_async or instructions[3] & _AFTER == _AFTER_YIELD


class _Watch:
    """The tool of `sys.monitoring` that follows generators.

    Their code stays watched when they have ended: another generator of the same function is likely
    to follow, and switching costs more than a step.
    """

    def __init__(self, yields: _Step, goes_on: _Step) -> None:
        self._yields = yields
        self._goes_on = goes_on
        self._tool = self._free_tool()
        self._lock = threading.Lock()

    @property
    def works(self) -> bool:
        """Whether there is `sys.monitoring`, and one of its tools was free."""
        return self._tool is not None

    def _free_tool(self) -> int | None:
        monitoring: Any = getattr(sys, "monitoring", None)
        if monitoring is None:
            return None
        for tool in (4, 3, 2, 1, 5, 0):  # first those that no kind of tool is meant for
            if monitoring.get_tool(tool) is None:
                try:
                    monitoring.use_tool_id(tool, "groundtypes")
                except ValueError:  # another thread was faster
                    continue
                events = monitoring.events
                monitoring.register_callback(tool, events.PY_YIELD, self._on_yield)
                monitoring.register_callback(tool, events.PY_RESUME, self._on_resume)
                return tool
        return None

    def add(self, code: CodeType) -> None:
        """Follow the generators of a function."""
        monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
        events = monitoring.events.PY_YIELD | monitoring.events.PY_RESUME
        with self._lock:
            if monitoring.get_local_events(self._tool, code) != events:
                monitoring.set_local_events(self._tool, code, events)

    def _on_yield(self, code: CodeType, _place: int, value: object) -> None:
        if not code.co_flags & _ASYNC_GENERATOR or type(value).__name__ == _YIELDED:
            self._yields(sys._getframe(1))  # noqa: SLF001 # documented

    def _on_resume(self, _code: CodeType, _place: int) -> None:
        self._goes_on(sys._getframe(1))  # noqa: SLF001 # documented


_watch: _Watch | None = None
_starting: Final = threading.Lock()


def watch(frame: FrameType, *, yields: _Step, goes_on: _Step) -> bool:
    """Call `yields` when the generator of a frame yields, and `goes_on` when it goes on.

    Both are called in the generator's thread, with its frame: `goes_on` also when it goes on after
    it has waited for something itself, but not when an exception is thrown into it. They must not
    raise, and are those of the first call for good. They are called for other generators of the
    same function, too.

    Returns:
        Whether that is possible: Python is 3.12 or later, and a tool of `sys.monitoring` is free.
    """
    global _watch  # noqa: PLW0603 # made once, when it is first needed
    with _starting:
        if _watch is None:
            _watch = _Watch(yields, goes_on)
    if _watch.works:
        _watch.add(frame.f_code)
    return _watch.works
