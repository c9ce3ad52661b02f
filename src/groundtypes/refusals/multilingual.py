"""The features of the multilingual model: the letters of an opening, and the classes of its words.

An opening is read as two lists of units. A surface unit is a word, a run of a script without
spaces, a number, or the length of the opening; a class unit is the classes of a word
(`word_classes`), or those of two words within five words of one sentence. Each unit has features,
which are strings; the CRC-32 of a feature chooses its place in the table of weights of its group.
A feature counts as often as it occurs, so an opening is the sum of its units.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final
from zlib import crc32

from groundtypes.refusals.word_classes import SPACELESS, WordClasses, fold

#: How many places the tables have; both are powers of two.
SURFACE_PLACES: Final = 1 << 17
CLASS_PLACES: Final = 1 << 13
#: How many characters and tokens of an opening are read, and how many characters of a word.
_MAX_CHARACTERS: Final = 700
_MAX_TOKENS: Final = 160
_MAX_WORD: Final = 24
_STEM: Final = 5
_WORD_NGRAMS: Final = (3, 4, 5)
_RUN_NGRAMS: Final = (1, 2, 3, 4, 5)
#: Two words make a pair of classes if at most so many words lie between them.
_MAX_BETWEEN: Final = 3
#: The lengths that divide openings into sizes, in characters, and the largest number of sentences.
_SIZES: Final = (25, 60, 120, 200, 350, 600)
_MAX_SENTENCES: Final = 5
_TOKEN: Final = re.compile(
    rf"[{SPACELESS}]+|\d+"
    # The vowel signs of Indian scripts and the points of Hebrew and Arabic belong to their words.
    rf"|[^\W\d_](?:[^\W_{SPACELESS}]|[\u0900-\u0dff\u0300-\u036f\u0591-\u05c7\u064b-\u0652])*"
    r"|[.!?\u3002\uff01\uff1f\u0964\u061f\n\"\u201c\u201d\u201e\u00ab\u00bb]"
)
_SPACELESS_RUN: Final = re.compile(f"[{SPACELESS}]")
_SENTENCE_ENDS: Final = frozenset(".!?\u3002\uff01\uff1f\u0964\u061f\n")

Classes = tuple[str, ...]
#: The classes of a word alone, or those of two words: next to each other, or not.
ClassUnit = tuple[Classes] | tuple[Classes, Classes, bool]
#: What stands for the beginning and end of an opening, a sentence's end, a mark and a number.
_START: Final = ("<",)
_END: Final = (">",)
_STOP: Final = (".",)
_QUOTATION: Final = ('"',)
_NUMBER: Final = ("#",)


def split_opening(opening: str) -> list[str]:
    """Return the words, runs, numbers and marks of an opening, folded."""
    return _TOKEN.findall(fold(opening[:_MAX_CHARACTERS]))[:_MAX_TOKENS]


def is_sentence_end(token: str) -> bool:
    """Return whether a token is a mark that ends a sentence."""
    return token in _SENTENCE_ENDS


def is_run(token: str) -> bool:
    """Return whether a token is a run of a script that is written without spaces."""
    return _SPACELESS_RUN.match(token) is not None


def surface_units(opening: str, tokens: Sequence[str]) -> Iterator[str]:
    """Yield the surface units of an opening; the first letter of a unit says what it is."""
    starts_sentence = True
    sentences = 0
    for token in tokens:
        if token in _SENTENCE_ENDS:
            sentences += 1
            starts_sentence = True
        elif token[0].isalpha():
            is_run = _SPACELESS_RUN.match(token)
            yield ("r" if is_run else "w") + token
            if starts_sentence:
                yield ("R" if is_run else "W") + token
            starts_sentence = False
    yield f"L{sum(len(opening) > limit for limit in _SIZES)}"
    yield f"N{min(sentences, _MAX_SENTENCES)}"


def surface_places(unit: str) -> list[int]:
    """Return the places of the features of a surface unit, some perhaps more than once."""
    return [
        crc32(feature.encode(errors="replace")) & (SURFACE_PLACES - 1)
        for feature in _surface_features(unit)
    ]


def _surface_features(unit: str) -> Iterator[str]:
    kind, word = unit[0], unit[1:]
    if kind == "w":
        word = word[:_MAX_WORD]
        yield unit
        closed = f"_{word}_"
        yield from (f"c{ngram}" for size in _WORD_NGRAMS for ngram in _ngrams(closed, size))
    elif kind == "r":
        yield from (f"z{ngram}" for size in _RUN_NGRAMS for ngram in _ngrams(word, size))
        yield from (f"E{word[-size:]}" for size in (2, 3, 4))
    elif kind == "W":
        yield f"s{word[:_STEM]}"
    elif kind == "R":
        yield from (f"S{word[:size]}" for size in (2, 3, 4))
    else:
        yield unit


def _ngrams(text: str, size: int) -> Iterator[str]:
    return (text[start : start + size] for start in range(len(text) - size + 1))


def class_units(tokens: Sequence[str], word_classes: WordClasses) -> Iterator[ClassUnit]:
    """Yield the class units of an opening."""
    sequence = [_START, *_class_sequence(tokens, word_classes), _END]
    for position, first in enumerate(sequence):
        yield (first,)
        for further in range(position + 1, min(position + _MAX_BETWEEN + 2, len(sequence))):
            second = sequence[further]
            is_next = further == position + 1
            if not is_next and _STOP in (first, second):
                break
            yield first, second, is_next


def class_places(unit: ClassUnit) -> list[int]:
    """Return the places of the features of a class unit."""
    return [crc32(feature.encode()) & (CLASS_PLACES - 1) for feature in _class_features(unit)]


def _class_features(unit: ClassUnit) -> Iterator[str]:
    if len(unit) == 1:
        yield from unit[0]
    else:
        first, second, is_next = unit
        yield from (f"{one}{'+' if is_next else ' '}{other}" for one in first for other in second)


def _class_sequence(tokens: Sequence[str], word_classes: WordClasses) -> Iterator[Classes]:
    """Yield the classes of each word that has any, and of sentence ends, marks and numbers."""
    for token in tokens:
        if token in _SENTENCE_ENDS:
            yield _STOP
        elif token.isdigit():
            yield _NUMBER
        elif not token[0].isalpha():
            yield _QUOTATION
        elif _SPACELESS_RUN.match(token):
            yield from word_classes.in_run(token)
        elif classes := word_classes.of_word(token):
            yield classes
