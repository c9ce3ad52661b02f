"""`verify` and `audit` for one answer, and their async twins."""

from typing import Any, TypeVar, cast

from groundtypes.concurrency.threads import run_in_thread
from groundtypes.rounds.grounding import ground
from groundtypes.validation.answer_runs import Context, Model, run_answers
from groundtypes.validation.audits import Audit

_T = TypeVar("_T")


def verify(model: Model[_T], data: Any, *, context: Context = None) -> _T:
    """Return the validated answer.

    Args:
        model: Anything Pydantic validates: a model, a dataclass, a TypedDict, a generic, a list of
            them, or a `TypeAdapter` of anything else.
        data: What `model_validate` takes, or an instance, which is validated anew; for a model
            class also JSON text.
        context: The validation context: `references`, and optionally `question` and `judges`. What
            it lacks comes from `grounded_in`.

    Raises:
        pydantic.ValidationError: The answer is at fault; the error holds every fault.
        Mistake: Something else is wrong, such as missing references or a failing engine.
    """
    [run] = run_answers(model, [data], [context], operation="verify")
    if run.error is not None:
        raise run.error
    return cast(_T, run.value)


def audit(model: Model[_T], data: Any, *, context: Context = None) -> Audit[_T]:
    """Return every verdict on an answer, passing ones too; a faulty answer raises nothing.

    The arguments are those of `verify`.

    Raises:
        Mistake: As `verify`.
    """
    [run] = run_answers(model, [data], [context], operation="audit", locate=True)
    return Audit.of(run, model)


async def averify(model: Model[_T], data: Any, *, context: Context = None) -> _T:
    """Return what `verify` returns, without blocking the event loop."""
    return await run_in_thread(verify, model, data, context=ground(context))


async def aaudit(model: Model[_T], data: Any, *, context: Context = None) -> Audit[_T]:
    """Return what `audit` returns, without blocking the event loop."""
    return await run_in_thread(audit, model, data, context=ground(context))
