"""Each sentence of an answer is worded so that it can be judged alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtypes.text.hypotheses import Hypothesis, hypotheses, triplet_hypothesis
from groundtypes.text.sentences import sentence_spans


def worded(text: str) -> list[str]:
    return [hypothesis.text for hypothesis in hypotheses(text)]


def claimed(text: str) -> list[str]:
    return [hypothesis.text for hypothesis in hypotheses(text) if hypothesis.is_claim]


#: name -> (text, the hypotheses in it that claim something)
CLAIMS: dict[str, tuple[str, list[str]]] = {
    "a sentence": ("The  tower\nis 330 m tall.", ["The tower is 330 m tall."]),
    "markdown": (
        "The **tower** is _very_ `tall`[1] [here](http://x.y).",
        ["The tower is very tall here."],
    ),
    "an item has its lead-in": (
        "The symptoms are:\n- fever\n- a cough",
        ["The symptoms are: fever", "The symptoms are: a cough"],
    ),
    "an inner list": (
        "It needs:\n- Fruit:\n  - apples\n  - pears\n- A lot of white sugar. It is a sweet drink.",
        [
            "It needs: Fruit: apples",
            "It needs: Fruit: pears",
            "It needs: A lot of white sugar.",
            "It is a sweet drink.",
        ],
    ),
    "an item that leads nowhere": (
        "- The tower is in Rome:\n- tall",
        ["The tower is in Rome:", "tall"],
    ),
    "a short lead-in behind a sentence": (
        "They built a very tall tower. It has:\n- a lift",
        ["They built a very tall tower.", "It has: a lift"],
    ),
    "an item that is a sentence needs no pointer": (
        "To clean it, follow these steps:\n1. Take a large wet sponge.\n2. Dry it.",
        ["Take a large wet sponge.", "To clean it, follow these steps: Dry it."],
    ),
    "an item that is a sentence keeps what claims": (
        "The old bridge is in Rome:\n- It was built by Romans there.",
        ["The old bridge is in Rome: It was built by Romans there."],
    ),
    "a pointer at a paragraph": (
        "Here is how the old machine works:\n\nIt burns a lot of coal.",
        ["It burns a lot of coal."],
    ),
    "an attribution to the references": (
        "Based on the given passages, the tower is tall.",
        ["The tower is tall."],
    ),
    "an item of a list without a lead-in": (
        "Good.\n\n- It is tall\n- It is old",
        ["Good.", "It is tall", "It is old"],
    ),
    "a lead-in ends with its list": (
        "Symptoms:\n- fever\n\nIt is a disease of the lungs.\n\n- It is old",
        ["Symptoms: fever", "It is a disease of the lungs.", "It is old"],
    ),
    "a lead-in without a list claims for itself": (
        "The tower is 300 m tall:\nIt was built in 1889 by them.",
        ["The tower is 300 m tall:", "It was built in 1889 by them."],
    ),
    "rows have the heads of their columns": (
        "| City | People |\n|---|---|\n| Paris | 2 million |\n| Rome | |",
        ["Paris, People: 2 million", "Rome"],
    ),
    "rows of a table of tabs": (
        "City\tPeople\nParis\t2\nRome\t3",
        ["Paris, People: 2", "Rome, People: 3"],
    ),
    "rows without heads": ("Paris\t2\nRome\t3", ["Paris, 2", "Rome, 3"]),
    "titles claim nothing": (
        "# The old tower\n\nDetails\n\nIt is a tall one.",
        ["It is a tall one."],
    ),
    "headings that say something do": (
        "# The tower is tall\n\nIt is.",
        ["The tower is tall", "It is."],
    ),
    "headings with a number do": (
        "**Built in 1889**\nIt is a tall one.",
        ["Built in 1889", "It is a tall one."],
    ),
    "a bare line of more words does": (
        "The tower fell down\n\nIt is a tall one.",
        ["The tower fell down", "It is a tall one."],
    ),
    "the only line does": ("Paris", ["Paris"]),
    "arithmetic is no markdown": ("It is 2 * 3 * 4 and a_b_c.", ["It is 2 * 3 * 4 and a_b_c."]),
    "nothing": ("", []),
}


@pytest.mark.parametrize(("text", "claims"), CLAIMS.values(), ids=CLAIMS)
def test_claims_are_worded_so_that_they_can_be_judged_alone(text: str, claims: list[str]) -> None:
    assert claimed(text) == claims


def test_a_hypothesis_has_its_place_in_the_text() -> None:
    text = "Symptoms:\n- **fever**"
    assert hypotheses(text) == [
        Hypothesis("Symptoms:", 0, 9, is_claim=False),
        Hypothesis("Symptoms: fever", 10, 21),
    ]


def test_marks_alone_claim_nothing() -> None:
    assert claimed("!!!") == []
    assert worded("!!!") == ["!!!"]


@given(st.text(alphabet="ab .:!?\n-*|#_\t1[]()>", max_size=80))
def test_every_sentence_is_a_hypothesis_with_words(text: str) -> None:
    all_hypotheses = hypotheses(text)
    spans = [(hypothesis.start, hypothesis.end) for hypothesis in all_hypotheses]
    assert spans == sentence_spans(text)
    assert all(hypothesis.text for hypothesis in all_hypotheses)


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        (("Anne", "sang", "a song"), "Anne sang a song"),
        (("Anne", "was_born_in", " Rome\n"), "Anne was born in Rome"),
        (("Anne", "", "sings"), "Anne sings"),
        (("", "", ""), ""),
    ],
)
def test_the_sentence_of_a_triplet_joins_its_parts(
    parts: tuple[str, str, str], sentence: str
) -> None:
    assert triplet_hypothesis(*parts) == sentence
