"""Assignments to a validated answer: the assigned field is judged before the answer has it.

Pydantic validates an assignment without a context, so an answer whose model has
`validate_assignment` remembers by what it was judged itself (`remember`).
"""

from collections import Counter
from collections.abc import Hashable, Iterable
from contextlib import suppress
from typing import Any, Final, NamedTuple
from weakref import ref

from pydantic import BaseModel

from groundtypes.errors import MissingReferencesError
from groundtypes.judges import Judges
from groundtypes.ledger import Ledger
from groundtypes.rounds.runner import AnswerRun, run_rounds
from groundtypes.rounds.state import CheckedValue, Origin, ValidationState
from groundtypes.validation.model_rounds import ModelRounds
from groundtypes.validation.one_at_a_time import alone_with

#: The origins of living answers by `id`. A model need not be hashable, and what it holds itself
#: would be compared, copied and pickled with it.
_origins: Final[dict[int, tuple[ref[BaseModel], Origin]]] = {}


def remember(answer: Any, origin: Origin) -> None:
    """Remember what an answer was judged by, if assignments to it are validated."""
    if not isinstance(answer, BaseModel) or not answer.model_config.get("validate_assignment"):
        return
    key = id(answer)

    # The dictionary is an argument, because an answer may outlive the names of this module.
    def forget(_: object, origins: dict[int, Any] = _origins) -> None:
        origins.pop(key, None)

    with suppress(TypeError):  # a class with slots may admit no weak references
        _origins[key] = (ref(answer, forget), origin)


def remember_as(answer: BaseModel, original: BaseModel) -> None:
    """Remember for a copy what is remembered for the original."""
    if (known := _origins.get(id(original))) is not None:
        remember(answer, known[1])


def assign(answer: BaseModel, name: str, value: Any, judges: Judges | None) -> None:
    """Validate a value, judge it in rounds and give it to a field of an answer.

    The other fields with a check that reads this one are judged again, too. If anything is at fault
    the answer keeps what it has.

    Args:
        answer: The answer, whose model has checks.
        name: The field.
        value: The value, before validation.
        judges: The judges of the model class, for an answer that was not validated.

    Raises:
        pydantic.ValidationError: The value is at fault, or another field is with this value.
        Mistake: Something else is wrong, such as missing references.
    """
    rounds = ModelRounds.of(type(answer))
    running = ValidationState.running()
    if running is not None:  # a validator of the answer assigns; its rounds judge the outcome
        rounds.inner_validator.validate_assignment(answer, name, value, context=running.context)
        return
    _, origin = _origins.get(id(answer), (None, None))
    with alone_with(answer):
        try:
            _assign(answer, name, value, origin or Origin(None, None, judges))
        except MissingReferencesError as error:
            if origin is not None:
                raise
            raise MissingReferencesError(message=_nothing_remembered(type(answer), name)) from error


def _nothing_remembered(model: type[BaseModel], name: str) -> str:
    return (
        f"{model.__name__}.{name} cannot be judged, because this answer remembers no references: "
        "it was unpickled, or made with model_construct. References are not pickled with an "
        "answer. Assign inside of `with grounded_in(references):`, or validate the answer again: "
        f"{model.__name__}.model_validate(answer.model_dump(), context=...)."
    )


def _assign(answer: BaseModel, name: str, value: Any, origin: Origin) -> None:
    rounds = ModelRounds.of(type(answer))
    schema, saved = rounds.checked_schema, _Saved.of(answer)

    def validate(data: Any) -> Any:
        saved.restore(answer)
        put = rounds.inner_validator.validate_assignment
        put(answer, name, data[name], context=origin.context)
        for reader in rounds.readers.get(name, ()):
            if reader in answer.__dict__:
                put(answer, reader, answer.__dict__[reader], context=origin.context)
        return answer

    data, validate_reusable = schema.prepared({name: value}, validate, origin.context)
    run = AnswerRun.of(
        validate_reusable,
        data,
        origin.context,
        origin.judges,
        ledger := Ledger(),
        _NewValues(rounds, answer),
        schema.item_path,
        origin.references,
    )
    try:
        operation = ("assign", type(answer), rounds.schema, 0)
        run_rounds([run], ledger, operation=operation)
    except BaseException:
        saved.restore(answer)
        raise
    if run.error is not None:
        saved.restore(answer)
        raise run.error


class _NewValues:
    """Finds the values with checks that an assignment has put into an answer."""

    def __init__(self, rounds: ModelRounds, answer: BaseModel) -> None:
        self._find = rounds.checked_schema.values_in
        self._before = self._find(answer)  # keeps the values alive, and so their `id`

    def __call__(self, answer: BaseModel) -> Iterable[CheckedValue]:
        before = Counter(_key(value) for value in self._before)
        for value in self._find(answer):
            key = _key(value)
            if before[key]:
                before[key] -= 1
            else:
                yield value


def _key(value: CheckedValue) -> tuple[Hashable, int]:
    return value.kind, id(value.value)


class _Saved(NamedTuple):
    """What an instance of a model holds."""

    fields: dict[str, Any]
    extra: dict[str, Any] | None
    private: dict[str, Any] | None
    fields_set: set[str]

    @classmethod
    def of(cls, answer: BaseModel) -> "_Saved":
        """Return copies of what an answer holds."""
        extra, private = answer.__pydantic_extra__, answer.__pydantic_private__
        return cls(
            dict(answer.__dict__),
            None if extra is None else dict(extra),
            None if private is None else dict(private),
            set(answer.__pydantic_fields_set__),
        )

    def restore(self, answer: BaseModel) -> None:
        """Give an answer what it held."""
        extra, private = self.extra, self.private
        put = object.__setattr__
        put(answer, "__dict__", dict(self.fields))
        put(answer, "__pydantic_extra__", None if extra is None else dict(extra))
        put(answer, "__pydantic_private__", None if private is None else dict(private))
        put(answer, "__pydantic_fields_set__", set(self.fields_set))
