"""Write the battery: real quotes, changed harmlessly and harmfully, and cases of public suites.

    python -m scripts.battery --data FOLDER --words FILE [FILE ...] --out research/benchmarks/data

FOLDER holds the public sets that `research/benchmarks/data/README.md` names; the files are lists of
English words, one a line. Texts are split into `tune` and `test` by hash, and each part has its own
seed; the same input gives the same output.
"""

import argparse
import gzip
import json
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scripts.battery.benign import BENIGN, Maker
from scripts.battery.edges import BENIGN_EDGES, HARMFUL_EDGES
from scripts.battery.ellipses import BENIGN_ELLIPSES, HARMFUL_ELLIPSES
from scripts.battery.harmful import HARMFUL, typos
from scripts.battery.mutations import mutations
from scripts.battery.public_suites import open_cases, public_rows
from scripts.battery.signs import BENIGN_SIGNS, HARMFUL_SIGNS
from scripts.battery.texts import Passage, passages

SEEDS = {"tune": 1948, "test": 2026}
ROWS = {"tune": 80, "test": 50}
_FOLDED = str.maketrans({"“": '"', "”": '"', "’": "'", "‘": "'", "–": "-", "—": "-", "−": "-"})


def _normalised(text: str) -> str:
    """Return the text without case, typographic variants, markup and final punctuation."""
    text = unicodedata.normalize("NFKC", text).casefold().translate(_FOLDED)
    return " ".join(re.sub(r"[\"'*_`()\[\]]", "", text).split()).rstrip(".,;: ")


def occurs(quote: str, text: str) -> bool:
    """Return whether the quote occurs in the text, at the boundaries of words and numbers."""
    pattern = re.escape(_normalised(quote))
    return bool(re.search(rf"(?<![\w.-]){pattern}(?!\w|[.,]\d|%)", _normalised(text)))


def _invented_quote(rng: random.Random, passage: Passage, pool: list[Passage]) -> str:
    other = rng.choice(
        [
            candidate
            for candidate in pool
            if candidate.origin == passage.origin and candidate != passage
        ]
    )
    return other.text[slice(*rng.choice(other.sentences))]


def _quote_across_references(rng: random.Random, passage: Passage, other: Passage) -> str:
    last_sentence = passage.text[slice(*passage.sentences[-1])]
    first_sentence = other.text[slice(*other.sentences[0])]
    return f"{last_sentence} {rng.choice(['', '... '])}{first_sentence}"


def _rows(
    rng: random.Random, kind: str, expect: str, maker: Maker, pool: list[Passage], wanted: int
) -> Iterator[dict[str, Any]]:
    order = rng.sample(pool, len(pool))
    made_so_far = 0
    # A kind that applies to few passages takes several rows from each.
    for passage in order * 4:
        if made_so_far == wanted:
            return
        made = maker(rng, passage)
        if made is None:
            continue
        quote, text = made
        # Edges cut a number or word, so that their quotes occur letter by letter; signs differ in
        # what the plain comparison leaves out.
        is_compared = kind not in HARMFUL_EDGES | HARMFUL_SIGNS
        if expect == "reject" and is_compared and occurs(quote, text):
            continue
        made_so_far += 1
        yield {"kind": kind, "expect": expect, "quote": quote, "references": {passage.id: text}}


def _multi_passage_rows(
    rng: random.Random, pool: list[Passage], wanted: int
) -> Iterator[dict[str, Any]]:
    """Yield paraphrases, invented quotes and quotes joined across references."""
    english = [passage for passage in pool if passage.language == "en"]
    claims = [(one, claim) for one in english for claim in one.claims if len(claim.split()) > 5]
    for kind in ("paraphrase", "invention", "joined across references"):
        rows = 0
        for passage in rng.sample(english, len(english)):
            other = rng.choice(english)
            references = {passage.id: passage.text}
            if kind == "paraphrase":
                if not claims:
                    break
                passage, quote = claims.pop(rng.randrange(len(claims)))  # noqa: PLW2901 # drawn anew
                references = {passage.id: passage.text}
            elif kind == "invention":
                quote = _invented_quote(rng, passage, english)
            elif other is not passage:
                quote = _quote_across_references(rng, passage, other)
                references[other.id] = other.text
            else:
                continue
            if any(occurs(quote, text) for text in references.values()):
                continue
            rows += 1
            yield {"kind": kind, "expect": "reject", "quote": quote, "references": references}
            if rows == wanted:
                break


def build(
    part: str, all_passages: list[Passage], words: set[str], left_out: Counter[str]
) -> list[dict[str, Any]]:
    """Return the rows of a part, in the order of their references; those of others come last."""
    rng = random.Random(SEEDS[part])
    pool = [passage for passage in all_passages if passage.part == part]
    known = words | {
        word for one in all_passages for word in re.findall(r"[a-z]+", one.text.lower())
    }
    rows: list[dict[str, Any]] = []
    for expect, kinds in (
        ("accept", BENIGN | BENIGN_ELLIPSES | BENIGN_EDGES | BENIGN_SIGNS),
        ("accept_fuzzy", typos(known)),
        ("reject", HARMFUL | HARMFUL_ELLIPSES | HARMFUL_EDGES | HARMFUL_SIGNS),
    ):
        for kind, maker in kinds.items():
            rows += _rows(rng, kind, expect, maker, pool, ROWS[part])
    rows += _multi_passage_rows(rng, pool, ROWS[part])
    unique = {(row["kind"], row["quote"]): row for row in rows}
    ordered = sorted(unique.values(), key=lambda row: (*row["references"], row["kind"]))
    ordered += public_rows(part)
    ordered += mutations(part, all_passages, left_out)
    return [
        {"id": f"{part}-{number:04}", "part": part, **row} for number, row in enumerate(ordered)
    ]


def main() -> None:
    """Build both parts and write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--words", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    words = {
        word.lower() for path in options.words for word in path.read_text("utf-8").splitlines()
    }
    all_passages = passages(options.data)
    for part in SEEDS:
        left_out: Counter[str] = Counter()
        rows = build(part, all_passages, words, left_out)
        path = options.out / f"battery_{part}.jsonl.gz"
        with path.open("wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as compressed:
            compressed.writelines(
                json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows
            )
        print(part, len(rows), path.stat().st_size)
        for reason, count in left_out.most_common():
            print(f"  mutations left out: {reason}: {count}")
    for (suite, reason), count in sorted(open_cases().items()):
        print(f"open: {suite}: {reason}: {count}")


if __name__ == "__main__":
    main()
