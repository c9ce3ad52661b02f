"""Questions put to an LLM, many at a time, within a budget; what it answers is never lost.

Each call is appended to a file of recorded calls as soon as it has ended. Whoever asks the same
questions again, after an interruption or with a larger budget, pays for the missing ones only.
"""

import inspect
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic import TypeAdapter
from pydantic_core import from_json

from groundtypes.dataset.build.examples import Sift
from groundtypes.dataset.build.manifest import model_digest
from groundtypes.dataset.build.prompts import plain_messages
from groundtypes.dataset.build.shapes import identifier
from groundtypes.dataset.check.job import Watcher
from groundtypes.dataset.io.files import mistake_of
from groundtypes.dataset.io.lines import LineReader
from groundtypes.dataset.io.rows import BrokenLineError, RowReader
from groundtypes.errors import BackendError, DatasetError, Mistake, RecordingError, clip
from groundtypes.recordings import RecordedCall, Recording
from groundtypes.recordings.file import append_call

__all__ = ["Asking", "ask_all"]

#: So many calls in a row without an answer are an outage.
_OUTAGE: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Which LLM is asked, and how much of it.

    Options:
        client: A client of instructor; a sync one, for threads ask at the same time.
        options: What each call is given besides, such as `{"model": "gpt-5-mini"}`.
        concurrency: How many questions are asked at the same time.
        max_retries: How often a faulty answer is asked for again.
        max_calls: No more requests than this are sent, re-asks included.
        max_tokens: No further question is asked once so many tokens are used.
    """

    client: Any
    options: Mapping[str, Any] = field(default_factory=dict)
    concurrency: int = 8
    max_retries: int = 2
    max_calls: int | None = None
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        if not callable(getattr(self.client, "create_fn", None)):
            raise DatasetError(f"{type(self.client).__name__} is no client of instructor")
        if inspect.iscoroutinefunction(getattr(self.client, "create", None)):
            # Its connections would belong to an event loop of ours, and be useless afterwards.
            raise DatasetError(
                "Questions are asked by a sync client of instructor, in threads; this is an "
                "async one."
            )
        if self.concurrency < 1 or self.max_retries < 0:
            raise DatasetError("concurrency must be at least 1, and max_retries at least 0")

    @property
    def identity(self) -> dict[str, Any]:
        """What an answer depends on, as far as it can be told."""
        return {
            "options": {name: repr(value) for name, value in sorted(self.options.items())},
            "max_retries": self.max_retries,
        }


class _Question(NamedTuple):
    key: str
    messages: list[dict[str, Any]]
    context: Mapping[str, Any]


def ask_all(
    asking: Asking, sift: Sift, source: Path, journal: Path, ordered: Path, watcher: Watcher
) -> dict[str, int]:
    """Ask what the journal does not hold; write the calls in the order of the questions.

    A line that holds no question is written as it is, so that it is refused with its number; one
    that the budget does not allow becomes a blank line. Returns how many were `answered` and
    `unasked`, and the `requests` and tokens of those that were answered, in whichever run.

    Raises:
        BackendError: The LLM does not answer any more; what was answered is kept.
        Mistake: As `audit`, or a file cannot be read or written.
    """
    reader = _Questions(asking, sift, source)
    known = _keys(journal)
    _Asker(asking, sift.model, journal, known, watcher).go(reader)
    return _order(reader, journal, ordered)


class _Questions:
    """The questions of a file, as often as they are wanted."""

    def __init__(self, asking: Asking, sift: Sift, source: Path) -> None:
        self.source = source
        self._sift = sift
        self._rows = RowReader(sift.model, sift.keys)
        schema = model_digest(TypeAdapter(sift.model))
        self._identity = [schema, asking.identity]

    def __iter__(self) -> Iterator[tuple[bytes, _Question | None]]:
        """Yield each line with its question, if it holds one."""
        try:
            with self.source.open("rb") as stream:
                number = 0
                for line in LineReader(stream):
                    while number + 1 < line.number:
                        number += 1
                        yield b"", None
                    number = line.number
                    if line.spool is not None:
                        line.spool.close()
                        raise DatasetError(f"Line {number} of {self.source} is too long.")
                    yield line.data, self._question(line.data, number)
        except OSError as error:
            raise mistake_of(error, f"read {self.source}") from error

    def _question(self, data: bytes, number: int) -> _Question | None:
        try:
            row = self._rows.read(data)
        except BrokenLineError:
            return None
        messages = plain_messages(row.data.get("messages"))
        if messages is None and "question" in row.context:
            messages = self._sift.prompted(number, row.context)
        if messages is None:
            return None
        references = row.context["references"].digest
        key = identifier(self._identity, messages, references, row.context.get("question"))
        return _Question(key, messages, row.context)


class _Journal(Recording):
    """The calls of this run, on disk; those that brought no answer are not kept."""

    def __init__(self, path: Path, done: Callable[[RecordedCall], None]) -> None:
        super().__init__(path, limit=0)
        self._done = done
        self._writing = threading.Lock()

    def add(self, call: RecordedCall) -> None:
        if call.attempts and call.attempts[-1].completion is not None and self.path is not None:
            with self._writing:
                append_call(self.path, call)
        self._done(call)


class _Asker:
    """The calls of one run: as many at a time as is allowed, until the budget is spent."""

    def __init__(
        self, asking: Asking, model: Any, journal: Path, known: set[str], watcher: Watcher
    ) -> None:
        self._asking = asking
        self._model = model
        self._known = known
        self._watcher = watcher
        self._journal = _Journal(journal, self._spend)
        self._lock = threading.Lock()
        self._requests = 0
        self._tokens = 0
        self._answered: set[str] = set()
        self._failures = 0
        self._waiting: dict[Future[Any], str] = {}

    def go(self, questions: _Questions) -> None:
        """Ask everything that is not known and that the budget allows."""
        client = self._asking.client
        with ThreadPoolExecutor(self._asking.concurrency) as pool, self._journal:
            self._journal.listen(client)
            try:
                for _, question in questions:
                    if question is None or question.key in self._known:
                        continue
                    if not self._room():
                        break
                    self._known.add(question.key)
                    future = pool.submit(client.create, **self._request(question))
                    self._waiting[future] = question.key
                while self._waiting:
                    self._collect()
            except BaseException:
                for future in self._waiting:
                    future.cancel()
                raise

    def _room(self) -> bool:
        """Wait until one more question may be asked; say whether it may."""
        asking = self._asking
        most = 1 + asking.max_retries
        while True:
            waiting = len(self._waiting)
            with self._lock:
                tokens_left = asking.max_tokens is None or self._tokens < asking.max_tokens
                spoken_for = self._requests + (waiting + 1) * most
            calls_left = asking.max_calls is None or spoken_for <= asking.max_calls
            if tokens_left and calls_left and waiting < asking.concurrency:
                return True
            if not waiting:
                return False
            self._collect()

    def _collect(self) -> None:
        """Wait for a call to end, and see how it ended."""
        done, _ = wait(self._waiting, return_when=FIRST_COMPLETED)
        for future in done:
            key = self._waiting.pop(future)
            error = future.exception()
            cause = _cause(error)
            if isinstance(cause, Mistake):
                raise cause
            if error is None or key in self._answered:
                self._failures = 0
                continue
            self._failures += 1
            self._watcher.broken(0, f"no answer: {clip(str(error), 200)}")
            if self._failures >= _OUTAGE:
                raise BackendError(
                    f"The LLM has failed {_OUTAGE} times in a row: {clip(str(error), 300)} "
                    "What was answered is kept; continue with --resume."
                ) from error

    def _spend(self, call: RecordedCall) -> None:
        with self._lock:
            self._requests += len(call.attempts)
            self._tokens += sum(call.usage.values())
            if call.id is not None and call.attempts and call.attempts[-1].completion is not None:
                self._answered.add(call.id)

    def _request(self, question: _Question) -> dict[str, Any]:
        """Return the arguments of a call.

        instructor renders every message as a template, but not what it fills in: so a message is
        a placeholder, and braces in a reference stay what they are.
        """
        names = [f"groundtypes_message_{number}" for number in range(len(question.messages))]
        texts = [message["content"] for message in question.messages]
        return {
            **self._asking.options,
            "response_model": self._model,
            "messages": [
                {**message, "content": f"{{{{ {name} }}}}"}
                for name, message in zip(names, question.messages, strict=True)
            ],
            "context": {
                **question.context,
                **dict(zip(names, texts, strict=True)),
                "id": question.key,
            },
            "max_retries": self._asking.max_retries,
        }


def _cause(error: BaseException | None) -> BaseException | None:
    while error is not None and not isinstance(error, Mistake):
        error = error.__cause__
    return error


def _lines(journal: Path) -> Iterator[tuple[int, bytes, str | None]]:
    """Yield the lines of a journal with their places and keys."""
    try:
        with journal.open("rb") as file:
            place = 0
            for line in file:
                yield place, line, _key(line)
                place += len(line)
    except FileNotFoundError:
        return
    except OSError as error:
        raise mistake_of(error, f"read {journal}") from error


def _key(line: bytes) -> str | None:
    try:
        return RecordedCall.from_dict(from_json(line)).id
    except (ValueError, RecordingError):
        return None  # what a killed run left of a line


def _keys(journal: Path) -> set[str]:
    return {key for _, _, key in _lines(journal) if key is not None}


def _order(questions: _Questions, journal: Path, ordered: Path) -> dict[str, int]:
    """Write the calls in the order of their questions, a line for each line of the source."""
    places = {key: place for place, _, key in _lines(journal) if key is not None}
    counts = dict.fromkeys(("answered", "unasked", "requests", "input tokens", "output tokens"), 0)
    try:
        with ordered.open("wb") as out, journal.open("rb") as calls:
            for line, question in questions:
                if question is None:
                    out.write(line + b"\n")
                elif question.key in places:
                    calls.seek(places[question.key])
                    found = calls.readline()
                    out.write(found)
                    call = RecordedCall.from_dict(from_json(found))
                    counts["answered"] += 1
                    counts["requests"] += len(call.attempts)
                    counts["input tokens"] += call.usage.get("input", 0)
                    counts["output tokens"] += call.usage.get("output", 0)
                else:
                    out.write(b"\n")
                    counts["unasked"] += 1
    except OSError as error:
        raise mistake_of(error, f"write {ordered}") from error
    return counts
