"""The pairs of one training run: known sets, changed sentences, long and noisy premises."""

import random
from collections import Counter
from pathlib import Path

from training.grounded import Corpus, embedded, made, sentences_of
from training.rows import Row, train_rows
from training.swaps import negated, swapped
from training.wordnet import Lexicon

__all__ = ["mixture"]

#: how many rows of each kind; a run on a handful of rows divides them
SWAPS = {
    "group": 6000,
    "opposed": 3500,
    "sister": 2500,
    "same": 3000,
    "wider": 2500,
    "narrower": 1000,
}
NEGATED = 8000
EMBEDDED = 11000
MADE = 25000
_ENCYCLOPEDIC = ("fever_rte", "semiauto_wiki", "conjnli", "scifact_pairs")


def mixture(data: Path, wordnet: Path, seed: int, scale: float = 1.0) -> list[Row]:
    """Return the training pairs in a drawn order; `scale` below 1 is for trying it out."""
    rng = random.Random(seed)
    rows = train_rows(data)
    if scale < 1:
        rows = rng.sample(rows, int(len(rows) * scale))
    vocabulary = Counter(
        word
        for row in rows
        for word in row.premise.lower().replace(",", " ").replace(".", " ").split()
    )
    least = 12 if scale >= 1 else 1
    lexicon = Lexicon(wordnet, (word for word, count in vocabulary.items() if count >= least))
    corpus = Corpus(
        sentence
        for row in rows
        if row.origin in _ENCYCLOPEDIC
        for sentence in sentences_of(row.premise)
    )
    short = sorted({row.premise for row in rows if len(row.premise.split()) <= 26})
    long = [row for row in rows if row.origin in {*_ENCYCLOPEDIC, "mnli_subset"}]
    denied = [row for row in rows if row.origin in {"snli_train_slice", "mnli_subset", "cad_snli"}]
    more: list[Row] = []
    more += swapped(rng, short, lexicon, {k: int(n * scale) for k, n in SWAPS.items()})
    more += negated(rng, denied, int(NEGATED * scale))
    more += embedded(rng, long, corpus, int(EMBEDDED * scale))
    more += made(rng, corpus, lexicon, int(MADE * scale))
    rows += more
    rng.shuffle(rows)
    return rows
