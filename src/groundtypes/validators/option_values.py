"""The values of options that markers share, checked when a marker is made."""

from collections.abc import Sequence

from groundtypes.errors import MarkerError
from groundtypes.text.message_excerpts import clip


def check_flags(**flags: object) -> None:
    """Raise unless each option is `True` or `False`."""
    for name, value in flags.items():
        if not isinstance(value, bool):
            raise MarkerError(f"{name} must be True or False, not {value!r}")


def check_choices(marker: object, **allowed: Sequence[str]) -> None:
    """Raise unless each of the named options of a marker has one of its allowed values."""
    for name, choices in allowed.items():
        value = getattr(marker, name)
        if value not in choices:
            *others, last = map(repr, choices)
            raise MarkerError(f"{name} must be {', '.join(others)} or {last}, not {value!r}")


def sibling_names(by: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the names in the option `by`: one field name, several, or `None` for no field."""
    if by is None:
        return ()
    names = (by,) if isinstance(by, str) else tuple(by) if isinstance(by, Sequence) else ()
    if not names or not all(isinstance(name, str) and name for name in names):
        raise MarkerError(f"by must be a field name, or several, not {clip(repr(by), 60)}")
    return names
