"""Counts over all rows of a run, of bounded size: a million rows take no more memory than one."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from groundtypes.scoring import Label
from groundtypes.text.message_excerpts import clip
from groundtypes.validation.audits import Audit
from groundtypes.verdicts import Verdict, loc_pattern

#: Names come from models and answers; beyond this many, new ones are counted together.
_MAX_NAMES: Final = 500
_OTHER: Final = "(other)"
_HOLDS: Final = "holds"
_STATES: Final = ("rows", "clean", "repaired", "rejected", "unjudged", "broken")
#: Shares are multiples of one part in so many: two billion of them add up without rounding, so
#: that the sums are the same however the rows were divided.
_SHARE_UNIT: Final = 2**22
_LABELS: Final = tuple(label.value for label in Label)


class NameCounts(Counter[str]):
    """How often each name occurs; beyond 500 names, new ones count as `(other)`."""

    def count(self, name: str, times: int = 1) -> None:
        """Count a name."""
        self[_bounded(name, self)] += times

    def to_dict(self) -> dict[str, int]:
        """Return plain data, the most frequent name first."""
        return dict(sorted(self.items(), key=lambda item: (-item[1], item[0])))


@dataclass
class LabelShares:
    """The shares of the entailment labels, summed over `rows` rows."""

    rows: int = 0
    sums: dict[str, float] = field(default_factory=lambda: dict.fromkeys(_LABELS, 0.0))

    @property
    def means(self) -> dict[str, float]:
        """The mean share of each label; zero where there are no rows."""
        return {label: total / max(self.rows, 1) for label, total in self.sums.items()}

    def add(self, labels: Counter[str]) -> None:
        """Count the labels of one row."""
        total = labels.total()
        shares = {name: round(n / total * _SHARE_UNIT) / _SHARE_UNIT for name, n in labels.items()}
        self.merge(LabelShares(1, shares))

    def merge(self, other: "LabelShares") -> None:
        """Add the sums of other rows."""
        self.rows += other.rows
        for label, total in other.sums.items():
            self.sums[label] += total

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {"rows": self.rows, "sums": self.sums, "means": self.means}


@dataclass
class RunCounts:
    """Counts of rows, of verdicts by check and outcome, of faults by field, and of labels.

    A row is clean (perhaps repaired), rejected, unjudged or broken: of an unjudged row the answer
    could be read but not judged, and a broken one could not be read.

    An outcome is the slug of a fault, or `holds`. A field is a `loc` with `*` for positions in
    lists. A label is what a check has determined whether it holds or not: how a quote matches its
    reference, or whether a sentence is entailed. `shares` sums up, over the rows that have
    them, which shares of a check's verdicts have the entailment labels; divided by the number of
    rows these are RefChecker's macro averages.
    """

    rows: int = 0
    clean: int = 0
    repaired: int = 0
    rejected: int = 0
    unjudged: int = 0
    broken: int = 0
    verdicts: dict[str, NameCounts] = field(default_factory=dict)
    fields: NameCounts = field(default_factory=NameCounts)
    labels: dict[str, NameCounts] = field(default_factory=dict)
    shares: dict[str, LabelShares] = field(default_factory=dict)

    def add(self, audit: Audit[Any], *, repaired: bool = False) -> None:
        """Count a row that was audited; a repaired one is not counted as clean."""
        self.rows += 1
        if audit.mistake is not None:
            self.unjudged += 1
        elif repaired:
            self.repaired += 1
        elif audit.ok:
            self.clean += 1
        else:
            self.rejected += 1
        row_labels: dict[str, Counter[str]] = {}
        for verdict in audit.verdicts:
            check = self._add_verdict(verdict)
            if verdict.label in _LABELS:
                row_labels.setdefault(check, Counter())[verdict.label] += 1
        for check, labels in row_labels.items():
            self.shares.setdefault(check, LabelShares()).add(labels)

    def add_broken(self) -> None:
        """Count a line that holds no row."""
        self.rows += 1
        self.broken += 1

    def merge(self, other: "RunCounts") -> None:
        """Add the counts of other rows."""
        for name in _STATES:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for mine, theirs in ((self.verdicts, other.verdicts), (self.labels, other.labels)):
            for check, counts in theirs.items():
                total = mine.setdefault(_bounded(check, mine), NameCounts())
                for name, times in counts.items():
                    total.count(name, times)
        for name, times in other.fields.items():
            self.fields.count(name, times)
        for check, shares in other.shares.items():
            self.shares.setdefault(_bounded(check, self.shares), LabelShares()).merge(shares)

    @property
    def faults(self) -> int:
        """The number of verdicts that do not hold."""
        return sum(counts.total() - counts[_HOLDS] for counts in self.verdicts.values())

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, the most frequent first."""
        return {
            **{name: getattr(self, name) for name in _STATES},
            "verdicts": {name: counts.to_dict() for name, counts in sorted(self.verdicts.items())},
            "fields": self.fields.to_dict(),
            "labels": {name: counts.to_dict() for name, counts in sorted(self.labels.items())},
            "shares": {name: shares.to_dict() for name, shares in sorted(self.shares.items())},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "RunCounts":
        """Return the counts that `to_dict` wrote; an empty mapping holds none."""
        return cls(
            **{name: int(data.get(name, 0)) for name in _STATES},
            verdicts={name: NameCounts(held) for name, held in data.get("verdicts", {}).items()},
            fields=NameCounts(data.get("fields", {})),
            labels={name: NameCounts(held) for name, held in data.get("labels", {}).items()},
            shares={
                name: LabelShares(held["rows"], dict(held["sums"]))
                for name, held in data.get("shares", {}).items()
            },
        )

    def _add_verdict(self, verdict: Verdict) -> str:
        """Count a verdict, and return the name under which its check is counted."""
        check = _bounded(clip(verdict.check, 80), self.verdicts)
        outcome = _HOLDS if verdict.ok else verdict.slug or "fails"
        self.verdicts.setdefault(check, NameCounts()).count(clip(outcome, 80))
        if not verdict.ok:
            self.fields.count(loc_pattern(verdict.loc))
        if verdict.label is not None:
            self.labels.setdefault(check, NameCounts()).count(clip(verdict.label, 80))
        return check


def _bounded(name: str, known: Mapping[str, Any]) -> str:
    return name if name in known or len(known) < _MAX_NAMES else _OTHER


class Progress:
    """Callbacks of a run, which do nothing here; a subclass overrides those that it needs."""

    def started(self, total: int | None, offset: int) -> None:
        """Receive the size of the input, if it is known, and how much was read before, in bytes."""

    def advanced(self, offset: int, counts: RunCounts) -> None:
        """Receive the bytes read and the counts of all rows so far, after each batch."""

    def broken(self, number: int, reason: str) -> None:
        """Receive the number of a broken line (0 if it has none) and what is wrong with it."""

    def noted(self, text: str) -> None:
        """Receive a sentence about how the run goes, such as how many workers it has."""
