"""Whether a sentence is talk: a greeting, a wish, an offer, an introduction, a question back.

Such a sentence claims nothing about the subject, so references cannot say it. A logistic regression
over hashed letters, words and runs of words decides; its file `data/talk.bin` is a line of JSON and
then the weights as signed bytes, which `research/training/talk.py` writes.
"""

import json
import math
from array import array
from functools import cache, lru_cache
from itertools import chain, pairwise
from typing import Final
from zlib import crc32

from groundtypes.refusals.model_file import read_model_file
from groundtypes.refusals.multilingual_model import split_opening, surface_places, surface_units
from groundtypes.text.punkt import sentence_ends

#: The number of weights, a power of two.
PLACES: Final = 1 << 15
#: A longer sentence claims something in most cases, and so does one with a number.
_MAX_CHARACTERS: Final = 160
_RUNS: Final = (2, 3)


@lru_cache(maxsize=4_096)
def is_talk(text: str) -> bool:
    """Return whether each sentence of a text claims nothing about the subject of the text."""
    if len(text) > _MAX_CHARACTERS or any(map(str.isdigit, text)):
        return False
    ends = [0, *sentence_ends(text, 0, len(text)), len(text)]
    sentences = (text[start:end].strip() for start, end in pairwise(ends))
    said = [sentence for sentence in sentences if any(map(str.isalpha, sentence))]
    return bool(said) and all(map(_is_talk, said))


def _is_talk(sentence: str) -> bool:
    weights, step, bias = _load()
    units, runs = _units_and_runs(sentence)
    sums = [_sum_of_unit(unit) for unit in units]
    count = len(runs) + sum(number for number, _ in sums)
    total = sum(weights[place] for place in runs) + sum(part for _, part in sums)
    return step * total / math.sqrt(count) + bias > 0


def talk_places(sentence: str) -> list[int]:
    """Return the places of the features of a sentence, some perhaps more than once."""
    units, runs = _units_and_runs(sentence)
    return [place for unit in units for place in _places_of_unit(unit)] + runs


def _units_and_runs(sentence: str) -> tuple[list[str], list[int]]:
    """Return the units of a sentence, and the places of its runs of words."""
    tokens = split_opening(sentence)
    closed = ["<", *tokens, ">"]
    runs = (zip(*(closed[start:] for start in range(size)), strict=False) for size in _RUNS)
    places = [_place(" ".join(run)) for run in chain.from_iterable(runs)]
    return list(surface_units(sentence, tokens)), places


def _place(feature: str) -> int:
    return crc32(feature.encode(errors="replace")) & (PLACES - 1)


def _places_of_unit(unit: str) -> list[int]:
    return [place & (PLACES - 1) for place in surface_places(unit)]


@lru_cache(maxsize=16_384)
def _sum_of_unit(unit: str) -> tuple[int, int]:
    """Return the number of a unit's features, and the sum of their weights."""
    weights, _, _ = _load()
    places = _places_of_unit(unit)
    return len(places), sum(map(weights.__getitem__, places))


@cache
def _load() -> tuple["array[int]", float, float]:
    header, _, body = read_model_file("talk.bin").partition(b"\n")
    values = json.loads(header)
    return array("b", body), values["step"], values["bias"]
