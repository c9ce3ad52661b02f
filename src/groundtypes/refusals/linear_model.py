"""The linear models that tell refusals from answers: their n-grams, their weights, and their files.

There is one for texts of up to `SHORT_TEXT` characters, `data/short_refusals.bin`, and one for
longer ones, `data/refusals.bin`. A file contains a line of JSON, the n-grams, one on each line,
then the weights as signed bytes, first all of one output, then all of the next.
`research/training/refusals.py` writes both; they are read without numpy.
"""

import json
import math
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from groundtypes.refusals.model_file import read_model_file

#: The ways in which an answer can decline, one output of the model for each.
KINDS: Final = ("refusal", "abstention", "partial")
#: The first output says whether the answer declines at all.
_OUTPUTS: Final = 1 + len(KINDS)
_LONG_FILE: Final = "refusals.bin"
_SHORT_FILE: Final = "short_refusals.bin"
#: The length of the longest short text, in characters. The replies that were written for training
#: are short, and what they teach does not hold for longer texts, which seldom decline.
SHORT_TEXT: Final = 300

#: A node of the trie: the number of the n-gram that ends here, or `_PREFIX`, and its children.
Node = tuple[int, dict[str, Any]]

#: The number of a node that begins n-grams but does not end one.
_PREFIX: Final = -1
#: Follows the last token of an opening; no n-gram contains it.
_END: Final = ""


@dataclass(frozen=True, slots=True)
class LinearModel:
    """A logistic regression for each output over the n-grams of an opening.

    `trie` leads from token to token to the numbers of the n-grams. `weights` holds for each output
    the weight of each n-gram by its number, from -127 to 127, in units of the output's `step`.
    """

    trie: dict[str, Node]
    weights: tuple[tuple[int, ...], ...]
    steps: tuple[float, ...]
    biases: tuple[float, ...]

    @classmethod
    def from_bytes(cls, data: bytes) -> "LinearModel":
        """Return the model in the bytes of a file.

        Raises:
            ValueError: The bytes are not those of such a file.
        """
        header_line, _, body = data.partition(b"\n")
        header = json.loads(header_line)
        count = header["groups"]
        start_of_weights = len(body) - _OUTPUTS * count
        lines = body[: start_of_weights - 1].decode().split("\n")
        if len(lines) != count:
            raise ValueError(f"the file names {len(lines)} n-grams, not {count}")
        weights = tuple(
            tuple(array("b", body[start_of_weights + output * count :][:count]))
            for output in range(_OUTPUTS)
        )
        trie = build_trie(line.split(" ") for line in lines)
        return cls(trie, weights, tuple(header["steps"]), tuple(header["biases"]))

    def find_ngrams(self, tokens: Sequence[str]) -> list[int]:
        """Return the numbers of the model's n-grams among the tokens, in order.

        The number -1 stands for a run of tokens that only begins n-grams.
        """
        trie = self.trie
        numbers: list[int] = []
        closed = [*tokens, _END]
        for position, token in enumerate(tokens, 1):
            node = trie.get(token)
            while node is not None:
                numbers.append(node[0])
                node = node[1].get(closed[position])
                position += 1  # noqa: PLW2901 # the next token of the n-gram
        return numbers

    def outputs(self, ngrams: Iterable[int]) -> list[float]:
        """Return the outputs for an opening with these n-grams, before the logistic function."""
        distinct = dict.fromkeys(ngrams)  # faster to iterate over than a set
        distinct.pop(_PREFIX, None)
        # Divided by the root of their number, so that a long opening is not surer than a short one.
        root = math.sqrt(len(distinct) or 1)
        return [
            bias + step * sum(map(weights.__getitem__, distinct)) / root
            for weights, step, bias in zip(self.weights, self.steps, self.biases, strict=True)
        ]


def build_trie(ngrams: Iterable[Sequence[str]]) -> dict[str, Node]:
    """Return the trie of sorted n-grams: each comes after those that it begins with."""
    trie: dict[str, Node] = {}
    for number, ngram in enumerate(ngrams):
        children = trie
        for token in ngram[:-1]:
            if token not in children:
                children[token] = (_PREFIX, {})
            children = children[token][1]
        children[ngram[-1]] = (number, {})
    return trie


@cache
def load_long_model() -> LinearModel:
    """Return the shipped model for texts of more than `SHORT_TEXT` characters."""
    return LinearModel.from_bytes(read_model_file(_LONG_FILE))


@cache
def load_short_model() -> LinearModel:
    """Return the shipped model for texts of up to `SHORT_TEXT` characters."""
    return LinearModel.from_bytes(read_model_file(_SHORT_FILE))
