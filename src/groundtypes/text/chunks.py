"""Cutting a text into chunks: whole sentences that fit the window of a model, with overlap."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from groundtypes.text.characters import SPACELESS
from groundtypes.text.sentences import sentence_spans

#: A word is what a tokenizer turns into about one and a half tokens: a run of letters and digits
#: (a very long one counts more than once), or two characters of a script without spaces.
_LONGEST_WORD: Final = 16
_WORD: Final = re.compile(rf"[^\W{SPACELESS}]{{1,{_LONGEST_WORD}}}|[{SPACELESS}]{{1,2}}")
#: The most characters per word of a chunk: text with more has many marks, which are tokens, too.
_CHARACTERS_PER_WORD: Final = 10
#: The sentence that two chunks share has at most `words / _OVERLAP_PART` words.
_OVERLAP_PART: Final = 3


class _Sentence(NamedTuple):
    """A sentence, or a part of a long one, with the number of its words."""

    start: int
    end: int
    words: int


def chunk_spans(text: str, words: int = 110) -> list[tuple[int, int]]:
    """Return where each chunk of a text starts and ends, in code points.

    A chunk holds as many whole sentences as fit in `words` words and `10 * words` characters; a
    longer sentence is cut. Each chunk begins with the last sentence of the one before, if that has
    at most a third of `words`, because it may name what the chunk is about.

    Raises:
        ValueError: `words` is not positive.
    """
    if words < 1:
        raise ValueError(f"a chunk has at least one word, not {words}")
    chunks: list[tuple[int, int]] = []
    current: list[_Sentence] = []
    total = 0
    for sentence in _sentences(text, words):
        if current and not _fits(current[0].start, sentence.end, total + sentence.words, words):
            last = current[-1]
            chunks.append((current[0].start, last.end))
            overlaps = last.words * _OVERLAP_PART <= words and _fits(
                last.start, sentence.end, last.words + sentence.words, words
            )
            # A chunk is only closed when a sentence follows, so none is mere overlap.
            current, total = ([last], last.words) if overlaps else ([], 0)
        current.append(sentence)
        total += sentence.words
    if current:
        chunks.append((current[0].start, current[-1].end))
    return chunks


def _fits(start: int, end: int, count: int, words: int) -> bool:
    """Whether a stretch with `count` words fits into a chunk of `words` words."""
    return count <= words and end - start <= _most_characters(words)


def _most_characters(words: int) -> int:
    return max(_LONGEST_WORD, words * _CHARACTERS_PER_WORD)


def _sentences(text: str, words: int) -> Iterator[_Sentence]:
    """Yield the sentences of a text, those that are too long for a chunk in parts."""
    for start, end in sentence_spans(text):
        count = len(_WORD.findall(text, start, end))
        if _fits(start, end, count, words):
            yield _Sentence(start, end, count)
        else:
            yield from _parts(text, start, end, words)


def _parts(text: str, start: int, end: int, words: int) -> Iterator[_Sentence]:
    """Yield the parts of a sentence that is too long for a chunk, cut between words."""
    part_start, count = start, 0
    matches = [(match.start(), match.end(), 1) for match in _WORD.finditer(text, start, end)]
    # At the end of the sentence, a part is closed as it is before a word.
    for word_start, word_end, word_count in (*matches, (end, end, 0)):
        while part_start < word_start and not _fits(
            part_start, word_end, count + word_count, words
        ):
            # A long run of marks without a word is cut anywhere.
            cut = min(word_start, part_start + _most_characters(words))
            if part := text[part_start:cut].rstrip():
                yield _Sentence(part_start, part_start + len(part), count)
            rest = text[cut:word_start]
            part_start = cut + len(rest) - len(rest.lstrip())
            count = 0
        count += word_count
    if part_start < end:
        yield _Sentence(part_start, end, count)
