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


#: A number that may be one of the sentence, and whether a quote may leave it out.
_FILLING = "The next clause says more about the duties of both parties. " * 8


@pytest.mark.parametrize(
    ("text", "quote", "is_page"),
    [
        ("It grew by\n12\nper cent last year.", "It grew by per cent last year", False),
        ("It grew by\n\n12\n\nper cent last year.", "It grew by per cent last year", False),
        ("Der Umsatz wuchs um\n12\nProzent im Jahr.", "wuchs um Prozent im Jahr", False),
        ("They hired\n12\npeople in May.", "They hired people in May", False),
        ("They met in May\n12\npeople came.", "They met in May people came", False),
        ("The act of\n2019\nwas repealed.", "The act of was repealed", False),
        ("The tenant shall\n4\npay the rent monthly.", "The tenant shall pay the rent", True),
        ("承租人不得\n3\n转让本合同。", "承租人不得转让本合同", True),
        ("Er darf nicht\r\n3\r\numbauen, wie er will.", "darf nicht umbauen", True),
        (f"The owner keeps\n4\nthe roof dry. {_FILLING}\n5\nand", "The owner keeps the roof", True),
        (f"from\n3\nhere {_FILLING}The owner keeps\n4\nroofs dry.", "The owner keeps roofs", True),
    ],
)
def test_a_number_on_its_own_line_is_left_out_if_it_is_that_of_a_page(
    text: str, quote: str, is_page: bool
) -> None:
    assert (find_quote(quote, text) is not None) == is_page


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Not\n12\nper cent of the members agreed.", "per cent of the members agreed"),
        ("Nobody but the owner may not\n12\nrent it out.", "rent it out"),
        ("It is agreed that\nThe Licensee Shall NOT\nPage 3\nassign it to others.", "assign it"),
        ("Er darf nicht\r\n3\r\numbauen, wie er will.", "umbauen, wie er will"),
    ],
)
def test_a_negation_before_any_number_line_counts(text: str, quote: str) -> None:
    match = find_quote(quote, text)
    assert match is not None
    assert match.cut


def test_a_break_may_be_quoted_as_it_stands() -> None:
    match = find_quote("shall not Page 3 assign", "They shall not\n\nPage 3\n\nassign it.")
    assert match is not None


def test_many_breaks_take_no_long_time() -> None:
    text = "\n\n3\n\n".join(["word"] * 20_000)
    assert find_quote("word sword", text) is None
