"""A client of instructor, listened to: every attempt of every call is kept.

Hooks alone do not say which call an event belongs to, nor its context. So each call gets hooks of
its own, put beside those of the client where the client hands them on; threads and tasks cannot
mix, and nothing of instructor is imported here.
"""

import inspect
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from pydantic import BaseModel, ValidationError

from groundtypes.errors import Mistake, RecordingError, clip
from groundtypes.recordings.calls import Attempt, Message, RecordedCall, faults_of, model_name
from groundtypes.recordings.completions import answer_in, plain_data, tokens_in
from groundtypes.recordings.file import append_call
from groundtypes.references import References

__all__ = ["Recording", "record"]

_NOT_THE_REQUEST: Final = ("messages", "timeout", "extra_headers", "extra_query")


def record(client: Any, path: str | Path | None = None, *, limit: int = 1000) -> "Recording":
    """Listen to a client of instructor, sync or async; return what collects its calls.

    Every call of the client that has a `response_model` and is no stream is kept, with each of
    its attempts, whether it ends with an answer or with an exception. With a `path` each call is
    also appended to that JSON Lines file as soon as it has ended. In memory the last `limit`
    calls stay. `with record(client) as recording:` stops listening at the end of the block, as
    `recording.stop()` does.

    Raises:
        RecordingError: This is no client of instructor, or the file cannot be written.
    """
    if not callable(getattr(client, "create_fn", None)) or not hasattr(client, "hooks"):
        raise RecordingError(
            f"{type(client).__name__} is no client of instructor. Make one by "
            "instructor.from_provider(...) or instructor.from_openai(...), and record that."
        )
    recording = Recording(path, limit=limit)
    recording.listen(client)
    return recording


class Recording:
    """The calls that were recorded, the oldest first; it may be shared between threads.

    `dropped` counts those that are no longer in memory, `streams` those that were not recorded.
    """

    def __init__(self, path: str | Path | None = None, *, limit: int = 1000) -> None:
        """Take the file to append to, if any, and how many calls stay in memory."""
        if limit < 0:
            raise RecordingError(f"limit is {limit}; it must be at least 0")
        self.path = None if path is None else Path(path)
        self.dropped = 0
        self.streams = 0
        self._calls: deque[RecordedCall] = deque(maxlen=limit)
        self._lock = threading.Lock()
        self._stops: list[Callable[[], None]] = []
        self._failure: Mistake | None = None
        if self.path is not None:
            try:
                self.path.open("ab").close()
            except OSError as error:
                reason = error.strerror or type(error).__name__
                raise RecordingError(f"Cannot write the recording {path}: {reason}.") from error

    def add(self, call: RecordedCall) -> None:
        """Keep a call.

        A file that cannot be written raises nothing here, because the answer of the LLM is paid
        for and good; `stop` raises it.
        """
        with self._lock:
            if len(self._calls) == self._calls.maxlen:
                self.dropped += 1
            self._calls.append(call)
            if self.path is not None and self._failure is None:
                try:
                    append_call(self.path, call)
                except Mistake as mistake:
                    self._failure = mistake

    def listen(self, client: Any) -> None:
        """Record the calls of one more client."""
        inner = client.create_fn
        wrapped = _recorded_async if _is_async(client, inner) else _recorded_sync
        outer = client.create_fn = wrapped(inner, self)

        def stop() -> None:
            if client.create_fn is outer:
                client.create_fn = inner
            else:  # somebody wrapped it once more: keep the chain, and listen no longer
                outer.listening = False

        self._stops.append(stop)

    def stop(self) -> None:
        """Listen no longer.

        Raises:
            RecordingError: The file could not be written; calls since then are only in memory.
        """
        while self._stops:
            self._stops.pop()()
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    def skipped(self) -> None:
        """Count a call that is not recorded."""
        with self._lock:
            self.streams += 1

    def __iter__(self) -> Iterator[RecordedCall]:
        with self._lock:
            return iter(list(self._calls))

    def __len__(self) -> int:
        return len(self._calls)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self.stop()
        except Mistake:
            if error is None:  # what broke the block is told rather than this
                raise

    def __repr__(self) -> str:
        attempts = sum(len(call.attempts) for call in self)
        return f"<Recording of {len(self)} calls, {attempts} attempts>"


