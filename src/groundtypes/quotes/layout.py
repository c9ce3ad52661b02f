"""What a passage may not do though its words are the quote's: join blocks, cells and list items.

A quote goes on over the lines of a paragraph, from a heading to its text, from one item of a list
or cell of a table to the next, and from sentence to sentence. It does not run into a heading, nor
out of a list or table, where no sentence ends there, nor from the middle of a row into another one,
unless it shows a line break or mark itself. "1" and "000 km" in two cells are not "1 000 km", nor
are "-" and "5 mg" "-5 mg".
"""

import re
from typing import Final

from groundtypes.quotes.boundaries import is_cut
from groundtypes.quotes.matches import BLOCK_DIFFERENCE, CELLS_DIFFERENCE
from groundtypes.quotes.patterns import compiled
from groundtypes.text.characters import DASHES, QUOTATION_MARKS

#: The end of a block that is not the end of a sentence; brackets and quotation marks may follow.
_CLOSING: Final = r"\"'\u201d\u2019\u00bb)\]*_`"
_NO_END: Final = (
    rf"(?<![.!?:;\u3002\uff01\uff1f\u0964\u06d4\u061f\u2026\s{_CLOSING}])[{_CLOSING}]{{0,4}}[ \t]*"
)
_BULLET: Final = (
    r"(?:[-*+\u2013\u2022\u2023\u25aa\u25ab\u25a0\u25a1\u25b6\u25ba\u25cf\u25cb\u25e6\u2043\u27a2\u27a4"
    r"\u2192\u2610-\u2612\u2713-\u2718\u2705\u274c\u00b7][ \t]|\d{1,3}[.)][ \t]"
    r"|\(?(?:[a-z]|[ivx]{1,5})\)[ \t])"
)
_BLANK_LINE: Final = r"\n[ \t]*\n\s{0,40}(?<=\n)"
#: The start of a heading after a block, of a text after a list, and of a text after a table. Text
#: that is indented after a list belongs to its last item.
_BLOCK_IN_MARKDOWN: Final = (
    rf"(?m:{_NO_END}\n\s{{0,40}}(?<=\n)(?P<heading>\#{{1,6}}[ \t]+\S)"
    rf"|{_NO_END}{_BLANK_LINE}(?P<underlined>(?!{_BULLET})[^\s|][^\n]{{0,200}}\n"
    r"(?:={3,}|-{3,})[ \t]*$)"
    rf"|^[ \t]{{0,8}}{_BULLET}[^\n]{{0,2000}}{_NO_END}{_BLANK_LINE}(?P<text>(?!{_BULLET})[^\s|#])"
    rf"|\|[ \t]*{_BLANK_LINE}(?P<after_table>[^\s|#]))"
)
_BLOCK_IN_HTML: Final = (
    rf"(?i:{_NO_END}(?:\s|</[a-z]{{1,10}}>){{0,20}}(?:(?P<heading><h[1-6][\s>])"
    r"|</(?:[ou]l|dl|table)>(?:\s|<(?!li|tr|td|[ou]l|table|/)[^<>]{1,200}>){0,20}(?P<text>[^<\s])))"
)
#: Between two rows of Markdown, of HTML, and of values separated by tabs.
_BETWEEN_ROWS: Final = (
    r"(?i:\|[ \t]{0,80}\n(?:[ \t]{0,8}\|?[ \t:|-]{2,400}\n)?[ \t]{0,80}\|(?!\|)"
    r"|</t[dh]>\s{0,40}</tr>[\s\S]{0,60}?<tr[^<>]{0,200}>\s{0,40}<t[dh](?=[\s>])"
    r"|(?<=\t)[^\t\n|]{0,200}(?P<line>\n)(?!\s{0,8}(?:\(?\w{1,5}[.)]|[-*\u2022\u2013])\t)"
    r"(?=[^\t\n]{1,200}\t))"
)
#: What separates two cells or items: pipes, tabs, tags of blocks, bullets.
_BORDER: Final = (
    r"(?i:(?:\s|\\?\||</?(?:td|th|tr|li|p|div|ul|ol|dl|dt|dd|tbody|thead|table|h[1-6])"
    r"(?:\s[^<>]{0,300})?/?>"
    r"|(?<=\n)[ \t]{0,8}[-*+\u2022](?=\s)|(?<=[|\n])[:-]{2,40}(?=[|\n])){1,200})"
)
_IS_BORDER: Final = r"[|\t<]|\n\s*[-*+\u2022]\s|\n\s*\n|[ ]{3}"
_NEXT_BLOCK: Final = r"\n\s{0,20}(?:\n|[-*+\u2022]\s)"
#: A quote with one of these shows that it holds more than one block, or more than one row. A mark
#: that stands in the middle of a line of the passage shows nothing.
_OWN_BREAK: Final = r"[\n\r]|<(?:h[1-6]|li|p|br|td|tr)\b|(?<!\S)(?:\#{1,6}|\||[-*+\u2022])(?=\s)"
_MARK_IN_LINE: Final = r"(?<=[^\n][ \t])(?:\#{1,6}|\||[-*+\u2022])(?=[ \t])"
_OWN_ROW: Final = r"(?i:[\n\r\t|]|<(?:tr|td|br)\b)"
#: A cell that ends with a sentence; what follows it is another one.
_SENTENCE_END: Final = r"[.!?:;\u3002\uff01\uff1f]['\")\]\u201d\u2019*_]{0,3}\s*\Z"
#: The last and first characters of two cells that may join, and what joins another number to one.
_LAST: Final = r"[^\s|<>]{1,12}\Z|[<>]\Z"
_FIRST: Final = r"[^\s|<>]{1,12}|[<>](?=\s)"
_GOES_ON: Final = r"[-/.,:^\u00d7\u00b1\u2212\u2013]?\d"
_CURRENCY_SIGNS: Final = frozenset("$\u20ac\u00a3\u00a5")
_MARKS: Final = " \t*_`\"'\u201c\u201d.,;:"
#: How far around the passage lines, and the rows of tables, are looked at.
_REACH: Final = 200
_ROW_REACH: Final = 400
_MOST_BORDERS: Final = 400


