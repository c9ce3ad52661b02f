"""A run of `check` or `claims`: the model over the rows, progress, files, and the table."""

from pathlib import Path
from typing import Any, Final

from groundtypes.cli.formats import Format, formatted
from groundtypes.cli.guard import resumable
from groundtypes.cli.judges import available
from groundtypes.cli.options import (
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
from groundtypes.dataset import CheckOptions, Job, JobResult, Keys
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
    engine: EngineOptions,
    strict: bool,
    show: int,
    form: Format = "text",
    fail_under: float | None = None,
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
    judge = available(judge)
    if estimate.estimate:
        arguments = {
            "keys": keys,
            "judges": judge,
            "batch": run.batch,
            "workers": engine.workers,
            "on_mistake": "raise" if strict else run.on_mistake,
        }
        return run_estimate(model, rows, outputs.json, run, estimate, arguments)
    job = Job(
        # A strict run stops at a row that cannot be judged, as it does at a broken line.
        options=CheckOptions(model, model_name, keys, "raise" if strict else run.on_mistake, judge),
        source=None if rows == "-" else Path(rows),
        clean=resolved(outputs.clean),
        rejected=resolved(outputs.rejected),
        audits=resolved(outputs.audits),
        summary=resolved(outputs.json),
        batch=run.batch,
        workers=engine.workers,
        strict=strict,
        resume=run.resume,
        overwrite=run.overwrite,
    )
    most = show if show and form == "text" else _MOST_SHOWN
    bar = ProgressBar(quiet=run.quiet, show=most)
    with resumable(possible=outputs.can_resume), bar as progress:
        outcome = _run(job, engine, progress)
    if not run.quiet or form != "text":  # a program would take no output for no faults
        with standard_output() as console:
            if form == "text":
                print_job_result(console, rows, outcome, job.summary, bar.faults, labels=labels)
            else:
                print_for_programs(console, formatted(form, rows, bar.faults, outcome.counts))
    counts = outcome.counts
    if form != "text" and len(bar.faults) < (all_ := counts.faults + counts.broken):
        bar.noted(f"{len(bar.faults):,} of {all_:,} faults are printed; --rejected FILE has all.")
    # Rejected, unjudged and broken rows alike are none that may be used. The share is divided, not
    # multiplied: 0.07 * 100 is more than 7.
    share = counts.clean / counts.rows if counts.rows else 1.0
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
