"""The estimate of a run that checks stored answers: batches of a sample are processed and timed."""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from groundtypes.dataset.check.row_auditor import ProcessorFactory
from groundtypes.dataset.estimation.meter import Meter
from groundtypes.dataset.estimation.sampling import (
    MOST_BATCHES,
    Estimate,
    Interval,
    Sampler,
    repetition,
    total,
)
from groundtypes.errors import DatasetError, Mistake
from groundtypes.row_files.counts import Progress, RunCounts

_FEWEST_BATCHES: Final = 3
#: With how many rows models are loaded before anything is timed.
_WARM_UP: Final = 4
#: About how many bytes of a request are one token, and of a reply, which is JSON.
_BYTES_IN: Final = 4
_BYTES_OUT: Final = 3
#: By which share tokens may differ from that rule: languages and tokenizers differ.
_TOKENS_OFF: Final = 0.25
#: By which share the speed of a machine differs from one minute to another.
_SPEED_OFF: Final = 0.35
#: By which share the number of repeated questions may be wrong.
_REPETITION_OFF: Final = 0.25
#: Calls that depend on replies are from half to twice of those with replies that are made up.
_FEWER_CALLS: Final = 0.5
_MORE_CALLS: Final = 2.0
_LINE: Final = re.compile(r"^Lines? [\d,]+(?: to [\d,]+)?:? ")


@dataclass(frozen=True, slots=True)
class Plan:
    """The run that is estimated, and after how many seconds no further batch of it is begun."""

    factory: ProcessorFactory
    source: Path
    batch: int
    workers: int
    outputs: tuple[str, ...]
    call_seconds: float | None
    budget: float
    seed: int


@dataclass(frozen=True, slots=True)
class _Measured:
    """A batch: its rows, how long they took, and what they asked."""

    rows: int
    broken: int
    bytes: int
    seconds: float
    asked: Meter


def estimate_checks(plan: Plan, progress: Progress) -> Estimate:
    """Return what it takes to process the rows of a file."""
    began = time.perf_counter()
    sampler = Sampler(plan.source, plan.seed, size=plan.batch)
    try:
        sample = _Sample(list(_measured(plan, sampler, progress)), sampler.count)
    except DatasetError as error:
        # What no single row is to blame for is said as the run itself says it.
        reason, numbered = _LINE.subn("", str(error))
        if not numbered:
            raise
        raise DatasetError(
            f"A row of the sample of {plan.source} stops the run: {reason}"
        ) from error
    batches = sample.batches
    free = sample.asked(lambda asked: asked.calls.total())
    calls = free if sample.budget is None else free.at_most(sample.budget)
    sent = calls.value / free.value if free.value else 1.0
    waiting = _waiting(sample, plan, calls)
    rows = total([batch.rows for batch in batches], sampler.count)
    pace = sum(batch.seconds for batch in batches) / max(1, sum(batch.rows for batch in batches))
    seconds = rows.times(pace / plan.workers).widened(_SPEED_OFF)
    read, written = (
        sample.asked(figure).times(sent).widened(_TOKENS_OFF)
        for figure in (
            lambda asked: asked.bytes_in / _BYTES_IN,
            lambda asked: asked.bytes_out / _BYTES_OUT,
        )
    )
    return Estimate(
        rows=rows,
        broken=total([batch.broken for batch in batches], sampler.count),
        questions={
            "nli": sample.pairs(),
            "llm": sample.asked(lambda asked: len(asked.questions)),
        },
        calls=calls,
        calls_by_prompt={
            prompt: sample.asked(_calls_of(prompt)).times(sent)
            for prompt in sorted({prompt for batch in batches for prompt in batch.asked.calls})
        },
        input_tokens=read,
        output_tokens=written,
        seconds=seconds if waiting is None else seconds.plus(waiting),
        llm_seconds=waiting,
        workers=plan.workers,
        sampled_rows=sum(batch.rows for batch in batches),
        sampled_bytes=sum(batch.bytes for batch in batches),
        sampled_share=min(1.0, len(batches) / sampler.count),
        own_seconds=time.perf_counter() - began,
        notes=tuple(_notes(sample, plan, free)),
    )


def _calls_of(prompt: str) -> Callable[[Meter], float]:
    return lambda asked: asked.calls[prompt]


