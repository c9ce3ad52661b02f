"""Questions in references say something only together with their answer."""

import pytest

from groundtypes import Reference, References
from groundtypes.entailment import entail
from groundtypes.entailment.evidence.statement_evidence import select_evidence
from groundtypes.scoring import Label
from groundtypes.text.questions import stated

FAQ = (
    "FAQ\n\nCan I return a gift card?\n{}\n\nAre dogs allowed on deck?\n{}\n\n"
    "The café on the upper deck sells soup and sandwiches."
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Is the pier safe? The café is open.", "The café is open."),
        ("FAQ\nCan I return it?\nAsk at the till.", "FAQ\n\nAsk at the till."),
        ("Open from 9 to 5\nAre dogs\nallowed?", "Open from 9 to 5"),
        ("Tom asked: Is it safe?", "Tom asked:"),
        ("Can I return it? No.", "No, can not I return it."),
        ("**Can I return it?**\n\n**No**, never. Ask.", "No, can not I return it. Ask."),
        ("Q: Can I return it?\nA: Yes, in May.", "Yes, can I return it, in May."),
        ("question is Can I return it?. answer is No.", "No, can not I return it."),
        ("Are dogs allowed? Only on a leash.", "are dogs allowed, only on a leash."),
        ("If I lose it, can I pay? No.", "No, if I lose it, can not I pay."),
        ("The pier is safe? No.", "It is not true that the pier is safe."),
    ],
)
def test_a_question_says_what_its_answer_makes_of_it(text: str, said: str) -> None:
    assert stated(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Are dogs allowed? No dogs are allowed.", "No dogs are allowed."),
        ("Can I bring a bike? No problem is too small.", "No problem is too small."),
        ("Are you over 18? Yes / No", "Yes / No"),
        ("Isn't it safe? No.", ""),
        ("What if it is safe? We go.", "We go."),
    ],
)
def test_what_follows_a_question_need_not_answer_it(text: str, said: str) -> None:
    assert stated(text) == said


@pytest.mark.parametrize(
    "text",
    [
        "The ferry is late, isn't it? We wait.",
        "Did you know that the tower is 96 m high?",
        "When does it close? At 6 pm.",
        "Sind Hunde erlaubt? Nein.",
        "The form is at https://example.org/?page=2 and costs 4 euros (or 5?).",
        "It costs 4 euros (or 5?)",
    ],
)
def test_statements_and_open_questions_with_an_answer_stay(text: str) -> None:
    assert stated(text) == text


@pytest.mark.parametrize("statement", ["I can return a gift card.", "Dogs are allowed on deck."])
@pytest.mark.parametrize(
    ("answers", "label"),
    [
        (("Yes, within 30 days.", "Yes, on a leash."), Label.ENTAILMENT),
        (("No.", "No, they stay below."), Label.CONTRADICTION),
        (("Ask at the till.", "Ask the crew."), None),
    ],
)
def test_a_statement_follows_from_the_answer(
    answers: tuple[str, str], label: Label | None, statement: str
) -> None:
    records = [
        {"question": "Can I return a gift card?", "answer": answers[0]},
        {"question": "Are dogs allowed on deck?", "answer": answers[1]},
    ]
    for references in (FAQ.format(*answers), [Reference.of_json("faq", records)]):
        [judged] = entail(references, statement)
        if label is None:
            assert judged.label is not Label.ENTAILMENT
        else:
            assert judged.label is label


def test_the_verdict_quotes_the_question() -> None:
    [judged] = entail("Can I return a gift card? No.", "I can return a gift card.")
    assert judged.passage == "Can I return a gift card? No."


def test_questions_take_no_place_of_sentences() -> None:
    asked = " ".join(f"Do the students of house {number} pay half?" for number in range(5))
    text = f"{asked} At the harbour the students pay half of the fare on Mondays."
    evidence = select_evidence(References.of(text), "Students pay half.")
    texts = [premise.text for premise in evidence.premises]
    assert texts
    assert all("Mondays" in text and "?" not in text for text in texts)


def test_references_of_questions_say_nothing() -> None:
    evidence = select_evidence(References.of("Is the pier safe?"), "The pier is safe.")
    assert evidence.premises == ()
