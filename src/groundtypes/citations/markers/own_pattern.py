"""A pattern of one's own for citation markers, which must stay fast on any text.

It is accepted only if each of its repetitions has an upper bound and none is inside of another one
that repeats, because Python's regular expressions backtrack.
"""

import re
from functools import lru_cache
from typing import Final

from groundtypes.errors import MarkerError
from groundtypes.text.message_excerpts import clip

_MAX_PATTERN: Final = 1_000
_MAX_REPEATS: Final = 1_000
#: The product of the bounds of all repetitions and choices, which bounds the steps at a position.
_MAX_STEPS: Final = 20_000
_TOKEN: Final = re.compile(
    r"\\(?P<escape>.)|(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])|"
    r"(?P<open>\((?:\?(?:P[<=]\w+>?|<?[=!]|[:>aiLmsux-]+:?|\((?:\w+)\)|#))?)|(?P<close>\))"
    r"|(?P<repeat>[*+?]|\{(?P<low>\d{0,9})(?P<comma>,?)(?P<high>\d{0,9})\})[?+]?|(?P<other>.)",
    re.DOTALL,
)


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
    reason: str | None
    if not isinstance(written, str):
        reason = "is for bytes, and not for text"
    elif not pattern.groups:
        reason = "has no group for the labels, such as (?P<ids>[^)]{1,200})"
    elif pattern.flags & re.VERBOSE:
        reason = "is verbose, which cannot be checked"
    elif len(written) > _MAX_PATTERN:
        reason = f"has more than {_MAX_PATTERN} characters"
    elif slow := _reason_to_refuse(written):
        reason = (
            f"{slow}, so that it could be slow on some texts. Bound each repetition, as in "
            "[^]]{1,200}, and repeat no group that has a repetition inside; commas between labels "
            "need no group"
        )
    else:
        return pattern
    raise MarkerError(f"The pattern {clip(str(written), 80)!r} of citation markers {reason}.")


def _reason_to_refuse(pattern: str) -> str | None:
    """Return why a pattern could be slow, or `None`."""
    # For each open group, whether there is a repetition or choice in it; the innermost is last.
    groups = [False]
    closed = False
    steps = 1
    for token in _TOKEN.finditer(pattern):
        is_back_reference = token["escape"] in tuple("123456789")
        if is_back_reference or (token["open"] or "").startswith(("(?(", "(?P=")):
            return "refers back to a group"
        if token["open"]:
            groups.append(False)
        elif token["close"] and len(groups) > 1:
            closed = groups.pop()
            groups[-1] |= closed
            continue
        elif token["repeat"]:
            most = _most(token)
            if most is None or most > _MAX_REPEATS:
                return f"repeats without a bound, or more than {_MAX_REPEATS} times"
            if closed and most > 1:
                return "repeats a group that has a repetition or a choice inside"
            if token["repeat"] == "?" or most > 1:
                groups[-1] = True
                steps *= max(most, 2)
        elif token[0] == "|":
            groups[-1] = True
            steps *= 2
        closed = False
    return "has too many repetitions" if steps > _MAX_STEPS else None


def _most(token: re.Match[str]) -> int | None:
    if token["repeat"] == "?":
        return 1
    if token["repeat"] in "*+" or (token["comma"] and not token["high"]):
        return None
    return int(token["high"] or token["low"] or 0)
