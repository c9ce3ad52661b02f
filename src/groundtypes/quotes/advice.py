"""The passage that a message tells an LLM to copy: whole words that hold when they are copied.

A passage is cut out of the reference, at most 200 characters of it, and only the white space in it
is changed, so that it stands on one line. Candidates are tried until one is itself a quote that
holds; where none does, nothing is advised.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from groundtypes.quotes.boundaries import is_cut
from groundtypes.quotes.excerpts import EXCERPT_CHARACTERS, sentence_around
from groundtypes.quotes.passage_windows import Windows
from groundtypes.quotes.turning_words import folded_words, languages_of, possible_languages
from groundtypes.quotes.word_limits import WordLimits

__all__ = ["Advice", "Stretch"]

#: A line that is empty, or on which another item, row or heading begins; and what no message shows.
_NEW_BLOCK: Final = re.compile(
    r"\n\s{0,40}(?=\n)|\n\s{0,40}(?=[-*+\u2022\u2023\u25aa\u25cf|#>]|\d{1,3}[.)]\s)"
    r"|(?i:</?(?:li|p|td|th|tr|h[1-6]|div|ul|ol|table)\b[^<>]{0,200}>)"
    "|[\ud800-\udfff]+"
)
_LINE: Final = re.compile(r"[^\n\ud800-\udfff]+")
_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")
#: What ends a sentence that asks.
_QUESTION: Final = re.compile(r"[?\uff1f\u061f\u037e]\W{0,3}\Z")
#: A passage is made longer by so many words on each side, until it holds.
_MOST_WORDS: Final = 4
#: A longer word is none that a passage is widened to.
_LONGEST_WORD: Final = 60
#: What may follow a word and is left out where a passage ends with the word.
_STOPS: Final = ".,;:\u3001\u3002\uff0c\uff1b\uff1a"
#: Where a passage in a script without spaces may begin and end.
_SPACELESS_STOPS: Final = frozenset("\u3002\uff0c\u3001\uff1b\uff1a\uff01\uff1f")
#: The end of a sentence is looked for within so many characters.
_LONGEST_SENTENCE: Final = 1_000
#: So many candidates are searched for at most.
_MOST_TESTS: Final = 24


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of a text about which a message speaks, and the part of it that matters most.

    Attributes:
        text: The whole text.
        start: Where the stretch starts.
        end: Where it ends.
        focus: Where what differs starts and ends, if this is known.
    """

    text: str
    start: int
    end: int
    focus: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Advice:
    """What passages can be advised.

    Attributes:
        holds: Whether a text is a quote that is accepted.
        limits: How many words it may have.
    """

    holds: Callable[[str], bool]
    limits: WordLimits

    def passage(self, stretch: Stretch, *, whole_sentence: bool = False) -> str | None:
        """Return a passage around a stretch of a text that can be copied as a quote, on one line.

        It has whole words, and the whole sentence where the rest of the sentence turns its meaning,
        as "no" and a question mark do, or where `whole_sentence` is set. Of a long stretch it has
        what is around the focus.

        Returns:
            The passage, or `None` where none was found that holds.
        """
        text = stretch.text
        tried: set[tuple[int, int]] = set()
        tests = 0
        for low, high in self._candidates(stretch, whole_sentence=whole_sentence):
            if (low, high) in tried or low >= high:
                continue
            tried.add((low, high))
            passage = " ".join(text[low:high].split())
            if (
                not 0 < len(passage) <= EXCERPT_CHARACTERS
                or _LONE_SURROGATE.search(passage)
                or is_cut(text, low, high)
            ):
                continue
            if self.holds(passage):
                return passage
            tests += 1
            if tests == _MOST_TESTS:
                break
        return None

    def _candidates(self, stretch: Stretch, *, whole_sentence: bool) -> Iterator[tuple[int, int]]:
        """Yield the bounds of passages, those that should be tried first before the others."""
        text = stretch.text
        start, end = _block(stretch)
        words = _with_whole_words(text, start, end)
        reach = _LONGEST_SENTENCE if whole_sentence else EXCERPT_CHARACTERS
        sentence = _sentence(text, *words, reach)
        focus = _inside(stretch.focus, *words)
        is_short = words[1] - words[0] <= EXCERPT_CHARACTERS
        if whole_sentence or (is_short and _is_turned(text, sentence, words)):
            yield sentence
        if is_short and not whole_sentence:
            yield from _longer(text, words, sentence)
        wanted = sentence if whole_sentence else words
        windows = Windows(text, wanted, focus, EXCERPT_CHARACTERS, self.limits.most)
        yield from windows.candidates()
        if whole_sentence:
            yield from _longer(text, words, sentence)
        yield from _lines(text, *_inside(stretch.focus, start, end))


def _longer(
    text: str, words: tuple[int, int], sentence: tuple[int, int]
) -> Iterator[tuple[int, int]]:
    """Yield the bounds of some words, of these and the next words, and of their sentence."""
    yield words
    low, high = words
    for _ in range(_MOST_WORDS):
        longer = _with_whole_words(text, low, min(sentence[1], high + 1))[1]
        if longer > high:
            high = longer
            yield low, high
    for _ in range(_MOST_WORDS):
        if low > sentence[0]:
            low = _with_whole_words(text, low - 1, high)[0]
            yield low, high
    yield sentence


def _block(stretch: Stretch) -> tuple[int, int]:
    """Return the piece of a stretch that lies in one paragraph, item or cell.

    It is the one with what differs, else the longest.
    """
    text = stretch.text
    pieces = []
    low = stretch.start
    for boundary in _NEW_BLOCK.finditer(text, stretch.start, stretch.end):
        pieces.append((low, boundary.start()))
        low = boundary.end()
    pieces.append((low, stretch.end))
    longest = max(pieces, key=lambda piece: piece[1] - piece[0])
    at = stretch.focus[0] if stretch.focus else longest[0]
    chosen = next((piece for piece in pieces if piece[0] <= at < piece[1]), longest)
    return _stripped(text, *chosen)


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _inside(focus: tuple[int, int] | None, start: int, end: int) -> tuple[int, int]:
    """Return what matters most of a stretch: without a focus, its start."""
    if focus is None or not start <= focus[0] < end:
        return start, start
    return focus[0], min(focus[1], end)


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of the line that an offset is on, such as the row of a table."""
    low = max(0, start - EXCERPT_CHARACTERS)
    for line in _LINE.finditer(text, low, min(len(text), end + EXCERPT_CHARACTERS)):
        if line.start() <= start <= line.end():
            yield _stripped(text, line.start(), line.end())


def _ends_word(text: str, at: int) -> bool:
    """Whether a word ends before this character: white space, or a stop between spaceless words."""
    if text[at].isspace():
        return True
    return text[at] in _SPACELESS_STOPS and not (at > 0 and text[at - 1].isdecimal())


def _with_whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a stretch together with the rest of the words that it begins and ends in."""
    floor, ceiling = max(0, start - _LONGEST_WORD), min(len(text), end + _LONGEST_WORD)
    while start < end and text[start].isspace():
        start += 1
    while start > floor and not _ends_word(text, start - 1):
        start -= 1
    if end > start and text[end - 1].isspace():
        while end < ceiling and text[end].isspace():
            end += 1
    whole = end
    while whole < ceiling and not _ends_word(text, whole):
        whole += 1
    while whole > end and text[whole - 1] in _STOPS:
        whole -= 1
    return start, whole


def _sentence(text: str, start: int, end: int, reach: int) -> tuple[int, int]:
    """Return a stretch with the rest of its sentence, within its paragraph, item or cell."""
    low, high = sentence_around(text, start, end, reach)
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
