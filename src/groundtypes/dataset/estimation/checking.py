"""The estimate of a run that checks stored answers: batches of a sample are processed and timed."""

import re
import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic_core import from_json

from groundtypes.dataset.check.pool import process_batches
from groundtypes.dataset.estimation.given_replies import REPLY_FAULT
from groundtypes.dataset.estimation.measuring import MEASUREMENTS, MeasuringFactory
from groundtypes.dataset.estimation.notes import is_busy, lowest_budget, notes_on
from groundtypes.dataset.estimation.result import Estimate, Interval, repetition, total
from groundtypes.dataset.estimation.sampling import SampledBatch, Sampler
from groundtypes.errors import DatasetError
from groundtypes.row_files.counts import RunCounts
from groundtypes.row_files.json_lines import Line, Position
from groundtypes.row_files.progress import Progress

__all__ = ["Plan", "estimate_checks"]

#: The rows of a sampled batch, at most; and how many batches there are, at least and at most.
_ROWS: Final = 128
_FEWEST_BATCHES: Final = 3
_MOST_BATCHES: Final = 16
#: About how many bytes of a request are one token, and of a reply, which is JSON.
_BYTES_IN: Final = 4
_BYTES_OUT: Final = 3
#: By which share tokens may differ from that rule: languages and tokenizers differ.
_TOKENS_OFF: Final = 0.25
#: By which share the speed of a machine differs between two runs, and of one that is busy.
_SPEED_OFF: Final = 0.15
_BUSY_OFF: Final = 0.35
#: By which share the number of repeated questions may be wrong.
_REPETITION_OFF: Final = 0.25
_LINE: Final = re.compile(r"^Lines? [\d,]+(?: to [\d,]+)?:? ")


@dataclass(frozen=True, slots=True)
class Plan:
    """The run that is estimated, and how much the estimate may take.

    Attributes:
        source: The file of rows.
        batch: How many rows the run judges together.
        workers: How many processes judge.
        outputs: The names of the outputs of the run.
        call_seconds: How long one call of the LLM takes; `None` if not known.
        budget: After how many seconds no further batch is begun.
        seed: Another number gives another sample.
    """

    source: Path
    batch: int
    workers: int
    outputs: tuple[str, ...]
    call_seconds: float | None
    budget: float
    seed: int


@dataclass(slots=True)
class _Sample:
    """What was measured: a measurement for each batch of the sample, of `count` in the file."""

    measurements: list[dict[str, Any]]
    count: int
    start_seconds: float = 0.0
    own_seconds: float = 0.0

    def values(self, name: str) -> list[float]:
        return [float(measured.get(name, 0)) for measured in self.measurements]

    def sum_of(self, name: str, bound: str | None = None) -> float:
        """Return a sum over the sample, of what was measured or of one of its bounds."""
        measurements = self.measurements
        if bound is not None:
            measurements = [measured.get(bound, measured) for measured in measurements]
        return float(sum(measured.get(name, 0) for measured in measurements))

    def repetition_of(self, name: str) -> float:
        return repetition([measured.get(name, ()) for measured in self.measurements], self.count)


def estimate_checks(factory: MeasuringFactory, plan: Plan, progress: Progress) -> Estimate:
    """Return what it takes to process the rows of a file.

    Raises:
        Mistake: The file, the model or an engine is not what it should be.
    """
    began = time.perf_counter()
    sample = _measured(factory, plan, progress, began)
    sample.own_seconds = time.perf_counter() - began
    pairs = _of_questions(sample, "pair count", "pairs")
    questions = _of_questions(sample, "question count", "questions")
    calls = _of_calls(sample, "calls", None)
    prompts = sorted({name for measured in sample.measurements for name in measured["calls"]})
    budget = lowest_budget(sample.measurements)
    sent = calls if budget is None else calls.at_most(budget)
    waiting = _waiting(sample, plan, sent)
    repeated = 1 - sample.repetition_of("questions")
    return Estimate(
        rows=total(sample.values("rows"), sample.count),
        broken=total(sample.values("broken"), sample.count),
        questions={"nli": pairs, "llm": questions},
        calls=sent,
        calls_by_prompt={
            prompt: _of_calls(sample, "calls", prompt).scaled(sent, calls) for prompt in prompts
        },
        input_tokens=_tokens(sample, "bytes in", _BYTES_IN).scaled(sent, calls),
        output_tokens=_tokens(sample, "bytes out", _BYTES_OUT).scaled(sent, calls),
        seconds=_seconds(sample, plan, waiting),
        start_seconds=sample.start_seconds,
        llm_seconds=waiting,
        workers=plan.workers,
        sampled_rows=round(sample.sum_of("rows")),
        sampled_bytes=round(sample.sum_of("bytes")),
        sampled_share=min(1.0, len(sample.measurements) / sample.count),
        own_seconds=sample.own_seconds,
        notes=tuple(
            notes_on(sample.measurements, sample.count, repeated, calls, plan.call_seconds)
        ),
    )


# --- measuring ----------------------------------------------------------------------------------


