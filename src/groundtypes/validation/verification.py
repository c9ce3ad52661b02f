"""The staircase from outside: verify or audit one answer or many, sync or async."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any, Final, TypeVar, cast

from pydantic import BaseModel, RootModel, TypeAdapter, ValidationError

from groundtypes.errors import ContextError
from groundtypes.ledger import Ledger
from groundtypes.rounds.inputs import repeatable
from groundtypes.rounds.runner import Walker, walk
from groundtypes.validation.audits import Audit
from groundtypes.validators.base import is_check
from groundtypes.validators.unions import refuse_plain_unions

__all__ = ["aaudit", "audit", "audit_many", "averify", "iter_audits", "verify", "verify_many"]

_T = TypeVar("_T")
_BATCH: Final = 256

#: One context for every row, or one for each.
Contexts = Mapping[str, Any] | Iterable[Mapping[str, Any] | None] | None


def verify(
    model: type[_T] | TypeAdapter[_T], data: Any, *, context: Mapping[str, Any] | None = None
) -> _T:
    """Return the validated answer.

    `model` is anything Pydantic validates: a model, a dataclass, a TypedDict, a generic, a list
    of them, or a `TypeAdapter` of anything else. `data` is what `model_validate` takes, or an
    instance, which is judged anew; for a model class also JSON text.

    Raises:
        pydantic.ValidationError: The answer is at fault; the error holds every fault.
        Mistake: Something else is: no references in the context, an engine that fails.
    """
    walker = _walk_batch(model, [data], [context])[0]
    if walker.error is not None:
        raise walker.error
    return cast(_T, walker.value)


def audit(
    model: type[_T] | TypeAdapter[_T], data: Any, *, context: Mapping[str, Any] | None = None
) -> Audit[_T]:
    """Return every verdict on an answer, passing ones too; a faulty answer raises nothing.

    Raises:
        Mistake: As `verify`.
    """
    return _audit(_walk_batch(model, [data], [context], place=True)[0])


def verify_many(
    model: type[_T] | TypeAdapter[_T],
    rows: Iterable[Any],
    *,
    context: Contexts = None,
    batch: int = _BATCH,
) -> list[_T]:
    """Return the validated answers, in order; the checks of `batch` answers go out together.

    `context` is one mapping for all rows, or an iterable with one for each row.

    Raises:
        ExceptionGroup: Some answers are at fault: a `ValidationError` for each, with its row
            (from 0) as a note. Use `audit_many` to keep the valid ones.
        Mistake: As `verify`.
    """
    values: list[_T] = []
    errors: list[ValidationError] = []
    for number, walker in enumerate(_walk_rows(model, rows, context, batch, place=False)):
        if walker.error is None:
            values.append(walker.value)
        else:
            walker.error.add_note(f"row {number}")
            errors.append(walker.error)
    if errors:
        raise ExceptionGroup(f"{len(errors)} of {len(errors) + len(values)} answers", errors)
    return values


def audit_many(
    model: type[_T] | TypeAdapter[_T],
    rows: Iterable[Any],
    *,
    context: Contexts = None,
    batch: int = _BATCH,
) -> list[Audit[_T]]:
    """Return an audit for each row, in order; `context` and `batch` as in `verify_many`."""
    return list(iter_audits(model, rows, context=context, batch=batch))


def iter_audits(
    model: type[_T] | TypeAdapter[_T],
    rows: Iterable[Any],
    *,
    context: Contexts = None,
    batch: int = _BATCH,
) -> Iterator[Audit[_T]]:
    """Yield an audit for each row, reading `batch` rows at a time: memory stays constant."""
    return (_audit(walker) for walker in _walk_rows(model, rows, context, batch, place=True))


async def averify(
    model: type[_T] | TypeAdapter[_T], data: Any, *, context: Mapping[str, Any] | None = None
) -> _T:
    """Return what `verify` returns, without blocking the event loop."""
    return await asyncio.to_thread(verify, model, data, context=context)


async def aaudit(
    model: type[_T] | TypeAdapter[_T], data: Any, *, context: Mapping[str, Any] | None = None
) -> Audit[_T]:
    """Return what `audit` returns, without blocking the event loop."""
    return await asyncio.to_thread(audit, model, data, context=context)


def _audit(walker: Walker) -> Audit[Any]:
    return Audit(
        walker.value,
        walker.verdicts,
        walker.error,
        given=walker.given,
        references=walker.climb.known_references,
        question=walker.climb.known_question,
    )


def _walk_rows(
    model: Any, rows: Iterable[Any], context: Contexts, batch: int, *, place: bool
) -> Iterator[Walker]:
    if batch < 1:
        raise ContextError(f"batch is {batch}; it must be at least 1")
    pairs: Iterator[tuple[Any, Mapping[str, Any] | None]]
    if context is None or isinstance(context, Mapping):
        pairs = ((row, context) for row in rows)
    else:
        pairs = _paired(rows, context)
    while taken := list(islice(pairs, batch)):
        data, contexts = zip(*taken, strict=True)
        yield from _walk_batch(model, data, contexts, place=place)


def _paired(
    rows: Iterable[Any], contexts: Iterable[Mapping[str, Any] | None]
) -> Iterator[tuple[Any, Mapping[str, Any] | None]]:
    try:
        yield from zip(rows, contexts, strict=True)
    except ValueError as error:
        # A ValueError could be taken for a fault; this is the caller's.
        raise ContextError("there must be one context for each row") from error


def _walk_batch(
    model: Any,
    rows: Iterable[Any],
    contexts: Iterable[Mapping[str, Any] | None],
    *,
    place: bool = False,
) -> list[Walker]:
    adapter = _adapter(model)
    judges = getattr(model, "__groundtypes_judges__", None)
    ledger = Ledger()
    takes_json = _takes_json(model)
    walkers = []
    for data, context in zip(rows, contexts, strict=True):
        validate, read = _reader(adapter, data, context, takes_json=takes_json)
        walkers.append(Walker.of(validate, read, context, judges, ledger))
    walk(walkers, ledger, place=place)
    return walkers


def _reader(
    adapter: TypeAdapter[Any], data: Any, context: Any, *, takes_json: bool
) -> tuple[Callable[[Any], Any], Any]:
    """Return how the data is validated, and the data as each round reads it."""
    if not (takes_json and isinstance(data, str | bytes | bytearray)):
        return lambda value: adapter.validate_python(value, context=context), repeatable(data)

    def validate(value: Any) -> Any:
        if value is data:
            return adapter.validate_json(value, context=context)
        return adapter.validate_python(value, context=context)  # pruned, so no longer text

    return validate, data


def _takes_json(model: Any) -> bool:
    """Say whether text can only be JSON for this type."""
    return (
        isinstance(model, type)
        and issubclass(model, BaseModel)
        and not issubclass(model, RootModel)
    )


@lru_cache(maxsize=256)
def _cached_adapter(model: Any) -> TypeAdapter[Any]:
    adapter: TypeAdapter[Any] = model if isinstance(model, TypeAdapter) else TypeAdapter(model)
    name = getattr(model, "__name__", str(model))
    refuse_plain_unions(name, adapter.core_schema, is_check)
    return adapter


def _adapter(model: Any) -> TypeAdapter[Any]:
    try:
        hash(model)
    except TypeError:  # such as an Annotated with a list among its metadata
        return _cached_adapter.__wrapped__(model)
    return _cached_adapter(model)
