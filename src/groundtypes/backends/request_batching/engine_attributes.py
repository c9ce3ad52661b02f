"""By what attributes an engine says how it is to be asked."""

from typing import Any

from groundtypes.errors import ContextError


def count(engine: Any, name: str, default: int) -> int | None:
    """Return an attribute of an engine that is a positive number or `None`."""
    value = getattr(engine, name, default)
    if value is None or (_is_number(value, int) and value >= 1):
        return value
    raise ContextError(
        f"{name} of {type(engine).__name__} must be an integer of at least 1, or None."
    )


def queue_timeout(engine: Any) -> float | None:
    """Return the `queue_timeout` of an engine, which is a positive number of seconds or `None`."""
    value = getattr(engine, "queue_timeout", None)
    if value is None or (_is_number(value, int | float) and value > 0):
        return value
    raise ContextError(
        f"queue_timeout of {type(engine).__name__} must be a positive number of seconds, or None."
    )


def _is_number(value: object, kind: Any) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)
