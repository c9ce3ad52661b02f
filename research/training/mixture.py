"""The pairs of one training run: known sets, changed sentences, long and noisy premises."""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from training.everyday_mixture import (
    OPINIONS,
    STUDENT,
    TEACHER,
    everyday_mixture,
    remembered,
    with_opinions,
)
from training.long_premises import Corpus, embedded, listed, sentences_of, synthesised
from training.negations import NEGATION, negated, paraphrased_negations
from training.rows import Row, train_rows
from training.word_swaps import swapped
from training.wordnet import Lexicon

__all__ = ["ENCYCLOPEDIC", "MIXTURES", "mixture", "teacher_mixture"]

#: The number of rows of each kind; a trial run on few rows scales them down.
SWAPS: Final = {
    "group": 500,
    "opposed": 400,
    "sister": 100,
    "same": 400,
    "wider": 200,
    "narrower": 100,
}
NEGATED: Final = 3500
PARAPHRASED: Final = 2000
EMBEDDED: Final = 2500
LISTED: Final = 13000
MADE: Final = 7000
#: The teacher learns short pairs above all: each of MultiNLI twice, and so many of the other sets.
TEACHER_SETS: Final = {
    "snli_train_slice": 4000,
    "cad_snli": 3000,
    "fever_rte": 1500,
    "semiauto_wiki": 1500,
    "conjnli": 500,
    "scifact_pairs": 564,
    "med": 300,
    "folio": 100,
}
TEACHER_SWAPS: Final = {
    "group": 120,
    "opposed": 100,
    "sister": 30,
    "same": 100,
    "wider": 50,
    "narrower": 30,
}
TEACHER_NEGATED: Final = 700
TEACHER_EMBEDDED: Final = 500
TEACHER_LISTED: Final = 1000
TEACHER_MADE: Final = 1300
ENCYCLOPEDIC: Final = ("fever_rte", "semiauto_wiki", "conjnli", "scifact_pairs")
_KNOWN_BETTER: Final = {
    "negation",
    "denial said again",
    "denial refutes",
    "denial of a kind",
    "med",
}
#: The number of words of a sentence that can be put in a list of others.
_BRIEF: Final = 22
_SENTENCES: Final = {"snli_train_slice", "mnli_subset", "cad_snli"}


@dataclass(frozen=True, slots=True)
class _Source:
    """What pairs are made from."""

    rows: list[Row]
    lexicon: Lexicon
    corpus: Corpus

    @classmethod
    def of(cls, rows: list[Row], wordnet: Path, least: int) -> "_Source":
        vocabulary = Counter(
            word
            for row in rows
            for word in row.premise.lower().replace(",", " ").replace(".", " ").split()
        )
        words = (word for word, count in vocabulary.items() if count >= least)
        sentences = (
            sentence
            for row in rows
            if row.origin in ENCYCLOPEDIC
            for sentence in sentences_of(row.premise)
        )
        return cls(rows, Lexicon(wordnet, words), Corpus(sentences))

    @property
    def known(self) -> list[Row]:
        """Pairs of single sentences."""
        return [row for row in self.rows if row.origin in _SENTENCES]

    @property
    def long(self) -> list[Row]:
        """Pairs whose premise can be put among sentences of Wikipedia."""
        return [row for row in self.rows if row.origin in {*ENCYCLOPEDIC, "mnli_subset"}]

    @property
    def short(self) -> list[str]:
        """Sentences in which a word is changed."""
        return sorted({row.premise for row in self.rows if len(row.premise.split()) <= 26})


def _source(data: Path, wordnet: Path, rng: random.Random, scale: float) -> _Source:
    rows = train_rows(data)
    if scale < 1:
        rows = rng.sample(rows, int(len(rows) * scale))
    return _Source.of(rows, wordnet, 12 if scale >= 1 else 1)


