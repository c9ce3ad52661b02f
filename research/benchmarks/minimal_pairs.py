"""Handwritten minimal pairs: two statements about a reference, only one of them supported.

`research/benchmarks/data/minimal_pairs.md` says how they were written. They are for reporting only.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Judge", "MinimalPair", "Shares", "load_minimal_pairs", "report"]

DATA = Path(__file__).parent / "data" / "minimal_pairs.jsonl"
#: The name of the line over all categories.
ALL = "all"
#: Returns whether a reference supports a statement.
Judge = Callable[[str, str], bool]


@dataclass(frozen=True, slots=True)
class MinimalPair:
    """A reference, a statement that it entails, and a similar one that it does not."""

    id: str
    category: str
    reference: str
    supported: str
    unsupported: str
    #: What the reference is to the unsupported statement: `contradiction` or `neutral`.
    label_unsupported: str
    #: The kind of difference between the two statements.
    note: str


@dataclass(frozen=True, slots=True)
class Shares:
    """What a judge got right of some pairs, in percent.

    A judge that accepts everything, or nothing, has 100 in one of the first two shares and 0 in
    `both_right`.
    """

    pairs: int
    supported_accepted: float
    unsupported_rejected: float
    both_right: float


def load_minimal_pairs() -> list[MinimalPair]:
    """Return the 200 pairs, in the order of the file."""
    lines = DATA.read_text(encoding="utf-8").splitlines()
    return [MinimalPair(**json.loads(line)) for line in lines]


def report(judge: Judge) -> dict[str, Shares]:
    """Return what `judge` gets right, by category in the order of the file, and under `all`."""
    outcomes: dict[str, list[tuple[bool, bool]]] = {}
    for pair in load_minimal_pairs():
        accepted = judge(pair.reference, pair.supported)
        rejected = not judge(pair.reference, pair.unsupported)
        for name in (pair.category, ALL):
            outcomes.setdefault(name, []).append((accepted, rejected))
    # The line over all categories is the last.
    outcomes[ALL] = outcomes.pop(ALL)
    return {name: _shares(found) for name, found in outcomes.items()}


def _shares(outcomes: list[tuple[bool, bool]]) -> Shares:
    return Shares(
        pairs=len(outcomes),
        supported_accepted=_percent(accepted for accepted, _ in outcomes),
        unsupported_rejected=_percent(rejected for _, rejected in outcomes),
        both_right=_percent(accepted and rejected for accepted, rejected in outcomes),
    )


def _percent(truths: Iterable[bool]) -> float:
    counted = list(truths)
    return 100 * sum(counted) / len(counted)
