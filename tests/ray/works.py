"""Works of the runner that do something simple to each line, and some of which end a process."""

import os
import signal
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from groundtypes.ray.shards import Shard, shard_reader
from groundtypes.ray.worker import ShardPart
from groundtypes.row_files.json_lines import Line


def shard_lines(shard: Shard) -> Iterator[Line]:
    """Yield the lines of a shard, with their numbers and offsets in the file."""
    with shard_reader(shard) as reader:
        yield from reader


@dataclass(frozen=True)
class UpperCase:
    """Writes the number, the offset and the text of each line; `log` notes each shard processed.

    A line that says "die" ends the process, and one that says "fail" raises, until there is a
    file `mended`.
    """

    log: Path
    outputs: Sequence[str] = ("upper", "even")
    sleep: float = 0.0

    def prepare(self) -> None:
        """Have nothing to load."""

    def process(self, shard: Shard) -> Iterator[ShardPart]:
        """Yield a part for each line."""
        note(self.log, f"{shard.number} {os.getpid()}")
        for line in shard_lines(shard):
            time.sleep(self.sleep)
            text = line.data.decode()
            if text == "die":
                os.kill(os.getpid(), signal.SIGKILL)
            if text == "fail" and not (self.log.parent / "mended").exists():
                raise RuntimeError(f"line {line.number} fails")
            entry = f"{line.number} {line.offset} {text.upper()}\n".encode()
            outputs = {"upper": [entry], "even": [entry] if line.number % 2 == 0 else []}
            counts = {"rows": 1, "length": len(text)}
            yield ShardPart({name: outputs[name] for name in self.outputs}, counts)


@dataclass(frozen=True)
class Unloadable:
    """Cannot be prepared in a worker."""

    outputs: Sequence[str] = ()
    exits: bool = False

    def prepare(self) -> None:
        """Raise, or end the process."""
        if self.exits:
            os._exit(7)
        raise ValueError("there is no such engine here")

    def process(self, shard: Shard) -> Iterator[ShardPart]:
        """Do nothing."""
        yield ShardPart({})


def note(log: Path, text: str) -> None:
    """Append a line to a log that several processes write."""
    with log.open("a") as file:
        file.write(f"{text}\n")
