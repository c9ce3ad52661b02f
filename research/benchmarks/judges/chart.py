"""A chart of horizontal bars, as SVG."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

__all__ = ["Bars", "bar_chart"]

#: Dark enough for 3 : 1 against a white page; told apart also without colours, by lightness.
_COLOURS: Final = ("#9db8d9", "#4178b8", "#173b69", "#c27a2c", "#6b6b6b", "#2f7d5b")
_LABELS: Final = 270
_PLOT: Final = 400
_BAR: Final = 11
_GAP: Final = 9
_TOP: Final = 62


@dataclass(frozen=True, slots=True)
class Bars:
    """The bars of one line: a percentage by judge."""

    label: str
    values: Mapping[str, float]


def bar_chart(title: str, judges: Sequence[str], lines: Sequence[Bars]) -> str:
    """Return an SVG of percentages from 40 to 100, a group of bars for each line.

    A judge without a value has no bar; a value below 40 has a bar of no length and its number.
    """
    group = _BAR * len(judges) + _GAP
    height = _TOP + group * len(lines) + 30
    width = _LABELS + _PLOT + 60
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"',
        f'  font-family="sans-serif" font-size="11" aria-label="{escape(title)}">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="8" y="20" font-size="14" fill="#111111">{escape(title)}</text>',
    ]
    for number, judge in enumerate(judges):
        left = _LABELS + number * 120
        parts.append(
            f'<rect x="{left}" y="32" width="10" height="10" fill="{_colour(number)}"/>'
            f'<text x="{left + 14}" y="41" fill="#111111">{escape(judge)}</text>'
        )
    for tick in range(40, 101, 10):
        place = f"{_x(tick):.1f}"
        parts.append(
            f'<line x1="{place}" x2="{place}" y1="{_TOP - 8}" y2="{height - 26}" stroke="#ddd"/>'
            f'<text x="{place}" y="{height - 12}" text-anchor="middle" fill="#444">{tick}</text>'
        )
    for row, line in enumerate(lines):
        top = _TOP + row * group
        parts.append(
            f'<text x="{_LABELS - 8}" y="{top + group / 2:.0f}" text-anchor="end" '
            f'fill="#111111">{escape(line.label)}</text>'
        )
        for number, judge in enumerate(judges):
            if judge in line.values:
                parts.append(_bar(top + number * _BAR, line.values[judge], _colour(number)))
    return "\n".join([*parts, "</svg>", ""])


def _bar(top: int, value: float, colour: str) -> str:
    width = _x(max(value, 40)) - _LABELS
    return (
        f'<rect x="{_LABELS}" y="{top}" width="{width:.1f}" height="{_BAR - 1}" fill="{colour}"/>'
        f'<text x="{_LABELS + width + 4:.1f}" y="{top + _BAR - 2}" font-size="9" '
        f'fill="#111111">{value:.0f}</text>'
    )


def _x(value: float) -> float:
    return _LABELS + _PLOT * (value - 40) / 60


def _colour(number: int) -> str:
    return _COLOURS[number % len(_COLOURS)]
