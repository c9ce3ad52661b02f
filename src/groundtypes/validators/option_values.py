"""The values of options that markers share, checked when a marker is made."""

import math

from groundtypes.errors import MarkerError

__all__ = ["check_flags", "check_threshold"]


def check_threshold(threshold: object) -> None:
    """Raise unless a threshold is `None` or a number greater than 0 and at most 1.

    Raises:
        MarkerError: It is something else.
    """
    if threshold is None:
        return
    is_number = isinstance(threshold, int | float) and not isinstance(threshold, bool)
    if not is_number or math.isnan(threshold) or not 0.0 < threshold <= 1.0:  # type: ignore[arg-type,operator] # a number
        raise MarkerError(f"threshold must be greater than 0 and at most 1, not {threshold!r}")


def check_flags(**flags: object) -> None:
    """Raise unless each option is `True` or `False`.

    Raises:
        MarkerError: One is something else.
    """
    for name, value in flags.items():
        if not isinstance(value, bool):
            raise MarkerError(f"{name} must be True or False, not {value!r}")
