"""What a person sees of a run: progress, broken lines and the table at the end.

Texts come from data that nobody has checked. They reach the terminal as plain text, without
markup, and with every character escaped that a terminal could obey.
"""

import unicodedata
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from groundtypes.dataset import EvaluationReport, Outcome, Tally
from groundtypes.evaluation.statistics import Aggregate, Difference
from groundtypes.report import Summary

__all__ = ["Screen", "plain", "show", "show_report", "show_scores"]

_BROKEN_SHOWN: Final = 20
_FIELDS_SHOWN: Final = 10


def plain(text: object, limit: int = 400) -> Text:
    """Return the text for a terminal: no markup is read, control characters are escaped."""
    shown = str(text)[:limit]
    # The categories: control, format (such as bidi overrides), surrogate, private, unassigned,
    # line and paragraph separator.
    return Text(
        "".join(
            _escaped(char)
            if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
            else char
            for char in shown
        )
    )


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode()


class Screen:
    """The progress of a run on standard error; a bar only where that is a terminal."""

    def __init__(self, console: Console, *, quiet: bool = False) -> None:
        """Take the console; a quiet screen shows nothing."""
        self._console = console
        self._quiet = quiet
        self._broken = 0
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[rows]} rows, {task.fields[pace]}"),
            TimeElapsedColumn(),
            console=console,
            disable=quiet or not console.is_terminal,
        )
        self._task = self._progress.add_task("checking", total=None, rows="0", pace="")
        self._rows_before: int | None = None

    def __enter__(self) -> Self:
        # Older versions of rich print an empty line for a progress that is not shown.
        if not self._progress.disable:
            self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self._progress.disable:
            self._progress.stop()

    def started(self, total: int | None, offset: int) -> None:
        """Show how much there is to read."""
        self._progress.update(self._task, total=total, completed=offset)

    def advanced(self, offset: int, tally: Tally) -> None:
        """Show how much was read, and the pace of this run."""
        if self._rows_before is None:
            self._rows_before = tally.rows
        elapsed = self._progress.tasks[0].elapsed
        pace = f"{(tally.rows - self._rows_before) / elapsed:,.0f} rows/s" if elapsed else ""
        self._progress.update(self._task, completed=offset, rows=f"{tally.rows:,}", pace=pace)

    def broken(self, number: int, reason: str) -> None:
        """Name a broken line; of many only the first."""
        self._broken += 1
        if self._quiet or self._broken > _BROKEN_SHOWN:
            return
        self._console.print(plain(f"line {number}: {reason}"), soft_wrap=True)
        if self._broken == _BROKEN_SHOWN:
            self._console.print("further broken lines are only counted", soft_wrap=True)


def show(console: Console, outcome: Outcome, summary: Path | None) -> None:
    """Print what a run found and where it wrote it."""
    tally = outcome.tally
    console.print(_table(tally))
    if not tally.verdicts and tally.rows > tally.broken:
        console.print("No verdicts: the model has no check that applied to any row.")
    pace = f", {tally.rows / outcome.seconds:,.0f} rows/s" if outcome.seconds else ""
    console.print(f"time: {outcome.seconds:,.1f} s{pace}")
    written = dict(outcome.written) if summary is None else {**outcome.written, "summary": summary}
    for role, path in written.items():
        console.print(plain(f"{role}: {path}"), soft_wrap=True)
    if tally.rejected + tally.broken and "rejected" not in outcome.written:
        console.print("The rejected rows are kept with --rejected FILE.", soft_wrap=True)


def show_report(console: Console, summary: Summary, path: Path) -> None:
    """Print what a page holds and where it is."""
    states = ", ".join(f"{count:,} {state}" for state, count in sorted(summary.states.items()))
    console.print(f"{summary.rows:,} answers{': ' if states else ''}{states}")
    if summary.shown < summary.rows:
        console.print(f"The page shows the first {summary.shown:,}; --limit shows more.")
    console.print(plain(f"report: {path}"), soft_wrap=True)


def _table(tally: Tally) -> Table:
    table = Table(min_width=60)
    table.add_column("Rows", overflow="fold")
    table.add_column(f"{tally.rows:,}", justify="right", no_wrap=True)
    table.add_column("share", justify="right", no_wrap=True)
    counts = {"clean": tally.clean, "rejected": tally.rejected, "broken": tally.broken}
    for name, count in counts.items():
        table.add_row(name, f"{count:,}", _share(count, tally.rows))
    for check, outcomes in tally.verdicts.items():
        _section(table, f"Verdicts of {check}", outcomes)
    for check, labels in tally.labels.items():
        _section(table, f"Labels of {check}", labels)
    for check, shares in tally.shares.items():
        table.add_section()
        heading = plain(f"Shares of {check}, mean over rows")
        heading.stylize("bold")
        table.add_row(heading, f"{shares.rows:,}")
        for label, mean in shares.means.items():
            table.add_row(Text("  ") + plain(label), "", f"{mean:.1%}")
    _section(table, f"Fields at fault, the worst {_FIELDS_SHOWN}", tally.fields, _FIELDS_SHOWN)
    return table


def _section(table: Table, title: str, counts: Counter[str], most: int | None = None) -> None:
    if not counts:
        return
    table.add_section()
    total = counts.total()
    heading = plain(title)
    heading.stylize("bold")
    table.add_row(heading, f"{total:,}")
    for name, count in counts.most_common(most):
        table.add_row(Text("  ") + plain(name), f"{count:,}", _share(count, total))


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else ""


_NAMES: Final = {
    "answer_by_context": "answer entailed by context",
    "answer_by_truth": "answer entailed by ground truth",
    "truth_by_answer": "ground truth entailed by answer",
    "entailed": "statements entailed",
    "neutral": "statements neutral",
    "contradicted": "statements contradicted",
    "answer_refuses": "answers that refuse or abstain",
    "truth_refuses": "ground truths that do",
}


def show_scores(console: Console, report: EvaluationReport) -> None:
    """Print the means of a run with their intervals, and how it differs from another."""
    console.print(_scores_table(report.means))
    if report.differences is not None:
        console.print(_differences_table(report.differences))
    broken = f", {report.broken:,} broken" if report.broken else ""
    console.print(f"rows: {len(report.rows):,}{broken}; time: {report.seconds:,.1f} s")
    for role, path in report.written.items():
        console.print(plain(f"{role}: {path}"), soft_wrap=True)


def _scores_table(means: Mapping[str, Aggregate]) -> Table:
    table = Table(min_width=60)
    table.add_column("Means", overflow="fold")
    for heading in ("mean", "95% interval", "rows"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name, one in means.items():
        interval = f"{one.low:.3f} to {one.high:.3f}"
        table.add_row(_NAMES.get(name, name), f"{one.mean:.3f}", interval, f"{one.rows:,}")
    return table


def _differences_table(differences: Mapping[str, Difference]) -> Table:
    table = Table(min_width=60)
    table.add_column("Against the other run", overflow="fold")
    for heading in ("difference", "95% interval", "up", "down", "same"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name, one in differences.items():
        interval = f"{one.low:+.3f} to {one.high:+.3f}{' *' if one.clear else '  '}"
        counts = (f"{count:,}" for count in (one.better, one.worse, one.same))
        table.add_row(_NAMES.get(name, name), f"{one.mean:+.3f}", interval, *counts)
    table.caption = "* the interval leaves out zero"
    return table
