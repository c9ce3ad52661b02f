"""The pairs of the runs on everyday text: written claims, natural passages, and known pairs.

Known pairs keep what a model knows. Those of the small model share their targets with what it said
before.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from corpora.rows import read_rows
from corpora.written_claims import claim_sets
from groundtypes import Pair, References
from groundtypes.backends.nli_onnx import OnnxNLI
from groundtypes.entailment.evidence.passage_index import select_passages
from groundtypes.entailment.evidence.premises import compose_premise
from groundtypes.scoring import NLIScores
from groundtypes.text.sentences import sentence_spans
from training.claim_pairs import claim_pairs, softened, start_sets
from training.meaning_changes import changed_in_meaning
from training.negations import negated
from training.rows import CONTRADICTION, ENTAILMENT, NEUTRAL, Row

__all__ = [
    "OPINIONS",
    "STUDENT",
    "TEACHER",
    "Counts",
    "everyday_mixture",
    "remembered",
    "uncalibrated",
    "with_opinions",
]


@dataclass(frozen=True, slots=True)
class Counts:
    """How many pairs of each kind are shown.

    `known` pairs are of the mixture that the model learned from before. `of_sentence` pairs are of
    each sentence of a claim, with premises of at most so many `words`; `first` are of the sets that
    were written first. `copied` references have a sentence shown word for word, denied, and changed
    in meaning.
    """

    known: int
    of_sentence: int
    words: int
    first: int
    copied: int
    news: int
    tables: int
    conjunctions: int


#: Those of the small model, and of its teacher, which takes eight times as long for a pair.
STUDENT: Final = Counts(22_000, 5, 400, 5_000, 2_500, 1_800, 1_500, 600)
TEACHER: Final = Counts(14_000, 3, 60, 1_500, 800, 500, 450, 200)
#: Those of the small model beside its teacher's opinions, which are of the written claims.
OPINIONS: Final = Counts(12_000, 0, 0, 0, 1_500, 800, 700, 500)
#: The share of what the model said before in the target of a known pair.
_KEPT: Final = 0.5
#: A news passage from which what a claim needs was taken away does not state it.
_MISSING: Final = (0.0, 0.8, 0.2)
_HALF: Final = 0.5
_TARGETS: Final = {
    "entailment": ENTAILMENT,
    "neutral": NEUTRAL,
    "contradiction": CONTRADICTION,
}


def everyday_mixture(
    data: Path,
    known: Sequence[Row],
    seed: int,
    counts: Counts,
    scale: float = 1.0,
) -> list[Row]:
    """Return the pairs in random order; `scale` is the share of the written claims."""
    rng = random.Random(seed)
    sets = claim_sets("train")
    sets = rng.sample(sets, int(len(sets) * scale))
    rows = list(claim_pairs(rng, sets, counts.of_sentence, counts.words))
    rows += copied(rng, [text for each in sets for text in each.references], counts.copied)
    rows += _drawn(
        rng, claim_pairs(rng, start_sets(data), counts.of_sentence, counts.words), counts.first
    )
    rows += _drawn(rng, news(data), counts.news)
    rows += _drawn(rng, tables(data), counts.tables)
    rows += _drawn(rng, conjunctions(data), counts.conjunctions)
    rows += _drawn(rng, known, counts.known)
    rng.shuffle(rows)
    return rows


def with_opinions(
    data: Path, known: Sequence[Row], opinions: Sequence[Row], seed: int
) -> list[Row]:
    """Return a teacher's opinions among natural passages and known pairs, in random order."""
    rng = random.Random(seed)
    references = [text for each in claim_sets("train") for text in each.references]
    rows = [*opinions, *copied(rng, references, OPINIONS.copied)]
    rows += _drawn(rng, news(data), OPINIONS.news)
    rows += _drawn(rng, tables(data), OPINIONS.tables)
    rows += _drawn(rng, conjunctions(data), OPINIONS.conjunctions)
    rows += known
    rng.shuffle(rows)
    return rows


def _drawn(rng: random.Random, rows: Iterable[Row], most: int) -> list[Row]:
    found = list(rows)
    return rng.sample(found, min(most, len(found)))


def copied(rng: random.Random, references: Sequence[str], count: int) -> Iterator[Row]:
    """Yield sentences of references as they stand there, denied, and changed in meaning.

    Half of them are laid beside the sentence alone, half beside the whole reference.
    """
    for reference in _drawn_texts(rng, references, count):
        sentences = [" ".join(reference[a:b].split()) for a, b in sentence_spans(reference)]
        whole = rng.random() < _HALF
        rows = [Row(reference if whole else text, text, ENTAILMENT, "copied") for text in sentences]
        row = rng.choice(rows)
        yield row
        premises = {each.premise for each in rows}
        for new in negated(rng, rows, len(rows)):
            if new.premise in premises:
                yield replace(new, origin="copied: denied")
                break
        changed = changed_in_meaning(rng, row.hypothesis, reference)
        if changed is not None:
            yield Row(row.premise, changed[0], changed[1], "copied: changed")


def _drawn_texts(rng: random.Random, texts: Sequence[str], most: int) -> list[str]:
    return rng.sample(list(texts), min(most, len(texts)))


def remembered(rows: Sequence[Row]) -> list[Row]:
    """Return known pairs, with what the bundled network says of them as half of their targets."""
    return softened(rows, _guesses(rows), _KEPT)


def _guesses(rows: Sequence[Row]) -> list[tuple[float, float, float]]:
    """Return what the bundled network says of pairs, without its calibration."""
    engine = OnnxNLI(calibrate=uncalibrated)
    scores = engine.score([Pair(row.premise, row.hypothesis) for row in rows])
    return [(score.entailment, score.neutral, score.contradiction) for score in scores]


def uncalibrated(_pair: Pair, scores: NLIScores) -> NLIScores:
    """Return the scores of the network as they are."""
    return scores


def news(data: Path) -> Iterator[Row]:
    """Yield claims on news passages, and the same on passages that no longer say so."""
    for row in read_rows(data / "grounded" / "cg2c_doc.jsonl.gz"):
        if row["split"] != "train":
            continue
        claim = str(row.get("claim") or row.get("response"))
        references = References.of([row["context"]])
        target = ENTAILMENT if row["label"] == "supported" else _MISSING
        if composed := compose_premise(references, claim):
            yield Row(composed.text, claim, target, "news: composed")
        # A supported claim may need what stands outside of its best passage.
        [passage] = select_passages(references, claim, 1)
        if row["label"] != "supported" or len(passage.text) >= len(row["context"].strip()):
            yield Row(passage.text, claim, target, "news: passage")


def tables(data: Path) -> Iterator[Row]:
    """Yield statements on tables that are told as text."""
    yield from _pairs(data, "infotabs")


def conjunctions(data: Path) -> Iterator[Row]:
    """Yield sentences with a part of a conjunction left out or added."""
    yield from _pairs(data, "help")


def _pairs(data: Path, name: str) -> Iterator[Row]:
    row: dict[str, Any]
    for row in read_rows(data / "nli" / f"{name}.jsonl.gz"):
        if row["split"] == "train":
            yield Row(row["premise"], row["hypothesis"], _TARGETS[row["label"]], name)