def layout_difference(quote: str, text: str, start: int, end: int) -> str | None:
    """Return why a passage of the quote's words is none of its quotes, or `None` if it is."""
    has_lines, has_tags = text.find("\n", start, end) >= 0, text.find("</", start, end) >= 0
    if (has_lines or has_tags) and _runs_into_block(quote, text, start, end):
        return BLOCK_DIFFERENCE
    if _may_have_borders(text, start, end, has_lines=has_lines, has_tags=has_tags) and (
        _joins_rows(quote, text, start, end) or _joins_cells(quote, text, start, end)
    ):
        return CELLS_DIFFERENCE
    return None


def _runs_into_block(quote: str, text: str, start: int, end: int) -> bool:
    """Whether a passage runs from one block into another, while the quote shows no break."""
    breaks = len(compiled(_OWN_BREAK).findall(quote))
    if breaks and breaks > len(compiled(_MARK_IN_LINE).findall(text, start, end)):
        return False
    # The bullet of the first item and the line below a heading are not part of the passage.
    low = text.rfind("\n", max(0, start - _REACH), start) + 1
    high = text.find("\n", end, end + _REACH)
    high = text.find("\n", high + 1, high + _REACH) if high >= 0 else -1
    high = min(len(text), end + _REACH) if high < 0 else high
    return any(
        start < found.start(found.lastgroup or 0) < end
        and not text[start : found.start(found.lastgroup or 0)].isspace()
        for pattern in (_BLOCK_IN_MARKDOWN, _BLOCK_IN_HTML)
        for found in compiled(pattern).finditer(text, low, high)
    )


