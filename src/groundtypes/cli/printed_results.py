"""The results of the commands, as tables and lines on a console."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from groundtypes.cli.terminal import plain
from groundtypes.text.message_excerpts import clip, in_quotation_marks, shown_id

if TYPE_CHECKING:  # each command imports only what it needs itself
    from groundtypes.calibration import CalibrationResult, ReviewBandResult
    from groundtypes.cli.baselines import Baseline
    from groundtypes.cli.terminal import PlainConsole
    from groundtypes.dataset import (
        BuiltDataset,
        Estimate,
        EvaluationReport,
        Interval,
        JobResult,
        RunCounts,
    )
    from groundtypes.evaluation.run_statistics import Aggregate, Difference
    from groundtypes.report import Summary
    from groundtypes.row_files.line_faults import LineFault

_MOST_NAMES: Final = 20
_LONGEST_MESSAGE: Final = 500
#: A message that has so many first characters of a passage need not be followed by it.
_COMPARED: Final = 40
#: The ROC-AUC of scores that tell nothing.
_CHANCE: Final = 0.5


def _table(first: str, *headings: str, width: int = 60) -> Table:
    table = Table(min_width=min(width, 60))
    table.add_column(plain(first), overflow="fold")
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _print_files(console: Console, written: "Mapping[str, Path]") -> None:
    for output, path in written.items():
        console.print(plain(f"{output}: {path}"), soft_wrap=True)


def print_job_result(
    console: "PlainConsole",
    file: str,
    result: "JobResult",
    faults: "Sequence[LineFault]",
    files: "Mapping[str, Path]",
    baseline: "Baseline | None" = None,
    *,
    labels: bool = False,
) -> None:
    """Print the first faults of a file, the counts of the run, its time, and what it wrote.

    With `labels`, the labels that each check has given are counted, too.
    """
    run = result.counts
    compared = baseline if baseline is not None and baseline.compares else None
    total = run.faults + run.broken + run.unjudged + run.review
    total = total if compared is None else compared.new
    _print_faults(console, file, faults, total)
    console.print(_counts_table(run, console.columns, labels=labels), width=console.columns)
    _print_agreement(console, run.agreement)
    if compared is not None:
        old, new, gone = (f"{count:,}" for count in (compared.old, compared.new, compared.gone))
        console.print_line(f"Faults: {new} new; of the baseline, {old} old and {gone} gone.")
    elif baseline is not None:
        console.print_line(f"Faults: {baseline.old:,} accepted by the baseline.")
    if texts := run.models["groundtypes.models:EntailedAnswer"]:
        console.print_line(
            f"Answers of plain text: {texts:,}. Their model is groundtypes.models:EntailedAnswer: "
            "the references entail each sentence and hold each figure. --model names another."
        )
    if not run.verdicts and run.rows > run.broken + run.unjudged:
        console.print_line("No verdicts: the model has no check that applied to any row.")
    pace = f", {run.rows / result.seconds:,.0f} rows/s" if result.seconds else ""
    console.print_line(f"time: {result.seconds:,.1f} s{pace}")
    _print_files(console, files)
    if run.review and not {"review", "rejected"} & files.keys():
        console.print_line("The rows to review were not saved; add --review FILE to save them.")
    if run.rejected + run.unjudged + run.broken and "rejected" not in files:
        console.print_line("The rejected rows were not saved; add --rejected FILE to save them.")


def print_for_programs(console: Console, text: str) -> None:
    """Print a text that another program reads, as it is."""
    console.out(text, highlight=False)


def _print_faults(
    console: "PlainConsole", file: str, faults: "Sequence[LineFault]", total: int
) -> None:
    """Print faults, each with its place and message, of a number in all."""
    if not faults:
        return
    more = "" if len(faults) >= total else "; --show 0 shows all"
    new = "new " if faults[0].state else ""
    console.print_line(f"The first {new}faults ({len(faults):,} of {total:,}{more}):")
    for fault in faults:
        what = f"{fault.place}: {fault.slug}"
        if console.is_narrow:
            console.print_line(f"{clip(Path(file).name, 25)}:{fault.line}:", cut=True)
            console.print_line(what, cut=True)
        else:
            console.print_line(f"{clip(file, _LONGEST_MESSAGE)}:{fault.line}: {what}")
        message = clip(fault.message, _LONGEST_MESSAGE)
        console.print_line(message, 2, cut=True)
        shown = message[: console.columns - 2] if console.is_narrow else message
        said, evidence = (" ".join(text.split()) for text in (fault.said, fault.evidence))
        if said.rstrip("\u2026") not in shown:
            console.print_line(f"answer: {in_quotation_marks(said)}", 2, cut=True)
        if evidence != said and evidence[:_COMPARED] not in shown:
            where = f"reference {shown_id(fault.reference)}"
            console.print_line(f"{where}: {in_quotation_marks(evidence)}", 2, cut=True)
    console.print()


def _print_agreement(console: "PlainConsole", found: "Mapping[str, Any]") -> None:
    """Print how the rejections compare with what people say."""
    if not found:
        return
    if rows := found["rows"]:
        agreed = found["agreed"]
        console.print_line(f"People agree on {agreed:,} of {rows:,} rows ({_share(agreed, rows)}).")
    caught = found["rejected_unsupported"]
    for whole, words in (
        (found["rejected"], "rejected rows, people call {} unsupported: precision {}"),
        (found["unsupported"], "rows that people call unsupported, {} are rejected: recall {}"),
    ):
        if whole:
            console.print_line(
                f"Of {whole:,} " + words.format(f"{caught:,}", _share(caught, whole))
            )
    if found["left_out"]:
        reasons = "unreadable, not judged or to review"
        console.print_line(f"Left out: {found['left_out']:,} labels, {reasons}.")


def print_report_summary(console: Console, summary: "Summary", path: Path) -> None:
    """Print how many answers a page shows, and its file."""
    states = ", ".join(f"{count:,} {state}" for state, count in sorted(summary.states.items()))
    console.print(f"{summary.rows:,} answers{': ' if states else ''}{states}")
    if summary.states["unjudged"]:
        console.print(
            "Unjudged rows have no verdicts; groundtypes check --audits FILE writes rows that do.",
            soft_wrap=True,
        )
    if summary.shown < summary.rows:
        console.print(f"The page shows the first {summary.shown:,}; --limit shows more.")
    console.print(plain(f"report: {path}"), soft_wrap=True)


def _counts_table(run: "RunCounts", width: int, *, labels: bool) -> Table:
    table = _table("Rows", f"{run.rows:,}", "share", width=width)
    counts = {"clean": run.clean, "rejected": run.rejected, "broken": run.broken}
    if run.review:
        counts["to review"] = run.review
    if run.unjudged:
        counts["could not be judged"] = run.unjudged
    for name, count in counts.items():
        table.add_row(name, f"{count:,}", _share(count, run.rows))
    _section(table, "Rows by kind of fault", run.kinds, run.rows)
    for check, given in run.labels.items() if labels else ():
        _section(table, f"Labels of {check}", given, given.total())
    if len(run.fields) > 1:
        _section(table, "Faults by field", run.fields, run.fields.total())
    return table


def _section(table: Table, title: str, counts: Counter[str], total: int) -> None:
    if not counts:
        return
    table.add_section()
    heading = plain(title)
    heading.stylize("bold")
    table.add_row(heading)
    for name, count in counts.most_common(_MOST_NAMES):
        table.add_row(Text("  ") + plain(name), f"{count:,}", _share(count, total))


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else ""


#: The names of scores in the tables.
_SCORE_NAMES: Final = {
    "answer_by_context": "answer entailed by context",
    "answer_by_truth": "answer entailed by ground truth",
    "truth_by_answer": "ground truth entailed by answer",
    "entailed": "statements entailed",
    "neutral": "statements neutral",
    "contradicted": "statements contradicted",
    "answer_refuses": "answers that refuse or abstain",
    "truth_refuses": "ground truths that refuse or abstain",
    "citation_recall": "citation recall",
    "citation_precision": "citation precision",
    "citation_f1": "citation F1",
}


def print_scores(console: Console, report: "EvaluationReport") -> None:
    """Print the means of a run with their intervals, and how it differs from its baseline."""
    console.print(_scores_table(report.means))
    if report.differences is not None:
        console.print(_differences_table(report.differences))
    broken = f", {report.broken:,} broken" if report.broken else ""
    unjudged = f", {report.unjudged:,} could not be judged" if report.unjudged else ""
    console.print(f"rows: {len(report.rows):,}{broken}{unjudged}; time: {report.seconds:,.1f} s")
    _print_files(console, report.written)


def _scores_table(means: "Mapping[str, Aggregate]") -> Table:
    table = _table("Means", "mean", "95% interval", "rows")
    for name, score in means.items():
        interval = f"{score.low:.3f} to {score.high:.3f}"
        table.add_row(
            _SCORE_NAMES.get(name, name), f"{score.mean:.3f}", interval, f"{score.rows:,}"
        )
    return table


def _differences_table(differences: "Mapping[str, Difference]") -> Table:
    table = _table("Against the baseline", "difference", "95% interval", "up", "down", "same")
    for name, change in differences.items():
        interval = f"{change.low:+.3f} to {change.high:+.3f}{' *' if change.clear else '  '}"
        counts = (f"{count:,}" for count in (change.larger, change.smaller, change.same))
        table.add_row(_SCORE_NAMES.get(name, name), f"{change.mean:+.3f}", interval, *counts)
    table.caption = "* zero is outside the interval"
    return table


def print_dataset(console: Console, built: "BuiltDataset") -> None:
    """Print the counts of a data set and the files that it consists of."""
    counts: dict[str, Any] = built.manifest["counts"]
    for name, count in counts.items():
        if count or name in ("rows", "clean", "repaired"):
            console.print(f"{name:>18} {count:,}")
    asked = built.manifest["asking"]
    if asked is not None and asked["unasked"]:
        console.print(
            f"{asked['unasked']:,} questions are still to be asked: the same command with "
            "--overwrite goes on with them.",
            soft_wrap=True,
        )
    console.print(plain(f"written to {built.folder}: {', '.join(built.files)}"), soft_wrap=True)


def print_estimate(console: Console, found: "Estimate", path: Path | None) -> None:
    """Print what a run would take, and what the figures rest on."""
    table = _table("Estimate", "expected", "95% interval")
    _interval(table, "rows", found.rows)
    if found.broken.high:
        _interval(table, "broken rows", found.broken)
    for name, heading in (("nli", "pairs for NLI"), ("llm", "questions to the LLM")):
        if name in found.questions and found.questions[name].high:
            _interval(table, heading, found.questions[name])
    _interval(table, "calls of the LLM", found.calls)
    if len(found.calls_by_prompt) > 1:
        for name, calls in found.calls_by_prompt.items():
            _interval(table, f"  {name}", calls)
    if found.calls.high:
        _interval(table, "input tokens", found.input_tokens)
        _interval(table, "output tokens", found.output_tokens)
    _interval(table, "seconds", found.seconds, 1)
    if found.llm_seconds is not None and found.llm_seconds.high:
        _interval(table, "  of these, for the LLM", found.llm_seconds, 1)
    console.print(table)
    workers = f"{found.workers} workers" if found.workers > 1 else "1 worker"
    console.print(
        f"from {found.sampled_rows:,} rows ({found.sampled_share:.1%} of the file), "
        f"{workers}, in {found.own_seconds:,.1f} s",
        soft_wrap=True,
    )
    for note in found.notes:
        console.print(plain(note), soft_wrap=True)
    if path is not None:
        console.print(plain(f"summary: {path}"), soft_wrap=True)


def _interval(table: Table, name: str, interval: "Interval", decimals: int = 0) -> None:
    value, low, high = (
        f"{number:,.{decimals}f}" for number in (interval.value, interval.low, interval.high)
    )
    table.add_row(plain(name), value, low if low == high else f"{low} to {high}")


def print_calibration(
    console: Console, result: "CalibrationResult", written: Mapping[str, Path]
) -> None:
    """Print the threshold, what is expected of it, and the files that were written."""
    found = result.calibration
    table = _table(f"Threshold by {found.goal}", f"{found.threshold:.3f}", "95% interval")
    for name, estimate in (("precision", found.precision), ("recall", found.recall)):
        interval = f"{estimate.low:.3f} to {estimate.high:.3f}"
        table.add_row(f"expected {name}", f"{estimate.value:.3f}", interval)
    expected, usual = result.expected.counts, result.usual
    table.add_row("expected balanced accuracy", f"{expected.balanced_accuracy:.3f}", "")
    table.add_section()
    table.add_row("balanced accuracy at 0.5", f"{usual.balanced_accuracy:.3f}", "")
    table.add_row("ROC-AUC", f"{result.roc_auc:.3f}", "")
    table.add_row("calibration error", f"{result.error:.3f}", "")
    review = result.review
    if review is not None:
        _review_section(table, review)
    console.print(table)
    console.print(f"texts: {found.supported:,} supported, {found.unsupported:,} unsupported")
    notes = () if review is None else (review.accepted.advice, review.rejected.advice)
    for note in filter(None, notes):
        console.print(note, soft_wrap=True)
    if review is not None and review.dependent:
        shared = f"{review.dependent:,} texts share their references"
        console.print(f"{shared}; the bound is for independent ones.", soft_wrap=True)
    counts = result.counts
    if result.roc_auc < _CHANCE:
        console.print(
            "The scores do not rise with the labels: check that no labels are exchanged.",
            soft_wrap=True,
        )
    if counts.recorded:
        console.print(
            f"{counts.recorded:,} scores are recorded ones: they must be of this engine.",
            soft_wrap=True,
        )
    if counts.unlabelled or counts.other_checks or counts.unjudged:
        console.print(
            f"left out: {counts.unlabelled:,} without a label, {counts.other_checks:,} of checks "
            f"that ask no NLI engine, {counts.unjudged:,} that could not be judged",
            soft_wrap=True,
        )
    _print_files(console, written)


def _review_section(table: Table, review: "ReviewBandResult") -> None:
    table.add_section()
    band = review.band
    heading = f"Risk at most {band.risk:g}, with probability {1 - band.delta:g}"
    table.add_row(heading, "from", "labelled texts")
    for name, side in (("accept", review.accepted), ("reject", review.rejected)):
        limit = "nothing" if side.limit is None else f"{side.limit:.3f}"
        direction = " up to" if name == "reject" and side.limit is not None else ""
        share = _share(side.decided, review.texts)
        table.add_row(f"  {name}{direction}", limit, f"{share}, {side.errors:,} of them wrongly")
    table.add_row("  review", "", _share(review.reviewed, review.texts))
