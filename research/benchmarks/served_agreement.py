"""Compares two NLI engines on sentences of RAGTruth answers: how many verdicts differ.

    python -m benchmarks.served_agreement --data DATA --store STORE.jsonl \
        --judge judge:BASE --judge served:http://127.0.0.1:8000/v1#judge

Made for the judge in the process against the same judge behind a server: a verdict is whether the
engine says at the default threshold that the references entail the sentence. Each answer is one
request of its sentences on all its references. Scores are stored, so a run that was stopped goes on
with the same command.
"""

import argparse
import json
import statistics
from itertools import chain
from pathlib import Path

from benchmarks import machine
from benchmarks.judges.sets import SETS, sample
from groundtypes import NLIScorer, Pair
from groundtypes.backends.nli_served import ServedNLI
from groundtypes.entailment.questions import preceding, sentences_with_claims
from groundtypes.judges import named_nli
from groundtypes.scoring import THRESHOLD

SET = "ragtruth-qa-test"


def questions(data: Path, most: int) -> list[list[Pair]]:
    """Return the first sentences of the set, those of an answer together."""
    [judged] = (judged for judged in SETS if judged.name == SET)
    found: list[list[Pair]] = []
    for row in sample(judged, data, None):
        if sum(map(len, found)) >= most:
            break
        premise = "\n\n".join(row.references)
        sentences = [sentence.text for sentence in sentences_with_claims(row.text)]
        found.append(
            [
                Pair(premise, text, preceding(sentences, number))
                for number, text in enumerate(sentences)
            ]
        )
    return [answer for answer in found if answer]


def scores(judge: str, answers: list[list[Pair]], store: Path) -> list[float]:
    """Return the probability of entailment of each sentence; those in the store are not asked."""
    known = _read(store, judge)
    engine: NLIScorer | None = None
    for number, answer in enumerate(answers):
        if number in known:
            continue
        engine = engine or _engine(judge)
        known[number] = [score.entailment for score in engine.score(answer)]
        with store.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"judge": judge, "at": number, "scores": known[number]}) + "\n")
    return list(chain.from_iterable(known[number] for number in range(len(answers))))


def _engine(judge: str) -> NLIScorer:
    """Return an engine; a server on a slow machine has ten minutes for a question."""
    if not judge.startswith("served:"):
        return named_nli(judge)
    url, _, model = judge.removeprefix("served:").partition("#")
    return ServedNLI(url, model, template="judge", concurrency=1, timeout=600)


def _read(store: Path, judge: str) -> dict[int, list[float]]:
    lines = store.read_text("utf-8").splitlines() if store.exists() else []
    rows = map(json.loads, lines)
    return {row["at"]: row["scores"] for row in rows if row["judge"] == judge}


def main() -> None:
    """Ask both engines and print how far they differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("--judge", action="append", required=True)
    parser.add_argument("--sentences", type=int, default=200)
    options = parser.parse_args()
    if len(options.judge) != 2:
        parser.error("Name two judges.")
    answers = questions(options.data, options.sentences)
    one, two = (scores(judge, answers, options.store) for judge in options.judge)
    pairs = list(zip(one, two, strict=True))
    differ = sum((a >= THRESHOLD) != (b >= THRESHOLD) for a, b in pairs)
    gaps = [abs(a - b) for a, b in pairs]
    print(machine.describe(("torch", "transformers", "peft", "openai")))
    print(f"{len(pairs)} sentences of {len(answers)} answers: {differ} verdicts differ")
    mean, largest = statistics.fmean(gaps), max(gaps)
    print(f"probability of entailment: mean gap {mean:.3f}, largest {largest:.3f}")


if __name__ == "__main__":
    main()
