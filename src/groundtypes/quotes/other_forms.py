"""Forms in which the same words are written: capitals of Turkish, and verse on one line."""

import re
from typing import Final

#: A slash between two lines of verse that a quote writes on one line, and what it stands for.
_SLASH: Final = re.compile(r"(?<=\S)[ \t]{1,4}/{1,2}[ \t]{1,4}(?=\S)")
_LINE_BREAK: Final = re.compile(r"(?:\s*(?:\n|(?i:<br\s?/?>)))+")
_MOST_LINES: Final = 60


def other_form(quote: str) -> str | None:
    """Return a quote in the form in which a reference may have it, `None` if there is no other."""
    if "\u0131" in quote:
        return quote.replace("\u0131", "i")
    lines = [line.strip() for line in _SLASH.split(quote)] if "/" in quote else []
    is_verse = 1 < len(lines) <= _MOST_LINES and all(" " in line for line in lines)
    # Between numbers a slash is something else.
    if not is_verse or any(line[-1].isnumeric() for line in lines[:-1]):
        return None
    return None if any(line[0].isnumeric() for line in lines[1:]) else "\n".join(lines)


def is_same(quote: str, found: str) -> bool:
    """Whether a passage that has the other form of a quote says the same."""
    if "\u0131" in quote:
        return _turkish_i(quote) == _turkish_i(found)
    return len(_LINE_BREAK.findall(found)) == len(_SLASH.findall(quote))


def _turkish_i(text: str) -> str:
    """Return the two letters i of a text, of which each has a capital letter of its own."""
    lower = text.replace("I", "\u0131").replace("\u0130", "i")
    return "".join(letter for letter in lower if letter in "i\u0131")
