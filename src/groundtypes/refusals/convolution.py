"""The convolutional model: what an opening does, by the vectors of its words, and its file.

A word has a vector, made from the one that a sentence encoder gives it, so that words of the same
meaning have similar vectors in every language; those of its classes are added. Filters over three
neighbouring tokens are pooled by their maximum, and a linear layer makes four outputs of them.

Integers of Python do the arithmetic, so that numpy is not needed: a whole vector is packed into one
integer, with 32 bits for each number, and is scaled or added in one operation.

The file `data/convolution.bin` contains a line of JSON, the words, one on each line, and then
signed numbers: the vectors of words (bytes), those of marks and classes, and the filters (16 bits).
`research/training/convolutional_refusals.py` writes it.
"""

import json
import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from operator import mul
from struct import Struct
from typing import Any, Final

from groundtypes.concurrency.bounded_cache import BoundedCache
from groundtypes.refusals.model_file import read_model_file
from groundtypes.refusals.multilingual_model import is_run, is_sentence_end, split_opening
from groundtypes.refusals.word_classes import WordClasses, load_word_classes

_FILE: Final = "convolution.bin"
#: Answer, refusal, abstention, partial answer.
OUTPUTS: Final = 4
#: A word that is not known is read as those that share a prefix with it, of more than so many
#: characters and of more than half of the word. At most so many of them count.
_MIN_SHARED: Final = 3
_MAX_SIMILAR: Final = 8
WIDTH: Final = 3
#: The tokens that are no words: beginning and end of the opening, ends of sentences, quotation
#: marks, numbers. No word contains these characters.
_START: Final = "<"
_END: Final = ">"
MARKS: Final = (_START, _END, ".", "?", "!", '"', "#")
_QUESTION_MARKS: Final = "?\uff1f\u061f"
_EXCLAMATION_MARKS: Final = "!\uff01"
CLASSES: Final = tuple(
    "ACCESS AI ANSWER BAD BUT CAN CLARIFY DOC DRAFT FACT FIND GIVE GIVEN HELP I INFO KNOW MISSING "
    "MUST NEG POLICY QUESTION REDIRECT REFUSE REPORTED SAY SORRY THIRD UNSURE YOU".split()
)
#: Bits of a number in a packed vector, and what is added to each of its numbers to read it.
_BITS: Final = 32
_HALF: Final = 1 << (_BITS - 1)
_MAX_WORDS: Final = 20_000
_MAX_WORD: Final = 40


