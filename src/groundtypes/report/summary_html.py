"""The summary of a page as HTML, which is readable without the script.

The script adds filters: a click on a name in a table shows the answers behind it.
"""

from collections import Counter
from typing import Final

from groundtypes.report.html_text import escaped
from groundtypes.report.summary import CheckOutcome, Summary

_MAX_ROWS: Final = 12
_MARKS: Final = {True: "✓", False: "✗"}


def summary_html(summary: Summary) -> str:
    """Return the counts, the outcomes of each check, the worst fields and the slowest checks."""
    sections = [_counts(summary)]
    if summary.shown < summary.rows:
        sections.append(
            f'<p class="note">All {summary.rows:,} answers are counted here; the first '
            f"{summary.shown:,} of them are on this page.</p>"
        )
    if unjudged := summary.states["unjudged"]:
        sections.append(
            f'<p class="note">Of {unjudged:,} answers there are no verdicts: they were not judged. '
            "groundtypes check --audits writes rows with verdicts.</p>"
        )
    if not summary.verdicts:
        sections.append('<p class="note">There are no verdicts: nothing was checked.</p>')
    sections += [_check(check, counts) for check, counts in sorted(summary.outcomes.items())]
    sections += [_fields(summary), _times(summary)]
    return "\n".join(filter(None, sections))


def _counts(summary: Summary) -> str:
    states = summary.states
    rows = [_fact("answers", f"{summary.rows:,}")]
    for state, mark in (("ok", "✓"), ("faulty", "✗"), ("unjudged", "?"), ("broken", "!")):
        if states[state] or state in ("ok", "faulty"):
            share = _share(states[state], summary.rows)
            rows.append(_fact(f"{mark} {state}", f"{states[state]:,}", share, state))
    if summary.reasked:
        rows.append(_fact("re-asked", f"{summary.reasked:,}", f"{summary.fixed:,} ended ok"))
    rows.append(_fact("verdicts", f"{summary.verdicts:,}"))
    if summary.dropped:
        rows.append(_fact("items dropped", f"{summary.dropped:,}"))
    return f'<dl class="facts">{"".join(rows)}</dl>'


def _fact(name: str, value: str, more: str = "", state: str = "") -> str:
    small = f" <small>{more}</small>" if more else ""
    kind = f' class="{state}"' if state else ""
    return f"<div{kind}><dt>{name}</dt><dd>{value}{small}</dd></div>"


def _check(check: str, outcomes: Counter[CheckOutcome]) -> str:
    total = outcomes.total()
    ranked = sorted(outcomes.items(), key=lambda item: (not item[0].ok, -item[1], item[0].name))
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
    worst = sorted(summary.faults_by_field.items(), key=lambda item: (-item[1], item[0]))[
        :_MAX_ROWS
    ]
    rows = [
        _row(
            f'data-place="{escaped(place)}"',
            escaped(place),
            count,
            summary.verdicts_by_field[place],
            "fault",
        )
        for place, count in worst
    ]
    return _table("Fields with the most faults", ("field", "faults"), rows) if rows else ""


def _times(summary: Summary) -> str:
    slowest = sorted(summary.times.items(), key=lambda item: -item[1].total)[:_MAX_ROWS]
    if not slowest:
        return ""
    whole = max(sum(time.total for time in summary.times.values()), 1e-9)
    rows = [
        f'<tr><th scope="row">{escaped(check)}</th>{_bar(time.total / whole, "time")}'
        f"<td>{time.total:,.2f} s</td><td>{time.total / time.verdicts * 1e3:,.1f} ms</td>"
        f"<td>{time.longest * 1e3:,.1f} ms</td></tr>"
        for check, time in slowest
    ]
    return _table("Slowest checks", ("check", "total", "mean", "longest"), rows)


def _row(filters: str, name: str, count: int, total: int, kind: str) -> str:
    return (
        f'<tr><th scope="row"><button type="button" class="pick" {filters}>{name}</button></th>'
        f"{_bar(count / total if total else 0.0, kind)}<td>{count:,}</td>"
        f"<td>{_share(count, total)}</td></tr>"
    )


def _bar(share: float, kind: str) -> str:
    # SVG, because the page's policy forbids the style attribute.
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
