"""Fits how the scores of the judge are read, on tuning parts, and writes `judge.json`.

    python -m training.fit_judge --data DATA --base BASE --cache scores.sqlite [--write]

A single statement is entailed from the score on at which supported and unsupported written claims
are told apart best. A longer text is entailed with all of its sentences from that score of its
least entailed sentence on at which right and wrong RAG answers are told apart best; of another, the
least entailed sentence is not entailed, and each other one is from that score on at which right and
wrong sentences of RAG answers are told apart best.
The scores lie in a cache, so that a run that was stopped goes on where it ended; on two cores it
takes an hour.
"""

import argparse
import hashlib
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from corpora.rag_answers import Part, rag_answers
from corpora.written_claims import claim_sets
from groundtypes.backends.nli_causal import CausalNLI
from groundtypes.backends.score_cache import DiskScoreCache
from groundtypes.entailment.questions import preceding, sentences_with_claims
from groundtypes.scoring import THRESHOLD, Pair
from groundtypes_judge import FOLDER

#: The answers that the LoRA has not learned.
_ANSWERS: Final = ("more", "languages")
#: Sentences that deny what the text says are not told from those that rightly deny it by any limit.
_LEFT_OUT: Final = "wrong abstention"
#: One in so many sets of written claims is enough: for the two numbers of statements, and for
#: answers, of which a set has few.
_STATEMENT_SETS: Final = 6
_ANSWER_SETS: Final = 3
#: The limits that are tried: for a statement, for the least entailed sentence of a text, and for
#: each other one of a text that is not entailed.
_STATEMENT: Final = (0.3, 0.4, 0.5, 0.6, 0.7)
_TEXT: Final = (0.2, 0.25, 0.3, 0.35, 0.4, 0.5)
_SENTENCE: Final = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9)
_CUT: Final = 1e-4
#: Tokens of references. Longer ones would take most of the time, and would not be read as a whole.
_MOST_TOKENS: Final = 1_600


@dataclass(frozen=True, slots=True)
class Scored:
    """The scores of the sentences of an answer, with their labels and that of the whole.

    The label of a sentence is `None` if it is not known, or if the sentence claims nothing about
    its subject.
    """

    sentences: tuple[float, ...]
    labels: tuple[bool | None, ...]
    is_right: bool


def pairs_of(premise: str, sentences: Sequence[str]) -> list[Pair]:
    """Return the questions on each sentence of an answer."""
    return [
        Pair(premise, sentence, preceding(sentences, at)) for at, sentence in enumerate(sentences)
    ]


def scored_answers(engine: CausalNLI, data: Path, part: Part) -> list[Scored]:
    """Return the scores of the answers of a part; those with a wrong abstention are left out."""
    found = []
    for answer in rag_answers(data, part, _ANSWERS):
        if _LEFT_OUT in answer.kinds:
            continue
        premise = "\n\n".join(answer.references)
        if engine.count_tokens(premise) > _MOST_TOKENS:
            continue
        scores = [score.entailment for score in engine.score(pairs_of(premise, answer.sentences))]
        found.append(Scored(tuple(scores), answer.are_right, answer.is_faultless))
    return found


def scored_statements(engine: CausalNLI) -> list[tuple[float, bool]]:
    """Return the scores of written statements of the tuning part, with their labels."""
    found = []
    for claims in claim_sets("tune")[::_STATEMENT_SETS]:
        premise = "\n\n".join(claims.references)
        statements = [claim for claim in claims.claims if claim.form == "statement"]
        scores = engine.score([Pair(premise, claim.text) for claim in statements])
        found += [
            (score.entailment, claim.supported)
            for score, claim in zip(scores, statements, strict=True)
        ]
    return found


def scored_written_answers(engine: CausalNLI) -> list[Scored]:
    """Return the scores of written answers of several sentences of the tuning part."""
    found = []
    for claims in claim_sets("tune")[::_ANSWER_SETS]:
        premise = "\n\n".join(claims.references)
        for claim in claims.claims:
            sentences = [sentence.text for sentence in sentences_with_claims(claim.text)]
            if claim.form != "answer" or len(sentences) < 2:
                continue
            scores = [score.entailment for score in engine.score(pairs_of(premise, sentences))]
            labels = (None,) * len(sentences)
            found.append(Scored(tuple(scores), labels, claim.supported))
    return found


