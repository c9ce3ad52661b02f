"""Records every attempt of every call that a client of instructor makes."""

import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from pydantic import BaseModel, ValidationError

from groundtypes.backends.client_identity import client_identity
from groundtypes.backends.redaction import redact, redact_data
from groundtypes.errors import Mistake, RecordingError
from groundtypes.integrations.instructor import add_hooks, is_client, listen
from groundtypes.integrations.recordings.calls import (
    Attempt,
    Message,
    RecordedCall,
    append_call,
    faults_of,
    model_name,
)
from groundtypes.integrations.recordings.completions import answer_in, plain_data, tokens_in
from groundtypes.references import References
from groundtypes.rounds.grounding import ground
from groundtypes.text.message_excerpts import clip

_NOT_THE_REQUEST: Final = ("messages", "timeout", "extra_headers", "extra_query")


def record(client: Any, path: str | Path | None = None, *, limit: int = 1000) -> "Recording":
    """Record the calls of an instructor client, synchronous or asynchronous, from now on.

    Every call of the client that has a `response_model` and is not a stream is recorded, with each
    of its attempts, whether it ends with an answer or with an exception. With a `path` each call is
    also appended to that JSON Lines file as soon as it has ended. The last `limit` calls stay in
    memory. `with record(client) as recording:` stops at the end of the block, as
    `recording.stop()` does.

    Raises:
        RecordingError: This is not an instructor client, or the file cannot be written.
    """
    if not is_client(client):
        raise RecordingError(
            f"{type(client).__name__} is not an instructor client. Make one by "
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
        """Store the file to append to, if any, and how many calls stay in memory."""
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
        """Add a call.

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
        # Imported here, because it needs what comes with instructor.
        from groundtypes.backends.llm_calls import watch_requests  # noqa: PLC0415

        # What a server repeats of the client's keys is not recorded, so they must be known.
        client_identity(client)
        watch_requests(getattr(client, "client", None))
        self._stops.append(listen(client, self._begin))

    def _begin(self, options: dict[str, Any]) -> "_CallInProgress | None":
        if options.get("response_model") is None:
            return None
        if options.get("stream"):
            with self._lock:
                self.streams += 1
            return None
        call = _CallInProgress(options, self)
        return call if add_hooks(options, call.hooks) else None

    def stop(self) -> None:
        """Record no more calls.

        Raises:
            RecordingError: The file could not be written; calls since then are only in memory.
        """
        while self._stops:
            self._stops.pop()()
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

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
            if error is None:  # the error of the block is the one to raise
                raise

    def __repr__(self) -> str:
        attempts = sum(len(call.attempts) for call in self)
        return f"<Recording of {len(self)} calls, {attempts} attempts>"


class _CallInProgress:
    """One call while it is under way: its hooks add the attempts."""

    def __init__(self, options: Mapping[str, Any], recording: Recording) -> None:
        self._options = options
        self._recording = recording
        self._sent: list[Message] = []
        self._request: dict[str, Any] = {}
        self._attempts: list[Attempt] = []
        self._attempt: dict[str, Any] | None = None
        self.hooks: dict[str, Callable[..., None]] = {
            "completion:kwargs": self._on_request,
            "completion:response": self._on_response,
            "completion:error": self._on_error,
            "parse:error": self._on_error,
        }

    def _on_request(self, *_: Any, **request: Any) -> None:
        messages = request.get("messages", request.get("input"))
        sent = plain_data(messages) if isinstance(messages, list) else []
        earlier = len(self._sent)
        new = sent[earlier:] if sent[:earlier] == self._sent else sent
        self._sent = sent
        self._request = {
            key: plain_data(value)
            for key, value in request.items()
            if key not in _NOT_THE_REQUEST and not callable(value)
        }
        self._attempt = {"messages": tuple(new)}

    def _on_response(self, response: Any) -> None:
        completion = plain_data(response)
        if self._attempt is not None:
            self._attempt |= {
                "completion": completion,
                "answer": answer_in(completion),
                "usage": tokens_in(completion),
            }

    def _on_error(self, error: Exception, **_: Any) -> None:
        if isinstance(error, ValidationError):
            self._end_attempt(ok=False, faults=faults_of(error))
        else:
            self._end_attempt(ok=False, error=_error_text(error))

    def _end_attempt(self, **outcome: Any) -> None:
        if self._attempt is not None:
            self._attempts.append(Attempt(**self._attempt, **outcome))
            self._attempt = None

    def returned(self, value: Any) -> None:
        self._end_attempt(ok=True, value=_plain_value(value))
        self._recording.add(self._recorded())

    def raised(self, error: BaseException) -> None:
        # instructor wraps what happened in an exception of its own.
        self._end_attempt(ok=False, error=_error_text(error.__cause__ or error))
        self._recording.add(self._recorded())

    def _recorded(self) -> RecordedCall:
        context = ground(self._options.get("context"))
        given = context if isinstance(context, Mapping) else {}
        id_, question = given.get("id"), given.get("question")
        is_id = isinstance(id_, str | int) and not isinstance(id_, bool)
        call = RecordedCall(
            llm=str(self._request.get("model", "")),
            response_model=model_name(self._options.get("response_model")),
            id=str(id_) if is_id else None,
            question=question if isinstance(question, str) else None,
            references=_references(context),
            request=self._request,
            attempts=tuple(self._attempts),
        )
        data = call.to_dict()
        redacted = redact_data(data)
        return call if redacted == data else RecordedCall.from_dict(redacted)


def _error_text(error: BaseException) -> str:
    return f"{type(error).__name__}: {clip(redact(str(error)), 500)}"


def _plain_value(value: Any) -> Any:
    try:
        if isinstance(value, BaseModel):
            return value.model_dump(mode="json", by_alias=True, warnings=False)
        return plain_data(value)
    except Exception:  # noqa: BLE001 # a user's own serializer may raise anything
        return None


def _references(context: Any) -> dict[str, str] | None:
    try:
        return {reference.id: reference.text for reference in References.from_context(context)}
    except Mistake:
        return None  # the checks have reported it, if there are any
