"""The head of an answer: its first three sentences, where it says that it will not or cannot.

It is found without cutting the whole text, so that ten megabytes cost as much as three sentences.
"""

import re
from typing import Final

__all__ = ["head_spans"]

_SENTENCES: Final = 3
#: A text of so many characters is read as a whole.
_SHORT: Final = 300
#: More than this is not read of three sentences.
_LONGEST: Final = 700
#: A sentence of fewer characters joins the next one: "I'm sorry." says little alone.
_LEAST: Final = 20
#: One set of characters begins each end, which the regex engine looks for fast.
_ENDS: Final = re.compile(
    r"""[.!?\u2026\u3002\uff01\uff1f\u0964\u061f\u06d4\n](?:
        (?<=[.!?\u2026])[.!?\u2026]*["'\u2019\u201d)\]*_]*(?=\s)
        |(?<=[\u3002\uff01\uff1f\u0964\u061f\u06d4])[\u3002\uff01\uff1f\u0964\u061f\u06d4]*
        |(?<=\n)\s*(?:\n|(?=[-*\u2022#>]|\d{1,2}[.)]))
    )""",
    re.VERBOSE,
)
#: What ends with a full stop and ends no sentence.
_SHORTENED: Final = re.compile(
    r"(?:\b(?:[a-z]|mr|mrs|ms|dr|prof|st|vs|no|fig|al|approx|e\.g|i\.e|u\.s)|(?:^|\s)\d{1,3})\.$",
    re.IGNORECASE,
)
_NO_SPACE: Final = re.compile(r"\S")
_REACH: Final = 12


def head_spans(text: str) -> list[tuple[int, int]]:
    """Return where the first three sentences of a text stand; of a short text, all of them.

    The spans are half open, in code points, and begin and end with no white space. Of what is
    longer than 700 characters only those are read.
    """
    first = _NO_SPACE.search(text)
    if first is None:
        return []
    start = first.start()
    limit = min(len(text), start + _LONGEST)
    most = None if len(text) - start <= _SHORT else _SENTENCES
    spans: list[tuple[int, int]] = []
    for match in _ENDS.finditer(text, start, limit):
        end = match.end()
        if end - start < _LEAST or _SHORTENED.search(text[max(start, end - _REACH) : end]):
            continue
        start = _add(spans, text, start, end, limit)
        if len(spans) == most:
            return spans
    _add(spans, text, start, limit, limit)
    return spans


def _add(spans: list[tuple[int, int]], text: str, start: int, end: int, limit: int) -> int:
    """Append a sentence without the white space around it; return where the next one begins."""
    words = text[start:end].rstrip()
    if words:
        spans.append((start, start + len(words)))
    following = _NO_SPACE.search(text, end, limit)
    return limit if following is None else following.start()
