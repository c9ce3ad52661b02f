"""Questions put to an LLM, many at a time, within a budget; no answer is lost.

Each call is appended to a journal of recorded calls as soon as it has ended. A later run that asks
the same questions, after an interruption or with a larger budget, pays for the missing ones only.
"""

import contextlib
import inspect
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pydantic import TypeAdapter
from pydantic_core import from_json

from groundtypes.backends.client_identity import client_identity
from groundtypes.backends.engine_calls import describe
from groundtypes.backends.llm_limits import Budget, UsageMeter
from groundtypes.backends.redaction import redact
from groundtypes.concurrency.threads import SECONDS_UNTIL_SIGNAL, start_daemon_thread
from groundtypes.dataset.build.training_examples import ExampleOptions
from groundtypes.dataset.check.model_checks import schema_id
from groundtypes.errors import BackendError, DatasetError, Mistake, RecordingError
from groundtypes.integrations.recordings import RecordedCall, Recording
from groundtypes.integrations.recordings.calls import append_call
from groundtypes.judges import judges_for
from groundtypes.row_files.answer_rows import RowReader
from groundtypes.row_files.counts import Progress
from groundtypes.row_files.files import file_errors, replace_file
from groundtypes.row_files.json_lines import (
    BrokenLineError,
    Line,
    LineReader,
    content_id,
    json_bytes,
    read_line,
)
from groundtypes.row_files.run_files import read_json

if TYPE_CHECKING:
    from groundtypes.backends.llm_calls import LLMCall

#: Options that say how the LLM is reached, and may hold keys.
_NOT_THE_QUESTION: Final = frozenset(
    {"api_key", "base_url", "extra_headers", "extra_query", "headers", "timeout"}
)
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
        max_calls: No more requests than this are sent; re-asks and retries of the client count.
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
        options = [option for option in self.options.items() if option[0] not in _NOT_THE_QUESTION]
        return {
            "llm": client_identity(self.client),
            "options": {name: redact(repr(value)) for name, value in sorted(options)},
            "max_retries": self.max_retries,
        }


