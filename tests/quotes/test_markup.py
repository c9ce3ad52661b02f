"""Markup of many kinds makes no difference, on either side; text that is struck out is no quote."""

import pytest

from groundtypes import find_quote

#: name -> (with the markup, without it): both are a quote of the other.
SAME: dict[str, tuple[str, str]] = {
    "delimiter row": (
        "| Name | Value |\n| --- | ---: |\n| Height | 330 m |",
        "Name Value Height 330 m",
    ),
    "highlight": ("The ==tall tower== was built", "The tall tower was built"),
    "delimiter row of colons": (
        "|a word|b word|\n|:-:|:--|\n|c word|d word|",
        "a word b word c word d word",
    ),
    "delimiter row without outer pipes": (
        "Name | Value\n--- | :---\nHeight | 330 m",
        "Name Value Height 330 m",
    ),
    "reference link": ("See [the tall tower][1] now", "See the tall tower now"),
    "named reference link": ("See [the tall tower][tower-page] now", "See the tall tower now"),
    "collapsed reference link": ("See [the tall tower][] now", "See the tall tower now"),
    "wiki link": ("See [[Eiffel Tower|the tall tower]] now", "See the tall tower now"),
    "plain wiki link": ("See the [[Eiffel Tower]] now", "See the Eiffel Tower now"),
    "autolink": ("See <https://example.org/a> for more", "See https://example.org/a for more"),
    "mail autolink": ("Write to <info@example.org> for more", "Write to info@example.org for more"),
    "setext heading": ("The tower\n=========\nIt was built", "The tower It was built"),
    "setext heading of dashes": ("The tower\n---\nIt was built", "The tower It was built"),
    "closed heading": ("## The tower ##\nIt was built", "The tower It was built"),
    "rule of stars": ("It was built.\n\n* * *\n\nIt is tall.", "It was built. It is tall."),
    "rule of underscores": ("It was built.\n\n___\n\nIt is tall.", "It was built. It is tall."),
    "hard break": ("The tower was\\\nbuilt in 1889", "The tower was built in 1889"),
    "fenced code": (
        "Run this.\n```python\nstart now\n```\nThen wait",
        "Run this. start now Then wait",
    ),
    "lowered with tildes": ("more H~2~O in the tank", "more H2O in the tank"),
    "raised with carets": ("an area of 10 m^2^ in all", "an area of 10 m² in all"),
    "bullet arrow": ("➢ red apples\n➢ green pears", "red apples\ngreen pears"),
    "bullet triangle": ("► red apples\n► green pears", "red apples\ngreen pears"),
    "bullet check mark": ("✓ red apples\n✓ green pears", "red apples\ngreen pears"),
    "bullet of Wingdings": ("\uf0d8 red apples\n\uf0fc green pears", "red apples\ngreen pears"),
    "bullet diamond": ("◆ red apples\n❖ green pears", "red apples\ngreen pears"),
    "bullet hand": ("☞ red apples\n☞ green pears", "red apples\ngreen pears"),
    "time": ('on <time datetime="1889-05-06">6 May</time> it opened', "on 6 May it opened"),
    "var": ("the value <var>n</var> was large", "the value n was large"),
    "article": ("<article><p>The tower was built</p></article>", "The tower was built"),
    "data attribute": ('the <span data-id="7">tall tower</span> was', "the tall tower was"),
    "flag attribute": ("the <details open>tall tower</details> was", "the tall tower was"),
    "attribute with a colon": (
        'the <span xml:lang="en">tall tower</span> was',
        "the tall tower was",
    ),
    "bold element of articles": ("the <bold>tall</bold> tower was", "the tall tower was"),
    "comment": ("The tall <!-- iron > steel --> tower was built", "The tall tower was built"),
    "document type": ("<!DOCTYPE html><p>The tower was built</p>", "The tower was built"),
    "emph": (r"The \emph{tall tower} was built", "The tall tower was built"),
    "textbf in textit": (r"The \textit{very \textbf{tall} tower} was", "The very tall tower was"),
    "LaTeX group": (
        r"The set \{a, b\} and \textsc{tall} tower",
        r"The set \{a, b\} and tall tower",
    ),
    "LaTeX citation": (r"as they said~\cite{smith2020,lee:21} in May", "as they said in May"),
    "tie": ("as Dr.~Smith shows in Fig.~3 of it", "as Dr. Smith shows in Fig. 3 of it"),
    "thin space of LaTeX": (r"a dose of 5\,mg was given", "a dose of 5 mg was given"),
    "percent of LaTeX": (r"it grew by 5\% in May", "it grew by 5% in May"),
    "inline formula": ("where $x$ is the height", "where x is the height"),
    "inline formula with a sign": ("found $p < 0.05$ in all", "found p < 0.05 in all"),
    "Greek letter of LaTeX": (r"the $\alpha$ level of it", "the α level of it"),
    "registered": ("take Aspirin® twice a day", "take Aspirin twice a day"),
    "trade mark": ("take Aspirin™ twice a day", "take Aspirin twice a day"),
    "footnote asterisk operator": ("the tall tower∗ was built", "the tall tower was built"),
}


