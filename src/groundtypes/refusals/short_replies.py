"""Short replies that decline as a whole, such as "idk", "N/A" and "Weiß nicht.".

They are compared with the whole text, so that nothing longer is touched. `data/short_replies.txt`
lists them.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from groundtypes.refusals.word_classes import fold

_FILE: Final = "short_replies.txt"
#: Longer texts are not compared, in characters.
_MAX_SHORT_REPLY: Final = 48
#: Signs, which part words; an apostrophe is left out instead, as many people do.
_SIGNS: Final = re.compile(
    r"(?:[^\w\u0300-\u036f\u0591-\u05c7\u064b-\u0655\u0900-\u0963\u0966-\u0dff\u0e00-\u0e7f]|_)+"
)
_APOSTROPHES: Final = str.maketrans("", "", "'\u2019\u200c")
_WORD: Final = re.compile(r"[^\W_]+")
_BESIDE: Final = "beside"


class _Replies(NamedTuple):
    """Reply -> "refusal" or "abstention"; what may stand beside one; first and last words of that.

    `beside` has the longest first. `first_words` are those of all entries; a text that begins with
    another word is none of them, which is found out fast.
    """

    kinds: dict[str, str]
    beside: tuple[str, ...]
    edges: frozenset[str]
    first_words: frozenset[str]


def kind_of_short_reply(text: str) -> str | None:
    """Return "refusal" or "abstention" if the whole text is a known reply, else `None`.

    "sorry" and the like may stand before and behind it.
    """
    if len(text) > _MAX_SHORT_REPLY:
        return None
    replies = _load_replies()
    folded = fold(text)
    first = _WORD.search(folded)
    if first is None or first[0] not in replies.first_words:
        return None
    reply: str | None = _normalise(folded)
    while reply and reply not in replies.kinds:
        reply = _without_beside(reply, replies)
    return replies.kinds[reply] if reply else None


def _without_beside(reply: str, replies: _Replies) -> str | None:
    """Return a reply without one word such as "sorry" at an end; `None` if there is none."""
    words = reply.split()
    if replies.edges.isdisjoint((words[0], words[-1])):
        return None
    for beside in replies.beside:
        if reply.startswith(f"{beside} "):
            return reply.removeprefix(beside).lstrip()
        if reply.endswith(f" {beside}"):
            return reply.removesuffix(beside).rstrip()
    return None


def _normalise(folded: str) -> str:
    return _SIGNS.sub(" ", folded.translate(_APOSTROPHES)).strip()


@cache
def _load_replies() -> _Replies:
    text = (files("groundtypes.refusals") / "data" / _FILE).read_text(encoding="utf-8")
    kinds = {}
    beside = set()
    first_words = set()
    for heading, entry in _entries(text):
        reply = _normalise(entry)
        # "don't" begins with "don", and may be written without its apostrophe.
        first_words.update(_WORD.findall(entry)[:1])
        first_words.update(_WORD.findall(reply)[:1])
        if heading == _BESIDE:
            beside.add(reply)
        else:
            kinds[reply] = heading
    longest_first = sorted(beside, key=lambda entry: (-len(entry), entry))
    edges = frozenset(edge for entry in beside for edge in (entry.split()[0], entry.split()[-1]))
    return _Replies(kinds, tuple(longest_first), edges, frozenset(first_words))


def _entries(text: str) -> Iterator[tuple[str, str]]:
    """Yield a heading and a folded entry for each entry of the file."""
    heading = ""
    for line in text.splitlines():
        if line.endswith(":"):
            heading = line.removesuffix(":")
        elif line and not line.startswith("#"):
            yield from ((heading, fold(entry)) for entry in line.split(","))
