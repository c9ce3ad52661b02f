"""The passage that a message tells an LLM to copy: whole words that hold when they are copied.

A passage is cut out of the reference, at most 200 characters of it, and only the white space in it
is changed, so that it stands on one line. Candidates are tried until one is itself a quote that
holds; where none does, nothing is advised.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Final

from groundtypes.quotes.boundaries import is_cut
from groundtypes.quotes.turning_words import folded_words, languages_of, possible_languages
from groundtypes.quotes.word_limits import WordLimits, count_words
from groundtypes.text.characters import MARKS, SPACELESS

#: The most characters of a passage in a message.
EXCERPT_CHARACTERS: Final = 200
#: A line that is empty, or on which another item, row or heading begins; and what no message shows.
_NEW_BLOCK: Final = re.compile(
    r"\n\s{0,40}(?=\n)|\n\s{0,40}(?=[-*+\u2022\u2023\u25aa\u25cf|#>]|\d{1,3}[.)]\s)"
    r"|(?i:</?(?:li|p|td|th|tr|h[1-6]|div|ul|ol|table)\b[^<>]{0,200}>)"
    "|[\ud800-\udfff]+"
)
#: A simple pattern: a missed or an extra boundary only makes a passage longer or shorter.
_SENTENCE_END: Final = re.compile(r"[.!?][\"'\u201d\u2019)\]]{0,3}\s|\n\s*\n|[\u3002\uff01\uff1f]")
_LONGEST_SENTENCE: Final = 1_000
_LINE: Final = re.compile(r"[^\n\ud800-\udfff]+")
_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")
#: What ends a sentence that asks.
_QUESTION: Final = re.compile(r"[?\uff1f\u061f\u037e]\W{0,3}\Z")
#: What may follow a word and is left out where a passage ends with the word.
_STOPS: Final = ".,;:\u3001\u3002\uff0c\uff1b\uff1a"
_WORD: Final = re.compile(r"[^\s\ud800-\udfff]+")
_HAS_SPACELESS: Final = re.compile(f"[{SPACELESS}]")
#: In a script without spaces, a passage may begin and end with a clause, else with a character.
_CLAUSE: Final = re.compile(
    r"[^\u3002\uff0c\u3001\uff1b\uff1a\uff01\uff1f]{1,40}[\u3002\uff0c\u3001\uff1b\uff1a\uff01\uff1f]+"
)
_CLAUSE_CHARACTERS: Final = 30
_CHARACTER: Final = re.compile(f"[{SPACELESS}][{MARKS}]*|[^{SPACELESS}]+")
#: So many characters around what differs are read: a passage may have to begin or end outside of
#: the stretch, with the sign or unit of a number.
_REACH: Final = 260
_BESIDE: Final = 90
#: The bounds of the first passage are moved by so many words each.
_MOVES: Final = 6
#: So many candidates near the first one are tried before the whole sentence and the line.
_NEAREST: Final = 12
#: So many candidates are searched for at most.
_MOST_TESTS: Final = 24

_Bounds = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of a text about which a message speaks; the focus is the part that differs."""

    text: str
    start: int
    end: int
    focus: _Bounds | None = None


@dataclass(frozen=True, slots=True)
class Advice:
    """What can be advised: passages that hold as quotes, with so many words."""

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
        candidates = dict.fromkeys(self._candidates(stretch, whole_sentence=whole_sentence))
        shown = (self._shown(stretch.text, *bounds) for bounds in candidates)
        passages = islice(filter(None, shown), _MOST_TESTS)
        return next((passage for passage in passages if self.holds(passage)), None)

    @staticmethod
    def _shown(text: str, low: int, high: int) -> str | None:
        """Return a passage on one line, or `None` if it is too long or cuts something."""
        passage = " ".join(text[low:high].split())
        is_good = (
            0 < len(passage) <= EXCERPT_CHARACTERS
            and not _LONE_SURROGATE.search(passage)
            and not is_cut(text, low, high)
        )
        return passage if is_good else None

    def _candidates(self, stretch: Stretch, *, whole_sentence: bool) -> Iterator[_Bounds]:
        """Yield the bounds of passages, those that should be tried first before the others."""
        text = stretch.text
        block = _block(stretch)
        reach = _LONGEST_SENTENCE if whole_sentence else EXCERPT_CHARACTERS
        sentence = _sentence(text, *block, reach)
        focus = stretch.focus
        if focus is None or not block[0] <= focus[0] < block[1]:
            focus = (block[0], block[0])
        wanted = sentence if whole_sentence else block
        windows = _windows(text, wanted, focus, self.limits.most)
        nearest = list(islice(windows, _NEAREST))
        if whole_sentence or (nearest and _is_turned(text, sentence, nearest[0])):
            yield sentence
        yield from nearest
        yield sentence
        low = max(0, focus[0] - EXCERPT_CHARACTERS)
        for line in _LINE.finditer(text, low, min(len(text), focus[1] + EXCERPT_CHARACTERS)):
            if line.start() <= focus[0] <= line.end():
                yield _stripped(text, *line.span())
        yield from windows


def _block(stretch: Stretch) -> _Bounds:
    """Return the piece in one paragraph, item or cell: with what differs, else the longest."""
    text = stretch.text
    pieces = []
    low = stretch.start
    for boundary in _NEW_BLOCK.finditer(text, stretch.start, stretch.end):
        pieces.append((low, boundary.start()))
        low = boundary.end()
    pieces.append((low, stretch.end))
    longest = max(pieces, key=lambda piece: piece[1] - piece[0])
    at = stretch.focus[0] if stretch.focus else longest[0]
    return _stripped(text, *next((one for one in pieces if one[0] <= at < one[1]), longest))


