"""The command `groundtypes calibrate`: labelled rows in, the threshold of an NLI engine out."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from groundtypes.cli.options import (
    JudgeName,
    OnMistake,
    Overwrite,
    Quiet,
)
from groundtypes.errors import DatasetError

if TYPE_CHECKING:
    from groundtypes.calibration import LabelColumns
    from groundtypes.scoring import NLIScorer

_CALIBRATED: Final = 0
_SOME_UNJUDGED: Final = 1


@dataclass(frozen=True, kw_only=True)
class CalibrationFiles:
    """The files that `calibrate` writes."""

    output: Annotated[Path, typer.Option("--output", "-o", help="Write the calibration here.")] = (
        Path("calibration.json")
    )
    html: Annotated[
        Path | None, typer.Option(help="Write a page with the ROC curve and reliability here.")
    ] = None


@dataclass(frozen=True, kw_only=True)
class LabelColumnNames:
    """Under which names a row holds its parts."""

    text: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="The texts; else statement, text or answer."),
    ] = None
    label: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The labels; else label or supported.")
    ] = None
    references: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN", help="The references; else references, text_chunks or context."
        ),
    ] = None
    question: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The questions; else question.")
    ] = None

    def to_library(self) -> "LabelColumns":
        """Return the columns as the library takes them."""
        from groundtypes.calibration import LabelColumns

        return LabelColumns(self.text, self.label, self.references, self.question)


def calibrate(
    *,
    source: Annotated[
        Path, typer.Argument(metavar="ROWS", help="Labelled rows: JSON Lines, CSV or Parquet.")
    ],
    precision: Annotated[
        float | None, typer.Option(help="The lowest precision of the threshold.")
    ] = None,
    recall: Annotated[
        float | None, typer.Option(help="The lowest recall of the threshold.")
    ] = None,
    judge: JudgeName = None,
    nli: Annotated[
        str | None,
        typer.Option(
            metavar="ENGINE",
            help="In place of --judge: MODULE:NAME of an engine of your own, a folder with an ONNX "
            "model, or the name of a hub model.",
        ),
    ] = None,
    files: CalibrationFiles,
    columns: LabelColumnNames,
    batch: Annotated[int, typer.Option(min=1, help="How many rows are judged together.")] = 64,
    seed: Annotated[int, typer.Option(help="Another number divides the rows differently.")] = 0,
    on_mistake: OnMistake = "keep",
    overwrite: Overwrite = False,
    quiet: Quiet = False,
) -> int:
    """Find the threshold of an NLI engine that suits texts labelled by people.

    Without --precision and --recall, balanced accuracy decides. ROWS may be what the review mode
    of a report saves. The calibration is read by Judges(calibration="calibration.json").

    Exits with 0 when the calibration is written, 1 if rows of it could not be judged, 2 on a
    mistake.
    """
    from groundtypes.calibration import calibrate as run
    from groundtypes.cli.judges import available
    from groundtypes.cli.printed_results import print_calibration
    from groundtypes.cli.terminal import ProgressBar, standard_output
    from groundtypes.judges import Judges
    from groundtypes.row_files.files import replace_file
    from groundtypes.row_files.json_lines import json_bytes

    outputs = _outputs(files, source, overwrite=overwrite)
    if nli is not None and judge is not None:
        raise DatasetError("--nli and --judge both name the engine; give one of them.")
    judges = Judges(nli=available(judge) if nli is None else _engine(nli))
    with ProgressBar(quiet=quiet) as progress:
        result = run(
            source,
            judges=judges,
            precision=precision,
            recall=recall,
            columns=columns.to_library(),
            batch=batch,
            seed=seed,
            on_mistake=on_mistake,
            progress=progress,
        )
    replace_file(outputs["output"], json_bytes(result.calibration.to_dict(), indent=2) + b"\n")
    if "html" in outputs:
        replace_file(outputs["html"], result.to_html().encode())
    if not quiet:
        with standard_output() as console:
            print_calibration(console, result, outputs)
    return _SOME_UNJUDGED if result.counts.unjudged else _CALIBRATED


def _outputs(files: CalibrationFiles, source: Path, *, overwrite: bool) -> dict[str, Path]:
    """Return the files to write, by the names of their options.

    Raises:
        DatasetError: Two of them are one file, one is the source, or one exists already.
    """
    from groundtypes.row_files.files import resolved
    from groundtypes.row_files.run_files import check_outputs

    outputs = {"output": resolved(files.output)}
    if files.html is not None:
        outputs["html"] = resolved(files.html)
    check_outputs(outputs, [source])
    for name, path in outputs.items():
        if path.exists() and not overwrite:
            raise DatasetError(
                f"--{name} exists already: {path}. Name another file, or replace it with "
                "--overwrite."
            )
    return outputs


def _engine(name: str) -> "NLIScorer":
    """Return the engine that the option names.

    Raises:
        DatasetError: There is no such engine.
        MissingJudgeError: What it needs is not installed.
    """
    from groundtypes.batch.loading import load
    from groundtypes.errors import MissingJudgeError
    from groundtypes.scoring import NLIScorer

    try:
        if Path(name).exists():
            from groundtypes.backends.nli_onnx import OnnxNLI

            return OnnxNLI(name)
        if ":" not in name:
            from groundtypes.backends.nli_torch import TransformersNLI

            return TransformersNLI(name)
    except ImportError as error:
        raise MissingJudgeError(f"--nli {name}: {error}") from error
    engine = load(name, "--nli")
    if isinstance(engine, type) and hasattr(engine, "score"):
        engine = engine()
    if not isinstance(engine, NLIScorer):
        raise DatasetError(f"--nli {name} is no NLI engine: it has no method `score`.")
    return engine
