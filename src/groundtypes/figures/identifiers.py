"""Identifiers: numbers that belong to a name, such as GPT-4, Python 3.11, World War II."""

import re
from typing import Final, NamedTuple

from groundtypes.words import all_words

#: How far before a number its attached letters are looked for.
_LONGEST: Final = 40
#: The scripts of East Asia begin here in Unicode; they have no spaces between words.
SPACELESS: Final = "\u2e80"
_SIGN: Final = rf"[^\W_{SPACELESS}-\U0010ffff]"
_REST: Final = re.compile(rf"{_SIGN}{{0,60}}(?:[-.:/_][0-9]{_SIGN}{{0,60}}){{0,12}}")
_IGNORED: Final = re.compile(r"[-_\s]")
_LAST_WORD: Final = re.compile(r"(?<![A-Za-z])([A-Za-z][A-Za-z+#]{0,24}) \Z")
_PLURALS: Final = ("types", "phases", "stages", "classes", "grades")
_WORD_BEFORE: Final = re.compile(r"(?<![^\W\d_])([^\W\d_]{3,12})\s\Z")
_ROMAN: Final = re.compile(r"(?=[IVXL])(?:L?X{0,3}|X[LC])(?:I[VX]|V?I{0,3})(?![A-Za-z0-9'])")
_ROMAN_VALUES: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
#: Abbreviations with the letters of a number, and words after which they are none.
_NOT_ROMAN: Final = frozenset(("", "XL", "XXL", "L", "IX", "LI", "LX"))
_INTRAVENOUS: Final = re.compile(r"\s([a-z]+)\b")
#: A single "I" behind a noun is a pronoun, unless the clause ends or one of these follows.
_AFTER_ONE: Final = re.compile(
    r"\s?(?:[.,;:)\]/-]|\Z|\n)|\s(?:and|or|of|to|through|trials?|stud(?:y|ies)|clinical|cancers?|"
    r"disease|diabetes|diabetics?|errors?|drugs?|patients?|disorder|hypersensitivity|collagen|"
    r"interferons?|tumou?rs?|melanoma|devices?|recall|evidence|recommendation|site|results?)\b"
)
_CENTURY_BEFORE: Final = re.compile(
    r"\b(?:siglo|siglos|secolo|secoli|século|séculos|segle|wiek|wieku)\s\Z", re.IGNORECASE
)
_CENTURY_AFTER: Final = re.compile(
    r"(?P<roman>[IVX]{1,6})(?:-?(?:e|ème|ᵉ|th|st|nd|rd)|\.)?[\s-](?:century|centuries|siècles?|wiek\w*|w\.|"
    r"Jh\.|Jhdt\.|Jahrhunderts?|stoljeć\w+|század\w*|век\w*|secolo|eeuw)(?![^\W_])"
)


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
        if text[at - 1] >= SPACELESS:
            break  # "显示E2" is no name
        at -= 1
    word = text[at:start]
    if last == "-":
        head = word[:-1].rpartition("-")[2]
        if head.lower() in all_words("prefix of a number") or head.isdigit() or not head:
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


def name_before(text: str, start: int, floor: int) -> str | None:
    """Return the key of a capitalised name, or of a word such as "version", before a number."""
    match = _LAST_WORD.search(text[max(floor, start - 27) : start])
    word = match[1] if match else ""
    is_excluded = word.lower() in all_words("no name before a number") or len(word) == 1
    is_name = not word.islower() and not is_excluded
    is_named = is_name or word.lower() in all_words("names the number behind it")
    return _key(word) if word and is_named else None


def read_roman_number(text: str, start: int, floor: int) -> tuple[int, int, str] | None:
    """Return end and value of the Roman number after a noun or name, and the key of that."""
    before = _WORD_BEFORE.search(text[max(floor, start - 14) : start])
    word = before[1].lower() if before else ""
    is_numbered = word in all_words("numbered in Roman numbers")
    name = word if is_numbered else name_before(text, start, floor)
    match = _ROMAN.match(text, start)
    if not name or match is None or match[0] in _NOT_ROMAN:
        return None
    is_sure = is_numbered or word in all_words("ruler with a Roman number")
    is_pronoun = match[0] == "I" and is_numbered and not _AFTER_ONE.match(text, match.end())
    noun = _INTRAVENOUS.match(text, match.end()) if match[0] == "IV" else None
    is_intravenous = noun is not None and noun[1] in all_words("intravenous")
    if is_pronoun or is_intravenous or (len(match[0]) == 1 and not is_sure):
        return None
    return match.end(), _roman_value(match[0]), word[:-1] if word in _PLURALS else name


def read_roman_century(text: str, start: int, floor: int) -> tuple[int, int] | None:
    """Return end and number of the century of "siglo XIX" and "XIX century"."""
    if (match := _CENTURY_AFTER.match(text, start)) and _ROMAN.fullmatch(match["roman"]):
        return match.end(), _roman_value(match["roman"])
    match = _ROMAN.match(text, start)
    if match and match[0] and _CENTURY_BEFORE.search(text[max(floor, start - 9) : start]):
        return match.end(), _roman_value(match[0])
    return None


def _roman_value(letters: str) -> int:
    sizes = [_ROMAN_VALUES[letter] for letter in letters]
    following = [*sizes[1:], 0]
    return sum(
        -size if size < after else size for size, after in zip(sizes, following, strict=True)
    )


def _key(name: str) -> str:
    """Return a name as it is compared: without hyphens and spaces, case folded."""
    return _IGNORED.sub("", name).casefold()