class WordList:
    """Words in code point order, each with its number."""

    def __init__(self, words: Sequence[str]) -> None:
        """Take the words; they must be in order, and none may occur twice."""
        self._words = words
        self._numbers = {word: number for number, word in enumerate(words)}
        self._longest = max(map(len, words), default=0)

    def similar(self, word: str) -> Sequence[int]:
        """Return the number of a word, or those of known words that share a long prefix with it."""
        number = self._numbers.get(word)
        if number is not None:
            return (number,)
        place = bisect_left(self._words, word)
        neighbours = self._words[max(0, place - 1) : place + 1]
        shared = max((_shared_prefix(word, neighbour) for neighbour in neighbours), default=0)
        if shared <= max(_MIN_SHARED, len(word) // 2):
            return ()
        prefix = word[:shared]
        first = bisect_left(self._words, prefix)
        candidates = self._words[first : first + _MAX_SIMILAR]
        count = sum(candidate.startswith(prefix) for candidate in candidates)
        return range(first, first + count)

    def segments(self, run: str) -> Iterator[str]:
        """Yield the known words in a run without spaces, from its beginning, the longest first.

        A character at which no known word begins is passed over.
        """
        start = 0
        while start < len(run):
            for end in range(min(len(run), start + self._longest), start, -1):
                if run[start:end] in self._numbers:
                    yield run[start:end]
                    start = end
                    break
            else:
                start += 1


def _shared_prefix(first: str, second: str) -> int:
    for length, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return length
    return min(len(first), len(second))


@dataclass(frozen=True, slots=True)
class Parameters:
    """The trained numbers of the model, as its file holds them.

    `vectors` has the vector of each of `words`; `marks` and `classes` have those of `MARKS` and
    `CLASSES`. `filters` holds for each of the three places and each dimension the weights of all
    filters. `biases` belong to the filters, `weights` and `output_biases` to the outputs; a pooled
    value counts `step` times its integer.
    """

    words: Sequence[str]
    vectors: "array[int]"
    marks: "array[int]"
    classes: "array[int]"
    filters: "array[int]"
    biases: Sequence[int]
    weights: Sequence[Sequence[float]]
    output_biases: Sequence[float]
    step: float

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return len(self.marks) // len(MARKS)

    @classmethod
    def from_bytes(cls, data: bytes) -> "Parameters":
        """Return the parameters in the bytes of a file.

        Raises:
            ValueError: The bytes are not those of such a file.
        """
        header_line, _, body = data.partition(b"\n")
        header: dict[str, Any] = json.loads(header_line)
        dimensions, count, text = header["dimensions"], header["words"], header["text"]
        biases = header["biases"]
        sizes = [
            len(MARKS) * dimensions,
            len(CLASSES) * dimensions,
            WIDTH * dimensions * len(biases),
        ]
        wanted = text + count * dimensions + 2 * sum(sizes)
        if len(body) != wanted:
            raise ValueError(f"{_FILE} has {len(body)} bytes after its first line, not {wanted}")
        words = body[:text].decode().split("\n")
        if len(words) != count:
            raise ValueError(f"{_FILE} names {len(words)} words, not {count}")
        numbers = array("h", body[text + count * dimensions :])
        if sys.byteorder == "big":
            numbers.byteswap()
        ends = (sizes[0], sizes[0] + sizes[1])
        return cls(
            words,
            array("b", body[text : text + count * dimensions]),
            numbers[: ends[0]],
            numbers[ends[0] : ends[1]],
            numbers[ends[1] :],
            biases,
            header["weights"],
            header["output_biases"],
            header["step"],
        )


class ConvolutionalModel:
    """The model ready to read openings."""

    def __init__(self, parameters: Parameters) -> None:
        """Pack the filters and marks."""
        self._parameters = parameters
        self._list = WordList(parameters.words)
        size, filters = parameters.dimensions, len(parameters.biases)
        rows = _rows(parameters.filters, filters)
        packed = list(map(_pack, rows))
        self._filters = tuple(packed[place * size :][:size] for place in range(WIDTH))
        self._biases = _pack(parameters.biases)
        self._offset = _pack([_HALF] * filters)
        self._unsigned = Struct(f"<{filters}I")
        self._classes = dict(zip(CLASSES, _rows(parameters.classes, size), strict=True))
        marks = map(self._at_places, _rows(parameters.marks, size))
        self._marks = dict(zip(MARKS, marks, strict=True))
        self._known: BoundedCache[str, tuple[int, ...]] = BoundedCache(_MAX_WORDS)

    def outputs(self, opening: str) -> list[float]:
        """Return the four outputs for an opening, before the softmax function."""
        word_classes = load_word_classes()
        tokens = [
            self._marks.get(token) or self._of_word(token, word_classes)
            for token in to_marks(opening, self._list)
        ]
        before, here, after = zip(*tokens, strict=True)
        totals = map(sum, zip((0, *before[:-1]), here, (*after[1:], 0), strict=True))
        columns = [self._unpack(total + self._biases) for total in totals]
        step = self._parameters.step
        pooled = [step * max(0, value - _HALF) for value in map(max, zip(*columns, strict=True))]
        return [
            bias + sum(map(mul, weights, pooled))
            for weights, bias in zip(
                self._parameters.weights, self._parameters.output_biases, strict=True
            )
        ]

    def _of_word(self, word: str, word_classes: WordClasses) -> tuple[int, ...]:
        word = word[:_MAX_WORD]
        return self._known.get_or_create(word, lambda: self._look_up(word, word_classes))

    def _look_up(self, word: str, word_classes: WordClasses) -> tuple[int, ...]:
        size = self._parameters.dimensions
        similar = self._list.similar(word)
        vectors = [self._parameters.vectors[number * size :][:size] for number in similar]
        vector = [sum(column) / len(vectors) for column in zip(*vectors, strict=True)]
        of_classes = [self._classes[name] for name in classes_of_token(word, word_classes)]
        columns = zip(*filter(None, [vector, *of_classes]), strict=True)
        return self._at_places([round(sum(column)) for column in columns] or [0] * size)

    def _at_places(self, vector: Sequence[int]) -> tuple[int, ...]:
        """Return what a vector adds to the filters one token later, here, and one earlier."""
        return tuple(sum(map(mul, vector, filters)) for filters in self._filters)

    def _unpack(self, packed: int) -> tuple[int, ...]:
        """Return the numbers of a packed vector, each larger by `_HALF`."""
        unsigned = (packed + self._offset).to_bytes(self._unsigned.size, "little")
        return self._unsigned.unpack(unsigned)


def to_marks(opening: str, known: WordList) -> Iterator[str]:
    """Yield the tokens of an opening as the model reads them."""
    yield _START
    for token in split_opening(opening):
        if is_sentence_end(token):
            if token in _QUESTION_MARKS:
                yield "?"
            else:
                yield "!" if token in _EXCLAMATION_MARKS else "."
        elif token.isdigit():
            yield "#"
        elif not token[0].isalpha():
            yield '"'
        elif is_run(token):
            yield from known.segments(token)
        else:
            yield token
    yield _END


def classes_of_token(word: str, word_classes: WordClasses) -> Sequence[str]:
    """Return the classes of a word, or of a known string of a run."""
    if is_run(word):
        return next(word_classes.in_run(word), ())
    return word_classes.of_word(word)


def _rows(numbers: "array[int]", size: int) -> list["array[int]"]:
    return [numbers[start : start + size] for start in range(0, len(numbers), size)]


def _pack(numbers: Sequence[int]) -> int:
    return sum(number << (_BITS * place) for place, number in enumerate(numbers))


@cache
def load_convolution() -> ConvolutionalModel:
    """Return the model that is shipped with the package."""
    return ConvolutionalModel(Parameters.from_bytes(read_model_file(_FILE)))
