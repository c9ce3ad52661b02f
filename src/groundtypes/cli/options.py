"""Options that several commands have."""

from pathlib import Path
from typing import Annotated

try:
    import typer
except ImportError as error:
    raise ImportError(
        "The command line of groundtypes needs typer and rich: pip install 'groundtypes[cli]'"
    ) from error

__all__ = [
    "AnswerKey",
    "Audits",
    "Batch",
    "Mode",
    "ModelName",
    "Overwrite",
    "QuestionKey",
    "Quiet",
    "ReferencesKey",
    "Rejected",
    "Resume",
    "Rows",
    "Strict",
    "Summary",
    "Workers",
]

Rows = Annotated[str, typer.Argument(metavar="ROWS", help="JSON Lines; - reads standard input.")]
ModelName = Annotated[
    str, typer.Option(metavar="MODULE:NAME", help="The model that reads the answers.")
]
Rejected = Annotated[
    Path | None, typer.Option(help="Write the other rows here, with their verdicts.")
]
Audits = Annotated[
    Path | None, typer.Option(help="Write every row here, with its verdicts, for report.")
]
Summary = Annotated[Path | None, typer.Option(help="Write the summary here, as JSON.")]
AnswerKey = Annotated[
    str | None, typer.Option(metavar="KEY", help="The key of a row that holds the answer.")
]
ReferencesKey = Annotated[
    str | None, typer.Option(metavar="KEY", help="The key that holds the references.")
]
QuestionKey = Annotated[
    str | None, typer.Option(metavar="KEY", help="The key that holds the question.")
]
Batch = Annotated[int, typer.Option(min=1, help="How many rows are judged together.")]
Workers = Annotated[int, typer.Option(min=1, max=256, help="How many processes judge batches.")]
Strict = Annotated[bool, typer.Option("--strict", help="Stop at the first broken line.")]
Resume = Annotated[
    bool, typer.Option("--resume", help="Continue an interrupted run, if there is one.")
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace outputs that exist already.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print nothing but mistakes.")]
Mode = Annotated[str | None, typer.Option(help="instructor's mode, as JSON_SCHEMA.")]
