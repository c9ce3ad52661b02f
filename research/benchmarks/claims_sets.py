"""The sets that the quality of claims is measured on: rows, groups, facts and examples.

Most sets are files in a folder of public sets (research/notes/benchmarks.md); the examples are in
this module and the injections in `research/benchmarks/data/injections.jsonl`.
"""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from corpora import nli_sets
from corpora.rows import read_rows
from groundtypes import Label

__all__ = [
    "EXAMPLES",
    "REPORTED",
    "TUNED",
    "ClaimGroup",
    "claim_groups",
    "human_facts",
    "injections",
    "llm_triplets",
]

INJECTIONS = Path(__file__).parent / "data" / "injections.jsonl"
#: Name of the set -> the split that is reported.
REPORTED = {"factscore_claims": "public", "factcheckgpt_stance": "public"}
#: Name of the set -> the split that prompts were chosen on.
TUNED = {"cad_snli": "dev", "wice_claims": "dev", "attributionbench": "dev"}
#: The first examples of the project: references, and claims with their expected labels.
EXAMPLES: Sequence[tuple[str, Sequence[tuple[tuple[str, str, str], Label]]]] = (
    (
        (
            "`` I Dreamed a Dream '' is a song from the musical Les Misérables . It is a solo that "
            "is sung by the character Fantine during the first act . The music is by Claude - "
            "Michel Schönberg , with orchestrations by John Cameron . The English lyrics are by "
            "Neil Diamond And Herbert Kretzmer , based on the original French libretto by Alain "
            "Boublil and Jean - Marc Natel from the original French production ."
        ),
        (
            (
                ("I Dreamed a Dream", "originally from", "the stage musical Les Misérables"),
                Label.ENTAILMENT,
            ),
            (
                ("I Dreamed a Dream", "written by", "Claude-Michel Schönberg and Alain Boublil"),
                Label.CONTRADICTION,
            ),
            (
                (
                    "Anne Hathaway",
                    "sang I Dreamed a Dream in",
                    "the 2012 film adaptation of Les Misérables",
                ),
                Label.NEUTRAL,
            ),
        ),
    ),
    (
        (
            "Common side effects of ibuprofen are headaches, dizziness and nausea. Difficulty "
            "breathing is not a common side effect."
        ),
        (
            (("Ibuprofen", "is", "nonsteroidal anti-inflammatory drug (NSAID)"), Label.NEUTRAL),
            (("Ibuprofen", "helps reduce", "inflammation"), Label.NEUTRAL),
            (("Ibuprofen", "helps reduce", "pain"), Label.NEUTRAL),
            (("Ibuprofen", "helps reduce", "fever"), Label.NEUTRAL),
            (("Ibuprofen", "common side effects include", "nausea"), Label.ENTAILMENT),
            (("Ibuprofen", "common side effects include", "giddiness"), Label.NEUTRAL),
            (
                ("Ibuprofen", "common side effects include", "respiratory trouble"),
                Label.CONTRADICTION,
            ),
        ),
    ),
)


@dataclass(frozen=True)
class ClaimGroup:
    """Claims about the same references, with the human judgement whether each is supported."""

    references: tuple[str, ...]
    claims: tuple[str, ...]
    supported: tuple[bool, ...]
    question: str | None


def claim_groups(data: Path, name: str, split: str, most: int) -> list[ClaimGroup]:
    """Return groups of claims with the same references, at most `most` claims in total."""
    read_set = _caption_groups if name == "cad_snli" else nli_sets.labelled_texts
    rows = read_set(data, name, split, None)
    groups: list[ClaimGroup] = []
    remaining = most
    ordered = [list(group) for _, group in groupby(rows, key=lambda row: row.references)]
    random.Random(20).shuffle(ordered)
    for group in ordered:
        if remaining <= 0:
            break
        group = group[: min(remaining, 8)]  # noqa: PLW2901 # shortened
        remaining -= len(group)
        question = group[0].question if len(group) == 1 else None
        groups.append(
            ClaimGroup(
                group[0].references,
                tuple(row.text for row in group),
                tuple(row.supported for row in group),
                question,
            )
        )
    return groups


def _caption_groups(
    data: Path, name: str, split: str, most: int | None
) -> list[nli_sets.LabelledText]:
    """Return captions of pictures as claims about another caption, sorted by that caption."""
    pairs = nli_sets.labelled_pairs(data, name, split, most)
    return [
        nli_sets.LabelledText((pair.premise,), pair.hypothesis, pair.label == "entailment")
        for pair in sorted(pairs, key=lambda pair: pair.premise)
    ]


def human_facts(data: Path, most: int) -> list[tuple[str, list[str]]]:
    """Return sentences with the facts that people extracted from them."""
    rows = read_rows(data / "grounded" / "factscore_facts.jsonl.gz")
    texts = [
        (str(row["sentence"]), [str(fact) for fact, _ in row["human_facts"]])
        for row in rows
        if row["human_facts"] and len(row["human_facts"]) > 1
    ]
    return texts[1 :: max(2, len(texts) // most)][:most]


def llm_triplets(data: Path, most: int) -> list[tuple[str, list[str]]]:
    """Return answers with the triplets that another, much larger, LLM extracted from them."""
    rows = list(read_rows(data / "grounded" / "refchecker_triplets_noref.jsonl.gz"))
    grouped = [
        (text, list(group)) for text, group in groupby(rows, key=lambda row: row["response"])
    ]
    texts = [
        (text, [" ".join(row["triplet"]) for row in group])
        for text, group in grouped
        if 2 < len(group) < 15 and len(text) < 900
    ]
    return texts[1 :: max(2, len(texts) // most)][:most]


def injections() -> list[dict[str, str]]:
    """Return claims with references, and the attempt to influence their judge."""
    return [json.loads(line) for line in INJECTIONS.read_text(encoding="utf-8").splitlines()]
