"""Counts over all rows of a run, of bounded size: a million rows take no more memory than one."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from groundtypes.row_files.line_faults import LineFault
from groundtypes.row_files.people_labels import is_unlabelled, says_supported
from groundtypes.text.message_excerpts import clip
from groundtypes.validation.audits import Audit
from groundtypes.verdicts import Verdict, loc_pattern

#: Names come from models and answers; beyond this many, new ones are counted together.
_MAX_NAMES: Final = 500
_OTHER: Final = "(other)"
_HOLDS: Final = "holds"
_REVIEW: Final = "review"
_STATES: Final = ("rows", "clean", "repaired", "rejected", "review", "unjudged", "broken")


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
    """Counts of rows, of verdicts by check and outcome, of faults by field and kind, and of labels.

    A row is clean (perhaps repaired), rejected, under review, unjudged or broken: the review band
    of a calibration leaves one under review open, of an unjudged row the answer could be read but
    not judged, and a broken one could not be read.

    An outcome is the slug of a fault, `holds`, or `review` of a verdict that such a band leaves
    open in a row under review, which is no fault. A field is a `loc` with `*` for positions in
    lists. A label is what a check has determined whether it holds or not: how a quote matches its
    reference, or whether a sentence is entailed.

    `kinds` counts rows by the slugs of their faults. `people` counts the rows that people have
    labelled, by what became of them and what people say, such as `rejected supported`. `models`
    counts rows by their models, where each row got its own.
    """

    rows: int = 0
    clean: int = 0
    repaired: int = 0
    rejected: int = 0
    review: int = 0
    unjudged: int = 0
    broken: int = 0
    verdicts: dict[str, NameCounts] = field(default_factory=dict)
    fields: NameCounts = field(default_factory=NameCounts)
    labels: dict[str, NameCounts] = field(default_factory=dict)
    kinds: NameCounts = field(default_factory=NameCounts)
    people: NameCounts = field(default_factory=NameCounts)
    models: NameCounts = field(default_factory=NameCounts)

    def add(self, audit: Audit[Any], *, repaired: bool = False, label: Any = None) -> None:
        """Count a row that was audited; a repaired one is not counted as clean.

        `label` is what people say of its answer.
        """
        state = "unjudged" if audit.mistake is not None else "repaired" if repaired else "clean"
        if audit.mistake is None and audit.decision != "accept":
            state = _REVIEW if audit.decision == _REVIEW else "rejected"
        self.rows += 1
        setattr(self, state, getattr(self, state) + 1)
        for verdict in audit.verdicts:
            self._add_verdict(verdict, is_open=state == verdict.decision == _REVIEW)
        for slug in {_outcome(verdict) for verdict in audit.faults if state != _REVIEW}:
            self.kinds.count(slug)
        if not is_unlabelled(label):
            supported = says_supported(label)
            said = "unread" if supported is None else "supported" if supported else "unsupported"
            self.people.count(f"{state} {said}")

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
        for own, more in (
            (self.fields, other.fields),
            (self.kinds, other.kinds),
            (self.people, other.people),
            (self.models, other.models),
        ):
            for name, times in more.items():
                own.count(name, times)

    @property
    def faults(self) -> int:
        """The number of verdicts that do not hold."""
        outcomes = self.verdicts.values()
        return sum(counts.total() - counts[_HOLDS] - counts[_REVIEW] for counts in outcomes)

    @property
    def agreement(self) -> dict[str, float | None]:
        """How the rejections compare with what people say; empty where no row has a label.

        Of the `rows` that people have labelled and that were judged, people agree with `agreed`
        (the share `agreement`). `precision` is the share of the `rejected` ones that people call
        unsupported, `recall` the share of those `unsupported` that are rejected. `left_out` have
        a label that says neither, are under review or could not be judged.
        """
        passed, refused = (
            [self.people[f"{state} {said}"] for said in ("supported", "unsupported")]
            for state in ("clean", "rejected")
        )
        rows, agreed, found = sum(passed + refused), passed[0] + refused[1], refused[1]
        if not self.people:
            return {}
        return {
            "rows": rows,
            "agreed": agreed,
            "rejected": sum(refused),
            "unsupported": passed[1] + found,
            "rejected_unsupported": found,
            "left_out": self.people.total() - rows,
            "agreement": agreed / rows if rows else None,
            "precision": found / sum(refused) if sum(refused) else None,
            "recall": found / (passed[1] + found) if passed[1] + found else None,
        }

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, the most frequent first."""
        agreement = self.agreement
        return {
            **{name: getattr(self, name) for name in _STATES},
            "verdicts": {name: counts.to_dict() for name, counts in sorted(self.verdicts.items())},
            "fields": self.fields.to_dict(),
            "labels": {name: counts.to_dict() for name, counts in sorted(self.labels.items())},
            "kinds": self.kinds.to_dict(),
            **({"people": self.people.to_dict(), "agreement": agreement} if agreement else {}),
            **({"models": self.models.to_dict()} if self.models else {}),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "RunCounts":
        """Return the counts that `to_dict` wrote; an empty mapping holds none."""
        return cls(
            **{name: int(data.get(name, 0)) for name in _STATES},
            verdicts={name: NameCounts(held) for name, held in data.get("verdicts", {}).items()},
            fields=NameCounts(data.get("fields", {})),
            labels={name: NameCounts(held) for name, held in data.get("labels", {}).items()},
            kinds=NameCounts(data.get("kinds", {})),
            people=NameCounts(data.get("people", {})),
            models=NameCounts(data.get("models", {})),
        )

    def _add_verdict(self, verdict: Verdict, *, is_open: bool) -> None:
        check = _bounded(clip(verdict.check, 80), self.verdicts)
        self.verdicts.setdefault(check, NameCounts()).count(
            _REVIEW if is_open else _outcome(verdict)
        )
        if not verdict.ok and not is_open:
            self.fields.count(loc_pattern(verdict.loc))
        if verdict.label is not None:
            self.labels.setdefault(check, NameCounts()).count(clip(verdict.label, 80))


def _outcome(verdict: Verdict) -> str:
    return _HOLDS if verdict.ok else clip(verdict.slug or "fails", 80)


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

    def fault(self, fault: LineFault) -> None:
        """Receive a fault of a row, or what stands for those of one that was not judged."""

    def noted(self, text: str) -> None:
        """Receive a sentence about how the run goes, such as how many workers it has."""
