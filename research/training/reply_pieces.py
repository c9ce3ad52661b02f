"""What the transformer of refusals reads: the opening of a text, in pieces of a vocabulary."""

from collections import defaultdict
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Final

from tokenizers import Tokenizer

from corpora.refusal_replies import written_replies
from groundtypes.refusals.opening import opening_spans
from groundtypes.refusals.transformer import opening_text
from training.e5_checkpoint import E5Checkpoint, tokenizer_of

__all__ = ["WINDOW", "tokenize", "wanted_pieces"]

_FREQUENT_WORDS: Final = Path(__file__).with_name("frequent_words.txt")
#: So many pieces are kept in any case, the most frequent first, and of the more frequent ones those
#: of a single character, of the lists of words, and of training replies of at least two domains.
_PIECES: Final = 10_000
_PIECES_OF_CHARACTERS: Final = 60_000
_DOMAINS: Final = 2
#: How many tokens are read, at most.
WINDOW: Final = 96


def tokenize(tokenizer: Tokenizer, text: str) -> list[int]:
    """Return the tokens of the opening of a text, as `groundtypes.backends.reply_classifier`."""
    ids: list[int] = tokenizer.encode(opening_of(text)).ids
    return ids if len(ids) <= WINDOW else [*ids[: WINDOW - 1], ids[-1]]


def opening_of(text: str) -> str:
    """Return what the transformer reads of a text."""
    return opening_text(text, opening_spans(text))


def wanted_pieces(checkpoint: E5Checkpoint) -> set[str]:
    """Return the pieces of the vocabulary that are kept."""
    tokenizer = tokenizer_of(checkpoint)
    domains: defaultdict[str, set[str]] = defaultdict(set)
    for reply in written_replies():
        if reply.part == "train":
            for piece in tokenizer.encode(opening_of(reply.text)).tokens:
                domains[piece].add(reply.domain)
    found = {piece for piece, of_piece in domains.items() if len(of_piece) >= _DOMAINS}
    for word in _listed_words():
        found.update(tokenizer.encode(word, add_special_tokens=False).tokens)
    found.update(checkpoint.pieces[:_PIECES])
    frequent = checkpoint.pieces[:_PIECES_OF_CHARACTERS]
    return found | {piece for piece in frequent if len(piece.lstrip("\u2581")) <= 1}


def _listed_words() -> Iterator[str]:
    """Yield the words of the lists of classes, and those that were listed for this."""
    classes = resources.files("groundtypes.refusals").joinpath("data/word_classes.txt")
    for line in classes.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            yield from (word.strip("* ") for word in line.partition(":")[2].split(","))
    for line in _FREQUENT_WORDS.read_text(encoding="utf-8").splitlines():
        if not line.startswith("["):
            yield from line.split()
