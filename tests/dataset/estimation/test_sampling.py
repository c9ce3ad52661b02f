"""Batches of a sample are from all over the file, and together the segments are the file."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtypes.dataset.estimation.sampling import Sampler
from groundtypes.errors import DatasetError
from groundtypes.row_files.json_lines import LineReader

LINES = st.lists(st.binary(max_size=300).map(lambda data: data.replace(b"\n", b"x")), max_size=80)


@given(lines=LINES, size=st.integers(1, 20), ended=st.booleans(), seed=st.integers(0, 3))
def test_each_line_is_in_exactly_one_segment(
    tmp_path_factory: pytest.TempPathFactory,
    lines: list[bytes],
    size: int,
    ended: bool,
    seed: int,
) -> None:
    path = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    # The space is no mark of another format, such as that of gzip.
    path.write_bytes(b" " + b"\n".join(lines) + b"\n" * ended)
    sampler = Sampler(path, seed, size=size)
    sampled = [
        (line.offset, line.data)
        for segment in range(sampler.count)
        for line in sampler.lines(segment)
    ]
    with path.open("rb") as file:
        assert sorted(sampled) == [(line.offset, line.data) for line in LineReader(file)]


def test_the_batches_have_lines_from_all_over_the_file(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"".join(b'{"number": %06d}\n' % number for number in range(40_000)))
    batches = list(Sampler(path, seed=0).batches())
    sixteenths = {batch[0].offset * 16 // path.stat().st_size for batch in batches}
    assert len(sixteenths) >= 14
    assert all(len(batch) == pytest.approx(128, abs=20) for batch in batches)


def test_the_seed_decides_which_lines_are_read(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"".join(b'{"number": %06d}\n' % number for number in range(40_000)))

    def first(seed: int) -> list[int]:
        return [line.offset for line in next(Sampler(path, seed).batches())]

    assert first(0) == first(0)
    assert first(0) != first(1)


def test_of_a_file_of_gigabytes_little_is_read(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    block = b'{"number": 1, "text": "%s"}\n' % (b"x" * 970)
    with path.open("wb") as file:
        file.write(block * 1000)
        # A hole, as a file of one endless line, and rows again.
        file.seek(4 * 2**30)
        file.write(b"\n" + block * 1000)
    sampler = Sampler(path, seed=0)
    batches = list(sampler.batches())
    assert sampler.count > 16
    assert sum(len(line.data) for batch in batches for line in batch) < 600 * 2**20


def test_a_pipe_has_no_places(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("there are no pipes with names")
    path = tmp_path / "pipe"
    os.mkfifo(path)
    handle = os.open(path, os.O_RDWR)  # so that opening it to read does not wait
    try:
        with pytest.raises(DatasetError, match="not a regular file"):
            Sampler(path, seed=0)
    finally:
        os.close(handle)
