"""Questions put to an LLM, many at a time, within a budget; no answer is lost.

Each call is appended to a journal of recorded calls as soon as it has ended. A later run that asks
the same questions, after an interruption or with a larger budget, pays for the missing ones only.
"""

import contextlib
import inspect
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic import TypeAdapter
from pydantic_core import from_json

from groundtypes.dataset.build.examples import ExampleOptions
from groundtypes.dataset.build.formats import content_id
from groundtypes.dataset.build.manifest import schema_id
from groundtypes.errors import BackendError, DatasetError, Mistake, RecordingError, clip
from groundtypes.recordings import RecordedCall, Recording
from groundtypes.recordings.file import append_call
from groundtypes.row_files.files import file_errors
from groundtypes.row_files.json_lines import LineReader
from groundtypes.row_files.parsing import BrokenLineError, read_line
from groundtypes.row_files.progress import Progress
from groundtypes.row_files.rows import RowReader

__all__ = ["AskOptions", "ask_all"]

#: After this many failed calls in a row, the LLM counts as down.
_MAX_FAILURES: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class AskOptions:
    """The LLM to ask, and the limits.

    Options:
        client: An instructor client, a synchronous one: it is called from several threads.
        options: Further arguments of each call, such as `{"model": "gpt-5-mini"}`.
        concurrency: How many questions are asked at the same time.
        max_retries: How often a faulty answer is asked for again.
        max_calls: No more requests than this are sent, re-asks included.
        max_tokens: No further question is asked once this many tokens are used.
    """

    client: Any
    options: Mapping[str, Any] = field(default_factory=dict)
    concurrency: int = 8
    max_retries: int = 2
    max_calls: int | None = None
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        if not callable(getattr(self.client, "create_fn", None)):
            raise DatasetError(f"{type(self.client).__name__} is not an instructor client")
        if inspect.iscoroutinefunction(getattr(self.client, "create", None)):
            # Its connections would belong to an event loop of ours, and be useless afterwards.
            raise DatasetError(
                "Questions are asked by a synchronous instructor client, in threads; this one is "
                "asynchronous."
            )
        if self.concurrency < 1 or self.max_retries < 0:
            raise DatasetError("`concurrency` must be at least 1, and `max_retries` at least 0")

    @property
    def identity(self) -> dict[str, Any]:
        """The options on which an answer depends."""
        return {
            "options": {name: repr(value) for name, value in sorted(self.options.items())},
            "max_retries": self.max_retries,
        }


class _Question(NamedTuple):
    key: str
    messages: list[dict[str, Any]]
    context: Mapping[str, Any]


def ask_all(
    ask: AskOptions,
    examples: ExampleOptions,
    source: Path,
    journal: Path,
    ordered: Path,
    progress: Progress,
) -> dict[str, int]:
    """Ask the questions that the journal has no call for; write all calls in their order.

    A line that holds no question is written as it is, so that it is refused with its number; one
    that the budget does not allow becomes a blank line. Returns how many were `answered` and
    `unasked`, and the `requests` and tokens of those that were answered, in whichever run.

    Raises:
        BackendError: The LLM does not answer any more; its answers so far are in the journal.
        Mistake: As `audit`, or a file cannot be read or written.
    """
    questions = _Questions(ask, examples, source)
    known = {key for _, _, key in _journal_lines(journal) if key is not None}
    _Asker(ask, examples.model, journal, known, progress).run(questions)
    return _write_ordered(questions, journal, ordered)


class _Questions:
    """The questions of a file; each iteration reads it again."""

    def __init__(self, ask: AskOptions, examples: ExampleOptions, source: Path) -> None:
        self._source = source
        self._examples = examples
        self._rows = RowReader(examples.model, examples.keys)
        self._identity = [schema_id(TypeAdapter(examples.model)), ask.identity]

    def __iter__(self) -> Iterator[tuple[bytes, _Question | None]]:
        """Yield each line, blank ones too, with its question, if it holds one."""
        with file_errors(f"read {self._source}"), self._source.open("rb") as stream:
            number = 0
            for line in LineReader(stream):
                for _ in range(number + 1, line.number):
                    yield b"", None
                number = line.number
                if line.too_long:
                    raise DatasetError(f"Line {number} of {self._source} is too long.")
                question = read_line(line, lambda data: self._question(data, number))  # noqa: B023 # called at once
                yield line.data, None if isinstance(question, BrokenLineError) else question

    def _question(self, data: dict[str, Any], number: int) -> _Question:
        context = self._rows.read(data).context
        messages = self._examples.messages(number, data, context)
        references = context["references"].digest
        key = content_id(self._identity, messages, references, context.get("question"))
        return _Question(key, messages, context)


class _Journal(Recording):
    """Appends the calls of this run to a file; those without an answer are left out."""

    def __init__(self, path: Path, ended: Callable[[RecordedCall], None]) -> None:
        super().__init__(path, limit=0)
        self._ended = ended
        self._write_lock = threading.Lock()

    def add(self, call: RecordedCall) -> None:
        if _is_answered(call) and self.path is not None:
            with self._write_lock:
                append_call(self.path, call)
        self._ended(call)


