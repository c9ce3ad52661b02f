"""The command `groundtypes evaluate`: scores of a run of answers, with intervals."""

from pathlib import Path
from typing import Annotated, Any, Final

try:
    import typer
    from rich.console import Console
except ImportError as error:
    raise ImportError(
        "The command line of groundtypes needs typer and rich: pip install 'groundtypes[cli]'"
    ) from error

from groundtypes.cli import options as option
from groundtypes.cli.judges import judges_of
from groundtypes.cli.terminal import Screen, plain, show_scores
from groundtypes.dataset import Columns, EvaluationJob
from groundtypes.errors import DatasetError, Mistake
from groundtypes.judges import Judges

__all__ = ["evaluate"]

_DONE: Final = 0
_SOME_BROKEN: Final = 1
_MISTAKE: Final = 2
_INTERRUPTED: Final = 130


def evaluate(
    source: Annotated[Path, typer.Argument(metavar="ROWS", help="JSON Lines, CSV or Parquet.")],
    compare: Annotated[
        Path | None,
        typer.Option(help="A second run: rows to evaluate too, or what --rows wrote of it."),
    ] = None,
    rows: Annotated[
        Path | None, typer.Option(help="Write scores and statements of each row here.")
    ] = None,
    csv: Annotated[Path | None, typer.Option(help="Write the scores of each row here.")] = None,
    json: Annotated[Path | None, typer.Option(help="Write the means here, as JSON.")] = None,
    answer: Annotated[str, typer.Option(metavar="COLUMN", help="The answers.")] = "answer",
    context: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN", help="The contexts; else references, text_chunks or context."
        ),
    ] = None,
    question: Annotated[str, typer.Option(metavar="COLUMN", help="The questions.")] = "question",
    ground_truth: Annotated[
        str, typer.Option(metavar="COLUMN", help="The answers that were expected.")
    ] = "ground_truth",
    row_id: Annotated[
        str, typer.Option("--id", metavar="COLUMN", help="By which rows of two runs are paired.")
    ] = "id",
    llm: Annotated[
        str | None,
        typer.Option(
            metavar="PROVIDER/MODEL", help="Splits and labels statements, instead of NLI."
        ),
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(metavar="URL", help="An endpoint that speaks as OpenAI's does.")
    ] = None,
    mode: option.Mode = None,
    cache: Annotated[
        Path | None, typer.Option(help="Keep the LLM's answers here: no question is paid twice.")
    ] = None,
    batch: option.Batch = 64,
    resume: option.Resume = False,
    overwrite: option.Overwrite = False,
    quiet: option.Quiet = False,
) -> None:
    """Score answers against their contexts and the answers that were expected.

    Prints the mean of each score over the rows that have it, with its interval, and with
    --compare how the run differs from a second one, row by row. A row that cannot be evaluated is
    counted, and kept with its reason in --rows.

    Exits with 0, with 1 when some rows are broken, with 2 on a mistake.
    """
    errors = Console(stderr=True, markup=False, highlight=False, emoji=False)
    try:
        job = EvaluationJob(
            source=source,
            judges=_judges(llm, base_url, mode, cache),
            engine=llm or "nli",
            columns=Columns(answer, context, question, ground_truth, row_id),
            other=compare,
            rows=_resolved(rows),
            csv=_resolved(csv),
            summary=_resolved(json),
            batch=batch,
            resume=resume,
            overwrite=overwrite,
        )
        with Screen(errors, quiet=quiet) as screen:
            report = job.run(screen)
        if not quiet:
            show_scores(Console(markup=False, highlight=False, emoji=False), report)
    except Mistake as mistake:
        errors.print(plain(f"groundtypes: {mistake}", 2000), soft_wrap=True)
        raise typer.Exit(_MISTAKE) from None
    except KeyboardInterrupt:
        way_on = " Continue with the same command and --resume." if rows else ""
        errors.print(plain(f"groundtypes: Interrupted.{way_on}"), soft_wrap=True)
        raise typer.Exit(_INTERRUPTED) from None
    raise typer.Exit(_SOME_BROKEN if report.broken else _DONE)


def _judges(llm: str | None, base_url: str | None, mode: str | None, cache: Path | None) -> Judges:
    if llm is None:
        return Judges()
    found: Any = judges_of(llm, base_url=base_url, mode=mode, cache=cache)
    return Judges(llm=found.llm)


def _resolved(path: Path | None) -> Path | None:
    """Return where the output really lies: a link stays a link, and its target is replaced."""
    try:
        return None if path is None else path.resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise DatasetError(f"{path} is no usable path: {error}") from error
