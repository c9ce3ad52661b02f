"""Hostile texts are read in a time that grows with their length, and nothing of them is lost.

The texts are so long that work that grew with the square of the length would not end.
"""

import pytest

from groundtypes.citations.markers.marker_reader import read_markers
from groundtypes.citations.statements.sentences import cited_sentences

NAMED = {"guide": "a", "faq": "b", "guide[1]": "c", "a]b": "d"}
LENGTH = 200_000

REPEATED = {
    "opening brackets": "[",
    "closing brackets": "]",
    "brackets with a number": "[1",
    "brackets with a caret": "[^",
    "lenticular brackets": "【",
    "parentheses": "(",
    "braces": "{{cite:",
    "elements": '<cite id="guide">x',
    "closed elements": "</cite>",
    "attributes": '<cite id="',
    "tags": "<cite id ",
    "backticks": "`",
    "backticks of two sizes": "` ``",
    "fences": "```\n",
    "superscripts": "¹",
    "superscripts with commas": "¹,",
    "links": "[1](a",
    "nested links": "[1](a(b",
    "link definitions": "[1]: a\n",
    "headings": "Sources:\n",
    "lists of sources": "Sources: [1] x\n",
    "items of sources": "[1] guide\n",
    "rules": "---\n",
    "zero-width characters": "\u200b",
    "spaces": " ",
    "blank lines": "\n \n",
    "emphasis": "**[1]**",
    "ids with brackets": "[guide[1]",
    "numbers": "1,",
    "folders": "a/",
}


@pytest.mark.parametrize("name", REPEATED)
def test_a_long_hostile_text_is_read(name: str) -> None:
    unit = REPEATED[name]
    text = unit * (LENGTH // len(unit))
    marked = read_markers(text, NAMED)
    removed = sum(end - start for marker in marked.markers for start, end in marker.parts)
    listed = marked.source_list[1] - marked.source_list[0] if marked.source_list else 0
    assert len(marked.plain) <= len(text) + len(marked.markers) - removed
    assert marked.markers or listed or marked.plain == text


def test_ten_thousand_markers() -> None:
    sentence = "The tower is 330 m tall and grey all over [1][2], as everybody says (faq) [9]. "
    text = sentence * 3_334
    marked = read_markers(text, NAMED)
    assert len(marked.markers) == 4 * 3_334
    assert marked.ids == {"1": "guide", "2": "faq", "faq": "faq", "9": None}
    sentences = cited_sentences(marked, "paragraph")
    assert len(sentences) == 3_334
    assert {sentence.labels for sentence in sentences} == {("1", "2", "faq", "9")}


def test_ten_thousand_markers_behind_ten_thousand_sentences_of_one_paragraph() -> None:
    text = "The tower is grey all over. " * 10_000 + "".join(f"[{n}]" for n in range(1, 1_000)) * 10
    sentences = cited_sentences(read_markers(text, NAMED), "paragraph")
    assert len(sentences) == 10_000
    assert {len(sentence.markers) for sentence in sentences} == {9_990}


def test_ten_thousand_nested_elements() -> None:
    text = '<cite id="guide">The tower is grey all over. ' * 10_000 + "</cite>" * 10_000
    marked = read_markers(text, NAMED)
    sentences = cited_sentences(marked)
    assert max(len(sentence.markers) for sentence in sentences) < 20


@pytest.mark.parametrize(
    "marker",
    [
        "[" + "1, " * 3_400_000 + "2]",
        "[" + "9" * 10_000_000 + "]",
        "【" + "x" * 10_000_000 + "†source】",
        '<cite id="' + "x" * 10_000_000 + '">',
        "{{cite:" + "x" * 10_000_000 + "}}",
        "(" + "guide " * 1_700_000 + ")",
        "[" * 1_000_000 + "x" * 8_000_000 + "]" * 1_000_000,
    ],
    ids=["numbers", "a number", "lenticular", "element", "braces", "parentheses", "nested"],
)
def test_a_marker_of_ten_million_characters_stays_in_the_text(marker: str) -> None:
    marked = read_markers(f"It is tall {marker}. It is grey [1].", NAMED)
    assert [each.labels for each in marked.markers] == [("1",)]
    assert marked.plain == f"It is tall {marker}. It is grey."


def test_distinct_ranges_have_a_bounded_number_of_labels() -> None:
    text = "".join(f"[{start}-{start + 99}]" for start in range(1, 800))
    marked = read_markers(text, NAMED, "brackets")
    assert len(marked.ids) == 898
    assert max(len(marker.labels) for marker in marked.markers) == 100
