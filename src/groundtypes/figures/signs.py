"""What words say about the sign of a number: "minus five", "5 degrees below zero"."""

import re
from typing import Final

__all__ = ["below_zero", "minus_before"]

_MINUS: Final = re.compile(
    r"(?<![^\W_])(?:minus|negative|moins|menos|meno|минус)[ -]\Z", re.IGNORECASE
)
_BELOW_ZERO: Final = re.compile(
    r"\s(?:below\s(?:zero|0)|sub-?zero|unter\s(?:Null|null|0)|bajo\scero|sotto\s(?:lo\s)?zero|"
    r"au-dessous\sde\széro|abaixo\sde\szero|ниже\sнуля|onder\snul)(?!\w)"
    r"(?:\s(?P<scale>Celsius|Fahrenheit|[CF]\b))?"
)
#: Before these, "minus" is an operation.
_OPERAND: Final = re.compile(r"[0-9%)\]]\s?\Z")


def minus_before(text: str, start: int, floor: int) -> int | None:
    """Return where the "minus" before a number starts, if it is its sign."""
    lowest = max(floor, start - 10)
    match = _MINUS.search(text[lowest:start])
    if match is None:
        return None
    at = lowest + match.start()
    if floor and not text[floor:at].strip():
        return None  # "ten minus five"
    return None if _OPERAND.search(text[max(0, at - 2) : at]) else at


def below_zero(text: str, end: int) -> tuple[int, str | None] | None:
    """Return where "below zero" after a number ends, and the scale of temperature after it."""
    match = _BELOW_ZERO.match(text, end)
    return (match.end(), match["scale"]) if match else None
