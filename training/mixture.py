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
    "group": 4000,
    "opposed": 2500,
    "sister": 1000,
    "same": 2500,
    "wider": 1500,
    "narrower": 500,
}
NEGATED = 10000
EMBEDDED = 9000
MADE = 22000
#: how often the pairs of a set are shown, if more than once
TIMES = {"mnli_subset": 3, "snli_train_slice": 2, "cad_snli": 2, "semiauto_wiki": 2}
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
    opposites = list(negated(rng, denied, int(NEGATED * scale)))
    more += opposites
    more += embedded(rng, long + opposites[::3], corpus, int(EMBEDDED * scale))
    more += made(rng, corpus, lexicon, int(MADE * scale))
    rows = [row for row in rows for _ in range(TIMES.get(row.origin, 1))] + more
    rng.shuffle(rows)
    return rows
