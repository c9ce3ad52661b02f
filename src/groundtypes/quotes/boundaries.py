"""Where a quote may begin and end: not inside a word, a number or its sign."""

import re
from typing import Final

from groundtypes.text.characters import DASHES, INVISIBLE, MARKS, WORD

__all__ = ["is_cut"]

_WORD: Final = re.compile(WORD)
_MARK: Final = re.compile(f"[{MARKS}]")
#: A sign before a number, which belongs to it where no space is between.
_SIGN: Final = re.compile(rf"(?<![\w.)\]])[+<>=~\u2264\u2265\u00b1\u2248\u2243\u2213{DASHES}]$")
#: How far before the start of a stretch a sign or prefix is looked for.
_REACH: Final = 6
#: Prefixes with a hyphen that turn a word into its opposite or another word.
_PREFIX: Final = re.compile(rf"(?i)(?<!\w)(?:non|un|anti|in|dis|pre|post|sub|ex)[{DASHES}]$")
_SUPERSCRIPT_DIGITS: Final = frozenset(
    "\u00b9\u00b2\u00b3\u2070\u2074\u2075\u2076\u2077\u2078\u2079"
)
_LONG_WORD: Final = re.compile(r"[^\W\d_]{3}")
#: The end of a contraction such as "don't" or "can't", which a quote must not leave out.
_NEGATION: Final = re.compile(r"(?i)\s?n['\u2019]t(?!\w)|['\u2019]t(?!\w)")


def is_cut(text: str, start: int, end: int) -> bool:
    """Whether a stretch of the text starts or ends inside a word or number."""
    # An invisible character beside a word, such as a direction mark, is not part of the word.
    while start < end and start > 0 and INVISIBLE.match(text[start - 1]):
        start -= 1
    while end > start and end < len(text) and INVISIBLE.match(text[end]):
        end += 1
    return _is_start_cut(text, start) or _is_end_cut(text, end)


def _is_start_cut(text: str, start: int) -> bool:
    if start == 0 or start >= len(text):
        return False
    first, before = text[start], text[start - 1]
    if _MARK.match(first):
        return not before.isspace()
    if before.isspace() or not _WORD.match(first):
        # ".5" of "1.5" is another number.
        return first in ".," and before.isdigit() and text[start + 1 : start + 2].isdigit()
    if _WORD.match(before):
        return True
    head = text[max(0, start - _REACH) : start]
    if first.isdigit():
        # "5" of "1.5", ".5" and "-5" is another number.
        if before in ".,":
            return before == "." or head[-2:-1].isdigit()
        return _SIGN.search(head) is not None
    return before in "-\u2010\u2011" and _PREFIX.search(head) is not None


def _is_end_cut(text: str, end: int) -> bool:
    if end == 0 or end >= len(text):
        return False
    last, after = text[end - 1], text[end]
    if _MARK.match(after):
        return not last.isspace()
    if _WORD.match(last):
        if _WORD.match(after):
            # After a word a raised number is a footnote mark, after a number or unit an exponent.
            if after not in _SUPERSCRIPT_DIGITS:
                return True
            return not _LONG_WORD.search(text, max(0, end - 3), end)
        if last.isdigit() and after in ".,":
            return text[end + 1 : end + 2].isdigit()
        if last.isdigit() and after in "%\u2030\u00b0":
            return True
        return _NEGATION.match(text, end) is not None
    return last in ".," and after.isdigit() and text[end - 2 : end - 1].isdigit()
