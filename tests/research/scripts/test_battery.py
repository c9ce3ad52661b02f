"""The battery's rule, mutations and public cases are reproducible, and the rule is its own."""

import ast
import inspect
from collections import Counter
from itertools import islice

import pytest

from groundtypes import find_quote
from scripts.battery import mutations as mutations_module
from scripts.battery import oracle
from scripts.battery.languages import DECLARATION
from scripts.battery.mutations import CLASSES, MUTATIONS, mutations
from scripts.battery.oracle import judge
from scripts.battery.public_suites import open_cases, public_rows
from scripts.battery.texts import Passage

TEXT = "The sugar-free drug cost 4.50 dollars, and it didn't help 12 of the patients in Boston."
DECLARED = [
    Passage(f"declaration-{language}-{number}", "declaration", language, text)
    for language, articles in DECLARATION.items()
    for number, text in articles.items()
]


@pytest.mark.parametrize(
    ("quote", "expect"),
    [
        ("the patients in Boston", "accept"),
        ("THE PATIENTS\u00a0in\n“Boston”.", "accept"),
        ("th\u200be pati\u00adents in Boston", "accept"),
        ("and it didn’t help 12 of the patients", "accept"),
        ("drug cost ４.５０ dollars, and it", "accept"),
        ("drug cost 4.50 dollars and it", "accept_fuzzy"),
        ("drug cost 45.0 dollars, and it", "reject"),
        ("drug cost 4.60 dollars, and it", "reject"),
        ("drug cost -4.50 dollars, and it", "reject"),
        ("drug cost €4.50 dollars, and it", "reject"),
        ("it didn't help 13 of the patients", "reject"),
        ("it didn't help of the patients", "reject"),
        ("it didn't help the patients in Boston", "reject"),
        ("the patïents in Boston", "reject"),
        ("the pаtients in Boston", "reject"),
        ("the patients? in Boston", "reject"),
        ("the pat ients in Boston", "reject"),
        ("thepatients in Boston", "reject"),
        ("the patients in Bosto", "reject"),
        ("the patiens in Boston", None),
        ("free drug cost", "reject"),
        ("drug cost 4", "reject"),
        ("50 dollars, and it didn't help", "reject"),
        ("didnt help 12", None),
    ],
)
def test_the_rule_says_what_the_page_on_quotes_promises(quote: str, expect: str | None) -> None:
    assert judge(quote, TEXT, "en").expect == expect


@pytest.mark.parametrize(
    ("quote", "expect"), [("at 5 mW of power", True), ("at 5 MW of power", False)]
)
def test_the_rule_knows_units_that_case_makes_others(quote: str, expect: bool) -> None:
    verdict = judge(quote, "It runs at 5 mW of power only.", "en")
    assert verdict.expect == ("accept" if expect else "reject")


@pytest.mark.parametrize("module", [oracle, mutations_module])
def test_the_rule_is_not_the_search_s_own(module: object) -> None:
    tree = ast.parse(inspect.getsource(module))  # type: ignore[arg-type]
    imported = {
        name
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert not {name for name in imported if name.startswith(("groundtypes", "benchmarks"))}


def test_mutations_are_the_same_each_time_and_in_many_languages() -> None:
    first = list(islice(mutations("tune", DECLARED), 150))
    again = list(islice(mutations("tune", DECLARED), 150))
    assert first == again
    languages = {next(iter(row["references"])).split("-")[1] for row in first}
    assert len(languages) >= 8


def test_a_slice_that_nothing_changed_is_never_to_be_rejected() -> None:
    rows = [
        row for row in islice(mutations("tune", DECLARED), 60) if row["kind"] == "mutation: nothing"
    ]
    assert {row["expect"] for row in rows} == {"accept"}


def test_what_the_rule_cannot_tell_is_left_out_and_counted() -> None:
    left_out: Counter[str] = Counter()
    rows = list(islice(mutations("tune", DECLARED, left_out), 150))
    assert {row["expect"] for row in rows} <= {"accept", "accept_fuzzy", "reject"}
    assert left_out.total() > 0


@pytest.mark.parametrize("name", CLASSES)
def test_characters_of_every_class_are_exchanged_and_inserted(name: str) -> None:
    assert {f"{name} exchanged", f"{name} inserted"} <= set(MUTATIONS)


def test_public_cases_are_in_both_parts_and_none_of_their_texts_in_two() -> None:
    parts = {part: list(public_rows(part)) for part in ("tune", "test")}
    texts = [{next(iter(row["references"].values())) for row in rows} for rows in parts.values()]
    assert all(texts)
    assert not texts[0] & texts[1]
    assert all(reason for (_, reason) in open_cases())


@pytest.mark.parametrize("fuzzy", [False, True], ids=["strict", "fuzzy"])
@pytest.mark.parametrize("expect", ["accept", "reject"])
def test_cases_of_public_suites_are_judged_as_these_suites_do(expect: str, fuzzy: bool) -> None:
    wrong: list[str] = []
    for part in ("tune", "test"):
        for row in public_rows(part):
            match = find_quote(row["quote"], row["references"], fuzzy=fuzzy)
            accepted = match is not None and not match.cut
            if row["expect"] == expect and accepted != (expect == "accept"):
                wrong.append(*row["references"])
    # "Only" stands before the quote "aspirin", which says more without it.
    assert wrong == (["langextract-175"] if expect == "accept" else [])
