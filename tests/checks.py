"""A check with the shape of an NLI check, and the scripted engine that it asks."""

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from groundtypes import Case, Check, NLIScores, Pair, Verdict

ENTAILED = NLIScores(entailment=0.9, neutral=0.08, contradiction=0.02)
REFUTED = NLIScores(entailment=0.02, neutral=0.08, contradiction=0.9)


def contained(pair: Pair) -> NLIScores:
    """Entailed when the premise holds the hypothesis word for word, else refuted."""
    return ENTAILED if pair.hypothesis in pair.premise else REFUTED


@dataclass(eq=False)
class ScriptedNLI:
    """An engine that scores by a function and keeps every batch it was given."""

    rule: Callable[[Pair], Any] = contained
    batches: list[list[Pair]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def score(self, pairs: Sequence[Pair], /) -> Sequence[NLIScores]:
        with self._lock:
            self.batches.append(list(pairs))
        return [self.rule(pair) for pair in pairs]

    @property
    def calls(self) -> int:
        return len(self.batches)


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
