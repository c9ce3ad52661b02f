"""What a reader of an estimate must know of its figures, in sentences."""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from groundtypes.dataset.estimation.result import Interval

__all__ = ["is_busy", "lowest_budget", "notes_on"]


def is_busy() -> bool:
    """Return whether more processes want to run than there are processors for them."""
    if not hasattr(os, "getloadavg"):
        return False
    return os.getloadavg()[0] > 1.5 * (os.cpu_count() or 1)


def notes_on(
    measurements: Sequence[Mapping[str, Any]],
    count: int,
    repeated: float,
    calls: Interval,
    call_seconds: float | None,
) -> Iterator[str]:
    """Yield the notes on some batches, of `count` in the file.

    Args:
        measurements: What was measured of each batch.
        count: How many batches the file has.
        repeated: The share of the questions that repeat earlier ones.
        calls: The calls of the LLM, if there were no budget.
        call_seconds: How long one takes; `None` if not known.
    """
    if any(
        measured["calls"] != measured.get(bound, measured)["calls"]
        for measured in measurements
        for bound in ("fewest", "most")
    ):
        yield (
            "Calls that depend on replies of the LLM are modelled: two claims for each sentence, "
            "and a second call in three of ten where one call labels statements. The interval "
            "reaches from one claim and no second call to four claims and a second call for every "
            "text."
        )
    if any(measured.get("questions") for measured in measurements):
        yield from _notes_on_llm(repeated, calls, call_seconds, lowest_budget(measurements))
    if is_busy():
        yield "The machine is busy with other work, so that times may differ widely."
    for name in sorted({name for measured in measurements for name in measured.get("untimed", ())}):
        yield f"{name} was not called, so that the time is without it; its pairs are counted."
    if len(measurements) < min(3, count):
        yield "The sample is small, and the intervals are wide."


def _notes_on_llm(
    repeated: float, calls: Interval, call_seconds: float | None, budget: int | None
) -> Iterator[str]:
    yield (
        "No LLM was asked. A token is taken for four bytes of a request and three of a reply; "
        "calls that are repeated after a failure, or to repair a reply, come on top."
    )
    if call_seconds is None:
        yield "The time is without that of the LLM, because it is not said how long a call takes."
    if repeated > 0.005:
        yield f"{repeated:.0%} of the questions repeat earlier ones and are asked once."
    if budget is not None and calls.high > budget:
        verb = "would stop" if calls.low > budget else "may stop"
        yield (
            f"The budget allows {budget:,} calls, at which the run {verb}. Without a budget there "
            f"would be {calls.value:,.0f} calls ({calls.low:,.0f} to {calls.high:,.0f})."
        )


def lowest_budget(measurements: Sequence[Mapping[str, Any]]) -> int | None:
    """Return how many calls the LLM engines may send; `None` if there is no limit."""
    budgets = [
        measured["budget"] for measured in measurements if measured.get("budget") is not None
    ]
    return min(budgets, default=None)
