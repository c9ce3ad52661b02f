"""The command `groundtypes claims`: every claim of an answer, labelled against the references."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from groundtypes.backends.by_name import NLI_NAMES
from groundtypes.cli.options import (
    EngineOptions,
    EstimateOptions,
    LLMConnection,
    Outputs,
    RowKeys,
    Rows,
    RunOptions,
    Strict,
)
from groundtypes.errors import ContextError


@dataclass(frozen=True, kw_only=True)
class LabelOptions:
    """How claims are extracted and labelled, and which labels pass."""

    judge: Annotated[
        str | None,
        typer.Option(
            "--judge",
            metavar="NAME",
            help=f"The NLI engine that labels claims: {NLI_NAMES}.  [default: the LLM labels them]",
        ),
    ] = None
    nli: Annotated[
        bool, typer.Option("--nli", help="The same as --judge bundled.", hidden=True)
    ] = False
    extract_first: Annotated[
        bool,
        typer.Option("--extract-first", help="Extract claims in one call, label them in another."),
    ] = False
    allow_neutral: Annotated[
        bool, typer.Option("--allow-neutral", help="Reject only contradicted claims.")
    ] = False

    @property
    def checker(self) -> str | None:
        """The name of the NLI engine that labels claims; `None` where the LLM does.

        Raises:
            ContextError: --nli and --judge name different engines.
        """
        if self.nli and self.judge not in (None, "bundled"):
            raise ContextError("--nli is --judge bundled; name one engine, by --judge.")
        return "bundled" if self.nli else self.judge

    @property
    def description(self) -> str:
        """The options that differ from their defaults, as part of the name of the model."""
        return "".join(
            words
            for words, chosen in (
                (" by NLI", self.checker == "bundled"),
                (f" by {self.checker}", self.checker not in (None, "bundled")),
                (" extracted first", self.extract_first and self.checker is None),
                (", neutral allowed", self.allow_neutral),
            )
            if chosen
        )


@dataclass(frozen=True, kw_only=True)
class ClaimOutputs(Outputs):
    """The files that `claims` writes."""

    clean: Annotated[
        Path | None, typer.Option(help="Write the rows here whose every claim is supported.")
    ] = None


@dataclass(frozen=True, kw_only=True)
class CallLimits:
    """How many calls of the LLM run at once, and how many there may be."""

    concurrency: Annotated[
        int, typer.Option(min=1, help="How many calls run at the same time.")
    ] = 16
    most_calls: Annotated[
        int | None, typer.Option(min=1, help="Stop before more calls than this.")
    ] = None


@dataclass(frozen=True, kw_only=True)
class ClaimRunOptions(RunOptions):
    """How a run of `claims` goes on."""

    batch: Annotated[int, typer.Option(min=1, help="How many rows are judged together.")] = 64


def claims(
    *,
    rows: Rows,
    llm: Annotated[
        str,
        typer.Option(
            metavar="PROVIDER/MODEL",
            help="The LLM that extracts the claims; with --base-url, its name there.",
        ),
    ],
    connection: LLMConnection,
    labels: LabelOptions,
    outputs: ClaimOutputs,
    keys: RowKeys,
    limits: CallLimits,
    strict: Strict = False,
    run: ClaimRunOptions,
    estimate: EstimateOptions,
) -> int:
    """Split answers into claims, and label each by its references.

    A row is as for `check`; its answer is text, under `answer` or the key that --answer names. The
    table shows how many claims are entailed, neutral and contradicted, and the mean over the rows.

    Exits with 0 when every claim is supported, 1 when some are not or rows could not be judged, 2
    on a mistake.
    """
    from groundtypes.cli.jobs import run_job
    from groundtypes.cli.judges import llm_judges
    from groundtypes.models import supported_answer

    judges = llm_judges(
        llm,
        connection,
        checker=labels.checker,
        concurrency=limits.concurrency,
        most_calls=limits.most_calls,
    )
    model = supported_answer(
        keys.answer or "answer",
        judges,
        allow_neutral=labels.allow_neutral,
        calls="two" if labels.extract_first else "one",
    )
    return run_job(
        model,
        f"claims of {llm}{labels.description}",
        rows,
        replace(keys, answer=None).to_library(),  # the model itself reads the answer
        outputs,
        run,
        engine=EngineOptions(),  # the model holds a client, which cannot be sent to another process
        strict=strict,
        estimate=estimate,
    )
