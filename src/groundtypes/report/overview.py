"""The summary of a page, as HTML that needs no script."""

from collections import Counter
from typing import Final

from groundtypes.report.markup import escaped
from groundtypes.report.summary import Outcome, Summary

__all__ = ["summary_html"]

_WORST: Final = 12
_MARKS: Final = {True: "✓", False: "✗"}


def summary_html(summary: Summary) -> str:
    """Return the summary: counts, what each check found, the worst fields, the slowest checks."""
    parts = [_counts(summary)]
    if summary.shown < summary.rows:
        parts.append(
            f'<p class="note">All {summary.rows:,} answers are counted here; the first '
            f"{summary.shown:,} of them are on this page.</p>"
        )
    if not summary.verdicts:
        parts.append('<p class="note">There are no verdicts: nothing was checked.</p>')
    parts += [_check(check, found) for check, found in sorted(summary.checks.items())]
    parts += [_fields(summary), _paces(summary)]
    return "\n".join(filter(None, parts))


def _counts(summary: Summary) -> str:
    states = summary.states
    rows = [_fact("answers", f"{summary.rows:,}")]
    for state, mark in (("ok", "✓"), ("faulty", "✗"), ("broken", "!")):
        if states[state] or state != "broken":
            share = _share(states[state], summary.rows)
            rows.append(_fact(f"{mark} {state}", f"{states[state]:,}", share, state))
    if summary.reasked:
        rows.append(_fact("re-asked", f"{summary.reasked:,}", f"{summary.mended:,} ended ok"))
    rows.append(_fact("verdicts", f"{summary.verdicts:,}"))
    if summary.dropped:
        rows.append(_fact("items dropped", f"{summary.dropped:,}"))
    return f'<dl class="facts">{"".join(rows)}</dl>'


def _fact(name: str, value: str, more: str = "", state: str = "") -> str:
    small = f" <small>{more}</small>" if more else ""
    kind = f' class="{state}"' if state else ""
    return f"<div{kind}><dt>{name}</dt><dd>{value}{small}</dd></div>"


def _check(check: str, found: Counter[Outcome]) -> str:
    total = found.total()
    ranked = sorted(found.items(), key=lambda item: (not item[0].ok, -item[1], item[0].name))
    rows = [
        _row(
            f'data-check="{escaped(check)}" data-{"label" if outcome.ok else "slug"}='
            f'"{escaped(outcome.name)}"',
            f"{_MARKS[outcome.ok]} {escaped(outcome.name)}",
            count,
            total,
            "ok" if outcome.ok else "fault",
        )
        for outcome, count in ranked
    ]
    return _table(f"What <b>{escaped(check)}</b> found", ("found", "verdicts"), rows)


def _fields(summary: Summary) -> str:
    worst = sorted(summary.faults.items(), key=lambda item: (-item[1], item[0]))[:_WORST]
    rows = [
        _row(
            f'data-place="{escaped(place)}"',
            escaped(place),
            count,
            summary.judged[place],
            "fault",
        )
        for place, count in worst
    ]
    return _table("Fields with the most faults", ("field", "faults"), rows) if rows else ""


def _paces(summary: Summary) -> str:
    slowest = sorted(summary.paces.items(), key=lambda item: -item[1].total)[:_WORST]
    if not slowest:
        return ""
    whole = max(sum(pace.total for pace in summary.paces.values()), 1e-9)
    rows = [
        f'<tr><th scope="row">{escaped(check)}</th>{_bar(pace.total / whole, "time")}'
        f"<td>{pace.total:,.2f} s</td><td>{pace.total / pace.verdicts * 1e3:,.1f} ms</td>"
        f"<td>{pace.longest * 1e3:,.1f} ms</td></tr>"
        for check, pace in slowest
    ]
    return _table("Slowest checks", ("check", "total", "mean", "longest"), rows)


def _row(filters: str, name: str, count: int, total: int, kind: str) -> str:
    return (
        f'<tr><th scope="row"><button type="button" class="pick" {filters}>{name}</button></th>'
        f"{_bar(count / total if total else 0.0, kind)}<td>{count:,}</td>"
        f"<td>{_share(count, total)}</td></tr>"
    )


def _bar(share: float, kind: str) -> str:
    # A drawing, because the page's policy admits no style of an element's own.
    return (
        f'<td class="bar"><svg class="{kind}" viewBox="0 0 100 10" preserveAspectRatio="none" '
        f'aria-hidden="true"><rect width="{max(share * 100, 0.4):.1f}" height="10"/></svg></td>'
    )


def _table(title: str, heads: tuple[str, ...], rows: list[str]) -> str:
    first, *others = heads
    if len(others) == 1:
        others.append("share")
    cells = "".join(f'<th scope="col">{head}</th>' for head in others)
    return (
        f'<table class="found"><caption>{title}</caption><thead><tr><th scope="col">{first}</th>'
        f'<td class="bar"></td>{cells}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    )


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "–"