class _Tape:
    """One call while it goes on: its hooks fill in the attempts."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.hooks: Any = None
        self._options = options
        self._sent: list[Message] = []
        self._request: dict[str, Any] = {}
        self._attempts: list[Attempt] = []
        self._open: dict[str, Any] | None = None

    def listened(self, hooks: Any) -> Any:
        """Return the hooks of the call with ours beside them."""
        own = type(hooks)()
        own.on("completion:kwargs", self._asked)
        own.on("completion:response", self._answered)
        own.on("completion:error", self._broke)
        own.on("parse:error", self._failed)
        return hooks + own

    def _asked(self, *_: Any, **request: Any) -> None:
        messages = request.get("messages", request.get("input"))
        sent = plain_data(messages) if isinstance(messages, list) else []
        known = len(self._sent)
        new = sent[known:] if sent[:known] == self._sent else sent
        self._sent = sent
        self._request = {
            key: plain_data(value)
            for key, value in request.items()
            if key not in _NOT_THE_REQUEST and not callable(value)
        }
        self._open = {"messages": tuple(new)}

    def _answered(self, response: Any) -> None:
        completion = plain_data(response)
        if self._open is not None:
            self._open |= {
                "completion": completion,
                "answer": answer_in(completion),
                "usage": tokens_in(completion),
            }

    def _failed(self, error: Exception, **_: Any) -> None:
        if isinstance(error, ValidationError):
            self._close(ok=False, faults=faults_of(error))
        else:
            self._close(ok=False, error=_told(error))

    def _broke(self, error: Exception, **_: Any) -> None:
        self._close(ok=False, error=_told(error))

    def _close(self, **outcome: Any) -> None:
        if self._open is not None:
            self._attempts.append(Attempt(**self._open, **outcome))
            self._open = None

    def ended(self, value: Any = None, error: BaseException | None = None) -> RecordedCall:
        """Return the call, once it has returned a value or raised an error."""
        if error is not None:
            # instructor wraps what happened in an exception of its own.
            self._close(ok=False, error=_told(error.__cause__ or error))
        else:
            self._close(ok=True, value=_dumped(value))
        context = self._options.get("context")
        question = context.get("question") if isinstance(context, Mapping) else None
        return RecordedCall(
            llm=str(self._request.get("model", "")),
            response_model=model_name(self._options.get("response_model")),
            id=_id(context),
            question=question if isinstance(question, str) else None,
            references=_references(context),
            request=self._request,
            attempts=tuple(self._attempts),
        )


class _Recorded:
    """The function that makes a client's requests, with a tape for each call."""

    def __init__(self, inner: Callable[..., Any], recording: Recording) -> None:
        self.inner = inner
        self.recording = recording
        self.listening = True

    def _tape(self, options: dict[str, Any]) -> _Tape | None:
        if not self.listening or options.get("response_model") is None:
            return None
        if options.get("stream"):
            self.recording.skipped()
            return None
        hooks = options.get("hooks")
        if hooks is None:
            return None
        tape = _Tape(options)
        options["hooks"] = tape.listened(hooks)
        return tape


class _recorded_sync(_Recorded):  # noqa: N801 # stands where a function stood
    def __call__(self, *args: Any, **options: Any) -> Any:
        tape = self._tape(options)
        if tape is None:
            return self.inner(*args, **options)
        try:
            value = self.inner(*args, **options)
        except BaseException as error:
            self.recording.add(tape.ended(error=error))
            raise
        self.recording.add(tape.ended(value))
        return value


class _recorded_async(_Recorded):  # noqa: N801 # stands where a function stood
    async def __call__(self, *args: Any, **options: Any) -> Any:
        tape = self._tape(options)
        if tape is None:
            return await self.inner(*args, **options)
        try:
            value = await self.inner(*args, **options)
        except BaseException as error:
            self.recording.add(tape.ended(error=error))
            raise
        self.recording.add(tape.ended(value))
        return value


def _is_async(client: Any, inner: Any) -> bool:
    if isinstance(inner, _Recorded):
        return isinstance(inner, _recorded_async)
    # The class tells it where the function is wrapped by something that hides it.
    names = {base.__name__ for base in type(client).__mro__}
    return inspect.iscoroutinefunction(inner) or "AsyncInstructor" in names


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {clip(str(error), 500)}"


def _dumped(value: Any) -> Any:
    try:
        if isinstance(value, BaseModel):
            return value.model_dump(mode="json", by_alias=True, warnings=False)
        return plain_data(value)
    except Exception:  # noqa: BLE001 # a user's own serializer may raise anything
        return None


def _id(context: Any) -> str | None:
    given = context.get("id") if isinstance(context, Mapping) else None
    return str(given) if isinstance(given, str | int) and not isinstance(given, bool) else None


def _references(context: Any) -> dict[str, str] | None:
    try:
        return {reference.id: reference.text for reference in References.from_context(context)}
    except Mistake:
        return None  # the checks have said so, if there are any
