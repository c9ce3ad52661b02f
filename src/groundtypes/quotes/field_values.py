"""A negation that is the value of a field, as in "Pets: no", and negates nothing on the next line.

A line that is wrapped in the middle of a sentence looks alike ("Important: never" and "run in the
hall" below it). Fields are told from it by what stands before the word, by the letter case of the
next line and by whether that line is a field, too.
"""

import re
from typing import Final

from groundtypes.quotes.negation_words import ANSWERS, folded_word

__all__ = ["is_field_value"]

#: At most so much of a line is read.
_REACH: Final = 200
#: Signs between a label and its value, and what shows them on another line.
_SIGNS: Final = {sign: re.compile(f"[{sign}]") for sign in ":\uff1a=\u2192"} | {
    "-": re.compile(r"\s[-\u2010-\u2015]\s"),
    ".": re.compile(r"\.{2}|\u2026"),
    " ": re.compile(r"\t|\S[ \u00a0]{2,}\S"),
}
_EMPHASIS: Final = "*_`~ \u00a0\u3000\"'"
_TAG_AT_END: Final = re.compile(r"</?[a-z]{1,10}>\Z", re.IGNORECASE)
_ITEM: Final = re.compile(r"(?:\d{1,3}|[A-Za-z])[.)]\s")
#: So many characters more would have fit on a line that is ended and not wrapped.
_ROOM: Final = 12
#: The most words of a label and of a value where nothing else shows that they are ones.
_LONGEST_LABEL: Final = 3
_LONGEST_VALUE: Final = 4


def is_field_value(text: str, start: int, end: int, following: int) -> bool:
    """Whether a word at the end of its line is a value: of a form, a list of fields or a table.

    Args:
        text: The text.
        start: Where the word begins.
        end: Where it ends.
        following: Where the next line begins.
    """
    before = _line_before(text, start)
    if not before.strip(_EMPHASIS):
        # A line of its own is a value only as the answer to a question above it.
        above = _line_before(text, max(0, start - len(before) - 1)).rstrip(_EMPHASIS)
        separator = "?" if above.endswith("?") else None
    else:
        separator = _separator(before)
    if separator is None:
        return False
    line = text[following : following + _REACH].partition("\n")[0].rstrip()
    is_answer = folded_word(text[start:end]) in ANSWERS
    letter = next((char for char in line if char.isalnum()), "")
    begins_anew = not letter.islower()
    if separator == "?":
        return is_answer and begins_anew
    if separator in ",;|":
        is_prose = not begins_anew and f"{separator} " in before
        return not is_prose and _are_records(f"{before}{text[start:end]}", line, separator)
    if _SIGNS[separator].search(line):
        is_short = _is_short_field(line, separator)
        return is_answer + begins_anew + is_short > 1
    if _ITEM.match(line):
        return True
    # A line that is wrapped has no room for the next word.
    first = line.partition(" ")[0]
    is_ended = len(before) + end - start + len(first) + _ROOM <= len(line)
    return is_answer and begins_anew and is_ended and separator != "."


def _line_before(text: str, at: int) -> str:
    """Return what is before an offset on the same line."""
    low = max(0, at - _REACH)
    return text[text.rfind("\n", low, at) + 1 if "\n" in text[low:at] else low : at]


def _separator(before: str) -> str | None:
    """Return the kind of sign between a label and the value behind it."""
    if before.endswith(("\t", "  ")) and before.strip():
        return " "
    label = before.rstrip(_EMPHASIS)
    while tag := _TAG_AT_END.search(label[-14:]):
        label = label[: len(label) - len(tag[0])].rstrip(_EMPHASIS)
    if not label:
        return None
    last = label[-1]
    if last in ",;|?" or last in _SIGNS:
        is_leader = last != "." or label.endswith("..")
        is_dash = last == "-" and not label[-2:-1].isspace()
        return last if is_leader and not is_dash else None
    if last == "\u2026":
        return "."
    return "-" if last in "\u2010\u2011\u2012\u2013\u2014\u2015" else None


def _is_short_field(line: str, separator: str) -> bool:
    """Whether a line is a label of a few words with a value of a few words, and no sentence."""
    parts = _SIGNS[separator].split(line, maxsplit=1)
    return (
        len(parts) == 2
        and 1 <= len(parts[0].split()) <= _LONGEST_LABEL
        and 1 <= len(parts[1].split()) <= _LONGEST_VALUE
        and not line.endswith((".", "!", "?"))
    )


def _are_records(line: str, following: str, separator: str) -> bool:
    """Whether two lines are records with short values, as many in each."""
    values, others = line.split(separator), following.split(separator)
    return len(values) == len(others) and all(
        len(value.split()) <= _LONGEST_VALUE and not value.rstrip().endswith((".", "!", "?"))
        for value in (*values, *others)
    )
