"""The option `by` of checks: which sibling fields support the value."""

from collections.abc import Sequence

from groundtypes.errors import MarkerError
from groundtypes.text.message_excerpts import clip

__all__ = ["sibling_names"]


def sibling_names(by: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the names in the option `by`: one field name, several, or `None` for no field.

    Raises:
        MarkerError: It is something else, or names no field.
    """
    if by is None:
        return ()
    names = (by,) if isinstance(by, str) else tuple(by) if isinstance(by, Sequence) else ()
    if not names or not all(isinstance(name, str) and name for name in names):
        raise MarkerError(f"by must be a field name, or several, not {clip(repr(by), 60)}")
    return names
