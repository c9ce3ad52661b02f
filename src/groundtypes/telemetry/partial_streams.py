"""Validations inside of a stream of partial answers, as instructor's `create_partial` makes them.

instructor validates every part that is complete anew with each chunk, and the whole at the end. The
whole is what is told of; of the parts, only those at fault, with which the stream ends.
"""

import sys
from typing import Final

__all__ = ["is_unfinished"]

#: Where instructor makes partial answers, and its functions that validate the whole.
_MODULE: Final = "dsl.partial"
_OF_WHOLE: Final = frozenset({"model_from_chunks", "model_from_chunks_async"})
_MAX_FRAMES: Final = 30


def is_unfinished() -> bool:
    """Return whether the running validation is of a part of a stream that may go on."""
    if "instructor" not in sys.modules:
        return False
    frame = sys._getframe(1)  # noqa: SLF001 # documented
    for _ in range(_MAX_FRAMES):
        name = frame.f_globals.get("__name__", "")
        if name.endswith(_MODULE) and name.startswith("instructor."):
            return frame.f_code.co_name not in _OF_WHOLE
        if frame.f_back is None:
            return False
        frame = frame.f_back
    return False
