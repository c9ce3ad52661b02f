"""Charts as inline SVG: the ROC curve and the reliability of scores. They need no script."""

from collections.abc import Sequence
from typing import Final

from groundtypes.calibration.reliability import Bin
from groundtypes.calibration.thresholds import Point

#: The side of the square of a chart, and the margin for its axes.
_SIDE: Final = 260
_MARGIN: Final = 58
#: More points than this are not seen.
_MAX_POINTS: Final = 400
_TICKS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)


def roc_chart(points: Sequence[Point], chosen: Point, usual: Point) -> str:
    """Return the ROC curve with the chosen and the usual threshold marked on it."""
    step = max(1, len(points) // _MAX_POINTS)
    corners = [(0.0, 0.0)]
    corners += [_fallout_and_recall(point) for point in (*points[::step], points[-1])]
    corners.append((1.0, 1.0))
    line = " ".join(f"{_x(x)},{_y(y)}" for x, y in corners)
    marks = ""
    # Two shapes, so that nothing depends on colour.
    x, y = _fallout_and_recall(usual)
    marks += f'<rect class="usual" x="{_x(x, -5)}" y="{_y(y, -5)}" width="10" height="10"/>'
    x, y = _fallout_and_recall(chosen)
    marks += f'<circle class="chosen" cx="{_x(x)}" cy="{_y(y)}" r="6"/>'
    return _chart(
        "ROC curve. Its points are in the table of thresholds.",
        "unsupported texts that are accepted",
        "supported texts that are accepted",
        f'<polyline class="curve" points="{line}"/>{marks}',
    )


def reliability_chart(bins: Sequence[Bin], mapped: Sequence[Bin]) -> str:
    """Return the share of supported texts over the score: bars, and dots for mapped scores."""
    drawn = ""
    for each in bins:
        width = (each.high - each.low) * _SIDE - 2
        drawn += (
            f'<rect class="bar" x="{_x(each.low, 1)}" y="{_y(each.supported)}" '
            f'width="{width:.1f}" height="{each.supported * _SIDE:.1f}"/>'
        )
    for each in mapped:
        drawn += f'<circle class="mapped" cx="{_x(each.mean)}" cy="{_y(each.supported)}" r="4"/>'
    return _chart(
        "Reliability. Its numbers are in the table below.",
        "score",
        "share of supported texts",
        drawn,
    )


def _chart(name: str, x_name: str, y_name: str, content: str) -> str:
    size = _SIDE + _MARGIN + 14
    middle = _MARGIN + _SIDE / 2
    ticks = "".join(
        f'<text x="{_x(at)}" y="{_y(0.0, 18)}" text-anchor="middle">{at:g}</text>'
        f'<text x="{_MARGIN - 6}" y="{_y(at, 4)}" text-anchor="end">{at:g}</text>'
        for at in _TICKS
    )
    return (
        f'<svg class="chart" viewBox="0 0 {size} {size}" role="img" aria-label="{name}">'
        f'<rect class="frame" x="{_MARGIN}" y="14" width="{_SIDE}" height="{_SIDE}"/>'
        f'<line class="diagonal" x1="{_x(0.0)}" y1="{_y(0.0)}" x2="{_x(1.0)}" y2="{_y(1.0)}"/>'
        f"{content}{ticks}"
        f'<text x="{middle}" y="{size - 6}" text-anchor="middle">{x_name}</text>'
        f'<text transform="translate(12 {size - middle}) rotate(-90)" text-anchor="middle">'
        f"{y_name}</text></svg>"
    )


def _fallout_and_recall(point: Point) -> tuple[float, float]:
    return 1.0 - point.counts.rejection, point.counts.recall


def _x(share: float, shift: float = 0.0) -> str:
    return f"{_MARGIN + share * _SIDE + shift:.1f}"


def _y(share: float, shift: float = 0.0) -> str:
    return f"{14 + (1.0 - share) * _SIDE + shift:.1f}"
