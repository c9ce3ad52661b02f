"""`CalibrationResult`: a calibration, what the labelled rows say of the engine, and its page.

The page is one file without a script, which makes no request. Texts of rows are escaped, and the
page's policy allows its style by the hash and nothing else.
"""

import html
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from string import Template
from typing import Any, Final

from groundtypes.backends.operating_point import Calibration, Estimate
from groundtypes.calibration.charts import reliability_chart, roc_chart
from groundtypes.calibration.labelled_rows import RowCounts
from groundtypes.calibration.reliability import Bin
from groundtypes.calibration.scored_rows import Example
from groundtypes.calibration.thresholds import Counts, Expectation, Point
from groundtypes.report.html_text import asset, escaped, source_hash
from groundtypes.scoring import THRESHOLD


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationResult:
    """A calibration, and how it was found; `save` writes what `Judges(calibration=...)` reads.

    `chosen` and `usual` count what the calibrated threshold and the usual one, 0.5, accept of the
    labelled rows. `expected` is what to expect of new rows. `points` are all thresholds that
    differ in what they accept, the highest first. `bins` compare scores with shares of supported
    texts, `mapped_bins` do so for the mapped scores; `error` and `mapped_error` are the expected
    calibration errors. The examples are texts on which engine and people disagree.
    """

    calibration: Calibration
    chosen: Counts
    usual: Counts
    expected: Expectation
    points: tuple[Point, ...]
    roc_auc: float
    bins: tuple[Bin, ...]
    error: float
    mapped_bins: tuple[Bin, ...]
    mapped_error: float | None
    counts: RowCounts
    wrongly_accepted: tuple[Example, ...]
    wrongly_rejected: tuple[Example, ...]

    @property
    def threshold(self) -> float:
        """The threshold that was chosen."""
        return self.calibration.threshold

    def to_dict(self) -> dict[str, Any]:
        """Return the calibration and the figures as plain data that JSON can hold."""
        return {
            "calibration": self.calibration.to_dict(),
            "chosen": asdict(self.chosen),
            "usual": asdict(self.usual),
            "expected": asdict(self.expected),
            "roc_auc": self.roc_auc,
            "error": self.error,
            "mapped_error": self.mapped_error,
            "rows": asdict(self.counts),
        }

    def save(self, path: str | Path) -> None:
        """Write the calibration to a file that `Judges(calibration=...)` reads.

        Raises:
            CalibrationError: The file cannot be written.
        """
        self.calibration.save(path)

    def to_html(self, title: str = "Calibration") -> str:
        """Return a page with the ROC curve, the reliability, and a table of thresholds."""
        return render_page(self, title)


_PACKAGE: Final = "groundtypes.calibration"
#: The table of thresholds has about one line for each of these shares of accepted texts.
_LINES: Final = 20


def render_page(result: CalibrationResult, title: str = "Calibration") -> str:
    """Return the page of a result."""
    style = asset(_PACKAGE, "page.css")
    chosen = Point(result.threshold, result.chosen)
    usual = Point(THRESHOLD, result.usual)
    return Template(asset(_PACKAGE, "page.html")).substitute(
        policy=html.escape(
            f"default-src 'none'; style-src {source_hash(style)}; base-uri 'none'; "
            "form-action 'none'"
        ),
        title=escaped(title),
        style=style,
        facts=_facts(result),
        about=escaped(_about(result)),
        roc=roc_chart(result.points, chosen, usual),
        auc=f"{result.roc_auc:.3f}",
        usual=f"{THRESHOLD:g}",
        thresholds=_thresholds(result.points, chosen, usual),
        reliability=reliability_chart(result.bins, result.mapped_bins),
        bins=_bins(result.bins) + _bins(result.mapped_bins, "Mapped scores"),
        error=_errors(result),
        accepted=_examples("Unsupported, and accepted", result.wrongly_accepted),
        rejected=_examples("Supported, and rejected", result.wrongly_rejected),
    )


def _facts(result: CalibrationResult) -> str:
    found = result.calibration
    facts = (
        ("threshold", f"{found.threshold:.3f}", f"{_range(result)} in the parts"),
        ("expected precision", _percent(found.precision.value), _interval(found.precision)),
        ("expected recall", _percent(found.recall.value), _interval(found.recall)),
        ("labelled texts", f"{found.supported + found.unsupported:,}", _labels(result)),
    )
    items = "".join(
        f"<div><dt>{name}</dt><dd>{value} <small>{more}</small></dd></div>"
        for name, value, more in facts
    )
    return f'<dl class="facts">{items}</dl>'


