"""A sample of the rows of a file, and the sums over the file that it gives, with 95 % intervals.

The file is divided into strata of equal size, and these into segments of equal size, of some 16
lines. A batch has one segment of each stratum, chosen by a generator of random numbers with a fixed
seed, and all lines that start in its segments. So all batches together are the whole file, each
line belongs to exactly one of them, and each is a small copy of the file, whatever its order is:
`count` times the mean of a figure over a few batches is an unbiased estimate of its sum over the
file (interpenetrating subsamples: Mahalanobis, "Recent experiments in statistical sampling in the
Indian Statistical Institute", Journal of the Royal Statistical Society 109, 1946).
"""

import math
import os
import random
import stat
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, BinaryIO, Final, Self

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
    """Draws batches of about `size` rows from a file of JSON Lines, which has `count` of them."""

    def __init__(self, source: Path, size: int, seed: int) -> None:
        self._source = source
        self._random = random.Random(seed)  # a sample, no secret
        with self._opened() as file:
            self.bytes = os.fstat(file.fileno()).st_size
            rows = self._rows_guessed(file)
        self._strata = max(1, min(_SEGMENTS, size))
        self.count = max(1, round(rows / size), -(-self.bytes // _SEGMENT_BYTES))
        self._segment = max(1, -(-self.bytes // (self._strata * self.count)))

    def batches(self, most: int) -> Iterator[SampledBatch]:
        """Yield at most so many batches, each another one."""
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
        """Open the file."""
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
        """Yield data, offset and length of the lines that start in a segment, and if it is cut."""
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


#: The 97.5 % quantiles of Student's t distribution, by degrees of freedom from 1.
_T: Final = (
    12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13,
)  # fmt: skip
_T_OF_MANY: Final = 2.0
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

    def times(self, factor: float, low: float | None = None, high: float | None = None) -> Self:
        """Return the interval of the product with a factor that has bounds of its own."""
        low, high = factor if low is None else low, factor if high is None else high
        return type(self)(self.value * factor, self.low * low, self.high * high)

    def product(self, factor: "Interval") -> Self:
        """Return the interval of the product with another one."""
        return self.times(factor.value, factor.low, factor.high)

    def plus(self, other: "Interval") -> "Interval":
        """Return the interval of a sum whose parts are high together."""
        return Interval(self.value + other.value, self.low + other.low, self.high + other.high)

    def at_most(self, limit: float) -> "Interval":
        """Return the interval with a limit that no figure exceeds."""
        return Interval(*(min(each, limit) for each in (self.value, self.low, self.high)))

    def scaled(self, part: "Interval", whole: "Interval") -> "Interval":
        """Return the interval of what only a part of a whole takes, which is bounded alike."""
        value, low, high = (
            figure * (of_part / of_whole if of_whole else 0.0)
            for figure, of_part, of_whole in zip(
                (self.value, self.low, self.high),
                (part.value, part.low, part.high),
                (whole.value, whole.low, whole.high),
                strict=True,
            )
        )
        return Interval(value, min(value, low, high), max(value, low, high))


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
    if len(values) == 1:
        half = value * _OF_ONE_BATCH
    else:
        freedom = len(values) - 1
        quantile = _T[freedom - 1] if freedom <= len(_T) else _T_OF_MANY
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
