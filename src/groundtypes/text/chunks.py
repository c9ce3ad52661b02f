"""Cutting a text into passages: whole sentences that fit the window of a model, with overlap."""

import re
from collections.abc import Iterator
from typing import Final

from groundtypes.text.characters import SPACELESS
from groundtypes.text.sentences import sentence_spans

__all__ = ["passage_spans"]

#: What a tokenizer makes about one and a half tokens of: a run of letters and digits, of which a
#: very long one counts more than once, or two characters of a script without spaces.
_LONGEST_WORD: Final = 16
_WORD: Final = re.compile(rf"[{SPACELESS}]{{1,2}}|(?:(?![{SPACELESS}])\w){{1,{_LONGEST_WORD}}}")
#: What has few words for its length has many marks, and those are tokens too.
_CHARACTERS_PER_WORD: Final = 10
#: The share of a passage that the sentence in common with the one before may take.
_OVERLAP: Final = 3


def passage_spans(text: str, words: int = 110) -> list[tuple[int, int]]:
    """Return where each passage of a text stands: start and end, in code points.

    A passage is as many whole sentences as have at most `words` words in all (and ten times as
    many characters); a longer sentence is cut. Each begins with the last sentence of the one
    before, where that has at most a third of the words. What a passage is about may be said there.

    Raises:
        ValueError: `words` is not positive.
    """
    if words < 1:
        raise ValueError(f"a passage has at least one word, not {words}")
    found: list[tuple[int, int]] = []
    held: list[tuple[int, int, int]] = []
    total = 0
    for start, end, count in _sentences(text, words):
        if held and not _fits(held[0][0], end, total + count, words):
            found.append((held[0][0], held[-1][1]))
            last = held[-1]
            keep = last[2] * _OVERLAP <= words and _fits(last[0], end, last[2] + count, words)
            # A passage that was only the overlap of the one before would say nothing new.
            held, total = ([last], last[2]) if keep else ([], 0)
        held.append((start, end, count))
        total += count
    if held:
        found.append((held[0][0], held[-1][1]))
    return found


def _fits(start: int, end: int, count: int, words: int) -> bool:
    return count <= words and end - start <= _room(words)


def _room(words: int) -> int:
    return max(_LONGEST_WORD, words * _CHARACTERS_PER_WORD)


def _sentences(text: str, words: int) -> Iterator[tuple[int, int, int]]:
    """Yield start, end and words of each sentence, of a long one in parts."""
    for start, end in sentence_spans(text):
        found = [match.end() for match in _WORD.finditer(text, start, end)]
        if _fits(start, end, len(found), words):
            yield start, end, len(found)
        else:
            yield from _parts(text, start, end, words)


def _parts(text: str, start: int, end: int, words: int) -> Iterator[tuple[int, int, int]]:
    """Yield the parts of a sentence that is too long for a passage, cut between words."""
    # Marks without a word between them are cut anywhere.
    begin, count = start, 0
    ends = [(match.start(), match.end(), 1) for match in _WORD.finditer(text, start, end)]
    for low, high, more in (*ends, (end, end, 0)):
        while begin < low and not _fits(begin, high, count + more, words):
            cut = min(low, begin + _room(words))
            if part := text[begin:cut].rstrip():
                yield begin, begin + len(part), count
            begin = cut + len(text[cut:low]) - len(text[cut:low].lstrip())
            count = 0
        count += more
    if begin < end:
        yield begin, end, count
