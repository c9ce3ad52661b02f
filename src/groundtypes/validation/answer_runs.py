"""Runs of answers against anything that Pydantic validates."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from pydantic import BaseModel, PydanticUserError, RootModel, TypeAdapter
from pydantic_core import to_json

from groundtypes.errors import ContextError
from groundtypes.ledger import Ledger
from groundtypes.rounds.grounding import ground
from groundtypes.rounds.row_mistakes import RowMistakes
from groundtypes.rounds.runner import AnswerRun, run_rounds
from groundtypes.rounds.state import ValidationState
from groundtypes.text.message_excerpts import clip
from groundtypes.validation.checked_values import CheckedSchema
from groundtypes.validation.plain_unions import reject_plain_unions
from groundtypes.validation.unjudged_checks import reject_unjudged_checks

_T = TypeVar("_T")

#: Anything that Pydantic validates: a type, or a `TypeAdapter` of one.
Model: TypeAlias = type[_T] | TypeAdapter[_T]
#: The validation context of one answer.
Context: TypeAlias = Mapping[str, Any] | None


class JSONText(str):
    """Text that is JSON to every type: also to a root model, which takes text as it is."""

    __slots__ = ()


def run_answers(
    model: Model[Any],
    rows: Iterable[Any],
    contexts: Iterable[Context],
    *,
    operation: str,
    first_row: int = 0,
    locate: bool = False,
    strict: bool | None = None,
    drop: bool = True,
    mistakes: RowMistakes | None = None,
) -> list[AnswerRun]:
    """Return the finished runs of some answers, which share one ledger.

    A row that is `JSONText` is JSON whatever the type is. `operation` is what is done with the
    answers, as `Operation.name` says it, and `first_row` the number of the first among all rows.
    `locate` collects every verdict with its location; without `drop`, the items of checks with
    `on_fault="drop"` are at fault; `mistakes` keeps the mistakes of single answers.
    """
    adapter, schema = _adapter(model)
    judges = getattr(model, "__groundtypes_judges__", None)
    ledger = Ledger()
    takes_json = _takes_json(model)

    def run_of(row: Any, given: Context) -> AnswerRun:
        context = ground(given)
        is_json = isinstance(row, JSONText) or (
            takes_json and isinstance(row, str | bytes | bytearray)
        )
        validate, data = _validator(adapter, row, context, schema, is_json=is_json, strict=strict)
        return AnswerRun(
            validate,
            data,
            ValidationState(ledger, context, judges),
            checked_values=schema.values_in,
            item=schema.item,
        )

    runs = []
    for row, given in zip(rows, contexts, strict=True):
        try:
            runs.append(run_of(row, given))
        except Exception as error:
            if mistakes is None:
                raise
            unread = AnswerRun(adapter.validate_python, row, ValidationState(ledger, {}))
            unread.fail(mistakes.of_row(error))
            runs.append(unread)
    observed = (operation, model, adapter.core_schema, first_row)
    run_rounds(runs, ledger, operation=observed, locate=locate, drop=drop, mistakes=mistakes)
    return runs


def _validator(
    adapter: TypeAdapter[Any],
    row: Any,
    context: Context,
    schema: CheckedSchema,
    *,
    is_json: bool,
    strict: bool | None,
) -> tuple[Callable[[Any], Any], Any]:
    """Return a function that validates the data once, and the data for the first round."""
    ctx: Any = context
    if not is_json:

        def validate_python(data: Any) -> Any:
            return adapter.validate_python(data, strict=strict, context=ctx)

        data, validate_reusable = schema.prepared(row, validate_python, ctx)
        return validate_reusable, data

    text = row
    if isinstance(row, str) and not row.isascii():
        # Pydantic raises a TypeError for a lone surrogate; such bytes are invalid JSON to it.
        text = row.encode("utf-8", "surrogatepass")

    def validate(data: Any) -> Any:
        if data is row:
            return adapter.validate_json(text, strict=strict, context=ctx)
        # Items were dropped. As JSON again, because strict fields take no dates, enums or tuples
        # from Python objects.
        text_without_items = to_json(data, inf_nan_mode="constants")
        return adapter.validate_json(text_without_items, strict=strict, context=ctx)

    return validate, row


def _takes_json(model: Any) -> bool:
    """Return whether text can only be JSON for this type."""
    return (
        isinstance(model, type)
        and issubclass(model, BaseModel)
        and not issubclass(model, RootModel)
    )


class _Adapter(NamedTuple):
    """Pydantic's adapter of a type, and what its core schema says of checks."""

    adapter: TypeAdapter[Any]
    schema: CheckedSchema


def _adapter(model: Any) -> _Adapter:
    try:
        hash(model)
    except TypeError:  # such as an Annotated with a list among its metadata
        return _cached_adapter.__wrapped__(model)
    return _cached_adapter(model)


#: The attribute of a class of which Pydantic knows how to validate it.
_SCHEMA: Final = "__pydantic_core_schema__"


@lru_cache(maxsize=256)
def _cached_adapter(model: Any) -> _Adapter:
    adapter = _type_adapter(model)
    name = getattr(model, "__name__", str(model))
    reject_plain_unions(name, adapter.core_schema)
    reject_unjudged_checks(name, adapter._type, adapter.core_schema)  # noqa: SLF001 # nothing public tells
    return _Adapter(adapter, CheckedSchema(adapter.core_schema))


def _type_adapter(model: Any) -> TypeAdapter[Any]:
    """Return Pydantic's adapter of a model, with its schema; a `ContextError` if it has none."""
    # A mapping could be taken for a core schema, and Pydantic may take an object for its class.
    is_object = not isinstance(model, TypeAdapter) and hasattr(type(model), _SCHEMA)
    if is_object or isinstance(model, str | Mapping):
        kind = f"an object of type {type(model).__name__}"
        if isinstance(model, str):
            kind = f"the text {clip(model, 60)!r}"
        raise ContextError(f"`model` is {kind}; the first argument is the class of the answer")
    try:
        adapter: TypeAdapter[Any] = model if isinstance(model, TypeAdapter) else TypeAdapter(model)
        _ = adapter.core_schema  # Pydantic may build it only now
    except PydanticUserError as error:
        name = getattr(model, "__name__", None) or f"an object of type {type(model).__name__}"
        raise ContextError(
            f"`model` is {name}, which Pydantic cannot validate: {clip(str(error), 300)}"
        ) from error
    return adapter
