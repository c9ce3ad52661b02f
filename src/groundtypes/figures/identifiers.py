"""Identifiers: numbers that belong to a name, such as GPT-4, COVID-19 or Python 3.11."""

import re
from typing import Final, NamedTuple

__all__ = [
    "SPACELESS",
    "Identifier",
    "Prefix",
    "attached_prefix",
    "is_company",
    "name_before",
    "read_identifier",
]

#: How far before a number its attached letters are looked for.
_LONGEST: Final = 40
_REST: Final = re.compile(r"[^\W_]{0,60}(?:[-.:/_][0-9][^\W_]{0,60}){0,12}")
_IGNORED: Final = re.compile(r"[-_\s]")
#: Before a hyphen these words do not make the number part of a name: "mid-1990s", "top-10".
_PREFIXES: Final = frozenset(
    "mid pre post early late top non sub under over inter the a in by of and to from circa "
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec about approximately around age aged".split()
)
_LAST_WORD: Final = re.compile(r"(?<![A-Za-z])([A-Za-z][A-Za-z+#]{0,24})\s\Z")
#: These words make a name of the number after them, even in lower case.
_NAMING_WORDS: Final = frozenset(
    "version release section chapter figure table clause article".split()
)
#: These words are not names, even if they are capitalised at the start of a sentence.
_FUNCTION_WORDS: Final = frozenset(
    "a an the in on at of to by from for with and or but as is was were are be been since until "
    "till after before between over under about around nearly almost only just some all both "
    "up down out off through during within without against into than then when while where which "
    "that this these those it its he she they we you his her their our at least most more less "
    "fewer no not so if there here how what who whose also however meanwhile approximately "
    "roughly age aged total another his per plus minus times exactly".split()
)


#: The company of that name, and not three million: words that only stand behind a company.
_COMPANY: Final = re.compile(
    r"3M(?:'s\b|,\s(?:a|an|the|which|whose|based)\b|\s(?:[Cc]ompany|Co\b|Corp|Inc\b|India|products?|tapes?"
    r"|masks?|respirators?|filters?|shares|stock|executives?|spokes|employees|lawyers|said|says"
    r"|announced|makes|made|sells|sold|agreed|settled|plans|owns|acquired|bought|paid|reported"
    r"|manufactur|develop|invent|will|has|had|is|was)\b)"
)
#: The scripts of East Asia begin here in Unicode; they have no spaces between words.
SPACELESS: Final = "\u2e80"


class Prefix(NamedTuple):
    """Letters that are attached to a number on its left, also by a hyphen.

    `is_name` says that the number can only be part of a name: "GPT-4", but not "top-10".
    """

    start: int
    key: str
    is_name: bool


class Identifier(NamedTuple):
    """An identifier that ends at `end`, and the keys by which it is compared."""

    end: int
    keys: tuple[str, ...]


def attached_prefix(text: str, start: int, floor: int) -> Prefix | None:
    """Return the letters directly before the digit at `start`; nothing before `floor` is read."""
    at = start
    last = text[at - 1]
    if not (
        (last.isalpha() and last < SPACELESS)
        or last == "_"
        or (last == "-" and at - 1 > floor and text[at - 2].isalnum())
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
            return Prefix(at, _key(head), is_name=False)
    # "pre-COVID-19" is COVID-19.
    for piece in word.split("-")[:-1]:
        if not piece.islower() or not word.strip("-"):
            break
        if "-" in word[len(piece) + 1 :] or last != "-":
            at += len(piece) + 1
            word = word[len(piece) + 1 :]
    return Prefix(at, _key(word), is_name=True)


def read_identifier(text: str, start: int, digit: int) -> Identifier:
    """Return the identifier that starts at `start` and has its first digit at `digit`."""
    match = _REST.match(text, digit)
    end = match.end() if match else digit + 1
    if text[end - 1] == "s" and end - digit > 1 and text[end - 2].isdigit():
        end -= 1  # "two F-16s"
    key = _key(text[start:end])
    # "v2.1" is compared as "2.1", too.
    keys = (key, key[1:]) if re.fullmatch(r"v[0-9.]+", key) else (key,)
    return Identifier(max(end, digit + 1), keys)


def is_company(text: str, start: int) -> bool:
    """Whether the 3M at this offset is the company, by what follows it."""
    return text[start + 1 : start + 2] == "M" and _COMPANY.match(text, start) is not None


def name_before(text: str, start: int, floor: int) -> str | None:
    """Return the key of a capitalised name, or of a word such as "version", before a number."""
    if start - 2 < floor or text[start - 1] != " ":
        return None
    match = _LAST_WORD.search(text[max(floor, start - 27) : start])
    if match is None:
        return None
    word = match[1]
    if word.lower() in _NAMING_WORDS:
        return _key(word)
    if not word.islower() and word.lower() not in _FUNCTION_WORDS and len(word) > 1:
        return _key(word)
    return None


def _key(name: str) -> str:
    """Return a name as it is compared: without hyphens and spaces, case folded."""
    return _IGNORED.sub("", name).casefold()
