"""`estimate`: what checking a file of rows would take; batches of a sample are timed."""

import math
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from groundtypes.dataset.build.repairs import Policy
from groundtypes.dataset.build.training_examples import ExampleOptions, PromptFunction, chat_prompt
from groundtypes.dataset.check.row_auditor import CheckOptions, ProcessorFactory
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
from groundtypes.judges import Judges
from groundtypes.rounds.row_mistakes import OnMistake, check_on_mistake
from groundtypes.row_files.answer_rows import Keys
from groundtypes.row_files.counts import Progress, RunCounts

#: The outputs of `check`, two of which `build_dataset` makes.
_OUTPUTS: Final = ("clean", "rejected", "audits")
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
#: What `build_dataset` does after the checks is not in the sample.
_BUILDING: Final = (
    "The time is that of the checks. To find duplicates and to write the files takes some 0.3 ms a "
    "row more."
)


def estimate(
    model: Any,
    source: str | Path,
    *,
    keys: Keys = Keys(),  # noqa: B008 # frozen
    judges: Judges | str | None = None,
    batch: int = 256,
    workers: int = 1,
    on_mistake: OnMistake = "raise",
    policy: Policy | None = None,
    prompt: PromptFunction = chat_prompt,
    call_seconds: float | None = None,
    budget: float = 10.0,
    seed: int = 0,
    progress: Progress = Progress(),  # noqa: B008 # without state
) -> Estimate:
    """Return what it would take to check the rows of a file, before anything is spent.

    A sample of at most some 2,000 rows, from places all over the file, is checked as a run would:
    its rows are read, its quotes and figures searched for, and NLI engines on this machine asked.
    So it takes seconds, also for a file of several gigabytes. No LLM is called: questions to it are
    counted, and where further questions depend on its replies, these are modelled. What an LLM
    engine has in its cache of replies counts as answered.

    Args:
        model: The model that reads the answers.
        source: A file of JSON Lines.
        keys: The keys that hold the parts of a row, where they are not the usual ones.
        judges: The engines, or the name of an NLI engine; by default those of the model.
        batch: How many rows the run judges together.
        workers: How many processes judge; the measured time is divided by their number.
        on_mistake: What the run does with a row that cannot be judged, as in `audit_many`.
        policy: What `build_dataset` does to a faulty answer; `None` for a run that only checks.
        prompt: Makes the messages of a row, for `policy`.
        call_seconds: How long one call of the LLM takes; without it, the time is that of the rest.
        budget: After how many seconds no further batch of the sample is begun; three are always
            checked.
        seed: Another number gives another sample.
        progress: Receives the counts after each batch of the sample.

    Raises:
        DatasetError: An argument or the file is not what it should be; standard input and pipes
            have no places to choose rows from.
        Mistake: The model or an engine cannot be used.
    """
    _check_arguments(
        source,
        {"batch": batch, "workers": workers},
        {"call_seconds": call_seconds, "budget": budget},
    )
    check_on_mistake(on_mistake)
    factory: ProcessorFactory = (
        CheckOptions(model, "", keys, on_mistake, judges)
        if policy is None
        else ExampleOptions(model, keys, policy, prompt, judges, on_mistake)
    )
    began = time.perf_counter()
    sampler = Sampler(Path(source), seed, size=batch)
    try:
        batches = list(_measured(factory, sampler, budget, progress))
    except DatasetError as error:
        # What no single row is to blame for is said as the run itself says it.
        reason, numbered = _LINE.subn("", str(error))
        if not numbered:
            raise
        raise DatasetError(f"A row of the sample of {source} stops the run: {reason}") from error
    sample = _Sample(batches, sampler.count)
    free = sample.asked(lambda asked: asked.calls.total())
    calls = free if sample.budget is None else free.at_most(sample.budget)
    sent = calls.value / free.value if free.value else 1.0
    waiting = sample.waiting(calls, workers, call_seconds)
    seconds = sample.seconds.times(1 / workers).widened(_SPEED_OFF)
    return Estimate(
        rows=sample.total(lambda batch: batch.rows),
        broken=sample.total(lambda batch: batch.broken),
        questions={"nli": sample.pairs, "llm": sample.asked(lambda asked: len(asked.questions))},
        calls=calls,
        calls_by_prompt={
            prompt: sample.asked(_calls_of(prompt)).times(sent)
            for prompt in sorted({prompt for batch in batches for prompt in batch.asked.calls})
        },
        input_tokens=sample.tokens(lambda asked: asked.bytes_in / _BYTES_IN).times(sent),
        output_tokens=sample.tokens(lambda asked: asked.bytes_out / _BYTES_OUT).times(sent),
        seconds=seconds if waiting is None else seconds.plus(waiting),
        llm_seconds=waiting,
        workers=workers,
        sampled_rows=sum(batch.rows for batch in batches),
        sampled_bytes=sum(batch.bytes for batch in batches),
        sampled_share=min(1.0, len(batches) / sampler.count),
        own_seconds=time.perf_counter() - began,
        notes=(*_notes(sample, call_seconds, free), *([_BUILDING] if policy else ())),
    )


