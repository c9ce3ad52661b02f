"""What an exception of instructor holds: the failed attempts, and the call that they belong to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from groundtypes.errors import ContextError, Mistake
from groundtypes.integrations.instructor import call_arguments
from groundtypes.integrations.recordings.completions import answer_in, plain_data
from groundtypes.text.message_excerpts import clip
from groundtypes.validation.audits import AuditSource

#: Errors that say that the whole answer has the wrong shape, so that nothing in it was judged.
_SHAPELESS: Final = ("json_", "union_tag_")


@dataclass(frozen=True, slots=True)
class FailedAnswer:
    """One failed attempt.

    Attributes:
        number: The number of the attempt, from 1.
        text: The answer as JSON text; `None` if the completion holds none.
        error: The validation error; `None` if the attempt failed before validation.
        completion: The provider's object.
    """

    number: int
    text: str | None
    error: ValidationError | None
    completion: Any

    @property
    def rank(self) -> tuple[int, int, int]:
        """Return what is smaller for a better answer; of equal ones the last is better.

        An answer that was not judged comes after all that were: the one fault of a text that is no
        JSON says nothing of how many faults it has.
        """
        if self.error is None:
            return 2, 0, -self.number
        judged = self.text is not None and not _is_shapeless(self.error)
        return 0 if judged else 1, self.error.error_count(), -self.number


def failed_answers(error: BaseException) -> list[FailedAnswer]:
    """Return the failed attempts of an exception, the best first.

    Raises:
        Mistake: A mistake ended the call; or there is no failed attempt.
    """
    if isinstance(error.__cause__, Mistake):
        raise error.__cause__
    attempts = getattr(error, "failed_attempts", None)
    if not isinstance(attempts, list | tuple):
        raise ContextError(
            f"{type(error).__name__} holds no failed attempts. Pass the InstructorRetryException "
            "that instructor raises when its re-asks are used up."
        )
    if not attempts:
        reason = clip(str(error.__cause__ or error), 200)
        raise ContextError(f"No attempt has failed: the first request did. {reason}") from error
    return sorted(map(_failed_answer, attempts), key=lambda attempt: attempt.rank)


def source_of(error: BaseException, model: Any, context: Any) -> AuditSource:
    """Return the model and the context of a call: those that are given, else those of its frames.

    Raises:
        ContextError: No model is given, and the exception has no traceback through instructor.
    """
    found = call_arguments(error)
    if model is None and found is None:
        raise ContextError(
            "The exception does not say which model the answer has, because it has lost its "
            "traceback. Pass the model and the context: best_attempt(error, Model, context=...)."
        )
    arguments: Mapping[str, Any] = found or {"strict": True}
    return AuditSource(
        arguments["response_model"] if model is None else model,
        arguments.get("context") if context is None else context,
        strict=arguments.get("strict"),
    )


def _failed_answer(attempt: Any) -> FailedAnswer:
    exception = attempt.exception
    return FailedAnswer(
        number=attempt.attempt_number,
        text=_text_of(attempt.completion),
        error=exception if isinstance(exception, ValidationError) else None,
        completion=attempt.completion,
    )


def _text_of(completion: Any) -> str | None:
    """Return the JSON object or list in a completion, if there is one."""
    if not isinstance(completion, BaseModel | Mapping):
        return None  # a stream, which has been read
    try:
        text = answer_in(plain_data(completion))
        data = None if text is None else from_json(text)
    except (ValueError, TypeError):  # no JSON; a lone surrogate is a TypeError
        return None
    return text if isinstance(data, dict | list) else None


def _is_shapeless(error: ValidationError) -> bool:
    return any(
        not line["loc"] and (line["type"].startswith(_SHAPELESS) or line["type"].endswith("_type"))
        for line in error.errors(include_url=False, include_input=False, include_context=False)
    )
