"""Train the model that tells talk from claims, and write its file.

    python -m training.talk --data DATA

`DATA` is the folder of public sets (research/notes/benchmarks.md). Talk is that of
`corpora/data/talk.txt`; claims are its counterparts, the sentences of RAG answers in their tuning
part, written claims, and sentences of written replies that answer, whole and in parts. All talk in
RAG answers, and their test part, are kept for the figures that are printed.
"""

import argparse
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from corpora.rag_answers import Part, rag_answers
from corpora.refusal_replies import written_replies
from corpora.talk import talk_sentences
from corpora.written_claims import claim_sets
from groundtypes.refusals.talk import PLACES, clauses_of, is_talk, talk_places
from groundtypes.text.hypotheses import hypotheses
from training.logistic import Array

__all__ = ["main"]

OUT: Final = Path(__file__).parents[2] / "src/groundtypes/refusals/data/talk.bin"
_FILES: Final = ("rag", "more", "languages")
_REPLIES: Final = 4_000
_SENTENCES: Final = 3
#: Of one claim in so many, parts are claims, too: short answers.
_EVERY: Final = 4
#: How much a sentence of talk counts, a claim that resembles talk, and a clause of talk, or talk
#: with another mark; any other claim counts once.
_TALK: Final = 6.0
_RESEMBLES: Final = 6.0
_VARIANT: Final = 6.0
#: Talk may also end with another mark.
_MARKS: Final = {"!": ".", ".": "!"}
_RIDGE: Final = 2e-5
_STEPS: Final = 300
_RATE: Final = 0.5
#: What is added to the bias, so that about one claim in a thousand is taken for talk.
_SHIFT: Final = -0.05


def _sentences(folder: Path, part: Part | None, *, talk: bool) -> list[str]:
    """Return the sentences of RAG answers that are talk, or those that are not."""
    return [
        text
        for answer in rag_answers(folder, part, _FILES)
        for text, kind in zip(answer.sentences, answer.kinds, strict=True)
        if (kind == "talk") == talk
    ]


def _rows(folder: Path) -> list[tuple[str, bool, float]]:
    """Return sentences, whether each is talk, and how often it counts."""
    rows = [
        (row.text, row.is_talk, _TALK if row.is_talk else _RESEMBLES) for row in talk_sentences()
    ]
    talk = [text for text, is_talk, _ in rows if is_talk]
    rows += [(clause, True, _VARIANT) for text in talk for clause in clauses_of(text)]
    rows += [
        (f"{text[:-1]}{_MARKS[text[-1]]}", True, _VARIANT) for text in talk if text[-1] in _MARKS
    ]
    rows += [(text, False, 1.0) for text in _sentences(folder, "tune", talk=False)]
    claims = (claim for group in claim_sets("train") for claim in group.claims)
    rows += [(part.text, False, 1.0) for claim in claims for part in hypotheses(claim.text)]
    replies = sorted(
        (row.text for row in written_replies() if row.part == "train" and row.kind == "answer"),
        key=lambda text: hashlib.sha256(text.encode()).digest(),
    )
    for text in replies[:_REPLIES]:
        rows += [(part.text, False, 1.0) for part in hypotheses(text)[1:_SENTENCES]]
        first = hypotheses(text)[0].text
        # A number or a name alone is what no model has to tell from talk.
        if len(first.split()) > 1 and not (len(first) < 12 and any(map(str.isdigit, first))):
            rows.append((first, False, 1.0))
    rows += [
        (text, False, 1.0)
        for text, is_talk, _ in rows[::_EVERY]
        if not is_talk
        for text in _fragments(text)
    ]
    return rows


def _fragments(sentence: str) -> list[str]:
    """Return short answers made of a sentence: its longest word, its last and its first words."""
    words = sentence.strip(".!?* ").split()
    fragments = [max(words, key=len), " ".join(words[-2:]), " ".join(words[:3])]
    return [f"{fragment[:1].upper()}{fragment[1:]}." for fragment in fragments]


class _Features:
    """The features of many sentences as flat arrays: their places, rows and values."""

    def __init__(self, texts: Sequence[str]) -> None:
        places = [talk_places(text) for text in texts]
        counts = np.array(list(map(len, places)))
        self.places = np.concatenate([np.array(row) for row in places])
        self.rows = np.repeat(np.arange(len(texts)), counts)
        self.values = np.repeat(1 / np.sqrt(counts), counts)
        self.count = len(texts)

    def outputs(self, weights: Array, bias: float) -> Array:
        """Return the log odds of each sentence."""
        totals = np.bincount(self.rows, weights[self.places] * self.values, minlength=self.count)
        return totals + bias


def _fit(rows: Sequence[tuple[str, bool, float]]) -> tuple[Array, float]:
    """Return weights and bias of a logistic regression, by gradients with AdaGrad's steps."""
    features = _Features([text for text, _, _ in rows])
    truth = np.array([is_talk for _, is_talk, _ in rows], dtype=float)
    counts = np.array([count for _, _, count in rows])
    counts /= counts.sum()
    weights, seen = np.zeros(PLACES), np.full(PLACES, 1e-10)
    bias, seen_bias = 0.0, 1e-10
    for _ in range(_STEPS):
        expected = 1 / (1 + np.exp(-np.clip(features.outputs(weights, bias), -30, 30)))
        missed = counts * (expected - truth)
        slope: Array = np.bincount(
            features.places, missed[features.rows] * features.values, minlength=PLACES
        )
        slope = slope + _RIDGE * weights
        seen += slope**2
        weights -= _RATE * slope / np.sqrt(seen)
        seen_bias += float(missed.sum()) ** 2
        bias -= _RATE * float(missed.sum()) / seen_bias**0.5
    return weights, bias


def main(argv: Sequence[str] | None = None) -> None:
    """Train, write the model with its checksum, and print its shares on unseen sentences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument(
        "--show", action="store_true", help="print the sentences that are not right"
    )
    args = parser.parse_args(argv)
    weights, bias = _fit(_rows(args.data))
    step = float(np.abs(weights).max()) / 127
    quantised = np.rint(weights / step)
    header = json.dumps({"step": step, "bias": bias + _SHIFT})
    data = header.encode() + b"\n" + quantised.astype(np.int8).tobytes()
    OUT.write_bytes(data)
    checksum = hashlib.sha256(data).hexdigest()
    OUT.with_suffix(".bin.sha256").write_text(f"{checksum}  {OUT.name}\n", "ascii")
    for name, part, talk in (("talk", None, True), ("claims, test part", "test", False)):
        texts = _sentences(args.data, part, talk=talk)  # type: ignore[arg-type] # literals
        taken = list(map(is_talk, texts))
        if args.show:
            print(
                *(text for text, found in zip(texts, taken, strict=True) if found != talk), sep="\n"
            )
        print(f"{name}: {sum(taken)} of {len(texts)} are taken for talk")


if __name__ == "__main__":
    main()
