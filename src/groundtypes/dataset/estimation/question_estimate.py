"""The estimate of a run that asks questions: how many requests they take, and how many tokens."""

import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Final

from pydantic_core import from_json

from groundtypes.dataset.build.asked_questions import AskOptions, Questions, journal_lines
from groundtypes.dataset.build.training_examples import ExampleOptions
from groundtypes.dataset.estimation.meter import schema_bytes
from groundtypes.dataset.estimation.sampling import (
    MOST_BATCHES,
    Estimate,
    Interval,
    Sampler,
    repetition,
    total,
)
from groundtypes.integrations.recordings import RecordedCall
from groundtypes.row_files.counts import Progress, RunCounts
from groundtypes.row_files.json_lines import BrokenLineError, Line

_BYTES_PER_TOKEN: Final = 4
_TOKENS_OFF: Final = 0.25
#: How many re-asks a question takes, where no call is recorded.
_REASKS: Final = 0.2
#: The tokens of an answer, where no call is recorded: expected, fewest, most.
_ANSWER_TOKENS: Final = Interval(300, 50, 1_000)
#: Of so many recorded calls the means are taken, the latest ones.
_RECORDED: Final = 500
_RECORDED_OFF: Final = 0.15


def estimate_questions(
    ask: AskOptions,
    examples: ExampleOptions,
    source: Path,
    journal: Path | None,
    *,
    call_seconds: float | None,
    seed: int,
    progress: Progress,
) -> Estimate:
    """Return what it takes to ask the questions of a file; none is asked.

    `journal` is the file of calls of an earlier run: what it answers is not asked again, and its
    means are those of the estimate.
    """
    began = time.perf_counter()
    recorded = {} if journal is None else {key: line for _, line, key in journal_lines(journal)}
    recorded.pop(None, None)
    sampler = Sampler(source, seed)
    questions = Questions(ask, examples, source)
    schema = schema_bytes(examples.model) if hasattr(examples.model, "model_json_schema") else 0
    sampled: list[list[Line]] = []
    broken: list[int] = []
    asked: list[dict[str, int]] = []
    progress.started(min(MOST_BATCHES, sampler.count), 0)
    for lines in sampler.batches():
        read = [questions.read(line) for line in lines]
        sampled.append(lines)
        broken.append(sum(isinstance(question, BrokenLineError) for question in read))
        asked.append(
            {
                question.key: schema + sum(_size(message) for message in question.messages)
                for question in read
                if not isinstance(question, BrokenLineError) and question.key not in recorded
            }
        )
        progress.advanced(len(sampled), RunCounts())
    new = repetition(asked, sampler.count)
    number = total(list(map(len, asked)), sampler.count).times(new)
    sizes = total([sum(batch.values()) for batch in asked], sampler.count).times(new)
    calls, read_, written, note = _requests(ask, list(recorded.values()), number, sizes)
    notes = ["Nothing was asked. The checks of the answers are not part of the estimate.", note]
    if ask.max_calls is not None:
        notes.append(f"No more than {ask.max_calls:,} requests are sent (`max_calls`).")
    if ask.max_tokens is not None:
        notes.append(f"No question is asked after {ask.max_tokens:,} tokens (`max_tokens`).")
        tokens = read_.value + written.value
        share = min(1.0, ask.max_tokens / tokens) if tokens else 1.0
        calls, read_, written = (each.times(share) for each in (calls, read_, written))
    waiting = None if call_seconds is None else calls.times(call_seconds / ask.concurrency)
    if call_seconds is None:
        notes.append("The time is not known, because it is not said how long a call takes.")
    return Estimate(
        rows=total(list(map(len, sampled)), sampler.count),
        broken=total(broken, sampler.count),
        questions={"llm": number},
        calls=calls,
        calls_by_prompt={"questions": calls},
        input_tokens=read_,
        output_tokens=written,
        seconds=waiting or Interval.exactly(0.0),
        llm_seconds=waiting,
        sampled_rows=sum(map(len, sampled)),
        sampled_bytes=sum(line.length for lines in sampled for line in lines),
        sampled_share=min(1.0, len(sampled) / sampler.count),
        own_seconds=time.perf_counter() - began,
        notes=tuple(notes),
    )


def _size(message: dict[str, object]) -> int:
    return len(str(message.get("content", "")).encode("utf-8", "replace"))


def _requests(
    ask: AskOptions, recorded: Sequence[bytes], number: Interval, sizes: Interval
) -> tuple[Interval, Interval, Interval, str]:
    """Return the requests for some questions, the tokens read and written, and a note on them.

    `recorded` are calls of an earlier run, and `sizes` the bytes of the questions.
    """
    calls = [
        RecordedCall.from_dict(from_json(line)) for line in islice(reversed(recorded), _RECORDED)
    ]
    again = min(_REASKS, ask.max_retries)
    requests = Interval(1 + again, 1.0, 1.0 + ask.max_retries)
    written, read = _ANSWER_TOKENS, None
    note = (
        f"No call is recorded yet: {again:.0%} re-asks and {written.value} tokens for an answer "
        f"are supposed, and at most {ask.max_retries} re-asks and {written.low} to "
        f"{written.high:,} tokens. A run with `max_calls=50` would tell."
    )
    if calls:
        attempts = [attempt for call in calls for attempt in call.attempts]
        requests = Interval.exactly(len(attempts) / len(calls)).widened(_RECORDED_OFF)
        read, tokens = (
            fmean(attempt.usage.get(name, 0) for attempt in attempts)
            for name in ("input", "output")
        )
        written = Interval.exactly(tokens).widened(_RECORDED_OFF) if tokens else written
        note = (
            f"Requests and tokens of a question are the means of {len(calls):,} recorded calls; "
            f"{len(recorded):,} questions are answered already."
        )
    sent = number.times(requests)
    sent = sent if ask.max_calls is None else sent.at_most(ask.max_calls)
    if read:
        return sent, sent.times(read).widened(_RECORDED_OFF), sent.times(written), note
    # A re-ask shows the answer before as well.
    share = sent.value / number.value if number.value else 0.0
    first = sizes.times(share / _BYTES_PER_TOKEN)
    shown = written.times(max(0.0, sent.value - number.value))
    return sent, first.plus(shown).widened(_TOKENS_OFF), sent.times(written), note
