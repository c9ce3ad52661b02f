"""The rounds in the core schema of a `Grounded` model, and what a class needs to run them.

Only a model with checks has rounds: its schema is wrapped in a validator that runs them
(`schema_with_rounds`). The schema of any other model is Pydantic's own, so that it costs nothing.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from pydantic import BaseModel, ValidationInfo, ValidatorFunctionWrapHandler
from pydantic_core import CoreSchema, SchemaValidator, core_schema, to_json

from groundtypes.validation.checked_values import CheckedSchema
from groundtypes.validation.core_schemas import (
    function_of,
    judged_fields,
    schema_parts,
)

#: Validates the data of a model in rounds. It takes the data, the function that validates it once,
#: and what Pydantic tells of the validation.
_RunRounds = Callable[[Any, ValidatorFunctionWrapHandler, ValidationInfo], Any]


_Resolve = Callable[[Any], Any]
#: The schemas of standard dataclasses, typed dictionaries and named tuples.
_WITHOUT_CONFIGURATION: Final = frozenset({"call", "dataclass", "named-tuple", "typed-dict"})


#: What the caller has said of aliases and further fields, which Pydantic tells no validator.
_options: Final[ContextVar[Mapping[str, Any] | None]] = ContextVar(
    "groundtypes_options", default=None
)


@contextmanager
def caller_options(options: Mapping[str, Any]) -> Iterator[None]:
    """Validate JSON and strings with the caller's `extra`, `by_alias` and `by_name`."""
    names = ("extra", "by_alias", "by_name")
    token = _options.set({name: options[name] for name in names if options.get(name) is not None})
    try:
        yield
    finally:
        _options.reset(token)


@dataclass(frozen=True, slots=True)
class RoundsValidator:
    """The wrap validator around the schema of a model with checks, which runs the rounds."""

    model: type[BaseModel]
    run: _RunRounds

    def __call__(
        self, value: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo
    ) -> Any:
        """Return the validated value."""
        return self.run(value, handler, info)

    @property
    def __name__(self) -> str:
        """The name in the location of an error in a plain union."""
        return self.model.__name__


@dataclass(frozen=True, slots=True)
class InputValidator:
    """The wrap validator inside of the rounds, which validates JSON as JSON.

    A wrap validator is handed JSON as Python objects, in which strict fields admit no dates, enums
    or tuples, and strings as if they were Python's. So both are validated as what they are, unless
    that makes no difference.

    Attributes:
        model: The model.
        strict: Whether the caller asked for strict mode, or for lax mode in place of the strict
            mode of the model; `None` leaves it to the fields.
    """

    model: type[BaseModel]
    strict: bool | None

    def __call__(
        self, value: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo
    ) -> Any:
        """Return the validated value of one round."""
        mode: str = info.mode
        if mode == "python":
            return handler(value)
        rounds = ModelRounds.of(self.model)
        if self.strict is None and not rounds.depends_on_mode:
            return handler(value)
        validator, options = rounds.inner_validator, _options.get() or {}
        if mode == "json":
            text = to_json(value, inf_nan_mode="constants")
            return validator.validate_json(
                text, strict=self.strict, context=info.context, **options
            )
        return validator.validate_strings(
            value, strict=self.strict, context=info.context, **options
        )


def schema_with_rounds(
    model: type[BaseModel], schema: CoreSchema, run: _RunRounds, resolve: _Resolve
) -> CoreSchema:
    """Return the schema of a model, wrapped in a validator that runs the rounds by `run`.

    The whole takes over the reference of the model's own schema, as it does where Pydantic itself
    wraps a model. So references to the model lead here, a model may refer to itself, and JSON
    schemas have their `$defs`. Only a schema of lax or strict mode knows whether the caller asked
    for strict mode.
    """
    parts: Any = dict(schema)
    ref = parts.pop("ref", None)
    wrap = core_schema.with_info_wrap_validator_function
    is_strict = model.model_config.get("strict")
    by_input = core_schema.lax_or_strict_schema(
        wrap(InputValidator(model, strict=False if is_strict else None), parts),
        # A copy, since Pydantic completes some parts in place, each of them once.
        wrap(InputValidator(model, strict=True), _copy(parts, resolve, frozenset())),
        strict=is_strict,
    )
    return wrap(RoundsValidator(model, run), by_input, ref=ref)


def has_rounds(model: type[BaseModel], schema: CoreSchema) -> bool:
    """Return whether a schema is what `schema_with_rounds` returned for the model."""
    function = function_of(schema)
    return isinstance(function, RoundsValidator) and function.model is model


def _copy(part: Any, resolve: _Resolve, refs: frozenset[str]) -> Any:
    """Return a copy of the containers of a schema, in the place of these references.

    What is referred to twice is a definition of its own to Pydantic, and the definition of a class
    without a configuration would miss that of the model around it in JSON schemas. So the copy has
    such classes in place of references to them.
    """
    if type(part) is list or type(part) is tuple:
        return type(part)(_copy(item, resolve, refs) for item in part)
    if type(part) is not dict:
        return part
    if part.get("type") == "definition-ref" and part.keys() == {"type", "schema_ref"}:
        ref = part["schema_ref"]
        try:
            found: Any = None if ref in refs else resolve(part)
        except LookupError:  # it is being generated
            found = None
        if found is not None and found["type"] in _WITHOUT_CONFIGURATION:
            inner = {key: value for key, value in found.items() if key != "ref"}
            return _copy(inner, resolve, refs | {ref})
    return {key: _copy(value, resolve, refs) for key, value in part.items()}


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
        return CheckedSchema(self.schema)

    @cached_property
    def judged_fields(self) -> frozenset[str]:
        """The fields that a check judges or reads, except for frozen ones."""
        config, fields = self.model.model_config, self.model.__pydantic_fields__
        if self.inner_schema is None or config.get("frozen"):
            return frozenset()
        frozen = {name for name, info in fields.items() if info.frozen}
        return judged_fields(self.model, self.schema) - frozen

    @cached_property
    def depends_on_mode(self) -> bool:
        """Whether JSON may be validated otherwise than the Python objects that it is read into.

        It is in strict fields, in bytes, and where a union looks for the best match.
        """
        return any(
            part.get("strict") is True
            or (part.get("config") or {}).get("strict") is True
            or part["type"] in ("bytes", "union")
            for part in schema_parts(self.schema)
        )

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
        function = function_of(part)
        if isinstance(function, InputValidator) and function.model is model:
            inner: Any = part["schema"]
            definitions: Any = schema.get("definitions")
            return core_schema.definitions_schema(inner, definitions) if definitions else inner
    return None