def _calls_of(prompt: str) -> Callable[[Meter], float]:
    return lambda asked: asked.calls[prompt]


def _check_arguments(
    source: str | Path, least: Mapping[str, int], seconds: Mapping[str, float | None]
) -> None:
    for name, number in least.items():
        if number < 1:
            raise DatasetError(f"`{name}` must be at least 1, not {number!r}")
    for name, value in seconds.items():
        if value is not None and not 0 <= value < math.inf:
            raise DatasetError(f"`{name}` must be a number of seconds, 0 or more, not {value!r}")
    if str(source) == "-":
        raise DatasetError(
            "An estimate reads rows from places all over a file, and standard input has none: "
            "write the rows to a file first."
        )


@dataclass(frozen=True, slots=True)
class _Measured:
    """A batch: its rows, how long they took, and what they asked."""

    rows: int
    broken: int
    bytes: int
    seconds: float
    asked: Meter


def _measured(
    factory: ProcessorFactory, sampler: Sampler, budget: float, progress: Progress
) -> Iterator[_Measured]:
    """Process batches of the file until enough is known, or the time is up."""
    until = time.perf_counter() + budget
    processor = factory.processor(_OUTPUTS)
    progress.started(min(MOST_BATCHES, sampler.count), 0)
    counts = RunCounts()
    for number, lines in enumerate(sampler.batches()):
        if number >= _FEWEST_BATCHES and time.perf_counter() > until:
            return
        if number == 0:
            with suppress(Mistake):  # the same is raised when the whole batch is processed
                Meter().process(processor, lines[:_WARM_UP])
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

    @property
    def pairs(self) -> Interval:
        """How many pairs there are."""
        pairs = [batch.asked.pairs for batch in self.batches]
        return self._once(list(map(len, pairs)), repetition(pairs, self.count))

    def tokens(self, figure: Callable[[Meter], float]) -> Interval:
        """Return about how many tokens all questions have."""
        return self.asked(figure).widened(_TOKENS_OFF)

    def total(self, figure: Callable[[_Measured], float]) -> Interval:
        """Return the sum of a figure of rows."""
        return total([figure(batch) for batch in self.batches], self.count)

    @property
    def seconds(self) -> Interval:
        """How long one process works: the measured time of a row, for all rows."""
        rows = sum(batch.rows for batch in self.batches)
        pace = sum(batch.seconds for batch in self.batches) / max(1, rows)
        return self.total(lambda batch: batch.rows).times(pace)

    def waiting(self, calls: Interval, workers: int, call_seconds: float | None) -> Interval | None:
        """Return how long a run waits for the LLM; `None` if it is not said how long calls take."""
        if not calls.high:
            return Interval.exactly(0.0)
        if call_seconds is None:
            return None
        most = max(batch.asked.concurrency for batch in self.batches) * workers
        return calls.times(call_seconds / max(1.0, min(most, calls.value)))

    def _once(self, figures: Sequence[float], new: float) -> Interval:
        """Return the sum of a figure of questions of which a share is new, and asked."""
        unseen = max(0.0, 1 - len(self.batches) / self.count)
        found = total(figures, self.count).times(new)
        return found.widened(min(_REPETITION_OFF, 1 - new) * unseen)


def _notes(sample: _Sample, call_seconds: float | None, calls: Interval) -> Iterator[str]:
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
        if call_seconds is None:
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
