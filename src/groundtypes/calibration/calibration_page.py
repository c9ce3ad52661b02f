"""The page of a calibration: one file without a script, which makes no request.

Texts of rows are escaped, and the page's policy allows its style by the hash and nothing else.
"""

import base64
import hashlib
import html
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from string import Template
from typing import Final

from groundtypes.backends.operating_point import Estimate
from groundtypes.calibration.charts import reliability_chart, roc_chart
from groundtypes.calibration.disagreements import Example
from groundtypes.calibration.findings import Findings
from groundtypes.calibration.reliability import Bin
from groundtypes.calibration.thresholds import Counts, Point
from groundtypes.report.html_text import escaped
from groundtypes.scoring import THRESHOLD

#: The table of thresholds has about one line for each of these shares of accepted texts.
_LINES: Final = 20


def render_page(result: Findings, title: str = "Calibration") -> str:
    """Return the page of a result."""
    style = _asset("page.css")
    chosen = Point(result.threshold, result.chosen)
    usual = Point(THRESHOLD, result.usual)
    return Template(_asset("page.html")).substitute(
        policy=html.escape(_policy(style)),
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


def _facts(result: Findings) -> str:
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


def _range(result: Findings) -> str:
    return f"{result.expected.lowest:.3f} to {result.expected.highest:.3f}"


def _labels(result: Findings) -> str:
    found = result.calibration
    return f"{found.supported:,} supported, {found.unsupported:,} unsupported"


def _about(result: Findings) -> str:
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


def _errors(result: Findings) -> str:
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


def _policy(style: str) -> str:
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


@cache
def _asset(name: str) -> str:
    return files("groundtypes.calibration").joinpath(name).read_text(encoding="utf-8")
