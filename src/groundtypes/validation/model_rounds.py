"""The rounds in the core schema of a `Grounded` model, and what a class needs to run them.

Only a model with checks has rounds: its schema is wrapped in a validator that runs them
(`schema_with_rounds`). The schema of any other model is Pydantic's own, so that it costs nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from pydantic import BaseModel, ValidationInfo, ValidatorFunctionWrapHandler
from pydantic_core import CoreSchema, SchemaValidator, core_schema, to_json

from groundtypes.validators.checked_values import CheckedSchema
from groundtypes.validators.core_schemas import judged_fields, schema_parts, sibling_readers

__all__ = ["ModelRounds", "RoundsValidator", "is_without_checks", "schema_with_rounds"]

#: Validates the data of a model in rounds. It takes the data, a function that validates data once,
#: Pydantic's own function for that, and what Pydantic tells of the validation.
_RunRounds = Callable[
    [Any, Callable[[Any], Any], ValidatorFunctionWrapHandler, ValidationInfo], Any
]


@dataclass(frozen=True, slots=True)
class RoundsValidator:
    """The wrap validator around the schema of a model with checks.

    A wrap validator is handed JSON as Python objects, in which strict fields admit no dates, enums
    or tuples. So JSON is validated as JSON again.

    Attributes:
        model: The model.
        run: Runs the rounds.
        strict: Whether the caller asked for strict mode; `None` leaves it to the fields.
    """

    model: type[BaseModel]
    run: _RunRounds
    strict: bool | None

    def __call__(
        self, value: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo
    ) -> Any:
        """Return the validated value."""
        validate = self._json_validator(info) if info.mode == "json" else handler
        return self.run(value, validate, handler, info)

    def _json_validator(self, info: ValidationInfo) -> Callable[[Any], Any]:
        validator = ModelRounds.of(self.model).inner_validator
        strict, context = self.strict, info.context

        def validate(data: Any) -> Any:
            text = to_json(data, inf_nan_mode="constants")
            return validator.validate_json(text, strict=strict, context=context)

        return validate


def schema_with_rounds(model: type[BaseModel], schema: CoreSchema, run: _RunRounds) -> CoreSchema:
    """Return the schema of a model, wrapped in a validator that runs the rounds.

    The whole takes over the reference of the model's own schema, as it does where Pydantic itself
    wraps a model. So references to the model lead here, a model may refer to itself, and JSON
    schemas have their `$defs`. Only a schema of this kind knows whether the caller asked for
    strict mode.
    """
    parts: Any = dict(schema)
    ref = parts.pop("ref", None)
    wrap = core_schema.with_info_wrap_validator_function
    return core_schema.lax_or_strict_schema(
        wrap(RoundsValidator(model, run, strict=None), parts),
        # A copy, since Pydantic completes some parts in place, each of them once.
        wrap(RoundsValidator(model, run, strict=True), _copy(parts)),
        strict=model.model_config.get("strict"),
        ref=ref,
    )


def _copy(part: Any) -> Any:
    """Return a copy of the containers of a schema."""
    if type(part) is dict:
        return {key: _copy(value) for key, value in part.items()}
    if type(part) is list or type(part) is tuple:
        return type(part)(map(_copy, part))
    return part


_ATTRIBUTE: Final = "__groundtypes_rounds__"


class ModelRounds:
    """What the core schema of a complete model says of its checks; made when it is first needed."""

    def __init__(self, model: type[BaseModel]) -> None:
        self.model = model
        self.schema: CoreSchema = model.__pydantic_core_schema__
        #: The schema inside of the rounds; `None` where there are no rounds.
        self.inner_schema: CoreSchema | None = _inner_schema(model, self.schema)

    @classmethod
    def of(cls, model: type[BaseModel]) -> "ModelRounds":
        """Return that of a model. A model that was rebuilt has a new one."""
        rounds: ModelRounds | None = model.__dict__.get(_ATTRIBUTE)
        if rounds is None or rounds.schema is not model.__pydantic_core_schema__:
            rounds = cls(model)
            setattr(model, _ATTRIBUTE, rounds)
        return rounds

    @cached_property
    def checked_schema(self) -> CheckedSchema:
        """Where the schema has checks."""
        return CheckedSchema.of(self.schema)

    @cached_property
    def judged_fields(self) -> frozenset[str]:
        """The fields that a check judges or reads, except for frozen ones."""
        config, fields = self.model.model_config, self.model.__pydantic_fields__
        if self.inner_schema is None or config.get("frozen"):
            return frozenset()
        frozen = {name for name, info in fields.items() if info.frozen}
        return judged_fields(self.model, self.schema) - frozen

    @cached_property
    def readers(self) -> dict[str, tuple[str, ...]]:
        """For each field the other fields with a check that reads it."""
        return sibling_readers(self.model, self.schema)

    @cached_property
    def inner_validator(self) -> SchemaValidator:
        """The validator of the model without rounds.

        Pydantic's prebuilt validator is the class's own, which would start the rounds again and
        recurse for ever.
        """
        if self.inner_schema is None:
            raise TypeError(f"{self.model.__name__} has no checks")
        try:
            return SchemaValidator(self.inner_schema, _use_prebuilt=False)
        except TypeError:
            # Before Pydantic 2.13 there is no such option; what is not complete is not prebuilt.
            self.model.__pydantic_complete__ = False
            try:
                return SchemaValidator(self.inner_schema)
            finally:
                self.model.__pydantic_complete__ = True


def is_without_checks(cls: type) -> bool:
    """Return whether a class is a complete `Grounded` model that has no checks."""
    rounds: ModelRounds | None = cls.__dict__.get(_ATTRIBUTE)
    return (
        rounds is not None
        and rounds.inner_schema is None
        and rounds.schema is rounds.model.__pydantic_core_schema__
    )


def _inner_schema(model: type[BaseModel], schema: CoreSchema) -> CoreSchema | None:
    """Return the schema that `schema_with_rounds` wrapped; `None` if there is none."""
    if schema["type"] == "model":  # Pydantic's own
        return None
    for part in schema_parts(schema):
        function = part.get("function")
        wrapped = function.get("function") if isinstance(function, dict) else None
        if isinstance(wrapped, RoundsValidator) and wrapped.model is model:
            inner: Any = part["schema"]
            definitions: Any = schema.get("definitions")
            return core_schema.definitions_schema(inner, definitions) if definitions else inner
    return None
