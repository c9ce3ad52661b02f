"""The evidence for a statement: the closest sentences, several together, and one passage."""

import pytest

from groundtypes import References
from groundtypes.entailment.evidence.statement_evidence import select_evidence


def sentences(text: str, statement: str) -> list[str]:
    evidence = select_evidence(References.of(text), statement)
    return [premise.text for premise in evidence.sentences]


@pytest.mark.parametrize(
    ("text", "statement", "premise"),
    [
        pytest.param(
            "The library opened in 1932. It has nine reading rooms. Cats sleep most of a day.",
            "The library has nine reading rooms.",
            "The library opened in 1932. It has nine reading rooms.",
            id="a pronoun needs the sentence before it",
        ),
        pytest.param(
            "The hall opened in 1932. Visitors find nine reading rooms.",
            "The library has nine reading rooms.",
            "Visitors find nine reading rooms.",
            id="what names its subject stands alone",
        ),
        pytest.param(
            "These are forbidden:\n- dogs in the hall\n- bicycles in the yard\n- music",
            "Bicycles in the yard are forbidden.",
            "These are forbidden: - bicycles in the yard",
            id="a list item has the line above its list",
        ),
        pytest.param(
            "| Ticket | Price |\n|---|---|\n| Adults | 40 |\n| Students | 20 |\n| Dogs | 5 |",
            "Students pay 20.",
            "Ticket is Students. Price is 20",
            id="a row has the header of its table",
        ),
    ],
)
def test_a_sentence_has_what_it_needs_to_be_understood(
    text: str, statement: str, premise: str
) -> None:
    assert premise in sentences(text, statement)


def test_a_pronoun_at_the_beginning_of_a_reference_takes_nothing_of_another() -> None:
    references = {"a": "Cats sleep most of a day.", "b": "It has nine reading rooms."}
    evidence = select_evidence(References.of(references), "It has nine reading rooms.")
    assert evidence.sentences[0].text == "It has nine reading rooms."


def test_equal_texts_are_one_premise() -> None:
    evidence = select_evidence(References.of("The tower is tall."), "The tower is tall.")
    assert [premise.text for premise in evidence.premises] == ["The tower is tall."]


def test_no_text_has_no_evidence() -> None:
    assert select_evidence(References.of([]), "It is tall.").premises == ()


def test_many_references_give_four_premises_at_most() -> None:
    texts = [
        f"Note {number}: the tower is {number} metres tall. Bread is cheap."
        for number in range(500)
    ]
    evidence = select_evidence(References.of(texts), "The tower is 300 metres tall.")
    assert len(evidence.premises) <= 4
    assert "300 metres" in evidence.sentences[0].text


def test_a_sentence_without_a_common_word_is_no_evidence_in_a_long_text() -> None:
    text = "Bread is cheap in this town. Rain fell on most days of May. All trains were late again."
    assert sentences(text, "Quartz glows.") == []


def test_the_evidence_for_a_statement_is_selected_once_for_each_collection() -> None:
    sentences = [f"Room {number} has a view of the lake." for number in range(9)]
    references = References.of({"a": " ".join(sentences)})
    others = References.of({"b": " ".join(sentences)})
    first = select_evidence(references, "Room 3 has a view.")
    assert select_evidence(references, "Room 3 has a view.") is first
    assert select_evidence(references, "Room 3 has a view.", 1) != first
    of_others = select_evidence(others, "Room 3 has a view.")
    assert {span.reference for premise in of_others.premises for span in premise.spans} == {"b"}
