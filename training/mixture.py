"""The pairs of one training run: known sets, changed sentences, long and noisy premises."""

import random
from collections import Counter
from pathlib import Path

from training.denials import DENIED, negated, said_again
from training.grounded import Corpus, embedded, listed, made, sentences_of
from training.rows import Row, train_rows
from training.swaps import swapped
from training.wordnet import Lexicon

__all__ = ["mixture"]

#: how many rows of each kind; a run on a handful of rows divides them
SWAPS = {
    "group": 500,
    "opposed": 400,
    "sister": 100,
    "same": 400,
    "wider": 200,
    "narrower": 100,
}
NEGATED = 3500
SAID_AGAIN = 2000
EMBEDDED = 2500
MADE = 5000
LISTED = 13000
#: words of a sentence that may stand in a list of others
_BRIEF = 22
_SENTENCES = {"snli_train_slice", "mnli_subset", "cad_snli"}
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
    known = [row for row in rows if row.origin in _SENTENCES]
    # What people wrote with denials on both sides is rare, and all that is natural of the kind.
    rows += [row for row in rows if DENIED.search(row.premise) and DENIED.search(row.hypothesis)]
    more: list[Row] = []
    more += swapped(rng, short, lexicon, {k: int(n * scale) for k, n in SWAPS.items()})
    opposites = list(negated(rng, known, int(NEGATED * scale)))
    denials = sorted({row.premise for row in known} | set(corpus.sentences))
    opposites += said_again(rng, denials, lexicon, int(SAID_AGAIN * scale))
    more += opposites
    more += embedded(rng, long + opposites[::3], corpus, int(EMBEDDED * scale))
    brief = [row for row in known + opposites if len(row.premise.split()) <= _BRIEF]
    more += listed(rng, brief, lexicon, int(LISTED * scale))
    more += made(rng, corpus, lexicon, int(MADE * scale))
    rows += more
    rng.shuffle(rows)
    return rows
