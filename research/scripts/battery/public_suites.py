"""Cases of public test suites that state what is a quote of a text and what is not.

`public_cases.jsonl` holds the facts, one case a line: `suite`, `quote`, `reference` and `expect`.
`expect` is `accept` or `reject` where the suite and `docs/quotes.md` agree, and `open`, with a
`reason`, where the suite's verdict is not what the page promises.
`research/benchmarks/data/battery.md` names the suites.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

__all__ = ["CASES", "open_cases", "public_rows"]

CASES: Final = Path(__file__).with_name("public_cases.jsonl")


def _cases() -> list[dict[str, str]]:
    return [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]


def _part(reference: str) -> str:
    """Return `tune` or `test`; all cases of a reference are in one part."""
    return "tune" if hashlib.sha256(reference.encode()).digest()[0] % 2 else "test"


def public_rows(part: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a part: the cases that are not open."""
    for number, case in enumerate(_cases()):
        if case["expect"] != "open" and _part(case["reference"]) == part:
            yield {
                "kind": f"public suite: {case['suite']}",
                "expect": case["expect"],
                "quote": case["quote"],
                "references": {f"{case['suite']}-{number}": case["reference"]},
            }


def open_cases() -> Counter[tuple[str, str]]:
    """Return how many cases are open, by suite and reason."""
    return Counter((case["suite"], case["reason"]) for case in _cases() if case["expect"] == "open")
