r"""Pairs that a teacher labels for the small model: made from training texts, without labels.

    python -m training.teacher_pairs --data DATA --teacher build/teacher/averaged \
      --encoder MINILM --out build/teacher_pairs.jsonl

A pair whose label is known keeps a part of it beside the teacher's. `--encoder` names the folder of
all-MiniLM-L6-v2, whose word vectors tell which words are near.
"""

import argparse
import json
import random
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import torch
from transformers import AutoModel, AutoModelForSequenceClassification, AutoTokenizer

from training.long_premises import Corpus, sentences_of
from training.mixture import ENCYCLOPEDIC
from training.rows import Row, Target, train_rows
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
]

#: The target of a pair that nobody has labelled.
UNKNOWN: Final[Target] = (0.0, 0.0, 0.0)
#: So much of a known label stays beside the teacher's.
KNOWN: Final = 0.4
#: Premises of fewer words are turned round.
REVERSED_WORDS: Final = 40
_SEED: Final = 11
_MORE_SEED: Final = 23
_LENGTH: Final = 208
_TOKENS: Final = 4000
_NEAR_WORDS: Final = 12
#: So many pairs of a kind; of the others, one for each pair of MultiNLI.
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
    """Return the pairs; those of which no label is known have the target `UNKNOWN`.

    `near` has for a word those that are near to it. `scale` below 1 is for trying it out.
    """
    rng = random.Random(_SEED)
    rows = train_rows(data, {"mnli_subset": 1.0})
    pairs = [row for row in rows if row.origin == "mnli_subset"]
    pairs = pairs[: int(len(pairs) * scale)]
    found = [Row(row.premise, row.hypothesis, row.target, "known") for row in pairs]
    found += [
        Row(row.hypothesis, row.premise, UNKNOWN, "reversed")
        for row in pairs
        if len(row.premise.split()) < REVERSED_WORDS
    ]
    for row in pairs:
        if new := other_words(rng, row.hypothesis, near):
            found.append(Row(row.premise, new, UNKNOWN, "other words"))
    for row in rng.sample(pairs, min(_PARTS, len(pairs))):
        if new := part(rng, row.premise):
            found.append(Row(row.premise, new, UNKNOWN, "part"))
    claims = Corpus(row.hypothesis for row in pairs)
    for row in rng.sample(pairs, min(_NEAR, len(pairs))):
        if beside := claims.near(row.premise, 3, {row.hypothesis}):
            found.append(Row(row.premise, rng.choice(beside), UNKNOWN, "near"))
    short = [row for row in rows if row.origin in {"cad_snli", "snli_train_slice"}]
    for row in rng.sample(short, min(int(_SNLI * scale), len(short))):
        found.append(Row(row.premise, row.hypothesis, row.target, "known snli"))
    return found


def more_pairs_to_label(
    data: Path, near: Near, first: Sequence[Row], scale: float = 1.0
) -> list[Row]:
    """Return further pairs without labels, none of them among the first, in a drawn order."""
    rng = random.Random(_MORE_SEED)
    rows = train_rows(data, {"mnli_subset": 1.0})
    pairs = [row for row in rows if row.origin == "mnli_subset"]
    pairs = pairs[: int(len(pairs) * scale)]
    seen = {(row.premise, row.hypothesis) for row in first}
    found: list[Row] = []

    def add(kind: str, premise: str | None, hypothesis: str | None) -> None:
        if premise and hypothesis and premise != hypothesis and (premise, hypothesis) not in seen:
            seen.add((premise, hypothesis))
            found.append(Row(premise, hypothesis, UNKNOWN, kind))

    claims = Corpus(row.hypothesis for row in pairs)
    premises = Corpus(row.premise for row in pairs)
    for row in pairs:
        add("other words 2", row.premise, other_words(rng, row.hypothesis, near))
        add("other premise", other_words(rng, row.premise, near), row.hypothesis)
        if len(row.premise.split()) < REVERSED_WORDS:
            add("reversed other", row.hypothesis, other_words(rng, row.premise, near))
        if piece := part(rng, row.premise):
            add("part other", row.premise, other_words(rng, piece, near))
        beside = claims.near(f"{row.premise} {row.hypothesis}", 4, {row.hypothesis})
        for one in rng.sample(beside, min(2, len(beside))):
            add("near 2", row.premise, one)
        if rng.random() < 0.5:
            for one in premises.near(row.premise, 2, {row.premise})[:1]:
                if len(one.split()) < _PREMISE_WORDS:
                    add("near premise", row.premise, one)
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
    rng.shuffle(found)
    return found


