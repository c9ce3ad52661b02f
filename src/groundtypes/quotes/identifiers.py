"""Numbers of telephones and accounts, and paragraphs of laws: what means something as a whole.

The patterns match in plain text (`edge_context`), and no quote may end inside of a match.
"""

import re
from typing import Final

__all__ = ["cuts_identifier"]

_IDENTIFIERS: Final = (
    # +49 30 1234567, +1 (555) 123-4567
    re.compile(r"\+\d{1,3}(?:[ ./-]{0,2}\(?\d{1,5}\)?){1,6}"),
    # Tel. 030/123 45-67
    re.compile(
        r"(?i:(?<!\w)(?:tel(?:ephone|efon)?|phone|fon|fax|mobile?|handy|hotline|call)[.:]{0,2}[ ])"
        r"\(?\d{2,5}\)?(?:[ ./-]{1,2}\d{1,8}){1,5}"
    ),
    # DE89 3704 0044 0532 0130 00
    re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]{4}){2,7}(?:[ ]?[A-Z0-9]{1,3})?(?!\w)"),
    # 4111 1111 1111 1111
    re.compile(r"(?<![\w.,])\d{4}(?:[ -]\d{4}){2}[ -]\d{1,7}(?!\w)"),
    # Rule 12(b)(6)
    re.compile(
        r"(?<![^\W\d_])\d{1,4}[a-z]?(?:\((?:[a-z]{1,2}|[ivxlIVXL]{1,5}|[A-Z]|\d{1,2})\)){1,5}"
    ),
)
#: A telephone number has at least so many digits.
_FEWEST_DIGITS: Final = 7
_TELEPHONES: Final = _IDENTIFIERS[:2]
_REACH: Final = 40


def cuts_identifier(before: str, after: str) -> bool:
    """Whether the edge is inside an identifier."""
    left = before[-_REACH:]
    window, at = left + after[:_REACH], len(left)
    return any(
        found.start() < at < found.end()
        and (pattern not in _TELEPHONES or sum(map(str.isdigit, found[0])) >= _FEWEST_DIGITS)
        for pattern in _IDENTIFIERS
        for found in pattern.finditer(window)
    )
