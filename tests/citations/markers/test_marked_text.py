"""A text without its markers reads as if there had been none, and knows where its words were."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtypes.citations.markers.marked_text import MarkedText
from groundtypes.citations.markers.marker_reader import read_markers

NAMED = {"guide": "a", "faq": "b", "report.pdf": "c"}


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("It is tall [1].", "It is tall."),
        ("It is tall. [1] It is grey.", "It is tall. It is grey."),
        ("It is tall.[1] It is grey.", "It is tall. It is grey."),
        ("It is tall.[1]It is grey.", "It is tall. It is grey."),
        ("It is tall [1], and grey [2] .", "It is tall, and grey."),
        ("It is tall [1] and grey.", "It is tall and grey."),
        ("It is tall[1] and[2]grey.", "It is tall and grey."),
        ("[1] It is tall.\n[2] It is grey.", "It is tall.\nIt is grey."),
        ("It is tall.\n[1]\nIt is grey.", "It is tall.\nIt is grey."),
        ("It is tall.\r\n[1]\r\nIt is grey.", "It is tall.\r\nIt is grey."),
        ("It is tall\n[1]. It is grey.", "It is tall. It is grey."),
        ("- [1] It is tall.\n- It is grey. [2]", "- It is tall.\n- It is grey."),
        ("It is tall (see [1]), and grey (source: [2][3]).", "It is tall, and grey."),
        ("It is tall ([1]).", "It is tall."),
        ("It is tall **[1]**.", "It is tall."),
        ("It is tall [[1]][[2]].", "It is tall."),
        (r"It is tall~\cite{guide}.", "It is tall~."),
        ("It is tall [1], [2] and [3].", "It is tall."),
        ("It is tall. Source: [1]", "It is tall."),
        ("It is tall.\n\n**Sources:** [1], [2]", "It is tall."),
        ("| Paris | 2 million [1] |", "| Paris | 2 million |"),
        (
            "塔很高[1]。塔很老[2]",
            "塔很高。塔很老",
        ),
        ("It is tall [\u200b1\u200b]\u200b[2].", "It is tall."),
        ('"It is tall" [1].', '"It is tall".'),
        (
            '<cite id="1">It is tall.</cite> <cite id="2">It is grey.</cite>',
            "It is tall. It is grey.",
        ),
        (
            '<cite id="1">It is tall.</cite><cite id="2">It is grey.</cite>',
            "It is tall. It is grey.",
        ),
        ('<cite id="1">It is <cite id="2">tall</cite></cite>.', "It is tall."),
        ('According to <cite id="1">the guide</cite>, it is.', "According to the guide, it is."),
        (
            "البرج طويل [١]، وقديم [٢].",
            "البرج طويل، وقديم.",
        ),
        ("[1]", ""),
        ("", ""),
    ],
)
def test_markers_leave_no_trace(text: str, plain: str) -> None:
    assert read_markers(text, NAMED).plain == plain


def visible(text: str) -> str:
    return "".join(text.split())


#: Pieces of hostile texts, in any order.
PIECES = st.sampled_from(
    [
        *"[]()<>{}`^*_ \n\u200b【】",
        "[1]",
        "[2, 3]",
        "[1-3]",
        "[^1]",
        "(guide)",
        "[faq]",
        "【1†source】",
        "¹",
        "<sup>2</sup>",
        '<cite id="guide">',
        "</cite>",
        "{{cite:faq}}",
        "The tower is tall",
        ". ",
        "It is 330 m²",
        "\r\n",
        "\n\n",
        "```",
        "Sources:\n",
        "- ",
        "1. guide",
        "[1]: faq",
        "according to ",
        " states",
        "| a |",
        "塔很高。",
        "البرج ",
        "[guide",
        "9]",
        "(see ",
        "١",
        "?",
        " and ",
        "[9]",
    ]
)
TEXTS = st.lists(PIECES, max_size=25).map("".join)


@given(TEXTS)
def test_the_words_of_the_plain_text_are_those_of_the_text(text: str) -> None:
    marked = read_markers(text, NAMED)
    plain = marked.plain
    positions = [marked.position_in_text(position) for position in range(len(plain) + 1)]
    assert positions == sorted(positions)
    assert all(0 <= position <= len(text) for position in positions)
    in_place_of_nouns = plain.casefold().count("the source")
    differing = [
        character
        for character, position in zip(plain, positions, strict=False)
        if not text.startswith(character, position)
    ]
    assert len(visible("".join(differing))) <= len("thesource") * in_place_of_nouns


@given(TEXTS)
def test_markers_are_where_they_say_and_nothing_else_is_lost(text: str) -> None:
    marked = read_markers(text, NAMED)
    removed = [range(*part) for marker in marked.markers for part in marker.parts]
    if marked.source_list is not None:
        removed.append(range(*marked.source_list))
    kept = [place for place in range(len(text)) if not any(place in part for part in removed)]
    words = "".join(text[place] for place in kept if text[place].isalnum())
    left = "".join(filter(str.isalnum, marked.plain))
    # Only words that introduce markers go with them: "(see [1])", "Sources: [1]".
    for introduction in ("see", "Sources", "and", "thesource", "Thesource"):
        words, left = words.replace(introduction, ""), left.replace(introduction, "")
    assert left == words
    for marker in marked.markers:
        assert 0 <= marker.start < marker.end <= len(text)
        assert marker.labels
        assert set(marker.labels) <= marked.ids.keys()
    starts = [marker.start for marker in marked.markers]
    assert starts == sorted(starts)


@given(TEXTS)
def test_the_plain_text_of_a_text_without_markers_is_itself(text: str) -> None:
    marked = read_markers(text, NAMED)
    if not marked.markers and marked.source_list is None:
        assert marked.plain == text


@given(TEXTS, st.integers(0, 200))
def test_positions_in_the_plain_text_ascend(text: str, position: int) -> None:
    marked = read_markers(text, NAMED)
    assert 0 <= marked.position_in_plain(position) <= len(marked.plain)
    assert marked.position_in_plain(position) <= marked.position_in_plain(position + 1)


@pytest.mark.parametrize("position", [-1, 12])
def test_other_positions_are_a_mistake(position: int) -> None:
    with pytest.raises(IndexError):
        read_markers("It is tall [1].", NAMED).position_in_text(position)


def _pickled(marked: MarkedText) -> MarkedText:
    copied: MarkedText = pickle.loads(pickle.dumps(marked))  # noqa: S301 # its own
    return copied


def test_a_marked_text_is_copied_and_pickled() -> None:
    marked = read_markers("It is tall [1]. It is grey [9].\n\n[1]: guide", NAMED)
    assert marked.plain
    for other in (copy.copy(marked), copy.deepcopy(marked), _pickled(marked)):
        assert other == marked
        assert hash(other) == hash(marked)
        assert other.plain == marked.plain
    assert marked != MarkedText(marked.text)
