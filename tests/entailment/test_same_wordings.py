"""Wordings that say the same: a statement in another one than its sentence is entailed."""

import pytest

from corpora.written_claims import claim_sets
from groundtypes.entailment import entail
from groundtypes.entailment.copied_sentences import is_copied
from groundtypes.entailment.same_wordings import same_wording
from groundtypes.scoring import Label
from groundtypes.text.sentences import sentence_spans

#: A sentence, what says the same, and what does not.
WORDINGS = [
    ("Dogs are not permitted in the hall.", "Dogs are prohibited in the hall.",
     "Dogs are permitted in the hall."),
    ("Dogs are prohibited in the hall.", "Dogs aren't allowed in the hall.",
     "Dogs are allowed in the hall."),
    ("Smoking is forbidden.", "Smoking is not allowed.", "Smoking is allowed."),
    ("Smoking is not permitted.", "Smoking is prohibited.", "Smoking is not prohibited."),
    ("No boats are allowed in the lagoon.", "Boats are forbidden in the lagoon.",
     "Boats are not forbidden in the lagoon."),
    ("It is not impossible to repair the clock.", "It is possible to repair the clock.",
     "It is impossible to repair the clock."),
    ("It is possible to change the seat.", "It isn't impossible to change the seat.",
     "It is not possible to change the seat."),
    ("The lift carries no more than eight people.", "The lift carries at most 8 people.",
     "The lift carries at least eight people."),
    ("At most 40 guests are admitted.", "No more than 40 guests are admitted.",
     "No fewer than 40 guests are admitted."),
    ("At least 40 guests came to the fair.", "No fewer than forty guests came to the fair.",
     "No more than forty guests came to the fair."),
    ("Fewer than 40 guests came to the fair.", "Less than 40 guests came to the fair.",
     "No fewer than 40 guests came to the fair."),
    ("Lunch is served at noon.", "Lunch is served at noon, isn't it?",
     "Lunch is not served at noon, is it?"),
    ("There is no doubt that Ann wrote it.", "Ann wrote it.", "Ann did not write it."),
    ("The museum is closed on Mondays.", "The museum is not open on Mondays.",
     "The museum is not closed on Mondays."),
    ("The bridge is open to lorries.", "The bridge isn't closed to lorries.",
     "The bridge is closed to lorries."),
    ("This ticket is non-refundable.", "This ticket is not refundable.",
     "This ticket is refundable."),
    ("The form is not valid without a stamp.", "The form is invalid without a stamp.",
     "The form is valid without a stamp."),
    ("Not a single window was broken.", "No window was broken.", "A single window was broken."),
]  # fmt: skip
#: Texts that are alike, and say different things.
OTHERS = [
    ("All visitors are not permitted inside.", "All visitors are prohibited inside."),
    ("Dogs are not permitted only in the hall.", "Dogs are prohibited only in the hall."),
    ("The ticket costs at most $5.", "The ticket costs no more than \u20ac5."),
    ("It may be as cold as -5 degrees.", "It may be as cold as 5 degrees."),
    ("The share of guests was 5 %.", "The share of guests was 5."),
    ("Ann wrote it.", "There is no doubt that Ann wrote it."),
    ("Where is it?", "Where is it?"),
    ("The shop was closed by the owner.", "The shop was not open by the owner."),
    ("He is unhappy with the room.", "He is not happy with the room."),
    ("The offer is incredible.", "The offer is not credible."),
]


@pytest.mark.parametrize(("sentence", "same", "other"), WORDINGS)
def test_a_statement_in_another_wording_is_entailed(sentence: str, same: str, other: str) -> None:
    [judged] = entail(sentence, same)
    assert judged.label is Label.ENTAILMENT
    assert is_copied(same, [sentence])
    [judged] = entail(sentence, other)
    assert judged.label is not Label.ENTAILMENT
    assert not is_copied(other, [sentence])


@pytest.mark.parametrize(("sentence", "statement"), OTHERS)
def test_what_says_something_else_is_not_copied(sentence: str, statement: str) -> None:
    assert not is_copied(statement, [sentence])


def test_the_end_of_a_long_statement_counts() -> None:
    long = f"The list is{' very' * 400} long"
    assert is_copied("The list is very long.", ["The list is very long."])
    assert not is_copied(f"{long}.", [f"{long} and wrong."])


def test_a_wording_is_read_in_one_pass() -> None:
    assert same_wording("It isn't impossible.") == "it is possible"
    assert same_wording("Dogs are banned.") == "dogs are not permitted"


def test_the_message_names_no_wording_that_says_the_same() -> None:
    [judged] = entail("Boats are prohibited in the lagoon.", "Canoes aren't allowed in the canal.")
    assert "allowed" not in (judged.difference or "")
    assert "prohibited" not in (judged.difference or "")
    [judged] = entail("Boats are prohibited in the lagoon.", "Boats are allowed in the lagoon.")
    assert judged.label is Label.CONTRADICTION


def test_no_unsupported_statement_of_the_written_claims_is_copied() -> None:
    copied = {True: 0, False: 0}
    for claim_set in [*claim_sets("train"), *claim_sets("tune")]:
        sentences = [
            text[start:end] for text in claim_set.references for start, end in sentence_spans(text)
        ]
        for claim in claim_set.claims:
            if claim.form == "statement":
                copied[claim.supported] += is_copied(claim.text, sentences)
    assert copied[False] == 0
    assert copied[True] >= 200
