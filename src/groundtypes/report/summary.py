"""What all rows of a page come to: counts, shares, the worst fields, the slowest checks."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from groundtypes.errors import clip
from groundtypes.report.rows import Row

__all__ = ["Outcome", "Pace", "Summary", "starred"]

#: Names come from models and answers; beyond this many, new ones are counted together.
_MOST_NAMES: Final = 200
_OTHER: Final = "(other)"


@dataclass(frozen=True, slots=True, order=True)
class Outcome:
    """What a check found: the slug of a fault, or else a label; `ok` is whether it holds."""

    check: str
    ok: bool
    name: str


@dataclass(slots=True)
class Pace:
    """The time that a check took where it was measured, in seconds."""

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
    """Counts over rows; of a row with several attempts the last one counts."""

    rows: int = 0
    shown: int = 0
    states: Counter[str] = field(default_factory=Counter)
    verdicts: int = 0
    reasked: int = 0
    mended: int = 0
    dropped: int = 0
    checks: dict[str, Counter[Outcome]] = field(default_factory=dict)
    #: Faults and verdicts by field; a field is a place with `*` for positions in lists.
    faults: Counter[str] = field(default_factory=Counter)
    judged: Counter[str] = field(default_factory=Counter)
    paces: dict[str, Pace] = field(default_factory=dict)

    def add(self, row: Row) -> None:
        """Count a row."""
        self.rows += 1
        self.states[row.state] += 1
        if len(row.attempts) > 1:
            self.reasked += 1
            self.mended += row.state == "ok"
        for finding in row.attempts[-1].findings:
            verdict = finding.verdict
            check = _known(verdict.check, self.checks)
            self.verdicts += 1
            self.dropped += verdict.dropped
            name = (verdict.label or "holds") if verdict.ok else (verdict.slug or "fails")
            outcomes = self.checks.setdefault(check, Counter())
            outcome = Outcome(check, verdict.ok, name)
            if outcome not in outcomes and len(outcomes) >= _MOST_NAMES:
                outcome = Outcome(check, verdict.ok, _OTHER)
            outcomes[outcome] += 1
            place = _known(starred(verdict.loc), self.judged)
            self.judged[place] += 1
            if not verdict.ok:
                self.faults[place] += 1
            if finding.seconds is not None:
                self.paces.setdefault(check, Pace()).add(finding.seconds)


def _known(name: str, names: "dict[str, Counter[Outcome]] | Counter[str]") -> str:
    return name if name in names or len(names) < _MOST_NAMES else _OTHER


def starred(loc: tuple[str | int, ...]) -> str:
    """Return a place with `*` for positions in lists."""
    steps = ("*" if isinstance(step, int) else clip(step, 80) for step in loc[:20])
    return ".".join(steps) or "(answer)"