def mixture(
    data: Path, wordnet: Path, seed: int, scale: float = 1.0, teacher_pairs: Sequence[Row] = ()
) -> list[Row]:
    """Return the pairs of the small model, in random order; `scale` below 1 is for trying it out.

    `teacher_pairs`, if there are any, take the place of the labels of MultiNLI and SNLI.
    """
    rng = random.Random(seed)
    source = _source(data, wordnet, rng, scale)
    known = source.known
    taught = list(teacher_pairs) or known
    rows = taught + [row for row in source.rows if row.origin not in _SENTENCES]
    # Pairs that people wrote with negations on both sides are rare: all of them are used.
    rows += [
        row for row in known if NEGATION.search(row.premise) and NEGATION.search(row.hypothesis)
    ]
    rows += swapped(rng, source.short, source.lexicon, _scaled(SWAPS, scale))
    opposites = list(negated(rng, known, int(NEGATED * scale)))
    denials = sorted({row.premise for row in known} | set(source.corpus.sentences))
    opposites += paraphrased_negations(rng, denials, source.lexicon, int(PARAPHRASED * scale))
    rows += opposites
    beside = source.long + opposites[::3]
    rows += embedded(rng, beside, source.corpus, int(EMBEDDED * scale))
    soft = [row for row in taught if row.origin.startswith("taught: known")] or known
    brief = [row for row in soft + opposites if len(row.premise.split()) <= _BRIEF]
    rows += listed(rng, brief, source.lexicon, int(LISTED * scale))
    rows += synthesised(rng, source.corpus, source.lexicon, int(MADE * scale))
    rng.shuffle(rows)
    return rows


def teacher_mixture(
    data: Path, wordnet: Path, seed: int, scale: float = 1.0, _teacher_pairs: Sequence[Row] = ()
) -> list[Row]:
    """Return the pairs of the teacher, in random order."""
    rng = random.Random(seed)
    source = _source(data, wordnet, rng, scale)
    known = source.known
    whole = [row for row in train_rows(data, {"mnli_subset": 1.0}) if row.origin == "mnli_subset"]
    rows = 2 * whole[: int(len(whole) * scale) or 1]
    for name, count in TEACHER_SETS.items():
        some = [row for row in source.rows if row.origin == name]
        rows += rng.sample(some, min(int(count * scale), len(some)))
    rows += negated(rng, known, int(TEACHER_NEGATED * scale))
    rows += embedded(rng, source.long, source.corpus, int(TEACHER_EMBEDDED * scale))
    brief = [row for row in known if len(row.premise.split()) <= _BRIEF]
    rows += listed(rng, brief, source.lexicon, int(TEACHER_LISTED * scale))
    rows += synthesised(rng, source.corpus, source.lexicon, int(TEACHER_MADE * scale))
    rows += swapped(rng, source.short, source.lexicon, _scaled(TEACHER_SWAPS, scale))
    rng.shuffle(rows)
    return rows


def everyday_student(
    data: Path, wordnet: Path, seed: int, scale: float = 1.0, _teacher_pairs: Sequence[Row] = ()
) -> list[Row]:
    """Return the pairs of the small model's run on everyday text, in random order."""
    known = mixture(data, wordnet, seed)
    known = remembered(random.Random(seed).sample(known, min(STUDENT.known, len(known))))
    return everyday_mixture(data, known, seed, STUDENT, scale)


def everyday_teacher(
    data: Path, wordnet: Path, seed: int, scale: float = 1.0, _teacher_pairs: Sequence[Row] = ()
) -> list[Row]:
    """Return the pairs of the teacher's run on everyday text, in random order."""
    known = teacher_mixture(data, wordnet, seed)
    return everyday_mixture(data, known, seed, TEACHER, scale)


def everyday_opinions(
    data: Path, wordnet: Path, seed: int, scale: float = 1.0, teacher_pairs: Sequence[Row] = ()
) -> list[Row]:
    """Return what a teacher says of the written claims, among pairs that keep what is known."""
    rng = random.Random(seed)
    known = mixture(data, wordnet, seed)
    # Of negations and monotonicity the teacher knows less than the model itself.
    drawn = [row for row in known if row.origin in _KNOWN_BETTER]
    others = [row for row in known if row.origin not in _KNOWN_BETTER]
    drawn += rng.sample(others, min(OPINIONS.known, len(others)))
    known = remembered(drawn)
    opinions = rng.sample(list(teacher_pairs), int(len(teacher_pairs) * scale))
    return with_opinions(data, known, opinions, seed)


def _scaled(counts: Mapping[str, int], scale: float) -> dict[str, int]:
    return {kind: int(count * scale) for kind, count in counts.items()}


#: Whose pairs a configuration names.
MIXTURES: Final[Mapping[str, Callable[..., list[Row]]]] = {
    "student": mixture,
    "teacher": teacher_mixture,
    "everyday": everyday_student,
    "everyday teacher": everyday_teacher,
    "everyday opinions": everyday_opinions,
}
