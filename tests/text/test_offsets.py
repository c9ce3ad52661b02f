"""Offsets in bytes and in code units are those of the same characters."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from groundtypes.text.offsets import Offsets, Unit


@given(st.text(alphabet="aé€😀 \n", max_size=40), st.data())
def test_offsets_in_any_unit_are_those_of_code_points(text: str, data: st.DataObject) -> None:
    end = data.draw(st.integers(0, len(text)))
    start = data.draw(st.integers(0, end))
    offsets = Offsets(text)
    sizes: dict[Unit, Callable[[str], int]] = {
        Unit.CODE_POINTS: len,
        Unit.BYTES: lambda words: len(words.encode()),
        Unit.UTF16: lambda words: len(words.encode("utf-16-le")) // 2,
    }
    for unit, size in sizes.items():
        low, high = size(text[:start]), size(text[:end])
        assert offsets.in_code_points(low, high, unit) == (start, end)
        assert offsets.in_code_points(low, size(text) + 1, unit) is None
        assert offsets.in_code_points(-1, high, unit) is None
