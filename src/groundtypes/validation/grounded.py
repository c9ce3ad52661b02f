"""`Grounded`: a model base that settles all checks in one batch per round."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import BaseModel, GetCoreSchemaHandler, ValidationInfo, ValidatorFunctionWrapHandler
from pydantic_core import CoreSchema, SchemaValidator, core_schema, to_json

from groundtypes.errors import MarkerError, MissingVerdictError
from groundtypes.grounding import current_grounding
from groundtypes.judges import Judges
from groundtypes.ledger import Ledger
from groundtypes.rounds.inputs import reusable_input
from groundtypes.rounds.runner import AnswerRun, run_rounds
from groundtypes.rounds.state import ValidationState
from groundtypes.validators.checked_values import CheckedSchema
from groundtypes.validators.core_schemas import judged_fields
from groundtypes.validators.lost_checks import reject_lost_checks
from groundtypes.validators.plain_unions import reject_plain_unions

if TYPE_CHECKING:
    from groundtypes.validation.cited_statements import CitedStatement

__all__ = ["Grounded"]


class Grounded(BaseModel):
    """A model that collects the questions of all its checks and settles them together.

    There is one batch per round, and all faults are in one error. This works wherever Pydantic
    validates: `model_validate`, `model_validate_json`, `TypeAdapter`, instructor, pydantic-ai. A
    `Grounded` inside another joins its batch. The class argument `judges` names the engines for
    contexts that name none.
    """

    __groundtypes_judges__: ClassVar[Judges | None] = None

    def __init_subclass__(cls, judges: Judges | None = None, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if judges is not None:
            if not isinstance(judges, Judges):
                raise MarkerError(
                    f"judges is of type {type(judges).__name__}; pass Judges(nli=..., llm=...)"
                )
            cls.__groundtypes_judges__ = judges

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Reject a model in which a value could pass although its check fails or never runs."""
        super().__pydantic_init_subclass__(**kwargs)
        cls._reject_loopholes()

    @classmethod
    def _reject_loopholes(cls) -> None:
        """Inspect the class once: when it is built, or at its first use (forward references)."""
        if cls.__pydantic_complete__ and "__groundtypes_inspected__" not in cls.__dict__:
            reject_plain_unions(cls.__name__, cls.__pydantic_core_schema__)
            reject_lost_checks(cls.__name__, cls, cls.__pydantic_core_schema__)
            cls.__groundtypes_inspected__ = True

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute, but no field that a check has judged, since nothing would judge it."""
        cls = type(self)
        if name in cls._judged_fields() and not ValidationState.is_running():
            raise MissingVerdictError(
                f"{cls.__name__}.{name} has been judged, and a value that is assigned to it would "
                f"not be. Verify the changed answer instead: verify({cls.__name__}, "
                f"answer.model_copy(update={{{name!r}: ...}}), context=...)."
            )
        if cls.model_config.get("validate_assignment") and name in cls.model_fields:
            # The class's own validator starts rounds, which cannot assign.
            cls._inner_validator().validate_assignment(self, name, value)
        else:
            super().__setattr__(name, value)

    @classmethod
    def _judged_fields(cls) -> frozenset[str]:
        """Return the fields that a check judges or reads, found once for each class."""
        fields: frozenset[str] | None = cls.__dict__.get("__groundtypes_judged_fields__")
        if fields is None:
            fields = frozenset()
            if cls.__pydantic_complete__:
                frozen = {name for name, info in cls.model_fields.items() if info.frozen}
                if not cls.model_config.get("frozen"):  # Pydantic itself refuses those
                    fields = judged_fields(cls, cls.__pydantic_core_schema__) - frozen
                cls.__groundtypes_judged_fields__ = fields
        return fields

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = handler(source)
        wrap = core_schema.with_info_wrap_validator_function

        def by_input(validate_json: core_schema.WithInfoWrapValidatorFunction) -> CoreSchema:
            return core_schema.json_or_python_schema(
                wrap(validate_json, schema), wrap(cls._validate_python, schema)
            )

        # A wrap validator is handed JSON as Python objects, in which strict fields admit no
        # dates, enums or tuples. So JSON is validated as JSON again; and only this schema knows
        # whether the caller asked for strict mode.
        return core_schema.lax_or_strict_schema(
            by_input(cls._validate_json),
            by_input(cls._validate_strict_json),
            strict=cls.model_config.get("strict"),
        )

    @classmethod
    def _validate_python(
        cls, value: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo
    ) -> Any:
        return cls._validate_in_rounds(value, handler, handler, info)

    @classmethod
    def _validate_json(
        cls, value: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo
    ) -> Any:
        return cls._validate_in_rounds(value, cls._as_json(info, strict=None), handler, info)

    @classmethod
    def _validate_strict_json(
        cls, value: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo
    ) -> Any:
        return cls._validate_in_rounds(value, cls._as_json(info, strict=True), handler, info)

    @classmethod
    def _as_json(cls, info: ValidationInfo, *, strict: bool | None) -> Callable[[Any], Any]:
        """Return a function that validates data as JSON."""
        validator = cls._inner_validator()

        def validate(data: Any) -> Any:
            text = to_json(data, inf_nan_mode="constants")
            return validator.validate_json(text, strict=strict, context=info.context)

        return validate

    @classmethod
    def _validate_in_rounds(
        cls,
        value: Any,
        validate: Callable[[Any], Any],
        handler: ValidatorFunctionWrapHandler,
        info: ValidationInfo,
    ) -> Any:
        """Return the validated value, or raise its error; `validate` runs one round."""
        if ValidationState.active(info.context) is not None:
            return validate(value)  # part of a larger answer, whose rounds are running
        cls._reject_loopholes()
        schema = cls._checked_schema()
        if info.context is None and current_grounding() is None:
            if isinstance(value, cls):
                return handler(value)  # like Pydantic, take an instance as validated
            data = reusable_input(value, unpack_models=False)
        else:
            data = reusable_input(value, dataclasses=schema.dataclasses, kept=schema.kept)
        ledger = Ledger()
        run = AnswerRun.of(
            validate,
            data,
            info.context,
            cls.__groundtypes_judges__,
            ledger,
            schema.values_in,
        )
        run_rounds([run], ledger)
        if run.error is not None:
            raise run.error
        return run.value

    @classmethod
    def _inner_validator(cls) -> SchemaValidator:
        """Return the validator of the model without these rounds, made once for each class."""
        inner: SchemaValidator | None = cls.__dict__.get("__groundtypes_inner__")
        if inner is None:
            inner = cls.__groundtypes_inner__ = _build_inner_validator(cls)
        return inner

    @classmethod
    def _checked_schema(cls) -> CheckedSchema:
        """Return what the core schema says of checks, read once for each class."""
        schema: CheckedSchema | None = cls.__dict__.get("__groundtypes_checked_schema__")
        if schema is None:
            schema = CheckedSchema.of(cls.__pydantic_core_schema__)
            cls.__groundtypes_checked_schema__ = schema
        return schema

    __groundtypes_checked_schema__: ClassVar[CheckedSchema | None] = None
    __groundtypes_judged_fields__: ClassVar[frozenset[str] | None] = None
    __groundtypes_inner__: ClassVar[SchemaValidator | None] = None
    __groundtypes_inspected__: ClassVar[bool] = False


class _CitationsMethod:
    """The method `citations` of a `Grounded` instance that has no field of this name.

    The class itself seems to have no such attribute. So a model may have a field `citations`, as
    many do: Pydantic does not warn of it, and its value goes before this method.
    """

    def __get__(
        self, instance: Grounded | None, owner: type[Grounded]
    ) -> "Callable[[], tuple[CitedStatement, ...]]":
        if instance is None or "citations" in (instance.model_extra or {}):
            raise AttributeError(f"{owner.__name__} has no attribute 'citations'")
        from groundtypes.validation.cited_statements import citations  # noqa: PLC0415 # rarely needed

        return partial(citations, instance)


# A type checker does not see the method, which would forbid fields of this name to it; the function
# `groundtypes.citations` is for typed code.
Grounded.citations = _CitationsMethod()  # type: ignore[attr-defined]


def _build_inner_validator(model: type[Grounded]) -> SchemaValidator:
    """Return a new validator of the model's inner schema.

    Pydantic's prebuilt validator is the class's own, which would start the rounds again and recurse
    for ever.
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
    """Return the schema that `__get_pydantic_core_schema__` wrapped."""
    schema: Any = model.__pydantic_core_schema__
    definitions = schema["definitions"] if schema["type"] == "definitions" else []
    root = schema["schema"] if schema["type"] == "definitions" else schema
    if root["type"] == "definition-ref":
        root = next(part for part in definitions if part["ref"] == root["schema_ref"])
    inner: CoreSchema = root["lax_schema"]["python_schema"]["schema"]
    return core_schema.definitions_schema(inner, definitions) if definitions else inner
