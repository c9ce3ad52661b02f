"""A clause that a statement says of the subject of another clause."""

import pytest

from groundtypes import Label
from groundtypes.entailment import entail
from groundtypes.entailment.other_doers import other_doer

BREAD = "Ann bakes the bread and Bo washes the dishes."
HEATING = "The landlord maintains the heating; the tenant replaces light bulbs."


@pytest.mark.parametrize(
    ("sentence", "statement", "found"),
    [
        (BREAD, "Bo bakes the bread.", ("Bo", "Ann")),
        ("Sara leads the design team, Bilal the sales team.", "Bilal leads the design team.",
         ("Bilal", "Sara")),
        ("The head office is in Turin; the factory is in Bari.", "The factory is in Turin.",
         ("factory", "head office")),
        (HEATING, "The tenant maintains the heating.", ("tenant", "landlord")),
        (HEATING, "The landlord replaces light bulbs.", ("landlord", "tenant")),
        (BREAD, "Bo washes the dishes.", None),
        (BREAD, "Ann bakes the bread.", None),
        # What a list of subjects does, each of them does.
        ("Ann Lee and Bo Ray bake bread.", "Ann bakes bread.", None),
        ("Ann, the owner, and Bo bake bread.", "Ann bakes bread.", None),
        ("Ann bakes the bread, and Bo helps her.", "Bo bakes the bread.", None),
        ("All visitors must register and the children must be led.", "The children must register.",
         None),
        # Children may be visitors.
        ("Visitors must register and children must be led.", "Children must register.", None),
        ("", "Bo bakes the bread.", None),
        (BREAD, "", None),
    ],
)  # fmt: skip
def test_the_subject_of_another_clause(
    sentence: str, statement: str, found: tuple[str, str] | None
) -> None:
    assert other_doer(statement, [sentence]) == found


def test_another_sentence_may_say_it() -> None:
    assert other_doer("Bo bakes the bread.", [BREAD, "On Mondays, Bo bakes the bread."]) is None


def test_the_message_names_both_subjects() -> None:
    [found] = entail(BREAD, "Bo bakes the bread.")
    assert found.label is not Label.ENTAILMENT
    assert found.because == "; the sentence says 'Bo' where the passage says 'Ann'"
