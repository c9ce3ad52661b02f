"""The list of Pydantic's tests that differ is short, has reasons, and is what the page shows."""

from pathlib import Path

import pytest

from scripts.pydantic_suite import (
    Outcome,
    compare,
    files_with_models,
    known_differences,
    read_report,
)

PAGE = Path(__file__).parents[3] / "research" / "notes" / "pydantic-tests.md"
REPORT = """<testsuites><testsuite>
<testcase classname="tests.test_main" name="test_a" />
<testcase classname="tests.test_main.TestB" name="test_c[1]"><failure /></testcase>
<testcase classname="tests.test_json" name="test_d"><error /></testcase>
<testcase classname="tests.test_json" name="test_e"><skipped /></testcase>
</testsuite></testsuites>"""


def test_at_most_ten_tests_differ_in_the_place_of_the_base_class() -> None:
    assert 0 < len(known_differences("swap")) <= 10


@pytest.mark.parametrize("mode", ["swap", "rounds"])
def test_the_page_lists_every_difference_with_its_reason(mode: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name, reason in known_differences(mode).items():
        assert f"| `{name.removeprefix('tests/')}` | {reason} |" in page


def test_a_report_is_read_into_names_that_pytest_takes(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text(REPORT, encoding="utf-8")
    failed, passed = read_report(report)
    assert failed == {"tests/test_main.py::TestB::test_c[1]", "tests/test_json.py::test_d"}
    assert passed == {"tests/test_main.py::test_a"}


def test_what_is_not_listed_or_listed_in_vain_or_did_not_run_is_a_difference() -> None:
    plain = Outcome(frozenset({"broken"}), frozenset({"a", "b", "c", "d", "e[BaseModel]"}), 1.0)
    other = Outcome(frozenset({"broken", "a", "b"}), frozenset({"c", "e[Grounded]"}), 1.0)
    assert compare(plain, other, {"a": "why", "c": "why"}) == [
        "fails, and is not listed: b",
        "is listed, and passes: c",
        "did not run: d",
    ]
    assert compare(plain, plain, {}) == []


def test_only_files_with_models_are_run(tmp_path: Path) -> None:
    tests = tmp_path / "tests"
    tests.mkdir()
    for name, text in {
        "test_a.py": "from pydantic import BaseModel",
        "test_b.py": "BaseModels",
        "test_docs.py": "BaseModel",
    }.items():
        (tests / name).write_text(text, encoding="utf-8")
    assert files_with_models(tmp_path) == ["tests/test_a.py"]
