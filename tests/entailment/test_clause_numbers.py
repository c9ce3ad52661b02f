"""The numbers of parallel clauses: whose they are, and what a clause leaves out."""

import pytest

from corpora.written_claims import claim_sets
from groundtypes.entailment import entail
from groundtypes.entailment.clause_numbers import number_of_another_clause
from groundtypes.entailment.completed_clauses import is_completed_clause
from groundtypes.entailment.questions import sentences_with_claims
from groundtypes.scoring import Label
from groundtypes.text.sentences import sentence_spans

ROOMS = "Room 4 seats 30 people; room 9 seats 55."
SHIPS = "The Alba carries 80 cars, the Bree 45 and the Cora 30."
OSLO = "In Oslo, 31 cases were found; in Bergen, 12."
TABLETS = "Take 2 tablets in the morning and 1 in the evening."
GATES = "The north gate closes at 5, the south gate at 8."
BUSES = "The first bus leaves at 6, the last at 23."

#: Sentence, statement, and the words that are found.
EXCHANGED = [
    (ROOMS, "Room 9 seats 30 people.", ("30", "4", "9")),
    (ROOMS, "Room 4 seats 55 people.", ("55", "9", "4")),
    (SHIPS, "The Bree carries 80 cars.", ("80", "Alba", "Bree")),
    (SHIPS, "The Alba carries 45 cars.", ("45", "Bree", "Alba")),
    (SHIPS, "The Cora carries 45 cars.", ("45", "Bree", "Cora")),
    (OSLO, "In Bergen 31 cases were found.", ("31", "Oslo", "Bergen")),
    (OSLO, "In Oslo, 12 cases were found.", ("12", "Bergen", "Oslo")),
    (TABLETS, "Take 2 tablets in the evening.", ("2", "morning", "evening")),
    (TABLETS, "Take 1 tablet in the morning.", ("1", "evening", "morning")),
    (GATES, "The south gate closes at 5.", ("5", "north", "south")),
    (GATES, "The north gate closes at 8.", ("8", "south", "north")),
    (BUSES, "The last bus leaves at 6.", ("6", "first", "last")),
    ("Deposits earn 2 % and loans cost 7 %.", "Loans cost 2 %.", ("2", "Deposits", "Loans")),
    ("Loans cost 7 % and deposits earn 2 %.", "Loans cost 2 %.", ("2", "deposits", "Loans")),
    ("The bow weighs 3 tonnes and the stern 5.", "The stern weighs 3 tonnes.",
     ("3", "bow", "stern")),
    ("In May 300 people came, in June 450.", "In June 300 people came.", ("300", "May", "June")),
    ("Bake the bread for 40 minutes and the rolls for 15.", "Bake the rolls for 40 minutes.",
     ("40", "bread", "rolls")),
    ("She has 2 brothers and 3 sisters.", "She has 2 sisters.", ("2", "brothers", "sisters")),
    ("Pay 5 euros now and 10 later.", "Pay 5 euros later.", ("5", "now", "later")),
    ("The adult fare is $9, the child fare $4.", "The child fare is $9.",
     ("9", "adult", "child")),
]  # fmt: skip
#: Sentences and statements that do follow, or of which too little is known.
NOT_EXCHANGED = [
    (ROOMS, "Room 9 seats 55 people."),
    (f"{ROOMS} With benches, room 9 seats 30 people.", "Room 9 seats 30 people."),
    (SHIPS, "The Alba carries 80 cars."),
    (SHIPS, "The Bree carries more than 30 cars."),
    ("The bus leaves at 7 and at 9.", "The bus leaves at 9."),
    ("The bus leaves at 7, later at 9.", "The bus leaves at 9."),
    ("The bus leaves at 7, on Sundays at 9.", "The bus leaves at 9."),
    ("The bus leaves at 7, the last at 9.", "The bus leaves at 9."),
    ("Line 2 and line 3 have lifts.", "Line 2 has lifts."),
    ("Gate 4 upstairs and gate 5 have lifts.", "Gate 4 has lifts."),
    ("Soup costs 6 euros, and the stew too, with 2 rolls.", "The stew costs 6 euros."),
    ("Line 2 has 14 stops, and so does line 5, which has 3 lifts.", "Line 5 has 14 stops."),
    ("The Alba carries 80 cars and the Bree was sold for 45 million.", "The Bree carries 80 cars."),
    ("Adults pay 12 euros, children under 6 nothing.", "Children pay 12 euros."),
    ("Replies come within 5 days, refunds within 9.", "Replies come within 9 days."),
    ("It was 5 < 7 metres, the other 8.", "The other was 5 metres."),
    ("", "Room 9 seats 30 people."),
]
#: Sentences and what a later clause of them says.
COMPLETED = [
    (SHIPS, "The Bree carries 45 cars."),
    (SHIPS, "The Cora carries 30 cars."),
    (OSLO, "In Bergen 12 cases were found."),
    (TABLETS, "Take 1 tablet in the evening."),
    (GATES, "The south gate closes at 8."),
    ("The red line has 14 stops, while the blue line has 22.", "The blue line has 22 stops."),
    ("Guests pay 9 euros and members of the club 5.", "Members of the club pay 5 euros."),
    ("Room 4 seats 30 people, room 9 55 and room 12 80.", "Room 12 seats 80 people."),
    ("Tom is 12, his sister 9.", "His sister is 9."),
    ("The old bridge was 40 metres long, the new one 60.", "The new one was 60 metres long."),
]
#: Sentences and statements that may not follow.
NOT_COMPLETED = [
    (SHIPS, "The Bree carries 30 cars."),
    (SHIPS, "The Alba carries 45 cars."),
    (f'"{SHIPS}"', "The Bree carries 45 cars."),
    ("Does the Alba carry 80 cars, the Bree 45?", "The Bree carries 45 cars."),
    ("According to Tom the Alba carries 80 cars, the Bree 45.", "The Bree carries 45 cars."),
    ("Reportedly the Alba carries 80 cars, the Bree 45.", "The Bree carries 45 cars."),
    ("On Sundays, the pool opens at 7 and the sauna at 10.", "The sauna opens at 10."),
    ("The pool opens at 7 and the sauna at 10 on Sundays.", "The sauna opens at 10."),
    ("If the pool opens at 7, the sauna opens at 10.", "The sauna opens at 10."),
    ("Ann gave Tom 3 books, Ben 5.", "Ben gave Tom 5 books."),
    ("Ann gave Tom 3 books, Ben 5.", "Ann gave Ben 5 books."),
    ("The firm employs 80 men and 20 women, the shop 5.", "The shop employs 5 men."),
    ("Tom ate 3 apples, Ann 2 and Ben 4 pears.", "Ann ate 2 apples."),
    ("Parking costs 3 euros an hour, a day ticket 15.", "A day ticket costs 15 euros an hour."),
    ("The firm made 3 million euros, the shop 500.", "The shop made 500 million euros."),
    ("The deposit earns \u20ac2 and the loan 7 %.", "The loan earns \u20ac7."),
    ("The mass is 5 kg and the length 3 m.", "The length is 3 kg."),
    ("The train takes 2 hours and 10 minutes.", "The train takes 10 minutes."),
]  # fmt: skip


