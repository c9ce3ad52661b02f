"""Lines of verse that a quote writes on one line, with a slash between them."""

import re
from typing import Final

from groundtypes.quotes.comparison import differ_only_in_typography
from groundtypes.quotes.scanner import scan

__all__ = ["are_lines", "lines_of_verse"]

_SLASH: Final = re.compile(r"(?<=\S)[ \t]{1,4}/{1,2}[ \t]{1,4}(?=\S)")
_LINE_BREAK: Final = re.compile(r"\n|(?i:<br\s?/?>)")
#: A quote of more lines is not read as verse.
_MOST_LINES: Final = 60
_AT_END: Final = " \t\r.,;:"


def lines_of_verse(quote: str) -> list[str] | None:
    """Return the lines of a quote with slashes between them, or `None` if it is no verse.

    Each line has two words or more, and neither ends nor begins with a number at a slash.
    """
    lines = [line.strip() for line in _SLASH.split(quote)]
    if not 1 < len(lines) <= _MOST_LINES or any(" " not in line for line in lines):
        return None
    if any(line[-1].isnumeric() for line in lines[:-1]):
        return None
    return None if any(line[0].isnumeric() for line in lines[1:]) else lines


def are_lines(lines: list[str], passage: str) -> bool:
    """Whether a passage has these lines, and no others, up to typography."""
    others = [line for line in _LINE_BREAK.split(passage) if line.strip()]
    return len(lines) == len(others) and all(
        differ_only_in_typography(scan(line.rstrip(_AT_END)), scan(other.rstrip(_AT_END)))
        for line, other in zip(lines, others, strict=True)
    )
