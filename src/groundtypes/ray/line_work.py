"""Shards of JSON Lines through the processor of a run, such as that of `groundtypes check`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from groundtypes.dataset.check.batch_pool import process_batch, read_batches
from groundtypes.dataset.check.processing import LineResult, ProcessorFactory, RowProcessor
from groundtypes.errors import DatasetError
from groundtypes.ray.shards import Shard, shard_reader
from groundtypes.ray.worker import ShardPart
from groundtypes.row_files.counts import RunCounts
from groundtypes.row_files.json_lines import Line
from groundtypes.row_files.parsing import BrokenLineError, read_line


@dataclass
class LinesWork:
    """Makes the output lines of each line, batch by batch, with the processors of a factory.

    A `strict` run stops at a broken line.
    """

    factory: ProcessorFactory
    outputs: Sequence[str]
    batch: int = 256
    strict: bool = False
    _processors: dict[bool, RowProcessor] = field(default_factory=dict, repr=False)

    def prepare(self) -> None:
        """Make the processors.

        Raises:
            DatasetError: The model cannot be used.
        """
        for first in (True, False):
            self._processors[first] = self.factory.processor(self.outputs, first=first)

    def process(self, shard: Shard) -> Iterator[ShardPart]:
        """Yield the output lines of each batch, and then the counts.

        Raises:
            Mistake: The failure is not in an answer, or a line is broken and the run is strict.
        """
        processor = self._processors[shard.number == 0]
        outputs = tuple(self.outputs)
        counts = RunCounts()
        with shard_reader(shard) as reader:
            for lines, position in read_batches(reader, self.batch):
                done = process_batch(processor, outputs, lines, position)
                counts.merge(done.counts)
                if self.strict and done.broken:
                    number, reason = done.broken[0]
                    raise DatasetError(f"line {number} is broken: {reason}")
                yield ShardPart(done.outputs, broken=done.broken)
        yield ShardPart({}, counts.to_dict())

    def set_aside(self, shard: Shard, reason: str) -> ShardPart:
        """Return the only line of a shard as a broken one."""
        with shard_reader(shard) as reader:
            [line] = reader
        error = BrokenLineError(reason)
        error.row = _row_of(line)
        outputs = LineResult.broken(line, error).outputs
        counts = RunCounts()
        counts.add_broken()
        kept = {name: [outputs[name]] for name in self.outputs if name in outputs}
        return ShardPart(kept, counts.to_dict(), [(line.number, reason)])


def _row_of(line: Line) -> dict[str, Any] | None:
    """Return the object on a line, if there is one."""
    row = read_line(line, lambda data: data)
    return row.row if isinstance(row, BrokenLineError) else row
