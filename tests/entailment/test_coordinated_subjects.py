"""What a sentence about several things says of each of them."""

import pytest

from groundtypes.entailment import entail
from groundtypes.entailment.coordinated_subjects import said_of_each
from groundtypes.scoring import Label


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        (
            "Opened software and gift cards cannot be returned.",
            ["Opened software cannot be returned.", "gift cards cannot be returned."],
        ),
        (
            "Dogs, cats and large birds are not allowed inside.",
            [
                "Dogs are not allowed inside.",
                "cats are not allowed inside.",
                "large birds are not allowed inside.",
            ],
        ),
        ("Dogs or cats aren't allowed.", ["Dogs aren't allowed.", "cats aren't allowed."]),
        ("Buses stop here and trams do not.", []),
        ("Ann and Bob are not married.", []),
        ("Milk and juice may not be mixed.", []),
        ("Neither dogs nor cats are allowed.", []),
        ("He said that dogs and cats are not allowed.", []),
        ("Dogs are not allowed.", []),
        ("", []),
    ],
)
def test_a_sentence_says_of_each_part_of_its_subject_what_it_says_of_all(
    sentence: str, said: list[str]
) -> None:
    assert list(said_of_each(sentence)) == said


@pytest.mark.parametrize(
    ("reference", "statement", "label"),
    [
        ("Opened software and gift cards cannot be returned.", "Opened software can be returned.",
         Label.CONTRADICTION),
        ("Opened software and gift cards cannot be returned.", "Gift cards can be returned.",
         Label.CONTRADICTION),
        ("Opened software and gift cards cannot be returned.", "Gift cards cannot be returned.",
         Label.ENTAILMENT),
        ("Dogs and cats are allowed inside.", "Cats are not allowed inside.", Label.CONTRADICTION),
        ("Buses stop here and trams do not.", "Buses stop here.", Label.ENTAILMENT),
    ],
)  # fmt: skip
def test_a_negation_of_all_denies_each(reference: str, statement: str, label: Label) -> None:
    [judged] = entail([reference, "Refunds take five days."], statement)
    assert judged.label is label


def test_a_long_text_without_an_end_is_read_at_once() -> None:
    assert list(said_of_each("a, " * 50_000 + "and b can")) == []
    assert list(said_of_each("word " * 50_000 + "and word are not here")) == []