@pytest.mark.parametrize(("marked", "plain"), SAME.values(), ids=SAME)
def test_markup_of_the_reference_makes_no_difference(marked: str, plain: str) -> None:
    match = find_quote(plain, f"Some words before.\n\n{marked}\n\nSome words after.")
    assert match is not None
    assert not match.cut


@pytest.mark.parametrize(("marked", "plain"), SAME.values(), ids=SAME)
def test_markup_of_the_quote_makes_no_difference(marked: str, plain: str) -> None:
    match = find_quote(marked, f"Some words before.\n\n{plain}\n\nSome words after.")
    assert match is not None
    assert not match.cut


#: name -> (reference, quote)
STRUCK: dict[str, tuple[str, str]] = {
    "del": ("The drug is <del>safe for children</del> banned.", "safe for children"),
    "del with attributes": (
        'The drug is <del datetime="2020-01-01">safe for children</del> banned.',
        "is safe for children",
    ),
    "s": ("The drug is <s>safe for children</s> banned.", "The drug is safe for children"),
    "strike": ("It <strike>is safe for children</strike> is banned.", "It is safe for children"),
    "tildes": ("The drug is ~~safe for children~~ banned.", "the drug is safe for"),
    "a word": ("The fee is ~~five~~ six euros.", "The fee is five six euros"),
    "exactly": ("The drug is ~~safe for children~~ banned.", "safe for children"),
    "several lines": (
        "<del>The drug is safe\nfor children.</del> It is banned.",
        "drug is safe for",
    ),
    "LaTeX": (r"The drug is \sout{safe for children} banned.", "safe for children"),
    "struck out in the quote alone": ("The drug is not safe.", "The drug is not ~~at all~~ safe."),
}


@pytest.mark.parametrize("fuzzy", [False, True], ids=["strict", "fuzzy"])
@pytest.mark.parametrize(("reference", "quote"), STRUCK.values(), ids=STRUCK)
def test_text_that_is_struck_out_is_no_quote(reference: str, quote: str, fuzzy: bool) -> None:
    assert find_quote(quote, reference, fuzzy=fuzzy) is None


#: name -> (reference, quote)
BESIDE_STRUCK: dict[str, tuple[str, str]] = {
    "before": ("The drug is good ~~for all~~ and cheap.", "The drug is good"),
    "after": ("The drug is <del>safe</del> banned for children.", "banned for children"),
    "as it stands": ("The fee is ~~five~~ six euros.", "The fee is ~~five~~ six euros"),
    "without what is struck out": ("The fee is <del>five</del> six euros.", "The fee is six euros"),
    "inserted": ("The fee is <del>5</del> <ins>six euros</ins> now.", "six euros now"),
    "the same words elsewhere": ("~~It is safe here.~~ It is safe here now.", "It is safe here"),
    "tildes that open nothing": ("about ~~ 5 words and more", "5 words and more"),
}


