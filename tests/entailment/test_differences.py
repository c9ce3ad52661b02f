"""What differs between a statement and its closest sentence, and how a verdict says it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundtypes import References
from groundtypes.entailment.alignment import align, words_of
from groundtypes.entailment.differences import DIFFERENCES, Differences, differences_of
from groundtypes.entailment.excerpts import deciding_excerpt
from groundtypes.entailment.reasons import main_difference
from groundtypes.evidence.grains import select_evidence
from groundtypes.evidence.index import sentence_index

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
    ("statement", "name", "words"),
    [
        ("Opened software can be returned.", "negation left out", ("cannot",)),
        ("The bridge isn't closed to lorries.", "negation only stated", ("isn't",)),
        ("Delivery is free for all orders.", "quantifier only stated", ("all",)),
        ("Delivery is free for orders.", "number left out", ("50",)),
        ("Delivery is free for orders below 50 euros.", "opposite", ("below", "above")),
        ("The museum must open on Mondays.", "modality only stated", ("must",)),
        ("The museum opens on Mondays.", "modality left out", ("may",)),
        ("The new line will open in May.", "hedge left out", ("expected",)),
        ("Children pay 40 euros.", "number of another", ("40", "Adults", "Children")),
        ("Adults pay 45 euros.", "number not in references", ("45",)),
        ("The museum may open at midnight.", "number not in references", ("midnight",)),
        ("Weber sold the mill to Brandt.", "name not in references", ("Brandt",)),
        ("The bridge is closed because of lorries.", "cause only stated", ("because",)),
        ("The bridge is closed only to lorries.", "condition only stated", ("only",)),
    ],
)
def test_a_difference_has_its_name_and_its_words(
    statement: str, name: str, words: tuple[str, ...]
) -> None:
    found = differences(statement)
    assert found.values[name] > 0
    assert found.words[name] == words


def test_roles_exchanged_are_words_in_another_order() -> None:
    assert differences("Adler sold the mill to Weber in 1912.").values["order"] > 0
    assert differences("Weber sold the mill to Adler in 1912.").values["order"] == 0


@pytest.mark.parametrize(
    "statement",
    [
        "Opened software and gift cards can't be returned.",
        "Adults pay forty euros, children twenty euros.",
        "The bridge is closed to lorries.",
    ],
)
def test_what_is_only_spelled_otherwise_is_no_difference(statement: str) -> None:
    found = differences(statement).values
    assert found["verbatim"] == 1.0 or "forty" in statement
    assert not any(found[name] for name in DIFFERENCES if name not in ("verbatim", "contained"))


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        (
            "Opened software can be returned.",
            "'cannot' stands in the passage and not in the sentence",
        ),
        (
            "Children pay 40 euros.",
            "'40' stands in the references beside 'Adults', not 'Children'",
        ),
        (
            "Delivery is free for orders below 50 euros.",
            "the sentence says 'below' where the passage says 'above'",
        ),
        ("Adults pay 45 euros.", "'45' stands nowhere in the references"),
    ],
)
def test_the_main_difference_is_said_in_plain_english(statement: str, says: str) -> None:
    main = main_difference(differences(statement))
    assert main is not None
    assert main.text == says


def test_the_difference_that_weighs_most_is_said() -> None:
    found = differences("Opened software can be returned in all 45 shops.")
    weights = dict.fromkeys(DIFFERENCES, 0.0) | {"number not in references": -2.0}
    main = main_difference(found, weights)
    assert main is not None
    assert main.words == ("45",)


def test_a_long_word_is_cut_in_what_is_said() -> None:
    main = main_difference(differences(f"Adults pay {'9' * 2000} euros."))
    assert main is not None
    assert len(main.text) < 120


@settings(deadline=None, max_examples=40)
@given(st.text(max_size=200), st.text(max_size=200))
def test_any_texts_have_differences_from_0_to_1(statement: str, text: str) -> None:
    found = differences(statement, text)
    assert set(found.values) == set(DIFFERENCES)
    assert all(0.0 <= value <= 1.0 for value in found.values.values())


@settings(deadline=None, max_examples=40)
@given(st.text(max_size=300))
def test_every_word_of_a_text_beside_itself_has_its_partner(text: str) -> None:
    words = words_of(text)
    aligned = align(words, words)
    assert aligned.share == 1.0
    assert all(at == place for at, place in aligned.partners.items()) or len(
        {word.stem for word in words.words}
    ) < len(words.words)


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
