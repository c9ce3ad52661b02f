"""The options of the commands, in groups that several commands share.

A command takes a group as one parameter, `keys: RowKeys`. `expand_groups` turns it into a function
that takes every option by itself, whose signature Typer reads. A command changes the default or
the help text of one option by a subclass of the group.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_type_hints

import typer

from groundtypes.backends.by_name import NLI_NAMES
from groundtypes.errors import DatasetError

if TYPE_CHECKING:
    from groundtypes.cli.baselines import Baseline
    from groundtypes.dataset import Keys

Rows = Annotated[str, typer.Argument(metavar="ROWS", help="JSON Lines; - reads standard input.")]
ModelName = Annotated[
    str, typer.Option(metavar="MODULE:NAME", help="The model that reads the answers.")
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
Strict = Annotated[bool, typer.Option("--strict", help="Stop at the first broken line.")]
Show = Annotated[
    int, typer.Option(help="How many faults are printed with their messages; 0 for all.", min=0)
]


OutputFormat = Annotated[
    Literal["text", "json", "sarif", "github", "junit"],
    typer.Option("--format", help="What is printed: a table, or all faults for other programs."),
]

OnMistake = Annotated[
    Literal["keep", "raise"],
    typer.Option(help="Count a row that cannot be judged and go on, or raise its mistake."),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace outputs that exist already.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print only errors.")]

_Result = TypeVar("_Result")


def option(default: Any, text: str, *names: str, **settings: Any) -> Any:
    """Return the field of a group that is an option; `...` is the default of a required one.

    `settings` are those of `typer.Option`.
    """
    metadata = {"option": typer.Option(*names, help=text, **settings)}
    return field(metadata=metadata) if default is ... else field(default=default, metadata=metadata)


@dataclass(frozen=True, kw_only=True)
class RowKeys:
    """Under which keys a row holds its answer, its references and its question."""

    answer: str | None = option(None, "The key of a row that holds the answer.", metavar="KEY")
    references: ReferencesKey = None
    question: QuestionKey = None

    def to_library(self) -> "Keys":
        """Return the keys as the library takes them."""
        from groundtypes.dataset import Keys

        return Keys(self.answer, self.references, self.question)


@dataclass(frozen=True, kw_only=True)
class LabelledRowKeys(RowKeys):
    """The same, and what people say of the answer."""

    label: str | None = option(
        None,
        "The key of a row that holds what people say of its answer.  [default: people_say]",
        metavar="KEY",
    )

    def to_library(self) -> "Keys":
        """Return the keys as the library takes them."""
        return replace(super().to_library(), label=self.label)


@dataclass(frozen=True, kw_only=True)
class Outputs:
    """The files that a run over rows writes."""

    clean: Path | None = option(
        None, "Write the clean rows here, with each quote as the reference spells it."
    )
    rejected: Path | None = option(None, "Write the other rows here, with their verdicts.")
    review: Path | None = option(
        None, "Write the rows here that a person should look at, and not among the rejected ones."
    )
    audits: Path | None = option(None, "Write every row here, with its verdicts, for report.")
    json: Path | None = option(None, "Write the summary here, as JSON.")

    @property
    def can_resume(self) -> bool:
        """Whether an interrupted run leaves files that can be continued."""
        return any((self.clean, self.rejected, self.review, self.audits))


@dataclass(frozen=True, kw_only=True)
class JudgeOptions:
    """Which NLI engine judges, and the calibration that was made for it."""

    judge: JudgeName = None
    calibration: Path | None = option(None, "What calibrate wrote for the NLI engine.")


@dataclass(frozen=True, kw_only=True)
class EngineOptions:
    """Where a run takes place: on this machine, or in a cluster of Ray."""

    engine: Literal["local", "ray"] = option("local", "What runs over the rows.")
    workers: int = option(1, "How many processes judge batches.", min=1, max=256)
    actors: int | None = option(
        None, "How many workers Ray has.  [default: one a processor]", min=1
    )
    gpus: float = option(0.0, "How many GPUs each worker of Ray reserves.", min=0.0)
    address: str | None = option(None, "A cluster of Ray; auto finds one.", metavar="HOST:PORT")

    def check(self, *, estimate: bool) -> None:
        """Refuse options of another engine, and an estimate for a cluster."""
        if self.engine == "ray" and self.workers != 1:
            raise DatasetError("--workers is of --engine local; --actors is that of Ray.")
        if self.engine == "local" and (self.actors or self.gpus or self.address):
            raise DatasetError("--actors, --gpus and --address need --engine ray.")
        if self.engine == "ray" and estimate:
            raise DatasetError("An estimate is one of a run on this machine, without `engine`.")


@dataclass(frozen=True, kw_only=True)
class AcceptedFaults:
    """Which faults, and how many faulty rows, do not make a run fail."""

    fail_under: float | None = option(
        None, "Exit with 0 if at least this share of rows is clean.", min=0, max=1
    )
    baseline: Path | None = option(None, "Ignore the faults in this file: only new ones fail.")
    write_baseline: Path | None = option(
        None, "Accept the faults of this run: write them here, for --baseline."
    )

    def opened(
        self,
        model: str,
        outputs: "Mapping[str, Path]",
        rows: str,
        run: "RunOptions",
        *,
        on_ray: bool,
    ) -> "Baseline | None":
        """Return what the faults of a run are compared with, if anything.

        `outputs` are the files that the run writes.

        Raises:
            DatasetError: The options or files do not go together, or a file is no baseline.
        """
        if self.baseline is None and self.write_baseline is None:
            return None
        if run.resume or on_ray:
            raise DatasetError("A baseline needs all faults: no --resume, and --engine local.")
        from groundtypes.cli.baselines import Baseline
        from groundtypes.row_files.files import resolved
        from groundtypes.row_files.run_files import check_absent, check_outputs

        read, write = resolved(self.baseline), resolved(self.write_baseline)
        if read is not None and write is not None:
            raise DatasetError("Name either --baseline or --write-baseline.")
        if read is not None:
            check_outputs(outputs, [read])
            return Baseline.read(read, model)
        if write is not None:
            check_outputs({**outputs, "write_baseline": write}, [Path(rows)])
            if not run.overwrite:
                check_absent({"write_baseline": write})
        return Baseline(model)


@dataclass(frozen=True, kw_only=True)
class LLMConnection:
    """How the LLM is reached, and where its replies are cached."""

    base_url: str | None = option(None, "An endpoint with OpenAI's API.", metavar="URL")
    mode: str | None = option(None, "instructor's mode, such as JSON_SCHEMA.")
    cache: Path | None = option(
        None, "Store the LLM's answers here: no question is paid for twice."
    )


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """How a run over rows goes on: its batches, what it replaces, what it prints."""

    batch: int = option(256, "How many rows are judged together.", min=1)
    on_mistake: OnMistake = "keep"
    resume: bool = option(False, "Continue an interrupted run, if there is one.")
    overwrite: Overwrite = False
    quiet: Quiet = False


@dataclass(frozen=True, kw_only=True)
class SmallBatchOptions(RunOptions):
    """The same, where a row asks much of an engine."""

    batch: int = option(64, "How many rows are judged together.", min=1)


@dataclass(frozen=True, kw_only=True)
class EstimateOptions:
    """Whether a run is only estimated, and what is known of its LLM."""

    estimate: bool = option(
        False, "Say from a sample of the rows what the run would take; ask and write nothing."
    )
    call_seconds: float | None = option(
        None, "For --estimate: how long one call of the LLM takes.", min=0
    )

    def check(self) -> None:
        """Refuse what only an estimate reads where a run is not only estimated."""
        if not self.estimate and self.call_seconds is not None:
            raise DatasetError(
                "--call-seconds is of --estimate, and a run itself does not need it."
            )


def expand_groups(command: Callable[..., _Result]) -> Callable[..., _Result]:
    """Return the command with each option of its groups as a keyword parameter of its own."""
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
            name: group(**{each.name: options.pop(each.name) for each in fields(group)})
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
    parameters = []
    for each in fields(group):
        hint, known = hints[each.name], each.metadata.get("option")
        if known is not None:
            if hint is bool:  # without a name of its own, Typer would add `--no-`
                known.param_decls = (f"--{each.name.replace('_', '-')}",)
            hint = Annotated[hint, known]
        default = inspect.Parameter.empty if each.default is MISSING else each.default
        parameters.append(
            inspect.Parameter(
                each.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint
            )
        )
    return parameters
