"""Signs beside a passage that belong to it: of code, of formulas, and spaced exponents."""

import re
from typing import Final

from groundtypes.quotes.code import is_generic, is_subscript
from groundtypes.quotes.markdown import is_emphasis, is_table_pipe

__all__ = ["cuts_sign"]

_STARTS: Final = frozenset("*_|")
_ELEMENT: Final = re.compile(r"\[\w{1,20}\]")
_PARAMETER: Final = re.compile(r"<[A-Za-z]{1,30}>")
_PARAMETERS: Final = re.compile(r"<[A-Za-z]{1,30}(?:,\s?[A-Za-z]|<[A-Za-z]|\[)")
#: An exponent after a space; a raised number after a year is a footnote mark.
_SPACED_EXPONENT: Final = re.compile(
    r"[ \u00a0\u2009\u202f](?:<(?:sup|SUP)>\s?[-+\u2212]?\d"
    r"|[\u207a\u207b]?[\u00b2\u00b3\u00b9\u2070\u2074-\u2079])"
)
_YEAR: Final = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d\Z")


def cuts_sign(text: str, start: int, end: int) -> bool:
    """Whether a passage leaves out a sign right beside it that is no markup."""
    if 0 < start < len(text) and text[start - 1] in _STARTS and text[start].isalnum():
        mark = text[start - 1]
        if mark == "|":
            if not is_table_pipe(text, start - 1, start):
                return True
        else:
            first = start - 1
            while first and text[first - 1] == mark and start - first < len("***"):
                first -= 1
            if not is_emphasis(text, first, start):
                return True
    if not 0 < end < len(text) or not text[end - 1].isalnum():
        return False
    after = text[end]
    if after == "[":
        element = _ELEMENT.match(text, end)
        return element is not None and is_subscript(text, *element.span())
    if after == "<":
        parameter = _PARAMETER.match(text, end)
        if parameter is not None and parameter[0].lower() not in ("<sup>", "<sub>"):
            return is_generic(text, *parameter.span())
        return _PARAMETERS.match(text, end) is not None
    if after == "|":
        return not is_table_pipe(text, end, end + 1)
    return (
        text[end - 1].isdigit()
        and _SPACED_EXPONENT.match(text, end) is not None
        and not _YEAR.search(text, max(0, end - 5), end)
    )
