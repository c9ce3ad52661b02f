"""The commands `groundtypes dataset` and `groundtypes batch`."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.console import Console

from groundtypes.cli import options as option
from groundtypes.cli.loading import load, load_model
from groundtypes.cli.terminal import Screen, plain
from groundtypes.dataset import Asking, BuiltDataset, Keys, build_dataset, chat_prompt, check_batch
from groundtypes.errors import DatasetError, Mistake, clip

__all__ = ["batch", "dataset"]

_MISTAKE: Final = 2
_INTERRUPTED: Final = 130


class _Policy(StrEnum):
    REJECT = "reject"
    DROP_ITEMS = "drop-items"
    SNAP = "snap"


class _Style(StrEnum):
    MESSAGES = "messages"
    TOOLS = "tools"


class _Format(StrEnum):
    OPENAI = "openai"
    JSONL = "jsonl"
    PARQUET = "parquet"


def dataset(
    rows: Annotated[
        str,
        typer.Argument(metavar="ROWS", help="Rows or recorded calls, JSON Lines; - reads stdin."),
    ],
    output: Annotated[Path, typer.Option(help="The folder to write to.")],
    model: option.ModelName = "groundtypes.models:CitedAnswer",
    policy: Annotated[
        _Policy, typer.Option(help="What happens to a faulty answer.")
    ] = _Policy.REJECT,
    style: Annotated[
        _Style, typer.Option(help="The answer as text, or as the call of a tool.")
    ] = _Style.MESSAGES,
    format: Annotated[  # the name of the option
        list[_Format] | None, typer.Option(help="May be given several times: openai, jsonl, ...")
    ] = None,
    test: Annotated[float, typer.Option(help="The share of the test split.")] = 0.1,
    seed: Annotated[int, typer.Option(help="Another number gives another split.")] = 0,
    near_duplicates: Annotated[
        float, typer.Option(help="Leave out rows that resemble an earlier one so much; 0: equal.")
    ] = 0.9,
    prompt: Annotated[
        str | None,
        typer.Option(metavar="MODULE:NAME", help="Makes messages of a question and references."),
    ] = None,
    licence: Annotated[str | None, typer.Option(help="A note for the manifest.")] = None,
    answer: option.AnswerKey = None,
    references: option.ReferencesKey = None,
    question: option.QuestionKey = None,
    ask: Annotated[
        str | None,
        typer.Option(metavar="PROVIDER/MODEL", help="The rows are questions; ask this LLM them."),
    ] = None,
    concurrency: Annotated[
        int, typer.Option(min=1, help="How many questions are asked at the same time.")
    ] = 8,
    max_retries: Annotated[
        int, typer.Option(min=0, help="How often a faulty answer is asked for again.")
    ] = 2,
    max_calls: Annotated[
        int | None, typer.Option(min=1, help="Send no more requests than this, re-asks included.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(min=1, help="Ask no further question after so many tokens.")
    ] = None,
    batch: option.Batch = 256,
    workers: option.Workers = 1,
    resume: option.Resume = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a data set that is there already.")
    ] = False,
    quiet: option.Quiet = False,
) -> None:
    """Make a data set to train on of the answers whose every check passed.

    Exits with 0 when rows to train on were written, 1 when no answer passed, 2 on a mistake.
    """
    errors = Console(stderr=True, markup=False, highlight=False, emoji=False)
    with telling(errors), Screen(errors, quiet=quiet) as screen:
        built = build_dataset(
            load_model(model),
            rows,
            output,
            policy=policy.value,
            style=style.value,
            formats=[name.value for name in format or (_Format.OPENAI, _Format.JSONL)],
            test=test,
            seed=seed,
            near_duplicates=near_duplicates or None,
            prompt=chat_prompt if prompt is None else load(prompt, "--prompt"),
            licence=licence,
            ask=None
            if ask is None
            else Asking(
                client=_client(ask),
                concurrency=concurrency,
                max_retries=max_retries,
                max_calls=max_calls,
                max_tokens=max_tokens,
            ),
            keys=Keys(answer, references, question),
            batch=batch,
            workers=workers,
            resume=resume,
            overwrite=overwrite,
            watcher=screen,
        )
    if not quiet:
        _show(built)
    counts = built.manifest["counts"]
    if not counts["supervised train"] + counts["supervised test"]:
        raise typer.Exit(1)


def batch(
    results: Annotated[
        Path, typer.Argument(help="What the provider's batch API gave back, in OpenAI's format.")
    ],
    requests: Annotated[Path, typer.Option(help="The requests that were sent.")],
    rows: Annotated[Path, typer.Option(help="Rows with references; their id is the custom_id.")],
    recordings: Annotated[Path, typer.Option(help="Write every call here, with its attempts.")],
    reasks: Annotated[Path, typer.Option(help="Write the requests of the next round here.")],
    earlier: Annotated[
        Path | None, typer.Option(help="The recordings of the round before.")
    ] = None,
    model: option.ModelName = "groundtypes.models:CitedAnswer",
    references: option.ReferencesKey = None,
    question: option.QuestionKey = None,
    max_attempts: Annotated[
        int, typer.Option(min=1, help="After so many attempts an answer is not asked again.")
    ] = 3,
    overwrite: option.Overwrite = False,
) -> None:
    """Check the answers of a batch, and write the requests that ask for the faulty ones again.

    Exits with 0 when nothing is left to ask, 1 when something is, 2 on a mistake.
    """
    errors = Console(stderr=True, markup=False, highlight=False, emoji=False)
    with telling(errors):
        checked = check_batch(
            load_model(model),
            results,
            requests=requests,
            rows=rows,
            recordings=recordings,
            reasks=reasks,
            earlier=earlier,
            keys=Keys(None, references, question),
            max_attempts=max_attempts,
            overwrite=overwrite,
        )
    for name, problem in list(checked.problems.items())[:20]:
        errors.print(plain(f"{name}: {problem}"), soft_wrap=True)
    console = Console(markup=False, highlight=False, emoji=False)
    console.print(
        f"{checked.passed:,} passed, {checked.faulty:,} faulty, {checked.failed:,} unanswered; "
        f"{checked.reasked:,} requests to send again",
        soft_wrap=True,
    )
    raise typer.Exit(1 if checked.reasked or checked.problems else 0)


def _client(name: str) -> Any:
    """Return the client of instructor for `provider/model`.

    Raises:
        DatasetError: instructor is missing, or cannot make one, for want of a key perhaps.
    """
    try:
        import instructor  # noqa: PLC0415 # an extra
    except ImportError as error:
        raise DatasetError(
            "--ask needs instructor: pip install 'groundtypes[instructor]'"
        ) from error
    try:
        return instructor.from_provider(name)
    except Exception as error:
        reason = f"{type(error).__name__}: {clip(str(error), 300)}"
        raise DatasetError(f"--ask {name}: {reason}") from error


@contextmanager
def telling(errors: Console) -> Iterator[None]:
    """Tell a mistake or an interruption in a line, and end with its exit code."""
    try:
        yield
    except Mistake as mistake:
        errors.print(plain(f"groundtypes: {mistake}", 2000), soft_wrap=True)
        raise typer.Exit(_MISTAKE) from None
    except KeyboardInterrupt:
        errors.print("groundtypes: Interrupted. Continue with the same command and --resume.")
        raise typer.Exit(_INTERRUPTED) from None


def _show(built: BuiltDataset) -> None:
    console = Console(markup=False, highlight=False, emoji=False)
    counts: dict[str, Any] = built.manifest["counts"]
    for name, count in counts.items():
        if count or name in ("rows", "clean"):
            console.print(f"{name:>18} {count:,}")
    asked = built.manifest["asking"]
    if asked is not None and asked["unasked"]:
        console.print(
            f"{asked['unasked']:,} questions are still to be asked: the same command with "
            "--overwrite goes on with them.",
            soft_wrap=True,
        )
    console.print(plain(f"written to {built.folder}: {', '.join(built.files)}"), soft_wrap=True)