def _stripped(text: str, start: int, end: int) -> _Bounds:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _sentence(text: str, start: int, end: int, reach: int) -> _Bounds:
    """Return a stretch with the rest of its sentences, within its paragraph, item or cell."""
    floor, ceiling = max(0, start - reach), min(len(text), end + reach)
    ends = [
        match.end()
        for pattern in (_SENTENCE_END, _NEW_BLOCK)
        for match in pattern.finditer(text, floor, start)
    ]
    low = max(ends, default=0 if floor == 0 else start)
    stop = _SENTENCE_END.search(text, max(start, end - 1), ceiling)
    high = max(end, stop.end()) if stop else ceiling if ceiling == len(text) else end
    block = _NEW_BLOCK.search(text, end, high)
    return _stripped(text, low, block.start() if block else high)


def _is_turned(text: str, sentence: _Bounds, words: _Bounds) -> bool:
    """Whether the rest of a sentence turns the meaning of some of its words."""
    whole = text[slice(*sentence)]
    if _QUESTION.search(whole):
        return True
    folded = folded_words(whole)
    hidden = folded_words(f"{text[sentence[0] : words[0]]} {text[words[1] : sentence[1]]}")
    if not hidden.strip():
        return False
    languages = languages_of(hidden, folded, folded) or possible_languages(hidden, folded)
    return any(language.find("turns", hidden) for language in languages)


def _windows(
    text: str, stretch: _Bounds, focus: _Bounds, most_words: int | None
) -> Iterator[_Bounds]:
    """Yield passages of whole words around what differs, first the widest within the stretch.

    The last ones have only the beginning of what differs.
    """
    start = _stripped(text, focus[0], len(text))[0]
    end = min(max(focus[1], start + 1), start + EXCERPT_CHARACTERS // 2)
    low = max(0, stretch[0] - _BESIDE, start - _REACH)
    high = min(len(text), stretch[1] + _BESIDE, end + _REACH)
    longest_clause = min(most_words or _CLAUSE_CHARACTERS, _CLAUSE_CHARACTERS)
    pieces = list(_pieces(text, low, high, longest_clause))
    #: Twice the number of words of each piece: a spaceless character is half a word.
    sizes = [_half_words(text[slice(*piece)]) for piece in pieces]

    def fits(first: int, last: int) -> bool:
        if (
            first < 0
            or last >= len(pieces)
            or (pieces[last][1] - pieces[first][0] > EXCERPT_CHARACTERS)
        ):
            return False
        return most_words is None or sum(sizes[first : last + 1]) <= 2 * most_words + 1

    core = _touched(pieces, start, end)
    if core is None:  # what differs is in a word that is longer than what is read
        return
    first, last = core
    while last > first and not fits(first, last):
        last -= 1
    inner = _touched(pieces, *stretch) or (first, last)
    moves = range(-_MOVES, _MOVES + 1)
    for core_last in dict.fromkeys((last, first)):
        widest = _widest(first, core_last, inner, fits)
        for left, right in sorted(product(moves, moves), key=_cost):
            low, high = widest[0] + left, widest[1] + right
            if low <= first and core_last <= high and fits(low, high):
                end = pieces[high][1]
                while end > pieces[high][0] + 1 and text[end - 1] in _STOPS:
                    end -= 1
                yield pieces[low][0], end


def _widest(
    first: int, last: int, inner: tuple[int, int], fits: Callable[[int, int], bool]
) -> tuple[int, int]:
    """Return the first and the last piece of the widest window around two pieces."""
    before = -1, -1
    while before != (first, last):
        before = first, last
        last += last < inner[1] and fits(first, last + 1)
        first -= first > inner[0] and fits(first - 1, last)
    return first, last


def _cost(moves: tuple[int, int]) -> tuple[int, int]:
    """Longer windows come before shorter ones, and those that go on behind before the others."""
    left, right = moves
    return abs(left) + abs(right) + 2 * (max(left, 0) + max(-right, 0)), -left


def _half_words(piece: str) -> int:
    return count_words(piece * 2) if _HAS_SPACELESS.search(piece) else 2 * count_words(piece)


def _pieces(text: str, low: int, high: int, longest_clause: int) -> Iterator[_Bounds]:
    """Yield whole words; in a script without spaces, clauses, and the characters of longer ones."""
    for word in _WORD.finditer(text, low, high):
        start, end = word.span()
        if not _HAS_SPACELESS.search(word[0]):
            is_whole = not (start == low > 0 and not text[low - 1].isspace()) and not (
                end == high < len(text) and not text[high].isspace()
            )
            if is_whole:
                yield start, end
            continue
        while start < end:
            piece = _CLAUSE.match(text, start, end)
            if piece is None or len(piece[0]) > longest_clause:
                piece = _CHARACTER.match(text, start, end)
            if piece is None:  # pragma: no cover # every character matches
                return
            yield piece.span()
            start = piece.end()


def _touched(pieces: Sequence[_Bounds], start: int, end: int) -> tuple[int, int] | None:
    """Return the first and the last piece that a stretch has a part of."""
    touched = [
        number
        for number, piece in enumerate(pieces)
        if piece[0] < max(end, start + 1) and piece[1] > start
    ]
    return (touched[0], touched[-1]) if touched else None
