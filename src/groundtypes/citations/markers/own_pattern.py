"""A pattern of one's own for citation markers, which must stay fast on any text.

It is accepted only if each of its repetitions has an upper bound and no group is repeated, because
Python's regular expressions backtrack.
"""

import re
from functools import lru_cache
from typing import Final

from groundtypes.errors import MarkerError
from groundtypes.text.message_excerpts import clip

_MAX_PATTERN: Final = 1_000
#: A sign that is escaped, or a set of signs: what stands in it repeats nothing.
_LITERAL: Final = re.compile(r"\\[^1-9]|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
#: A repetition without a bound or with one of four digits, of a group, or a reference to a group.
_SLOW: Final = re.compile(r"[*+]|\{\d*,\}|\d{4}\}|\)\{|\(\?(?:\(|P=)|\\[1-9]")
#: Each makes the steps at a position more by its factor.
_REPEATED: Final = re.compile(r"(?<!\()\?|\{(?:\d*,)?(?P<most>\d+)\}|\|")
_MAX_STEPS: Final = 20_000


def own_pattern(pattern: object) -> "re.Pattern[str]":
    """Return a pattern of one's own, compiled; its group `ids`, else its first, has the labels.

    Raises:
        MarkerError: It is no regular expression for text, or can be slow.
    """
    if not isinstance(pattern, str | re.Pattern):
        raise MarkerError(
            "The style of citation markers is the name of one or a regular expression, not an "
            f"object of type {type(pattern).__name__}."
        )
    return _checked(pattern)


@lru_cache(maxsize=128)
def _checked(pattern: "str | re.Pattern[str]") -> "re.Pattern[str]":
    try:
        pattern = re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        raise MarkerError(
            "The style of citation markers is neither one of those known nor a regular "
            f"expression: {error}."
        ) from error
    written = pattern.pattern
    if not isinstance(written, str) or not pattern.groups:
        reason = (
            "needs to be for text, and to have a group for the labels, such as (?P<ids>[^)]{1,200})"
        )
    elif pattern.flags & re.VERBOSE or len(written) > _MAX_PATTERN or _can_be_slow(written):
        reason = (
            "could be slow on some texts. Bound each repetition, as in [^]]{1,200}, and repeat no "
            "group; commas between labels need no group"
        )
    else:
        return pattern
    raise MarkerError(f"The pattern {clip(str(written), 80)!r} of citation markers {reason}.")


def _can_be_slow(pattern: str) -> bool:
    pattern = _LITERAL.sub("x", pattern)
    steps = 1
    for found in _REPEATED.finditer(pattern):
        steps *= max(int(found["most"] or 2), 1)
    return _SLOW.search(re.sub(r"\(\?P<\w+>", "(", pattern)) is not None or steps > _MAX_STEPS
