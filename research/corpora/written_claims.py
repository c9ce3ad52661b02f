"""The claims written for the project: statements and answers on reference texts, with labels.

`research/training/claims/README.md` says how they were written. There is one file for each domain,
and a domain belongs to one part as a whole.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

__all__ = ["FOLDER", "Claim", "ClaimSet", "Part", "claim_sets", "part_of", "read_claim_sets"]

FOLDER: Final = Path(__file__).parents[1] / "training" / "claims"

Part = Literal["train", "tune", "test"]

#: Domains are divided by a hash of their names: up to the first number of a hundred they are in
#: the test part, up to the second in the tune part.
_TEST_BELOW: Final = 20
_TUNE_BELOW: Final = 36


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement, or an answer of several sentences, on the references of a set.

    `kind` says how it follows from the references, or what is wrong with it. `pair` numbers the
    pair that it forms with another claim of the set, of which one is supported; in a minimal pair
    the two differ by a few words. `decides` are the sentences of the references that decide, none
    where the references do not speak of it.
    """

    text: str
    supported: bool
    kind: str
    form: Literal["statement", "answer"]
    pair: int
    is_minimal: bool
    decides: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClaimSet:
    """One to three references, a question, and the claims about them."""

    id: str
    domain: str
    references: tuple[str, ...]
    question: str
    claims: tuple[Claim, ...]


def part_of(domain: str) -> Part:
    """Return the part that a domain belongs to."""
    place = int(hashlib.sha256(domain.encode()).hexdigest(), 16) % 100
    return "test" if place < _TEST_BELOW else "tune" if place < _TUNE_BELOW else "train"


def claim_sets(part: Part, folder: Path = FOLDER) -> list[ClaimSet]:
    """Return the sets of all domains of a part, in the order of the domains."""
    return [
        claim_set
        for path in sorted(folder.glob("*.jsonl"))
        if part_of(path.stem) == part
        for claim_set in read_claim_sets(path)
    ]


def read_claim_sets(path: Path) -> Iterator[ClaimSet]:
    """Yield the sets of the file of one domain."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            yield ClaimSet(
                row["id"],
                path.stem,
                tuple(row["references"]),
                row["question"],
                tuple(map(_claim, row["claims"])),
            )


def _claim(row: dict[str, Any]) -> Claim:
    return Claim(
        row["text"],
        row["label"] == "supported",
        row["kind"],
        row["form"],
        row["pair"],
        row["minimal"],
        tuple(row["decides"]),
    )
