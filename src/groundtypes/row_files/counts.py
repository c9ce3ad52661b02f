"""Counts over all rows of a run, of bounded size: a million rows take no more memory than one."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from groundtypes.text.message_excerpts import clip
from groundtypes.validation.audits import Audit
from groundtypes.verdicts import Verdict, loc_pattern

#: Names come from models and answers; beyond this many, new ones are counted together.
_MAX_NAMES: Final = 500
_OTHER: Final = "(other)"
_HOLDS: Final = "holds"
_STATES: Final = ("rows", "clean", "repaired", "rejected", "unjudged", "broken")


class NameCounts(Counter[str]):
    """How often each name occurs; beyond 500 names, new ones count as `(other)`."""

    def count(self, name: str, times: int = 1) -> None:
        """Count a name."""
        self[_bounded(name, self)] += times

    def to_dict(self) -> dict[str, int]:
        """Return plain data, the most frequent name first."""
        return dict(sorted(self.items(), key=lambda item: (-item[1], item[0])))


@dataclass
class RunCounts:
    """Counts of rows, of verdicts by check and outcome, of faults by field, and of labels.

    A row is clean (perhaps repaired), rejected, unjudged or broken: of an unjudged row the answer
    could be read but not judged, and a broken one could not be read.

    An outcome is the slug of a fault, or `holds`. A field is a `loc` with `*` for positions in
    lists. A label is what a check has determined whether it holds or not: how a quote matches its
    reference, or whether a sentence is entailed.
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
        for verdict in audit.verdicts:
            self._add_verdict(verdict)

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
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "RunCounts":
        """Return the counts that `to_dict` wrote; an empty mapping holds none."""
        return cls(
            **{name: int(data.get(name, 0)) for name in _STATES},
            verdicts={name: NameCounts(held) for name, held in data.get("verdicts", {}).items()},
            fields=NameCounts(data.get("fields", {})),
            labels={name: NameCounts(held) for name, held in data.get("labels", {}).items()},
        )

    def _add_verdict(self, verdict: Verdict) -> None:
        check = _bounded(clip(verdict.check, 80), self.verdicts)
        outcome = _HOLDS if verdict.ok else verdict.slug or "fails"
        self.verdicts.setdefault(check, NameCounts()).count(clip(outcome, 80))
        if not verdict.ok:
            self.fields.count(loc_pattern(verdict.loc))
        if verdict.label is not None:
            self.labels.setdefault(check, NameCounts()).count(clip(verdict.label, 80))


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

    def fault(self, number: int, verdict: Verdict) -> None:
        """Receive a failing verdict, and the number of the line whose row has the fault."""

    def noted(self, text: str) -> None:
        """Receive a sentence about how the run goes, such as how many workers it has."""