def other_words(rng: random.Random, text: str, near: Near) -> str | None:
    """Return the text with one to three words that are near to its own, if it has such words."""
    places = [
        found
        for found in _WORD.finditer(text)
        if found[0].lower() in near and found[0].lower() not in _STOP
    ]
    if not places:
        return None
    some = rng.sample(places, min(len(places), rng.choice([1, 1, 2, 3])))
    for found in sorted(some, key=lambda one: -one.start()):
        new = rng.choice(near[found[0].lower()])
        if found[0][0].isupper():
            new = new.capitalize()
        text = text[: found.start()] + new + text[found.end() :]
    return text


def part(rng: random.Random, text: str) -> str | None:
    """Return a clause of the text, or some of its words."""
    pieces = [piece.strip(" ,;.") for piece in _CLAUSE.split(text)]
    pieces = [one for one in pieces if 4 <= len(one.split()) <= 25 and one != text.strip(" .")]
    if pieces:
        piece = rng.choice(pieces)
        return f"{piece[0].upper()}{piece[1:]}."
    words = text.split()
    if len(words) < 9:
        return None
    count = rng.randint(5, len(words) - 3)
    at = rng.randint(0, len(words) - count)
    return " ".join(words[at : at + count])


def near_words(encoder: str) -> dict[str, list[str]]:
    """Return for each whole word of an encoder's vocabulary the twelve nearest, by its vectors."""
    tokenizer = AutoTokenizer.from_pretrained(encoder)
    vectors = AutoModel.from_pretrained(encoder).get_input_embeddings().weight.detach().float()
    words = [word for word, _ in sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])]
    whole = [at for at, word in enumerate(words) if re.fullmatch(r"[a-z]{4,}", word)]
    some = torch.nn.functional.normalize(vectors[whole], dim=1)
    best = (some @ some.T).topk(min(_NEAR_WORDS + 1, len(whole))).indices[:, 1:]
    return {
        words[whole[at]]: [words[whole[int(other)]] for other in others]
        for at, others in enumerate(best)
    }


def labelled(rows: Sequence[Row], teacher: str) -> list[Row]:
    """Return the pairs with what the teacher says of them as targets."""
    tokenizer = AutoTokenizer.from_pretrained(teacher)
    model = AutoModelForSequenceClassification.from_pretrained(teacher)
    said = logits(model, encoded(tokenizer, rows, _LENGTH), _TOKENS).softmax(1).tolist()
    found = []
    for row, target in zip(rows, said, strict=True):
        if row.target != UNKNOWN:
            pairs = zip(row.target, target, strict=True)
            target = [KNOWN * known + (1 - KNOWN) * told for known, told in pairs]  # noqa: PLW2901
        found.append(Row(row.premise, row.hypothesis, tuple(target), f"taught: {row.origin}"))
    return found


def main(argv: Sequence[str] | None = None) -> None:
    """Make the pairs, have them labelled, and write JSON Lines."""
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
    lines = [
        json.dumps(
            {
                "premise": row.premise,
                "hypothesis": row.hypothesis,
                "target": [round(share, 4) for share in row.target],
                "origin": row.origin,
            }
        )
        for row in rows
    ]
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(rows)} pairs")


if __name__ == "__main__":
    main()
