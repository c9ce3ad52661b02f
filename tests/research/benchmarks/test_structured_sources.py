"""The cases on JSON values and tables are what their page says; quotes and figures are right."""

from collections import Counter

import pytest

from benchmarks.structured_sources import Case, audit_cases, load_cases, table

CASES = load_cases()


def test_the_cases_are_of_all_kinds_and_formats_and_half_are_true() -> None:
    assert len(CASES) == len({case.id for case in CASES}) == 165
    assert len({case.domain for case in CASES}) == 11
    counts = Counter((case.kind, case.format) for case in CASES)
    assert len(counts) == 9
    assert min(counts.values()) >= 15
    assert 75 <= sum(case.holds for case in CASES) <= 90


@pytest.mark.parametrize("kind", ["quote", "figure"])
def test_nearly_all_quotes_and_figures_are_right(kind: str) -> None:
    cases = [case for case in CASES if case.kind == kind]
    results = list(audit_cases(cases))
    wrong = [case.id for case, audit in results if audit.ok != case.holds]
    assert len(wrong) * 20 <= len(cases), wrong


def test_the_table_counts_what_is_right() -> None:
    case = Case("a", "d", "json", {"a": "b c"}, "quote", "b c", True, "a", "")
    other = Case("b", "d", "json", {"a": "b c"}, "quote", "c d", True, None, "")
    assert table(list(audit_cases([case, other]))).splitlines()[2:] == [
        "| quote | json | 1 of 2 | 0 of 0 | 50.0% |",
        "| quote | all | 1 of 2 | 0 of 0 | 50.0% |",
    ]
