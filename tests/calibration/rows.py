"""Labelled rows, and an engine whose scores are written in the texts."""

import re
from typing import Any

from groundtypes import NLIScores, Pair
from groundtypes.testing import ScriptedNLI

__all__ = ["GUIDE", "engine", "labelled", "overlapping", "separated", "written_scores"]

GUIDE = "The tower has a score."


def written_scores(pair: Pair) -> NLIScores:
    """Return the score that a text names, as in "The tower scores 0.75 here."."""
    found = re.search(r"scores (\d\.\d+)", pair.hypothesis)
    score = float(found[1]) if found else 0.0
    return NLIScores(score, 1.0 - score, 0.0)


def engine() -> ScriptedNLI:
    """Return an engine that gives each sentence the score that it names."""
    return ScriptedNLI(written_scores)


def labelled(score: float, label: Any, number: int = 0, **more: Any) -> dict[str, Any]:
    """Return a row with this score; rows with other numbers have other references."""
    text = f"The tower scores {score:.6f} here."
    return {"text": text, "references": [f"{GUIDE} {number}."], "label": label, **more}


def separated(count: int = 20) -> list[dict[str, Any]]:
    """Return rows that every threshold between 0.4 and 0.6 tells apart."""
    return [
        labelled(0.6 + 0.3 * n / count if supported else 0.1 + 0.3 * n / count, supported, n)
        for n in range(count)
        for supported in (True, False)
    ]


def overlapping() -> list[dict[str, Any]]:
    """Return rows at the scores 0.05 to 0.95, of which that share is supported."""
    return [
        labelled(0.05 + 0.1 * tenth, number < 1 + 2 * tenth, 20 * tenth + number)
        for tenth in range(10)
        for number in range(20)
    ]
