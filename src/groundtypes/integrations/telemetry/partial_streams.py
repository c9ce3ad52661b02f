"""Validations of answers that are still being written, in the streams of frameworks.

instructor (`create_partial`) validates each part that is complete anew with every chunk, and the
whole at the end; a part at fault ends the stream. pydantic-ai (`run_stream`) validates with every
chunk what there is, at fault or not, and the whole at the end. The whole is what is told of, and
what ends a stream.

Pydantic does not tell a validator in which of these ways it is called. So the callers are looked
at: a framework that changes the names that are looked for here is told of too often, never wrongly.
"""

import sys
from collections.abc import Iterator
from enum import Enum, auto
from types import FrameType
from typing import Final

__all__ = ["Stage", "current_stage"]

#: Where instructor makes partial answers, and its functions that validate the whole.
_PARTIAL: Final = ".dsl.partial"
_OF_WHOLE: Final = frozenset({"model_from_chunks", "model_from_chunks_async"})
#: The argument by which pydantic-ai says that the answer is not whole.
_ALLOW: Final = "allow_partial"
_MAX_FRAMES: Final = 40


class Stage(Enum):
    """How much of an answer the running validation is of."""

    #: The whole, as far as is known.
    WHOLE = auto()
    #: A part that is complete: if it is at fault, there will be no whole.
    PART = auto()
    #: What has been written so far, which may be at fault because it is not complete.
    DRAFT = auto()


def current_stage() -> Stage:
    """Return how much of an answer the running validation is of."""
    if "instructor" not in sys.modules and "pydantic_ai" not in sys.modules:
        return Stage.WHOLE
    for frame in _callers():
        module = frame.f_globals.get("__name__", "")
        if module.startswith("instructor.") and module.endswith(_PARTIAL):
            return Stage.WHOLE if frame.f_code.co_name in _OF_WHOLE else Stage.PART
        if module.startswith("pydantic_ai.") and _ALLOW in frame.f_code.co_varnames:
            return Stage.DRAFT if frame.f_locals.get(_ALLOW) else Stage.WHOLE
    return Stage.WHOLE


def _callers() -> Iterator[FrameType]:
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 # documented
    for _ in range(_MAX_FRAMES):
        if frame is None:
            return
        yield frame
        frame = frame.f_back
