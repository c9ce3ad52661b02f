"""The command `groundtypes batch`: check what a batch API gave back, and ask again for faults."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from groundtypes.cli.options import (
    JudgeName,
    ModelName,
    OnMistake,
    Overwrite,
    QuestionKey,
    ReferencesKey,
    RowKeys,
    option,
)

_NOTHING_LEFT: Final = 0
_SOMETHING_LEFT: Final = 1
_MOST_PROBLEMS_PRINTED: Final = 20


@dataclass(frozen=True, kw_only=True)
class BatchFiles:
    """The files that `batch` reads and writes, in addition to the results."""

    requests: Path = option(..., "The requests that were sent.")
    rows: Path = option(..., "Rows with references; their id is the custom_id.")
    recordings: Path = option(..., "Write every call here, with its attempts.")
    reasks: Path = option(..., "Write the requests of the next round here.")
    earlier: Path | None = option(None, "The recordings of the round before.")


def batch(
    *,
    results: Annotated[
        Path,
        typer.Argument(
            metavar="RESULTS", help="What the provider's batch API gave back, in OpenAI's format."
        ),
    ],
    files: BatchFiles,
    model: ModelName = "groundtypes.models:CitedAnswer",
    references: ReferencesKey = None,
    question: QuestionKey = None,
    judge: JudgeName = None,
    max_attempts: Annotated[
        int, typer.Option(min=1, help="Ask for an answer at most this many times.")
    ] = 3,
    on_mistake: OnMistake = "keep",
    overwrite: Overwrite = False,
) -> int:
    """Check the results of a batch API, and write the next requests.

    The requests of the next round ask again for faulty answers and for those that are missing.

    Exits with 0 when nothing is left to ask, 1 when something is, 2 on a mistake.
    """
    from groundtypes.batch.loading import load_model
    from groundtypes.cli.guard import printable
    from groundtypes.cli.judges import available
    from groundtypes.cli.terminal import standard_output
    from groundtypes.dataset import check_batch

    checked = check_batch(
        load_model(model),
        results,
        requests=files.requests,
        rows=files.rows,
        recordings=files.recordings,
        reasks=files.reasks,
        earlier=files.earlier,
        keys=RowKeys(references=references, question=question).to_library(),
        judges=available(judge),
        max_attempts=max_attempts,
        on_mistake=on_mistake,
        overwrite=overwrite,
    )
    for custom_id, problem in list(checked.problems.items())[:_MOST_PROBLEMS_PRINTED]:
        typer.echo(printable(f"{custom_id}: {problem}"), err=True)
    unjudged = f"{checked.unjudged:,} could not be judged, " if checked.unjudged else ""
    with standard_output() as console:
        console.print(
            f"{checked.passed:,} passed, {checked.faulty:,} faulty, {unjudged}"
            f"{checked.failed:,} unanswered; "
            f"{checked.reasked:,} requests to send again",
            soft_wrap=True,
        )
    return _SOMETHING_LEFT if checked.reasked or checked.problems else _NOTHING_LEFT
