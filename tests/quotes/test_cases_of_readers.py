"""Cases that readers of `docs/quotes.md` wrote who had not seen the search."""

import json
from pathlib import Path
from typing import Any

import pytest

from groundtypes import find_quote

_LINES = (Path(__file__).parent / "data" / "quote_cases.jsonl").read_text(encoding="utf-8")
_CASES: list[dict[str, Any]] = [json.loads(line) for line in _LINES.split("\n") if line]


@pytest.mark.parametrize("case", _CASES, ids=[case["id"] for case in _CASES])
def test_a_case_of_a_reader_is_judged_as_the_page_promises(case: dict[str, Any]) -> None:
    match = find_quote(case["quote"], case["reference"], fuzzy=case["fuzzy"])
    is_quote = match is not None and not match.cut
    assert is_quote is (case["expect"] == "accept"), case["why"]
