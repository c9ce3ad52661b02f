"""Text that is struck out: it stands in a reference, but the reference does not say it."""

import re
from collections.abc import Iterator
from typing import Final

__all__ = ["has_striking_style", "is_element_without_end", "is_struck_out"]

#: How far around a passage the marks that strike it out are looked for.
_REACH: Final = 5_000
_MARK: Final = re.compile(
    r"(?i)(?P<tildes>(?<!~)~~(?!~))|<(?P<tag>/?(?:del|strike|s))(?:\s[^<>]{0,300})?>"
    r"|(?P<command>\\(?:sout|st)\{)|(?P<brace>\})"
)
#: An attribute of a tag that strikes out its element: a style, or the class of that name that
#: frameworks for style sheets have.
_STYLE: Final = re.compile(
    r"(?i)\sstyle\s{0,3}=[^<>]{0,300}?text-decoration(?:-line)?\s{0,3}:[^;<>]{0,60}line-through"
    r"|\sclass\s{0,3}=\s{0,3}[\"']?(?:[^\"'<>]{0,200}\s)?line-through(?![\w:-])"
)
_TAG: Final = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z][A-Za-z0-9]{0,15})(?P<rest>[^<>]{0,500})>")
_EMPTY_ELEMENTS: Final = frozenset("br hr img input wbr col".split())
#: The character that every mark has, and what is in every stretch that is struck out with it.
#: Single characters are found fastest.
_SIGNS: Final = (
    ("~", re.compile("~~")),
    ("<", re.compile("</[dDsS](?i:el|trike)?[\\s>]")),
    ("\\", re.compile(r"\\(?:sout|st)\{")),
    ("<", re.compile("[lL](?:ine-through|INE-THROUGH)")),
)


def is_struck_out(text: str, start: int, end: int, quote: str) -> bool:
    """Whether a passage begins or ends in what is struck out, while the quote does not show it.

    A quote shows it by both marks, before and behind the words.

    What is struck out between its ends is left to the comparison of tokens.
    """
    low, high = max(0, start - _REACH), min(len(text), end + _REACH)
    for sign, pattern in _SIGNS:
        if text.find(sign, low, high) >= 0 and pattern.search(text, low, high):
            break
    else:
        return False
    is_shown = any(True for _ in _stretches(quote, 0, len(quote)))
    return not is_shown and any(
        first <= start < last or first < end <= last for first, last in _stretches(text, low, high)
    )


def has_striking_style(tag: str) -> bool:
    """Whether a tag of HTML says by its style that what it holds is struck out."""
    return "line-through" in tag.lower() and _STYLE.search(tag) is not None


def is_element_without_end(name: str) -> bool:
    """Whether an element of HTML holds nothing and has no end tag."""
    return name in _EMPTY_ELEMENTS


def _stretches(text: str, low: int, high: int) -> Iterator[tuple[int, int]]:
    """Yield where each stretch begins and ends that is struck out."""
    yield from _stretches_of_marks(text, low, high)
    if _SIGNS[-1][1].search(text, low, high):
        yield from _stretches_of_styles(text, low, high)


def _stretches_of_styles(text: str, low: int, high: int) -> Iterator[tuple[int, int]]:
    """Yield the stretches inside of elements whose style strikes them out."""
    name, start, depth = "", 0, 0
    for tag in _TAG.finditer(text, low, high):
        if not depth:
            if not tag["end"] and has_striking_style(tag["rest"]):
                name, start, depth = tag["name"].lower(), tag.end(), 1
                depth -= is_element_without_end(name)
        elif tag["name"].lower() == name:
            depth += -1 if tag["end"] else 1
            if not depth:
                yield start, tag.start()


def _stretches_of_marks(text: str, low: int, high: int) -> Iterator[tuple[int, int]]:
    """Yield where each stretch begins and ends that is struck out."""
    opened: dict[str, int] = {}
    for mark in _MARK.finditer(text, low, high):
        if mark["tildes"]:
            if "~~" in opened:
                yield opened.pop("~~"), mark.start()
            elif not text[mark.end() : mark.end() + 1].isspace():
                opened["~~"] = mark.end()
        elif mark["tag"]:
            name = mark["tag"].lower()
            if name[0] != "/":
                opened[name] = mark.end()
            elif name[1:] in opened:
                yield opened.pop(name[1:]), mark.start()
        elif mark["command"]:
            opened["{"] = mark.end()
        elif "{" in opened:
            yield opened.pop("{"), mark.start()
