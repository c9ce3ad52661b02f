"""Text that is struck out: it stands in a reference, but the reference does not say it."""

import re
from collections.abc import Iterator
from typing import Final

#: How far around a passage the marks that strike it out are looked for.
_REACH: Final = 5_000
_MARK: Final = re.compile(
    r"(?i)(?P<tildes>(?<!~)~~(?!~))|<(?P<tag>/?(?:del|strike|s))(?:\s[^<>]{0,300})?>"
    r"|(?P<command>\\(?:sout|st)\{)|(?P<brace>\})"
)
#: The character that every mark has, and what is in every stretch that is struck out with it.
#: Single characters are found fastest.
_SIGNS: Final = (("~", "~~"), ("<", "</"), ("\\", "\\s"))


def is_struck_out(text: str, start: int, end: int, quote: str) -> bool:
    """Whether a passage begins or ends in what is struck out, while the quote does not show it.

    A quote shows it by both marks, before and behind the words. What is struck out between its ends
    is left to the comparison of tokens.
    """
    low, high = max(0, start - _REACH), min(len(text), end + _REACH)
    for sign, mark in _SIGNS:
        if text.find(sign, low, high) >= 0 and text.find(mark, low, high) >= 0:
            break
    else:
        return False
    is_cut = any(
        first <= start < last or first < end <= last for first, last in _stretches(text, low, high)
    )
    return is_cut and not any(True for _ in _stretches(quote, 0, len(quote)))


def _stretches(text: str, low: int, high: int) -> Iterator[tuple[int, int]]:
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
