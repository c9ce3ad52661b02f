r"""Pairs generated from training texts, which a teacher labels for the small model.

    python -m training.teacher_pairs --data DATA --teacher build/teacher/averaged \
      --encoder MINILM --out build/teacher_pairs.jsonl

The target of a pair whose label is known is a mean of that label and the teacher's. `--encoder`
names the folder of all-MiniLM-L6-v2, whose word vectors determine which words are similar.
"""

import argparse
import random
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import torch
from transformers import AutoModel, AutoModelForSequenceClassification, AutoTokenizer

from training.long_premises import Corpus, sentences_of
from training.mixture import ENCYCLOPEDIC
from training.rows import Row, Target, train_rows, write_teacher_pairs
from training.train import encoded, logits

__all__ = [
    "KNOWN",
    "REVERSED_WORDS",
    "UNKNOWN",
    "Near",
    "labelled",
    "main",
    "more_pairs_to_label",
    "near_words",
    "other_words",
    "pairs_to_label",
    "part",
    "with_predictions",
]

#: The target of a pair without a label.
UNKNOWN: Final[Target] = (0.0, 0.0, 0.0)
#: The weight of a known label; the rest is the teacher's.
KNOWN: Final = 0.4
#: Pairs whose premise has fewer words are also used with premise and hypothesis exchanged.
REVERSED_WORDS: Final = 40
_SEED: Final = 11
_MORE_SEED: Final = 23
_LENGTH: Final = 208
_TOKENS: Final = 4000
_NEAR_WORDS: Final = 12
#: The number of pairs of these kinds; the other kinds have one for each pair of MultiNLI.
_PARTS: Final = 7000
_NEAR: Final = 7000
_SNLI: Final = 6000
_PREMISE_WORDS: Final = 30
_MORE_SNLI: Final = 9000
_WORD: Final = re.compile(r"[A-Za-z]{4,}")
_STOP: Final = frozenset(
    "that this with from have been were they them then than what when where which there their "
    "about would could should your into also very some just only more most such these those will "
    "does".split()
)
_CLAUSE: Final = re.compile(r",|;| and | but | because | which | who | -- | so ")

Near = Mapping[str, Sequence[str]]


def pairs_to_label(data: Path, near: Near, scale: float = 1.0) -> list[Row]:
    """Return the pairs; those without a known label have the target `UNKNOWN`.

    `near` maps a word to similar words. `scale` below 1 is for trying it out.
    """
    rng = random.Random(_SEED)
    rows = train_rows(data, {"mnli_subset": 1.0})
    pairs = [row for row in rows if row.origin == "mnli_subset"]
    pairs = pairs[: int(len(pairs) * scale)]
    labelled_rows = [Row(row.premise, row.hypothesis, row.target, "known") for row in pairs]
    labelled_rows += [
        Row(row.hypothesis, row.premise, UNKNOWN, "reversed")
        for row in pairs
        if len(row.premise.split()) < REVERSED_WORDS
    ]
    for row in pairs:
        if new_text := other_words(rng, row.hypothesis, near):
            labelled_rows.append(Row(row.premise, new_text, UNKNOWN, "other words"))
    for row in rng.sample(pairs, min(_PARTS, len(pairs))):
        if new_text := part(rng, row.premise):
            labelled_rows.append(Row(row.premise, new_text, UNKNOWN, "part"))
    claims = Corpus(row.hypothesis for row in pairs)
    for row in rng.sample(pairs, min(_NEAR, len(pairs))):
        if nearest := claims.near(row.premise, 3, {row.hypothesis}):
            labelled_rows.append(Row(row.premise, rng.choice(nearest), UNKNOWN, "near"))
    short = [row for row in rows if row.origin in {"cad_snli", "snli_train_slice"}]
    for row in rng.sample(short, min(int(_SNLI * scale), len(short))):
        labelled_rows.append(Row(row.premise, row.hypothesis, row.target, "known snli"))
    return labelled_rows


def more_pairs_to_label(
    data: Path, near: Near, first: Sequence[Row], scale: float = 1.0
) -> list[Row]:
    """Return further pairs without labels, none of them in `first`, in random order."""
    rng = random.Random(_MORE_SEED)
    rows = train_rows(data, {"mnli_subset": 1.0})
    pairs = [row for row in rows if row.origin == "mnli_subset"]
    pairs = pairs[: int(len(pairs) * scale)]
    seen = {(row.premise, row.hypothesis) for row in first}
    new_rows: list[Row] = []

    def add(kind: str, premise: str | None, hypothesis: str | None) -> None:
        if premise and hypothesis and premise != hypothesis and (premise, hypothesis) not in seen:
            seen.add((premise, hypothesis))
            new_rows.append(Row(premise, hypothesis, UNKNOWN, kind))

    claims = Corpus(row.hypothesis for row in pairs)
    premises = Corpus(row.premise for row in pairs)
    for row in pairs:
        add("other words 2", row.premise, other_words(rng, row.hypothesis, near))
        add("other premise", other_words(rng, row.premise, near), row.hypothesis)
        if len(row.premise.split()) < REVERSED_WORDS:
            add("reversed other", row.hypothesis, other_words(rng, row.premise, near))
        if piece := part(rng, row.premise):
            add("part other", row.premise, other_words(rng, piece, near))
        nearest = claims.near(f"{row.premise} {row.hypothesis}", 4, {row.hypothesis})
        for other in rng.sample(nearest, min(2, len(nearest))):
            add("near 2", row.premise, other)
        if rng.random() < 0.5:
            for other in premises.near(row.premise, 2, {row.premise})[:1]:
                if len(other.split()) < _PREMISE_WORDS:
                    add("near premise", row.premise, other)
        if rng.random() < 0.5:
            changed = other_words(rng, row.premise, near)
            add("other premise 2", changed, other_words(rng, row.hypothesis, near))
    short = train_rows(data, {"snli_train_slice": 0.5})
    short = [row for row in short if row.origin in {"cad_snli", "snli_train_slice"}]
    for row in rng.sample(short, min(int(_MORE_SNLI * scale), len(short))):
        add("snli other", row.premise, other_words(rng, row.hypothesis, near))
        add("snli reversed", row.hypothesis, row.premise)
    known = [row for row in rows if row.origin in ENCYCLOPEDIC and len(row.premise.split()) < 60]
    for row in known[: int(len(known) * scale)]:
        add("wiki other", row.premise, other_words(rng, row.hypothesis, near))
        sentences = sentences_of(row.premise)
        piece = part(rng, rng.choice(sentences)) if sentences else None
        if piece:
            changed = other_words(rng, piece, near) if rng.random() < 0.7 else piece
            add("wiki part other", row.premise, changed)
    rng.shuffle(new_rows)
    return new_rows


