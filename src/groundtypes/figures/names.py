"""Identifiers: numbers that belong to a name, such as GPT-4, COVID-19 or Python 3.11."""

import re
from typing import Final, NamedTuple

__all__ = ["Left", "Token", "glued_left", "glued_right", "named"]

_LONGEST: Final = 40
_RIGHT: Final = re.compile(r"[^\W_]{0,60}(?:[-.:/_][0-9][^\W_]{0,60}){0,12}")
_SQUEEZED: Final = re.compile(r"[-_\s]")
#: Words before a hyphen that make no name: "mid-1990s", "top-10".
_PREFIXES: Final = frozenset(
    "mid pre post early late top non sub under over inter the a in by of and to from circa "
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec about approximately around age aged".split()
)
_NAME: Final = re.compile(r"(?<![A-Za-z])([A-Za-z][A-Za-z+#]{0,24})\s\Z")
_LABELS: Final = frozenset("version release section chapter figure table clause article".split())
_FUNCTION_WORDS: Final = frozenset(
    "a an the in on at of to by from for with and or but as is was were are be been since until "
    "till after before between over under about around nearly almost only just some all both "
    "up down out off through during within without against into than then when while where which "
    "that this these those it its he she they we you his her their our at least most more less "
    "fewer no not so if there here how what who whose also however meanwhile approximately "
    "roughly age aged total another his per plus minus times exactly".split()
)


class Left(NamedTuple):
    """The letters that are glued to a number on its left."""

    start: int
    key: str
    name: bool


class Token(NamedTuple):
    """An identifier that ends at `end`, and what it is compared by."""

    end: int
    keys: tuple[str, ...]


def glued_left(text: str, start: int, floor: int) -> Left | None:
    """Return the letters directly before the digit at `start`, also over a hyphen."""
    at = start
    last = text[at - 1]
    if not (
        last.isalpha() or last == "_" or (last == "-" and at - 1 > floor and text[at - 2].isalnum())
    ):
        return None
    lowest = max(floor, start - _LONGEST)
    while at > lowest and (text[at - 1].isalnum() or text[at - 1] in "-_"):
        at -= 1
    word = text[at:start]
    if last == "-":
        head = word[:-1].rpartition("-")[2]
        if head.lower() in _PREFIXES or head.isdigit() or not head:
            return None
        if head.islower():
            return Left(at, _key(head), name=False)
    # "pre-COVID-19" is COVID-19.
    for piece in word.split("-")[:-1]:
        if not piece.islower() or not word.strip("-"):
            break
        if "-" in word[len(piece) + 1 :] or last != "-":
            at += len(piece) + 1
            word = word[len(piece) + 1 :]
    return Left(at, _key(word), name=True)


def glued_right(text: str, start: int, digit: int) -> Token:
    """Return the identifier that starts at `start` and whose first digit stands at `digit`."""
    match = _RIGHT.match(text, digit)
    end = match.end() if match else digit + 1
    if text[end - 1] == "s" and end - digit > 1 and text[end - 2].isdigit():
        end -= 1  # "two F-16s"
    key = _key(text[start:end])
    keys = (key, key[1:]) if re.fullmatch(r"v[0-9.]+", key) else (key,)
    return Token(max(end, digit + 1), keys)


def named(text: str, start: int, floor: int) -> str | None:
    """Return the key of a capitalised name, or of a word such as "version", before a number."""
    if start - 2 < floor or text[start - 1] != " ":
        return None
    match = _NAME.search(text[max(floor, start - 27) : start])
    if match is None:
        return None
    word = match[1]
    if word.lower() in _LABELS:
        return _key(word)
    if not word.islower() and word.lower() not in _FUNCTION_WORDS and len(word) > 1:
        return _key(word)
    return None


def _key(token: str) -> str:
    return _SQUEEZED.sub("", token).casefold()
