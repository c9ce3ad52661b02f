"""Each marker counts for the sentence that its writer put it to."""

import pytest
from hypothesis import given

from groundtypes.citations.markers.marker_reader import read_markers
from groundtypes.citations.statements.sentences import cited_sentences
from tests.citations.markers.test_marked_text import TEXTS

NAMED = {"guide": "a", "faq": "b", "report.pdf": "c"}
TALL = "The tower is very tall indeed"
GREY = "Its stones are grey all over"
OLD = "It was built in the year 1889"


def cited(text: str, scope: str = "sentence") -> list[tuple[str, str]]:
    """Return the sentences with the labels of their markers."""
    marked = read_markers(text, NAMED)
    sentences = cited_sentences(marked, "paragraph" if scope == "paragraph" else "sentence")
    return [(each.hypothesis.text, " ".join(each.labels)) for each in sentences]


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        (f"{TALL} [1]. {GREY} [2].", ["1", "2"]),
        (f"{TALL}.[1] {GREY}.[2]", ["1", "2"]),
        (f"{TALL}. [1] {GREY}. [2]", ["1", "2"]),
        (f"{TALL}.[1]{GREY}.[2]", ["1", "2"]),
        (f"The tower [1] is very tall [2], and [3] old. {GREY}.", ["1 2 3", ""]),
        (f"[1] {TALL}. [2] {GREY}.", ["1", "2"]),
        (f"[1] {TALL}. {GREY}. [2]", ["1", "2"]),
        (f"[1] {TALL}. {GREY}.", ["1", ""]),
        (f"{TALL}.\n[1]\n{GREY}.", ["1", ""]),
        (f"{TALL}.\n\n[1] {GREY}.", ["", "1"]),
        (f"{TALL}.\n\n[1]\n\n{GREY}.", ["1", ""]),
        (f"- [1] {TALL}.\n- {GREY} [2].\n- {OLD}.", ["1", "2", ""]),
        (f"1. {TALL}.[1]\n2. {GREY}.[2]", ["1", "2"]),
        (f"{TALL}¹. {GREY}.²", ["1", "2"]),
        (f"{TALL}.【1†source】 {GREY}【2†source】.", ["1", "2"]),
        (f'"{TALL}." [1] {GREY}.', ["1", ""]),
        (f"{TALL} (see [1]). {GREY} ([2]).", ["1", "2"]),
        (
            "| Tower | Height |\n|---|---|\n| Paris | 330 m [1] |\n| Rome | 90 m [2] |",
            ["", "1", "2"],
        ),
    ],
)
def test_a_marker_counts_for_its_sentence(text: str, labels: list[str]) -> None:
    assert [label for _, label in cited(text)] == labels


def test_an_element_counts_for_the_sentences_inside_of_it() -> None:
    text = f'<cite id="guide">{TALL}. {GREY}.</cite> {OLD}.'
    assert cited(text) == [(f"{TALL}.", "guide"), (f"{GREY}.", "guide"), (f"{OLD}.", "")]
    inner = f'{TALL}. <cite id="guide">{GREY}, <cite id="faq">and old</cite></cite>. {OLD}.'
    assert [labels for _, labels in cited(inner)] == ["", "guide faq", ""]


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        (f"{TALL}. {GREY}. {OLD} [1].", ["1", "1", "1"]),
        (f"{TALL}. {GREY}. {OLD}. [1][2]", ["1 2", "1 2", "1 2"]),
        (f"{TALL}. {GREY}.\n[1]", ["1", "1"]),
        (f"{TALL}. {GREY}.\n\n[1]", ["1", "1"]),
        (f"{TALL} [2]. {GREY}. {OLD} [1].", ["2", "", "1"]),
        (f"{TALL}. {GREY}. It was built [2] in the year 1889 [1].", ["", "", "2 1"]),
        (f"{TALL}.\n\n{GREY}. {OLD} [1].", ["", "1", "1"]),
        (f"- {TALL}. {GREY}. [1]\n- {OLD}. [2]", ["1", "1", "2"]),
        (f"- {TALL}.\n- {OLD}. [2]", ["", "2"]),
        (f'{TALL}. <cite id="1">{GREY}.</cite>', ["", "1"]),
    ],
)
def test_markers_at_the_end_of_a_paragraph_may_count_for_it(text: str, labels: list[str]) -> None:
    assert [label for _, label in cited(text, "paragraph")] == labels
    if labels[0] != "":
        assert [label for _, label in cited(text)] != labels or labels[0] == "2"


def test_items_without_markers_have_those_of_their_introduction() -> None:
    text = "The symptoms are: [1]\n- fever\n- a cough [2]\n\nThey all go away after some days."
    assert cited(text) == [
        ("The symptoms are:", "1"),
        ("The symptoms are: fever", "1"),
        ("The symptoms are: a cough", "2"),
        ("They all go away after some days.", ""),
    ]


def test_the_parts_of_a_very_long_sentence_have_its_markers() -> None:
    clause = "the tower is made of iron and of many other things that nobody counts, "
    found = cited(f"We know that {clause * 12}and it is tall [1]. {GREY}.")
    assert len(found) > 2
    assert [labels for _, labels in found] == ["1"] * (len(found) - 1) + [""]


def test_sentences_are_where_they_are_in_the_text_with_markers() -> None:
    text = f"{TALL} [1]. According to [2], it is grey all over. {OLD}.[3]"
    marked = read_markers(text, NAMED)
    places = [text[each.hypothesis.start : each.hypothesis.end] for each in cited_sentences(marked)]
    assert places == [f"{TALL} [1].", "According to [2], it is grey all over.", f"{OLD}."]


def test_if_no_sentence_claims_anything_the_whole_text_does() -> None:
    assert cited("The tower [1]") == [("The tower", "1")]
    assert cited("## Height [1]\n\n## Age [2]") == [("## Height ## Age", "1 2")]
    assert cited("[1]") == []
    assert cited("... [1]") == []


@given(TEXTS)
def test_no_marker_is_lost(text: str) -> None:
    marked = read_markers(text, NAMED)
    for scope in ("sentence", "paragraph"):
        sentences = cited_sentences(marked, scope)
        counted = {marker for sentence in sentences for marker in sentence.markers}
        assert counted == set(marked.markers) or not sentences
        for sentence in sentences:
            assert 0 <= sentence.hypothesis.start <= sentence.hypothesis.end <= len(text)
            assert set(sentence.labels) == {
                label for marker in sentence.markers for label in marker.labels
            }
