"""List numbers and dashes at the edges of a quote, which may go only where the text has them too.

"9. " at the start of a line may number a list, but it may also be a day or an ordinal. A dash
before a number may be a bullet or a minus sign. A search skips them as markup, so each of them must
have its counterpart in the text.
"""

import re
from typing import Final, NamedTuple

from groundtypes.text.characters import DASHES, QUOTATION_MARKS

__all__ = ["EdgeMarks"]

#: Characters that may lie between a mark and the words beside it.
_BETWEEN: Final = rf"[\s*_>#(\[{{{QUOTATION_MARKS}]"
_LIST_NUMBER: Final = re.compile(r"^[ \t]{0,8}(\d{1,2})[.)](?=\s)", re.MULTILINE)
_DASH_BEFORE_NUMBER: Final = re.compile(
    rf"{_BETWEEN}{{0,12}}[{DASHES}]\s{{1,9}}[$\u20ac\u00a3\u00a5]?[.,]?\d"
)
#: A mark such as "A-", whose minus sign is skipped with other dashes at the end.
_GRADE: Final = re.compile(rf"(?<!\w)[A-DFO]{{1,3}}[{DASHES}]{_BETWEEN}{{0,9}}\Z")
_NUMBER: Final = re.compile(r"(?<![\w.,])(\d{1,2})\\?[.)](?=[\s*_])")
_NUMBER_BEFORE: Final = re.compile(rf"(?<![\w.,])(\d{{1,2}})\\?[.)]{_BETWEEN}{{1,12}}\Z")
#: A plus sign is a bullet before a word; before a number it may be its sign.
_BULLETS: Final = r"\u2022\u25e6\u25aa\u25ab\u2023\u25cf\u25cb\u25a0\u25a1\u2043*"
_BULLET_BEFORE: Final = re.compile(rf"[{_BULLETS}{DASHES}]\s{{1,9}}{_BETWEEN}{{0,4}}\Z")
_BULLET_AT: Final = re.compile(rf"{_BETWEEN}{{0,9}}[{_BULLETS}{DASHES}]\s")
#: A minus sign is no bullet, so that no bullet is its counterpart.
_MINUS: Final = re.compile(rf"{_BETWEEN}{{0,12}}\u2212")
_MINUS_BEFORE: Final = re.compile(rf"[{DASHES}]\s{{1,9}}{_BETWEEN}{{0,4}}\Z")
_MINUS_AT: Final = re.compile(rf"{_BETWEEN}{{0,9}}[{DASHES}]\s")
_DASH_AT_END: Final = re.compile(f"[{DASHES}]")
_DASH_AFTER: Final = re.compile(rf"[*_]{{0,3}}[{DASHES}]")
#: What may precede the number at the start of a passage.
_AT_START: Final = " \t\r\n*_>#-"
#: How many characters before the passage, and at the end of the quote, are read.
_REACH: Final = 32


class EdgeMarks(NamedTuple):
    """The marks of a quote that a search may skip.

    Attributes:
        numbers: The numbers at the start of its lines.
        leads: Whether the first of them is at the start of the quote.
        has_dash: Whether a dash precedes a number at its start.
        has_minus: Whether that dash is a minus sign.
        is_grade: Whether it ends with a grade such as "A-".
    """

    numbers: tuple[int, ...]
    leads: bool
    has_dash: bool
    has_minus: bool
    is_grade: bool

    @classmethod
    def of(cls, quote: str) -> "EdgeMarks | None":
        """Return the marks of a quote, or `None` if it has none."""
        # Most quotes have none, which is seen without reading them.
        has_dash = not quote[:1].isalpha() and _DASH_BEFORE_NUMBER.match(quote) is not None
        tail = quote[-_REACH:]
        is_grade = (
            not tail[-1:].isalnum()
            and _DASH_AT_END.search(quote, len(quote) - 12) is not None
            and _GRADE.search(tail) is not None
        )
        matches = []
        if "\n" in quote or quote[:9].lstrip(" \t")[:1].isdigit():
            matches = list(_LIST_NUMBER.finditer(quote))
        if not matches and not has_dash and not is_grade:
            return None
        leads = bool(matches) and not quote[: matches[0].start()].strip()
        has_minus = has_dash and _MINUS.match(quote) is not None
        numbers = tuple(int(match[1]) for match in matches)
        return cls(numbers, leads, has_dash, has_minus, is_grade)

    def range_in(self, text: str, start: int, end: int) -> tuple[int, int] | None:
        """Return the passage with the quote's marks, or `None` if the text has none there."""
        at, before = _BULLET_AT, _BULLET_BEFORE
        if self.has_minus:
            at, before = _MINUS_AT, _MINUS_BEFORE
        if self.has_dash and not (
            at.match(text, start, end) or before.search(text[max(0, start - _REACH) : start])
        ):
            return None
        if self.is_grade and not _DASH_AT_END.match(text, end - 1):
            dash = _DASH_AFTER.match(text, end)
            if dash is None:
                return None
            end = dash.end()
        if self.leads and not _NUMBER.match(text[start : start + _REACH].lstrip(_AT_START)):
            number_before = _NUMBER_BEFORE.search(text, max(0, start - _REACH), start)
            if number_before is None:
                return None
            start = number_before.start()
        # A list number that only the text has may be left out, as other list marks may.
        numbers = (int(match[1]) for match in _NUMBER.finditer(text, start, end))
        return (start, end) if all(number in numbers for number in self.numbers) else None
