"""A name has another value for all that depends on it, and each changed row is counted one way."""

import ast
import json
from pathlib import Path

import pytest

from benchmarks.effect.comparison import changed_rows, table
from benchmarks.effect.figure_sets import SETS as FIGURE_SETS
from benchmarks.effect.judging import PROGRAM
from benchmarks.effect.outcomes import Outcome, Rows, RowSet, table_of_tests
from benchmarks.effect.quote_sets import SETS
from benchmarks.effect.refusal_sets import SETS_OF_CORE
from benchmarks.effect.replacement import Replacement, read_replacement, replaced
from benchmarks.revisions import ROOT, measured

MODULE = """
WORDS: Final = frozenset({"not", "never"})
COUNT = len(WORDS)

class Reader:
    def read(self) -> str:
        return "old"

def first() -> str:
    return min(WORDS)

RULES = (first,)
"""


def run(replacement: str) -> dict[str, object]:
    tree = replaced(ast.parse(MODULE), [read_replacement(replacement)])
    names: dict[str, object] = {"Final": None}
    exec(compile(tree, "module", "exec"), names)  # noqa: S102 # our own source
    return names


def test_what_is_made_of_a_name_has_its_new_value() -> None:
    assert run("m:WORDS=WORDS | {'none', 'no'}")["COUNT"] == 4


def test_a_function_is_replaced_before_a_table_holds_it() -> None:
    rules = run("m:first=lambda: 'new'")["RULES"]
    assert isinstance(rules, tuple) and rules[0]() == "new"


def test_a_method_is_replaced() -> None:
    reader = run("m:Reader.read=lambda self: 'new'")["Reader"]
    assert isinstance(reader, type) and reader.read(None) == "new"  # type: ignore[attr-defined] # it is made there


@pytest.mark.parametrize("wrong", ["m:ABSENT=1", "m:Reader.absent=1", "m:Absent.read=1"])
def test_a_name_that_is_not_there_is_an_error(wrong: str) -> None:
    with pytest.raises(ValueError, match="does not bind"):
        run(wrong)


@pytest.mark.parametrize("wrong", ["m=1", "m:name", "name"])
def test_another_form_is_an_error(wrong: str) -> None:
    with pytest.raises(ValueError, match="module:name=expression"):
        read_replacement(wrong)


def test_a_module_is_named_with_or_without_the_package() -> None:
    wanted = Replacement("groundtypes.quotes.search", "find", "None")
    assert read_replacement("quotes.search:find=None") == wanted
    assert read_replacement(str(wanted)) == wanted


@pytest.mark.parametrize(
    "row_set",
    [each for each in (*SETS, *FIGURE_SETS, *SETS_OF_CORE) if not each.needs],
    ids=lambda each: each.name,
)
def test_every_set_of_the_repository_has_rows(row_set: RowSet, tmp_path: Path) -> None:
    rows = Rows(data=None, cases=None, every=1, most=1, cache=tmp_path)
    assert next(iter(row_set.judge(rows))).text


def test_the_table_of_statements_is_found() -> None:
    assert table_of_tests("statements.jsonl").is_file()


def test_a_process_judges_with_a_part_replaced(tmp_path: Path) -> None:
    cases = tmp_path / "quotes.jsonl"
    row = {"id": "1", "quote": "It is tall", "reference": "It is tall.", "fuzzy": False}
    cases.write_text(json.dumps(row | {"label": "accept"}) + "\n", encoding="utf-8")
    rows = Rows(data=None, cases=tmp_path, every=1, most=1, cache=tmp_path)
    [outcome] = next(each for each in SETS if each.needs == "cases").judge(rows)
    assert outcome == Outcome("1", "pass", True, "accepted", "It is tall")
    program = """
import json, sys
from pathlib import Path
from benchmarks.effect.replacement import Replacement, install
install([Replacement("groundtypes.quotes.search", "find_quote", "lambda *_, **__: None")])
from benchmarks.effect.figure_sets import SETS as FIGURE_SETS
from benchmarks.effect.quote_sets import SETS
from benchmarks.effect.refusal_sets import SETS_OF_CORE
from benchmarks.effect.outcomes import Outcome, Rows, RowSet, table_of_tests
rows = Rows(None, Path(json.load(sys.stdin)), 1, 1, Path())
[judge] = [each.judge for each in SETS if each.needs == "cases"]
json.dump(list(judge(rows)), sys.stdout)
"""
    [found] = measured(ROOT / "src", program, str(tmp_path))
    assert Outcome(*found) == Outcome("1", "pass", False, "not found", "It is tall")


def test_a_module_that_is_never_imported_is_an_error(capfd: pytest.CaptureFixture[str]) -> None:
    given = {
        "areas": [],
        "rows": {"data": None, "cases": None, "every": 1, "most": 1, "cache": "."},
        "replacements": [("groundtypes.quotes.search", "x", "1")],
    }
    with pytest.raises(SystemExit):
        measured(ROOT / "src", PROGRAM, given)
    assert "never imported: groundtypes.quotes.search" in capfd.readouterr().err


def test_changes_are_counted_both_ways() -> None:
    before = [
        Outcome("1", "pass", True, "a", "first"),
        Outcome("2", "pass", False, "b", "second"),
        Outcome("3", "refuse", False, "b", "third"),
        Outcome("4", "refuse", True, "b", "fourth"),
        Outcome("gone", "refuse", True, "b", "fifth"),
    ]
    now = [
        Outcome("1", "pass", False, "b", "first"),
        Outcome("2", "pass", True, "a", "second"),
        Outcome("3", "refuse", False, "c", "third"),
        Outcome("4", "refuse", True, "b", "fourth"),
    ]
    same = {"origin": "tests", "rows": before}
    runs = [{"some": {"origin": "public", "rows": rows}, "same": same} for rows in (before, now)]
    text = table(*runs)
    assert (
        "| some | public | 1 of 2 (50.0%) | 1 of 2 (50.0%) | 1 of 2 (50.0%) | 1 of 2 (50.0%) "
        "| 1 | 1 | 1 |" in text
    )
    assert "| same |" not in text and "Nothing changed on 5 rows" in text
    assert [line.split(":")[0] for line in changed_rows(*runs)] == [
        "broken",
        "corrected",
        "otherwise",
    ]
