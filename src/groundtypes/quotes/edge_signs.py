"""Signs beside a passage that belong to it: of code, of formulas, and spaced exponents."""

import re
from typing import Final

from groundtypes.quotes.check_marks import takes_mark_of_other_item
from groundtypes.quotes.code import is_generic, is_subscript
from groundtypes.quotes.markdown import is_emphasis, is_table_pipe

__all__ = ["cuts_sign"]

_STARTS: Final = frozenset("*_|")
#: Signs before a word or number that negate it or make another term of it.
_TERM_SIGNS: Final = frozenset(
    "\u00ac\u221a\u221b\u221c\u2213\u2203\u2204\u2200\u2207\u2202\u2206\u223c\u2211\u220f\u222b"
)
#: An exclamation mark or tilde before a word negates it in code, where no sentence ends before it.
_NOT: Final = re.compile(r"(?:\A|(?<=[\s(&|=,{\[`]))[!~]\Z")
#: Commands of LaTeX that negate or change what follows them.
_COMMAND: Final = re.compile(
    r"\\(?:neg|lnot|not|pm|mp|sqrt|nexists|sim|overline|bar|hat|tilde|dot|ddot|vec|frac)"
    r"[ {]{0,2}-?\Z"
)
#: Signs of which the number says something, as in the three stars of a hotel.
_COUNTED_SIGNS: Final = frozenset("\u2605\u2606\u2b50\u272a\u2729")
#: A part of an address or path that is a variable or a wildcard, and the query behind it.
_NEXT_PART: Final = re.compile(
    r"/(?:\{[\w:.-]{1,40}\}|<[\w:.-]{1,40}>|:\w|\$\w|\*|%\w|\[\w{1,40}\])|\?\w{1,40}="
)
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
    """Whether a passage leaves out a sign right beside it that is no markup, or takes one more."""
    if start < end and takes_mark_of_other_item(text, start, end):
        return True
    if 0 < start < len(text) and _cuts_term(text, start):
        return True
    if 0 < end < len(text) and (
        (text[end] in _COUNTED_SIGNS and text[end - 1] in _COUNTED_SIGNS)
        or (text[end] in "/?" and text[end - 1].isalnum() and _NEXT_PART.match(text, end))
    ):
        return True
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


def _cuts_term(text: str, start: int) -> bool:
    """Whether a sign or command before the passage makes another term of its first word."""
    before, first = text[start - 1], text[start]
    if before in _COUNTED_SIGNS:
        return first in _COUNTED_SIGNS
    if before == "/":
        return first in "{:"
    if before in _TERM_SIGNS:
        return first.isalnum() or first in "({[\\"
    if before in "!~":
        return first.isalpha() and _NOT.search(text, max(0, start - 2), start) is not None
    if before not in "{ -" or not (first.isalnum() or first == "\\"):
        return False
    low = max(0, start - 14)
    return text.find("\\", low, start) >= 0 and _COMMAND.search(text, low, start) is not None
