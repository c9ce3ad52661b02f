"""An earlier revision judges what this tree judges, and McNemar's test counts uneven rows."""

import pytest

from benchmarks.refusals_against import PROGRAM, chance, without_near_copies
from benchmarks.revisions import ROOT, measured


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [(0, 0, 1.0), (1, 1, 1.0), (0, 1, 1.0), (0, 6, 2 / 64), (6, 0, 2 / 64), (1, 3, 10 / 16)],
)
def test_the_chance_is_that_of_a_coin(one: int, other: int, wanted: float) -> None:
    assert chance(one, other) == wanted


@pytest.mark.parametrize("core", [False, True])
def test_a_source_folder_judges_the_texts(core: bool) -> None:
    texts = {"both": ["I cannot help with that.", "It was opened in 1932."], "one": ["N/A"]}
    given = {"texts": texts, "core": core, "rounds": 2}
    found = measured(ROOT / "src", PROGRAM, given)
    assert {name: kinds for name, (kinds, _) in found.items()} == {
        "both": ["refusal", "answer"],
        "one": ["abstention"],
    }
    assert all(seconds >= 0 for _, seconds in found.values())


def test_a_text_with_a_word_changed_is_a_near_copy() -> None:
    text, other = "The tower was opened in the year 1932.", "I do not know who built the bridge."
    assert without_near_copies([text, text.replace("tower", "house"), other]) == [text, other]
