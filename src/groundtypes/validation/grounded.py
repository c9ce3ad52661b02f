"""`Grounded`: a model base whose checks go out as one batch, whoever calls the validation."""

from collections.abc import Callable
from typing import Any, ClassVar

from pydantic import BaseModel, GetCoreSchemaHandler, ValidationInfo, ValidatorFunctionWrapHandler
from pydantic_core import CoreSchema, SchemaValidator, core_schema, to_json

from groundtypes.errors import MarkerError
from groundtypes.judges import Judges
from groundtypes.ledger import Ledger
from groundtypes.rounds.inputs import repeatable
from groundtypes.rounds.runner import Walker, walk
from groundtypes.rounds.state import Climb
from groundtypes.validators.base import is_check
from groundtypes.validators.unions import refuse_plain_unions

__all__ = ["Grounded"]


class Grounded(BaseModel):
    """A model whose checks are settled in one batch, with all faults in one error.

    It works wherever Pydantic validates: `model_validate`, `model_validate_json`, `TypeAdapter`,
    instructor, pydantic-ai. A `Grounded` inside another joins its batch. `judges` given as a class
    argument are used where the context names none.
    """

    __groundtypes_judges__: ClassVar[Judges | None] = None

    def __init_subclass__(cls, judges: Judges | None = None, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if judges is not None:
            if not isinstance(judges, Judges):
                raise MarkerError(f"judges is a {type(judges).__name__}, not Judges(...)")
            cls.__groundtypes_judges__ = judges

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Refuse a model in which a refuted value could pass as another type."""
        super().__pydantic_init_subclass__()
        cls._refuse_plain_unions()

    @classmethod
    def _refuse_plain_unions(cls) -> None:
        """Look at the class once: when it is built, else (forward references) at its first use."""
        if cls.__pydantic_complete__ and "__groundtypes_sound__" not in cls.__dict__:
            refuse_plain_unions(cls.__name__, cls.__pydantic_core_schema__, is_check)
            cls.__groundtypes_sound__ = True

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = handler(source)
        wrap = core_schema.with_info_wrap_validator_function

        def either(descend_json: core_schema.WithInfoWrapValidatorFunction) -> CoreSchema:
            return core_schema.json_or_python_schema(
                wrap(descend_json, schema), wrap(cls._descend, schema)
            )

        # A wrap validator is handed JSON as Python objects, in which strict fields admit no
        # dates, enums or tuples. So JSON is validated as JSON again; and only this schema knows
        # whether the caller asked for strict mode.
        return core_schema.lax_or_strict_schema(
            either(cls._descend_json),
            either(cls._descend_strict_json),
            strict=cls.model_config.get("strict"),
        )

    @classmethod
    def _descend(
        cls, value: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo
    ) -> Any:
        return cls._walk(value, handler, handler, info)

    @classmethod
    def _descend_json(
        cls, value: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo
    ) -> Any:
        return cls._walk(value, cls._json_validation(info, strict=None), handler, info)

    @classmethod
    def _descend_strict_json(
        cls, value: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo
    ) -> Any:
        return cls._walk(value, cls._json_validation(info, strict=True), handler, info)

    @classmethod
    def _json_validation(cls, info: ValidationInfo, *, strict: bool | None) -> Callable[[Any], Any]:
        inner = cls._inner_validator()

        def validate(data: Any) -> Any:
            text = to_json(data, inf_nan_mode="constants")
            return inner.validate_json(text, strict=strict, context=info.context)

        return validate

    @classmethod
    def _walk(
        cls,
        value: Any,
        validate: Callable[[Any], Any],
        handler: ValidatorFunctionWrapHandler,
        info: ValidationInfo,
    ) -> Any:
        if Climb.active(info.context) is not None:
            return validate(value)
        cls._refuse_plain_unions()
        if info.context is None:
            if isinstance(value, cls):
                return handler(value)  # as Pydantic has it: an instance has been validated
            data = repeatable(value, open_models=False)
        else:
            data = repeatable(value)
        ledger = Ledger()
        walker = Walker.of(validate, data, info.context, cls.__groundtypes_judges__, ledger)
        walk([walker], ledger)
        if walker.error is not None:
            raise walker.error
        return walker.value

    @classmethod
    def _inner_validator(cls) -> SchemaValidator:
        """Return the validator of the model without its own descent, made once for each class."""
        inner: SchemaValidator | None = cls.__dict__.get("__groundtypes_inner__")
        if inner is None:
            inner = cls.__groundtypes_inner__ = _own_validator(cls)
        return inner

    __groundtypes_inner__: ClassVar[SchemaValidator | None] = None
    __groundtypes_sound__: ClassVar[bool] = False


def _own_validator(model: type[Grounded]) -> SchemaValidator:
    """Return a validator of the model that is built for it alone.

    A prebuilt one would be the class's own, which descends again, without end.
    """
    schema = _inner_schema(model)
    try:
        return SchemaValidator(schema, _use_prebuilt=False)
    except TypeError:
        # Before Pydantic 2.13 there is no such option; what is not complete is not prebuilt.
        model.__pydantic_complete__ = False
        try:
            return SchemaValidator(schema)
        finally:
            model.__pydantic_complete__ = True


def _inner_schema(model: type[Grounded]) -> CoreSchema:
    schema: Any = model.__pydantic_core_schema__
    definitions = schema["definitions"] if schema["type"] == "definitions" else []
    root = schema["schema"] if schema["type"] == "definitions" else schema
    if root["type"] == "definition-ref":
        root = next(part for part in definitions if part["ref"] == root["schema_ref"])
    inner: CoreSchema = root["lax_schema"]["python_schema"]["schema"]
    return core_schema.definitions_schema(inner, definitions) if definitions else inner
