"""The command `groundtypes check`: clean rows, rejected rows and counts."""

from typing import Annotated

import typer

from groundtypes.cli.options import (
    AcceptedFaults,
    EngineOptions,
    EstimateOptions,
    JudgeOptions,
    LabelledRowKeys,
    OutputFormat,
    Outputs,
    Rows,
    RunOptions,
    Show,
    Strict,
)


def check(
    *,
    rows: Rows,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="MODULE:NAME",
            help="The model that reads the answers.  [default: groundtypes.models:CitedAnswer, and "
            "EntailedAnswer for plain text]",
        ),
    ] = None,
    outputs: Outputs,
    keys: LabelledRowKeys,
    judges: JudgeOptions,
    engine: EngineOptions,
    strict: Strict = False,
    show: Show = 5,
    format: OutputFormat = "text",  # noqa: A002 # the name of the option
    accepted: AcceptedFaults,
    run: RunOptions,
    estimate: EstimateOptions,
) -> int:
    """Check answers against the references of their rows.

    A row is a JSON object with its references under `references`, perhaps a `question`, and its
    answer under `answer`, or else in its other keys. The names of Ragas, TruLens and DeepEval are
    known, too.

    Exits with 0 when every row is clean, or the share of --fail-under, 1 when some are rejected,
    to be reviewed, could not be judged or are broken, 2 on a mistake.
    """
    from groundtypes.batch.loading import load_model
    from groundtypes.cli.jobs import run_job

    return run_job(
        None if model is None else load_model(model),
        model or "groundtypes.models:CitedAnswer, or EntailedAnswer for plain text",
        rows,
        keys.to_library(),
        outputs,
        run,
        judge=judges.judge,
        calibration=judges.calibration,
        engine=engine,
        strict=strict,
        show=show,
        form=format,
        accepted=accepted,
        estimate=estimate,
    )
