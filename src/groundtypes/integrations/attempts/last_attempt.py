"""`best_attempt` and `keep_valid`: what can be had of an answer when its re-asks are used up."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar, overload

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from groundtypes.concurrency.threads import awaitable
from groundtypes.errors import ContextError, Mistake
from groundtypes.integrations.attempts.keep import KeptAnswer, keep_valid_of
from groundtypes.integrations.instructor import call_arguments, unwrapped
from groundtypes.integrations.recordings.calls import faults_of
from groundtypes.integrations.recordings.completions import answer_in, plain_data
from groundtypes.text.message_excerpts import clip
from groundtypes.validation.answer_runs import Context, JSONText, Model, run_answers
from groundtypes.validation.audits import Audit, AuditSource

#: Errors that say that the whole answer has the wrong shape, so that nothing in it was judged.
_SHAPELESS: Final = ("json_", "union_tag_")


@dataclass(frozen=True, slots=True)
class _FailedAnswer:
    """One failed attempt, the JSON text of its answer if it holds any, and its validation error."""

    number: int
    text: str | None
    error: ValidationError | None
    completion: Any

    @property
    def rank(self) -> tuple[int, int, int]:
        """Return what is smaller for a better answer: judged, with fewer faults, later."""
        if self.error is None:
            return 2, 0, -self.number
        judged = self.text is not None and not _is_shapeless(self.error)
        return 0 if judged else 1, self.error.error_count(), -self.number


def _failed_answers(error: BaseException) -> list[_FailedAnswer]:
    """Return the failed attempts of an exception, the best first."""
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


def _source_of(error: BaseException, model: Any, context: Any) -> AuditSource:
    """Return the model and the context of a call: what is given, else what its frames hold."""
    found: Mapping[str, Any] = call_arguments(error) or {"strict": True}
    model = found.get("response_model") if model is None else model
    if model is None:
        raise ContextError(
            "The exception does not say which model the answer has, because it has lost its "
            "traceback. Pass the model and the context: best_attempt(error, Model, context=...)."
        )
    context = found.get("context") if context is None else context
    return AuditSource(model, context, strict=found.get("strict"))


def _failed_answer(attempt: Any) -> _FailedAnswer:
    exception = attempt.exception
    return _FailedAnswer(
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


_T = TypeVar("_T")


@overload
def best_attempt(
    error: BaseException, model: Model[_T], *, context: Context = None
) -> Audit[_T]: ...


@overload
def best_attempt(
    error: BaseException, model: None = None, *, context: Context = None
) -> Audit[Any]: ...


def best_attempt(error: BaseException, model: Any = None, *, context: Context = None) -> Audit[Any]:
    """Return the audit of the failed attempt with the fewest faults.

    Of attempts with equally many faults it is the last. An attempt whose answer is no JSON, or as a
    whole of the wrong type, comes after all others, because nothing in it was judged.

    The answer is audited again, so that the audit holds the passing verdicts too. Questions that
    engines have answered for the attempts are not asked again. The answer of a stream cannot be
    read again: its audit holds only the faults.

    Args:
        error: The `InstructorRetryException` that instructor raised.
        model: The response model. By default that of the call, read from the traceback.
        context: The validation context. By default that of the call.

    Raises:
        Mistake: A mistake ended the call, which is raised as it is; or no attempt has failed, such
            as when the first request found no server; or this is no exception; or as `audit`.

    Examples:
        >>> try:  # doctest: +SKIP
        ...     answer = client.create(response_model=Answer, context=context, messages=messages)
        ... except InstructorRetryException as error:
        ...     print(best_attempt(error))
    """
    if not isinstance(error, BaseException):
        hint = "; an audit is what it returns" if isinstance(error, Audit) else ""
        raise ContextError(
            f"best_attempt takes the exception that instructor raised, not {type(error).__name__}"
            + hint
        )
    [best, *_] = _failed_answers(error)
    return _audit(best, _source_of(error, model, context))


@overload
def keep_valid(
    error_or_audit: BaseException | Audit[Any], model: Model[_T], *, context: Context = None
) -> KeptAnswer[_T]: ...


@overload
def keep_valid(
    error_or_audit: Audit[_T], model: None = None, *, context: Context = None
) -> KeptAnswer[_T]: ...


@overload
def keep_valid(
    error_or_audit: BaseException, model: None = None, *, context: Context = None
) -> KeptAnswer[Any]: ...


def keep_valid(
    error_or_audit: BaseException | Audit[Any], model: Any = None, *, context: Context = None
) -> KeptAnswer[Any]:
    """Return an answer without its faulty parts, and what was left out.

    The smallest part around each fault that may be absent is left out: a field with a default gets
    its default, another field that admits `None` gets `None`, an item of a list and an entry of a
    mapping are removed. What remains is validated again as a whole, with all checks. Of the
    attempts of an exception the best that can be kept is taken.

    Args:
        error_or_audit: The `InstructorRetryException` that instructor raised, or an audit.
        model: The model. By default that of the call or of the audit.
        context: The validation context. By default that of the call or of the audit.

    Raises:
        pydantic.ValidationError: A part that is at fault cannot be left out, such as a required
            field of the answer itself, or a list with too few items left. It is the error of the
            whole answer; of several attempts, that of the best.
        Mistake: As `best_attempt`.

    Examples:
        >>> from pydantic import BaseModel
        >>> from groundtypes import Quote, audit
        >>> class Answer(BaseModel):
        ...     quotes: list[Quote]
        >>> data = {"quotes": ["It is tall", "It is green"]}
        >>> kept = keep_valid(audit(Answer, data, context={"references": "It is tall."}))
        >>> kept.value
        Answer(quotes=['It is tall'])
        >>> print(kept)
        Left out of the answer, because of their faults: 1
        - quotes.1 (quote_altered)
    """
    if isinstance(error_or_audit, Audit):
        source = error_or_audit.source
        if model is not None:
            source = AuditSource(model, context)
        elif context is not None and source is not None:
            source = AuditSource(source.model, context, source.strict)
        return keep_valid_of(error_or_audit, source)
    if not isinstance(error_or_audit, BaseException):
        raise ContextError(
            f"keep_valid takes an exception or an Audit, not {type(error_or_audit).__name__}"
        )
    return _keep_best(_failed_answers(error_or_audit), _source_of(error_or_audit, model, context))


abest_attempt = awaitable(best_attempt)
akeep_valid = awaitable(keep_valid)


def _audit(attempt: _FailedAnswer, source: AuditSource) -> Audit[Any]:
    if attempt.text is None and attempt.error is not None:
        return Audit(None, faults_of(attempt.error), attempt.error, source=source)
    # An answer that failed before validation and holds no JSON: Pydantic says so.
    row = JSONText(attempt.text or "")
    [run] = run_answers(
        source.model,
        [row],
        [source.context],
        operation="best_attempt",
        locate=True,
        strict=source.strict,
    )
    return Audit.of(run, source.model, strict=source.strict)


def _keep_best(attempts: list[_FailedAnswer], source: AuditSource) -> KeptAnswer[Any]:
    """Return what can be kept of the best attempt of which anything can."""
    errors: list[ValidationError] = []
    for attempt in attempts:
        audit = _audit(attempt, source)
        if attempt.text is None and audit.error is not None:
            errors.append(audit.error)
            continue
        try:
            kept = keep_valid_of(audit, source)
        except ValidationError as error:
            errors.append(error)
        else:
            value, number = unwrapped(kept.value), attempt.number
            return replace(kept, value=value, attempt=number, completion=attempt.completion)
    raise errors[0]
