"""Fits how the scores of the judge are read, on tuning parts, and writes `judge.json`.

    python -m training.fit_judge --data DATA --base BASE --cache scores.sqlite [--write]

A single statement is entailed from the score on at which supported and unsupported written claims
are told apart best. For a sentence of a longer text there are two such scores, of which that one
holds which belongs to what the judge says of the text as a whole, and this has a limit, too: they
are those with which right and wrong sentences, and right and faulty answers, are told apart best.
The scores lie in a cache, so that a run that was stopped goes on where it ended; on two cores it
takes an hour.
"""

import argparse
import hashlib
import itertools
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from corpora.rag_answers import Part, RagAnswer, rag_answers
from corpora.written_claims import claim_sets
from groundtypes.backends.nli_causal import CausalNLI
from groundtypes.backends.score_cache import DiskScoreCache
from groundtypes.entailment.questions import preceding
from groundtypes.scoring import THRESHOLD, Pair
from groundtypes_judge import FOLDER

#: The answers that the LoRA has not learned.
_ANSWERS: Final = ("more", "languages")
#: Sentences that deny what the text says are not told from those that rightly deny it by any limit.
_LEFT_OUT: Final = "wrong abstention"
#: One in six sets of written claims is enough for two numbers.
_CLAIM_SETS: Final = 6
#: The limits that are tried: for a text as a whole, for sentences of one that reaches it, and for
#: sentences of another.
_WHOLE: Final = (0.3, 0.4, 0.5)
_LOW: Final = (0.2, 0.3, 0.4, 0.5)
_HIGH: Final = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9)
_CUT: Final = 1e-4
#: Longer references would take most of the time.
_MOST_CHARACTERS: Final = 6_000


@dataclass(frozen=True, slots=True)
class Scored:
    """The scores of the sentences of an answer and of the whole, with the labels of the sentences.

    A label is `None` if the sentence claims nothing about its subject.
    """

    sentences: tuple[float, ...]
    labels: tuple[bool | None, ...]
    whole: float


def pairs_of(answer: RagAnswer) -> list[Pair]:
    """Return the questions on each sentence, and last the one on the whole answer."""
    premise = "\n\n".join(answer.references)
    return [
        *(
            Pair(premise, sentence, preceding(answer.sentences, at))
            for at, sentence in enumerate(answer.sentences)
        ),
        Pair(premise, " ".join(answer.sentences)),
    ]


def scored_answers(engine: CausalNLI, data: Path, part: Part) -> list[Scored]:
    """Return the scores of the answers of a part; those with a wrong abstention are left out."""
    found = []
    for answer in rag_answers(data, part, _ANSWERS):
        if _LEFT_OUT in answer.kinds or sum(map(len, answer.references)) > _MOST_CHARACTERS:
            continue
        scores = [score.entailment for score in engine.score(pairs_of(answer))]
        found.append(Scored(tuple(scores[:-1]), answer.are_right, scores[-1]))
    return found


def scored_claims(engine: CausalNLI) -> list[tuple[float, bool]]:
    """Return the scores of written claims of the tuning part, and whether they are supported."""
    found = []
    for claims in claim_sets("tune")[::_CLAIM_SETS]:
        premise = "\n\n".join(claims.references)
        scores = engine.score([Pair(premise, claim.text) for claim in claims.claims])
        found += [
            (score.entailment, claim.supported)
            for score, claim in zip(scores, claims.claims, strict=True)
        ]
    return found


def both_ways(rows: Iterable[tuple[bool, bool]]) -> tuple[float, float]:
    """Return the shares of right rows that pass, and of wrong rows that are refused."""
    rows = list(rows)
    right = [passes for passes, is_right in rows if is_right]
    wrong = [not passes for passes, is_right in rows if not is_right]
    return float(np.mean(right)), float(np.mean(wrong))


