"""The estimate of a run that checks stored answers: batches of a sample are processed and timed."""

import re
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from groundtypes.dataset.check.row_auditor import ProcessorFactory, RowProcessor
from groundtypes.dataset.estimation.meter import EXPECTED, FEWEST, MOST, Meter
from groundtypes.dataset.estimation.sampling import (
    Estimate,
    Interval,
    SampledBatch,
    Sampler,
    repetition,
    total,
)
from groundtypes.errors import DatasetError, Mistake
from groundtypes.row_files.counts import Progress, RunCounts

#: The rows of a sampled batch, at most; and how many batches there are, at least and at most.
_ROWS: Final = 128
_FEWEST_BATCHES: Final = 3
_MOST_BATCHES: Final = 16
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


@dataclass(slots=True)
class _Measured:
    """A batch: its size, how long it took, and what it asks with expected and extreme replies."""

    rows: int
    broken: int
    bytes: int
    seconds: float
    asked: Meter
    fewest: Meter
    most: Meter


def estimate_checks(plan: Plan, progress: Progress) -> Estimate:
    """Return what it takes to process the rows of a file."""
    began = time.perf_counter()
    sampler = Sampler(plan.source, min(plan.batch, _ROWS), plan.seed)
    try:
        batches = list(_measured(plan, sampler, progress))
    except DatasetError as error:
        # What no single row is to blame for is said as the run itself says it.
        reason, numbered = _LINE.subn("", str(error))
        if not numbered:
            raise
        raise DatasetError(
            f"A row of the sample of {plan.source} stops the run: {reason}"
        ) from error
    sample = _Sample(batches, sampler.count)
    rows = sample.total_of("rows")
    all_calls = sample.of_questions(lambda asked: asked.calls.total())
    budget = sample.budget
    calls = all_calls if budget is None else all_calls.at_most(budget)
    prompts = sorted({prompt for batch in batches for prompt in batch.asked.calls})
    read = sample.of_questions(lambda asked: asked.bytes_in / _BYTES_IN)
    written = sample.of_questions(lambda asked: asked.bytes_out / _BYTES_OUT)
    waiting = _waiting(sample, plan, calls)
    seconds = rows.times(sample.seconds_a_row / plan.workers).widened(_SPEED_OFF)
    return Estimate(
        rows=rows,
        broken=sample.total_of("broken"),
        questions={
            "nli": sample.of_pairs(lambda asked: len(asked.pairs)),
            "llm": sample.of_questions(lambda asked: len(asked.questions)),
        },
        calls=calls,
        calls_by_prompt={
            prompt: sample.of_questions(_calls_of(prompt)).scaled(calls, all_calls)
            for prompt in prompts
        },
        input_tokens=read.widened(_TOKENS_OFF).scaled(calls, all_calls),
        output_tokens=written.widened(_TOKENS_OFF).scaled(calls, all_calls),
        seconds=seconds if waiting is None else seconds.plus(waiting),
        llm_seconds=waiting,
        workers=plan.workers,
        sampled_rows=sum(batch.rows for batch in batches),
        sampled_bytes=sum(batch.bytes for batch in batches),
        sampled_share=min(1.0, len(batches) / sampler.count),
        own_seconds=time.perf_counter() - began,
        notes=tuple(_notes(sample, plan, all_calls)),
    )


def _calls_of(prompt: str) -> Callable[[Meter], float]:
    return lambda asked: asked.calls[prompt]


# --- measuring ----------------------------------------------------------------------------------


def _measured(plan: Plan, sampler: Sampler, progress: Progress) -> Iterator[_Measured]:
    """Process batches of the file until enough is known, or the time is up."""
    began = time.perf_counter()
    most = min(sampler.count, _MOST_BATCHES)
    processor = plan.factory.processor(plan.outputs, first=True)
    progress.started(most, 0)
    counts = RunCounts()
    for number, batch in enumerate(sampler.batches(most)):
        if number >= _FEWEST_BATCHES and time.perf_counter() - began > plan.budget:
            return
        if number == 0:
            _load_models(plan, batch)
        yield _measure(processor, batch, counts)
        progress.advanced(number + 1, counts)


