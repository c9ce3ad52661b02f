"""Replies that somebody else wrote than who built the detector.

Readers of `docs/refusals.md` wrote those of three files; those in varied wordings were written
without it, and labelled twice. Nothing is trained on any of them; the shares are stated in
`research/notes/refusal-model.md`.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from groundtypes import detect_refusal

_DATA = Path(__file__).parent / "data"


def _rows(name: str) -> list[dict[str, Any]]:
    lines = (_DATA / name).read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


@pytest.mark.parametrize(
    ("name", "is_english", "kinds", "declines"),
    [
        ("replies.jsonl", True, 0.81, 0.86),
        ("replies.jsonl", False, 0.83, 0.9),
        ("more_replies.jsonl", True, 0.81, 0.86),
        ("more_replies.jsonl", False, 0.92, 0.95),
        ("longer_replies.jsonl", True, 0.84, 0.86),
        ("longer_replies.jsonl", False, 0.93, 0.94),
        ("varied_replies.jsonl", True, 0.72, 0.75),
        ("varied_replies.jsonl", False, 0.77, 0.85),
    ],
)
def test_the_shares_of_the_card_hold(
    name: str, is_english: bool, kinds: float, declines: float
) -> None:
    rows = [row for row in _rows(name) if (row["language"] == "en") == is_english]
    found = [detect_refusal(row["text"]).kind.value for row in rows]
    right = [row["kind"] == kind for row, kind in zip(rows, found, strict=True)]
    agrees = [
        (row["kind"] == "answer") == (kind == "answer")
        for row, kind in zip(rows, found, strict=True)
    ]
    assert sum(right) / len(rows) >= kinds
    assert sum(agrees) / len(rows) >= declines
