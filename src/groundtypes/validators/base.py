"""The base of all checks: from a marker in `Annotated` to a line of a validation error.

A check is a frozen value. It judges with `Check.judge`, which may ask engines through its `Case`;
all that has to do with rounds, ledgers and Pydantic happens here.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar, overload

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import (
    CoreSchema,
    InitErrorDetails,
    PydanticCustomError,
    PydanticOmit,
    ValidationError,
    core_schema,
)

from groundtypes.errors import CheckError, ContextError, MarkerError, Mistake, clip
from groundtypes.judges import Judges, llm_engine, nli_engine
from groundtypes.ledger import Ledger, Scorer, Unsettled
from groundtypes.references import References
from groundtypes.rounds.state import Climb, Sighting
from groundtypes.scoring import LLM, NLIScorer, Question, Reply
from groundtypes.validators.fields import Place, place_of
from groundtypes.verdicts import Verdict

__all__ = ["Case", "Check", "is_check"]

_Q = TypeVar("_Q", bound=Hashable)
_A = TypeVar("_A")

#: Schemas that wrap the schema of a value without changing what kind of value it is.
_WRAPPERS = frozenset({"function-after", "function-before", "function-wrap", "nullable", "default"})


class _Silent(Exception):
    """A sibling field is itself at fault: one cause, one fault."""


@dataclass(slots=True)
class Case:
    """What a check may look at beside the value: context, references, siblings, engines."""

    context: Any
    _data: Mapping[str, Any] | None
    _place: Place
    _ledger: Ledger
    _climb: Climb | None = None
    _before: Sighting | None = None

    @property
    def references(self) -> References:
        """The references of the context.

        Raises:
            MissingReferencesError: The context holds none; an empty collection is fine.
        """
        if self._climb is not None:
            return self._climb.references
        return References.from_context(self.context)

    @property
    def question(self) -> str | None:
        """The question that the answer is to, if the context has one."""
        question = self.context.get("question") if isinstance(self.context, Mapping) else None
        if question is not None and not isinstance(question, str):
            raise ContextError(f"the context's 'question' is a {type(question).__name__}, not text")
        return question

    @property
    def judges(self) -> Judges:
        """The engines: the context's, else the model's."""
        judges = self.context.get("judges") if isinstance(self.context, Mapping) else None
        if judges is None:
            judges = self._climb.judges if self._climb is not None else None
        if judges is None:
            return Judges()
        if not isinstance(judges, Judges):
            raise ContextError(f"'judges' is a {type(judges).__name__}, not Judges(...)")
        return judges

    @property
    def nli(self) -> NLIScorer:
        """The NLI engine: the one that is configured, else the bundled one.

        Raises:
            MissingJudgeError: None is configured, and the bundled one is not installed.
        """
        return nli_engine(self.judges)

    @property
    def llm(self) -> LLM:
        """The LLM that is configured.

        Raises:
            MissingJudgeError: None is.
        """
        judges = self.judges
        return llm_engine(judges.llm, judges.model)

    @overload
    def ask(self, engine: LLM, questions: Sequence[Question]) -> list[Reply]: ...

    @overload
    def ask(self, engine: Scorer[_Q, _A], questions: Sequence[_Q]) -> list[_A]: ...

    def ask(self, engine: Any, questions: Sequence[Any]) -> list[Any]:
        """Return an engine's answers to the questions, in order.

        Ask all that can be asked at once in one call: the first round only notes the questions,
        and `judge` is run again when the answers are there.
        """
        return self._ledger.ask(engine, questions)

    def sibling(self, name: str) -> Any:
        """Return the value of another field of the same model, also of one declared later.

        A check whose sibling is itself at fault keeps silent: this call does not return then.

        Raises:
            MarkerError: The sibling is declared later, and the model is validated on its own,
                where fields are seen in their order only.
        """
        for data in (self._data, self._before.data if self._before is not None else None):
            if data is not None and name in data:
                return data[name]
        climb = self._climb
        later = self._place.declared_later(name)
        if climb is None:
            if later is False:
                raise _Silent
            raise MarkerError(
                f"field {self._place.field!r} names its sibling {name!r}, which is declared later. "
                "Declare it before, derive the model from Grounded, or use verify()."
            )
        if climb.absent_is_none:
            return None
        if self._before is None and later is not False:
            raise Unsettled
        climb.silent += 1
        raise _Silent


@dataclass(frozen=True, slots=True, kw_only=True)
class Check(ABC):
    """A condition that a value must meet; derive from it to write your own.

    A subclass is a frozen dataclass with options only, judges in `judge`, and may say in `rule`
    what the LLM must do, which then stands in the JSON schema.
    """

    #: Core-schema types of the values that the check can judge.
    accepts: ClassVar[frozenset[str]] = frozenset({"str"})

    describe: bool = True

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
        """The fields beside it that the check reads."""
        return ()

    @property
    def drops(self) -> bool:
        """Whether a failing item of a list is left out instead of being a fault."""
        return False

    @abstractmethod
    def judge(self, value: Any, case: Case) -> Verdict | Iterable[Verdict]:
        """Return a verdict, or several, on a value; made with `holds` and `fails`.

        It is called once in each round and must be pure.
        """

    def replace(self, value: Any, verdicts: Sequence[Verdict], case: Case) -> Any:  # noqa: ARG002 # what a subclass needs
        """Return what takes the place of a value that holds; by default the value itself."""
        return value

    def holds(self, **fields: Any) -> Verdict:
        """Return a passing verdict of this check; `fields` are those of `Verdict`."""
        return Verdict(check=self.name, ok=True, **fields)

    def fails(self, slug: str, message: str, **fields: Any) -> Verdict:
        """Return a failing verdict; the message tells an LLM what is wrong and what to do."""
        return Verdict(
            check=self.name, ok=False, slug=slug, message=message, dropped=self.drops, **fields
        )

    def __call__(self, value: Any, info: ValidationInfo) -> Any:
        """Judge a value as `field_validator("name")(marker)` does."""
        return _CheckGroup((self,), Place(None, getattr(info, "field_name", None)))(value, info)

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        inner = handler(source)
        place = place_of(handler)
        self._refuse_misplaced(source, inner, place, handler)
        if self.describe and self.rule:
            place.describe(self, self.rule)
        function = inner.get("function") if inner["type"] == "function-after" else None
        group = function.get("function") if isinstance(function, dict) else None
        if isinstance(group, _CheckGroup) and "schema" in inner:
            # The markers of one value judge together, so that all their faults are raised.
            both = _CheckGroup((*group.checks, self), place)
            return core_schema.with_info_after_validator_function(both, inner["schema"])
        return core_schema.with_info_after_validator_function(_CheckGroup((self,), place), inner)

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        json_schema = handler(schema)
        if self.describe and self.rule:
            given = json_schema.get("description", "")
            if self.rule not in given:
                json_schema["description"] = f"{given} {self.rule}".strip()
        return json_schema

    def _refuse_misplaced(
        self, source: Any, inner: CoreSchema, place: Place, handler: GetCoreSchemaHandler
    ) -> None:
        schema: Any = inner
        while True:
            if schema["type"] == "definition-ref":
                schema = handler.resolve_ref_schema(schema)
            elif schema["type"] in _WRAPPERS:
                schema = schema["schema"]
            else:
                break
        where = f" on field {place.field!r}" if place.field else ""
        if schema["type"] not in self.accepts:
            name = getattr(source, "__name__", None) or str(source)
            hint = " Put it on the items: list[Annotated[str, ...]]." if "list" in name else ""
            raise MarkerError(
                f"{self.name}{where} judges {' or '.join(sorted(self.accepts))}, not {name}.{hint}"
            )
        names = place.names
        for sibling in self.siblings:
            if names is not None and sibling not in names:
                raise MarkerError(
                    f"{self.name}{where} names the field {sibling!r}, which is not there; "
                    f"the fields are {', '.join(names)}."
                )


@dataclass(frozen=True, slots=True)
class _CheckGroup:
    """The checks of one place, as the validator function that Pydantic calls."""

    checks: tuple[Check, ...]
    place: Place

    def __call__(self, value: Any, info: ValidationInfo) -> Any:
        if value is None:
            return None
        climb = Climb.active(info.context)
        if climb is None:
            return self._alone(value, info)
        key = (self, value) if isinstance(value, Hashable) else (self, repr(value))
        if climb.placing:
            raise climb.place(key)
        data = getattr(info, "data", None)  # only fields have any
        sighting, before = climb.sight(key, data)
        case = Case(info.context, data, self.place, climb.ledger, climb, before)
        try:
            sighting.verdicts, new = self._judge(value, case)
        except Unsettled:
            climb.waiting = True
            return value
        if faults := [verdict for verdict in sighting.verdicts if not verdict.ok]:
            raise _line_errors(value, faults)
        return new

    def _alone(self, value: Any, info: ValidationInfo) -> Any:
        """Judge at once: correct outside of a climb too, only slower."""
        ledger = Ledger()
        case = Case(info.context, getattr(info, "data", None), self.place, ledger)
        while True:
            try:
                verdicts, new = self._judge(value, case)
                break
            except Unsettled:
                ledger.settle()
        faults = [verdict for verdict in verdicts if not verdict.ok]
        if not faults:
            return new
        if all(fault.dropped for fault in faults) and self._on_item():
            raise PydanticOmit
        raise _line_errors(value, faults)

    def _on_item(self) -> bool:
        """Say whether this stands on the items of a field.

        Pydantic would leave an omitted *field* out of its model without a word.
        """
        return self.place.holds_directly(self.checks[0]) is False

    def _judge(self, value: Any, case: Case) -> tuple[tuple[Verdict, ...], Any]:
        verdicts: list[Verdict] = []
        new, waiting = value, False
        for check in self.checks:
            try:
                found = _verdicts(check, value, case)
            except Unsettled:  # the other checks note their questions for the same batch
                waiting = True
            except _Silent:
                continue
            else:
                verdicts.extend(found)
                if not waiting and all(verdict.ok for verdict in found):
                    new = check.replace(new, found, case)
        if waiting:
            raise Unsettled
        return tuple(verdicts), new


def _verdicts(check: Check, value: Any, case: Case) -> Sequence[Verdict]:
    try:
        found = check.judge(value, case)
        return (found,) if isinstance(found, Verdict) else tuple(found)
    except (Mistake, Unsettled, _Silent):
        raise
    except Exception as error:
        # Pydantic takes ValueError and AssertionError for faults of the answer; a bug is none.
        raise CheckError(f"{check.name} broke: {type(error).__name__}") from error


def _line_errors(value: Any, faults: Sequence[Verdict]) -> ValidationError:
    shown = clip(value, 80) if isinstance(value, str) else value
    details = [InitErrorDetails(type=_line_error(fault), loc=(), input=shown) for fault in faults]
    return ValidationError.from_exception_data("answer", details)


def _line_error(fault: Verdict) -> PydanticCustomError:
    context: dict[str, Any] = {"check": fault.check}
    if fault.dropped:
        context["on_fault"] = "drop"
    if fault.span is not None:
        context |= {
            "reference": fault.span.reference,
            "start": fault.span.start,
            "end": fault.span.end,
        }
    # Pydantic fills in placeholders one after another. The message comes last and alone, so that
    # nothing in it is read as one.
    context["message"] = fault.message or ""
    return PydanticCustomError(fault.slug or "fault", "{message}", context)


def is_check(function: object) -> bool:
    """Say whether a validator function of a core schema is one of ours."""
    return isinstance(function, _CheckGroup | Check)
