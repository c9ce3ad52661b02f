"""Excerpts of a text: a stretch with the rest of its sentence, short enough for a message."""

import re
from typing import Final

from groundtypes.errors import clip

__all__ = ["EXCERPT_CHARACTERS", "excerpt", "sentence_around"]

#: The most characters of an excerpt.
EXCERPT_CHARACTERS: Final = 200
#: A simple pattern: here a missed or an extra boundary only makes an excerpt longer or shorter.
_SENTENCE_END: Final = re.compile(r"[.!?][\"'\u201d\u2019)\]]{0,3}\s|\n\s*\n|[\u3002\uff01\uff1f]")


def sentence_around(text: str, start: int, end: int, reach: int) -> tuple[int, int]:
    """Return the stretch with the rest of its sentences, within `reach` characters of it."""
    floor, ceiling = max(0, start - reach), min(len(text), end + reach)
    before = [match.end() for match in _SENTENCE_END.finditer(text, floor, start)]
    after = _SENTENCE_END.search(text, max(start, end - 1), ceiling)
    if before:
        start = before[-1]
    elif floor == 0:
        start = 0
    if after:
        end = max(end, after.end())
    elif ceiling == len(text):
        end = ceiling
    return start, end


def excerpt(text: str, start: int, end: int, changed: int) -> str:
    """Return at most 200 characters of a stretch, on one line, with those around `changed`."""
    size = EXCERPT_CHARACTERS
    if end - start > 4 * size:
        start, end = max(start, changed - 2 * size), min(end, changed + 2 * size)
    whole = " ".join(text[start:end].split())
    if len(whole) <= size:
        return whole
    head, tail = " ".join(text[start:changed].split()), " ".join(text[changed:end].split())
    tail = clip(tail, max(size * 3 // 5, size - len(head) - 2))
    head_size = size - len(tail) - 2
    if len(head) > head_size:
        head = head[-head_size:]
        head = "…" + head[head.find(" ") + 1 :]
    return f"{head} {tail}".strip()
