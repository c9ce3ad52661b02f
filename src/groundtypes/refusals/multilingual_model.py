"""The multilingual model: logistic regressions over hashed features of an opening.

An opening is read as two lists of units. A surface unit is a word, a run of a script without
spaces, a number, or the length of the opening; a class unit is the classes of a word
(`word_classes`), or those of two words within five words of one sentence. Each unit has features,
which are strings; the CRC-32 of a feature chooses its place in the table of weights of its group.
A feature counts as often as it occurs, so an opening is the sum of its units.

The file `data/multilingual.bin` is a line of JSON and then the weights as signed bytes: for each
output those of the surface features, then those of the class features.
`research/training/multilingual_refusals.py` writes it; it is read without numpy.
"""

import json
import math
import re
from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cache
from typing import Final, Generic, TypeVar
from zlib import crc32

from groundtypes.refusals.linear_model import KINDS
from groundtypes.refusals.model_file import read_model_file
from groundtypes.refusals.word_classes import SPACELESS, WordClasses, fold, load_word_classes

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


_FILE: Final = "multilingual.bin"
_OUTPUTS: Final = 1 + len(KINDS)
_BYTES: Final = _OUTPUTS * (SURFACE_PLACES + CLASS_PLACES)
_MAX_UNITS: Final = 40_000
_MAX_UNIT: Final = 40

_Unit = TypeVar("_Unit", bound=Hashable)
#: For each output, the weight at each place, from -127 to 127, in units of the output's step.
Table = tuple["array[int]", ...]


class _Group(Generic[_Unit]):
    """The weights of one group of features, and the sums of units that were computed before."""

    def __init__(
        self, table: Table, steps: Sequence[float], places: Callable[[_Unit], list[int]]
    ) -> None:
        self.table = table
        self.steps = tuple(steps)
        self._places = places
        self._sums: dict[_Unit, tuple[int, ...]] = {}

    def outputs(self, units: Iterable[_Unit]) -> list[float]:
        """Return for each output the sum of the weights, divided by the root of their number."""
        sums = [self._sums.get(unit) or self._add(unit) for unit in units]
        count, *totals = map(sum, zip(*sums, strict=True)) if sums else [0] * (1 + _OUTPUTS)
        scale = 1 / math.sqrt(count or 1)
        return [step * total * scale for step, total in zip(self.steps, totals, strict=True)]

    def _add(self, unit: _Unit) -> tuple[int, ...]:
        places = self._places(unit)
        sums = (len(places), *(sum(map(weights.__getitem__, places)) for weights in self.table))
        if len(self._sums) < _MAX_UNITS and not (isinstance(unit, str) and len(unit) > _MAX_UNIT):
            self._sums[unit] = sums
        return sums


class HashedModel:
    """A logistic regression for each output over the two groups of features.

    The first output says whether a text declines at all, the others are `KINDS`.
    """

    def __init__(
        self,
        surface: tuple[Table, Sequence[float]],
        classes: tuple[Table, Sequence[float]],
        biases: Sequence[float],
    ) -> None:
        """Take for each group its weights and steps, and the bias of each output."""
        self._surface = _Group(*surface, surface_places)
        self._classes = _Group(*classes, class_places)
        self._biases = tuple(biases)

    @classmethod
    def from_bytes(cls, data: bytes) -> "HashedModel":
        """Return the model in the bytes of a file.

        Raises:
            ValueError: The bytes are not those of such a file.
        """
        header_line, _, body = data.partition(b"\n")
        header = json.loads(header_line)
        if len(body) != _BYTES:
            raise ValueError(f"{_FILE} has {len(body)} bytes of weights, not {_BYTES}")
        weights = array("b", body)
        size = SURFACE_PLACES + CLASS_PLACES
        rows = [weights[start : start + size] for start in range(0, _BYTES, size)]
        return cls(
            (tuple(row[:SURFACE_PLACES] for row in rows), header["surface_steps"]),
            (tuple(row[SURFACE_PLACES:] for row in rows), header["class_steps"]),
            header["biases"],
        )

    def outputs(self, opening: str) -> list[float]:
        """Return the outputs for an opening, before the logistic function."""
        tokens = split_opening(opening)
        surface = self._surface.outputs(surface_units(opening, tokens))
        classes = self._classes.outputs(class_units(tokens, load_word_classes()))
        return list(map(sum, zip(self._biases, surface, classes, strict=True)))


@cache
def load_hashed_model() -> HashedModel:
    """Return the model that is shipped with the package."""
    return HashedModel.from_bytes(read_model_file(_FILE))
