"""`calibrate`: labelled rows in, the operating point of an engine out."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from groundtypes import __version__
from groundtypes.backends.operating_point import Calibration, EngineId, engine_id
from groundtypes.calibration.labelled_rows import LabelColumns, RowCounts, read_labelled_rows
from groundtypes.calibration.result import CalibrationResult
from groundtypes.calibration.review_bands import DELTA, check_risk, find_band
from groundtypes.calibration.scored_rows import ScoredRow, most_surprising, score_rows
from groundtypes.calibration.thresholds import (
    Goal,
    bins_of,
    calibration_error,
    counts_at,
    cross_fit,
    parts_of,
    points_of,
    roc_auc,
)
from groundtypes.concurrency.threads import awaitable
from groundtypes.errors import CalibrationError, ContextError
from groundtypes.judges import Judges, configured_nli, nli_engine
from groundtypes.rounds.row_mistakes import OnMistake
from groundtypes.row_files.counts import Progress, RunCounts
from groundtypes.scoring import THRESHOLD
from groundtypes.text.message_excerpts import clip

#: The lowest number of rows of each label.
MIN_ROWS: Final = 10
_BATCH: Final = 64


def calibrate(
    rows: str | Path | Iterable[Mapping[str, Any]],
    *,
    judges: Judges | None = None,
    precision: float | None = None,
    recall: float | None = None,
    risk: float | None = None,
    delta: float = DELTA,
    columns: LabelColumns | None = None,
    batch: int = _BATCH,
    seed: int = 0,
    on_mistake: OnMistake = "raise",
    progress: Progress | None = None,
) -> CalibrationResult:
    """Return the threshold of an NLI engine that suits labelled texts best.

    Args:
        rows: A file of JSON Lines, CSV or Parquet, or mappings. A row has a text (`statement`,
            `text` or `answer`), its `references`, a `label` ("supported" or "unsupported", true or
            false), and perhaps a `question`.
        judges: Their NLI engine is calibrated, by default the bundled one.
        precision: The lowest precision: of the thresholds that reach it, the one with the highest
            recall is chosen. Without `precision` and `recall`, balanced accuracy decides.
        recall: The lowest recall: of the thresholds that reach it, the one with the highest
            precision is chosen.
        risk: Also find the scores at which a person should look: at most this share of the other
            texts that are accepted is wrong, and of those that are rejected right. The method is
            Learn then Test (arXiv:2110.01052); see `groundtypes.calibration.review_bands`.
        delta: The probability that this bound does not hold.
        columns: The names of the columns, where they are others.
        batch: How many rows are sent to the engine together.
        seed: Another number divides the rows differently for cross-fitting.
        on_mistake: What becomes of a row that cannot be judged, as in `audit_many`: with "keep" it
            is left out and counted. A row that cannot be read is a mistake in any case.
        progress: Receives how many rows are scored, and why rows are left out.

    Examples:
        >>> from groundtypes.testing import ScriptedNLI
        >>> guide = "The tower is 330 metres tall."
        >>> rows = [
        ...     {"text": text, "references": guide, "label": label}
        ...     for text, label in ((guide, True), ("It is small.", False))
        ...     for _ in range(10)
        ... ]
        >>> result = calibrate(rows, judges=Judges(nli=ScriptedNLI()))
        >>> result.roc_auc, result.chosen.precision
        (1.0, 1.0)

    Raises:
        CalibrationError: A row is broken, there are too few rows of a label, no threshold reaches
            the goal, or none is better than chance.
        DatasetError: The file cannot be read.
        Mistake: The engine is missing or fails.
    """
    goal = Goal(precision, recall)
    check_risk(risk, delta)
    if batch < 1:
        raise ContextError(f"`batch` is {batch}; it is at least 1.")
    judges = Judges() if judges is None else judges
    if not isinstance(judges, Judges):
        raise ContextError(f"`judges` is of type {type(judges).__name__}; pass Judges(nli=...).")
    nli = nli_engine(judges)
    engine = engine_id(configured_nli(judges))
    counts, run, scored = RowCounts(), RunCounts(), list[ScoredRow]()
    labelled = read_labelled_rows(rows, columns or LabelColumns(), counts)
    for row, of_row in score_rows(labelled, nli, batch, on_mistake):
        run.rows += 1
        if isinstance(of_row, ScoredRow):
            scored.append(of_row)
        else:
            counts.unjudged += 1
            if progress is not None:
                progress.broken(row.number, clip(str(of_row), 300))
        if progress is not None and run.rows % batch == 0:
            progress.advanced(0, run)
    _check_enough(scored)
    result = _result(scored, goal, engine, seed, counts)
    if risk is None:
        return result
    review = find_band(scored, result.threshold, risk, delta)
    return replace(result, calibration=replace(result.calibration, band=review.band), review=review)


acalibrate = awaitable(calibrate)
"""As `calibrate`, without blocking the event loop."""


def _result(
    scored: list[ScoredRow], goal: Goal, engine: EngineId, seed: int, counts: RowCounts
) -> CalibrationResult:
    """Return the threshold that the scored rows give, and what is to be expected of it."""
    points = points_of(scored)
    point = goal.choose(points)
    expected = cross_fit(parts_of(scored, seed), goal)
    calibration = Calibration(
        threshold=point.threshold,
        engine=engine,
        goal=str(goal),
        precision=expected.precision,
        recall=expected.recall,
        supported=sum(row.supported for row in scored),
        unsupported=sum(not row.supported for row in scored),
        version=__version__,
    )
    bins = bins_of(scored)
    return CalibrationResult(
        calibration=calibration,
        chosen=point.counts,
        usual=counts_at(scored, THRESHOLD),
        expected=expected,
        points=tuple(points),
        roc_auc=roc_auc(points),
        bins=tuple(bins),
        error=calibration_error(bins),
        counts=counts,
        wrongly_accepted=most_surprising(scored, point.threshold, supported=False),
        wrongly_rejected=most_surprising(scored, point.threshold, supported=True),
    )


def _check_enough(rows: list[ScoredRow]) -> None:
    """Refuse rows of one label only, or few rows."""
    supported = sum(row.supported for row in rows)
    unsupported = len(rows) - supported
    if min(supported, unsupported) < MIN_ROWS:
        raise CalibrationError(
            f"There are {supported} supported and {unsupported} unsupported texts; a calibration "
            f"needs at least {MIN_ROWS} of each, and a hundred of each to say much."
        )
