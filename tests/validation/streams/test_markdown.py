"""Marks, notes and omissions within Markdown: no block becomes another one, or joins one."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from groundtypes import guard
from groundtypes.errors import ContextError
from tests.validation.streams.documents import (
    FALSE,
    OMITTED,
    NotFalse,
    document,
    outlined,
    structure,
)
from tests.validation.streams.texts import cut

CHECKS = [NotFalse()]
WORDS = "[?]"
SEEDS = st.integers(0, 2**32)
PLACES = st.lists(st.integers(0, 5_000), max_size=12)


def guarded(text: str, on_fault: Any, places: list[int] | None = None, **options: Any) -> str:
    chunks = [text] if places is None else cut(text, places)
    options = {"notice": WORDS, **options}
    if on_fault == "drop":
        options["notice"] = None
    stream = guard(chunks, "x", checks=CHECKS, on_fault=on_fault, **options)
    passed = "".join(stream)
    audit = stream.audit
    assert audit.given == text and audit.passed == passed
    for sentence in audit.sentences:
        assert text[sentence.start : sentence.end] == sentence.text
        assert sentence.ok is (FALSE not in sentence.text)
    return passed


@given(SEEDS, PLACES)
@settings(deadline=None, max_examples=150)
def test_marks_leave_the_blocks_and_their_words_as_they_were(seed: int, places: list[int]) -> None:
    text = document(Random(seed), with_links=False).text
    note(text)
    marked = guarded(text, "mark")
    expected = structure(text, WORDS, with_content=True)
    assert structure(marked, WORDS, with_content=True) == expected
    assert (marked == text) is (FALSE not in text)
    assert guarded(text, "mark", places) == marked


@given(SEEDS, PLACES)
@settings(deadline=None, max_examples=150)
def test_notes_leave_the_blocks_as_they_were(seed: int, places: list[int]) -> None:
    text = document(Random(seed), with_code=False, with_links=False).text
    note(text)
    noted = guarded(text, "note")
    assert FALSE not in noted
    expected = structure(text, WORDS, with_content=False)
    assert structure(noted, WORDS, with_content=False) == expected
    assert guarded(text, "note", places) == noted


@given(SEEDS, PLACES)
@settings(deadline=None, max_examples=200)
def test_nothing_false_is_left(seed: int, places: list[int]) -> None:
    text = document(Random(seed)).text
    note(text)
    left = guarded(text, "drop")
    assert FALSE not in left
    assert guarded(text, "drop", places) == left


def test_what_is_left_joins_nothing_that_it_was_not_part_of() -> None:
    texts = [document(Random(seed), with_links=False).text for seed in range(400)]
    joined = [text for text in texts if _joins(text, guarded(text, "drop"))]
    assert len(joined) <= 4, joined


def _joins(text: str, left: str) -> bool:
    """Whether a sentence that is left is in another item, section, table or list than it was."""
    before, after = outlined(text), outlined(left)
    for number, around in after.around.items():
        above = before.heading[number]
        is_there = above is None or above in after.around
        if around != before.around[number] or (is_there and after.heading[number] != above):
            return True
        if not is_there and min(after.around) < above and after.heading[number] != OMITTED:
            return True
    list_of = {first: number for number, items in enumerate(before.lists) for first in items}
    return any(len({list_of[first] for first in items}) != 1 for items in after.lists)


@given(
    st.lists(st.sampled_from([*"-=#>*+|`~ \n\t1.)[]^:\\<!$", FALSE, "It is so. "]), max_size=60),
    PLACES,
)
@settings(deadline=None, max_examples=300)
def test_signs_of_any_kind(signs: list[str], places: list[int]) -> None:
    text = "".join(signs)
    for on_fault in ("mark", "note", "drop"):
        passed = guarded(text, on_fault)
        assert on_fault == "mark" or FALSE not in passed
        assert guarded(text, on_fault, places) == passed


MARKED = {
    "a table's header": (
        "| City | purple |\n|---|---|\n| Berlin | 41.2 |\n\nThat is all there is.",
        "| City | purple [?] |\n|---|---|\n| Berlin | 41.2 |\n\nThat is all there is.",
    ),
    "a header in pieces": ("a | purple\n--|--\n1 | 2\n", "a | purple [?]\n--|--\n1 | 2\n"),
    "an escaped pipe": (
        "|a|b|\n|-|-|\n|1|purple \\||\n",
        "|a|b|\n|-|-|\n|1|purple \\| [?] |\n",
    ),
    "an underlined heading": ("A purple title\n===\n\nIt is.", "A purple title [?]\n===\n\nIt is."),
    "code in a list": (
        "- Run it:\n  ```\n  purple\n  ```\n- Stop it.\n",
        "- Run it:\n  ```\n  purple\n  ```\n  [?]\n\n- Stop it.\n",
    ),
    "code that begins an item": (
        "- ```\n  purple\n  ```\n- Stop it.\n\nThe tower is as tall as that.",
        "- ```\n  purple\n  ```\n  [?]\n\n- Stop it.\n\nThe tower is as tall as that.",
    ),
    "code in a quotation": ("> ```\n> purple\n> ```\n", "> ```\n> purple\n> ```\n> [?]\n"),
    "code before a paragraph": (
        "Run it:\n```\npurple\n```\nThen it is done.\n",
        "Run it:\n```\npurple\n```\n[?]\n\nThen it is done.\n",
    ),
    "code that is never closed": ("Run it:\n```\npurple\n", "Run it:\n```\npurple\n[?]\n"),
    "a line break": ("It is purple, we know\\\nand so.", "It is purple, we know\\\nand so. [?]"),
    "what follows at once": ("門はpurpleです。（高い）", "門はpurpleです。（高い） [?]"),
}


@pytest.mark.parametrize(("text", "expected"), MARKED.values(), ids=MARKED)
def test_where_a_mark_stands(text: str, expected: str) -> None:
    assert guarded(text, "mark") == expected


LEFT = {
    "a nested item goes with its item": (
        "It has:\n\n- a base\n- a purple door\n  - opens late\n\n  Its key is lost.\n\nIt is open.",
        "It has:\n\n- a base\n\nIt is open.",
    ),
    "a later sentence of an item goes alone": (
        "- The base is made of stone. The purple door is old.\n  - It is high.\n",
        "- The base is made of stone.\n  - It is high.\n",
    ),
    "a section keeps a heading": (
        "# Berlin\n\nIt has many parks.\n\n# Purple City purple\n\nIt has three rivers.\n",
        "# Berlin\n\nIt has many parks.\n\n# […]\n\nIt has three rivers.\n",
    ),
    "an underlined heading, too": (
        "It is so, we all know.\n\nThe purple city of all\n---\n\nIt has three rivers.\n",
        "It is so, we all know.\n\n[…]\n---\n\nIt has three rivers.\n",
    ),
    "a bold heading": (
        "It is so, we all know.\n\n**The purple city**\n\nIt has three rivers.\n",
        "It is so, we all know.\n\n[…]\n\nIt has three rivers.\n",
    ),
    "a bare title": (
        "It is so, we all know.\n\nThe purple city\n\nIt has three rivers.\n",
        "It is so, we all know.\n\n[…]\n\nIt has three rivers.\n",
    ),
    "the first heading just goes": ("# purple\n\nIt has three rivers.\n", "It has three rivers.\n"),
    "what an introduction introduces": (
        "In purple days it had:\n\n- a stone base\n\n> a door\n\nIt is tall, we know.\n",
        "It is tall, we know.\n",
    ),
    "an introduced quotation": (
        "A purple man said:\n\n> It is tall, as we see.\n\nThis is so, as we know.",
        "This is so, as we know.",
    ),
    "a table without its header": (
        "| a | purple |\n|---|---|\n| 1 | 2 |\n\nThe tower is tall.",
        "The tower is tall.",
    ),
    "a header that came alone": ("a | purple\n--|--\n1 | 2\n\nIt is.", "It is."),
    "a row that goes on with the one above": (
        "| City | Year |\n|---|---|\n| Ulm | purple |\n| | 1890 |\n| Bonn | 1900 |\n",
        "| City | Year |\n|---|---|\n| Bonn | 1900 |\n",
    ),
    "the rows of a section": (
        "|City|Year|\n|--|--|\n|Ulm|1|\n|purple||\n|Bonn|2|\n|East||\n|Jena|3|\n",
        "|City|Year|\n|--|--|\n|Ulm|1|\n|East||\n|Jena|3|\n",
    ),
    "a footnote": (
        "It is as old as that.[^1]\n\n[^1]: A purple door is here. It is low.\n    It is grey.\n",
        "It is as old as that.[^1]\n",
    ),
    "a footnote before another": (
        "It is as old as that.\n\n[^1]: A purple door is here.\n[^2]: It is 50 metres high.\n",
        "It is as old as that.\n\n[^2]: It is 50 metres high.\n",
    ),
    "a quotation stays one": (
        "> The purple door is old. The tower is tall.\n\nIt is so.",
        "> The tower is tall.\n\nIt is so.",
    ),
    "two lists stay two": (
        "- a base\n- a top\n\nThe purple door has these parts.\n\n- a lock\n",
        "- a base\n- a top\n\n[…]\n\n- a lock\n",
    ),
    "an introduction gets no other list": (
        "The tower has:\n\nThe purple door is old, too.\n\n- a lock\n",
        "The tower has:\n\n[…]\n\n- a lock\n",
    ),
    "a list that no longer begins with 1": (
        "Take these:\n1. purple salt\n2. oil\n",
        "Take these:\n\n2. oil\n",
    ),
    "what was in a line begins none": (
        "The purple door is as old as that. # 5 is taller than that.",
        "\\# 5 is taller than that.",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), LEFT.values(), ids=LEFT)
def test_what_is_left_without_a_false_part(text: str, expected: str) -> None:
    assert guarded(text, "drop") == expected


def test_the_audit_says_on_whose_account_a_sentence_was_left_out() -> None:
    text = "Its parts:\n\n- a purple door\n  - a lock\n- a base\n"
    stream = guard([text], "x", checks=CHECKS, on_fault="drop")
    "".join(stream)
    found = {
        each.text: (each.ok, each.passed, each.left_out_with) for each in stream.audit.sentences
    }
    assert found["- a purple door"] == (False, "", None)
    assert found["- a lock"] == (True, "", text.index("- a purple"))
    assert found["- a base"] == (True, "- a base", None)
    assert stream.audit.ok
    assert stream.audit.to_dict()["sentences"][2]["left_out_with"] == text.index("- a purple")


@pytest.mark.parametrize("on_fault", ["mark", "note"])
@pytest.mark.parametrize(
    "notice",
    ["a | b", "# no", "- no", "1. no", "> no", "```", "~~~", "|", "===", "---", "<div>", "[a]: b",
     "two\nlines\n\nof it", "* * *", "a\\", "    no", "[x]"],
    ids=repr,
)  # fmt: skip
def test_a_notice_makes_no_block(on_fault: Any, notice: str) -> None:
    text = (
        "# purple title\n\nThe purple door is old. It is tall, we know.\n\n"
        "- a purple base\n  - a top\n\n| a | purple |\n|---|---|\n| purple | 1 |\n\n"
        "```\npurple\n```\n\n> The purple man said so.\n"
    )
    passed = guarded(text, on_fault, notice=lambda _: notice)
    assert "\nlines" not in passed
    expected = [block[:2] for block in structure(text, "", with_content=False)]
    found = [block[:2] for block in structure(passed, "", with_content=False)]
    if on_fault == "mark":  # of code it is a paragraph
        at = found.index(("fence", "code")) + 1
        assert [kind for kind, _ in found[at : at + 3]] == [
            "paragraph_open",
            "inline",
            "paragraph_close",
        ]
        del found[at : at + 3]
    assert found == expected


@pytest.mark.parametrize("notice", [None, ["no"], 5, b"no"], ids=repr)
def test_a_notice_that_is_no_text_is_a_mistake(notice: Any) -> None:
    with pytest.raises(ContextError, match="notice must return text"):
        guarded("The purple door is old.", "mark", notice=lambda _: notice)


def test_a_long_block_of_code_in_pieces_stays_one() -> None:
    lines = [f"line {number} of the program\n" for number in range(1_000)]
    for false in (0, 500, 999):
        program = [*lines]
        program[false] = "purple\n"
        text = f"Run this program here:\n\n```py\n{''.join(program)}```\n\nThe tower is tall.\n"
        for on_fault in ("mark", "note"):
            passed = guarded(text, on_fault)
            kinds = [kind for kind, *_ in structure(passed, WORDS, with_content=True)]
            assert kinds.count("fence") == 1
            assert passed.endswith("The tower is tall.\n")
        left = guarded(text, "drop")
        assert left.endswith("The tower is tall.\n")
        assert FALSE not in left and left.count("```") in (0, 2)
