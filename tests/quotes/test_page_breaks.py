"""What stands between the words of a text hides no negation, and refuses no true quote."""

import pytest

from groundtypes import find_quote

#: What a page ends and begins with, between two parts of a sentence.
BREAKS: list[str] = [
    "\n\nPage 3\n\n",
    "\nPage 3 of 12\n",
    "\n\n- 3 -\n\n",
    "\n3\n",
    "\n\n3 / 12\n\n",
    "\n\n[Page 3]\n\n",
    "\n\n--- Page 3 ---\n\n",
    "\n\n# Page 3\n\n",
    "\n\np. iv\n\n",
    "\n\nACME Corp. Confidential\n\n",
    "\n\nMaster Services Agreement\nPage 3\n\n",
    "\n\nPage 3\n\x0c\nMASTER SERVICES AGREEMENT\n\n",
    "\x0c",
    "\n\n---\n\n",
    "\n* * *\n",
    "\n<hr/>\n",
    "\n\n<!-- page 3 -->\n\n",
    "\n\n![seal of the court](images/seal.png)\n\n",
    ' <img src="seal.png" alt="seal"/> ',
    "\n\n<!-- image -->\n\nPage 3\n\n",
    "\n\n3\n00:00:03.000 --> 00:00:05.000\n",
]
#: before the break, behind it
SENTENCES: list[tuple[str, str]] = [
    ("The licensee shall not", "assign this agreement."),
    ("Der Lizenznehmer darf nicht", "untervermieten oder verkaufen."),
    ("Le preneur ne doit pas", "céder le bail."),
]


@pytest.mark.parametrize("between", BREAKS)
@pytest.mark.parametrize(("before", "behind"), SENTENCES)
def test_a_page_break_hides_no_negation(before: str, between: str, behind: str) -> None:
    match = find_quote(behind[:-1], f"{before}{between}{behind}")
    assert match is not None
    assert match.cut


@pytest.mark.parametrize("between", BREAKS)
@pytest.mark.parametrize(("before", "behind"), SENTENCES)
def test_a_quote_goes_on_over_a_page_break(before: str, between: str, behind: str) -> None:
    text = f"It is so agreed. {before}{between}{behind} The rest follows."
    match = find_quote(f"{before} {behind}", text)
    assert match is not None
    assert not match.cut
    assert match.text == f"{before}{between}{behind}"


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Er darf nicht\nSeite 4 von 9\nabtreten.", "Er darf nicht abtreten."),
        ("Inquilino no puede\n\nPágina 4\n\nceder el contrato.", "no puede ceder el contrato"),
        ("Арендатор не вправе\n\nСтраница 4\n\nпередать договор.", "не вправе передать договор"),
        ("承租人不得\n\n第3页\n\n转让本合同。", "承租人不得转让本合同"),
        ("some kind of ma-\n\n12\n\nneuver card so", "some kind of maneuver card"),
    ],
)
def test_other_breaks_are_skipped(text: str, quote: str) -> None:
    match = find_quote(quote, text)
    assert match is not None
    assert not match.cut


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("承租人不得\n\n第3页\n\n转让本合同。", "转让本合同"),
        ("Арендатор не\n\nСтраница 4\n\nпередаёт договор.", "передаёт договор"),
    ],
)
def test_a_negation_before_other_breaks_counts(text: str, quote: str) -> None:
    match = find_quote(quote, text)
    assert match is not None
    assert match.cut


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        # What is content is not skipped.
        ("The fee is\n\n15 euros\n\nfor each day.", "The fee is for each day"),
        ("It rained.\n\n1912\n\nThe war began.", "It rained. The war began."),
        ("He would not go.\n\nThe Second Part\n\nShe went.", "He would not go. She went."),
        ("Pay the fee\n\nwithin two days\n\nof the notice.", "Pay the fee of the notice"),
        ("1 salt\n5 pepper\n9 oil", "salt pepper oil"),
        ("See page 3 of the book.", "See of the book"),
    ],
)
def test_what_is_said_is_no_page_break(text: str, quote: str) -> None:
    assert find_quote(quote, text) is None


def test_a_break_may_be_quoted_as_it_stands() -> None:
    match = find_quote("shall not Page 3 assign", "They shall not\n\nPage 3\n\nassign it.")
    assert match is not None


def test_many_breaks_take_no_long_time() -> None:
    text = "\n\n3\n\n".join(["word"] * 20_000)
    assert find_quote("word sword", text) is None
