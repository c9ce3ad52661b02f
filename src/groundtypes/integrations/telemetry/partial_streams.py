"""Validations of answers that are still being written, in the streams of frameworks.

instructor (`create_partial`) validates each part that is complete anew with every chunk, and the
whole at the end; a part at fault ends the stream. pydantic-ai (`run_stream`) validates with every
chunk what there is, at fault or not, and the whole at the end. The whole is what is told of, and
what ends a stream.

Pydantic does not tell a validator in which of these ways it is called. So the callers are looked
at: a framework that changes the names that are looked for is told of too often, never wrongly.
"""

import sys
from collections.abc import Iterator
from enum import Enum, auto
from types import FrameType
from typing import Final

from groundtypes.integrations import instructor, pydantic_ai

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
        if (is_part := instructor.is_part_of_stream(frame)) is not None:
            return Stage.PART if is_part else Stage.WHOLE
        if (is_draft := pydantic_ai.is_draft(frame)) is not None:
            return Stage.DRAFT if is_draft else Stage.WHOLE
    return Stage.WHOLE


def _callers() -> Iterator[FrameType]:
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 # documented
    for _ in range(_MAX_FRAMES):
        if frame is None:
            return
        yield frame
        frame = frame.f_back
