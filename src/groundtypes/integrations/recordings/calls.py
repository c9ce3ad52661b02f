"""A call of an LLM and its attempts: plain data, to JSON and back."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from pydantic import ValidationError

from groundtypes.concurrency.threads import run_in_thread
from groundtypes.errors import RecordingError
from groundtypes.references import References, Span
from groundtypes.text.message_excerpts import clip
from groundtypes.validation.audits import Audit
from groundtypes.validation.many_answers import iter_audits
from groundtypes.verdicts import Verdict

#: A chat message as it goes over the wire.
Message = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One request of a call and its outcome.

    `messages` are those that this request had beyond the one before: for a re-ask, the answer
    that failed and its faults. `completion` is the whole reply as plain data, and `answer` the
    answer in it, as JSON text where there is any. `value` is the validated answer of the attempt
    that passed. `error` says what went wrong where no verdict does, such as a broken connection.
    """

    ok: bool
    messages: Sequence[Message] = ()
    completion: Any = None
    answer: str | None = None
    value: Any = None
    faults: Sequence[Verdict] = ()
    error: str | None = None
    usage: Mapping[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data that JSON can hold."""
        return {
            "ok": self.ok,
            "messages": [dict(message) for message in self.messages],
            "completion": self.completion,
            "answer": self.answer,
            "value": self.value,
            "faults": [verdict.to_dict() for verdict in self.faults],
            "error": self.error,
            "usage": dict(self.usage),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the attempt that `to_dict` wrote."""
        faults = tuple(_verdict(fault) for fault in data["faults"])
        return cls(**{**data, "messages": tuple(data["messages"]), "faults": faults})


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedCall:
    """One call: the question, the LLM, the references and every attempt.

    `id` is the caller's, if there is one. `request` is what was sent in addition to the messages,
    such as the tools with the schema of the response model. `references` is `None` if the context
    had none.
    """

    attempts: Sequence[Attempt]
    llm: str = ""
    response_model: str = ""
    id: str | None = None
    question: str | None = None
    references: Mapping[str, str] | None = None
    request: Mapping[str, Any] = field(default_factory=dict)

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

    async def aaudits(self, model: Any, *, judges: Any = None) -> list[Audit[Any]]:
        """Return what `audits` returns, without blocking the event loop."""
        return await run_in_thread(self.audits, model, judges=judges)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data that JSON can hold."""
        return {
            "id": self.id,
            "llm": self.llm,
            "response_model": self.response_model,
            "question": self.question,
            "references": None if self.references is None else dict(self.references),
            "request": dict(self.request),
            "attempts": [attempt.to_dict() for attempt in self.attempts],
        }

    @classmethod
    def from_dict(cls, data: Any) -> Self:
        """Return the call that `to_dict` wrote.

        Raises:
            RecordingError: The data are not a recorded call.
        """
        try:
            attempts = tuple(map(Attempt.from_dict, data["attempts"]))
            call = cls(**{**data, "attempts": attempts})
            _check(call)
        except (TypeError, KeyError, ValueError, AttributeError) as error:
            reason = f"{type(error).__name__}: {clip(str(error), 120)}"
            raise RecordingError(f"not a recorded call: {reason}") from error
        return call


def _check(call: RecordedCall) -> None:
    texts = [attempt.answer for attempt in call.attempts] + [call.id, call.question]
    if not all(text is None or isinstance(text, str) for text in texts):
        raise TypeError("an answer, an id or a question that is not text")
    messages = [message for attempt in call.attempts for message in attempt.messages]
    if not all(isinstance(message, Mapping) for message in messages):
        raise TypeError("a message that is not an object")
    references = call.references
    if references is not None and not all(isinstance(text, str) for text in references.values()):
        raise TypeError("a reference that is not text")


def model_name(model: Any) -> str:
    """Return the import path of a model class, as `module:name`, or the text of anything else."""
    module, name = getattr(model, "__module__", ""), getattr(model, "__qualname__", "")
    return f"{module}:{name}" if module and name else clip(str(model), 200)


def faults_of(error: ValidationError) -> tuple[Verdict, ...]:
    """Return the faults of a validation error as verdicts."""
    return tuple(_faults(error.errors(include_url=False, include_input=False)))


def _faults(lines: Iterable[Any]) -> Iterable[Verdict]:
    for line in lines:
        context = line.get("ctx", {})
        span = None
        if {"check", "reference", "start", "end"} <= context.keys():
            start, end = context["start"], context["end"]
            page, place = context.get("page"), context.get("place")
            span = Span(context["reference"], start, end, page, place)
        yield Verdict(
            check=str(context.get("check", "schema")),
            ok=False,
            loc=line["loc"],
            slug=line["type"],
            message=line["msg"],
            span=span,
        )


def _verdict(data: Mapping[str, Any]) -> Verdict:
    span = data["span"]
    return Verdict(
        **{**data, "loc": tuple(data["loc"]), "span": None if span is None else Span(**span)}
    )
