"""The command `groundtypes`: arguments in, exit code out."""

import contextlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

try:
    import typer
    from rich.console import Console
except ImportError as error:
    raise ImportError(
        "The command line of groundtypes needs typer and rich: pip install 'groundtypes[cli]'"
    ) from error

from groundtypes.cli import dataset as dataset_commands
from groundtypes.cli import options as option
from groundtypes.cli.evaluate import evaluate
from groundtypes.cli.judges import judges_of
from groundtypes.cli.loading import load_model
from groundtypes.cli.terminal import Screen, plain, show, show_report
from groundtypes.dataset import Job, Keys, Outcome, audited_rows, check_outputs, replace_file
from groundtypes.errors import DatasetError, Mistake
from groundtypes.models import supported_answer
from groundtypes.report import LIMIT, Report

__all__ = ["app", "evaluate", "main"]

_ALL_CLEAN: Final = 0
_SOME_REJECTED: Final = 1
_MISTAKE: Final = 2
_INTERRUPTED: Final = 130

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    no_args_is_help=True,
)


app.command()(evaluate)


@app.callback()
def groundtypes() -> None:
    """Check that what an LLM answered is grounded in its references."""


@app.command()
def check(
    rows: option.Rows,
    model: option.ModelName = "groundtypes.models:CitedAnswer",
    clean: Annotated[
        Path | None, typer.Option(help="Write the clean rows here, quotes word for word.")
    ] = None,
    rejected: option.Rejected = None,
    audits: option.Audits = None,
    json: option.Summary = None,
    answer: option.AnswerKey = None,
    references: option.ReferencesKey = None,
    question: option.QuestionKey = None,
    batch: option.Batch = 256,
    workers: option.Workers = 1,
    strict: option.Strict = False,
    resume: option.Resume = False,
    overwrite: option.Overwrite = False,
    quiet: option.Quiet = False,
) -> None:
    """Check answers against the references of their rows.

    A row is a JSON object with its references under `references`, `text_chunks` or `context`,
    perhaps a `question`, and its answer under `answer`, or else in its other keys.

    Exits with 0 when every row is clean, 1 when some are rejected or broken, 2 on a mistake.
    """
    _check(
        lambda: load_model(model),
        model,
        rows,
        Keys(answer, references, question),
        Outputs(clean, rejected, audits, json),
        batch=batch,
        workers=workers,
        strict=strict,
        resume=resume,
        overwrite=overwrite,
        quiet=quiet,
    )


@app.command()
def claims(
    rows: option.Rows,
    llm: Annotated[
        str,
        typer.Option(
            metavar="PROVIDER/MODEL", help="Who extracts the claims; a model's name for --base-url."
        ),
    ],
    base_url: Annotated[
        str | None, typer.Option(metavar="URL", help="An endpoint that speaks as OpenAI's does.")
    ] = None,
    mode: option.Mode = None,
    nli: Annotated[
        bool, typer.Option("--nli", help="Label claims by NLI: only extraction asks the LLM.")
    ] = False,
    extract_first: Annotated[
        bool,
        typer.Option("--extract-first", help="Extract claims in one call, label them in another."),
    ] = False,
    allow_neutral: Annotated[
        bool, typer.Option("--allow-neutral", help="Reject contradicted claims alone.")
    ] = False,
    clean: Annotated[
        Path | None, typer.Option(help="Write the rows here whose claims are borne out.")
    ] = None,
    rejected: option.Rejected = None,
    audits: option.Audits = None,
    json: option.Summary = None,
    cache: Annotated[
        Path | None, typer.Option(help="Keep the LLM's answers here: no question is paid twice.")
    ] = None,
    answer: option.AnswerKey = None,
    references: option.ReferencesKey = None,
    question: option.QuestionKey = None,
    concurrency: Annotated[int, typer.Option(min=1, help="How many calls are under way.")] = 16,
    most_calls: Annotated[
        int | None, typer.Option(min=1, help="Stop before more calls than these.")
    ] = None,
    batch: option.Batch = 64,
    strict: option.Strict = False,
    resume: option.Resume = False,
    overwrite: option.Overwrite = False,
    quiet: option.Quiet = False,
) -> None:
    """Take answers apart into claims, and label each against the references of its row.

    A row is as for `check`; its answer is text, under `answer` or the key that --answer names. The
    table shows how many claims are entailed, neutral and contradicted, and the mean over the rows.

    Exits with 0 when every claim is borne out, 1 when some are not, 2 on a mistake.
    """

    def model() -> Any:
        judges = judges_of(
            llm,
            base_url=base_url,
            mode=mode,
            by_nli=nli,
            cache=cache,
            concurrency=concurrency,
            most_calls=most_calls,
        )
        return supported_answer(
            answer or "answer", judges, allow_neutral=allow_neutral, extract_first=extract_first
        )

    chosen = {
        " by NLI": nli,
        " extracted first": extract_first and not nli,
        ", neutral allowed": allow_neutral,
    }
    _check(
        model,
        f"claims of {llm}{''.join(words for words, on in chosen.items() if on)}",
        rows,
        Keys(None, references, question),
        Outputs(clean, rejected, audits, json),
        batch=batch,
        workers=1,  # the model holds a client, which no other process can be given
        strict=strict,
        resume=resume,
        overwrite=overwrite,
        quiet=quiet,
    )


