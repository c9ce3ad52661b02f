"""Review bands: which scores to accept, to reject, and to have a person look at, with a bound.

The method is Learn then Test (Angelopoulos, Bates, Candès, Jordan and Lei 2021, arXiv:2110.01052)
with fixed-sequence testing from several starts. What is bounded is the selective risk: the
probability that a text is wrong given that it is accepted, and that it is right given that it is
rejected. On each side, the hypothesis of a limit is that the risk beyond it is above `risk`. Its
p-value is the binomial tail P(X <= k) for k errors among n texts beyond it, X ~ Binomial(n, risk):
given n, errors of independent texts have a binomial distribution, so that it is exact.

A sequence begins with the safest limit that can be shown at all, where no error among n texts is
enough, and goes on one observed score at a time until a test fails. As one error among these would
end it at once, further sequences begin with twice as many texts each, up to half of all. They share
the level equally, and both sides share `delta`, so that both bounds hold together.

The texts must be independent draws of those to be judged. That limits are observed scores does not
weaken the bound if the risk beyond a limit does not fall when more texts are let in.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Literal

from groundtypes.backends.operating_point import ReviewBand
from groundtypes.calibration.scored_rows import ScoredRow
from groundtypes.errors import ContextError

#: The probability that a bound fails.
DELTA: Final = 0.05
_LEAST_DELTA: Final = 1e-9
_SIDES: Final = 2


@dataclass(frozen=True, slots=True)
class SideOfBand:
    """What labelled texts show of one side of the threshold.

    Attributes:
        decision: What is done with a text beyond the limit.
        limit: The limit, or `None` if the labels show none.
        decided: How many labelled texts are beyond the limit.
        errors: How many of these are decided wrongly.
        texts: How many labelled texts are on this side of the threshold.
        needed: The least number of safest texts that show the bound, if none of them is an error.
        found: The errors among these, as far as there are so many.
        missing: About how many more texts of all scores are to be labelled until there are so many;
            `None` if there is none yet.
    """

    decision: Literal["accept", "reject"]
    limit: float | None
    decided: int
    errors: int
    texts: int
    needed: int
    found: int
    missing: int | None

    @property
    def advice(self) -> str | None:
        """Why nothing is decided on this side, and what to do; `None` if something is."""
        if self.limit is not None:
            return None
        wrong, where, extreme = "wrong", "at or above", "highest"
        if self.decision == "reject":
            wrong, where, extreme = "right", "below", "lowest"
        start = f"Nothing is {self.decision}ed without review: "
        if self.missing == 0:
            return (
                f"{start}of the {self.needed:,} texts with the {extreme} scores, {self.found:,} "
                f"{'is' if self.found == 1 else 'are'} {wrong}. More labels help only if such "
                "texts are rare; else allow a higher risk, or take a better engine."
            )
        more = "" if self.missing is None else f"; about {self.missing:,} more labels give as many"
        return (
            f"{start}even if none of them is {wrong}, that takes {self.needed:,} labelled texts "
            f"{where} the threshold, and there are {self.texts:,}{more}."
        )


@dataclass(frozen=True, slots=True)
class ReviewBandResult:
    """A review band, and what the labelled texts show of both of its sides.

    `dependent` counts labelled texts that share their references with an earlier one: the bound
    takes all as independent.
    """

    band: ReviewBand
    accepted: SideOfBand
    rejected: SideOfBand
    texts: int
    dependent: int

    @property
    def reviewed(self) -> int:
        """How many of the labelled texts a person would look at."""
        return self.texts - self.accepted.decided - self.rejected.decided


def check_risk(risk: float | None, delta: float) -> None:
    """Raise a `ContextError` unless a risk, if there is one, and a delta can be worked with."""
    if risk is not None and not 0.0 < risk < 1.0:
        raise ContextError(f"`risk` is {risk!r}; it is greater than 0 and less than 1.")
    if not _LEAST_DELTA <= delta < 1.0:
        raise ContextError(f"`delta` is {delta!r}; it is at least {_LEAST_DELTA:g}, less than 1.")


def find_band(
    rows: Sequence[ScoredRow], threshold: float, risk: float, delta: float
) -> ReviewBandResult:
    """Return the widest decisions that labelled rows allow, on both sides of a threshold."""
    accepted = _side(rows, threshold, risk, delta, accepts=True)
    rejected = _side(rows, threshold, risk, delta, accepts=False)
    band = ReviewBand(low=rejected.limit, high=accepted.limit, risk=risk, delta=delta)
    dependent = len(rows) - len({row.group for row in rows})
    return ReviewBandResult(band, accepted, rejected, len(rows), dependent)


def _side(
    rows: Sequence[ScoredRow], threshold: float, risk: float, delta: float, *, accepts: bool
) -> SideOfBand:
    """Return the limit of one side: the last one that a sequence of tests reaches."""
    starts, level = starts_of(len(rows), risk, delta / _SIDES)
    own = [row for row in rows if (row.score >= threshold) is accepts]
    own.sort(key=lambda row: row.score, reverse=accepts)
    allowed = allowed_errors(len(own), risk, level)
    limit: float | None = None
    decided = errors = texts = wrong = 0
    running: set[int] = set()
    for score, equal in groupby(own, key=lambda row: row.score):
        before, group = texts, list(equal)
        texts += len(group)
        wrong += sum(row.supported is not accepts for row in group)
        running |= {start for start in starts if before < start <= texts}
        if wrong > allowed[texts]:
            running.clear()
        elif running:
            limit, decided, errors = score, texts, wrong
    lacking = starts[0] - len(own)
    missing = math.ceil(lacking * len(rows) / len(own)) if own else None
    return SideOfBand(
        "accept" if accepts else "reject",
        limit,
        decided,
        errors,
        len(own),
        starts[0],
        sum(row.supported is not accepts for row in own[: starts[0]]),
        0 if lacking <= 0 else missing,
    )


def starts_of(texts: int, risk: float, level: float) -> tuple[list[int], float]:
    """Return with how many texts each sequence of tests starts, and the level of each."""
    count = 1
    while labels_needed(risk, level / (count + 1)) << count <= texts // 2:
        count += 1
    first = labels_needed(risk, level / count)
    return [first << number for number in range(count)], level / count


def labels_needed(risk: float, level: float) -> int:
    """Return among how many texts no error shows, at a level, that the risk is not above this."""
    return math.ceil(math.log(level) / math.log1p(-risk))


def allowed_errors(texts: int, risk: float, level: float) -> list[int]:
    """Return for each number up to `texts` how many errors the test allows; -1 if not even none.

    It allows k errors among n texts if P(X <= k) is at most the level, X ~ Binomial(n, risk).
    """
    first = labels_needed(risk, level)
    allowed = [-1] * min(first, texts + 1)
    errors = 0
    # P(X = errors) and P(X <= errors) among so many texts.
    exactly = up_to = math.exp(first * math.log1p(-risk))
    for number in range(first, texts + 1):
        while True:
            following = exactly * (number - errors) / (errors + 1) * risk / (1.0 - risk)
            if up_to + following > level:
                break
            errors, exactly, up_to = errors + 1, following, up_to + following
        allowed.append(errors)
        # One text more: up to as many errors, unless it is the one error too many.
        up_to -= risk * exactly
        exactly *= (1.0 - risk) * (number + 1) / (number + 1 - errors)
    return allowed
