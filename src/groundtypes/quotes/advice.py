"""The passage that a message tells an LLM to copy: whole words that hold when they are copied."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from groundtypes.quotes.excerpts import EXCERPT_CHARACTERS, sentence_around
from groundtypes.quotes.turning_words import folded_words, languages_of, possible_languages

__all__ = ["advised_passage"]

#: A line that is empty, or on which another item, row or heading begins.
_NEW_BLOCK: Final = re.compile(
    r"\n\s{0,40}(?=\n)|\n\s{0,40}(?=[-*+\u2022\u2023\u25aa\u25cf|#>]|\d{1,3}[.)]\s)"
    r"|(?i:</?(?:li|p|td|th|tr|h[1-6]|div|ul|ol|table)\b[^<>]{0,200}>)"
)
#: What ends a sentence that asks.
_QUESTION: Final = re.compile(r"[?\uff1f\u061f\u037e]\W{0,3}\Z")
#: A passage is made longer by so many words on each side, until it holds.
_MOST_WORDS: Final = 4
#: In a script without spaces, a word is no longer than this.
_LONGEST_WORD: Final = 60
#: What may follow a word and is left out where a passage ends with the word.
_STOPS: Final = ".,;:\u3001\u3002\uff0c\uff1b\uff1a"


def advised_passage(
    text: str, start: int, end: int, holds: Callable[[str], bool]
) -> tuple[int, int] | None:
    """Return the bounds of a passage around a stretch of a text that can be copied as a quote.

    It has whole words, and the whole sentence where the rest of the sentence turns its meaning, as
    "no" and a question mark do. On one line it has at most 200 characters. `holds` says whether a
    text is a quote.

    Returns:
        Where the passage starts and ends, or `None` where none was found that holds.
    """
    for low, high in _candidates(text, start, end):
        passage = " ".join(text[low:high].split())
        if 0 < len(passage) <= EXCERPT_CHARACTERS and holds(passage):
            return low, high
    return None


def _candidates(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of passages, those that should be tried first before the others."""
    start, end = _in_one_block(text, start, end)
    words = _with_whole_words(text, start, end)
    sentence = _sentence(text, *words)
    if _is_turned(text, sentence, words):
        yield sentence
    yield words
    low, high = words
    for _ in range(_MOST_WORDS):
        longer = _with_whole_words(text, low, min(sentence[1], high + 1))
        longer = longer[0], max(longer[1], high)
        if longer[1] > high:
            high = longer[1]
            yield low, high
    for _ in range(_MOST_WORDS):
        if low > sentence[0]:
            low = _with_whole_words(text, low - 1, high)[0]
            yield low, high
    yield sentence


def _in_one_block(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the longest piece of a stretch that lies in one paragraph, item or cell."""
    pieces = []
    low = start
    for boundary in _NEW_BLOCK.finditer(text, start, end):
        pieces.append((low, boundary.start()))
        low = boundary.end()
    pieces.append((low, end))
    first, last = max(pieces, key=lambda piece: piece[1] - piece[0])
    while first < last and text[first].isspace():
        first += 1
    return first, last


def _with_whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a stretch together with the rest of the words that it begins and ends in."""
    floor, ceiling = max(0, start - _LONGEST_WORD), min(len(text), end + _LONGEST_WORD)
    while start < end and text[start].isspace():
        start += 1
    while start > floor and not text[start - 1].isspace():
        start -= 1
    if end > start and text[end - 1].isspace():
        while end < ceiling and text[end].isspace():
            end += 1
    whole = end
    while whole < ceiling and not text[whole].isspace():
        whole += 1
    while whole > end and text[whole - 1] in _STOPS:
        whole -= 1
    return start, whole


def _sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a stretch with the rest of its sentence, within its paragraph, item or cell."""
    low, high = sentence_around(text, start, end, EXCERPT_CHARACTERS)
    before = [boundary.end() for boundary in _NEW_BLOCK.finditer(text, low, start)]
    after = _NEW_BLOCK.search(text, end, high)
    return (before[-1] if before else low), (after.start() if after else high)


def _is_turned(text: str, sentence: tuple[int, int], words: tuple[int, int]) -> bool:
    """Whether the rest of a sentence turns the meaning of some of its words."""
    whole = text[slice(*sentence)]
    if _QUESTION.search(whole.rstrip()):
        return True
    folded = folded_words(whole)
    rest = f"{text[sentence[0] : words[0]]} {text[words[1] : sentence[1]]}"
    hidden = folded_words(rest)
    if not hidden.strip():
        return False
    languages = languages_of(hidden, folded, folded) or possible_languages(hidden, folded)
    return any(language.find("turns", hidden) for language in languages)
