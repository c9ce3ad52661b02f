"""A cited text is a string that shows what its markers cite."""

import copy
import pickle

import pytest
from pydantic import BaseModel

from groundtypes.citations.markers.cited_text import Citation, CitedText
from groundtypes.citations.markers.marked_text import MarkedText
from groundtypes.citations.markers.marker_reader import read_markers
from groundtypes.citations.statements.sentences import cited_sentences
from groundtypes.references import Span

NAMED = {"guide": "a", "faq": "b", "report.pdf": "c"}
TEXT = "The tower is tall [2]. It is grey [1][2] & <old> [9].\n\nIt stands.\n\nSources:\n[1] guide"


def cited_text(marked: MarkedText) -> CitedText:
    """Return a text whose every citation is supported by page 3 of its references."""
    return CitedText(
        marked,
        [
            Citation(
                marker.start,
                marker.end,
                (sentence.hypothesis.start, sentence.hypothesis.end),
                marked.references_of(marker),
                tuple(Span(id_, 0, 1, 3) for id_ in marked.references_of(marker)),
            )
            for sentence in cited_sentences(marked)
            for marker in sentence.markers
        ],
    )


def example() -> CitedText:
    return cited_text(read_markers(TEXT, NAMED))


def test_it_is_the_text_with_its_citations() -> None:
    text = example()
    assert text == TEXT
    assert isinstance(text, str)
    assert [text[each.start : each.end] for each in text.citations] == ["[2]", "[1]", "[2]", "[9]"]
    assert [each.references for each in text.citations] == [("faq",), ("guide",), ("faq",), ()]
    assert text.plain == "The tower is tall. It is grey & <old>.\n\nIt stands."


def test_it_is_copied_and_pickled() -> None:
    text = example()
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        other = pickle.loads(pickle.dumps(text, protocol))  # noqa: S301 # our own
        assert (type(other), other, other.citations) == (CitedText, text, text.citations)
    for other in (copy.copy(text), copy.deepcopy(text)):
        assert (other, other.citations, other.plain) == (text, text.citations, text.plain)


def test_it_is_written_as_a_plain_string() -> None:
    class Answer(BaseModel):
        text: str

    answer = Answer.model_construct(text=example())
    assert answer.model_dump_json() == Answer(text=TEXT).model_dump_json()


def test_markdown_without_links_has_footnotes_in_the_order_of_the_text() -> None:
    assert example().as_markdown() == (
        "The tower is tall [^1]. It is grey [^2][^1] & <old> [9].\n\nIt stands.\n\n"
        "[^1]: faq, p. 3\n[^2]: guide, p. 3"
    )


def test_markdown_with_links_has_links() -> None:
    links = {"faq": "https://example.com/a (b)?q=1"}
    assert example().as_markdown(links) == (
        'The tower is tall [\\[1\\]](https://example.com/a%20%28b%29?q=1 "faq"). '
        "It is grey \\[2\\]"
        '[\\[1\\]](https://example.com/a%20%28b%29?q=1 "faq") & <old> [9].\n\n'
        "It stands."
    )
    assert example().as_markdown(lambda id_: f"#{id_}").count('](#faq "faq")') == 2


def test_links_in_markdown_are_read_as_the_same_references() -> None:
    text = "It is tall [2][report.pdf]. It is grey [1]."
    shown = cited_text(read_markers(text, NAMED)).as_markdown(lambda id_: f"https://x.org/{id_}")
    marked = read_markers(shown, NAMED)
    found = [marked.references_of(marker) for marker in marked.markers]
    assert found == [("faq",), ("report.pdf",), ("guide",)]
    assert marked.plain == "It is tall. It is grey."


def test_an_id_that_no_title_can_hold_is_left_out() -> None:
    ids = {'a "b"': "x", "a\nb": "y"}
    shown = cited_text(read_markers("It is tall [1][2].", ids)).as_markdown(lambda _: "#x")
    assert shown == "It is tall [\\[1\\]](#x)[\\[2\\]](#x)."


@pytest.mark.parametrize("address", ["javascript:alert(1)", "JavaScript:x", "data:text/html,x"])
def test_an_address_that_runs_a_script_is_no_link(address: str) -> None:
    text = example()
    assert "alert" not in text.as_markdown({"faq": address})


def test_an_element_keeps_its_words() -> None:
    text = cited_text(read_markers('<cite id="guide">It is tall.</cite> It is old.', NAMED))
    assert text.as_markdown({"guide": "#g"}) == 'It is tall.[\\[1\\]](#g "guide") It is old.'
