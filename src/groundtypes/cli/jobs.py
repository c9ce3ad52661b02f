"""A run of `check` or `claims`: the model over the rows, progress, files, and the table."""

from pathlib import Path
from typing import Any, Final

from groundtypes.cli.guard import resumable
from groundtypes.cli.options import Engine, EngineOptions, Outputs, RunOptions, resolved
from groundtypes.cli.results import print_job_result
from groundtypes.cli.terminal import ProgressBar, standard_output
from groundtypes.dataset import CheckOptions, Job, JobResult, Keys
from groundtypes.errors import DatasetError

__all__ = ["run_job"]

_ALL_CLEAN: Final = 0
_SOME_REJECTED: Final = 1


def run_job(
    model: Any,
    model_name: str,
    rows: str,
    keys: Keys,
    outputs: Outputs,
    run: RunOptions,
    *,
    engine: EngineOptions,
    strict: bool,
) -> int:
    """Run the model over the rows, print the counts, and return the exit code.

    Raises:
        Mistake: The files, the model or, in a strict run, a line cannot be used.
    """
    engine.check()
    job = Job(
        options=CheckOptions(model, model_name, keys),
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
    with resumable(possible=outputs.can_resume), ProgressBar(quiet=run.quiet) as progress:
        outcome = _run(job, engine, progress)
    if not run.quiet:
        with standard_output() as console:
            print_job_result(console, outcome, job.summary)
    counts = outcome.counts
    return _ALL_CLEAN if counts.clean == counts.rows else _SOME_REJECTED


def _run(job: Job, engine: EngineOptions, progress: ProgressBar) -> JobResult:
    if engine.engine is Engine.LOCAL:
        return job.run(progress)
    try:
        from groundtypes.ray.checking import check
    except ImportError as error:
        raise DatasetError(str(error)) from error
    return check(
        job, address=engine.address, actors=engine.actors, gpus=engine.gpus, progress=progress
    )
