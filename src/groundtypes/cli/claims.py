"""The command `groundtypes claims`: every claim of an answer, labelled against the references."""

from dataclasses import dataclass, replace
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
    Show,
    SmallBatchOptions,
    Strict,
    option,
)


@dataclass(frozen=True, kw_only=True)
class LabelOptions:
    """How claims are extracted and labelled, and which labels pass."""

    judge: str | None = option(
        None,
        f"The NLI engine that labels claims: {NLI_NAMES}.  [default: the LLM labels them]",
        "--judge",
        metavar="NAME",
    )
    extract_first: bool = option(False, "Extract claims in one call, label them in another.")
    allow_neutral: bool = option(False, "Reject only contradicted claims.")

    @property
    def description(self) -> str:
        """The options that differ from their defaults, as part of the name of the model."""
        return "".join(
            words
            for words, chosen in (
                (" by NLI", self.judge == "bundled"),
                (f" by {self.judge}", self.judge not in (None, "bundled")),
                (" extracted first", self.extract_first and self.judge is None),
                (", neutral allowed", self.allow_neutral),
            )
            if chosen
        )


@dataclass(frozen=True, kw_only=True)
class CallLimits:
    """How many calls of the LLM run at once, and how many there may be."""

    concurrency: int = option(16, "How many calls run at the same time.", min=1)
    most_calls: int | None = option(None, "Stop before more calls than this.", min=1)


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
    outputs: Outputs,
    keys: RowKeys,
    limits: CallLimits,
    strict: Strict = False,
    show: Show = 5,
    run: SmallBatchOptions,
    estimate: EstimateOptions,
) -> int:
    """Split answers into claims, and label each by its references.

    A row is as for `check`; its answer is text, under `answer` or the key that --answer names. The
    table shows how many claims are entailed, neutral and contradicted.

    Exits with 0 when every claim is supported, 1 when some are not or rows could not be judged, 2
    on a mistake.
    """
    from groundtypes.cli.jobs import run_job
    from groundtypes.cli.judges import llm_judges
    from groundtypes.models import supported_answer

    judges = llm_judges(
        llm,
        connection,
        checker=labels.judge,
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
        show=show,
        estimate=estimate,
        labels=True,
    )
