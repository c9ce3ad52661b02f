"""`Check`, the base of all markers: a condition that a value must meet."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from groundtypes.errors import MarkerError
from groundtypes.text.message_excerpts import encodable
from groundtypes.validators.case import Case
from groundtypes.validators.check_group import CheckGroup
from groundtypes.validators.marked_field import MarkedField, marked_field
from groundtypes.validators.typed.schemas import choices_of_values, kinds_of_values, on_items
from groundtypes.verdicts import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Check(ABC):
    """A condition that a value must meet; derive from it to write your own.

    A subclass is a frozen dataclass of options. It judges values in `judge`, and may tell the LLM
    in `rule` what to do, which becomes part of the JSON schema. `docs/own-checks.md` shows one.

    A marker of this library has a module of its own in `groundtypes.validators`, its messages in
    `groundtypes.errors.FAULTS`, and an export in `groundtypes/__init__.py`.

    Args:
        describe: Add the rule to the description in the JSON schema, where the LLM reads it.
    """

    #: Core-schema types of the values that the check can judge.
    accepts: ClassVar[frozenset[str]] = frozenset({"str"})

    describe: bool = True

    def __new__(cls, *_args: object, **_options: object) -> Self:
        """Return a new marker, whose options are the fields of a dataclass.

        Raises:
            MarkerError: The class has an `__init__` of its own. Its options would not be compared,
                so that the verdicts of one marker could be taken for those of another.
        """
        for base in cls.__mro__[: cls.__mro__.index(Check)]:
            if "__init__" in vars(base) and "__dataclass_fields__" not in vars(base):
                raise MarkerError(
                    f"{base.__name__} has an __init__ of its own. Make it a dataclass of its "
                    "options: @dataclass(frozen=True, slots=True, kw_only=True)."
                )
        return super(Check, cls).__new__(cls)

    @property
    def name(self) -> str:
        """The name that verdicts carry."""
        return type(self).__name__

    @property
    def rule(self) -> str | None:
        """One sentence that tells the LLM what the value must be."""
        return None

    @property
    def siblings(self) -> Sequence[str]:
        """The other fields of the model that the check reads."""
        return ()

    @property
    def sentence_by_sentence(self) -> bool:
        """Whether the sentences of a text can be judged one after the other, as `guard` does."""
        return True

    @property
    def drops(self) -> bool:
        """Whether a list item that fails is removed instead of making the answer invalid."""
        return False

    @abstractmethod
    def judge(self, value: Any, case: Case) -> Verdict | Iterable[Verdict]:
        """Return one or several verdicts on a value, made with `holds` and `fails`.

        It runs once in each round and must be pure.
        """

    def replace(self, value: Any, verdicts: Sequence[Verdict], case: Case) -> Any:  # noqa: ARG002 # what a subclass needs
        """Return what replaces a value that holds; by default the value itself."""
        return value

    def holds(self, **fields: Any) -> Verdict:
        """Return a passing verdict of this check; `fields` are those of `Verdict`."""
        return Verdict(check=self.name, ok=True, **fields)

    def fails(self, slug: str, message: str, **fields: Any) -> Verdict:
        """Return a failing verdict; the message tells an LLM what is wrong and what to do."""
        return Verdict(
            check=self.name,
            ok=False,
            slug=slug,
            message=encodable(message),
            dropped=self.drops,
            **fields,
        )

    def __call__(self, value: Any, info: ValidationInfo) -> Any:
        """Judge a value when the marker is used as `field_validator("name")(marker)`.

        Raises:
            MarkerError: The mode of the validator is "wrap", in which it is given no context.
        """
        if not hasattr(info, "context"):
            raise wrap_mode_error(self.name)
        field = MarkedField(None, getattr(info, "field_name", None))
        return CheckGroup((self,), field)(value, info)

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler | None = None
    ) -> CoreSchema:
        if handler is None:  # the class is in the annotation; `self` is the type that it marks
            raise MarkerError(
                "A check is in an annotation without parentheses: write Annotated[str, Quoted()], "
                "not Annotated[str, Quoted]."
            )
        inner = handler(source)
        field = marked_field(handler)
        try:
            hash(self)
        except TypeError as error:
            raise MarkerError(
                f"{self._described_in(field)} has an option that is not hashable ({error}). Use a "
                "tuple or a frozenset."
            ) from error
        self._reject_unknown_siblings(field)
        if self.describe and self.rule:
            field.extend_description(self, self.rule)
        marked = None
        if self._reads_items(inner, handler):
            marked = on_items(inner, lambda items: self._marked(items, items, field, handler))
        return marked or self._marked(inner, source, field, handler)

    def _marked(
        self, inner: CoreSchema, source: Any, field: MarkedField, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Return the schema of a value with the check, together with those that it has."""
        kinds = frozenset(kinds_of_values(inner, source, handler))
        self._reject_wrong_type(kinds, source, field)
        field = replace(field, values=tuple(choices_of_values(inner, handler)))
        function = inner.get("function") if inner["type"] == "function-after" else None
        group = function.get("function") if isinstance(function, dict) else None
        if isinstance(group, CheckGroup) and "schema" in inner:
            joined = CheckGroup((*group.checks, self), field)
            schema = self._schema_of_value(inner["schema"], kinds)
            return core_schema.with_info_after_validator_function(
                joined, schema, serialization=inner.get("serialization")
            )
        return core_schema.with_info_after_validator_function(
            CheckGroup((self,), field), self._schema_of_value(inner, kinds)
        )

    def _named_fields(self, field: MarkedField) -> Sequence[str]:  # noqa: ARG002 # what a subclass needs
        """Return the fields that the options name, which must exist."""
        return self.siblings

    def _accepted(self) -> frozenset[str]:
        """Return the core-schema types of the values that the check can judge with its options."""
        return self.accepts

    def _reads_items(self, schema: CoreSchema, handler: GetCoreSchemaHandler) -> bool:  # noqa: ARG002 # what a subclass needs
        """Whether a container of this schema has its items judged one by one."""
        return False

    def _schema_of_value(self, schema: CoreSchema, kinds: frozenset[str]) -> CoreSchema:  # noqa: ARG002 # the same
        """Return the schema of the value before it is judged, given that of its type."""
        return schema

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        json_schema = handler(schema)
        if self.describe and self.rule:
            description = json_schema.get("description", "")
            if self.rule not in description:
                json_schema["description"] = f"{description} {self.rule}".strip()
        return json_schema

    def _reject_wrong_type(self, kinds: frozenset[str], source: Any, field: MarkedField) -> None:
        if kinds <= self._accepted():
            return
        name = getattr(source, "__name__", None) or _kind_name(source)
        raise MarkerError(f"{self._described_in(field)} {self._wrong_type(name, field)}")

    def _wrong_type(self, name: str, field: MarkedField) -> str:  # noqa: ARG002 # what a subclass needs
        """Return what is wrong with a type, and what to do instead."""
        hint = " Put it on the items: list[Annotated[str, ...]]." if "list" in name else ""
        return f"works on {' or '.join(sorted(self._accepted()))}, not {name}.{hint}"

    def _reject_unknown_siblings(self, field: MarkedField) -> None:
        names = field.field_names
        for sibling in self._named_fields(field):
            if names is not None and sibling not in names:
                raise MarkerError(
                    f"{self._described_in(field)} names the field {sibling!r}, which does not "
                    f"exist; the fields are {', '.join(names)}."
                )
            if sibling == field.name and sibling in self.siblings:
                raise MarkerError(
                    f"{self._described_in(field)} names the field itself, which proves nothing. "
                    "Name another field."
                )
            if sibling != field.name and field.model and issubclass(field.model, tuple):
                raise MarkerError(
                    f"{self._described_in(field)} reads the field {sibling!r}, which a NamedTuple "
                    f"does not show. Make {field.model.__name__} a BaseModel, a dataclass or a "
                    "TypedDict."
                )

    def _described_in(self, field: MarkedField) -> str:
        return f"{self.name} on field {field.name!r}" if field.name else self.name


def wrap_mode_error(name: str) -> MarkerError:
    """Return the error for a marker that is a wrap validator."""
    return MarkerError(
        f'{name} cannot be a validator of mode="wrap". Use field_validator("name")({name}(...)), '
        f"or Annotated[str, {name}(...)]."
    )


def _kind_name(source: Any) -> str:
    """Return how messages call a type: an item of a list has only a schema."""
    return str(source["type"]) if isinstance(source, dict) else str(source)


def checks_of_validator(function: object) -> tuple[Check, ...]:
    """Return the checks that a validator function of a core schema runs; none if it is not ours."""
    if isinstance(function, CheckGroup):
        return tuple(check for check in function.checks if isinstance(check, Check))
    return (function,) if isinstance(function, Check) else ()