class Outputs(NamedTuple):
    """The files that a run writes."""

    clean: Path | None
    rejected: Path | None
    audits: Path | None
    json: Path | None


def _check(
    model: Callable[[], Any],
    name: str,
    rows: str,
    keys: Keys,
    outputs: Outputs,
    *,
    batch: int,
    workers: int,
    strict: bool,
    resume: bool,
    overwrite: bool,
    quiet: bool,
) -> None:
    """Run a job, print what it found, and exit."""
    errors = Console(stderr=True, markup=False, highlight=False, emoji=False)
    try:
        job = Job(
            model=model(),
            model_name=name,
            source=None if rows == "-" else Path(rows),
            clean=_resolved(outputs.clean),
            rejected=_resolved(outputs.rejected),
            audits=_resolved(outputs.audits),
            summary=_resolved(outputs.json),
            keys=keys,
            batch=batch,
            workers=workers,
            strict=strict,
            resume=resume,
            overwrite=overwrite,
        )
        with Screen(errors, quiet=quiet) as screen:
            outcome = job.run(screen)
        if not quiet:
            _print(outcome, job.summary)
    except Mistake as mistake:
        errors.print(plain(f"groundtypes: {mistake}", 2000), soft_wrap=True)
        raise typer.Exit(_MISTAKE) from None
    except KeyboardInterrupt:
        kept = outputs.clean or outputs.rejected or outputs.audits
        way_on = " Continue with the same command and --resume." if kept else ""
        errors.print(plain(f"groundtypes: Interrupted.{way_on}"), soft_wrap=True)
        raise typer.Exit(_INTERRUPTED) from None
    tally = outcome.tally
    raise typer.Exit(_ALL_CLEAN if tally.clean == tally.rows else _SOME_REJECTED)


@app.command()
def report(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Audited rows, as check writes them.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Write the page here.")] = Path(
        "report.html"
    ),
    title: Annotated[str, typer.Option(help="The title of the page.")] = "Audit",
    limit: Annotated[
        int, typer.Option(min=1, help="How many answers the page shows; it counts all.")
    ] = LIMIT,
    answer: option.AnswerKey = None,
    references: option.ReferencesKey = None,
    question: option.QuestionKey = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a page that exists already.")
    ] = False,
    quiet: option.Quiet = False,
) -> None:
    """Show audited answers beside their references, as one HTML page.

    FILE is what check writes with --audits, --rejected or --clean, or rows of Audit.to_row.

    Exits with 0 when the page is written, 2 on a mistake.
    """
    errors = Console(stderr=True, markup=False, highlight=False, emoji=False)
    try:
        target = _resolved(output) or output
        for source in files:
            check_outputs({"--output": target}, source)
        if target.exists() and not overwrite:
            raise DatasetError(
                f"--output exists already: {target}. Name another file, or replace it with "
                "--overwrite."
            )
        page = Report(
            audited_rows(files, Keys(answer, references, question)), title=title, limit=limit
        )
        replace_file(target, page.to_html().encode())
        if not quiet:
            _print_report(page, target)
    except Mistake as mistake:
        errors.print(plain(f"groundtypes: {mistake}", 2000), soft_wrap=True)
        raise typer.Exit(_MISTAKE) from None
    except KeyboardInterrupt:
        errors.print(plain("groundtypes: Interrupted."), soft_wrap=True)
        raise typer.Exit(_INTERRUPTED) from None


app.command()(dataset_commands.dataset)
app.command()(dataset_commands.batch)


def main() -> None:
    """Run the command; what it finds is the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    app()


def _resolved(path: Path | None) -> Path | None:
    """Return where the output really lies: a link stays a link, and its target is replaced."""
    try:
        return None if path is None else path.resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise DatasetError(f"{path} is no usable path: {error}") from error


def _print(outcome: Outcome, summary: Path | None) -> None:
    """Print what a run found."""
    _to_stdout(lambda console: show(console, outcome, summary))


def _print_report(page: Report, path: Path) -> None:
    """Print what a page holds and where it is."""
    _to_stdout(lambda console: show_report(console, page.summary, path))


def _to_stdout(tell: Callable[[Console], None]) -> None:
    """Print to standard output; nobody has to read it to the end."""
    if sys.stdout is None:
        return
    try:
        tell(Console(markup=False, highlight=False, emoji=False))
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes standard output once more when it ends.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        raise DatasetError(f"Cannot print the summary: {error.strerror}.") from error
