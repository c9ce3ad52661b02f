"""A statement that has the number of something else in its sentence is not entailed."""

import pytest

from corpora.written_claims import claim_sets
from groundtypes import References
from groundtypes.entailment import entail
from groundtypes.entailment.differences import differences_of
from groundtypes.entailment.exchanged_numbers import ExchangedNumber
from groundtypes.entailment.questions import sentences_with_claims
from groundtypes.evidence.grains import select_evidence
from groundtypes.evidence.index import sentence_index
from groundtypes.scoring import Label

POOL = "The pool opens at 7 and the sauna at 10."
PRICES = "Children pay 5 euros, adults pay 9 euros."
BIKES = "Club members pay 5 euros and guests 9 euros on Sundays."
FIRM = "The small firm employs 40 people and makes 900 chairs."

#: Statement, sentence, and the words that are found.
EXCHANGED = [
    ("The sauna opens at 7.", POOL, ("7", "pool", "sauna")),
    ("The pool opens at 10.", POOL, ("10", "sauna", "pool")),
    ("Adults pay 5 euros.", PRICES, ("5", "Children", "adults")),
    ("Children pay 9 euros.", PRICES, ("9", "adults", "Children")),
    (
        "The red train takes 40 minutes.",
        "The blue train takes 40 minutes and the red train 55 minutes.",
        ("40", "blue", "red"),
    ),
    ("Dogs may stay for 2 nights.", "Cats may stay for 2 nights, dogs for 5.", None),
    ("New mails stay for 28 days.", "New mails stay for 14 days, saved ones for 28.", None),
    ("Dogs may stay for 2 nights.", "Cats may stay for 2 nights, dogs for 5 nights.", None),
    (
        "The north gate closes at 18:00.",
        "The north gate closes at 20:00, while the south gate closes at 18:00.",
        ("18:00", "south", "north"),
    ),
]
#: Statements that follow, or of which the rule knows too little.
OTHERS = [
    ("The sauna opens at 10.", POOL),
    ("The pool opens at 7.", POOL),
    ("The sauna does not open at 7.", POOL),
    ("The sauna opens at 7.", f"{POOL} On Mondays the sauna opens at 7."),
    ("Adults pay 9 euros.", PRICES),
    ("Adults pay more than 5 euros.", PRICES),
    ("On Sundays members pay 5 euros.", BIKES),
    ("It employs 40 people and makes chairs.", FIRM),
    ("The firm that makes chairs employs 40 people.", FIRM),
    ("Gate 4 has lifts.", "Gate 4 upstairs and gate 5 have lifts."),
    ("Gate 4 has lifts.", "Gate 4 of the old terminal and gate 5 of the new one have lifts."),
    ("Room 2 has a balcony.", "Meeting room 2 and room 3 have a balcony."),
    ("Opening is at 9 on weekdays.", "The pool is open between 9 and 5 on weekdays."),
    (
        "On a Sunday they are paid at 150 per cent.",
        "Hours are paid at 125 per cent, or at 150 per cent if they fall on a Sunday.",
    ),
    ("Saved mails stay for 28 days.", "New mails stay for 14 days, saved ones for 28."),
    ("Blue tickets cost 9 euros.", "Red tickets cost 5 euros and blue ones bought online 9 euros."),
    ("The hotel has 30 rooms and pools.", "The old hotel has 30 rooms and has 2 pools."),
]


def exchanged(statement: str, references: References) -> ExchangedNumber | None:
    known = sentence_index(references).lexical.__contains__
    return differences_of(statement, select_evidence(references, statement), known).exchanged


@pytest.mark.parametrize(("statement", "sentence", "words"), EXCHANGED)
def test_the_number_of_something_else_is_found(
    statement: str, sentence: str, words: tuple[str, ...] | None
) -> None:
    found = exchanged(statement, References.of(sentence))
    assert found is not None
    assert words is None or tuple(found) == words


@pytest.mark.parametrize(("statement", "sentence"), OTHERS)
def test_no_other_statement_is_found(statement: str, sentence: str) -> None:
    assert exchanged(statement, References.of(sentence)) is None


def test_no_supported_claim_of_the_tuning_domains_is_found() -> None:
    found = {True: 0, False: 0}
    for claim_set in claim_sets("tune"):
        references = References.of(list(claim_set.references))
        for claim in claim_set.claims:
            found[claim.supported] += any(
                exchanged(sentence.text, references) is not None
                for sentence in sentences_with_claims(claim.text)
            )
    assert found[True] == 0
    assert found[False] > 0


def test_such_a_statement_is_contradicted_and_the_verdict_says_whose_number_it_is() -> None:
    pytest.importorskip("onnxruntime")
    [sauna] = entail(POOL, "The sauna opens at 7.", threshold=0.01)
    assert (sauna.label, sauna.scores.entailment) == (Label.CONTRADICTION, 0.0)
    assert sauna.difference == "'7' stands in the references beside 'pool', not 'sauna'"
    [pool] = entail(POOL, "The pool opens at 7.")
    assert pool.label is Label.ENTAILMENT
