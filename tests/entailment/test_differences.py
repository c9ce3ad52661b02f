"""What differs between a statement and its closest sentence, and how a verdict says it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundtypes import References
from groundtypes.entailment.compared_words import missing_from, words_of
from groundtypes.entailment.differences import (
    MISSING_WORDS,
    Differences,
    MainDifference,
    differences_of,
)
from groundtypes.entailment.evidence.passage_index import sentence_index
from groundtypes.entailment.evidence.statement_evidence import select_evidence
from groundtypes.text.excerpts import deciding_excerpt

RULES = (
    "Opened software and gift cards cannot be returned. "
    "Delivery is free for orders above 50 euros. Adults pay 40 euros, children 20 euros. "
    "The bridge is closed to lorries. The museum may open on Mondays. "
    "Weber sold the mill to Adler in 1912. The new line is expected to open in May."
)


def differences(statement: str, text: str = RULES) -> Differences:
    references = References.of(text)
    known = sentence_index(references).lexical.__contains__
    return differences_of(statement, select_evidence(references, statement), known)


@pytest.mark.parametrize(
    ("statement", "says", "words"),
    [
        (
            "Opened software can be returned.",
            "'cannot' stands in the passage and not in the sentence",
            ("cannot",),
        ),
        (
            "The bridge isn't closed to lorries.",
            "'isn't' stands in the sentence and not in the passage",
            ("isn't",),
        ),
        ("Adults pay 45 euros.", "'45' stands nowhere in the references", ("45",)),
        (
            "Weber sold the mill to Brandt.",
            "'Brandt' stands nowhere in the references",
            ("Brandt",),
        ),
        ("The museum sleeps.", "'sleeps' stands nowhere in the references", ("sleeps",)),
    ],
)
def test_the_main_difference_is_said_in_plain_english(
    statement: str, says: str, words: tuple[str, ...]
) -> None:
    assert differences(statement).main == MainDifference(says, words)


@pytest.mark.parametrize(
    "statement",
    [
        "Opened software and gift cards can't be returned.",
        "Adults pay forty euros, children twenty euros.",
        "The bridge is closed to lorries.",
    ],
)
def test_what_is_only_spelled_otherwise_is_no_difference(statement: str) -> None:
    found = differences(statement)
    assert not any(found.missing[name] for name in MISSING_WORDS if "passage" not in name)
    assert found.closeness == 1.0
    assert found.main is None


def test_the_words_that_are_missing_are_counted() -> None:
    found = differences("Weber sold the mill to Brandt.").missing
    assert found["words not in closest"] == found["words not in references"] == 1 / 4


def test_a_long_word_is_cut_in_what_is_said() -> None:
    main = differences(f"Adults pay {'9' * 2000} euros.").main
    assert main is not None
    assert len(main.text) < 120


@settings(deadline=None, max_examples=40)
@given(st.text(max_size=200), st.text(max_size=200))
def test_any_texts_have_shares_from_0_to_1(statement: str, text: str) -> None:
    found = differences(statement, text).missing
    assert set(found) == set(MISSING_WORDS)
    assert all(0.0 <= value <= 1.0 for value in found.values())


@settings(deadline=None, max_examples=40)
@given(st.text(max_size=300))
def test_no_word_of_a_text_is_missing_from_itself(text: str) -> None:
    content = words_of(text).content
    assert not missing_from(content, content)


@pytest.mark.parametrize("unit", ["a ", "x", "1 ", ",;"])
def test_the_work_on_a_long_text_is_bounded(unit: str) -> None:
    assert len(words_of(unit * 500_000).words) <= 300


SENTENCES = [f"Rule {number} is about the colour of doors and windows." for number in range(40)]


def test_an_excerpt_shows_the_sentence_that_decides() -> None:
    passage = " ".join([*SENTENCES, "Gift cards cannot be returned.", *SENTENCES])
    shown = deciding_excerpt(passage, "Gift cards can be returned.", ["cannot"], 120)
    assert "Gift cards cannot be returned." in shown
    assert shown.startswith('"…')
    assert shown.endswith('…"')
    assert len(shown) <= 122


def test_a_short_passage_is_shown_whole() -> None:
    assert deciding_excerpt("It is\n tall.", "It is low.", [], 40) == '"It is tall."'


@settings(deadline=None, max_examples=40)
@given(st.text(max_size=400), st.text(max_size=40), st.integers(20, 100))
def test_an_excerpt_is_bounded(passage: str, statement: str, limit: int) -> None:
    assert len(deciding_excerpt(passage, statement, statement.split(), limit)) <= limit + 2
