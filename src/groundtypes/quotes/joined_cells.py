"""Cells and list items that a quote joins to a number, sign or word that stands in none of them.

"1" and "000 km" in two cells of a table are not "1 000 km", nor are "-" and "5 mg" "-5 mg".
"""

import re
from typing import Final

from groundtypes.quotes.boundaries import is_cut
from groundtypes.quotes.table_rows import joins_rows

__all__ = ["joins_cells"]

#: What separates two cells or items: pipes, tabs, tags of blocks, bullets.
_BORDER: Final = re.compile(
    r"(?:\s|\\?\||</?(?:td|th|tr|li|p|div|ul|ol|dl|dt|dd|tbody|thead|table|h[1-6])(?:\s[^<>]{0,300})?/?>"
    r"|(?<=\n)[ \t]{0,8}[-*+\u2022](?=\s)|(?<=[|\n])[:-]{2,40}(?=[|\n])){1,200}",
    re.IGNORECASE,
)
_NEXT_BLOCK: Final = re.compile(r"\n\s{0,20}(?:\n|[-*+\u2022]\s)")
#: How far around a line break the tabs of a table are looked for.
_LINE_REACH: Final = 200
_IS_BORDER: Final = re.compile(r"[|\t<]|\n\s*[-*+\u2022]\s|\n\s*\n|[ ]{3}")
#: The last and first characters of two cells that may join.
_LAST: Final = re.compile(r"[^\s|<>]{1,12}\Z|[<>]\Z")
_FIRST: Final = re.compile(r"[^\s|<>]{1,12}|[<>](?=\s)")
#: What joins another number to a number.
_GOES_ON: Final = re.compile(r"[-/.,:^\u00d7\u00b1\u2212\u2013]?\d")
_CURRENCY_SIGNS: Final = frozenset("$\u20ac\u00a3\u00a5")
_MOST_BORDERS: Final = 400


def joins_cells(quote: str, text: str, start: int, end: int) -> bool:
    """Whether a quote joins cells or items of its passage to one number, sign, word or sentence."""
    if not _may_have_borders(text, start, end):
        return False
    if joins_rows(quote, text, start, end):
        return True
    plain = " ".join(quote.split()).casefold()
    for count, border in enumerate(_BORDER.finditer(text, start, end)):
        if count >= _MOST_BORDERS:
            break
        if not _IS_BORDER.search(border[0]):
            continue
        left = _LAST.search(text, max(start, border.start() - 12), border.start())
        right = _FIRST.match(text, border.end(), end)
        if left is None or right is None:
            continue
        for joint in ("", " ", "-"):
            joined = f"{left[0]}{joint}{right[0]}"
            if joined.casefold() in plain and _is_one(left[0], joint, right[0]):
                return True
    return False


def _may_have_borders(text: str, start: int, end: int) -> bool:
    """Whether a passage may have the border of a cell or item; most have none."""
    find = text.find
    if (
        find("|", start, end) >= 0
        or find("</", start, end) >= 0
        or find("   ", start, end) >= 0
        or find("\t", start, end) >= 0
    ):
        return True
    return find("\n", start, end) >= 0 and (
        find("\t", max(0, start - _LINE_REACH), end + _LINE_REACH) >= 0
        or _NEXT_BLOCK.search(text, start, end) is not None
    )


def _is_one(left: str, joint: str, right: str) -> bool:
    """Whether two texts make one number or word where they are joined.

    A number and a currency or unit in two cells of a row are one amount there, too.
    """
    if left[-1] in _CURRENCY_SIGNS or (left[-1].isdigit() and not _GOES_ON.match(right)):
        return False
    text = f" {left}{joint}{right} "
    at = 1 + len(left)
    return is_cut(text, 1, at) or is_cut(text, at + len(joint), len(text) - 1)
