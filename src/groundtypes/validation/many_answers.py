"""`verify` and `audit` for many answers, which share batches, and their async twins."""

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from itertools import islice, zip_longest
from typing import Any, Final, TypeAlias, TypeVar, cast

from pydantic import BaseModel

from groundtypes.concurrency.threads import iterate_in_threads, run_in_thread
from groundtypes.errors import ContextError
from groundtypes.rounds.grounding import ground, ground_each
from groundtypes.rounds.row_mistakes import OnMistake, RowMistakes
from groundtypes.rounds.runner import AnswerRun
from groundtypes.validation.answer_runs import Context, Model, run_answers
from groundtypes.validation.audits import Audit

_T = TypeVar("_T")
_BATCH: Final = 256
_MISSING: Final = object()

#: One context for all rows, or an iterable with one for each row.
Contexts: TypeAlias = Context | Iterable[Context]


def verify_many(
    model: Model[_T],
    rows: Iterable[Any],
    *,
    context: Contexts = None,
    batch: int = _BATCH,
    on_mistake: OnMistake = "raise",
) -> list[_T]:
    """Return the validated answers, in order.

    Args:
        model: The type of the answers, as in `verify`.
        rows: The answers.
        context: One validation context for all rows, or an iterable with one for each row.
        batch: How many rows are judged together and share the engines' batches.
        on_mistake: What becomes of a row that cannot be judged, because its texts are in a language
            that is not read, it has no references, or an engine fails for its questions alone. By
            default its mistake is raised; with `"keep"` the other rows are judged, too. What all
            rows would share, such as a missing engine or an outage, is raised in any case.

    Raises:
        ExceptionGroup: Some answers are at fault: a `ValidationError` for each, with its row
            (from 0) as a note. Use `audit_many` to keep the valid ones. With `on_mistake="keep"`
            it has the mistakes of rows, too.
        ContextError: `rows` is one answer, and no iterable of answers.
        Mistake: As `verify`.
    """
    _check_rows(rows, "verify")
    values: list[_T] = []
    errors: list[Exception] = []
    batches = _run_batches(model, rows, context, batch, on_mistake, locate=False)
    for number, run in enumerate(run for runs in batches for run in runs):
        error = run.error or run.mistake
        if error is None:
            values.append(run.value)
        else:
            error.add_note(f"row {number}")
            errors.append(error)
    if errors:
        raise ExceptionGroup(f"{len(errors)} of {len(errors) + len(values)} answers", errors)
    return values


def audit_many(
    model: Model[_T],
    rows: Iterable[Any],
    *,
    context: Contexts = None,
    batch: int = _BATCH,
    on_mistake: OnMistake = "raise",
) -> list[Audit[_T]]:
    """Return an audit for each row, in order; the arguments are those of `verify_many`.

    With `on_mistake="keep"` the audit of a row that cannot be judged has a `mistake`.
    """
    return list(iter_audits(model, rows, context=context, batch=batch, on_mistake=on_mistake))


def iter_audits(
    model: Model[_T],
    rows: Iterable[Any],
    *,
    context: Contexts = None,
    batch: int = _BATCH,
    on_mistake: OnMistake = "raise",
) -> Iterator[Audit[_T]]:
    """Yield an audit for each row; the arguments are those of `audit_many`.

    It reads `batch` rows at a time, so that memory stays constant.
    """
    _check_rows(rows, "audit")
    batches = _run_batches(model, rows, _grounded(context), batch, on_mistake, locate=True)
    return (Audit.of(run, model) for runs in batches for run in runs)


def audit_batch(
    model: Model[_T],
    rows: Iterable[Any],
    contexts: Iterable[Context],
    mistakes: RowMistakes | None,
) -> list[Audit[_T]]:
    """Return an audit for each row of one batch of a run, whose mistakes may be kept."""
    runs = run_answers(
        model, rows, contexts, operation="audit_many", locate=True, mistakes=mistakes
    )
    return [Audit.of(run, model) for run in runs]


async def averify_many(
    model: Model[_T],
    rows: Iterable[Any],
    *,
    context: Contexts = None,
    batch: int = _BATCH,
    on_mistake: OnMistake = "raise",
) -> list[_T]:
    """Return what `verify_many` returns, without blocking the event loop."""
    return await run_in_thread(
        verify_many, model, rows, context=_grounded(context), batch=batch, on_mistake=on_mistake
    )


async def aaudit_many(
    model: Model[_T],
    rows: Iterable[Any],
    *,
    context: Contexts = None,
    batch: int = _BATCH,
    on_mistake: OnMistake = "raise",
) -> list[Audit[_T]]:
    """Return what `audit_many` returns, without blocking the event loop."""
    return await run_in_thread(
        audit_many, model, rows, context=_grounded(context), batch=batch, on_mistake=on_mistake
    )


def aiter_audits(
    model: Model[_T],
    rows: Iterable[Any],
    *,
    context: Contexts = None,
    batch: int = _BATCH,
    on_mistake: OnMistake = "raise",
) -> AsyncIterator[Audit[_T]]:
    """Yield what `iter_audits` yields, without blocking the event loop.

    The rows are read in a thread, a batch at a time.
    """
    return iterate_in_threads(
        iter_audits(model, rows, context=context, batch=batch, on_mistake=on_mistake)
    )


def _check_rows(rows: Any, singular: str) -> None:
    """Refuse a single answer, of which the keys or characters would be taken for answers."""
    if hasattr(rows, "__dataframe__"):
        raise ContextError(
            f"`rows` is {type(rows).__name__}, a table; AuditRows audits tables, or pass a list of "
            "its rows"
        )
    is_answer = isinstance(rows, Mapping | str | bytes | bytearray | BaseModel)
    if is_answer or not isinstance(rows, Iterable):
        raise ContextError(
            f"`rows` is of type {type(rows).__name__}, not a list of answers; for a single answer "
            f"call {singular}(), or pass [answer]"
        )


def _grounded(context: Contexts) -> Contexts:
    """Return the contexts together with what `grounded_in` gives where this is called.

    The rows may be read later, elsewhere.
    """
    if context is None or isinstance(context, Mapping):
        return cast(Context, ground(context))
    return ground_each(context)


def _run_batches(
    model: Any,
    rows: Iterable[Any],
    context: Contexts,
    batch: int,
    on_mistake: OnMistake,
    *,
    locate: bool,
) -> Iterator[list[AnswerRun]]:
    """Yield the finished runs of each batch of rows; no batch is empty."""
    if batch < 1:
        raise ContextError(f"batch is {batch}; it must be at least 1")
    mistakes = RowMistakes.when(on_mistake)
    pairs: Iterator[tuple[Any, Context]]
    if context is None or isinstance(context, Mapping):
        pairs = ((row, context) for row in rows)
    else:
        pairs = _rows_with_contexts(rows, context)
    operation, row = "audit_many" if locate else "verify_many", 0
    while taken := list(islice(pairs, batch)):
        data, contexts = zip(*taken, strict=True)
        yield run_answers(
            model,
            data,
            contexts,
            operation=operation,
            first_row=row,
            locate=locate,
            mistakes=mistakes,
        )
        row += len(data)


def _rows_with_contexts(
    rows: Iterable[Any], contexts: Iterable[Context]
) -> Iterator[tuple[Any, Context]]:
    # Not `zip(strict=True)`: its `ValueError` could not be told from one that `rows` raises.
    for row, context in zip_longest(rows, contexts, fillvalue=_MISSING):
        if row is _MISSING or context is _MISSING:
            raise ContextError("`context` must have exactly one item for each row")
        yield row, cast(Context, context)