def _may_have_borders(text: str, start: int, end: int, *, has_lines: bool, has_tags: bool) -> bool:
    """Whether a passage may have the border of a cell or item; most have none."""
    if has_tags or any(text.find(border, start, end) >= 0 for border in ("|", "   ", "\t")):
        return True
    return has_lines and (
        text.find("\t", max(0, start - _REACH), end + _REACH) >= 0
        or compiled(_NEXT_BLOCK).search(text, start, end) is not None
    )


def _joins_rows(quote: str, text: str, start: int, end: int) -> bool:
    """Whether a passage reaches from the middle of a row of a table into another row."""
    if compiled(_OWN_ROW).search(quote):
        return False
    has_border = any(
        border.end() <= end
        and (border["line"] is None or _has_equal_tabs(text, border.start("line")))
        and not compiled(_SENTENCE_END).search(text, max(start, border.start() - 8), border.start())
        for border in compiled(_BETWEEN_ROWS).finditer(
            text, start, min(len(text), end + _ROW_REACH)
        )
    )
    return has_border and not (_begins_row(text, start) and _ends_row(text, end))


def _has_equal_tabs(text: str, at: int) -> bool:
    """Whether the lines before and after a line break have as many columns."""
    head = text[max(0, at - _ROW_REACH) : at]
    tail = text[at + 1 : at + 1 + _ROW_REACH]
    return head[head.rfind("\n") + 1 :].count("\t") == tail.partition("\n")[0].count("\t")


def _begins_row(text: str, start: int) -> bool:
    head = text[max(0, start - _ROW_REACH) : start]
    row = max(head.rfind("\n"), head.lower().rfind("<tr"))
    before = re.sub(r"(?i)<[^<>]{0,300}>?|tr[^<>]{0,200}>", "", head[row + 1 :])
    return not before.replace("|", " ").strip(_MARKS)


def _ends_row(text: str, end: int) -> bool:
    tail = text[end : end + _ROW_REACH]
    stops = [at for at in (tail.find("\n"), tail.lower().find("</tr")) if at >= 0]
    after = re.sub(r"<[^<>]{0,300}>?", "", tail[: min(stops, default=len(tail))])
    return not after.replace("|", " ").strip(_MARKS)


def _joins_cells(quote: str, text: str, start: int, end: int) -> bool:
    """Whether a quote joins cells or items of its passage to one number, sign or word."""
    plain = " ".join(quote.split()).casefold()
    for count, border in enumerate(compiled(_BORDER).finditer(text, start, end)):
        if count >= _MOST_BORDERS:
            break
        if not compiled(_IS_BORDER).search(border[0]):
            continue
        left = compiled(_LAST).search(text, max(start, border.start() - 12), border.start())
        right = compiled(_FIRST).match(text, border.end(), end)
        if left is None or right is None:
            continue
        for joint in ("", " ", "-"):
            joined = f"{left[0]}{joint}{right[0]}"
            if joined.casefold() in plain and _is_one(left[0], joint, right[0]):
                return True
    return False


def _is_one(left: str, joint: str, right: str) -> bool:
    """Whether two texts make one number or word, or an amount in two cells, where joined."""
    if left[-1] in _CURRENCY_SIGNS or (left[-1].isdigit() and not compiled(_GOES_ON).match(right)):
        return False
    text = f" {left}{joint}{right} "
    at = 1 + len(left)
    return is_cut(text, 1, at) or is_cut(text, at + len(joint), len(text) - 1)


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
_REACH_MARK: Final = 32

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
            text[max(0, start - _REACH_MARK) : start]
        )
        if bullet is None or (_MINUS.match(quote) and not _DASH.match(bullet[1])):
            return None
    is_grade = not quote[-1:].isalnum() and _GRADE.search(quote[-_REACH_MARK:]) is not None
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
    if leads and not _NUMBER.match(text[start : start + _REACH_MARK].lstrip(_AT_START)):
        number_before = _NUMBER_BEFORE.search(text, max(0, start - _REACH_MARK), start)
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
    line = text.rfind("\n", max(0, start - _REACH_MARK), len(text[:start].rstrip(" \t"))) + 1
    before = _SIGN_BEFORE.search(text, max(line, start - _REACH_MARK), start)
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
