"""The minimal pairs are what their page says, and their report counts what it says it counts."""

import json
import re
from collections import Counter
from dataclasses import astuple, fields

import pytest
from rapidfuzz.distance import Levenshtein

from benchmarks.minimal_pairs import DATA, MinimalPair, load_minimal_pairs, report

PAIRS = load_minimal_pairs()
PAGE = DATA.with_suffix(".md")
#: So many words at most are put in, left out or exchanged between the two statements.
FEW_WORDS = 8


def plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def test_there_are_200_pairs_with_ids_of_their_own() -> None:
    assert len(PAIRS) == 200
    assert len({pair.id for pair in PAIRS}) == 200
    assert len({pair.reference for pair in PAIRS}) == 200


def test_each_category_has_at_least_ten_pairs() -> None:
    counts = Counter(pair.category for pair in PAIRS)
    assert len(counts) == 14
    assert min(counts.values()) >= 10


def test_each_line_holds_these_fields_and_no_others() -> None:
    names = [field.name for field in fields(MinimalPair)]
    for line in DATA.read_text(encoding="utf-8").splitlines():
        assert list(json.loads(line)) == names


def test_every_field_is_filled_in() -> None:
    for pair in PAIRS:
        for value in astuple(pair):
            assert value, pair.id
            assert value == value.strip(), pair.id
        assert pair.label_unsupported in {"contradiction", "neutral"}, pair.id
        assert pair.id.rpartition("-")[0] == pair.category.replace(" ", "-")
        assert 25 <= len(pair.reference.split()) <= 120, pair.id


def test_the_two_statements_differ_and_only_a_little() -> None:
    for pair in PAIRS:
        supported, unsupported = plain(pair.supported).split(), plain(pair.unsupported).split()
        assert 0 < Levenshtein.distance(supported, unsupported) <= FEW_WORDS, pair.id


def test_no_statement_stands_in_its_reference_word_for_word() -> None:
    for pair in PAIRS:
        assert plain(pair.supported) not in plain(pair.reference), pair.id
        assert plain(pair.unsupported) not in plain(pair.reference), pair.id


def test_the_page_counts_what_the_file_holds() -> None:
    counts = Counter((pair.category, pair.label_unsupported) for pair in PAIRS)
    told = re.findall(
        r"^\| (\w[\w ]*) \| (\d+) \| (\d+) \| (\d+) \|", PAGE.read_text("utf-8"), re.MULTILINE
    )
    categories = list(dict.fromkeys(pair.category for pair in PAIRS))
    assert [name for name, *_ in told] == [*categories, "all"]
    for name, number, contradictions, neutrals in told[:-1]:
        assert int(contradictions) == counts[name, "contradiction"]
        assert int(neutrals) == counts[name, "neutral"]
        assert int(number) == int(contradictions) + int(neutrals)
    labels = Counter(pair.label_unsupported for pair in PAIRS)
    assert [int(number) for number in told[-1][1:]] == [
        200,
        labels["contradiction"],
        labels["neutral"],
    ]


def test_one_who_knows_the_answers_has_everything_right() -> None:
    known = {(pair.reference, pair.supported) for pair in PAIRS}
    shares = report(lambda reference, statement: (reference, statement) in known)
    assert {found.both_right for found in shares.values()} == {100}


@pytest.mark.parametrize("always", [True, False])
def test_one_who_always_says_the_same_has_no_pair_right(always: bool) -> None:
    shares = report(lambda _reference, _statement: always)
    assert {found.both_right for found in shares.values()} == {0}
    assert {found.supported_accepted for found in shares.values()} == {100 * always}
    assert {found.unsupported_rejected for found in shares.values()} == {100 * (not always)}


def test_the_report_has_a_line_for_each_category_and_one_for_all_at_the_end() -> None:
    shares = report(lambda _reference, statement: len(statement) % 2 == 0)
    assert list(shares)[-1] == "all"
    assert shares["all"].pairs == 200 == sum(found.pairs for found in shares.values()) - 200
    for found in shares.values():
        assert found.both_right <= min(found.supported_accepted, found.unsupported_rejected)
