"""Whether a sentence is talk: a greeting, a wish, an offer, an introduction, a question back.

Such a sentence claims nothing about the subject, so references cannot say it. A logistic regression
over hashed letters, words and runs of words decides; its file `data/talk.bin` is a line of JSON and
then the weights as signed bytes, which `research/training/talk.py` writes. It decides about a
sentence and about each of its clauses: "Happy to help: the warranty covers theft!" is no talk.
"""

import json
import math
import re
from array import array
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import chain, pairwise
from typing import Final

from groundtypes.refusals.hashed_model import (
    place_of,
    run_features,
    split_opening,
    word_features,
)
from groundtypes.refusals.model_file import read_model_file
from groundtypes.text.characters import is_spaceless
from groundtypes.text.hypotheses import Hypothesis
from groundtypes.text.punkt import sentence_ends

#: The number of weights, a power of two.
PLACES: Final = 1 << 15
#: A longer sentence claims something in most cases, and so does one with a number.
_MAX_CHARACTERS: Final = 160
#: The least output for a sentence without a mark at its end, which may be a short answer.
_WITHOUT_MARK: Final = 1.0
_BETWEEN_CLAUSES: Final = re.compile(r"[,;:\u2013\u2014\uff0c\u3001\uff1a\uff1b\u060c]\s*|\s-\s")
#: A longer clause in a script without spaces has several words.
_LONGEST_WORD: Final = 4


@lru_cache(maxsize=4_096)
def is_talk(text: str) -> bool:
    """Return whether each sentence of a text claims nothing about the subject of the text."""
    is_fragment = text[:1].islower() and text[-1:].isalnum()  # a short answer, as in a field
    if len(text) > _MAX_CHARACTERS or is_fragment or any(map(str.isdigit, text)):
        return False
    ends = [0, *sentence_ends(text, 0, len(text)), len(text)]
    sentences = (text[start:end].strip() for start, end in pairwise(ends))
    said = [sentence for sentence in sentences if any(map(str.isalpha, sentence))]
    return (
        bool(said)
        and all(_output(each) > (_WITHOUT_MARK if each[-1].isalnum() else 0) for each in said)
        and all(_output(clause) > 0 for each in said for clause in clauses_of(each))
    )


def without_talk(sentences: Sequence[Hypothesis]) -> list[Hypothesis]:
    """Return the sentences that are no talk, such as greetings and offers.

    A short greeting that joined a sentence is left out of its text.
    """
    return [_without_talk_beside(sentence) for sentence in sentences if not is_talk(sentence.text)]


def _without_talk_beside(sentence: Hypothesis) -> Hypothesis:
    text = sentence.text
    ends = [0, *sentence_ends(text, 0, len(text)), len(text)]
    parts = [text[start:end] for start, end in pairwise(ends)]
    said = [part for part in parts if not is_talk(part.strip())]
    if len(said) == len(parts) or not any(map(str.isalnum, "".join(said))):
        return sentence
    return replace(sentence, text="".join(said).strip())


def clauses_of(sentence: str) -> list[str]:
    """Return the parts of a sentence between marks, but for those of one word."""
    clauses = _BETWEEN_CLAUSES.split(sentence.strip())
    if len(clauses) == 1:
        return []
    return [
        clause
        for clause in clauses
        if " " in clause or (len(clause) > _LONGEST_WORD and is_spaceless(clause[0]))
    ]


def _output(sentence: str) -> float:
    weights, step, bias = _load()
    places = talk_places(sentence)
    total = sum(map(weights.__getitem__, places))
    return step * total / math.sqrt(len(places)) + bias


def talk_places(sentence: str) -> list[int]:
    """Return the places of the features of a sentence, some perhaps more than once."""
    tokens = split_opening(sentence)
    features = chain(word_features(sentence, tokens), run_features(tokens))
    return [place_of(feature) & (PLACES - 1) for feature in features]


@cache
def _load() -> tuple["array[int]", float, float]:
    header, _, body = read_model_file("talk.bin").partition(b"\n")
    values = json.loads(header)
    return array("b", body), values["step"], values["bias"]