def _measured(plan: Plan, sampler: Sampler, progress: Progress) -> Iterator[_Measured]:
    """Process batches of the file until enough is known, or the time is up."""
    until = time.perf_counter() + plan.budget
    processor = plan.factory.processor(plan.outputs, first=True)
    progress.started(min(MOST_BATCHES, sampler.count), 0)
    counts = RunCounts()
    for number, lines in enumerate(sampler.batches()):
        if number >= _FEWEST_BATCHES and time.perf_counter() > until:
            return
        if number == 0:
            with suppress(Mistake):  # the same is raised when the whole batch is processed
                Meter().process(plan.factory.processor(plan.outputs, first=False), lines[:_WARM_UP])
        asked = Meter()
        began = time.perf_counter()
        results = asked.process(processor, lines)
        for result in results:
            if result.audit is not None:
                counts.add(result.audit, repaired=result.repaired)
        seconds = time.perf_counter() - began
        broken = sum(result.audit is None for result in results)
        size = sum(line.length for line in lines)
        yield _Measured(len(results), broken, size, seconds, asked)
        progress.advanced(number + 1, counts)


@dataclass(frozen=True, slots=True)
class _Sample:
    """The batches that were measured, of `count` in the file."""

    batches: Sequence[_Measured]
    count: int

    @property
    def budget(self) -> int | None:
        """How many calls the LLM engines may send; `None` if there is no limit."""
        budgets = [batch.asked.budget for batch in self.batches if batch.asked.budget is not None]
        return min(budgets, default=None)

    @property
    def following(self) -> float:
        """The share of the calls that depend on replies, which are made up."""
        calls = sum(batch.asked.calls.total() for batch in self.batches)
        return 1 - sum(batch.asked.first for batch in self.batches) / calls if calls else 0.0

    @property
    def new(self) -> float:
        """The share of the questions that no earlier one is equal to."""
        return repetition([batch.asked.questions for batch in self.batches], self.count)

    def asked(self, figure: Callable[[Meter], float]) -> Interval:
        """Return the sum of a figure of questions, which depend on replies in part."""
        known = self._once([figure(batch.asked) for batch in self.batches], self.new)
        low = 1 - self.following * (1 - _FEWER_CALLS)
        return known.times(Interval(1.0, low, 1 + self.following * (_MORE_CALLS - 1)))

    def pairs(self) -> Interval:
        """Return how many pairs there are."""
        pairs = [batch.asked.pairs for batch in self.batches]
        return self._once(list(map(len, pairs)), repetition(pairs, self.count))

    def _once(self, figures: Sequence[float], new: float) -> Interval:
        """Return the sum of a figure of questions of which a share is new, and asked."""
        unseen = max(0.0, 1 - len(self.batches) / self.count)
        found = total(figures, self.count).times(new)
        return found.widened(min(_REPETITION_OFF, 1 - new) * unseen)


def _waiting(sample: _Sample, plan: Plan, calls: Interval) -> Interval | None:
    """Return how long the run waits for the LLM; `None` if it is not said how long a call takes."""
    if not calls.high:
        return Interval.exactly(0.0)
    if plan.call_seconds is None:
        return None
    most = max(batch.asked.concurrency for batch in sample.batches) * plan.workers
    return calls.times(plan.call_seconds / max(1.0, min(most, calls.value)))


def _notes(sample: _Sample, plan: Plan, calls: Interval) -> Iterator[str]:
    """Yield what a reader must know of the figures; `calls` are those without a budget."""
    batches, budget = sample.batches, sample.budget
    if sample.following:
        yield (
            f"{sample.following:.0%} of the calls depend on replies of the LLM. They are modelled: "
            "two claims for each sentence, and a second call in three of ten where one call labels "
            "statements. The interval reaches from half of them to twice of them."
        )
    if any(batch.asked.questions for batch in batches):
        yield (
            "No LLM was asked. A token is taken for four bytes of a request and three of a reply; "
            "calls that are repeated after a failure, or to repair a reply, come on top."
        )
        if plan.call_seconds is None:
            yield (
                "The time is without that of the LLM, because it is not said how long a call takes."
            )
        if sample.new < 0.995:
            yield f"{1 - sample.new:.0%} of the questions repeat earlier ones and are asked once."
        if budget is not None and calls.high > budget:
            verb = "would stop" if calls.low > budget else "may stop"
            yield (
                f"The budget allows {budget:,} calls, at which the run {verb}. Without a budget "
                f"there would be {calls.value:,.0f} calls ({calls.low:,.0f} to {calls.high:,.0f})."
            )
    for name in sorted({name for batch in batches for name in batch.asked.untimed}):
        yield f"{name} was not called, so that the time is without it; its pairs are counted."
    if len(batches) < min(_FEWEST_BATCHES, sample.count):
        yield "The sample is small, and the intervals are wide."
