"""What stands around a stretch: its sentence, and what an ellipsis must not leave out."""

import re
from typing import Final

__all__ = ["hidden_word", "sentence_around"]

#: Words that turn or limit what stands beside them.
_TURNING: Final = re.compile(
    r"(?i)(?<!\w)(?:not|no|never|none|nobody|nothing|nowhere|neither|nor|without|except|unless|"
    r"hardly|scarcely|barely|rarely|seldom|cannot|false|falsely|denie[ds]|deny|denying|"
    r"refut(?:es|ed|ing)|allegedly|supposedly|unlikely|impossible|untrue|incorrect(?:ly)?|"
    r"nicht|keine?[nrms]?|nie|niemals|ohne|pas|jamais|sans|sauf|nunca|jam\u00e1s|"
    r"n\u00e3o|non|senza|niet|geen|\u043d\u0435|\u043d\u0435\u0442)(?!\w)"
    r"|n['\u2019]t(?!\w)|[\u4e0d\u6ca1\u6c92\u672a\u975e]"
)
_SENTENCE_END: Final = re.compile(r"[.!?][\"'\u201d\u2019)\]]{0,3}\s|\n\s*\n|[\u3002\uff01\uff1f]")


def hidden_word(text: str, start: int, end: int) -> str | None:
    """Return the word in a gap that turns the meaning of what is quoted around it.

    Where the gap spans several sentences, only the one that the quote goes on with counts.
    """
    ends = [match.end() for match in _SENTENCE_END.finditer(text, start, end)]
    found = _TURNING.search(text, ends[-1] if ends else start, end)
    return found[0].strip() if found else None


def sentence_around(text: str, start: int, end: int, room: int) -> tuple[int, int]:
    """Return the stretch with the rest of its sentence, within `room` characters of it."""
    floor, ceiling = max(0, start - room), min(len(text), end + room)
    before = [match.end() for match in _SENTENCE_END.finditer(text, floor, start)]
    behind = _SENTENCE_END.search(text, max(start, end - 1), ceiling)
    if before:
        start = before[-1]
    elif floor == 0:
        start = 0
    if behind:
        end = max(end, behind.end())
    elif ceiling == len(text):
        end = ceiling
    return start, end
