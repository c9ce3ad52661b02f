"""The sentences with values of other records come in pairs, of which one holds."""

from benchmarks.structured_sources import Case
from benchmarks.structured_swaps import swaps

TABLE = "| City | Area | Note |\n|---|---|---|\n| Ulm | 118 | small |\n| Bonn | 141 | old |"


def _case(source: object) -> Case:
    return Case("x", "x", "json", source, "sentence", "", holds=True, place=None, why="")


def test_each_sentence_has_its_own_value_and_that_of_another_record() -> None:
    records = {"orders": [{"id": "A17", "total": 5}, {"id": "A18", "total": 30}]}
    found = list(swaps([_case(records), _case(TABLE), _case(records)]))
    assert [swap.holds for swap in found] == [True, False] * (len(found) // 2)
    texts = {swap.text: swap.holds for swap in found}
    assert sum("A17" in text for text in texts) == 2
    for text, holds in texts.items():
        if "A17" in text:
            assert (" 5." in text) is holds
            assert (" 30." in text) is not holds
        elif "Ulm" in text:
            assert ("118" in text or "small" in text) is holds


def test_sources_without_several_named_records_give_none() -> None:
    assert not list(swaps([_case({"a": 1}), _case([{"n": 1}, {"n": 2}]), _case("plain text")]))
