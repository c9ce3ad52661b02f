"""The model of other languages: logistic regressions over hashed features of an opening.

Features are strings: words, their letters, runs of words, the length of the opening, the classes of
words (`word_classes`), and those of two words within five words of one sentence. The CRC-32 of a
feature chooses its place in the table of weights. A feature counts as often as it occurs.

The file `data/multilingual.bin` is a line of JSON and then the weights of each output as signed
bytes. `research/training/multilingual_refusals.py` writes it; it is read without numpy.
"""

import json
import math
import re
from array import array
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Final
from zlib import crc32

from groundtypes.refusals.linear_model import KINDS
from groundtypes.refusals.model_file import read_model_file
from groundtypes.refusals.word_classes import SPACELESS, fold, load_word_classes

#: How many places the table of an output has, a power of two.
PLACES: Final = 1 << 19
#: How many characters and tokens of an opening are read, and how many characters of a word.
_MAX_CHARACTERS: Final = 700
_MAX_TOKENS: Final = 160
_MAX_WORD: Final = 24
_STEM: Final = 5
_WORD_NGRAMS: Final = (3, 4, 5)
_RUN_NGRAMS: Final = (1, 2, 3, 4, 5)
_RUNS_OF_WORDS: Final = (2, 3)
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
#: What stands for the beginning and end of an opening.
_START: Final = "<"
_END: Final = ">"
#: What stands for a sentence's end, a mark and a number among the classes of words.
_STOP: Final = (".",)
_QUOTATION: Final = ('"',)
_NUMBER: Final = ("#",)
#: How much the features of words and letters, of runs of words and of classes count together.
SHARES: Final = (1.0, 0.7, 0.7)
#: What tells the features of classes from those of words.
_OF_CLASSES: Final = "@"
_FILE: Final = "multilingual.bin"
_OUTPUTS: Final = 1 + len(KINDS)


def split_opening(opening: str) -> list[str]:
    """Return the words, runs, numbers and marks of an opening, folded."""
    return _TOKEN.findall(fold(opening[:_MAX_CHARACTERS]))[:_MAX_TOKENS]


def word_features(opening: str, tokens: Sequence[str]) -> Iterator[str]:
    """Yield the features of the single words of an opening, some perhaps more than once."""
    starts_sentence = True
    sentences = 0
    for token in tokens:
        if token in _SENTENCE_ENDS:
            sentences += 1
            starts_sentence = True
        elif token[0].isalpha():
            yield from _features_of_word(token)
            if starts_sentence:
                yield from _features_of_start(token)
            starts_sentence = False
    yield f"L{sum(len(opening) > limit for limit in _SIZES)}"
    yield f"N{min(sentences, _MAX_SENTENCES)}"


def run_features(tokens: Sequence[str]) -> Iterator[str]:
    """Yield the runs of two and three words of an opening."""
    closed = [_START, *tokens, _END]
    for size in _RUNS_OF_WORDS:
        for run in zip(*(closed[start:] for start in range(size)), strict=False):
            yield " ".join(run)


@lru_cache(maxsize=16_384)
def _features_of_word(token: str) -> tuple[str, ...]:
    """Return a word and its letters; of a run without spaces its characters and its end."""
    if _SPACELESS_RUN.match(token):
        ngrams = (f"z{ngram}" for size in _RUN_NGRAMS for ngram in _ngrams(token, size))
        return (*ngrams, *(f"E{token[-size:]}" for size in (2, 3, 4)))
    word = token[:_MAX_WORD]
    letters = (f"c{ngram}" for size in _WORD_NGRAMS for ngram in _ngrams(f"_{word}_", size))
    return f"w{token}", *letters


def _features_of_start(token: str) -> tuple[str, ...]:
    if _SPACELESS_RUN.match(token):
        return tuple(f"S{token[:size]}" for size in (2, 3, 4))
    return (f"s{token[:_STEM]}",)


def _ngrams(text: str, size: int) -> Iterator[str]:
    return (text[start : start + size] for start in range(len(text) - size + 1))


def class_features(tokens: Sequence[str]) -> Iterator[str]:
    """Yield the features of the classes of words, alone and in pairs."""
    sequence = [(_START,), *_class_sequence(tokens), (_END,)]
    for position, first in enumerate(sequence):
        yield from (f"{_OF_CLASSES}{one}" for one in first)
        for further in range(position + 1, min(position + _MAX_BETWEEN + 2, len(sequence))):
            second = sequence[further]
            is_next = further == position + 1
            if not is_next and _STOP in (first, second):
                break
            joint = "+" if is_next else " "
            yield from (f"{_OF_CLASSES}{one}{joint}{other}" for one in first for other in second)


def _class_sequence(tokens: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the classes of each word that has any, and of sentence ends, marks and numbers."""
    known = load_word_classes()
    for token in tokens:
        if token in _SENTENCE_ENDS:
            yield _STOP
        elif token.isdigit():
            yield _NUMBER
        elif not token[0].isalpha():
            yield _QUOTATION
        elif _SPACELESS_RUN.match(token):
            yield from known.in_run(token)
        elif classes := known.of_word(token):
            yield classes


def place_of(feature: str) -> int:
    """Return the place of a feature in tables of `PLACES` weights."""
    return crc32(feature.encode(errors="replace")) & (PLACES - 1)


def places_of(opening: str) -> list[list[int]]:
    """Return the places of the features of words, of runs of words, and of classes."""
    tokens = split_opening(opening)
    groups = (word_features(opening, tokens), run_features(tokens), class_features(tokens))
    return [list(map(place_of, features)) for features in groups]


class HashedModel:
    """A logistic regression for each output.

    The first output says whether a text declines at all, the others are `KINDS`. `weights` holds
    for each output the weight at each place, from -127 to 127, in units of the output's step.
    """

    def __init__(
        self, weights: Sequence["array[int]"], steps: Sequence[float], biases: Sequence[float]
    ) -> None:
        """Take the weights, the step and the bias of each output."""
        self._parts = tuple(zip(weights, steps, biases, strict=True))

    @classmethod
    def from_bytes(cls, data: bytes) -> "HashedModel":
        """Return the model in the bytes of a file.

        Raises:
            ValueError: The bytes are not those of such a file.
        """
        header_line, _, body = data.partition(b"\n")
        header = json.loads(header_line)
        if len(body) != _OUTPUTS * PLACES:
            raise ValueError(f"{_FILE} has {len(body)} bytes of weights, not {_OUTPUTS * PLACES}")
        rows = [array("b", body[start:][:PLACES]) for start in range(0, len(body), PLACES)]
        return cls(rows, header["steps"], header["biases"])

    def outputs(self, opening: str) -> list[float]:
        """Return the outputs for an opening, before the logistic function."""
        groups = list(zip(places_of(opening), SHARES, strict=True))
        # Divided by the root of their number, so that a long opening is not surer than a short one.
        return [
            bias
            + step
            * sum(
                share / math.sqrt(len(places)) * sum(map(weights.__getitem__, places))
                for places, share in groups
            )
            for weights, step, bias in self._parts
        ]


@cache
def load_hashed_model() -> HashedModel:
    """Return the model that is shipped with the package."""
    return HashedModel.from_bytes(read_model_file(_FILE))