def _range(result: CalibrationResult) -> str:
    return f"{result.expected.lowest:.3f} to {result.expected.highest:.3f}"


def _labels(result: CalibrationResult) -> str:
    found = result.calibration
    return f"{found.supported:,} supported, {found.unsupported:,} unsupported"


def _about(result: CalibrationResult) -> str:
    """Return what was calibrated, and what was left out."""
    found, counts = result.calibration, result.counts
    parts = [
        f"Engine {found.engine}, groundtypes {found.version}.",
        f"The threshold was chosen by {found.goal}.",
    ]
    if counts.recorded:
        parts.append(
            f"{counts.recorded:,} scores are recorded ones, of rows without references: they must "
            "be of the same engine."
        )
    left_out = counts.unlabelled + counts.other_checks + counts.unjudged
    if left_out:
        parts.append(
            f"{left_out:,} rows were left out: {counts.unlabelled:,} without a label, "
            f"{counts.other_checks:,} of checks that ask no NLI engine, "
            f"{counts.unjudged:,} that could not be judged."
        )
    return " ".join(parts)


def _thresholds(points: Sequence[Point], chosen: Point, usual: Point) -> str:
    step = max(1, len(points) // _LINES)
    marked = {chosen.threshold: "chosen", usual.threshold: "usual"}
    if chosen.threshold == usual.threshold:
        marked = {chosen.threshold: "chosen, usual"}
    shown = {point.threshold: point for point in (*points[step - 1 :: step], points[-1])}
    shown |= {usual.threshold: usual, chosen.threshold: chosen}
    rows = []
    for threshold in sorted(shown, reverse=True):
        counts = shown[threshold].counts
        name = marked.get(threshold)
        head = f"{threshold:.3f}" + (f" <b>{name}</b>" if name else "")
        cells = (counts.precision, counts.recall, counts.rejection, counts.balanced_accuracy)
        rows.append((head, [*map(_percent, cells), f"{_accepted(counts):,}"], name is not None))
    heads = (
        "threshold", "precision", "recall", "unsupported rejected", "balanced accuracy", "accepted"
    )  # fmt: skip
    return _table("Thresholds on the labelled texts", heads, rows)


def _accepted(counts: Counts) -> int:
    return counts.accepted_supported + counts.accepted_unsupported


def _bins(bins: Sequence[Bin], title: str = "Scores") -> str:
    if not bins:
        return ""
    rows = [
        (
            f"{each.low:.1f} to {each.high:.1f}",
            [f"{each.rows:,}", f"{each.mean:.3f}", _percent(each.supported)],
            False,
        )
        for each in bins
    ]
    return _table(title, ("between", "texts", "mean score", "supported"), rows)


def _errors(result: CalibrationResult) -> str:
    text = f"Expected calibration error: {result.error:.3f}"
    if result.mapped_error is None:
        return f"{text}. There is no mapping: scores do not rise with the labels."
    return f"{text}; of the mapped scores, cross-fitted: {result.mapped_error:.3f}."


def _examples(title: str, examples: Sequence[Example]) -> str:
    rows = [
        (f"{example.score:.3f}", [f"{example.number:,}", escaped(example.text)], False)
        for example in examples
    ]
    if not rows:
        return f'<p class="note">{title}: none.</p>'
    return _table(title, ("score", "row", "text"), rows, "texts")


def _table(
    title: str,
    heads: Iterable[str],
    rows: Iterable[tuple[str, Iterable[str], bool]],
    kind: str = "numbers",
) -> str:
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    body = "".join(
        f'<tr class="{"marked" if marked else "plain"}"><th scope="row">{first}</th>'
        + "".join(f'<td dir="auto">{cell}</td>' for cell in cells)
        + "</tr>"
        for first, cells, marked in rows
    )
    return (
        f'<table class="{kind}"><caption>{title}</caption><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


def _percent(share: float) -> str:
    return f"{share:.1%}"


def _interval(estimate: Estimate) -> str:
    return f"{_percent(estimate.low)} to {_percent(estimate.high)}"
