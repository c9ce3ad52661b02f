"""Replies that readers of `docs/refusals.md` wrote who had not seen the detector.

Nothing is trained or tuned on them; `docs/refusal-model.md` states the shares.
"""

import json
from pathlib import Path
from typing import Any

from groundtypes import detect_refusal

_LINES = (Path(__file__).parent / "data" / "replies.jsonl").read_text(encoding="utf-8")
_ROWS: list[dict[str, Any]] = [json.loads(line) for line in _LINES.split("\n") if line]


def test_the_shares_of_the_card_hold_on_the_replies_of_readers() -> None:
    for is_english, kinds, declines in ((True, 0.81, 0.88), (False, 0.83, 0.9)):
        rows = [row for row in _ROWS if (row["language"] == "en") == is_english]
        found = [detect_refusal(row["text"]).kind.value for row in rows]
        right = [row["kind"] == kind for row, kind in zip(rows, found, strict=True)]
        agrees = [
            (row["kind"] == "answer") == (kind == "answer")
            for row, kind in zip(rows, found, strict=True)
        ]
        assert sum(right) / len(rows) >= kinds
        assert sum(agrees) / len(rows) >= declines
