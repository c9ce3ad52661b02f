"""Short replies that decline as a whole, such as "idk", "N/A" and "Weiß nicht.".

They are compared with the whole text, so that nothing longer is touched. `data/short_replies.txt`
lists them.
"""

import re
from collections import defaultdict
from functools import cache
from importlib.resources import files
from typing import Final

from groundtypes.refusals.word_classes import fold

_FILE: Final = "short_replies.txt"
#: Longer texts are not compared, in characters.
_MAX_SHORT_REPLY: Final = 48
#: Signs, which part words; an apostrophe is left out instead, as many people do.
_SIGNS: Final = re.compile(
    r"(?:[^\w\u0300-\u036f\u0591-\u05c7\u064b-\u0655\u0900-\u0963\u0966-\u0dff\u0e00-\u0e7f]|_)+"
)
_APOSTROPHES: Final = str.maketrans("", "", "'\u2019\u200c")


def kind_of_short_reply(text: str) -> str | None:
    """Return "refusal" or "abstention" if the whole text is a known reply, else `None`.

    "sorry" and the like may stand before and behind it.
    """
    if len(text) > _MAX_SHORT_REPLY:
        return None
    match = _replies().fullmatch(_normalise(fold(text)))
    return match.lastgroup if match else None


def _normalise(folded: str) -> str:
    return _SIGNS.sub(" ", folded.translate(_APOSTROPHES)).strip()


@cache
def _replies() -> re.Pattern[str]:
    """Return what matches a reply with what stands beside it, each in a group of its kind."""
    text = (files("groundtypes.refusals") / "data" / _FILE).read_text(encoding="utf-8")
    entries: defaultdict[str, list[str]] = defaultdict(list)
    heading = ""
    for line in text.splitlines():
        if line.endswith(":"):
            heading = line.removesuffix(":")
        elif line and not line.startswith("#"):
            entries[heading] += (re.escape(_normalise(fold(entry))) for entry in line.split(","))
    beside = "|".join(entries.pop("beside"))
    kinds = "|".join(f"(?P<{kind}>{'|'.join(listed)})" for kind, listed in entries.items())
    return re.compile(f"(?:(?:{beside}) )*(?:{kinds})(?: (?:{beside}))*")
