"""The terminal: a progress bar on standard error, and results on standard output.

Texts come from data that nobody has checked: they are printed as plain text, without Rich's markup
and with every character escaped that a terminal could obey.
"""

import contextlib
import os
import sys
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, NoReturn, Self

from rich import progress as rich_progress
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from groundtypes.cli.guard import printable
from groundtypes.dataset import Progress, RunCounts
from groundtypes.errors import DatasetError
from groundtypes.row_files.line_faults import LineFault

if TYPE_CHECKING:  # only `check` compares faults
    from groundtypes.cli.baselines import Baseline

_BROKEN_LINES_PRINTED: Final = 20
_LEAST_WIDTH: Final = 60
_LEAST_COLUMNS: Final = 36
_LONGEST_LINE: Final = 1_000


def plain(text: object, limit: int = 400) -> Text:
    """Return the text as Rich prints it: no markup is read, control characters are escaped."""
    return Text(printable(text, limit))


class PlainConsole(Console):
    """A console that reads no markup, and leaves a closed pipe to its caller."""

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, highlight=False, emoji=False, **options)
        #: The columns of the terminal, for what fits into few.
        self.columns = max(self.width, _LEAST_COLUMNS)
        # Rich cannot lay out a table in a few columns; a narrow terminal breaks the lines itself.
        self.width = max(self.width, _LEAST_WIDTH)

    @property
    def is_narrow(self) -> bool:
        """Whether the terminal has too few columns for several lines of one text."""
        return self.is_terminal and self.columns < _LEAST_WIDTH

    def print_line(self, text: str, indent: int = 0, *, cut: bool = False) -> None:
        """Print a text that nobody has checked in lines of the width of the terminal.

        With `cut`, a narrow terminal shows only the first of them.
        """
        line = plain(text, _LONGEST_LINE)
        if cut and self.is_narrow:
            line.truncate(self.columns - indent, overflow="ellipsis")
        if self.is_terminal:
            self.print(Padding(line, (0, 0, 0, indent), expand=False), width=self.columns)
        else:
            self.print(Text(" " * indent) + line, soft_wrap=True)

    def on_broken_pipe(self) -> NoReturn:
        """Raise the error again, where Rich would exit with 1."""
        raise BrokenPipeError


@contextlib.contextmanager
def standard_output() -> Iterator[PlainConsole]:
    """Give a console for results; a reader that closes the pipe early is not a mistake."""
    try:
        yield PlainConsole()
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes standard output once more when it ends.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        raise DatasetError(f"Cannot print the summary: {error.strerror}.") from error


class ProgressBar(Progress):
    """The progress of a run on standard error; a bar only where that is a terminal."""

    def __init__(
        self,
        *,
        quiet: bool = False,
        description: str = "checking",
        show: int = 0,
        baseline: "Baseline | None" = None,
        only_new: bool = False,
    ) -> None:
        """Make the bar; the first `show` faults are kept to be printed at the end.

        They are compared with a baseline, and kept with `only_new` if it does not have them.
        """
        #: The first faults.
        self.faults: list[LineFault] = []
        self._show = show
        self._baseline = baseline
        self._only_new = only_new
        console = PlainConsole(stderr=True)
        console.width = console.columns  # a bar is laid out in any width
        self._quiet = quiet
        self._broken_lines = 0
        self._bar = rich_progress.Progress(
            rich_progress.TextColumn("{task.description}"),
            rich_progress.BarColumn(),
            rich_progress.TextColumn("{task.fields[rows]} rows, {task.fields[rate]}"),
            rich_progress.TimeElapsedColumn(),
            console=console,
            disable=quiet or not console.is_terminal,
        )
        self._task = self._bar.add_task(description, total=None, rows="0", rate="")
        self._rows_before: int | None = None

    def __enter__(self) -> Self:
        # Older versions of rich print an empty line for a progress that is not shown.
        if not self._bar.disable:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self._bar.disable:
            self._bar.stop()

    def started(self, total: int | None, offset: int) -> None:
        """Show how much there is to read."""
        self._bar.update(self._task, total=total, completed=offset)

    def advanced(self, offset: int, counts: RunCounts) -> None:
        """Show how much was read, and how many rows this run judges in a second."""
        if self._rows_before is None:
            self._rows_before = counts.rows
        elapsed = self._bar.tasks[0].elapsed
        rate = f"{(counts.rows - self._rows_before) / elapsed:,.0f} rows/s" if elapsed else ""
        self._bar.update(self._task, completed=offset, rows=f"{counts.rows:,}", rate=rate)

    def broken(self, number: int, reason: str) -> None:
        """Print the number of a broken line and its reason; of many lines only the first."""
        self._broken_lines += 1
        if self._quiet or self._broken_lines > _BROKEN_LINES_PRINTED:
            return
        self._bar.console.print(plain(f"line {number}: {reason}"), soft_wrap=True)
        if self._broken_lines == _BROKEN_LINES_PRINTED:
            self._bar.console.print("further broken lines are only counted", soft_wrap=True)

    def fault(self, fault: LineFault) -> None:
        """Keep a fault, if it is one of the first."""
        if self._baseline is not None:
            fault = self._baseline.compared(fault)
        is_wanted = not self._only_new or fault.state != "unchanged"
        if is_wanted and len(self.faults) < self._show:
            self.faults.append(fault)

    def noted(self, text: str) -> None:
        """Print a sentence about how the run goes."""
        if not self._quiet:
            self._bar.console.print(plain(text), soft_wrap=True)
