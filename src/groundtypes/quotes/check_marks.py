"""Ticks, crosses and boxes, which say yes or no: a search skips them as bullets of a list.

A quote may leave them out, but it may neither turn a cross or an empty box into a tick nor add a
mark of its own where the text has another one.
"""

import re
from typing import Final

__all__ = ["differ_in_check_marks"]

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
        own = own[-len(marks) :]
    if not own:
        # A tick or picture before an item may be the quote's bullet, a box is a statement.
        return any(_IS_BOX in mark for mark in marks)
    return len(own) != len(marks) or not all(
        (one & other) - {_IS_BOX} for one, other in zip(own, marks, strict=True)
    )


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
