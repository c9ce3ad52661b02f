"""The opening of an answer: its first three sentences, where it says that it will not or cannot.

Only the beginning of the text is read, so that ten megabytes cost as much as three sentences.
"""

import re
from typing import Final

#: How many characters an opening has at most, and how many sentences that of a longer text.
_MAX_CHARACTERS: Final = 700
_MAX_SENTENCES: Final = 3
#: A text up to this length, in characters, is its own opening.
_WHOLE_OPENING: Final = 300
#: A sentence of fewer characters joins the next one: "I'm sorry." says little alone.
_MIN_SENTENCE: Final = 20
#: The end of a sentence. It begins with a single set of characters, which is fast to search for.
_SENTENCE_ENDS: Final = re.compile(
    r"""[.!?\u2026\u3002\uff01\uff1f\u0964\u061f\u06d4\n](?:
        (?<=[.!?\u2026])[.!?\u2026]*["'\u2019\u201d)\]*_]*(?=\s)
        |(?<=[\u3002\uff01\uff1f\u0964\u061f\u06d4])[\u3002\uff01\uff1f\u0964\u061f\u06d4]*
        |(?<=\n)\s*(?:\n|(?=[-*\u2022#>]|\d{1,2}[.)]))
    )""",
    re.VERBOSE,
)
#: Abbreviations and list numbers, whose full stop does not end a sentence. A single letter is one.
_ABBREVIATED: Final = frozenset("mr mrs ms dr prof st vs no fig al approx".split())
_ABBREVIATION: Final = re.compile(
    rf"(?:\b(?:[a-z]|{'|'.join(sorted(_ABBREVIATED))}|e\.g|i\.e|u\.s)|(?:^|\s)\d{{1,3}})\.$",
    re.IGNORECASE,
)
_NO_SPACE: Final = re.compile(r"\S")
#: The length of the part before a full stop that is searched for an abbreviation.
_ABBREVIATION_WINDOW: Final = 12


def opening_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans of the first three sentences of a text; of a short text, of all sentences.

    The spans are half open, in code points, without white space at either end. Nothing beyond the
    first 700 characters is read.
    """
    first = _NO_SPACE.search(text)
    if first is None:
        return []
    start = first.start()
    limit = min(len(text), start + _MAX_CHARACTERS)
    max_sentences = None if len(text) - start <= _WHOLE_OPENING else _MAX_SENTENCES
    spans: list[tuple[int, int]] = []
    for match in _SENTENCE_ENDS.finditer(text, start, limit):
        end = match.end()
        if end - start < _MIN_SENTENCE or _ends_in_abbreviation(text, start, end):
            continue
        start = _add_sentence(spans, text, start, end, limit)
        if len(spans) == max_sentences:
            return spans
    _add_sentence(spans, text, start, limit, limit)
    return spans


def _ends_in_abbreviation(text: str, start: int, end: int) -> bool:
    """Return whether the part of a text ends in an abbreviation; a whole word needs no pattern."""
    word = text[max(start, text.rfind(" ", start, end) + 1) : end - 1]
    if len(word) > 1 and word.isalpha():
        return word.lower() in _ABBREVIATED and text[end - 1] == "."
    window = text[max(start, end - _ABBREVIATION_WINDOW) : end]
    return _ABBREVIATION.search(window) is not None


def _add_sentence(spans: list[tuple[int, int]], text: str, start: int, end: int, limit: int) -> int:
    """Append the span of a sentence without trailing white space; return where the next begins."""
    sentence = text[start:end].rstrip()
    if sentence:
        spans.append((start, start + len(sentence)))
    following = _NO_SPACE.search(text, end, limit)
    return limit if following is None else following.start()
