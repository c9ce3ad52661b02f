"""The command `groundtypes`: arguments in, exit code out."""

import contextlib
import os
import sys
from pathlib import Path
from typing import Annotated, Final

try:
    import typer
    from rich.console import Console
except ImportError as error:
    raise ImportError(
        "The command line of groundtypes needs typer and rich: pip install 'groundtypes[cli]'"
    ) from error

from groundtypes import dataset_commands
from groundtypes.dataset import Job, Keys, Outcome
from groundtypes.errors import DatasetError, Mistake
from groundtypes.loading import load_model
from groundtypes.terminal import Screen, plain, show

__all__ = ["app", "main"]

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


@app.callback()
def groundtypes() -> None:
    """Check that what an LLM answered is grounded in its references."""


@app.command()
def check(
    rows: Annotated[
        str, typer.Argument(metavar="ROWS", help="JSON Lines; - reads standard input.")
    ],
    model: Annotated[
        str, typer.Option(metavar="MODULE:NAME", help="The model that reads the answers.")
    ] = "groundtypes.models:CitedAnswer",
    clean: Annotated[
        Path | None, typer.Option(help="Write the clean rows here, quotes word for word.")
    ] = None,
    rejected: Annotated[
        Path | None, typer.Option(help="Write the other rows here, with their verdicts.")
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Write the summary here, as JSON.")] = None,
    answer: Annotated[
        str | None, typer.Option(metavar="KEY", help="The key of a row that holds the answer.")
    ] = None,
    references: Annotated[
        str | None, typer.Option(metavar="KEY", help="The key that holds the references.")
    ] = None,
    question: Annotated[
        str | None, typer.Option(metavar="KEY", help="The key that holds the question.")
    ] = None,
    batch: Annotated[int, typer.Option(min=1, help="How many rows are judged together.")] = 256,
    workers: Annotated[
        int, typer.Option(min=1, max=256, help="How many processes judge batches.")
    ] = 1,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first broken line.")
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue an interrupted run, if there is one.")
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace outputs that exist already.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing but mistakes.")] = False,
) -> None:
    """Check answers against the references of their rows.

    A row is a JSON object with its references under `references`, `text_chunks` or `context`,
    perhaps a `question`, and its answer under `answer`, or else in its other keys.

    Exits with 0 when every row is clean, 1 when some are rejected or broken, 2 on a mistake.
    """
    errors = Console(stderr=True, markup=False, highlight=False, emoji=False)
    try:
        job = Job(
            model=load_model(model),
            model_name=model,
            source=None if rows == "-" else Path(rows),
            clean=_resolved(clean),
            rejected=_resolved(rejected),
            summary=_resolved(json),
            keys=Keys(answer, references, question),
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
        way_on = " Continue with the same command and --resume." if clean or rejected else ""
        errors.print(plain(f"groundtypes: Interrupted.{way_on}"), soft_wrap=True)
        raise typer.Exit(_INTERRUPTED) from None
    tally = outcome.tally
    raise typer.Exit(_ALL_CLEAN if tally.clean == tally.rows else _SOME_REJECTED)


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
    """Print the summary; nobody has to read it to the end."""
    if sys.stdout is None:
        return
    try:
        show(Console(markup=False, highlight=False, emoji=False), outcome, summary)
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes standard output once more when it ends.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        raise DatasetError(f"Cannot print the summary: {error.strerror}.") from error
