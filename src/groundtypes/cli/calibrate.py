"""The command `groundtypes calibrate`: labelled rows in, the threshold of an NLI engine out."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from groundtypes.cli.options import JudgeName, OnMistake, Overwrite, Quiet, option

_CALIBRATED: Final = 0
_SOME_UNJUDGED: Final = 1


@dataclass(frozen=True, kw_only=True)
class CalibrationFiles:
    """The files that `calibrate` writes."""

    output: Path = option(Path("calibration.json"), "Write the calibration here.", "--output", "-o")
    json: Path | None = option(None, "Write all figures and the disagreements here, as JSON.")


@dataclass(frozen=True, kw_only=True)
class CalibrationGoal:
    """By what the threshold and the band are chosen."""

    precision: float | None = option(None, "The lowest precision of the threshold.")
    recall: float | None = option(None, "The lowest recall of the threshold.")
    risk: float | None = option(
        None, "Also find a band to review: the highest share of wrong decisions."
    )
    delta: float = option(0.05, "The probability that this bound fails.")


@dataclass(frozen=True, kw_only=True)
class LabelColumnNames:
    """Under which names a row holds its parts."""

    text: str | None = option(None, "The texts; else statement, text or answer.", metavar="COLUMN")
    label: str | None = option(
        None, "The labels; else label, supported or people_say.", metavar="COLUMN"
    )
    references: str | None = option(None, "The references.", metavar="COLUMN")
    question: str | None = option(None, "The questions.", metavar="COLUMN")


def calibrate(
    *,
    source: Annotated[
        Path, typer.Argument(metavar="ROWS", help="Labelled rows: JSON Lines, CSV or Parquet.")
    ],
    goal: CalibrationGoal,
    judge: JudgeName = None,
    files: CalibrationFiles,
    columns: LabelColumnNames,
    batch: Annotated[int, typer.Option(min=1, help="How many rows are judged together.")] = 64,
    seed: Annotated[int, typer.Option(help="Another number divides the rows differently.")] = 0,
    on_mistake: OnMistake = "keep",
    overwrite: Overwrite = False,
    quiet: Quiet = False,
) -> int:
    """Find the threshold of an NLI engine that suits texts labelled by people.

    Without --precision and --recall, balanced accuracy decides. With --risk, it also finds which
    scores to accept, to reject, and to have a person look at. ROWS may be what the review mode
    of a report saves. The calibration is read by Judges(calibration="calibration.json").

    Exits with 0 when the calibration is written, 1 if rows of it could not be judged, 2 on a
    mistake.
    """
    from groundtypes.calibration import LabelColumns
    from groundtypes.calibration import calibrate as run
    from groundtypes.cli.judges import available
    from groundtypes.cli.printed_results import print_calibration
    from groundtypes.cli.terminal import ProgressBar, standard_output
    from groundtypes.judges import Judges
    from groundtypes.row_files.files import replace_file, resolved
    from groundtypes.row_files.json_lines import json_bytes
    from groundtypes.row_files.run_files import check_absent, check_outputs

    outputs = {name: resolved(path) for name, path in vars(files).items() if path is not None}
    check_outputs(outputs, [source])
    if not overwrite:
        check_absent(outputs)
    judges = Judges(nli=available(judge))
    with ProgressBar(quiet=quiet) as progress:
        result = run(
            source,
            judges=judges,
            **asdict(goal),
            columns=LabelColumns(**asdict(columns)),
            batch=batch,
            seed=seed,
            on_mistake=on_mistake,
            progress=progress,
        )
    replace_file(outputs["output"], json_bytes(result.calibration.to_dict(), indent=2) + b"\n")
    if "json" in outputs:
        replace_file(outputs["json"], json_bytes(result.to_dict(), indent=2) + b"\n")
    if not quiet:
        with standard_output() as console:
            print_calibration(console, result, outputs)
    return _SOME_UNJUDGED if result.counts.unjudged else _CALIBRATED
