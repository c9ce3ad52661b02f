"""Statements that a sentence only reports as somebody's belief."""

import pytest

from groundtypes import Label
from groundtypes.entailment import entail
from groundtypes.entailment.reported_speech import only_reported


@pytest.mark.parametrize(
    ("sentences", "statement", "verb"),
    [
        (["Bilal thinks that May is too early."], "May is too early.", "thinks"),
        (["Locals fear the bridge is unsafe."], "The bridge is unsafe.", "fear"),
        (["In 2019 the firm denied that it had lost data."], "It had lost data.", "denied"),
        (["Bilal thinks that May is too early.", "May is too early."], "May is too early.", None),
        (["There is no doubt that Ann wrote it."], "Ann wrote it.", None),
        (["Nobody denies that Ann wrote it."], "Ann wrote it.", None),
        (["Nobody thinks that Ann wrote it."], "Ann wrote it.", "thinks"),
        (["I think that May is too early."], "May is too early.", None),
        (["The firm said that sales rose."], "Sales rose sharply.", None),
        (["Bilal thinks that May is too early."], "Bilal thinks that May is too early.", None),
        ([], "May is too early.", None),
        (["May is too early."], "", None),
    ],
)
def test_the_verb_is_found_if_no_sentence_says_it_plainly(
    sentences: list[str], statement: str, verb: str | None
) -> None:
    assert only_reported(statement, sentences) == verb


def test_a_belief_is_no_fact() -> None:
    [found] = entail("Bilal thinks that May is too early.", "May is too early.")
    assert found.label is Label.NEUTRAL
    assert found.because == "; 'thinks' stands in the passage and not in the sentence"