def _measured(factory: MeasuringFactory, plan: Plan, progress: Progress, began: float) -> _Sample:
    """Process batches of the file until enough is known, or the time is up."""
    sampler = Sampler(plan.source, min(plan.batch, _ROWS), plan.seed)
    sample = _Sample([], sampler.count)
    fewest = max(_FEWEST_BATCHES, 2 * plan.workers if plan.workers > 1 else 0)
    most = min(sampler.count, max(_MOST_BATCHES, 2 * fewest))
    progress.started(most, 0)
    given: list[SampledBatch] = []
    counts = RunCounts()

    def batches() -> Generator[tuple[list[Line], Position], None, None]:
        for batch in sampler.batches(most):
            if len(given) >= fewest and time.perf_counter() - began > plan.budget:
                return
            given.append(batch)
            if batch.lines:
                yield batch.lines, Position(0, 0, "")

    outputs = (*plan.outputs, MEASUREMENTS)
    done = time.perf_counter()
    try:
        with (
            closing(batches()) as waiting,
            process_batches(waiting, factory, outputs, plan.workers) as processed,
        ):
            for batch in processed:
                [line] = batch.outputs[MEASUREMENTS]
                sample.measurements.append(from_json(line))
                counts.merge(batch.counts)
                progress.advanced(len(sample.measurements), counts)
                if len(sample.measurements) == 1:
                    sample.start_seconds = _start_seconds(
                        sample.measurements[0], plan, time.perf_counter() - done
                    )
    except DatasetError as error:
        # What no single row is to blame for is said as the run itself says it.
        reason, numbered = _LINE.subn("", str(error))
        if not numbered:
            raise
        if reason.startswith(REPLY_FAULT):
            raise DatasetError(reason) from error
        raise DatasetError(
            f"A row of the sample of {plan.source} stops the run: {reason}"
        ) from error
    empty = sum(not batch.lines for batch in given)
    sample.measurements += [{"calls": {}} for _ in range(empty)]
    return sample


def _start_seconds(first: dict[str, Any], plan: Plan, elapsed: float) -> float:
    """Return how long it took until the first batch was begun."""
    if plan.workers <= 1:
        return float(first["start seconds"])
    return max(float(first["start seconds"]), elapsed - float(first["seconds"]))


# --- figures ------------------------------------------------------------------------------------


def _of_questions(sample: _Sample, counted: str, listed: str) -> Interval:
    """Return how many different questions the run asks."""
    return _bounded(sample, total(sample.values(counted), sample.count), counted, listed)


def _bounded(sample: _Sample, all_: Interval, name: str, listed: str) -> Interval:
    """Return the interval of a sum without what is repeated, and with the bounds of replies."""
    return _once(sample, all_, listed).times(1.0, *_bounds(sample, name))


def _once(sample: _Sample, all_: Interval, listed: str) -> Interval:
    """Return the interval of a sum over questions without those that earlier batches ask."""
    share = sample.repetition_of(listed)
    unseen = 1 - len(sample.measurements) / sample.count
    return all_.times(share).widened(min(_REPETITION_OFF, 1 - share) * max(0.0, unseen))


def _bounds(sample: _Sample, name: str) -> tuple[float, float]:
    """Return how much less, and more, the sample has of something if replies are other ones."""
    expected = sample.sum_of(name)
    if not expected:
        return 1.0, 1.0
    low, high = (sample.sum_of(name, bound) / expected for bound in ("fewest", "most"))
    return min(1.0, low), max(1.0, high)


def _of_calls(sample: _Sample, name: str, prompt: str | None) -> Interval:
    def number(measured: dict[str, Any]) -> float:
        calls: dict[str, int] = measured[name]
        return sum(calls.values()) if prompt is None else calls.get(prompt, 0)

    expected = [number(measured) for measured in sample.measurements]
    all_ = total(expected, sample.count)
    once = _once(sample, all_, "questions")
    fewest, most = (
        sum(number(measured.get(bound, measured)) for measured in sample.measurements)
        for bound in ("fewest", "most")
    )
    known = sum(expected)
    if not known:
        return once
    return once.times(1.0, min(1.0, fewest / known), max(1.0, most / known))


def _tokens(sample: _Sample, name: str, bytes_per_token: int) -> Interval:
    size = _bounded(sample, total(sample.values(name), sample.count), name, "questions")
    return size.times(1 / bytes_per_token).widened(_TOKENS_OFF)


def _waiting(sample: _Sample, plan: Plan, calls: Interval) -> Interval | None:
    """Return how long the run waits for the LLM; `None` if it is not said how long a call takes."""
    if plan.call_seconds is None or not calls.high:
        return None if calls.high else Interval.exactly(0.0)
    waits = max(1.0, sum(sample.values("waits")) / max(1, len(sample.measurements)))
    rows = total(sample.values("rows"), sample.count).value
    runs_of_calls = max(1.0, rows / plan.batch) * waits
    at_once = max(1.0, min(max(sample.values("concurrency")), calls.value / runs_of_calls))
    workers = max(1.0, min(plan.workers, rows / plan.batch))
    return calls.times(plan.call_seconds / at_once / workers)


def _seconds(sample: _Sample, plan: Plan, waiting: Interval | None) -> Interval:
    """Return how long the run takes: its start, the checks, NLI, and calls if they are known."""
    nli = sample.values("nli seconds")
    checks = [
        seconds - engine for seconds, engine in zip(sample.values("seconds"), nli, strict=True)
    ]
    share = sample.repetition_of("pairs")
    both = [check + engine * share for check, engine in zip(checks, nli, strict=True)]
    workers = max(1, min(plan.workers, sample.count))
    seconds = total(both, sample.count).times(1 / workers)
    low, high = _bounds(sample, "pair count")
    scored = sum(nli) * share / sum(both) if sum(both) else 0.0
    seconds = seconds.times(1.0, 1 - scored * (1 - low), 1 + scored * (high - 1))
    seconds = seconds.plus(sample.start_seconds).widened(_BUSY_OFF if is_busy() else _SPEED_OFF)
    if waiting is None:
        return seconds
    return Interval(
        seconds.value + waiting.value, seconds.low + waiting.low, seconds.high + waiting.high
    )
