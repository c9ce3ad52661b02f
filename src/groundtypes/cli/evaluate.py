"""The command `groundtypes evaluate`: scores of a run of answers, with intervals."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from groundtypes.cli.guard import resumable
from groundtypes.cli.options import JudgeName, LLMConnection, SmallBatchOptions, option

_ALL_EVALUATED: Final = 0
_SOME_BROKEN: Final = 1


@dataclass(frozen=True, kw_only=True)
class ScoreFiles:
    """The files that `evaluate` writes."""

    rows: Path | None = option(None, "Write scores and statements of each row here.")
    json: Path | None = option(None, "Write the means here, as JSON.")


@dataclass(frozen=True, kw_only=True)
class ColumnNames:
    """Under which names a row holds its parts."""

    answer: str | None = option(None, "The answers.", metavar="COLUMN")
    context: str | None = option(None, "The contexts.", metavar="COLUMN")
    question: str | None = option(None, "The questions.", metavar="COLUMN")
    ground_truth: str | None = option(None, "The expected answers.", metavar="COLUMN")
    row_id: str = option(
        "id", "The column that pairs the rows of two runs.", "--id", metavar="COLUMN"
    )


def evaluate(
    *,
    source: Annotated[Path, typer.Argument(metavar="ROWS", help="JSON Lines, CSV or Parquet.")],
    compare: Annotated[
        Path | None,
        typer.Option(
            help="The baseline run: rows to evaluate as well, or its earlier --rows file; "
            "differences are this run minus the baseline."
        ),
    ] = None,
    files: ScoreFiles,
    columns: ColumnNames,
    llm: Annotated[
        str | None,
        typer.Option(
            metavar="PROVIDER/MODEL",
            help="An LLM that splits and labels statements, instead of NLI.",
        ),
    ] = None,
    judge: JudgeName = None,
    connection: LLMConnection,
    citations: Annotated[
        bool,
        typer.Option(
            "--citations",
            help="Also score the citation markers of the answers: recall, precision and F1.",
        ),
    ] = False,
    run: SmallBatchOptions,
) -> int:
    """Score answers against their contexts and the expected answers.

    Prints the mean of each score over the rows that have it, with its interval, and with
    --compare how the run differs from its baseline, row by row. A row that cannot be evaluated is
    counted, and kept with its reason in --rows.

    Exits with 0, with 1 when some rows are broken or could not be judged, with 2 on a mistake.
    """
    from groundtypes.cli.judges import available, llm_judges
    from groundtypes.cli.printed_results import print_scores
    from groundtypes.cli.terminal import ProgressBar, standard_output
    from groundtypes.dataset import Columns, EvaluationJob
    from groundtypes.errors import ContextError
    from groundtypes.judges import Judges
    from groundtypes.row_files.files import resolved
    from groundtypes.validators.cited import Cited

    if llm is not None and judge is not None:
        raise ContextError("An LLM judges in place of an NLI engine: give --llm or --judge.")
    check = Cited(superfluous=True, by="nli" if llm is None else "llm") if citations else None
    job = EvaluationJob(
        source=source,
        judges=Judges(nli=available(judge)) if llm is None else llm_judges(llm, connection),
        engine=llm or judge or "nli",
        columns=Columns(**asdict(columns)),
        baseline=compare,
        rows=resolved(files.rows),
        summary=resolved(files.json),
        batch=run.batch,
        citations=check,
        on_mistake=run.on_mistake,
        resume=run.resume,
        overwrite=run.overwrite,
    )
    with resumable(possible=files.rows is not None), ProgressBar(quiet=run.quiet) as progress:
        report = job.run(progress)
    if not run.quiet:
        with standard_output() as console:
            print_scores(console, report)
    return _SOME_BROKEN if report.broken + report.unjudged else _ALL_EVALUATED
