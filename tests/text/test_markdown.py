"""What of a text in Markdown claims something."""

import pytest
from hypothesis import given

from groundtypes.citations.markers.marker_reader import read_markers
from groundtypes.citations.statements.sentences import cited_sentences
from groundtypes.text.hypotheses import hypotheses
from groundtypes.text.markdown import prose_of
from tests.citations.markers.test_marked_text import TEXTS

TALL = "The tower is 330 metres tall."


@pytest.mark.parametrize(
    "other",
    [
        "```sh\nmake demo\n```",
        "```python\nprint(a[9])\nprint('The tower is 9 m tall.')\n```",
        "~~~\nmake demo\n~~~",
        "![The tower](tower.png)",
        '![The tower](tower_(1).png "Tower")',
        "![The tower][tower]",
        "<!-- note to self -->",
        "<!-- The tower is\n\n9 m tall. -->",
        "$$h = 330$$",
        "$$\nh = 330 \\\\\nw = 12\n$$",
        "\\[h_{max} = 330\\]",
        "\\begin{align}\nh &= 330\n\\end{align}",
    ],
)
def test_what_is_no_prose_claims_nothing(other: str) -> None:
    for text in (f"{TALL}\n\n{other}", f"{other}\n\n{TALL}"):
        found = [each.text for each in hypotheses(prose_of(text)) if each.is_claim]
        assert found == [TALL]
        assert len(prose_of(text)) == len(text)


@pytest.mark.parametrize(
    "other",
    [
        "```\nIt is the highest tower of them all.\n```",
        "```markdown\nIt is the highest tower of them all.\n```",
        "    It is the highest tower of them all",
        "    The tower (in Paris) is the highest",
        "![It is the highest tower of them all.](tower.png)",
        "It is the highest of all.\n-----",
        "It is the highest of all\n=====",
        "1. Towers\n\n    it is the highest = best",
        "<!-- It is the highest of all.",
    ],
)
def test_prose_in_the_shape_of_something_else_claims_something(other: str) -> None:
    found = [each.text for each in hypotheses(prose_of(f"{TALL}\n\n{other}")) if each.is_claim]
    assert len(found) > 1
    assert "highest" in found[-1]


def test_a_text_without_prose_is_prose_as_a_whole() -> None:
    text = "```\nprint(1)\n```"
    assert prose_of(text) == text
    assert len(cited_sentences(read_markers(text, ["a"]))) == 1


@given(TEXTS)
def test_each_position_stays_the_same(text: str) -> None:
    prose = prose_of(text)
    assert len(prose) == len(text)
    assert all(new in (old, " ") for new, old in zip(prose, text, strict=True))
