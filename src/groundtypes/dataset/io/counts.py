"""What was found in all rows: counts only, so that a million rows take no more than one."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from groundtypes.errors import clip
from groundtypes.scoring import Label
from groundtypes.validation.audits import Audit
from groundtypes.verdicts import Loc, Verdict

__all__ = ["Tally"]

#: Names come from models and answers; beyond this many, new ones are counted together.
_MAX_NAMES: Final = 500
_OTHER: Final = "(other)"
_HOLDS: Final = "holds"
_LABELS: Final = tuple(label.value for label in Label)


@dataclass(slots=True)
class Shares:
    """Shares of the labels of entailment, summed over rows."""

    rows: int = 0
    sums: dict[str, float] = field(default_factory=lambda: dict.fromkeys(_LABELS, 0.0))

    def add(self, counts: Counter[str]) -> None:
        """Take the labels of one row."""
        self.rows += 1
        for label, count in counts.items():
            self.sums[label] += count / counts.total()

    def merge(self, other: "Shares") -> None:
        """Take the sums of other rows."""
        self.rows += other.rows
        for label, total in other.sums.items():
            self.sums[label] += total

    @property
    def means(self) -> dict[str, float]:
        """The mean share of each label."""
        return {
            label: total / self.rows if self.rows else 0.0 for label, total in self.sums.items()
        }

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {"rows": self.rows, "sums": self.sums, "means": self.means}


@dataclass(slots=True)
class Tally:
    """Counts of rows, of verdicts by check and outcome, of faults by field, and of labels.

    An outcome is the slug of a fault, or `holds`. A field is a `loc` with `*` for positions in
    lists. A label is what a check found, whether it holds or not: how a quote stands in its
    reference, or whether a sentence is entailed. `shares` sums up, over the rows that have
    them, which shares of a check's verdicts have the labels of entailment: divided by their number
    it is RefChecker's macro average.
    """

    rows: int = 0
    clean: int = 0
    rejected: int = 0
    broken: int = 0
    verdicts: dict[str, Counter[str]] = field(default_factory=dict)
    fields: Counter[str] = field(default_factory=Counter)
    labels: dict[str, Counter[str]] = field(default_factory=dict)
    shares: dict[str, "Shares"] = field(default_factory=dict)

    def add(self, audit: Audit[Any]) -> None:
        """Count a row that was judged."""
        self.rows += 1
        if audit.ok:
            self.clean += 1
        else:
            self.rejected += 1
        labelled: dict[str, Counter[str]] = {}
        for verdict in audit.verdicts:
            check = self._add_verdict(verdict)
            if verdict.label in _LABELS:
                labelled.setdefault(check, Counter())[verdict.label] += 1
        for check, counts in labelled.items():
            self.shares.setdefault(check, Shares()).add(counts)

    def add_broken(self) -> None:
        """Count a line that could not be judged."""
        self.rows += 1
        self.broken += 1

    def merge(self, other: "Tally") -> None:
        """Add the counts of other rows."""
        self.rows += other.rows
        self.clean += other.clean
        self.rejected += other.rejected
        self.broken += other.broken
        _merge(self.fields, other.fields)
        for mine, theirs in ((self.verdicts, other.verdicts), (self.labels, other.labels)):
            for check, counts in theirs.items():
                named = check if check in mine or len(mine) < _MAX_NAMES else _OTHER
                _merge(mine.setdefault(named, Counter()), counts)
        for check, shares in other.shares.items():
            named = check if check in self.shares or len(self.shares) < _MAX_NAMES else _OTHER
            self.shares.setdefault(named, Shares()).merge(shares)

    @property
    def faults(self) -> int:
        """The number of verdicts that do not hold."""
        return sum(
            count
            for outcomes in self.verdicts.values()
            for outcome, count in outcomes.items()
            if outcome != _HOLDS
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, the most frequent first."""
        return {
            "rows": self.rows,
            "clean": self.clean,
            "rejected": self.rejected,
            "broken": self.broken,
            "verdicts": {check: _sorted(found) for check, found in sorted(self.verdicts.items())},
            "fields": _sorted(self.fields),
            "labels": {check: _sorted(found) for check, found in sorted(self.labels.items())},
            "shares": {check: found.to_dict() for check, found in sorted(self.shares.items())},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Tally":
        """Return the tally that `to_dict` wrote."""
        return cls(
            rows=int(data["rows"]),
            clean=int(data["clean"]),
            rejected=int(data["rejected"]),
            broken=int(data["broken"]),
            verdicts={check: Counter(found) for check, found in data["verdicts"].items()},
            fields=Counter(data["fields"]),
            labels={check: Counter(found) for check, found in data["labels"].items()},
            shares={
                check: Shares(int(found["rows"]), dict(found["sums"]))
                for check, found in data.get("shares", {}).items()
            },
        )

    def _add_verdict(self, verdict: Verdict) -> str:
        check = clip(verdict.check, 80)
        if check not in self.verdicts and len(self.verdicts) >= _MAX_NAMES:
            check = _OTHER
        outcome = _HOLDS if verdict.ok else verdict.slug or "fails"
        _count(self.verdicts.setdefault(check, Counter()), clip(outcome, 80))
        if not verdict.ok:
            _count(self.fields, _field(verdict.loc))
        if verdict.label is not None:
            _count(self.labels.setdefault(check, Counter()), clip(verdict.label, 80))
        return check


def _count(counter: Counter[str], name: str) -> None:
    if name not in counter and len(counter) >= _MAX_NAMES:
        name = _OTHER
    counter[name] += 1


def _merge(counter: Counter[str], other: Counter[str]) -> None:
    for name, count in other.items():
        if name not in counter and len(counter) >= _MAX_NAMES:
            counter[_OTHER] += count
        else:
            counter[name] += count


def _field(loc: Loc) -> str:
    steps = ("*" if isinstance(step, int) else clip(str(step), 80) for step in loc[:20])
    return ".".join(steps) or "(answer)"


def _sorted(counter: Counter[str]) -> dict[str, int]:
    return dict(sorted(counter.items(), key=lambda item: (-item[1], item[0])))
