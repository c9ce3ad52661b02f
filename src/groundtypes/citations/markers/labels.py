"""The labels inside of a marker: "1, 3-5" names four sources, "guide.pdf, p. 3" one."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Final

from groundtypes.text.characters import INVISIBLE

#: A longer text is no label.
MAX_LABEL: Final = 500
#: A range of more numbers is not expanded.
_MAX_RANGE: Final = 100
NUMBER: Final = re.compile(r"[0-9]{1,9}")
_DASH: Final = "\u2010-\u2015\u2212-"
_RANGE: Final = re.compile(
    rf"(?P<first>[0-9]{{1,40}}) ?(?:[{_DASH}]|to|bis|\.\.) ?(?P<last>[0-9]{{1,40}})"
)
_SEPARATOR: Final = re.compile(
    r"[,;|\u060c\u061b\u3001\uff0c\uff1b]|\s(?:&|and|und|et|y|e|og|och|en)\s"
)
_NUMBERS: Final = re.compile(r"[0-9]{1,3}(?: [0-9]{1,3}){1,250}")
_KIND: Final = (
    r"(?:pp?|pgs?|pages?|seiten?|p\u00e1gs?|chap|ch|chapters?|kap|kapitel|secs?|sections?|abs|"
    r"para|paras|paragraphs?|lines?|ll?|figs?|figures?|tables?|tab|arts?|articles?|vol|slides?|rows?|"
    r"sheets?|appendix|s)"
)
_PLACE: Final = (
    rf"[0-9ivxlc]{{1,8}}[a-z]?(?: ?[{_DASH}] ?(?:{_KIND}\.? ?)?[0-9ivxlc]{{1,8}})?(?: ?ff?\.?)?"
)
_LOCATOR: Final = re.compile(
    rf"(?:{_KIND}\b\.?|[\u00a7\u00b6]{{1,2}}|{_KIND}(?=[0-9])) ?{_PLACE}", re.IGNORECASE
)
#: A place behind a name without a comma: "guide.pdf p. 3", "guide.pdf#page=3", "guide.pdf:12".
_TRAILING: Final = re.compile(
    rf" {{0,2}}(?:\((?:{_KIND}\b\.?|\u00a7) ?{_PLACE}\)| (?:{_KIND}\b\.?|\u00a7) ?{_PLACE}"
    rf"|#[\w=&.-]{{1,60}}|: ?[0-9]{{1,6}}(?:[{_DASH}][0-9]{{1,6}})?)\Z",
    re.IGNORECASE,
)
_EDGES: Final = " \t\r\n\u00a0\"'`\u201c\u201d\u2018\u2019\u00ab\u00bb@#\\"


def clean_label(text: str) -> str:
    """Return a label without what is invisible and the quotation marks around it, on one line.

    Digits of other scripts are those of ASCII.
    """
    return on_one_line(text).strip(_EDGES)


def on_one_line(text: str) -> str:
    """Return a label as it is written, without what is invisible, on one line."""
    if not text.isascii():
        text = INVISIBLE.sub("", text)
        text = "".join(
            str(unicodedata.decimal(character)) if character.isdecimal() else character
            for character in text
        )
    return " ".join(text.split())


def parts_of(content: str, clean: Callable[[str], str] = clean_label) -> list[str]:
    """Return the parts of a marker between its commas and the like.

    Args:
        content: The text of the marker.
        clean: What makes a label of a part.
    """
    parts = [clean(part) for part in _SEPARATOR.split(content)]
    return [
        label for part in parts for label in (part.split() if _NUMBERS.fullmatch(part) else (part,))
    ]


def range_of(part: str) -> Iterator[str] | None:
    """Return the numbers of a range such as "1-3", or `None` if it is none that ascends.

    Of a range of more than 100 numbers only the ends.
    """
    found = _RANGE.fullmatch(part)
    if found is None:
        return None
    first, last = int(found["first"]), int(found["last"])
    if first >= last:
        return None
    if last - first >= _MAX_RANGE:
        return iter((str(first), str(last)))
    return map(str, range(first, last + 1))


def is_locator(part: str) -> bool:
    """Whether a part names no source but a place in one: "p. 3", "section 2"."""
    return _LOCATOR.fullmatch(part) is not None


def without_locator(part: str) -> str:
    """Return a name without the place behind it: "guide.pdf" of "guide.pdf p. 3"."""
    found = _TRAILING.search(part[-80:])
    return part[: len(part) - len(found[0])].rstrip() if found else part