class AskedQuestion(NamedTuple):
    """A question as it is asked: its messages, the context of its answer, and its key.

    The key stands for all on which the answer depends; a question of a known key is not asked.
    """

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
    `unasked`, the `requests` that were sent for them, in whichever run, and the tokens of the
    answers. Requests that an interruption broke off are not among them.
    """
    questions = Questions(ask, examples, source)
    known = set(_offsets(journal))
    lost_requests = ordered.with_name("lost_requests.json")
    asker = _Asker(ask, examples.model, journal, known, progress)
    try:
        asker.run(questions)
    finally:
        lost = asker.lost_requests
        if lost_requests.exists():
            lost += read_json(lost_requests)["requests"]
        replace_file(lost_requests, json_bytes({"requests": lost}))
    counts = _write_ordered(questions, journal, ordered)
    counts["requests"] += lost
    return counts


class Questions:
    """The questions of a file; each iteration reads it again."""

    def __init__(self, ask: AskOptions, examples: ExampleOptions, source: Path) -> None:
        self._source = source
        self._examples = examples
        self._rows = RowReader(examples.model, examples.keys)
        self._identity = [schema_id(TypeAdapter(examples.model)), ask.identity]
        judges = judges_for(examples.model, examples.judges)
        self._engines = {} if judges is None else {"judges": judges}

    def __iter__(self) -> Iterator[tuple[bytes, AskedQuestion | None]]:
        """Yield each line, blank ones too, with its question, if it holds one."""
        with file_errors(f"read {self._source}"), self._source.open("rb") as stream:
            number = 0
            for line in LineReader(stream):
                for _ in range(number + 1, line.number):
                    yield b"", None
                number = line.number
                if line.too_long:
                    raise DatasetError(f"Line {number} of {self._source} is too long.")
                question = self.read(line)
                yield line.data, None if isinstance(question, BrokenLineError) else question

    def read(self, line: Line) -> "AskedQuestion | BrokenLineError":
        """Return the question on a line, or why it has none."""
        return read_line(line, lambda data: self._question(data, line.number))

    def _question(self, data: dict[str, Any], number: int) -> AskedQuestion:
        context = self._rows.read(data).context
        messages = self._examples.messages(number, data, context)
        references = context["references"].digest
        key = content_id(self._identity, messages, references, context.get("question"))
        return AskedQuestion(key, messages, {**context, **self._engines})


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
    """Asks as many questions at a time as is allowed, until the budget is used up."""

    ask: AskOptions
    model: Any
    journal: Path
    known: set[str]
    progress: Progress
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _meter: UsageMeter = field(init=False)
    _recorded_requests: int = 0
    _tokens: int = 0
    _answered: set[str] = field(default_factory=set)
    _failures: int = 0
    _waiting: dict[Future[Any], tuple[str, "LLMCall"]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._meter = UsageMeter(Budget(calls=self.ask.max_calls))

    @property
    def lost_requests(self) -> int:
        """How many requests ended without an answer that was written to the journal."""
        broken_off = sum(call.requests for _, call in self._waiting.values())
        return max(0, self._meter.usage.calls - self._recorded_requests - broken_off)

    def run(self, questions: Questions) -> None:
        """Ask everything that is not known and that the budget allows."""
        # Imported here, because it needs what comes with instructor.
        from groundtypes.backends.llm_calls import LLMCall, watch_requests  # noqa: PLC0415

        watched = watch_requests(getattr(self.ask.client, "client", None))
        journal = _Journal(self.journal, self._count)
        with journal:
            journal.listen(self.ask.client)
            try:
                for _, question in questions:
                    if question is None or question.key in self.known:
                        continue
                    if not self._wait_for_budget():
                        break
                    self.known.add(question.key)
                    call = LLMCall(self._meter)
                    request = self._request(question, call, watched=watched)
                    future = start_daemon_thread(partial(self._send, call, request))
                    self._waiting[future] = question.key, call
                while self._waiting:
                    self._collect()
            except Exception:
                wait(self._waiting)  # those under way are paid for
                self._waiting.clear()
                raise
            except BaseException:
                for _, call in self._waiting.values():
                    call.stop()
                raise

    def _send(self, call: "LLMCall", request: Mapping[str, Any]) -> Any:
        with call.sending():
            return self.ask.client.create(**request)

    def _wait_for_budget(self) -> bool:
        """Wait until one more question may be asked; return whether it may."""
        ask = self.ask
        while True:
            with self._lock:
                tokens_left = ask.max_tokens is None or self._tokens < ask.max_tokens
            # Each question may be asked again as often as is allowed.
            most_requests = self._meter.usage.calls + 1 + ask.max_retries
            for _, call in self._waiting.values():
                most_requests += max(0, 1 + ask.max_retries - call.requests)
            calls_left = ask.max_calls is None or most_requests <= ask.max_calls
            if tokens_left and calls_left and len(self._waiting) < ask.concurrency:
                return True
            if not self._waiting:
                return False
            self._collect()

    def _collect(self) -> None:
        """Wait for a call to end, and see how it ended."""
        done: set[Future[Any]] = set()
        while not done:
            done, _ = wait(self._waiting, SECONDS_UNTIL_SIGNAL, return_when=FIRST_COMPLETED)
        for future in done:
            key, call = self._waiting.pop(future)
            error = cause = future.exception()
            if call.refusal is not None:
                continue  # the question stays unasked
            while cause is not None and not isinstance(cause, Mistake):
                cause = cause.__cause__
            if cause is not None:
                raise cause
            if error is None or key in self._answered:
                self._failures = 0
                continue
            self._failures += 1
            # Nothing that the server sent is shown: it may repeat a key.
            self.progress.broken(0, f"no answer: {describe(error)}")
            if self._failures >= _MAX_FAILURES:
                raise BackendError(
                    f"The LLM has failed {_MAX_FAILURES} times in a row: {describe(error)}. "
                    "Its replies so far are saved; continue with `resume=True`."
                )

    def _count(self, call: RecordedCall) -> None:
        with self._lock:
            self._tokens += sum(call.usage.values())
            if call.id is not None and _is_answered(call):
                self._recorded_requests += len(call.attempts)
                self._answered.add(call.id)

    def _request(
        self, question: AskedQuestion, call: "LLMCall", *, watched: bool
    ) -> dict[str, Any]:
        """Return the arguments of a call."""
        from groundtypes.backends.llm_calls import counted_repairs  # noqa: PLC0415 # the same

        repairs: Any = self.ask.max_retries
        if not watched:
            repairs = counted_repairs(call, repairs, asynchronous=False)
        names = [f"groundtypes_message_{number}" for number in range(len(question.messages))]
        texts = [message["content"] for message in question.messages]
        return {
            **self.ask.options,
            "response_model": self.model,
            # instructor renders messages as templates, but not what it fills into them: so braces
            # in a reference stay what they are.
            "messages": [
                {**message, "content": f"{{{{ {name} }}}}"}
                for name, message in zip(names, question.messages, strict=True)
            ],
            "context": {
                **question.context,
                **dict(zip(names, texts, strict=True)),
                "id": question.key,
            },
            "max_retries": repairs,
        }


def _is_answered(call: RecordedCall) -> bool:
    return bool(call.attempts) and call.attempts[-1].completion is not None


def _offsets(journal: Path) -> dict[str, int]:
    """Return where in a journal the last call of each key is, in bytes."""
    offsets: dict[str, int] = {}
    if journal.exists():
        with file_errors(f"read {journal}"), journal.open("rb") as file:
            offset = 0
            for line in file:
                with contextlib.suppress(ValueError, RecordingError):  # half of a killed run's
                    key = RecordedCall.from_dict(from_json(line)).id
                    offsets |= {} if key is None else {key: offset}
                offset += len(line)
    return offsets


def _write_ordered(questions: Questions, journal: Path, ordered: Path) -> dict[str, int]:
    """Write the calls in the order of their questions, a line for each line of the source."""
    offsets = _offsets(journal)
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
