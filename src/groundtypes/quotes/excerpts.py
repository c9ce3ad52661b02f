"""How much of a text a message shows: a stretch with the rest of its sentence."""

import re
from typing import Final

__all__ = ["EXCERPT_CHARACTERS", "sentence_around"]

#: The most characters of a passage in a message.
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