def judged(
    answers: Sequence[Scored], whole: float, low: float, high: float
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the shares of sentences and of whole answers, both ways, with three limits."""
    sentences, wholes = [], []
    for answer in answers:
        limit = high if answer.whole < whole else low
        if len(answer.sentences) == 1:
            limit = THRESHOLD
        passes = [score >= limit for score in answer.sentences]
        pairs = zip(passes, answer.labels, strict=True)
        sentences += [(passed, label) for passed, label in pairs if label is not None]
        wholes.append((all(passes), False not in answer.labels))
    return both_ways(sentences), both_ways(wholes)


def fitted_slope(rows: Sequence[tuple[float, bool]]) -> tuple[float, float]:
    """Return slope and bias of a logistic regression in which both labels weigh the same."""
    odds = np.array([[log_odds(score), 1.0] for score, _ in rows])
    labels = np.array([float(label) for _, label in rows])
    weights = np.where(labels > 0, 0.5 / labels.mean(), 0.5 / (1 - labels.mean()))
    found = np.zeros(2)
    for _ in range(50):
        chance = 1 / (1 + np.exp(-odds @ found))
        slope = odds.T @ (weights * (labels - chance))
        curve = (odds * (weights * chance * (1 - chance))[:, None]).T @ odds
        found += np.linalg.solve(curve + 1e-6 * np.eye(2), slope)
    return float(found[0]), float(found[1])


def log_odds(score: float) -> float:
    """Return the log odds of a score, which is clipped."""
    score = min(max(score, _CUT), 1 - _CUT)
    return math.log(score / (1 - score))


def main() -> None:
    """Fit, print what comes of it on the tuning and the test part, and perhaps write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    engine = CausalNLI.judge(options.base, window=4096, cache=DiskScoreCache(options.cache))
    claims = scored_claims(engine)
    tune, test = (scored_answers(engine, options.data, part) for part in ("tune", "test"))

    def value(limits: tuple[float, float, float]) -> float:
        (right, wrong), (whole_right, whole_wrong) = judged(tune, *limits)
        return right + wrong + whole_right + whole_wrong

    whole, low, high = max(itertools.product(_WHOLE, _LOW, _HIGH), key=value)
    for name, part in (("tune", tune), ("test", test)):
        for limits in ((THRESHOLD,) * 3, (whole, low, high)):
            sentences, wholes = judged(part, *limits)
            print(
                f"{name}, limits {limits}: sentences {sentences[0]:.1%} pass and "
                f"{sentences[1]:.1%} are refused; answers {wholes[0]:.1%} and {wholes[1]:.1%} "
                f"({len(part)} answers)"
            )
    alone = fitted_slope(claims)
    print("statements at 0.5:", both_ways((score >= THRESHOLD, label) for score, label in claims))
    print("statements, fitted:", both_ways((_passes(alone, s), label) for s, label in claims))
    slope, _ = fitted_slope(
        [
            (score, label)
            for answer in tune
            for score, label in zip(answer.sentences, answer.labels, strict=True)
            if label is not None
        ]
    )
    weights = {
        "statement": [round(number, 3) for number in alone],
        "text": [1.0, round(-log_odds(whole), 3)],
        "sentence of an entailed text": [round(slope, 3), round(-slope * log_odds(low), 3)],
        "sentence of another text": [round(slope, 3), round(-slope * log_odds(high), 3)],
    }
    print(json.dumps(weights, indent=2))
    if options.write:
        path = FOLDER / "judge.json"
        path.write_text(
            json.dumps({**json.loads(path.read_text()), "weights": weights}, indent=2) + "\n"
        )
        write_checksums(FOLDER)


def _passes(fitted: tuple[float, float], score: float) -> bool:
    slope, bias = fitted
    return slope * log_odds(score) + bias >= 0


def write_checksums(folder: Path) -> None:
    """Write the checksums of all files of a folder."""
    names = sorted(path.name for path in folder.iterdir() if path.name != "SHA256SUMS")
    lines = [
        f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}" for name in names
    ]
    (folder / "SHA256SUMS").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