def other_words(rng: random.Random, text: str, near: Near) -> str | None:
    """Return the text with one to three words replaced by similar ones, or `None`."""
    places = [
        match
        for match in _WORD.finditer(text)
        if match[0].lower() in near and match[0].lower() not in _STOP
    ]
    if not places:
        return None
    selected = rng.sample(places, min(len(places), rng.choice([1, 1, 2, 3])))
    for match in sorted(selected, key=lambda match: -match.start()):
        new = rng.choice(near[match[0].lower()])
        if match[0][0].isupper():
            new = new.capitalize()
        text = text[: match.start()] + new + text[match.end() :]
    return text


def part(rng: random.Random, text: str) -> str | None:
    """Return a clause of the text, or a run of its words."""
    pieces = [piece.strip(" ,;.") for piece in _CLAUSE.split(text)]
    pieces = [
        piece for piece in pieces if 4 <= len(piece.split()) <= 25 and piece != text.strip(" .")
    ]
    if pieces:
        piece = rng.choice(pieces)
        return f"{piece[0].upper()}{piece[1:]}."
    words = text.split()
    if len(words) < 9:
        return None
    count = rng.randint(5, len(words) - 3)
    start = rng.randint(0, len(words) - count)
    return " ".join(words[start : start + count])


def near_words(encoder: str) -> dict[str, list[str]]:
    """Return the twelve nearest words of each whole word in an encoder's vocabulary."""
    tokenizer = AutoTokenizer.from_pretrained(encoder)
    vectors = AutoModel.from_pretrained(encoder).get_input_embeddings().weight.detach().float()
    words = [word for word, _ in sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])]
    whole = [number for number, word in enumerate(words) if re.fullmatch(r"[a-z]{4,}", word)]
    normalised = torch.nn.functional.normalize(vectors[whole], dim=1)
    best = (normalised @ normalised.T).topk(min(_NEAR_WORDS + 1, len(whole))).indices[:, 1:]
    return {
        words[whole[number]]: [words[whole[int(other)]] for other in others]
        for number, others in enumerate(best)
    }


def labelled(rows: Sequence[Row], teacher: str) -> list[Row]:
    """Return the pairs with the probabilities of a teacher in their targets; it is a folder."""
    tokenizer = AutoTokenizer.from_pretrained(teacher)
    model = AutoModelForSequenceClassification.from_pretrained(teacher)
    predictions = logits(model, encoded(tokenizer, rows, _LENGTH), _TOKENS).softmax(1).tolist()
    return with_predictions(rows, predictions)


def with_predictions(rows: Sequence[Row], predictions: Sequence[Sequence[float]]) -> list[Row]:
    """Return the pairs with a teacher's predictions in their targets, or as their targets."""
    labelled_rows = []
    for row, predicted in zip(rows, predictions, strict=True):
        target = predicted
        if row.target != UNKNOWN:
            shares = zip(row.target, predicted, strict=True)
            target = [KNOWN * known + (1 - KNOWN) * taught for known, taught in shares]
        entailment, neutral, contradiction = target
        labelled_rows.append(
            Row(
                row.premise,
                row.hypothesis,
                (entailment, neutral, contradiction),
                f"taught: {row.origin}",
            )
        )
    return labelled_rows


def main(argv: Sequence[str] | None = None) -> None:
    """Generate the pairs, label them, and write JSON Lines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--teacher", required=True, help="folder of the trained teacher")
    parser.add_argument("--encoder", required=True, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--out", type=Path, default=Path("build/teacher_pairs.jsonl"))
    parser.add_argument("--scale", type=float, default=1.0)
    args = parser.parse_args(argv)
    near = near_words(args.encoder)
    first = pairs_to_label(args.data, near, args.scale)
    rows = labelled(first + more_pairs_to_label(args.data, near, first, args.scale), args.teacher)
    write_teacher_pairs(args.out, rows)
    print(f"{len(rows)} pairs")


if __name__ == "__main__":
    main()
