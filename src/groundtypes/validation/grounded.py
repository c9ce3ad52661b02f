"""`Grounded`: a model base that settles all checks in one batch per round."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pydantic import BaseModel, GetCoreSchemaHandler, ValidationInfo, ValidatorFunctionWrapHandler
from pydantic_core import CoreSchema, core_schema

from groundtypes.errors import MarkerError, MissingVerdictError
from groundtypes.judges import Judges
from groundtypes.ledger import Ledger
from groundtypes.rounds.grounding import current_grounding
from groundtypes.rounds.runner import AnswerRun, run_rounds
from groundtypes.rounds.state import ValidationState
from groundtypes.validation.core_schemas import survey
from groundtypes.validation.model_rounds import (
    ModelRounds,
    caller_options,
    has_rounds,
    is_without_checks,
    schema_with_rounds,
)
from groundtypes.validation.plain_unions import reject_plain_unions
from groundtypes.validation.reusable_input import reusable_input
from groundtypes.validation.unjudged_checks import declares_check, reject_unjudged_checks
from groundtypes.validators.check import Check
from groundtypes.validators.check_group import CheckGroup
from groundtypes.validators.marked_field import MarkedField


class Grounded(BaseModel):
    """A model that collects the questions of all its checks and settles them together.

    There is one batch per round, and all faults are in one error. This works wherever Pydantic
    validates: `model_validate`, `model_validate_json`, `TypeAdapter`, instructor, pydantic-ai. A
    `Grounded` inside another joins its batch. The class argument `judges` names the engines for
    contexts that name none. Without checks it is a plain `BaseModel`, at the same cost.

    No field that a check has judged or read takes another value.
    """

    __slots__ = ()
    if TYPE_CHECKING:  # Pydantic lists annotated class variables in `__class_vars__`
        __groundtypes_judges__: ClassVar[Judges | None]
        __groundtypes_checks__: ClassVar[tuple[Check, ...]]
        __groundtypes_inspected__: ClassVar[bool]
    else:
        __groundtypes_judges__ = None
        __groundtypes_checks__ = ()

    def __init_subclass__(cls, judges: Judges | None = None, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if judges is not None:
            if not isinstance(judges, Judges):
                raise MarkerError(
                    f"judges is of type {type(judges).__name__}; pass Judges(nli=..., llm=...)"
                )
            cls.__groundtypes_judges__ = judges

    @classmethod
    def __groundtypes_add_check__(cls, check: Check) -> None:
        """Add a check of the whole model, which is a decorator of the class."""
        cls.__groundtypes_checks__ = (*cls.__groundtypes_checks__, check)
        cls.model_rebuild(force=True, raise_errors=False)

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Reject a model in which a value could pass although its check fails or never runs."""
        super().__pydantic_init_subclass__(**kwargs)
        if cls._has_rounds():
            cls._reject_loopholes()

    @classmethod
    def _has_rounds(cls) -> bool:
        """Return whether the model has checks; not known before its forward references are."""
        return cls.__pydantic_complete__ and ModelRounds.of(cls).inner_schema is not None

    @classmethod
    def _reject_loopholes(cls) -> None:
        """Inspect the class once: when it is built, or at its first use (forward references)."""
        if "__groundtypes_inspected__" not in cls.__dict__:
            reject_plain_unions(cls.__name__, cls.__pydantic_core_schema__)
            reject_unjudged_checks(cls.__name__, cls, cls.__pydantic_core_schema__)
            cls.__groundtypes_inspected__ = True

    if not TYPE_CHECKING:  # a type checker sees the signatures of Pydantic

        @classmethod
        def model_validate_json(cls, json_data: Any, **options: Any) -> Self:
            """Validate JSON, as Pydantic's method does."""
            with caller_options(options):
                return super().model_validate_json(json_data, **options)

        @classmethod
        def model_validate_strings(cls, obj: Any, **options: Any) -> Self:
            """Validate strings, as Pydantic's method does."""
            with caller_options(options):
                return super().model_validate_strings(obj, **options)

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute, but no field that a check has judged: nothing would judge the value."""
        cls = type(self)
        if not cls._has_rounds():
            super().__setattr__(name, value)
            return
        rounds, running = ModelRounds.of(cls), ValidationState.running()
        if running is None and name in rounds.judged_fields:
            raise MissingVerdictError(
                f"{cls.__name__}.{name} has been judged, and a value that is assigned to it would "
                f"not be. Verify the changed answer instead: verify({cls.__name__}, "
                f"answer.model_copy(update={{{name!r}: ...}}), context=...)."
            )
        if cls.model_config.get("validate_assignment") and cls._is_validated(name):
            context = None if running is None else running.context
            rounds.inner_validator.validate_assignment(self, name, value, context=context)
        else:
            super().__setattr__(name, value)

    @classmethod
    def _is_validated(cls, name: str) -> bool:
        """Return whether Pydantic validates assignments to an attribute of this name."""
        is_attribute = isinstance(getattr(cls, name, None), property | cached_property)
        return not (name.startswith("_") or name in cls.__class_vars__ or is_attribute)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        # The source is another type where the model stands in for it, as in `ValidateAs`.
        schema = handler(cls)
        if schema["type"] == "definition-ref":
            schema = handler.resolve_ref_schema(schema)
        if has_rounds(cls, schema) or is_without_checks(cls):
            return schema  # Pydantic returns that of a complete class, rounds included
        if checks := cls.__groundtypes_checks__:
            inner: Any = dict(schema)
            ref = inner.pop("ref", None)
            group = CheckGroup(checks, MarkedField(cls, None))
            schema = core_schema.with_info_after_validator_function(group, inner, ref=ref)
        has_check, classes = survey(schema, handler.resolve_ref_schema, is_without_checks)
        if (
            has_check
            or cls.__groundtypes_judges__ is not None
            or declares_check(*classes, without_checks=is_without_checks)
        ):
            run, resolve = cls._validate_in_rounds, handler.resolve_ref_schema
            return schema_with_rounds(cls, schema, run, resolve)
        return schema

    @classmethod
    def _validate_in_rounds(
        cls,
        value: Any,
        handler: ValidatorFunctionWrapHandler,
        info: ValidationInfo,
    ) -> Any:
        """Return the validated value, or raise its error; `handler` runs one round."""
        if (
            ValidationState.active(info.context) is not None
        ):  # part of a larger answer, whose rounds are running
            return handler(value)
        cls._reject_loopholes()
        schema = ModelRounds.of(cls).checked_schema
        validate: Callable[[Any], Any] = handler
        if info.context is None and current_grounding() is None:
            if isinstance(value, cls):
                return handler(value)  # like Pydantic, take an instance as validated
            data = reusable_input(value).data
        else:
            data, validate = schema.prepared(value, handler, info.context)
        ledger = Ledger()
        state = ValidationState(ledger, info.context, cls.__groundtypes_judges__)
        run = AnswerRun(validate, data, state, checked_values=schema.values_in, item=schema.item)
        operation = ("validate", cls, cls.__pydantic_core_schema__, 0)
        run_rounds([run], ledger, operation=operation)
        if run.error is not None:
            raise run.error
        return run.value
