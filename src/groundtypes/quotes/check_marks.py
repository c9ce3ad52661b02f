"""Ticks, crosses and boxes, which say yes or no: a search skips them as bullets of a list.

A quote may leave them out, but it may neither turn a cross or an empty box into a tick nor add a
mark of its own where the text has another one.
"""

import re
from typing import Final

__all__ = ["differ_in_check_marks", "takes_mark_of_other_item"]

_TICKS: Final = "\u2713\u2714\u2705\U0001f5f8"
_CHECKED_BOXES: Final = "\u2611\U0001f5f9"
_CROSSES: Final = "\u2717\u2718\u274c\u274e\u2715\u2716\U0001f5d9\u26d4\U0001f6ab"
_CROSSED_BOXES: Final = "\u2612\U0001f5f7"
_EMPTY_BOXES: Final = "\u2610\u25a2\u2b1c\u25fb"
#: What each mark says; a box of Markdown with an x looks like a crossed and like a checked one.
_MEANINGS: Final = {
    **dict.fromkeys(_TICKS, "yes"),
    **dict.fromkeys(_CHECKED_BOXES, "yes"),
    **dict.fromkeys(_CROSSES, "no"),
    **dict.fromkeys(_CROSSED_BOXES, "crossed"),
    **dict.fromkeys(_EMPTY_BOXES, "empty"),
}
#: Pictures before an item of which each means something else, and that are no usual bullets.
_PICTURES: Final = (
    "\u2190-\u2199\u21d0-\u21d9\u2600-\u260f\u2613-\u266f\u2680-\u2712\u2719-\u274b\u2753-\u2793\u2b05-\u2b07\u2b50"
    "\U0001f300-\U0001f5f6\U0001f600-\U0001faff"
)
_BOX: Final = (
    r"(?:(?<=\n)|\A|(?<=[-*+\u2022|]\s)|(?<=\d[.)]\s))[ \t]{0,8}"
    r"\[(?P<box>[ xX\u2713\u2714\u2717\u2718])\](?=\s)"
)
_MARK: Final = re.compile(
    rf"{_BOX}|(?P<mark>[{_TICKS}{_CHECKED_BOXES}{_CROSSES}{_CROSSED_BOXES}{_EMPTY_BOXES}])"
    rf"|(?:(?<=\n)|\A)[ \t>*+-]{{0,8}}(?P<picture>[{_PICTURES}])"
)
#: What every mark has; most quotes have none, which this shows quickly.
_MAY_HAVE_MARKS: Final = re.compile("[\\[\u2190-\u2bff\U0001f300-\U0001faff]")
_BEFORE: Final = re.compile(rf"(?:{_BOX}|[^\w\s.,;:!?()\[\]{{}}\"'|])\ufe0f?[\s*_>]{{1,4}}\Z")
_REACH: Final = 12
_ANY_MARK: Final = (
    rf"(?:[{_TICKS}{_CHECKED_BOXES}{_CROSSES}{_CROSSED_BOXES}{_EMPTY_BOXES}]\ufe0f?"
    r"|\[[ xX]\](?!\())"
)
_MARK_AT_END: Final = re.compile(rf"{_ANY_MARK}\Z")
_MARK_AT_START: Final = re.compile(_ANY_MARK)
#: A mark at the start of a line, perhaps behind a bullet, and one at its end.
_LEADING_MARK: Final = re.compile(rf"[\s>|*+-]{{0,8}}{_ANY_MARK}")
_TRAILING_MARK: Final = re.compile(rf"\w.{{0,8}}{_ANY_MARK}[\s|.,;]{{0,4}}\Z")
#: The words of an item behind its mark.
_ITEM: Final = re.compile(r"[ \t*_]{0,4}\w")
_BETWEEN_ITEMS: Final = " \t\r\n|*+->"
#: Marks a box that is written with brackets.
_IS_BOX: Final = "box"


def differ_in_check_marks(quote: str, text: str, start: int, end: int) -> bool:
    """Whether a quote has a tick, box or picture where the passage has another or none."""
    if (quote.isascii() and "[" not in quote) or not _MAY_HAVE_MARKS.search(quote):
        return False
    marks = _marks(quote)
    if not marks:
        return False
    lead = text[max(0, start - _REACH) : start]
    if "\n" in lead.rstrip():
        lead = lead[lead.rstrip().rfind("\n") + 1 :]
    before = _BEFORE.search(lead)
    first = start - len(lead) + before.start() if before else start
    own = _marks(text[first:end])
    if len(own) > len(marks) and before:
        left_out, kept = own[-len(marks) - 1], own[-len(marks)]
        if "\n" not in quote and not (left_out & kept or _MARK_AT_START.match(quote.lstrip())):
            return True  # the second item's mark would seem to be that of the first one
        own = own[-len(marks) :]
    if not own:
        # A tick or picture before an item may be the quote's bullet, a box is a statement.
        return any(_IS_BOX in mark for mark in marks)
    return len(own) != len(marks) or not all(
        (one & other) - {_IS_BOX} for one, other in zip(own, marks, strict=True)
    )


def takes_mark_of_other_item(text: str, start: int, end: int) -> bool:
    """Whether a passage ends with the mark of the next item, or begins with that of the last one.

    Where a tick stands on the line below "Parking", before "Breakfast", it says nothing of parking.
    """
    if not (_may_be_mark(text[end - 1]) or _may_be_mark(text[start])):
        return False
    last = _MARK_AT_END.search(text, max(start, end - len("[x]\ufe0f")), end)
    if last is not None and last.start() > start:
        line = text.rfind("\n", 0, last.start()) + 1
        leads = _LEADING_MARK.match(text, line)
        if leads and _ITEM.match(text, end) and text[start : last.start()].strip(_BETWEEN_ITEMS):
            return True
    first = _MARK_AT_START.match(text, start)
    if first is not None and first.end() < end:
        stop = text.find("\n", first.end())
        whole = text[text.rfind("\n", 0, start) + 1 : stop if stop >= 0 else len(text)]
        if _TRAILING_MARK.search(whole) and not _LEADING_MARK.match(whole):
            return True
    return False


def _may_be_mark(character: str) -> bool:
    return not character.isascii() or character in "[]"


def _marks(text: str) -> list[frozenset[str]]:
    """Return for each mark what it may say."""
    marks = []
    for match in _MARK.finditer(text):
        if match["box"]:
            sign = match["box"]
            meanings = {" ": {"empty"}, "x": {"yes", "crossed"}}.get(sign.lower())
            marks.append(frozenset((meanings or {_MEANINGS[sign]}) | {_IS_BOX}))
        elif match["mark"]:
            marks.append(frozenset((_MEANINGS[match["mark"]],)))
        else:
            marks.append(frozenset((match["picture"],)))
    return marks
