"""Where a data set is made: what judges the lines, and what makes files of the examples."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from groundtypes.dataset.build.examples import ExampleOptions
from groundtypes.dataset.build.formats import ExampleFormatter
from groundtypes.dataset.build.writing import DatasetFiles, OutputOptions
from groundtypes.dataset.check.job import Job
from groundtypes.errors import DatasetError
from groundtypes.row_files.progress import Progress

__all__ = ["BuildEngine", "BuildFiles", "LocalEngine"]


class BuildFiles(Protocol):
    """Makes the files of a data set in the folder `out` of its work folder."""

    def write(self) -> Mapping[str, Any]:
        """Write the rows, and return the parts of the manifest that count them."""
        ...

    def finish(self, manifest: Mapping[str, Any]) -> Mapping[str, Any]:
        """Write the card, and return the size and the hash of each file."""
        ...


class BuildEngine(Protocol):
    """Runs the passes of a build; every engine writes the same bytes."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """What an interrupted run must have in common with the one that continues it."""
        ...

    def judge(
        self, examples: ExampleOptions, source: Path | None, work: Path, progress: Progress
    ) -> dict[str, Any]:
        """Make an example or a rejected row of each line that an earlier run has not judged.

        Returns the summary of the lines; `source` is `None` for standard input.
        """
        ...

    def files(self, work: Path, formatter: ExampleFormatter, output: OutputOptions) -> BuildFiles:
        """Return what makes the files of the examples in a work folder."""
        ...


@dataclass(frozen=True, slots=True)
class LocalEngine:
    """This machine: `batch` lines are judged together, in as many processes as `workers`.

    Raises:
        DatasetError: An option is out of range.
    """

    batch: int = 256
    workers: int = 1

    def __post_init__(self) -> None:
        if self.batch < 1 or self.workers < 1:
            raise DatasetError("`batch` and `workers` must be at least 1")

    @property
    def identity(self) -> Mapping[str, Any]:
        """Nothing: batches and workers of any number go on with a run."""
        return {}

    def judge(
        self, examples: ExampleOptions, source: Path | None, work: Path, progress: Progress
    ) -> dict[str, Any]:
        """Judge the lines with a `Job`."""
        job = Job(
            options=examples,
            source=source,
            clean=work / "examples.jsonl",
            rejected=work / "rejected.jsonl",
            summary=work / "judged.json",
            batch=self.batch,
            workers=self.workers,
            resume=True,
        )
        return job.run(progress).to_dict()

    def files(self, work: Path, formatter: ExampleFormatter, output: OutputOptions) -> DatasetFiles:
        """Return what makes the files, example by example."""
        return DatasetFiles(work, formatter, output)