@dataclass(slots=True)
class _Asker:
    """Asks as many questions at a time as is allowed, until the budget is used up.

    `known` are the keys of the questions that the journal answers.
    """

    ask: AskOptions
    model: Any
    journal: Path
    known: set[str]
    progress: Progress
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _requests: int = 0
    _tokens: int = 0
    _answered: set[str] = field(default_factory=set)
    _failures: int = 0
    _waiting: dict[Future[Any], str] = field(default_factory=dict)

    def run(self, questions: _Questions) -> None:
        """Ask everything that is not known and that the budget allows."""
        client = self.ask.client
        journal = _Journal(self.journal, self._count)
        with ThreadPoolExecutor(self.ask.concurrency) as pool, journal:
            journal.listen(client)
            try:
                for _, question in questions:
                    if question is None or question.key in self.known:
                        continue
                    if not self._wait_for_budget():
                        break
                    self.known.add(question.key)
                    future = pool.submit(client.create, **self._request(question))
                    self._waiting[future] = question.key
                while self._waiting:
                    self._collect()
            except BaseException:
                for future in self._waiting:
                    future.cancel()
                raise

    def _wait_for_budget(self) -> bool:
        """Wait until one more question may be asked; return whether it may."""
        ask = self.ask
        while True:
            waiting = len(self._waiting)
            with self._lock:
                tokens_left = ask.max_tokens is None or self._tokens < ask.max_tokens
                # Each question under way may be asked again as often as is allowed.
                most_requests = self._requests + (waiting + 1) * (1 + ask.max_retries)
            calls_left = ask.max_calls is None or most_requests <= ask.max_calls
            if tokens_left and calls_left and waiting < ask.concurrency:
                return True
            if not waiting:
                return False
            self._collect()

    def _collect(self) -> None:
        """Wait for a call to end, and see how it ended."""
        done, _ = wait(self._waiting, return_when=FIRST_COMPLETED)
        for future in done:
            key = self._waiting.pop(future)
            error = cause = future.exception()
            while cause is not None and not isinstance(cause, Mistake):
                cause = cause.__cause__
            if cause is not None:
                raise cause
            if error is None or key in self._answered:
                self._failures = 0
                continue
            self._failures += 1
            self.progress.broken(0, f"no answer: {clip(str(error), 200)}")
            if self._failures >= _MAX_FAILURES:
                raise BackendError(
                    f"The LLM has failed {_MAX_FAILURES} times in a row: {clip(str(error), 300)} "
                    "Its replies so far are saved; continue with `resume=True`."
                ) from error

    def _count(self, call: RecordedCall) -> None:
        with self._lock:
            self._requests += len(call.attempts)
            self._tokens += sum(call.usage.values())
            if call.id is not None and _is_answered(call):
                self._answered.add(call.id)

    def _request(self, question: _Question) -> dict[str, Any]:
        """Return the arguments of a call.

        instructor renders every message as a template, but not what it fills in: so a message is
        a placeholder, and braces in a reference stay what they are.
        """
        names = [f"groundtypes_message_{number}" for number in range(len(question.messages))]
        texts = [message["content"] for message in question.messages]
        return {
            **self.ask.options,
            "response_model": self.model,
            "messages": [
                {**message, "content": f"{{{{ {name} }}}}"}
                for name, message in zip(names, question.messages, strict=True)
            ],
            "context": {
                **question.context,
                **dict(zip(names, texts, strict=True)),
                "id": question.key,
            },
            "max_retries": self.ask.max_retries,
        }


def _is_answered(call: RecordedCall) -> bool:
    return bool(call.attempts) and call.attempts[-1].completion is not None


def _journal_lines(journal: Path) -> Iterator[tuple[int, bytes, str | None]]:
    """Yield the lines of a journal with their offsets, in bytes, and the keys of their calls."""
    if not journal.exists():
        return
    with file_errors(f"read {journal}"), journal.open("rb") as file:
        offset = 0
        for line in file:
            with contextlib.suppress(ValueError, RecordingError):  # half a line of a killed run
                yield offset, line, RecordedCall.from_dict(from_json(line)).id
            offset += len(line)


def _write_ordered(questions: _Questions, journal: Path, ordered: Path) -> dict[str, int]:
    """Write the calls in the order of their questions, a line for each line of the source."""
    offsets = {key: offset for offset, _, key in _journal_lines(journal) if key is not None}
    counts = dict.fromkeys(("answered", "unasked", "requests", "input tokens", "output tokens"), 0)
    with file_errors(f"write {ordered}"), ordered.open("wb") as out, journal.open("rb") as calls:
        for line, question in questions:
            if question is None:
                out.write(line + b"\n")
            elif question.key in offsets:
                calls.seek(offsets[question.key])
                recorded = calls.readline()
                out.write(recorded)
                call = RecordedCall.from_dict(from_json(recorded))
                counts["answered"] += 1
                counts["requests"] += len(call.attempts)
                counts["input tokens"] += call.usage.get("input", 0)
                counts["output tokens"] += call.usage.get("output", 0)
            else:
                out.write(b"\n")
                counts["unasked"] += 1
    return counts
