"""A call of an LLM and its attempts: plain data, to JSON Lines files and back."""

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from io import FileIO
from pathlib import Path
from typing import Annotated, Any, Final

from filelock import FileLock
from pydantic import AfterValidator, ConfigDict, TypeAdapter, ValidationError, with_config
from pydantic_core import from_json, to_json

from groundtypes.errors import RecordingError
from groundtypes.references import References, Span
from groundtypes.row_files.json_lines import LINE_LIMIT, TOO_LONG
from groundtypes.text.message_excerpts import clip
from groundtypes.validation.audits import Audit
from groundtypes.validation.many_answers import iter_audits
from groundtypes.verdicts import Verdict

#: A chat message as it goes over the wire.
Message = Mapping[str, Any]
_KNOWN_FIELDS_ONLY: Final = ConfigDict(extra="forbid")
_AS_TUPLE: Final = AfterValidator(tuple)


@with_config(_KNOWN_FIELDS_ONLY)
@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One request of a call and its outcome.

    `messages` are those that this request had beyond the one before: for a re-ask, the answer
    that failed and its faults. `completion` is the whole reply as plain data, and `answer` the
    answer in it, as JSON text where there is any. `value` is the validated answer of the attempt
    that passed. `error` says what went wrong where no verdict does, such as a broken connection.
    """

    ok: bool
    messages: Annotated[Sequence[Message], _AS_TUPLE] = ()
    completion: Any = None
    answer: str | None = None
    value: Any = None
    faults: Annotated[Sequence[Verdict], _AS_TUPLE] = ()
    error: str | None = None
    usage: Mapping[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data that JSON can hold."""
        return {
            **_values(self),
            "messages": [dict(message) for message in self.messages],
            "faults": [verdict.to_dict() for verdict in self.faults],
        }


@with_config(_KNOWN_FIELDS_ONLY)
@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedCall:
    """One call: the question, the LLM, the references and every attempt.

    `id` is the caller's, if there is one. `request` is what was sent in addition to the messages,
    such as the tools with the schema of the response model. `references` is `None` if the context
    had none.
    """

    id: str | None = None
    llm: str = ""
    response_model: str = ""
    question: str | None = None
    references: Mapping[str, str] | None = None
    request: Mapping[str, Any] = field(default_factory=dict)
    attempts: Annotated[Sequence[Attempt], _AS_TUPLE]

    @property
    def ok(self) -> bool:
        """Whether an attempt passed."""
        return any(attempt.ok for attempt in self.attempts)

    @property
    def prompt(self) -> Sequence[Message]:
        """The messages of the first request."""
        return self.attempts[0].messages if self.attempts else ()

    @property
    def usage(self) -> dict[str, int]:
        """The tokens of all attempts."""
        total: dict[str, int] = {}
        for attempt in self.attempts:
            for name, count in attempt.usage.items():
                total[name] = total.get(name, 0) + count
        return total

    @property
    def context(self) -> dict[str, Any]:
        """The validation context: references and question, as far as there were any."""
        context: dict[str, Any] = {}
        if self.references is not None:
            context["references"] = References.of(dict(self.references))
        if self.question is not None:
            context["question"] = self.question
        return context

    def audits(self, model: Any, *, judges: Any = None) -> list[Audit[Any]]:
        """Return an audit of the answer of each attempt, with passing verdicts included.

        Raises:
            Mistake: As `audit`; among them that the call had no references.
        """
        context = self.context if judges is None else {**self.context, "judges": judges}
        answers = (attempt.answer or "" for attempt in self.attempts)
        return list(iter_audits(model, answers, context=context))

    def to_dict(self) -> dict[str, Any]:
        """Return plain data that JSON can hold."""
        return {**_values(self), "attempts": [attempt.to_dict() for attempt in self.attempts]}

    @classmethod
    def from_dict(cls, data: Any) -> "RecordedCall":
        """Return the call that `to_dict` wrote.

        Raises:
            RecordingError: The data are not a recorded call.
        """
        try:
            return _adapter().validate_python(data)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, first["loc"]))
            raise RecordingError(f"not a recorded call: {place}: {first['msg']}") from error


@cache
def _adapter() -> TypeAdapter[RecordedCall]:
    return TypeAdapter(RecordedCall)


def _values(data: Any) -> dict[str, Any]:
    values = {each.name: getattr(data, each.name) for each in fields(data)}
    return {
        name: dict(value) if isinstance(value, Mapping) else value for name, value in values.items()
    }


def model_name(model: Any) -> str:
    """Return the import path of a model class, as `module:name`, or the text of anything else."""
    module, name = getattr(model, "__module__", ""), getattr(model, "__qualname__", "")
    return f"{module}:{name}" if module and name else clip(str(model), 200)


def faults_of(error: ValidationError) -> tuple[Verdict, ...]:
    """Return the faults of a validation error as verdicts."""
    return tuple(map(_fault, error.errors(include_url=False, include_input=False)))


def _fault(line: Any) -> Verdict:
    context = line.get("ctx", {})
    span = None
    if {"check", "reference", "start", "end"} <= context.keys():
        given = map(context.get, ("reference", "start", "end", "page", "place"))
        span = Span(*given)
    return Verdict(
        check=str(context.get("check", "schema")),
        ok=False,
        loc=line["loc"],
        slug=line["type"],
        message=line["msg"],
        span=span,
    )


def append_call(path: Path, call: RecordedCall) -> None:
    """Append a call to a file that others may append to: the whole line is there, or nothing."""
    line = to_json(call.to_dict(), inf_nan_mode="strings", serialize_unknown=True) + b"\n"
    lock_path = path.with_name(path.name + ".lock")
    try:
        with FileLock(lock_path, poll_interval=0.01), path.open("a+b", buffering=0) as file:
            _append(file, line)
            with contextlib.suppress(OSError):  # Windows does not remove an open file
                lock_path.unlink()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise RecordingError(f"Cannot write the recording {path}: {reason}.") from error


def _append(file: FileIO, line: bytes) -> None:
    size = file.seek(0, os.SEEK_END)
    if size:
        file.seek(size - 1)
        if file.read(1) != b"\n":
            line = b"\n" + line  # what a killed process left is a line of its own
    view = memoryview(line)
    try:
        while view:
            view = view[file.write(view) :]
    except OSError:
        with contextlib.suppress(OSError):
            file.truncate(size)
        raise


def read_calls(path: str | os.PathLike[str]) -> Iterator[RecordedCall]:
    """Yield the calls of a file, in its order, one at a time.

    Raises:
        RecordingError: The file cannot be read, or a line of it holds no call; it says which.
    """
    try:
        with Path(path).open("rb") as file:
            lines = iter(lambda: file.readline(LINE_LIMIT + 1), b"")
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _call(line, f"Line {number} of {path}")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise RecordingError(f"Cannot read the recording {path}: {reason}.") from error


def _call(line: bytes, place: str) -> RecordedCall:
    if len(line) > LINE_LIMIT:
        raise RecordingError(f"{place}: {TOO_LONG}")
    try:
        return RecordedCall.from_dict(from_json(line))
    except ValueError as error:
        raise RecordingError(f"{place}: not JSON: {error}") from error
    except RecordingError as error:
        raise RecordingError(f"{place}: {error}") from error
