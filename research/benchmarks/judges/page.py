"""The page of the comparison, as Markdown."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Final

from benchmarks import machine
from benchmarks.judges.chart import Bars, bar_chart
from benchmarks.judges.results import Cost, Counted, Line, cascade_of, cost_of, lines_of
from benchmarks.judges.store import Store

__all__ = ["chart_of", "page_of"]

_TEMPLATE: Final = Path(__file__).with_name("page.md")
_MARK: Final = "†"
#: Judges of which the second is asked what the first one leaves open.
_CASCADES: Final = (("bundled", "large"), ("bundled", "judge"), ("large", "judge"))


def page_of(store: Store, judges: Sequence[str], chart: str, most: int) -> str:
    """Return the page of what is stored.

    `chart` is the path of the chart from the page, and `most` the number of rows that the command
    on the page names.
    """
    lines = lines_of(store, judges)
    texts = [line for line in lines if line.judged.kind != "pair"]
    pairs = [line for line in lines if line.judged.kind == "pair"]
    costs = {judge: cost for judge in judges if (cost := cost_of(store, judge)) is not None}
    return Template(_TEMPLATE.read_text(encoding="utf-8")).substitute(
        most=most,
        chart=chart,
        alone=_counts(lines, judges, lambda line: line.alone),
        with_figures=_counts(texts, judges, lambda line: line.with_figures),
        notes=_notes(lines),
        minimal_pairs=_minimal_pairs(texts, judges),
        pairs=_pairs(pairs, judges),
        cascades=_cascades(store, judges),
        cost=_costs(costs),
        machines=_machines(costs),
    )


def chart_of(store: Store, judges: Sequence[str]) -> str:
    """Return the chart: balanced accuracy, with `Figures` where a text is judged."""
    bars = []
    for line in lines_of(store, judges):
        counted = line.with_figures or line.alone
        values = {
            judge: 100 * balanced
            for judge, found in counted.items()
            if (balanced := found.balanced) is not None
        }
        if values:
            bars.append(Bars(line.title, values))
    title = "Balanced accuracy in percent, of right texts that pass and wrong ones refused"
    return bar_chart(title, judges, bars)


def _rows(line: Line) -> int:
    return max(found.right + found.wrong + found.unread for found in line.alone.values())


def _counts(
    lines: Iterable[Line], judges: Sequence[str], part: Callable[[Line], Mapping[str, Counted]]
) -> str:
    header = ["set", "right, wrong"]
    for judge in judges:
        header += [f"`{judge}`", "mean (ROC-AUC)"]
    rows = []
    for line in lines:
        counted = part(line)
        some = max(counted.values(), key=lambda found: found.right + found.wrong)
        cells = [line.title, f"{some.right}, {some.wrong}"]
        for judge in judges:
            seen = _MARK if judge in line.judged.seen_by else ""
            cells += _cells(counted[judge], some, seen) if judge in counted else ["", ""]
        rows.append(cells)
    return _table(header, rows)


def _cells(found: Counted, most: Counted, seen: str) -> list[str]:
    """Return what a judge reached; `most` is what the judge with most rows did."""
    if found.unread and not found.right + found.wrong:
        return ["refused by name", ""]
    unread = f", {found.unread} refused by name" if found.unread else ""
    is_part = found.right + found.wrong + found.unread < most.right + most.wrong
    part = f", on {found.right}, {found.wrong}" if is_part else ""
    shares = f"{_percent(found.passed)} + {_percent(found.refused)}{seen}{part}{unread}"
    if found.balanced is None or found.half_width is None or found.area is None:
        return [shares, ""]
    mean = f"{100 * found.balanced:.1f} ± {100 * found.half_width:.1f}"
    return [shares, f"{mean} ({100 * found.area:.1f})"]


def _notes(lines: Iterable[Line]) -> str:
    """Return what the marks mean: which judges have seen a set before."""
    seen: dict[str, list[str]] = {}
    for judged in {line.judged.name: line.judged for line in lines}.values():
        for judge, how in judged.seen_by.items():
            seen.setdefault(f"`{judge}` was {how}", []).append(judged.title)
    if not seen:
        return "No judge has seen any of these rows before."
    told = "; ".join(f"{who} {', '.join(titles)}" for who, titles in seen.items())
    return f"{_MARK} Seen before, so no measure of new texts: {told}."


def _minimal_pairs(lines: Iterable[Line], judges: Sequence[str]) -> str:
    rows = []
    for line in lines:
        if line.both_right:
            most = max(pairs for pairs, _ in line.both_right.values())
            found = (line.both_right.get(judge) for judge in judges)
            shares = [
                f"{_percent(each[1])}{_part(each[0], most)}" if each else "" for each in found
            ]
            rows.append([line.title, str(most), *shares])
    return _table(["set", "pairs", *(f"`{judge}`" for judge in judges)], rows)


def _pairs(lines: Iterable[Line], judges: Sequence[str]) -> str:
    header = ["set", "rows"]
    for judge in judges:
        header += [f"`{judge}`: labels", "entailed or not"]
    rows = []
    for line in lines:
        cells = [line.title, str(_rows(line))]
        for judge in judges:
            found = line.alone.get(judge)
            part = _part(found.right + found.wrong, _rows(line)) if found else ""
            cells.append(f"{_percent(line.accuracy.get(judge))}{part}")
            cells.append(_percent(line.entailed_or_not.get(judge)))
        rows.append(cells)
    return _table(header, rows)


def _cascades(store: Store, judges: Sequence[str]) -> str:
    """Return how right each cascade is by the share of texts that its second judge is asked."""
    curves = {
        f"`{first}`, then `{then}`": curve
        for first, then in _CASCADES
        if {first, then} <= set(judges) and (curve := cascade_of(store, first, then)) is not None
    }
    rows = []
    for points in zip(*(curve.points for curve in curves.values()), strict=True):
        cells = []
        for point in points:
            low, high = point.between
            shares = f"{_percent(point.counts.recall)} + {_percent(point.counts.rejection)}"
            cells += [f"{point.asked:.0%}: {low:.2f} to {high:.2f}", shares]
            cells.append(_percent(point.balanced_accuracy))
        rows.append(cells)
    header = [cell for name in curves for cell in (name, "pass + refuse", "mean")]
    return _table(header, rows) if curves else "No two judges have judged the same rows."


def _part(count: int, most: int) -> str:
    """Return on how many rows a judge was counted, if on fewer than another one."""
    return f", on {count}" if count < most else ""


def _costs(costs: Mapping[str, Cost]) -> str:
    rows = [
        [
            f"`{judge}`",
            f"{cost.statements:,}",
            _count(cost.seconds),
            _count(cost.processor_seconds),
            _count(cost.tokens),
            "" if cost.peak_mib is None else f"{cost.peak_mib:,} MiB",
        ]
        for judge, cost in costs.items()
    ]
    header = ["judge", "statements judged", "seconds", "processor seconds", "tokens", "memory"]
    return _table(header, rows)


def _count(count: float | None) -> str:
    return "not counted" if count is None else f"{count:,.0f}"


def _machines(costs: Mapping[str, Cost]) -> str:
    """Return on which machines, and with which versions, each judge was run."""
    shown: dict[str, list[str]] = {}
    for judge, cost in costs.items():
        for described in cost.machines:
            shown.setdefault(machine.show(described), []).append(f"`{judge}`")
    return "\n\n".join(f"{', '.join(names)}: {where}" for where, names in shown.items())


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f}"
