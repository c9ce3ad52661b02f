"""`Check`, the base of all markers: a condition that a value must meet."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from groundtypes.errors import MarkerError
from groundtypes.text.message_excerpts import encodable
from groundtypes.validators.case import Case
from groundtypes.validators.check_group import CheckGroup
from groundtypes.validators.marked_field import MarkedField, marked_field
from groundtypes.verdicts import Verdict

#: Schemas that wrap the schema of a value without changing what kind of value it is.
_WRAPPERS: Final = frozenset(
    {"function-after", "function-before", "function-wrap", "nullable", "default"}
)


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
        """Judge a value when the marker is used as `field_validator("name")(marker)`."""
        field = MarkedField(None, getattr(info, "field_name", None))
        return CheckGroup((self,), field)(value, info)

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        inner = handler(source)
        field = marked_field(handler)
        try:
            hash(self)
        except TypeError as error:
            raise MarkerError(
                f"{self._described_in(field)} has an option that is not hashable ({error}). Use a "
                "tuple or a frozenset."
            ) from error
        self._reject_wrong_type(source, inner, field, handler)
        self._reject_unknown_siblings(field)
        if self.describe and self.rule:
            field.extend_description(self, self.rule)
        function = inner.get("function") if inner["type"] == "function-after" else None
        group = function.get("function") if isinstance(function, dict) else None
        if isinstance(group, CheckGroup) and "schema" in inner:
            joined = CheckGroup((*group.checks, self), field)
            schema = self._schema_of_value(inner["schema"])
            return core_schema.with_info_after_validator_function(
                joined, schema, serialization=inner.get("serialization")
            )
        return core_schema.with_info_after_validator_function(
            CheckGroup((self,), field), self._schema_of_value(inner)
        )

    def _schema_of_value(self, schema: CoreSchema) -> CoreSchema:
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

    def _reject_wrong_type(
        self, source: Any, inner: CoreSchema, field: MarkedField, handler: GetCoreSchemaHandler
    ) -> None:
        schema: Any = inner
        while True:
            if schema["type"] == "definition-ref":
                schema = handler.resolve_ref_schema(schema)
            elif schema["type"] in _WRAPPERS:
                schema = schema["schema"]
            else:
                break
        if schema["type"] not in self.accepts:
            name = getattr(source, "__name__", None) or str(source)
            hint = " Put it on the items: list[Annotated[str, ...]]." if "list" in name else ""
            kinds = " or ".join(sorted(self.accepts))
            raise MarkerError(f"{self._described_in(field)} works on {kinds}, not {name}.{hint}")

    def _reject_unknown_siblings(self, field: MarkedField) -> None:
        names = field.field_names
        for sibling in self.siblings:
            if names is not None and sibling not in names:
                raise MarkerError(
                    f"{self._described_in(field)} names the field {sibling!r}, which does not "
                    f"exist; the fields are {', '.join(names)}."
                )

    def _described_in(self, field: MarkedField) -> str:
        return f"{self.name} on field {field.name!r}" if field.name else self.name


def checks_of_validator(function: object) -> tuple[Check, ...]:
    """Return the checks that a validator function of a core schema runs; none if it is not ours."""
    if isinstance(function, CheckGroup):
        return tuple(check for check in function.checks if isinstance(check, Check))
    return (function,) if isinstance(function, Check) else ()
