"""The list of the commands, and the entry point of the console script."""

import sys
from typing import Annotated

import typer

from groundtypes.cli.batch import batch
from groundtypes.cli.calibrate import calibrate
from groundtypes.cli.check import check
from groundtypes.cli.claims import claims
from groundtypes.cli.dataset import dataset
from groundtypes.cli.evaluate import evaluate
from groundtypes.cli.guard import guarded
from groundtypes.cli.hook import NonBlockingCommand, hook
from groundtypes.cli.mcp import mcp
from groundtypes.cli.options import expand_groups
from groundtypes.cli.report import report

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    no_args_is_help=True,
    context_settings={"max_content_width": 120},
)
for command in (check, claims, evaluate, calibrate, report, dataset, batch, mcp):
    app.command()(guarded(expand_groups(command)))
app.command(cls=NonBlockingCommand)(guarded(hook))


def _print_version(wanted: bool) -> None:  # noqa: FBT001 # what Typer passes
    if wanted:
        from groundtypes import __version__

        typer.echo(f"groundtypes {__version__}")
        raise typer.Exit


@app.callback()
def groundtypes(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Check that the answers of an LLM are grounded in their references."""


def main() -> None:
    """Run the command that the arguments name, and exit with its code."""
    for stream in (sys.stdout, sys.stderr):
        # A character that the terminal cannot show is escaped instead of raising an error.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    app()
