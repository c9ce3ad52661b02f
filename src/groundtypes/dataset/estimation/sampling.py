"""A sample of the rows of a file, and the sums over the file that it gives, with 95 % intervals.

The file is divided into segments of equal size. A batch has all lines that start in one of them, so
that each line belongs to exactly one batch. One segment is chosen from each of as many equal parts
of the file as there are batches, and `count` times the mean of a figure over the batches is an
estimate of its sum over the file, whatever the order of its rows is.
"""

import math
import os
import random
import stat
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, BinaryIO, Final, Self

from groundtypes.errors import DatasetError
from groundtypes.row_files.files import file_errors, open_json_lines
from groundtypes.row_files.json_lines import Line, LineReader

#: The rows of a batch, about, and how many batches there are, at most.
_ROWS: Final = 128
MOST_BATCHES: Final = 16
#: How many bytes tell the length of the rows, and how many a segment has at most.
_HEAD: Final = 2**20
_SEGMENT_BYTES: Final = 16 * 2**20


class Sampler:
    """Draws batches of rows from a file of JSON Lines, which has `count` of them."""

    def __init__(self, source: Path, seed: int, *, size: int = _ROWS) -> None:
        self._source = source
        self._random = random.Random(seed)  # a sample, no secret
        with self._opened() as file, file_errors(f"read {source}"):
            self._bytes = os.fstat(file.fileno()).st_size
            head = file.read(_HEAD)
        row = len(head) / max(1, head.count(b"\n"))
        wanted = max(1, min(_SEGMENT_BYTES, round(row * min(size, _ROWS))))
        self.count = max(1, -(-self._bytes // wanted))
        self._segment = max(1, -(-self._bytes // self.count))

    def batches(self) -> Iterator[list[Line]]:
        """Yield the lines of some segments, in an order of chance."""
        number = min(MOST_BATCHES, self.count)
        ends = [self.count * part // number for part in range(number + 1)]
        chosen = [self._random.randrange(start, stop) for start, stop in pairwise(ends)]
        self._random.shuffle(chosen)
        sampled = 0
        for lines in map(self.lines, chosen):
            # Numbered within the sample, so that it has a first row as the file has.
            yield [replace(line, number=number) for number, line in enumerate(lines, sampled + 1)]
            sampled += len(lines)

    def lines(self, segment: int) -> list[Line]:
        """Return the lines that start in a segment."""
        start = segment * self._segment
        stop = min(start + self._segment, self._bytes)
        lines: list[Line] = []
        with self._opened() as file, file_errors(f"read {self._source}"):
            reader = LineReader(file)
            if start:
                file.seek(start - 1)
                head = file.readline(self._segment + 1)
                if not head.endswith(b"\n"):
                    return []  # no line starts here
                # Only the first line of a file can have a byte order mark.
                reader.offset, reader.number = start - 1 + len(head), 1
            for line in reader if reader.offset < stop else ():
                if line.offset >= stop:
                    break
                lines.append(line)
        return lines

    def _opened(self) -> BinaryIO:
        file = open_json_lines(self._source)
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            file.close()
            raise DatasetError(
                f"{self._source} is not a regular file. An estimate reads rows from places all "
                "over the input: write the rows to a file first."
            )
        return file


#: The 97.5 % quantiles of Student's t distribution, by degrees of freedom from 1.
_T: Final = (
    12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13,
)  # fmt: skip
#: The half-width of an interval that a single batch gives, relative to the value.
_OF_ONE_BATCH: Final = 0.5


@dataclass(frozen=True, slots=True)
class Interval:
    """An expected value, and the bounds between which the real one should be, 95 times of 100."""

    value: float
    low: float
    high: float

    @classmethod
    def exactly(cls, value: float) -> Self:
        """Return the interval of a value that is known."""
        return cls(value, value, value)

    def widened(self, share: float) -> "Interval":
        """Return the interval with a further, independent uncertainty: a share of its value."""
        below = math.hypot(self.value - self.low, self.value * share)
        above = math.hypot(self.high - self.value, self.value * share)
        return Interval(self.value, max(0.0, self.value - below), self.value + above)

    def times(self, factor: "Interval | float") -> "Interval":
        """Return the interval of the product with a factor, which may have bounds of its own."""
        by = factor if isinstance(factor, Interval) else Interval.exactly(factor)
        return Interval(self.value * by.value, self.low * by.low, self.high * by.high)

    def plus(self, other: "Interval") -> "Interval":
        """Return the interval of a sum whose parts are high together."""
        return Interval(self.value + other.value, self.low + other.low, self.high + other.high)

    def at_most(self, limit: float) -> "Interval":
        """Return the interval with a limit that no figure exceeds."""
        return Interval(*(min(each, limit) for each in (self.value, self.low, self.high)))


def total(values: Sequence[float], count: int) -> Interval:
    """Return the sum over all `count` batches of a file, of which some are known.

    It is the estimate of simple random sampling without replacement: the mean times the count, with
    Student's t distribution and the finite population correction (Cochran, "Sampling Techniques",
    1977, section 2.8). What was seen is the lower bound.
    """
    if not values:
        return Interval.exactly(0.0)
    seen, value = math.fsum(values), fmean(values) * count
    if len(values) >= count:
        return Interval.exactly(seen)
    half = value * _OF_ONE_BATCH
    if len(values) > 1:
        quantile = _T[min(len(values) - 1, len(_T)) - 1]
        correction = math.sqrt(1 - len(values) / count)
        half = count * quantile * stdev(values) / math.sqrt(len(values)) * correction
    return Interval(value, max(seen, value - half), value + half)


def repetition(groups: Sequence[Collection[Hashable]], count: int) -> float:
    """Return which share of the questions of all batches is new: 1 if none of them is repeated.

    `groups` are the different questions of each batch that is known, of `count` batches. The number
    of different ones in all batches is that of the first-order jackknife for finite populations
    (Haas, Naughton, Seshadri and Stokes, "Sampling-based estimation of the number of distinct
    values of an attribute", VLDB 1995), with batches in the place of rows: a question that is
    repeated within a batch is asked once anyway.
    """
    occurrences = Counter(question for group in groups for question in group)
    asked = sum(map(len, groups))
    if not asked:
        return 1.0
    share = min(1.0, len(groups) / count)
    single = sum(1 for number in occurrences.values() if number == 1)
    distinct = len(occurrences) / (1 - (1 - share) * single / asked)
    return min(1.0, distinct * share / asked)


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What a run would take, with 95 % intervals; nothing was asked of an LLM to know it.

    Attributes:
        rows: The rows of the file.
        broken: Those that cannot be read.
        questions: What the checks ask engines, by the kind of the engine, "nli" or "llm". Equal
            questions count once.
        calls: Requests to the LLM, without those that are repeated after a failure.
        calls_by_prompt: The same, by the name and version of the prompt.
        input_tokens: The tokens that the LLM reads, by a rule of thumb: four bytes each.
        output_tokens: Those that it writes: three bytes each, since replies are JSON.
        seconds: How long the run takes once its models are loaded, by the measured seconds a row of
            the sample. Calls of the LLM are part of it only if it was said how long one takes.
        llm_seconds: The part of `seconds` in which the LLM is waited for; `None` if not known.
        workers: How many processes judge.
        sampled_rows: The rows that the estimate has read and checked.
        sampled_bytes: The bytes of these rows.
        sampled_share: The share of the file that they are.
        own_seconds: How long the estimate itself took.
        notes: What the figures rest on, in sentences.
    """

    rows: Interval
    broken: Interval
    questions: Mapping[str, Interval]
    calls: Interval
    calls_by_prompt: Mapping[str, Interval]
    input_tokens: Interval
    output_tokens: Interval
    seconds: Interval
    llm_seconds: Interval | None = None
    workers: int = 1
    sampled_rows: int = 0
    sampled_bytes: int = 0
    sampled_share: float = 1.0
    own_seconds: float = 0.0
    notes: tuple[str, ...] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        """Return plain data that JSON can hold."""
        names = "rows broken calls input_tokens output_tokens seconds llm_seconds questions"
        data = asdict(self)
        return {
            **{name.replace("_", " "): data[name] for name in names.split()},
            "calls by prompt": data["calls_by_prompt"],
            "workers": self.workers,
            "sample": {
                "rows": self.sampled_rows,
                "bytes": self.sampled_bytes,
                "share": round(self.sampled_share, 6),
                "seconds": round(self.own_seconds, 3),
            },
            "notes": list(self.notes),
        }