def _load_models(plan: Plan, batch: SampledBatch) -> None:
    warm_up = plan.factory.processor(plan.outputs, first=False)
    try:
        Meter(EXPECTED.reply).process(warm_up, islice(batch.lines, _WARM_UP))
    except Mistake:
        return  # the same is raised when the whole batch is processed


def _measure(processor: RowProcessor, batch: SampledBatch, counts: RunCounts) -> _Measured:
    asked = Meter(EXPECTED.reply)
    began = time.perf_counter()
    results = asked.process(processor, batch.lines)
    for result in results:
        if result.audit is not None:
            counts.add(result.audit, repaired=result.repaired)
    seconds = time.perf_counter() - began
    fewest = most = asked
    if asked.questions:
        fewest, most = (Meter(model.reply, scores=False) for model in (FEWEST, MOST))
        for bound in (fewest, most):
            bound.process(processor, batch.lines)
    broken = sum(result.audit is None for result in results)
    return _Measured(len(results), broken, batch.bytes, seconds, asked, fewest, most)


# --- figures ------------------------------------------------------------------------------------


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
    def seconds_a_row(self) -> float:
        """The measured rate: all seconds of the sample by all of its rows."""
        rows = sum(batch.rows for batch in self.batches)
        return sum(batch.seconds for batch in self.batches) / max(1, rows)

    def total_of(self, name: str) -> Interval:
        """Return the sum of a figure over all batches of the file."""
        return total([float(getattr(batch, name)) for batch in self.batches], self.count)

    def of_pairs(self, figure: Callable[[Meter], float]) -> Interval:
        """Return the sum of a figure of pairs, of which repeated ones are asked once."""
        return self._once(figure, [batch.asked.pairs for batch in self.batches])

    def of_questions(self, figure: Callable[[Meter], float]) -> Interval:
        """Return the sum of a figure of questions, of which repeated ones are asked once."""
        return self._once(figure, [batch.asked.questions for batch in self.batches])

    def _once(
        self, figure: Callable[[Meter], float], asked: Sequence[Collection[bytes]]
    ) -> Interval:
        share = repetition(asked, self.count)
        unseen = max(0.0, 1 - len(self.batches) / self.count)
        expected = [float(figure(batch.asked)) for batch in self.batches]
        once = total(expected, self.count).times(share)
        once = once.widened(min(_REPETITION_OFF, 1 - share) * unseen)
        if not sum(expected):
            return once
        low = sum(figure(batch.fewest) for batch in self.batches) / sum(expected)
        high = sum(figure(batch.most) for batch in self.batches) / sum(expected)
        return once.times(1.0, min(1.0, low), max(1.0, high))


def _waiting(sample: _Sample, plan: Plan, calls: Interval) -> Interval | None:
    """Return how long the run waits for the LLM; `None` if it is not said how long a call takes."""
    if plan.call_seconds is None or not calls.high:
        return None if calls.high else Interval.exactly(0.0)
    most = max(batch.asked.concurrency for batch in sample.batches) * plan.workers
    return calls.times(plan.call_seconds / max(1.0, min(most, calls.value)))


def _notes(sample: _Sample, plan: Plan, calls: Interval) -> Iterator[str]:
    """Yield what a reader must know of the figures; `calls` are those without a budget."""
    batches, budget = sample.batches, sample.budget
    if any(batch.fewest.calls != batch.most.calls for batch in batches):
        yield (
            "Calls that depend on replies of the LLM are modelled: two claims for each sentence, "
            "and a second call in three of ten where one call labels statements. The interval "
            "reaches from one claim and no second call to four claims and a second call for every "
            "text."
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
        repeated = 1 - repetition([batch.asked.questions for batch in batches], sample.count)
        if repeated > 0.005:
            yield f"{repeated:.0%} of the questions repeat earlier ones and are asked once."
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
