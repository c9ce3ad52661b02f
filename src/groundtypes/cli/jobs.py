"""A run of `check` or `claims`: the model over the rows, progress, files, and the table."""

from pathlib import Path
from typing import Any, Final

from groundtypes.cli.baselines import Baseline
from groundtypes.cli.formats import Format, formatted
from groundtypes.cli.guard import resumable
from groundtypes.cli.judges import available, calibrated
from groundtypes.cli.options import (
    AcceptedFaults,
    EngineOptions,
    EstimateOptions,
    Outputs,
    RunOptions,
)
from groundtypes.cli.printed_results import (
    print_estimate,
    print_for_programs,
    print_job_result,
)
from groundtypes.cli.terminal import ProgressBar, standard_output
from groundtypes.dataset import CheckOptions, Job, JobResult, Keys, RunCounts
from groundtypes.errors import DatasetError
from groundtypes.row_files.files import replace_file, resolved
from groundtypes.row_files.json_lines import json_bytes
from groundtypes.row_files.run_files import check_absent, check_outputs

_ESTIMATED: Final = 0
_ALL_CLEAN: Final = 0
_SOME_REJECTED: Final = 1
#: So many faults are printed where all are asked for.
_MOST_SHOWN: Final = 100_000


def run_job(
    model: Any,
    model_name: str,
    rows: str,
    keys: Keys,
    outputs: Outputs,
    run: RunOptions,
    *,
    judge: str | None = None,
    calibration: Path | None = None,
    engine: EngineOptions,
    strict: bool,
    show: int,
    form: Format = "text",
    accepted: AcceptedFaults = AcceptedFaults(),  # noqa: B008 # frozen
    estimate: EstimateOptions,
    labels: bool = False,
) -> int:
    """Run the model over the rows, print the counts, and return the exit code."""
    engine.check(estimate=estimate.estimate)
    if engine.engine == "ray" and form != "text":
        # A cluster sends counts back, and a list without faults would say that there are none.
        raise DatasetError(
            "--format needs --engine local; with Ray, --rejected FILE has all faults."
        )
    estimate.check()
    judges = calibrated(model, available(judge), calibration)
    # A strict run stops at a row that cannot be judged, as it does at a broken line.
    on_mistake = "raise" if strict else run.on_mistake
    if estimate.estimate:
        arguments = {"keys": keys, "judges": judges, "batch": run.batch, "workers": engine.workers}
        arguments["on_mistake"] = on_mistake
        return run_estimate(model, rows, outputs.json, run, estimate, arguments)
    job = Job(
        options=CheckOptions(model, model_name, keys, on_mistake, judges),
        source=None if rows == "-" else Path(rows),
        clean=resolved(outputs.clean),
        rejected=resolved(outputs.rejected),
        review=resolved(outputs.review),
        audits=resolved(outputs.audits),
        summary=resolved(outputs.json),
        batch=run.batch,
        workers=engine.workers,
        strict=strict,
        resume=run.resume,
        overwrite=run.overwrite,
        tables=keys,
    )
    files = {**job.outputs, **({} if job.summary is None else {"summary": job.summary})}
    written = {**files, "write_baseline": resolved(accepted.write_baseline)}
    read = [calibration, Path(model_name.rpartition(":")[0])]  # the file of the model, if it is one
    check_outputs({name: path for name, path in written.items() if path}, filter(None, read))
    baseline = accepted.opened(model_name, files, rows, run, on_ray=engine.engine == "ray")
    only_new = form not in ("sarif", "json")  # which have the state of each fault
    most = show if show and form == "text" else _MOST_SHOWN
    bar = ProgressBar(quiet=run.quiet, show=most, baseline=baseline, only_new=only_new)
    with resumable(possible=outputs.can_resume), bar as progress:
        outcome = _run(job, engine, progress)
    if baseline is not None and (path := resolved(accepted.write_baseline)) is not None:
        baseline.write(path)
    if form == "text" and not run.quiet:
        with standard_output() as console:
            print_job_result(console, rows, outcome, bar.faults, files, baseline, labels=labels)
    elif form != "text":  # with --quiet, too: a program would take no output for no faults
        _print_formatted(form, rows, bar, outcome.counts, baseline)
    return _exit_code(outcome.counts, baseline, accepted.fail_under)


def _print_formatted(
    form: Format, rows: str, bar: ProgressBar, counts: RunCounts, baseline: Baseline | None
) -> None:
    """Print the faults for another program, and say if they are too many to print."""
    with standard_output() as console:
        print_for_programs(console, formatted(form, rows, bar.faults, counts, baseline))
    found = counts.faults + counts.broken + counts.unjudged + counts.review
    if len(bar.faults) == _MOST_SHOWN < found:
        bar.noted(f"{_MOST_SHOWN:,} of {found:,} faults are printed; --rejected FILE has all.")


def _exit_code(counts: RunCounts, baseline: Baseline | None, fail_under: float | None) -> int:
    # Only clean rows may be used, and those rejected for accepted faults alone. The share is
    # divided, not multiplied: 0.07 * 100 is more than 7.
    passed = counts.clean + (0 if baseline is None else baseline.rows)
    share = passed / counts.rows if counts.rows else 1.0
    return _ALL_CLEAN if share >= (1.0 if fail_under is None else fail_under) else _SOME_REJECTED


def _run(job: Job, engine: EngineOptions, progress: ProgressBar) -> JobResult:
    if engine.engine == "local":
        return job.run(progress)
    try:
        from groundtypes.ray.checking import check
    except ImportError as error:
        raise DatasetError(str(error)) from error
    return check(
        job, address=engine.address, actors=engine.actors, gpus=engine.gpus, progress=progress
    )


def run_estimate(
    model: Any,
    rows: str,
    summary: Path | None,
    run: RunOptions,
    options: EstimateOptions,
    arguments: dict[str, Any],
) -> int:
    """Print what a run over the rows would take, and return the exit code.

    `summary` is where the figures are written as JSON, and `arguments` are further ones of
    `groundtypes.dataset.estimate`.
    """
    from groundtypes.dataset import estimate

    path = resolved(summary)
    if path is not None:
        check_outputs({"summary": path}, [Path(rows)])
        if not run.overwrite:
            check_absent({"summary": path})
    with ProgressBar(quiet=run.quiet, description="estimating") as progress:
        found = estimate(
            model, rows, call_seconds=options.call_seconds, progress=progress, **arguments
        )
    if path is not None:
        replace_file(path, json_bytes(found.to_dict(), indent=2) + b"\n")
    if not run.quiet:
        with standard_output() as console:
            print_estimate(console, found, path)
    return _ESTIMATED