@pytest.mark.parametrize(("reference", "quote"), BESIDE_STRUCK.values(), ids=BESIDE_STRUCK)
def test_what_stands_beside_text_that_is_struck_out_is_a_quote(reference: str, quote: str) -> None:
    assert find_quote(quote, reference) is not None


#: name -> (reference, quote)
BLOCKS: dict[str, tuple[str, str]] = {
    "list item and heading": (
        "Not for:\n- pregnant women\n- children under six\n\n## Must take\nAdults over 60.",
        "children under six must take",
    ),
    "list item and heading without a blank line": (
        "- children under six\n## Must take\nAdults over 60.",
        "children under six must take",
    ),
    "list and paragraph": (
        "* pregnant women\n* children under six\n\nMust take it: adults.",
        "children under six must take it",
    ),
    "numbered list and paragraph": (
        "1. pregnant women\n2. children under six\n\nMust take it: adults.",
        "children under six must take it",
    ),
    "paragraph and heading": (
        "Never for children\n\n# Must take it\nAdults over 60.",
        "Never for children must take it",
    ),
    "number sign of a word": (
        "- children under six take #1\n\n## Must take\nAdults over 60.",
        "children under six take #1 must take",
    ),
    "setext heading": (
        "Never for children\n\nMust take it\n============\nAdults over 60.",
        "Never for children must take it",
    ),
    "list and heading of HTML": (
        "<ul><li>children under six</li></ul><h2>Must take it</h2>",
        "children under six must take it",
    ),
    "list and paragraph of HTML": (
        "<ol><li>children under six</li></ol>\n<p>Must take it: adults</p>",
        "children under six must take it",
    ),
    "table and text": (
        "| Name | Who |\n|---|---|\n| Drug A | children under six |\n\nMust take it: adults.",
        "children under six must take it",
    ),
    "table and text of HTML": (
        "<table><tr><td>children under six</td></tr></table>Must take it: adults.",
        "children under six must take it",
    ),
}


@pytest.mark.parametrize("fuzzy", [False, True], ids=["strict", "fuzzy"])
@pytest.mark.parametrize(("reference", "quote"), BLOCKS.values(), ids=BLOCKS)
def test_words_of_two_blocks_make_no_sentence(reference: str, quote: str, fuzzy: bool) -> None:
    assert find_quote(quote, reference, fuzzy=fuzzy) is None


#: name -> (reference, quote)
OVER_LINES: dict[str, tuple[str, str]] = {
    "a line break in a paragraph": ("Not for children\nunder six.", "Not for children under six."),
    "sentences of two paragraphs": ("It is tall.\n\nIt is grey.", "It is tall. It is grey."),
    "a sentence and a heading": ("It is tall.\n\n# History\nIt was", "It is tall. History It was"),
    "a heading and its text": ("# The tower\n\nIt was built then", "The tower It was built then"),
    "two items of a list": ("- red apples\n- green pears", "red apples green pears"),
    "an item over two lines": ("- apples that\n  are red\n- pears", "apples that are red"),
    "an item that ends, and text": ("- red apples.\n\nThey keep well.", "red apples. They keep"),
    "items that end with a semicolon": ("- apples;\n- pears.\n\nThey keep", "pears. They keep"),
    "a list and a heading with its mark": ("- red apples\n\n## Pears", "red apples\n## Pears"),
    "a list and a heading with a line break": (
        "- red apples\n\n## Pears keep",
        "red apples\nPears",
    ),
    "cells of a row": ("| Height | 330 m |\n| Width | 5 m |", "Height 330 m"),
    "an introduction and its list": ("You need\n\n- red apples", "You need red apples"),
    "a page break in a sentence": ("the tower was\n\nbuilt in 1889", "the tower was built in 1889"),
}


@pytest.mark.parametrize(("reference", "quote"), OVER_LINES.values(), ids=OVER_LINES)
def test_a_quote_goes_on_over_lines_that_belong_together(reference: str, quote: str) -> None:
    assert find_quote(quote, reference) is not None