def both_ways(rows: Iterable[tuple[bool, bool]]) -> tuple[float, float]:
    """Return the shares of right rows that pass, and of wrong rows that are refused."""
    rows = list(rows)
    right = [passes for passes, is_right in rows if is_right]
    wrong = [not passes for passes, is_right in rows if not is_right]
    return float(np.mean(right)), float(np.mean(wrong))


def judged(
    answers: Sequence[Scored], least: float, limit: float
) -> tuple[list[tuple[bool, bool]], list[tuple[bool, bool]]]:
    """Return of labelled sentences and of whole answers whether they pass, and their labels."""
    sentences, wholes = [], []
    for answer in answers:
        lowest = min(answer.sentences)
        holds = lowest >= (least if len(answer.sentences) > 1 else THRESHOLD)
        passes = [holds or lowest < score >= limit for score in answer.sentences]
        pairs = zip(passes, answer.labels, strict=True)
        sentences += [(passed, label) for passed, label in pairs if label is not None]
        wholes.append((holds, answer.is_right))
    return sentences, wholes


def fitted_slope(rows: Sequence[tuple[float, bool]]) -> float:
    """Return the slope of a logistic regression in which both labels weigh the same."""
    odds = np.array([[log_odds(score), 1.0] for score, _ in rows])
    labels = np.array([float(label) for _, label in rows])
    weights = np.where(labels > 0, 0.5 / labels.mean(), 0.5 / (1 - labels.mean()))
    found = np.zeros(2)
    for _ in range(50):
        chance = 1 / (1 + np.exp(-odds @ found))
        slope = odds.T @ (weights * (labels - chance))
        curve = (odds * (weights * chance * (1 - chance))[:, None]).T @ odds
        found += np.linalg.solve(curve + 1e-6 * np.eye(2), slope)
    return float(found[0])


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
    engine = CausalNLI.judge(options.base, cache=DiskScoreCache(options.cache))
    claims = scored_statements(engine)
    written = scored_written_answers(engine)
    tune, test = (scored_answers(engine, options.data, part) for part in ("tune", "test"))

    least = max(_TEXT, key=lambda least: sum(both_ways(judged(tune, least, THRESHOLD)[1])))
    limit = max(_SENTENCE, key=lambda limit: sum(both_ways(judged(tune, least, limit)[0])))
    for name, part in (("tune", tune), ("tune, written", written), ("test", test)):
        for limits in ((THRESHOLD, THRESHOLD), (least, limit)):
            shares = " ".join(
                f"{title} {right:.1%} pass and {wrong:.1%} are refused;"
                for title, rows in zip(("sentences", "answers"), judged(part, *limits), strict=True)
                if rows
                for right, wrong in (both_ways(rows),)
            )
            print(f"{name}, limits {limits}: {shares} ({len(part)} answers)")
    alone = max(_STATEMENT, key=lambda limit: _gain(claims, limit))
    for tried in (THRESHOLD, alone):
        print(f"statements at {tried}:", both_ways(_passing(claims, tried)))
    steepness = fitted_slope(claims)
    slope = fitted_slope(
        [
            (score, label)
            for answer in tune
            for score, label in zip(answer.sentences, answer.labels, strict=True)
            if label is not None
        ]
    )
    weights = {
        "statement": [round(steepness, 3), _bias(steepness, alone)],
        "text": [1.0, _bias(1.0, least)],
        "sentence": [round(slope, 3), _bias(slope, limit)],
    }
    print(json.dumps(weights, indent=2))
    if options.write:
        path = FOLDER / "judge.json"
        path.write_text(
            json.dumps({**json.loads(path.read_text()), "weights": weights}, indent=2) + "\n"
        )
        write_checksums(FOLDER)


def _bias(slope: float, limit: float) -> float:
    """Return the bias with which a score at the limit is at the threshold."""
    return round(-slope * log_odds(limit), 3) + 0.0  # and no negative zero


def _gain(claims: Sequence[tuple[float, bool]], limit: float) -> float:
    """Return what a limit reaches, both ways; 0.5 stays unless another is a point better."""
    return sum(both_ways(_passing(claims, limit))) + (0.02 if limit == THRESHOLD else 0.0)


def _passing(claims: Sequence[tuple[float, bool]], limit: float) -> list[tuple[bool, bool]]:
    """Return whether each claim passes, and its label."""
    return [(score >= limit, label) for score, label in claims]


def write_checksums(folder: Path) -> None:
    """Write the checksums of all files of a folder."""
    names = sorted(path.name for path in folder.iterdir() if path.name != "SHA256SUMS")
    lines = [
        f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}" for name in names
    ]
    (folder / "SHA256SUMS").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
