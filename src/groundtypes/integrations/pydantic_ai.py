"""What groundtypes knows of pydantic-ai's internals; nothing of it is imported here.

In a stream (`run_stream`) it validates with every chunk what there is, at fault or not, and the
whole at the end. Its functions have an argument that says which of both it is.
"""

from types import FrameType
from typing import Final

_PACKAGE: Final = "pydantic_ai."
#: The argument that says that the answer is not whole.
_ALLOW: Final = "allow_partial"


def is_draft(frame: FrameType) -> bool | None:
    """Return whether a frame of pydantic-ai's validates an answer that is not whole, if it says."""
    module = str(frame.f_globals.get("__name__", ""))
    if not module.startswith(_PACKAGE) or _ALLOW not in frame.f_code.co_varnames:
        return None
    return bool(frame.f_locals.get(_ALLOW))
