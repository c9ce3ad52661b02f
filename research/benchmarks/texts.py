"""Real texts of any size, and quotes from them as language models write them."""

import random
import re
from collections.abc import Callable, Sequence
from functools import cache

from corpora.wikipedia import wikipedia_passages

__all__ = ["KINDS", "SIZES", "mixed", "quotes_of", "text_of"]

SIZES = {"5k": 5_000, "50k": 50_000, "500k": 500_000, "5M": 5_000_000}
KINDS = ("exact", "typographic", "slip", "absent")
_SEED = 20261121
#: The number of passages at the end that are never searched: their sentences are absent.
_ELSEWHERE = 200
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"“])")
#: The words in a quote, and the words in which a letter may be missing.
_WORDS = range(12, 41)
_LONG_WORD = re.compile(r"(?<![\w'’-])[a-z]{8,}(?![\w'’-])")


@cache
def _passages() -> tuple[list[str], list[str]]:
    lines = wikipedia_passages()
    searched, elsewhere = lines[:-_ELSEWHERE], lines[-_ELSEWHERE:]
    random.Random(_SEED).shuffle(searched)
    return searched, elsewhere


@cache
def text_of(size: int) -> str:
    """Return a text of `size` characters, made of real passages.

    The first 1.6 million characters are different passages as they are. What goes beyond is made
    of the same passages, the sentences of each in an order drawn with a seed.
    """
    passages = _passages()[0]
    pieces = list(passages)
    length = sum(len(piece) + 1 for piece in pieces)
    rng = random.Random(_SEED)
    while length < size:
        for passage in passages:
            sentences = _SENTENCE_END.split(passage)
            rng.shuffle(sentences)
            pieces.append(" ".join(sentences))
            length += len(pieces[-1]) + 1
    return "\n".join(pieces)[:size]


def quotes_of(kind: str, size: int, count: int) -> list[str]:
    """Return up to `count` different quotes of a kind, evenly spread over the text of `size`.

    `exact` are whole sentences of 12 to 40 words; `typographic` are these with other quotation
    marks, spaces, case and full stop; `slip`, with a letter missing in the longest word;
    `absent` are sentences that the text does not hold.
    """
    if kind == "absent":
        text = text_of(size)
        found = [sentence for sentence in _elsewhere() if sentence not in text]
        return _spread(found, count)
    return [_CHANGES[kind](sentence) for sentence in _spread(_sentences_of(size), count)]


def mixed(size: int, count: int) -> list[str]:
    """Return `count` quotes: 4 in 10 exact, 3 typographic, 2 with a slip, 1 absent.

    Where a text holds fewer sentences than that, sentences come again.
    """
    made = {kind: quotes_of(kind, size, count) for kind in KINDS}
    turns = ["exact"] * 4 + ["typographic"] * 3 + ["slip"] * 2 + ["absent"]
    quotes = []
    for number in range(count):
        kind = made[turns[number % len(turns)]]
        quotes.append(kind[number % len(kind)])
    random.Random(_SEED).shuffle(quotes)
    return quotes


def _typographic(quote: str) -> str:
    curled = re.sub(r'"([^"]*)"', r"“\1”", quote).replace("'", "’")
    words = curled.rstrip(".").split()
    middle = len(words) // 2
    head, tail = " ".join(words[:middle]), "\u00a0".join(words[middle : middle + 2])
    rest = " ".join(words[middle + 2 :])
    return f"{head[0].swapcase()}{head[1:]}\n{tail} {rest}"


def _slip(quote: str) -> str:
    word = max(_LONG_WORD.finditer(quote), key=lambda match: len(match[0]))
    forgotten = word.start() + len(word[0]) // 2
    return quote[:forgotten] + quote[forgotten + 1 :]


_CHANGES: dict[str, Callable[[str], str]] = {
    "exact": str,
    "typographic": _typographic,
    "slip": _slip,
}


@cache
def _sentences_of(size: int) -> list[str]:
    return _sentences(text_of(size))


@cache
def _elsewhere() -> list[str]:
    return _sentences("\n".join(_passages()[1]))


def _sentences(text: str) -> list[str]:
    """Return the whole sentences that have about the length of a quote, each once."""
    found = (
        sentence
        for passage in text.split("\n")
        for sentence in _SENTENCE_END.split(passage)[:-1]
        if len(sentence.split()) in _WORDS and _LONG_WORD.search(sentence)
    )
    return list(dict.fromkeys(found))


def _spread(sentences: Sequence[str], count: int) -> list[str]:
    count = min(count, len(sentences))
    return [sentences[number * len(sentences) // count] for number in range(count)]
