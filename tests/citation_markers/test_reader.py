"""The markers of a text are found, and mean the references that their writer meant."""

import pytest

from groundtypes.citation_markers import read_markers

NAMED = {"guide": "a", "faq": "b", "report.pdf": "c"}


@pytest.mark.parametrize(
    ("text", "labels", "plain"),
    [
        ("It is tall [1].", [("1",)], "It is tall."),
        ("It is tall [1, 2] here.", [("1", "2")], "It is tall here."),
        ("It is tall. [1-3] It is", [("1", "2", "3")], "It is tall. It is"),
        ("It is tall.[1][2]", [("1",), ("2",)], "It is tall."),
    ],
)
def test_numbers_in_brackets(text: str, labels: list[tuple[str, ...]], plain: str) -> None:
    marked = read_markers(text, NAMED)
    assert [marker.labels for marker in marked.markers] == labels
    assert marked.plain == plain
    assert marked.style == "brackets"
