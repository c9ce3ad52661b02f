"""Marks before the items of a list: numbers, dashes, ticks, crosses and boxes.

A search skips them as markup, but each may say something. "9. " at the start of a line may number a
list, but it may also be a day or an ordinal; a dash before a number may be a bullet or a minus
sign; a tick says yes, and a cross says no. So a quote may leave such a mark out, but it may neither
add one nor exchange it for another.
"""

import re
from typing import Final

from groundtypes.text.characters import DASHES, QUOTATION_MARKS

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
#: A plus sign is a bullet before a word; before a number it may be its sign. A minus sign is no
#: bullet, so that no bullet is its counterpart.
_BULLETS: Final = rf"\u2022\u25e6\u25aa\u25ab\u2023\u25cf\u25cb\u25a0\u25a1\u2043*{DASHES}"
_MINUS: Final = re.compile(rf"{_BETWEEN}{{0,12}}\u2212")
_BULLET_BEFORE: Final = re.compile(rf"([{_BULLETS}])\s{{1,9}}{_BETWEEN}{{0,4}}\Z")
_BULLET_AT: Final = re.compile(rf"{_BETWEEN}{{0,9}}([{_BULLETS}])\s")
_DASH: Final = re.compile(f"[{DASHES}]")
_DASH_AFTER: Final = re.compile(rf"[*_]{{0,3}}[{DASHES}]")
#: What may precede the number at the start of a passage.
_AT_START: Final = " \t\r\n*_>#-"
#: How many characters before the passage, and at the end of the quote, are read.
_REACH: Final = 32

_NO: Final = frozenset(("no",))
#: What each sign says; a box of Markdown with an x looks like a crossed and like a checked one.
_MEANINGS: Final[dict[str, frozenset[str]]] = {
    **dict.fromkeys("\u2713\u2714\u2705\U0001f5f8\u2611\U0001f5f9", frozenset(("yes",))),
    **dict.fromkeys("\u2717\u2718\u274c\u274e\u2715\u2716\U0001f5d9\u26d4\U0001f6ab", _NO),
    **dict.fromkeys("\u2612\U0001f5f7", frozenset(("crossed",))),
    **dict.fromkeys("\u2610\u25a2\u2b1c\u25fb", frozenset(("empty",))),
    "[ ]": frozenset(("empty", "box")), "[x]": frozenset(("yes", "crossed", "box")),
}  # fmt: skip
_SIGN: Final = re.compile(
    rf"(?<!\w)\[[ xX]\](?=\s|\Z)|[{''.join(mark for mark in _MEANINGS if len(mark) == 1)}]"
)
#: What every sign has; most quotes have none, which this shows quickly.
_MAY_HAVE_SIGNS: Final = re.compile("[\\[\u2190-\u2bff\U0001f300-\U0001faff]")
_SIGN_BEFORE: Final = re.compile(
    rf"(?:{_SIGN.pattern}|[^\w\s.,;:!?()\[\]{{}}\"'|])\ufe0f?[\s*_>]{{1,4}}\Z"
)


def stretch_with_marks(quote: str, text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the passage with the quote's marks, or `None` if the text has none or others there."""
    # Most quotes have none, which is seen without reading them.
    if not (quote.isascii() and "[" not in quote) and _differ_in_signs(quote, text, start, end):
        return None
    if not quote[:1].isalpha() and _DASH_BEFORE_NUMBER.match(quote):
        bullet = _BULLET_AT.match(text, start, end) or _BULLET_BEFORE.search(
            text[max(0, start - _REACH) : start]
        )
        if bullet is None or (_MINUS.match(quote) and not _DASH.match(bullet[1])):
            return None
    is_grade = not quote[-1:].isalnum() and _GRADE.search(quote[-_REACH:]) is not None
    if is_grade and not _DASH.match(text, end - 1):
        dash = _DASH_AFTER.match(text, end)
        if dash is None:
            return None
        end = dash.end()
    if "\n" in quote or quote[:9].lstrip(" \t")[:1].isdigit():
        return _stretch_with_numbers(quote, text, start, end)
    return start, end


def _stretch_with_numbers(quote: str, text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the passage with the numbers at the starts of the quote's lines."""
    matches = list(_LIST_NUMBER.finditer(quote))
    leads = bool(matches) and not quote[: matches[0].start()].strip()
    if leads and not _NUMBER.match(text[start : start + _REACH].lstrip(_AT_START)):
        number_before = _NUMBER_BEFORE.search(text, max(0, start - _REACH), start)
        if number_before is None:
            return None
        start = number_before.start()
    # A list number that only the text has may be left out, as other list marks may.
    numbers = (int(match[1]) for match in _NUMBER.finditer(text, start, end))
    return (start, end) if all(int(match[1]) in numbers for match in matches) else None


def _differ_in_signs(quote: str, text: str, start: int, end: int) -> bool:
    """Whether a quote has a tick, cross or box where the passage has another or none."""
    if not _MAY_HAVE_SIGNS.search(quote) or not (signs := _signs(quote)):
        return False
    line = text.rfind("\n", max(0, start - _REACH), len(text[:start].rstrip(" \t"))) + 1
    before = _SIGN_BEFORE.search(text, max(line, start - _REACH), start)
    own = _signs(text[before.start() if before else start : end])
    if len(own) > len(signs) and before:
        left_out, kept = own[-len(signs) - 1], own[-len(signs)]
        if "\n" not in quote and not (left_out & kept or _SIGN.match(quote.lstrip())):
            return True  # the second item's mark would seem to be that of the first one
        own = own[-len(signs) :]
    if not own:
        # A tick before an item may be the quote's bullet, a box is a statement.
        return any("box" in sign for sign in signs)
    return len(own) != len(signs) or not all(
        (one & other) - {"box"} for one, other in zip(own, signs, strict=True)
    )


def _signs(text: str) -> list[frozenset[str]]:
    """Return for each sign what it may say."""
    return [_MEANINGS[match[0].lower()] for match in _SIGN.finditer(text)]
