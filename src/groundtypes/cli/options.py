"""The options of the commands, in groups that several commands share.

A command takes a group as one parameter, `keys: RowKeys`. `expand_groups` turns it into a function
that takes every option by itself, whose signature Typer reads. A command changes the default or
the help text of one option by a subclass of the group.
"""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_type_hints

import typer

from groundtypes.backends.by_name import NLI_NAMES
from groundtypes.errors import DatasetError

if TYPE_CHECKING:
    from groundtypes.dataset import Keys

Rows = Annotated[str, typer.Argument(metavar="ROWS", help="JSON Lines; - reads standard input.")]
ModelName = Annotated[
    str, typer.Option(metavar="MODULE:NAME", help="The model that reads the answers.")
]
AnswerKey = Annotated[
    str | None, typer.Option(metavar="KEY", help="The key of a row that holds the answer.")
]
ReferencesKey = Annotated[
    str | None, typer.Option(metavar="KEY", help="The key that holds the references.")
]
QuestionKey = Annotated[
    str | None, typer.Option(metavar="KEY", help="The key that holds the question.")
]
JudgeName = Annotated[
    str | None,
    typer.Option(
        "--judge",
        metavar="NAME",
        help=f"The NLI engine: {NLI_NAMES}.  [default: that of the model, else bundled]",
    ),
]
Workers = Annotated[int, typer.Option(min=1, max=256, help="How many processes judge batches.")]
Strict = Annotated[bool, typer.Option("--strict", help="Stop at the first broken line.")]


OnMistake = Annotated[
    Literal["keep", "raise"],
    typer.Option(help="Count a row that cannot be judged and go on, or raise its mistake."),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace outputs that exist already.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print only errors.")]

_Result = TypeVar("_Result")


@dataclass(frozen=True, kw_only=True)
class RowKeys:
    """Under which keys a row holds its answer, its references and its question."""

    answer: AnswerKey = None
    references: ReferencesKey = None
    question: QuestionKey = None

    def to_library(self) -> "Keys":
        """Return the keys as the library takes them."""
        from groundtypes.dataset import Keys

        return Keys(self.answer, self.references, self.question)


@dataclass(frozen=True, kw_only=True)
class Outputs:
    """The files that a run over rows writes."""

    clean: Annotated[
        Path | None,
        typer.Option(help="Write the clean rows here, with each quote as the reference spells it."),
    ] = None
    rejected: Annotated[
        Path | None, typer.Option(help="Write the other rows here, with their verdicts.")
    ] = None
    audits: Annotated[
        Path | None, typer.Option(help="Write every row here, with its verdicts, for report.")
    ] = None
    json: Annotated[Path | None, typer.Option(help="Write the summary here, as JSON.")] = None

    @property
    def can_resume(self) -> bool:
        """Whether an interrupted run leaves files that can be continued."""
        return any((self.clean, self.rejected, self.audits))


@dataclass(frozen=True, kw_only=True)
class EngineOptions:
    """Where a run takes place: on this machine, or in a cluster of Ray."""

    engine: Annotated[Literal["local", "ray"], typer.Option(help="What runs over the rows.")] = (
        "local"
    )
    workers: Workers = 1
    actors: Annotated[
        int | None,
        typer.Option(min=1, help="How many workers Ray has.  [default: one a processor]"),
    ] = None
    gpus: Annotated[
        float, typer.Option(min=0.0, help="How many GPUs each worker of Ray reserves.")
    ] = 0.0
    address: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="A cluster of Ray; auto finds one.")
    ] = None

    def check(self, *, estimate: bool) -> None:
        """Refuse options of another engine, and an estimate for a cluster.

        Raises:
            DatasetError: An option has no meaning for the engine.
        """
        if self.engine == "ray" and self.workers != 1:
            raise DatasetError("--workers is of --engine local; --actors is that of Ray.")
        if self.engine == "local" and (self.actors or self.gpus or self.address):
            raise DatasetError("--actors, --gpus and --address need --engine ray.")
        if self.engine == "ray" and estimate:
            raise DatasetError("An estimate is one of a run on this machine, without `engine`.")


@dataclass(frozen=True, kw_only=True)
class LLMConnection:
    """How the LLM is reached, and where its replies are cached."""

    base_url: Annotated[
        str | None, typer.Option(metavar="URL", help="An endpoint with OpenAI's API.")
    ] = None
    mode: Annotated[str | None, typer.Option(help="instructor's mode, such as JSON_SCHEMA.")] = None
    cache: Annotated[
        Path | None,
        typer.Option(help="Store the LLM's answers here: no question is paid for twice."),
    ] = None


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """How a run over rows goes on: its batches, what it replaces, what it prints."""

    batch: Annotated[int, typer.Option(min=1, help="How many rows are judged together.")] = 256
    on_mistake: OnMistake = "keep"
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue an interrupted run, if there is one.")
    ] = False
    overwrite: Overwrite = False
    quiet: Quiet = False


@dataclass(frozen=True, kw_only=True)
class EstimateOptions:
    """Whether a run is only estimated, and what is known of its LLM."""

    estimate: Annotated[
        bool,
        typer.Option(
            "--estimate",
            help="Say from a sample of the rows what the run would take; ask and write nothing.",
        ),
    ] = False
    call_seconds: Annotated[
        float | None,
        typer.Option(min=0, help="For --estimate: how long one call of the LLM takes."),
    ] = None

    def check(self) -> None:
        """Refuse what only an estimate reads where a run is not only estimated.

        Raises:
            DatasetError: There is such an option.
        """
        if not self.estimate and self.call_seconds is not None:
            raise DatasetError(
                "--call-seconds is of --estimate, and a run itself does not need it."
            )


def expand_groups(command: Callable[..., _Result]) -> Callable[..., _Result]:
    """Return the command with each option of its groups as a keyword parameter of its own.

    Raises:
        ValueError: Two groups of the command have an option of the same name.
    """
    groups: dict[str, type[Any]] = {}
    parameters: list[inspect.Parameter] = []
    hints = get_type_hints(command, include_extras=True)
    for name, parameter in inspect.signature(command).parameters.items():
        if is_dataclass(hints[name]):
            groups[name] = hints[name]
            parameters += _parameters_of(hints[name])
        else:
            parameters.append(
                parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[name])
            )

    @wraps(command)
    def expanded(**options: Any) -> _Result:
        values = {
            name: group(**{field.name: options.pop(field.name) for field in fields(group)})
            for name, group in groups.items()
        }
        return command(**values, **options)

    # Typer reads both.
    expanded.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    expanded.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return expanded


def _parameters_of(group: type[Any]) -> list[inspect.Parameter]:
    """Return the fields of a group as keyword parameters."""
    hints = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in fields(group)
    ]
