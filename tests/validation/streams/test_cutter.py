"""Units of a stream: the same however it is cut, complete, and no longer than they may be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtypes.text.hypotheses import hypotheses
from groundtypes.validation.streams.cutter import Cutter
from groundtypes.validation.streams.judged_parts import parts_of
from groundtypes.validation.streams.text_units import Unit
from tests.validation.streams.texts import ANSWER, TEXTS, cut


def units_of(chunks: list[str]) -> list[Unit]:
    cutter = Cutter()
    units = [unit for chunk in chunks for unit in cutter.feed(chunk)]
    return [*units, *cutter.finish()]


@given(TEXTS, st.lists(st.integers(0, 5_000), max_size=30))
def test_units_do_not_depend_on_the_chunks_and_are_the_text(text: str, places: list[int]) -> None:
    whole = units_of([text])
    assert units_of(cut(text, places)) == whole
    assert "".join(unit.text for unit in whole) == text
    assert [unit.start for unit in whole[1:]] == [unit.end for unit in whole[:-1]]


@given(TEXTS)
def test_units_of_single_characters_are_those_of_the_whole_text(text: str) -> None:
    assert units_of(list(text)) == units_of([text])


def test_a_chunk_may_end_within_a_surrogate_pair() -> None:
    whole = units_of(["It is \U0001f600 and tall \U0001f600. It is grey \U0001f600"])
    halves = ["It is \ud83d", "", "\ude00 and tall \ud83d\ude00. It is grey \ud83d", "\ude00"]
    assert units_of(halves) == whole
    alone = ["It is \ud83d", " and \ude00", "\ud83d"]
    assert "".join(unit.text for unit in units_of(alone)) == "".join(alone)


@given(TEXTS)
def test_every_visible_character_is_in_a_part(text: str) -> None:
    for unit in units_of([text]):
        parts = parts_of(unit)
        joined = "".join(part.text for part in parts)
        assert "".join(joined.split()) == "".join(unit.text.split())
        for part in parts:
            assert part.text == text[part.start : part.end]
            assert part.start <= part.body <= part.end


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The wall is as long as 3.", "5 metres."),
        ("This was said by the famous Dr.", " Smith."),
        ("The tower is as tall as that.", ""),
        ("The tower is as tall as that. ", "[1]"),
        ("The tower is as tall as that.", "[1"),
        ("The tower is tall:\n\n", "- old"),
        ("- the one\n- the other\n", "- the third"),
        ("- the one\n- the other\n\n", "  goes on"),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n", "| 3 | 4 |"),
        ("```python\nprint(1). Yes it does print.\n", "```"),
        ("# A heading\n\n", "And more"),
        ("Yes. ", "It is so."),
    ],
)
def test_nothing_passes_while_text_may_come_that_changes_it(before: str, after: str) -> None:
    cutter = Cutter()
    assert not list(cutter.feed(before))
    assert not list(cutter.feed(after))


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("The tower is as tall as that. It is", "The tower is as tall as that."),
        ("The tower is tall, as we know. [1] It is old.", "The tower is tall, as we know. [1]"),
        ("The tower is as tall as that.[1] It is", "The tower is as tall as that.[1]"),
        ("The tower is as tall as that.\n\n", "The tower is as tall as that."),
        ("The parts are:\n\n- a\n- b\n\nAfter that comes prose.", "The parts are:\n\n- a\n- b"),
        ("Take:\n1. Salt.\n2. Oil.\n\nAfter that comes prose.", "Take:\n1. Salt.\n2. Oil."),
        ("|a|b|\n|-|-|\n|1|2|\n\n", "|a|b|\n|-|-|\n|1|2|"),
        ("See:\n```\na. B\n\nc\n```\n", "See:\n```\na. B\n\nc\n```"),
        ("- a\n  ```\n  b\n\nc\n  ```\n- d\n\nProse\n", "- a\n  ```\n  b\n\nc\n  ```\n- d"),
        ("- ```\n  b\n\n  c\n  ```\n- d\n\nProse\n", "- ```\n  b\n\n  c\n  ```\n- d"),
        ("Sure!\n- a\n- b\n", "Sure!"),
        ("# Title\n\nThe tower is tall and old. It is", "# Title\n\nThe tower is tall and old."),
    ],
)  # fmt: skip
def test_the_first_unit_is_complete_as_soon_as_it_is_decided(text: str, first: str) -> None:
    assert next(Cutter().feed(text)).text == first


def test_claims_are_worded_as_in_the_whole_text() -> None:
    parts = [part for unit in units_of([ANSWER]) for part in parts_of(unit)]
    streamed = {claim.text for part in parts for claim in (*part.claims, *part.joined)}
    whole = {each.text for each in hypotheses(ANSWER) if each.is_claim}
    # What is judged with a short sentence at the end of a paragraph is judged without it, too.
    apart = {"Then it ends here, as we know.", "Done", "Final words are here for you.", "See"}
    assert streamed == whole | apart


@pytest.mark.parametrize(
    "text",
    [
        "a" * 300_000, "a b " * 50_000, " " * 200_000, "\n" * 50_000, "- item\n" * 20_000,
        "- x" + "y z. " * 40_000, "| a | b |\n" * 10_000, "```\n" + "x = 1\n" * 20_000,
        "Title\n\n" * 10_000, "Yes. " * 20_000, "[1] " * 20_000, "." * 200_000, "**a. " * 20_000,
        "> " * 50_000, "[" * 100_000, "The parts are:\n" * 10_000,
    ],
    ids=lambda text: repr(text[:12]),
)  # fmt: skip
def test_what_is_held_back_is_bounded(text: str) -> None:
    cutter = Cutter()
    for start in range(0, len(text), 50_000):
        for unit in cutter.feed(text[start : start + 50_000]):
            assert len(unit.text) <= 10_100
            assert len(unit.context) <= 1_600
        assert cutter.held <= 15_000
    assert sum(len(unit.text) for unit in cutter.finish()) <= 10_100
