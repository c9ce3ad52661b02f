"""Counts over all rows of a page: states, verdicts, faults by field, seconds by check.

Rows are counted one at a time, and the number of names is bounded, so that memory is too.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from groundtypes.report.report_rows import ReportRow, TimedVerdict
from groundtypes.verdicts import loc_pattern

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
class CheckTime:
    """The seconds that a check took, over the verdicts whose time is known."""

    verdicts: int = 0
    total: float = 0.0
    longest: float = 0.0

    def add(self, seconds: float) -> None:
        """Count one verdict."""
        self.verdicts += 1
        self.total += seconds
        self.longest = max(self.longest, seconds)


@dataclass(slots=True)
class Summary:
    """Counts over rows; of a row with several attempts the verdicts of the last one count.

    `states` counts rows by state, `shown` those on the page, `reasked` those with several
    attempts, and `fixed` those of them whose last attempt is ok. Fields are named by
    `verdicts.loc_pattern`.
    """

    rows: int = 0
    shown: int = 0
    states: Counter[str] = field(default_factory=Counter)
    verdicts: int = 0
    reasked: int = 0
    fixed: int = 0
    dropped: int = 0
    outcomes: dict[str, Counter[CheckOutcome]] = field(default_factory=dict)
    faults_by_field: Counter[str] = field(default_factory=Counter)
    verdicts_by_field: Counter[str] = field(default_factory=Counter)
    times: dict[str, CheckTime] = field(default_factory=dict)

    def add(self, row: ReportRow) -> None:
        """Count a row."""
        self.rows += 1
        self.states[row.state] += 1
        if len(row.attempts) > 1:
            self.reasked += 1
            self.fixed += row.state == "ok"
        for timed in row.attempts[-1].verdicts:
            self._add_verdict(timed)

    def _add_verdict(self, timed: TimedVerdict) -> None:
        verdict = timed.verdict
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
        if timed.seconds is not None:
            self.times.setdefault(check, CheckTime()).add(timed.seconds)


def _bounded(name: str, names: Collection[str]) -> str:
    """Return the name, or one that stands for all further names when there are too many."""
    return name if name in names or len(names) < _MAX_NAMES else _OTHER
