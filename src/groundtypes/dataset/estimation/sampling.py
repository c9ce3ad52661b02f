"""A sample of the rows of a file: batches of lines from places all over it, never the whole file.

The file is divided into strata of equal size, and these into segments of equal size, of some 16
lines. A batch has one segment of each stratum, chosen by a generator of random numbers with a fixed
seed, and all lines that start in its segments. So all batches together are the whole file, each
line belongs to exactly one of them, and each is a small copy of the file, whatever its order is:
`count` times the mean of a figure over a few batches is an unbiased estimate of its sum over the
file (interpenetrating subsamples: Mahalanobis, "Recent experiments in statistical sampling in the
Indian Statistical Institute", Journal of the Royal Statistical Society 109, 1946).
"""

import os
import random
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from groundtypes.errors import DatasetError
from groundtypes.row_files.files import file_errors, open_json_lines
from groundtypes.row_files.json_lines import LINE_LIMIT, Line

#: How many segments a batch has, if it has enough rows.
_SEGMENTS: Final = 16
#: The places where the length of lines is looked at first, and how many bytes are read there.
_PLACES: Final = 32
_LOOK: Final = 2**16
#: The segments of a batch have at most so many bytes together, and its lines so many.
_SEGMENT_BYTES: Final = 16 * 2**20
_BATCH_BYTES: Final = 64 * 2**20
_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class SampledBatch:
    """Lines from all over the file; `numbers` of the lines count within the sample, from 1."""

    lines: list[Line]
    bytes: int


class Sampler:
    """Draws batches of about `size` rows from a file of JSON Lines.

    Attributes:
        count: How many batches the file consists of.
        bytes: The size of the file.
    """

    def __init__(self, source: Path, size: int, seed: int) -> None:
        """Look at the file.

        Raises:
            DatasetError: It cannot be read, is not JSON Lines, or is no regular file.
        """
        self._source = source
        self._random = random.Random(seed)  # a sample, no secret
        with self._opened() as file:
            self.bytes = os.fstat(file.fileno()).st_size
            rows = self._rows_guessed(file)
        self._strata = max(1, min(_SEGMENTS, size))
        self.count = max(1, round(rows / size), -(-self.bytes // _SEGMENT_BYTES))
        self._segment = max(1, -(-self.bytes // (self._strata * self.count)))

    def batches(self, most: int) -> Iterator[SampledBatch]:
        """Yield at most so many batches, each another one.

        Raises:
            DatasetError: The file cannot be read.
        """
        most = min(most, self.count)
        chosen = [self._random.sample(range(self.count), most) for _ in range(self._strata)]
        number = 0
        with self._opened() as file:
            for places in zip(*chosen, strict=True):
                lines: list[Line] = []
                size = 0
                with file_errors(f"read {self._source}"):
                    for stratum, place in enumerate(places):
                        for line in self._lines(file, stratum * self.count + place):
                            number += 1
                            lines.append(Line(number, *line))
                            size += len(lines[-1].data)
                        if size > _BATCH_BYTES:
                            break
                yield SampledBatch(lines, sum(line.length for line in lines))

    def _opened(self) -> BinaryIO:
        """Open the file.

        Raises:
            DatasetError: It has no places to choose from.
        """
        file = open_json_lines(self._source)
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            file.close()
            raise DatasetError(
                f"{self._source} is not a regular file. An estimate reads rows from places all "
                "over the input: write the rows to a file first."
            )
        return file

    def _rows_guessed(self, file: BinaryIO) -> float:
        """Return about how many lines the file has, by a look at a few places."""
        read = ends = 0
        with file_errors(f"read {self._source}"):
            for place in range(_PLACES):
                file.seek(place * self.bytes // _PLACES)
                data = file.read(min(_LOOK, -(-self.bytes // _PLACES)))
                read += len(data)
                ends += data.count(b"\n")
        return self.bytes * ends / read if read else 0

    def _lines(self, file: BinaryIO, segment: int) -> Iterator[tuple[bytes, int, int, bool]]:
        """Yield data, offset and length of the lines that start in a segment, and if it is cut.

        Blank lines are left out.
        """
        start = segment * self._segment
        end = min(start + self._segment, self.bytes)
        if start:
            file.seek(start - 1)
            head = file.readline(self._segment + 1)
            if not head.endswith(b"\n"):
                return  # no line starts here
            start += len(head) - 1
        else:
            file.seek(0)
        while start < end and (data := file.readline(LINE_LIMIT + 1)):
            length = len(data)
            if length > LINE_LIMIT and not data.endswith(b"\n"):
                yield b"", start, length, True
                return  # it is longer than a segment
            shown = data.removeprefix(_BOM) if not start else data
            if shown := shown.strip(b" \t\r\n"):
                yield shown, start, length, False
            start += length
