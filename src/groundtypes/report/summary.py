"""Counts over all rows of a page, and their HTML, which is readable without the script.

Rows are counted one at a time, and the number of names is bounded, so that memory is too.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from groundtypes.report.html_text import escaped
from groundtypes.report.report_rows import ReportRow
from groundtypes.verdicts import Verdict, loc_pattern

#: Names come from models and answers; beyond this many, new ones are counted together.
_MAX_NAMES: Final = 200
_OTHER: Final = "(other)"


@dataclass(frozen=True, slots=True, order=True)
class CheckOutcome:
    """What a check decided: `name` is the slug of a fault, or the label where the check holds."""

    check: str
    ok: bool
    name: str


@dataclass(slots=True)
class Summary:
    """Counts over rows.

    `states` counts rows by state, `shown` those on the page. Fields are named by
    `verdicts.loc_pattern`.
    """

    rows: int = 0
    shown: int = 0
    states: Counter[str] = field(default_factory=Counter)
    verdicts: int = 0
    dropped: int = 0
    outcomes: dict[str, Counter[CheckOutcome]] = field(default_factory=dict)
    faults_by_field: Counter[str] = field(default_factory=Counter)
    verdicts_by_field: Counter[str] = field(default_factory=Counter)

    def add(self, row: ReportRow) -> None:
        """Count a row."""
        self.rows += 1
        self.states[row.state] += 1
        for verdict in row.answer.verdicts:
            self._add_verdict(verdict)

    def _add_verdict(self, verdict: Verdict) -> None:
        self.verdicts += 1
        self.dropped += verdict.dropped
        check = _bounded(verdict.check, self.outcomes)
        outcomes = self.outcomes.setdefault(check, Counter())
        name = (verdict.label or "holds") if verdict.ok else (verdict.slug or "fails")
        outcome = CheckOutcome(check, verdict.ok, name)
        if outcome not in outcomes and len(outcomes) >= _MAX_NAMES:
            outcome = CheckOutcome(check, verdict.ok, _OTHER)
        outcomes[outcome] += 1
        place = _bounded(loc_pattern(verdict.loc), self.verdicts_by_field)
        self.verdicts_by_field[place] += 1
        if not verdict.ok:
            self.faults_by_field[place] += 1


def _bounded(name: str, names: Collection[str]) -> str:
    """Return the name, or one that stands for all further names when there are too many."""
    return name if name in names or len(names) < _MAX_NAMES else _OTHER


_MAX_ROWS: Final = 12
_MARKS: Final = {True: "✓", False: "✗"}


def summary_html(summary: Summary) -> str:
    """Return the counts, the outcomes of each check, and the fields with the most faults."""
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
    sections.append(_severities(summary))
    sections += [_check(check, counts) for check, counts in sorted(summary.outcomes.items())]
    sections.append(_fields(summary))
    return "\n".join(filter(None, sections))


def _counts(summary: Summary) -> str:
    states = summary.states
    rows = [_fact("answers", f"{summary.rows:,}")]
    marks = {"ok": "✓", "faulty": "✗", "review": "~", "unjudged": "?", "broken": "!"}
    for state, mark in marks.items():
        if states[state] or state in ("ok", "faulty"):
            share = _share(states[state], summary.rows)
            rows.append(_fact(f"{mark} {state}", f"{states[state]:,}", share, state))
    rows.append(_fact("verdicts", f"{summary.verdicts:,}"))
    if summary.dropped:
        rows.append(_fact("items dropped", f"{summary.dropped:,}"))
    return f'<dl class="facts">{"".join(rows)}</dl>'


def _severities(summary: Summary) -> str:
    rows = [
        _row(f'data-state="{state}"', name, summary.states[state], summary.rows, kind)
        for state, name, kind in (
            ("faulty", "✗ must be fixed", "fault"),
            ("broken", "! could not be read", "warn"),
            ("review", "~ to be reviewed", "warn"),
            ("unjudged", "? not judged", "warn"),
        )
        if summary.states[state]
    ]
    return _table("By severity", ("severity", "answers"), rows) if rows else ""


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
