"""Checks for tests: one with the shape of an NLI check, and one that needs no engine."""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pytest

from groundtypes import Case, Check, Pair, Verdict
from groundtypes.testing import ENTAILED, REFUTED, ScriptedNLI, contained

__all__ = [
    "ENTAILED",
    "REFUTED",
    "Follows",
    "ScriptedNLI",
    "Short",
    "contained",
    "without_bundled",
]


def without_bundled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the bundled engine be missing, as it is where the extra `nli` is not installed."""
    monkeypatch.setitem(sys.modules, "groundtypes.backends.bundled", None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Follows(Check):
    """Holds when the references, or the sibling field `by`, entail the value."""

    by: str | None = None
    on_fault: str = "raise"

    @property
    def siblings(self) -> Sequence[str]:
        return (self.by,) if self.by else ()

    @property
    def drops(self) -> bool:
        return self.on_fault == "drop"

    def judge(self, value: str, case: Case) -> Verdict | Iterable[Verdict]:
        if self.by:
            premise = str(case.sibling(self.by))
        else:
            premise = "\n".join(reference.text for reference in case.references)
        (scores,) = case.ask(case.nli, [Pair(premise, value)])
        if scores.entailment > 0.5:
            return self.holds(label=scores.label, score=scores.entailment)
        return self.fails(
            "does_not_follow", "This does not follow.", label=scores.label, score=scores.entailment
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Short(Check):
    """Holds when the value has at most ten characters; needs no engine."""

    def judge(self, value: str, case: Case) -> Verdict:
        return self.holds() if len(value) <= 10 else self.fails("too_wordy", "Shorten this.")
