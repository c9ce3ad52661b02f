"""The command `groundtypes dataset`: the files that trainers read, from answers that pass."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from groundtypes.cli.guard import resumable
from groundtypes.cli.options import (
    EngineOptions,
    EstimateOptions,
    JudgeOptions,
    ModelName,
    RowKeys,
    RunOptions,
    option,
)
from groundtypes.errors import DatasetError

if TYPE_CHECKING:
    from groundtypes.dataset import AskOptions
    from groundtypes.dataset.build.data_set import BuiltDataset

_ROWS_WRITTEN: Final = 0
_NO_ANSWER_PASSED: Final = 1


class Format(StrEnum):
    """A kind of files; Typer reads no list of literals."""

    OPENAI = "openai"
    JSONL = "jsonl"


@dataclass(frozen=True, kw_only=True)
class DatasetOptions:
    """Which answers become training examples, and how they are written."""

    policy: Literal["reject", "drop-items", "snap"] = option(
        "reject", "What happens to a faulty answer."
    )
    style: Literal["messages", "tools"] = option(
        "messages", "The answer as text, or as a tool call."
    )
    format: list[Format] | None = option(
        None, "Can be given several times.  [default: openai, jsonl]"
    )
    test: float = option(0.1, "The share of the test split.")
    seed: int = option(0, "The seed of the split.")
    near_duplicates: float = option(
        0.9, "Leave out rows this similar to an earlier one; 0: equal rows only."
    )
    prompt: str | None = option(
        None,
        "A function that makes messages from a question and references.",
        metavar="MODULE:NAME",
    )
    licence: str | None = option(None, "A note for the manifest.")


@dataclass(frozen=True, kw_only=True)
class QuestionOptions:
    """Whether questions are asked live, and how many calls that may take."""

    ask: str | None = option(
        None, "The rows are questions; ask this LLM.", metavar="PROVIDER/MODEL"
    )
    concurrency: int = option(8, "How many questions are asked at the same time.", min=1)
    max_retries: int = option(2, "How often a faulty answer is asked for again.", min=0)
    max_calls: int | None = option(
        None, "Send no more requests than this, re-asks included.", min=1
    )
    max_tokens: int | None = option(None, "Ask no further question after this many tokens.", min=1)

    def asking(self) -> "AskOptions | None":
        """Return how the library asks questions; `None` where the rows hold their answers."""
        from groundtypes.cli.judges import instructor_client
        from groundtypes.dataset import AskOptions

        if self.ask is None:
            if self.max_calls is not None or self.max_tokens is not None:
                raise DatasetError("--max-calls and --max-tokens need --ask.")
            return None
        return AskOptions(
            client=instructor_client(self.ask),
            concurrency=self.concurrency,
            max_retries=self.max_retries,
            max_calls=self.max_calls,
            max_tokens=self.max_tokens,
        )


@dataclass(frozen=True, kw_only=True)
class DatasetEstimateOptions(EstimateOptions):
    """Whether a run of `dataset` is only estimated."""

    json: Path | None = option(None, "For --estimate: write its figures here, as JSON.")

    def check(self) -> None:
        """Refuse what only an estimate reads where a run is not only estimated."""
        super().check()
        if not self.estimate and self.json is not None:
            raise DatasetError(
                "--json is of --estimate; a data set has its figures in manifest.json."
            )


def dataset(
    *,
    rows: Annotated[
        str,
        typer.Argument(metavar="ROWS", help="Rows or recorded calls, JSON Lines; - reads stdin."),
    ],
    output: Annotated[Path, typer.Option(help="The folder to write to.")],
    model: ModelName = "groundtypes.models:CitedAnswer",
    examples: DatasetOptions,
    keys: RowKeys,
    asking: QuestionOptions,
    judges: JudgeOptions,
    engine: EngineOptions,
    run: RunOptions,
    estimate: DatasetEstimateOptions,
) -> int:
    """Write a fine-tuning data set of answers that pass all checks.

    A row that cannot be judged is rejected, with the reason, and counted. Rows that a person should
    look at, by the band of --calibration, are written to review.jsonl.

    Exits with 0 when rows to train on were written, 1 when no answer passed, 2 on a mistake.
    """
    from groundtypes.batch.loading import load, load_model
    from groundtypes.cli.judges import available, calibrated
    from groundtypes.cli.printed_results import print_dataset
    from groundtypes.cli.terminal import ProgressBar, standard_output
    from groundtypes.dataset import chat_prompt

    engine.check(estimate=estimate.estimate)
    estimate.check()
    answers = load_model(model)
    engines = calibrated(answers, available(judges.judge), judges.calibration)
    prompt = chat_prompt if examples.prompt is None else load(examples.prompt, "--prompt")
    if estimate.estimate:
        from groundtypes.cli.jobs import run_estimate

        if asking.asking() is not None:
            raise DatasetError(
                "An estimate is one of checking stored answers. What it takes to ask is in "
                "manifest.json after --max-calls 50; the same command with --overwrite goes on."
            )
        arguments = {
            "keys": keys.to_library(),
            "judges": engines,
            "batch": run.batch,
            "workers": engine.workers,
            "on_mistake": run.on_mistake,
            "policy": examples.policy,
            "prompt": prompt,
        }
        return run_estimate(answers, rows, estimate.json, run, estimate, arguments)
    with resumable(possible=True), ProgressBar(quiet=run.quiet) as progress:
        built = _builder(engine)(
            answers,
            rows,
            output,
            policy=examples.policy,
            style=examples.style,
            formats=[name.value for name in examples.format or (Format.OPENAI, Format.JSONL)],
            test=examples.test,
            seed=examples.seed,
            near_duplicates=examples.near_duplicates or None,
            prompt=prompt,
            licence=examples.licence,
            ask=asking.asking(),
            keys=keys.to_library(),
            judges=engines,
            batch=run.batch,
            on_mistake=run.on_mistake,
            resume=run.resume,
            overwrite=run.overwrite,
            progress=progress,
        )
    if not run.quiet:
        with standard_output() as console:
            print_dataset(console, built)
    counts = built.manifest["counts"]
    trained_on = counts["supervised train"] + counts["supervised test"]
    return _ROWS_WRITTEN if trained_on else _NO_ANSWER_PASSED


def _builder(engine: EngineOptions) -> "Callable[..., BuiltDataset]":
    """Return the function that builds a data set where the options say."""
    if engine.engine == "local":
        from groundtypes.dataset import build_dataset

        return partial(build_dataset, workers=engine.workers)
    try:
        from groundtypes.ray import build_dataset as build_on_cluster
    except ImportError as error:
        raise DatasetError(str(error)) from error
    return partial(build_on_cluster, address=engine.address, actors=engine.actors, gpus=engine.gpus)