def sentences_of(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(("sentence", "statement", "words"), EXCHANGED)
def test_the_number_of_another_clause_is_found(
    sentence: str, statement: str, words: tuple[str, str, str]
) -> None:
    found = number_of_another_clause(statement, sentences_of(sentence))
    assert found is not None
    assert tuple(found) == words
    assert not is_completed_clause(statement, sentence)


@pytest.mark.parametrize(("text", "statement"), [*NOT_EXCHANGED, *COMPLETED])
def test_no_other_statement_is_found(text: str, statement: str) -> None:
    assert number_of_another_clause(statement, sentences_of(text)) is None


@pytest.mark.parametrize(("sentence", "statement"), COMPLETED)
def test_a_clause_says_what_it_leaves_out(sentence: str, statement: str) -> None:
    assert is_completed_clause(statement, sentence)
    [judged] = entail(sentence, statement)
    assert judged.label is Label.ENTAILMENT


@pytest.mark.parametrize(("sentence", "statement"), NOT_COMPLETED)
def test_what_is_not_certain_is_not_said(sentence: str, statement: str) -> None:
    assert not is_completed_clause(statement, sentence)


def test_no_written_claim_is_judged_wrongly() -> None:
    found = {(kind, label): 0 for kind in ("exchanged", "completed") for label in (True, False)}
    for claim_set in [*claim_sets("train"), *claim_sets("tune")]:
        sentences = [each for text in claim_set.references for each in sentences_of(text)]
        for claim in claim_set.claims:
            for stated in sentences_with_claims(claim.text):
                exchanged = number_of_another_clause(stated.text, sentences) is not None
                completed = any(is_completed_clause(stated.text, each) for each in sentences)
                found["exchanged", claim.supported] += exchanged
                found["completed", claim.supported] += completed
    assert found["exchanged", True] == found["completed", False] == 0
    assert found["exchanged", False] >= 5
    assert found["completed", True] >= 1


def test_the_verdict_says_whose_number_it_is() -> None:
    [judged] = entail(ROOMS, "Room 9 seats 30 people.")
    assert judged.label is Label.CONTRADICTION
    assert judged.because == "; '30' stands in the references beside '4', not '9'"
