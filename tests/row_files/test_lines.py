"""Bytes to lines, and lines to bytes."""

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtypes.errors import DatasetError
from groundtypes.row_files.json_lines import LineReader, json_bytes


def lines(content: bytes, limit: int = 1000) -> list[tuple[int, bytes]]:
    """Return number and content of each line, that of a long one from its place in the stream."""
    found = []
    for line in LineReader(io.BytesIO(content), limit=limit):
        place = content[line.offset : line.offset + line.length]
        if line.too_long:
            found.append((line.number, place.removesuffix(b"\n")))
        else:
            assert line.data in place
            found.append((line.number, line.data))
    return found


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(b"", [], id="empty"),
        pytest.param(b"a", [(1, b"a")], id="no line end"),
        pytest.param(b"a\n\n  \nb\n", [(1, b"a"), (4, b"b")], id="blank lines are counted"),
        pytest.param(b"a\r\nb\r\n", [(1, b"a"), (2, b"b")], id="Windows line ends"),
        pytest.param(b"\xef\xbb\xbfa\n", [(1, b"a")], id="byte order mark"),
        pytest.param(b"a\xe2\x80\xa8b\n", [(1, b"a\xe2\x80\xa8b")], id="no line ends but \\n"),
        pytest.param(b"x" * 10 + b"\nb\n", [(1, b"x" * 10), (2, b"b")], id="at the limit"),
        pytest.param(b"x" * 11 + b"\nb\n", [(1, b"x" * 11), (2, b"b")], id="over the limit"),
        pytest.param(b"x" * 99, [(1, b"x" * 99)], id="over the limit, no line end"),
    ],
)
def test_lines_are_numbered_as_an_editor_does(
    content: bytes, expected: list[tuple[int, bytes]]
) -> None:
    assert lines(content, limit=10) == expected


def test_a_line_over_the_limit_is_not_held_in_memory() -> None:
    long, short = LineReader(io.BytesIO(b"x" * 11 + b"\ny\n"), limit=10)
    assert long.data == b""
    assert long.too_long
    assert (long.offset, long.length) == (0, 12)
    assert not short.too_long
    assert (short.offset, short.length) == (12, 2)


@given(st.lists(st.binary(max_size=12).map(lambda part: part.replace(b"\n", b""))), st.data())
def test_a_reader_goes_on_where_another_stopped(parts: list[bytes], data: st.DataObject) -> None:
    content = b"\n".join(parts)
    first = LineReader(io.BytesIO(content), limit=50)
    stop = data.draw(st.integers(0, len(parts)))
    before = [line.data for _, line in zip(range(stop), first, strict=False)]
    second = LineReader(io.BytesIO(content), limit=50)
    second.skip(first.position)
    after = [line.data for line in second]
    assert before + after == [data for _, data in lines(content)]


@pytest.mark.parametrize("content", [b"b\nb\n", b"a", b""], ids=["other", "shorter", "empty"])
def test_a_reader_does_not_go_on_in_another_stream(content: bytes) -> None:
    first = LineReader(io.BytesIO(b"a\nb\n"))
    next(iter(first))
    with pytest.raises(DatasetError):
        LineReader(io.BytesIO(content)).skip(first.position)


@pytest.mark.parametrize("value", ["é\u2028\x00", "\ud800", {"\udfff": ["😀"]}], ids=ascii)
def test_json_is_written_so_that_it_is_read_as_it_was(value: Any) -> None:
    written = json_bytes(value)
    assert json.loads(written.decode()) == value
    assert b"\n" not in written
