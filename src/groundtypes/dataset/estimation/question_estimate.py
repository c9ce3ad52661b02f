"""The estimate of a run that asks questions: how many requests they take, and how many tokens."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Final

from pydantic_core import from_json

from groundtypes.dataset.build.asked_questions import AskOptions, Questions, journal_lines
from groundtypes.dataset.build.training_examples import ExampleOptions
from groundtypes.dataset.estimation.meter import schema_bytes
from groundtypes.dataset.estimation.sampling import (
    Estimate,
    Interval,
    SampledBatch,
    Sampler,
    repetition,
    total,
)
from groundtypes.integrations.recordings import RecordedCall
from groundtypes.row_files.counts import Progress, RunCounts
from groundtypes.row_files.json_lines import BrokenLineError

_ROWS: Final = 128
_BATCHES: Final = 16
_BYTES_PER_TOKEN: Final = 4
_TOKENS_OFF: Final = 0.25
#: How many re-asks a question takes, where no call is recorded: expected, and at least.
_REASKS: Final = 0.2
#: The tokens of an answer, where no call is recorded: fewest, expected, most.
_ANSWER_TOKENS: Final = (50, 300, 1_000)
#: What a re-ask adds to the messages beside the answer: its faults, in tokens.
_FAULTS_TOKENS: Final = 100
#: Of so many recorded calls the means are taken, the latest ones.
_RECORDED: Final = 500
_RECORDED_OFF: Final = 0.15


@dataclass(frozen=True, slots=True)
class _Replies:
    """What is known, or supposed, of the replies to the questions."""

    requests: Interval
    input_tokens: float | None
    answer_tokens: Interval
    recorded: int = 0


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
    known, replies = _recorded(ask, journal)
    sampler = Sampler(source, _ROWS, seed)
    questions = Questions(ask, examples, source)
    batches: list[dict[str, int]] = []
    rows: list[tuple[int, int, int]] = []
    progress.started(min(_BATCHES, sampler.count), 0)
    counts = RunCounts()
    for batch in sampler.batches(_BATCHES):
        asked, broken = _read(questions, batch, known)
        batches.append(asked)
        rows.append((len(batch.lines), broken, batch.bytes))
        progress.advanced(len(batches), counts)
    once = repetition(batches, sampler.count)
    number = total([len(asked) for asked in batches], sampler.count).times(once)
    schema = schema_bytes(examples.model) if hasattr(examples.model, "model_json_schema") else 0
    sizes = [sum(asked.values()) + schema * len(asked) for asked in batches]
    first = total(sizes, sampler.count).times(once / _BYTES_PER_TOKEN)
    calls = number.product(replies.requests)
    if ask.max_calls is not None:
        calls = calls.at_most(ask.max_calls)
    read = _input_tokens(first, number, calls, replies)
    written = calls.product(replies.answer_tokens)
    if ask.max_tokens is not None:
        tokens = read.plus(written)
        affordable = tokens.at_most(ask.max_tokens)
        calls, read, written = (each.scaled(affordable, tokens) for each in (calls, read, written))
    waiting = None if call_seconds is None else calls.times(call_seconds / ask.concurrency)
    return Estimate(
        rows=total([count for count, _, _ in rows], sampler.count),
        broken=total([broken for _, broken, _ in rows], sampler.count),
        questions={"llm": number},
        calls=calls,
        calls_by_prompt={"questions": calls},
        input_tokens=read,
        output_tokens=written,
        seconds=waiting or Interval.exactly(0.0),
        llm_seconds=waiting,
        sampled_rows=sum(count for count, _, _ in rows),
        sampled_bytes=sum(length for _, _, length in rows),
        sampled_share=min(1.0, len(batches) / sampler.count),
        own_seconds=time.perf_counter() - began,
        notes=tuple(_notes(ask, replies, known, call_seconds)),
    )


def _read(questions: Questions, batch: SampledBatch, known: set[str]) -> tuple[dict[str, int], int]:
    """Return the bytes of each question that is to be asked, and how many lines have none."""
    asked: dict[str, int] = {}
    broken = 0
    for line in batch.lines:
        question = BrokenLineError() if line.too_long else questions.read(line)
        if isinstance(question, BrokenLineError):
            broken += 1
        elif question.key not in known:
            texts = (str(message.get("content", "")) for message in question.messages)
            asked[question.key] = sum(len(text.encode("utf-8", "replace")) for text in texts)
    return asked, broken


# --- replies ------------------------------------------------------------------------------------


def _recorded(ask: AskOptions, journal: Path | None) -> tuple[set[str], _Replies]:
    """Return the keys of the questions that are answered, and what is known of the replies."""
    known: set[str] = set()
    lines: dict[str, bytes] = {}
    if journal is not None:
        for _, line, key in journal_lines(journal):
            if key is not None:
                known.add(key)
                lines[key] = line
    latest = islice(reversed(lines.values()), _RECORDED)
    calls = [RecordedCall.from_dict(from_json(line)) for line in latest]
    low, expected, high = map(float, _ANSWER_TOKENS)
    supposed = Interval(expected, low, high)
    if not calls:
        re_asks = min(_REASKS, ask.max_retries)
        requests = Interval(1 + re_asks, 1.0, 1.0 + ask.max_retries)
        return known, _Replies(requests, None, supposed)
    attempts = fmean(len(call.attempts) for call in calls)
    usages = [attempt.usage for call in calls for attempt in call.attempts]
    tokens_in, tokens_out = (
        fmean(usage.get(name, 0) for usage in usages) for name in ("input", "output")
    )
    return known, _Replies(
        Interval.exactly(attempts).widened(_RECORDED_OFF),
        tokens_in or None,
        Interval.exactly(tokens_out).widened(_RECORDED_OFF) if tokens_out else supposed,
        len(calls),
    )


def _input_tokens(
    first: Interval, number: Interval, calls: Interval, replies: _Replies
) -> Interval:
    """Return the tokens that the LLM reads; a re-ask shows it the answer before, and its faults."""
    if replies.input_tokens is not None:
        return calls.times(replies.input_tokens).widened(_RECORDED_OFF)
    again = replies.answer_tokens.value + _FAULTS_TOKENS
    bounds = []
    for bound in ("value", "low", "high"):
        tokens, questions, requests = (getattr(each, bound) for each in (first, number, calls))
        extra = max(0.0, requests - questions)
        bounds.append(tokens * requests / questions + extra * again if questions else 0.0)
    return Interval(*bounds).widened(_TOKENS_OFF)


def _notes(
    ask: AskOptions,
    replies: _Replies,
    known: set[str],
    call_seconds: float | None,
) -> Iterator[str]:
    yield "Nothing was asked. The checks of the answers are not part of the estimate."
    if replies.recorded:
        yield (
            f"Requests and tokens of a question are the means of {replies.recorded:,} recorded "
            f"calls; {len(known):,} questions are answered already."
        )
    else:
        low, expected, high = _ANSWER_TOKENS
        re_asks = replies.requests.value - 1
        yield (
            f"No call is recorded yet: {re_asks:.0%} re-asks and {expected} tokens for an answer "
            f"are supposed, and at most {ask.max_retries} re-asks and {low} to {high:,} tokens. A "
            "run with `max_calls=50` would tell."
        )
    if ask.max_calls is not None:
        yield f"No more than {ask.max_calls:,} requests are sent (`max_calls`)."
    if ask.max_tokens is not None:
        yield f"No question is asked after {ask.max_tokens:,} tokens (`max_tokens`)."
    if call_seconds is None:
        yield "The time is not known, because it is not said how long a call takes."
