"""No value that has a check leaves `verify` or `audit` without a verdict."""

import collections
import dataclasses
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, Generic, Literal, NamedTuple, Self, TypeVar

import pytest
from pydantic import (
    AfterValidator,
    AliasChoices,
    AliasPath,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    InstanceOf,
    Json,
    PlainValidator,
    RootModel,
    Secret,
    SkipValidation,
    TypeAdapter,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    computed_field,
    create_model,
    field_validator,
    model_validator,
)
from pydantic.dataclasses import dataclass as pydantic_dataclass
from typing_extensions import TypeAliasType, TypedDict

from groundtypes import Case, Check, Grounded, Quote, Quoted, Verdict, audit, verify
from groundtypes.errors import CheckError, ContextError, MarkerError, MissingVerdictError, Mistake

TRUE = "It is tall"
FALSE = "It is small"
CONTEXT = {"references": "It is tall and grey."}
T = TypeVar("T")


class Fact(BaseModel):
    model_config = ConfigDict(frozen=True)
    quote: Quote


@pydantic_dataclass
class PydanticFact:
    quote: Quote


@dataclass
class StandardFact:
    quote: Quote


@dataclass(slots=True)
class SlottedFact:
    quote: Quote


class TupleFact(NamedTuple):
    fact: Fact


class DictFact(TypedDict):
    fact: Fact


class Facts(RootModel[list[Fact]]):
    pass


class Box(BaseModel, Generic[T]):
    content: T


class FactList(list[Fact]):
    pass


class Never(BaseModel):
    model_config = ConfigDict(revalidate_instances="never")
    quote: Quote


class Assigned(BaseModel):
    model_config = ConfigDict(validate_assignment=True)
    quote: Quote


def fact(quote: str) -> Fact:
    return Fact.model_construct(quote=quote)


def standard_fact(quote: Any) -> StandardFact:
    return StandardFact(quote)


def slotted_fact(quote: Any) -> SlottedFact:
    return SlottedFact(quote)


def _nested(depth: int, quote: str) -> "Node":
    node = Node.model_construct(quote=quote, child=None)
    for _ in range(depth):
        node = Node.model_construct(quote=TRUE, child=node)
    return node


class Node(BaseModel):
    quote: Quote
    child: "Node | None" = None


#: The type of an answer, and its value, made of a quote.
SHAPES: dict[str, tuple[Any, Callable[[str], Any]]] = {
    "model": (Fact, fact),
    "never revalidated": (Never, lambda quote: Never.model_construct(quote=quote)),
    "with validated assignments": (Assigned, lambda quote: Assigned.model_construct(quote=quote)),
    "Pydantic dataclass": (
        PydanticFact,
        lambda quote: _set(PydanticFact.__new__(PydanticFact), quote=quote),
    ),
    "standard dataclass": (StandardFact, standard_fact),
    "dataclass with slots": (SlottedFact, slotted_fact),
    "standard dataclass in a model": (
        Box[StandardFact],
        lambda quote: {"content": standard_fact(quote)},
    ),
    "TypedDict": (DictFact, lambda quote: {"fact": fact(quote)}),
    "NamedTuple": (TupleFact, lambda quote: TupleFact(fact(quote))),
    "root model": (Facts, lambda quote: Facts.model_construct([fact(quote)])),
    "root model in a list": (list[Facts], lambda quote: [Facts.model_construct([fact(quote)])]),
    "generic model": (Box[Fact], lambda quote: Box[Fact].model_construct(content=fact(quote))),
    "list": (list[Fact], lambda quote: [fact(quote)]),
    "subclass of list": (list[Fact], lambda quote: FactList([fact(quote)])),
    "tuple": (tuple[Fact, ...], lambda quote: (fact(quote),)),
    "tuple of two": (tuple[str, Fact], lambda quote: ("a", fact(quote))),
    "deque": (deque[Fact], lambda quote: deque([fact(quote)], 3)),
    "deque for a list": (list[Fact], lambda quote: deque([fact(quote)])),
    "set": (set[Fact], lambda quote: {fact(quote)}),
    "frozenset": (frozenset[Fact], lambda quote: frozenset([fact(quote)])),
    "OrderedDict": (OrderedDict[str, Fact], lambda quote: OrderedDict(a=fact(quote))),
    "defaultdict": (
        dict[str, Fact],
        lambda quote: defaultdict(lambda: fact(TRUE), {"a": fact(quote)}),
    ),
    "subclass of dict": (
        dict[str, Fact],
        lambda quote: type("Own", (dict,), {})(a=fact(quote)),
    ),
    "mapping proxy": (
        Mapping[str, Fact],
        lambda quote: MappingProxyType({"a": fact(quote)}),
    ),
    "UserDict": (Mapping[str, Fact], lambda quote: collections.UserDict({"a": fact(quote)})),
    "ChainMap": (Mapping[str, Fact], lambda quote: collections.ChainMap({"a": fact(quote)})),
    "values of a dict": (list[Fact], lambda quote: {"a": fact(quote)}.values()),
    "UserList": (Sequence[Fact], lambda quote: collections.UserList([fact(quote)])),
    "generator": (list[Fact], lambda quote: (fact(text) for text in [quote])),
    "discriminated union": (
        list[Annotated["Cited | Free", Field(discriminator="kind")]],
        lambda quote: [Free(text="x"), Cited.model_construct(kind="cited", quote=quote)],
    ),
    "nested instances": (Node, lambda quote: _nested(60, quote)),
    "JSON in a field": (Box[Json[Fact]], lambda quote: {"content": f'{{"quote": "{quote}"}}'}),
    "secret": (Box[Secret[Quote]], lambda quote: {"content": quote}),
    "extra fields": (
        type(
            "Extra",
            (BaseModel,),
            {
                "model_config": ConfigDict(extra="allow"),
                "__annotations__": {"__pydantic_extra__": dict[str, Fact]},
                "__module__": __name__,
            },
        ),
        lambda quote: {"more": fact(quote)},
    ),
}


class Cited(BaseModel):
    kind: Literal["cited"] = "cited"
    quote: Quote


class Free(BaseModel):
    kind: Literal["free"] = "free"
    text: str


def _set(instance: Any, **values: Any) -> Any:
    for name, value in values.items():
        setattr(instance, name, value)
    return instance


@pytest.mark.parametrize(("model", "made_of"), SHAPES.values(), ids=SHAPES.keys())
def test_an_instance_in_any_container_is_judged_anew(
    model: Any, made_of: Callable[[str], Any]
) -> None:
    adapter = TypeAdapter(model)
    adapter.rebuild(force=True)
    report = audit(adapter, made_of(TRUE), context=CONTEXT)
    assert report.ok
    assert [verdict.ok for verdict in report.verdicts].count(True) == len(report.verdicts) >= 1

    report = audit(adapter, made_of(FALSE), context=CONTEXT)
    assert [fault.slug for fault in report.faults] == ["quote_altered"]
    with pytest.raises(ValidationError):
        verify(adapter, made_of(FALSE), context=CONTEXT)


def test_an_object_whose_attributes_cannot_be_read_is_left_to_pydantic() -> None:
    class Unbound:
        def __getattr__(self, name: str) -> Any:
            raise RuntimeError(name)

    class Answer(BaseModel):
        quote: Annotated[str, Quoted()]
        client: Any

    given = {"quote": "is tall", "client": Unbound()}
    assert audit(Answer, given, context={"references": "It is tall."}).ok


def test_an_instance_that_is_nested_too_deeply_is_a_mistake() -> None:
    with pytest.raises(ContextError):
        audit(Node, _nested(300, FALSE), context=CONTEXT)


def test_an_instance_that_contains_itself_is_a_mistake() -> None:
    node = Node.model_construct(quote=TRUE)
    node.child = node
    with pytest.raises(ContextError):
        verify(Node, node, context=CONTEXT)


def test_an_instance_that_is_a_key_is_a_mistake() -> None:
    with pytest.raises(MissingVerdictError):
        audit(dict[Fact, int], {fact(FALSE): 1}, context=CONTEXT)


def test_an_instance_in_an_object_that_is_read_by_attributes_is_a_mistake() -> None:
    class Row(BaseModel):
        model_config = ConfigDict(from_attributes=True)
        fact: Fact

    class Record:
        fact = Fact.model_construct(quote=FALSE)

    with pytest.raises(MissingVerdictError):
        verify(Row, Record(), context=CONTEXT)


def test_an_instance_that_does_not_keep_what_it_was_made_of_is_a_mistake() -> None:
    @pydantic_dataclass
    class Made:
        quote: Quote
        mode: dataclasses.InitVar[int]

    made = _set(Made.__new__(Made), quote=TRUE)
    with pytest.raises(ContextError, match="mode"):
        audit(Made, made, context=CONTEXT)


# --- aliases ---------------------------------------------------------------------------------


def _shout(name: str) -> str:
    return name.upper()


class _Paths(BaseModel):
    quote: Quote = Field(validation_alias=AliasPath("quotes", 0, "text"))
    other: Quote = Field(validation_alias=AliasPath("quotes", 1, "text"))
    title: str = Field(validation_alias=AliasPath("head", "title"))


class _LastPath(BaseModel):
    quote: Quote = Field(validation_alias=AliasPath("quotes", -1))


class _Choices(BaseModel):
    quote: Quote = Field(validation_alias=AliasChoices(AliasPath("a", 0), "b"))


class _Generated(BaseModel):
    model_config = ConfigDict(alias_generator=_shout)
    quote: Quote


class _ByName(BaseModel):
    model_config = ConfigDict(populate_by_name=True, extra="forbid")
    quote: Quote = Field(alias="text")


class _ValidationOnly(BaseModel):
    model_config = ConfigDict(extra="allow")
    quote: Quote = Field(validation_alias="text", serialization_alias="words")


@dataclass
class _StandardAlias:
    quote: Annotated[Quote, Field(alias="text")]


ALIASES: dict[str, tuple[Any, dict[str, Any]]] = {
    "choices": (_Choices, {"b": TRUE}),
    "generator": (_Generated, {"QUOTE": TRUE}),
    "by name": (_ByName, {"text": TRUE}),
    "validation only": (_ValidationOnly, {"text": TRUE, "more": 1}),
    "standard dataclass": (_StandardAlias, {"text": TRUE}),
}


@pytest.mark.parametrize(("model", "data"), ALIASES.values(), ids=ALIASES.keys())
def test_an_instance_is_read_again_under_the_aliases_of_its_fields(
    model: Any, data: dict[str, Any]
) -> None:
    answer = verify(model, data, context=CONTEXT)
    again = audit(model, answer, context=CONTEXT)
    assert again.ok
    assert again.value == answer
    assert len(again.verdicts) == len(audit(model, data, context=CONTEXT).verdicts)


@pytest.mark.parametrize(
    ("model", "data"),
    [
        (_Paths, {"quotes": [{"text": TRUE}, {"text": TRUE}], "head": {"title": "Tower"}}),
        (_LastPath, {"quotes": ["", TRUE]}),
    ],
)
def test_an_instance_with_fields_read_from_parts_of_values_is_a_mistake(
    model: Any, data: dict[str, Any]
) -> None:
    answer = verify(model, data, context=CONTEXT)
    with pytest.raises(ContextError, match="part of a value"):
        verify(model, answer, context=CONTEXT)


# --- validators of the user's ----------------------------------------------------------------


def _swallow(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    try:
        return handler(value)
    except ValidationError:
        return value


def _ignore(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:  # it ignores it
    return value


def _none(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    try:
        return handler(value)
    except ValidationError:
        return None


def _replace(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    handler(value)
    return FALSE


def _retry(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    try:
        return handler(value)
    except ValidationError:
        return handler(TRUE)


def _construct(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    handler({"quote": TRUE})
    return Fact.model_construct(quote=value["quote"])


class _Changing(BaseModel):
    quote: Quote

    @model_validator(mode="after")
    def change(self) -> "_Changing":
        self.quote = FALSE  # type: ignore[assignment]
        return self


class _Swapping(BaseModel):
    quote: Quote
    other: Quote | None = None

    @model_validator(mode="after")
    def swap(self) -> "_Swapping":
        self.other = self.quote
        return self


ESCAPES: dict[str, tuple[Any, Any]] = {
    "a fault is swallowed": (Annotated[Quote, WrapValidator(_swallow)], FALSE),
    "a fault in a list is swallowed": (
        list[Annotated[Quote, WrapValidator(_swallow)]],
        [TRUE, FALSE],
    ),
    "a fault of a model is swallowed": (Annotated[Fact, WrapValidator(_swallow)], {"quote": FALSE}),
    "the handler is not called": (Annotated[Quote, WrapValidator(_ignore)], TRUE),
    "the value is replaced": (Annotated[Quote, WrapValidator(_replace)], TRUE),
    "an instance is constructed": (Annotated[Fact, WrapValidator(_construct)], {"quote": FALSE}),
    "an instance is constructed before": (
        Annotated[Fact, BeforeValidator(lambda value: Fact.model_construct(quote=value))],
        FALSE,
    ),
    "a list is filled afterwards": (
        Annotated[list[Fact], AfterValidator(lambda facts: [*facts, fact(TRUE)])],
        [{"quote": TRUE}],
    ),
    "the model changes its field": (_Changing, {"quote": TRUE}),
    "a field is copied to another": (_Swapping, {"quote": TRUE}),
}


@pytest.mark.parametrize(("model", "data"), ESCAPES.values(), ids=ESCAPES.keys())
def test_a_value_that_escapes_its_check_is_a_mistake(model: Any, data: Any) -> None:
    with pytest.raises(MissingVerdictError):
        audit(model, data, context=CONTEXT)
    with pytest.raises(MissingVerdictError):
        verify(model, data, context=CONTEXT)


PASSING: dict[str, tuple[Any, Any, int]] = {
    "a wrap validator that returns what it was given": (
        list[Annotated[Quote, WrapValidator(_swallow)]],
        [TRUE, TRUE],
        2,
    ),
    "a second attempt": (Annotated[Quote, WrapValidator(_retry)], FALSE, 2),
    "none in place of a fault": (Annotated[Quote | None, WrapValidator(_none)], FALSE, 1),
    "a change afterwards": (list[Annotated[Quote, AfterValidator(str.upper)]], [TRUE], 1),
    "another type afterwards": (Annotated[Quote, AfterValidator(len)], TRUE, 1),
    "the text of a model": (
        Annotated[Fact, AfterValidator(lambda it: it.quote)],
        {"quote": TRUE},
        1,
    ),
    "a dictionary of what was a list": (
        Annotated[list[Fact], AfterValidator(lambda facts: dict(enumerate(facts)))],
        [{"quote": TRUE}],
        1,
    ),
    "equal items in a set": (set[Quote], [TRUE, TRUE], 2),
    "the other branch of a union": (
        Annotated[Cited | Free, Field(discriminator="kind")],
        {"kind": "free", "text": "x"},
        0,
    ),
    "no value": (Box[Quote | None], {"content": None}, 0),
}


@pytest.mark.parametrize(("model", "data", "count"), PASSING.values(), ids=PASSING.keys())
def test_validators_that_let_the_checks_run_are_fine(model: Any, data: Any, count: int) -> None:
    report = audit(model, data, context=CONTEXT)
    assert report.ok
    assert len(report.verdicts) == count
    verify(model, data, context=CONTEXT)


def test_a_default_is_not_validated_unless_the_model_asks_for_it() -> None:
    class Defaulted(BaseModel):
        quote: Quote = FALSE  # type: ignore[assignment]
        facts: list[Fact] = Field(default_factory=lambda: [fact(FALSE)])

    assert audit(Defaulted, {}, context=CONTEXT).ok
    assert not audit(Defaulted, {"quote": FALSE}, context=CONTEXT).ok


def test_a_grounded_model_sees_what_its_validators_hide() -> None:
    class Answer(Grounded):
        quote: Annotated[str, Quoted(), WrapValidator(_swallow)]

    assert Answer.model_validate({"quote": TRUE}, context=CONTEXT).quote == TRUE
    with pytest.raises(MissingVerdictError):
        Answer.model_validate({"quote": FALSE}, context=CONTEXT)
    with pytest.raises(MissingVerdictError):
        Answer.model_validate_json(f'{{"quote": "{FALSE}"}}', context=CONTEXT)


def test_a_check_that_returns_no_verdict_is_a_mistake() -> None:
    @dataclass(frozen=True, slots=True, kw_only=True)
    class Silent(Check):
        def judge(self, value: str, case: Case) -> Iterator[Verdict]:  # it judges nothing
            return iter(())

    with pytest.raises(CheckError, match="Silent"):
        verify(TypeAdapter(Annotated[str, Silent()]), "x", context=CONTEXT)


# --- checks that would never run -------------------------------------------------------------


class _PlainField(BaseModel):
    quote: Quote

    @field_validator("quote", mode="plain")
    @classmethod
    def take(cls, value: str) -> str:
        return value


LOST: dict[str, Any] = {
    "SkipValidation": SkipValidation[Quote],
    "SkipValidation in a list": list[SkipValidation[Quote]],
    "SkipValidation on a model": Box[SkipValidation[Fact]],
    "InstanceOf": Box[InstanceOf[Fact]],
    "plain validator": Annotated[str, Quoted(), PlainValidator(str)],
    "plain validator of a field": _PlainField,
    "plain validator of a field further in": Box[list[_PlainField]],
    "items that are validated when they are read": Box[Iterable[Fact]],
}


@pytest.mark.parametrize("model", LOST.values(), ids=LOST.keys())
def test_a_declared_check_that_would_never_run_is_refused(model: Any) -> None:
    with pytest.raises(MarkerError):
        verify(model, {"content": {"quote": FALSE}}, context=CONTEXT)


def test_a_grounded_model_with_a_check_that_would_never_run_is_refused_when_it_is_built() -> None:
    with pytest.raises(MarkerError):

        class Answer(Grounded):
            quote: SkipValidation[Quote]


def test_values_without_checks_may_skip_validation() -> None:
    class Answer(Grounded):
        quote: Quote
        note: SkipValidation[str]
        settings: InstanceOf[Free]

    settings = Free(text="x")
    data = {"quote": TRUE, "note": 3, "settings": settings}
    assert verify(Answer, data, context=CONTEXT).settings == settings


# --- assignments -----------------------------------------------------------------------------


class _Answer(Grounded):
    source: str
    quote: Annotated[str, Quoted(of="source")]
    facts: list[Fact] = []
    note: str = ""


@pytest.mark.parametrize("field", ["quote", "source", "facts"])
def test_a_field_that_was_judged_takes_no_other_value(field: str) -> None:
    answer = verify(_Answer, {"source": "0", "quote": TRUE}, context=CONTEXT)
    with pytest.raises(MissingVerdictError):
        setattr(answer, field, getattr(answer, field))
    answer.note = "fine"
    changed = answer.model_copy(update={"quote": FALSE})
    assert not audit(_Answer, changed, context=CONTEXT).ok


def test_with_validated_assignments_other_fields_are_assigned_as_in_pydantic() -> None:
    class Counted(_Answer):
        model_config = ConfigDict(validate_assignment=True, extra="forbid")
        count: int = 0
        _seen: int = 0

        @model_validator(mode="after")
        def check(self) -> Self:
            if self.count > 5:
                raise ValueError("too many")
            return self

    answer = verify(Counted, {"source": "0", "quote": TRUE}, context=CONTEXT)
    answer.count = "3"  # type: ignore[assignment]
    assert answer.count == 3
    for name, value in (("count", 6), ("count", "many"), ("more", 3)):
        with pytest.raises(ValidationError):
            setattr(answer, name, value)
    answer._seen = 1
    assert answer._seen == 1
    with pytest.raises(MissingVerdictError):
        answer.quote = TRUE


def test_a_field_of_a_plain_model_that_validates_assignments_takes_no_unjudged_value() -> None:
    answer = verify(Assigned, {"quote": TRUE}, context=CONTEXT)
    with pytest.raises(Mistake):
        answer.quote = FALSE  # type: ignore[assignment]
    assert answer.quote == TRUE


def test_a_model_whose_validator_changes_a_judged_field_to_itself_is_fine() -> None:
    class Sorted(_Answer):
        @model_validator(mode="after")
        def sort(self) -> "Sorted":
            self.facts = sorted(self.facts, key=lambda one: one.quote)
            return self

    facts = [{"quote": "tall and grey"}, {"quote": TRUE}]
    answer = verify(Sorted, {"source": "0", "quote": TRUE, "facts": facts}, context=CONTEXT)
    assert [str(one.quote) for one in answer.facts] == [TRUE, "tall and grey"]


# --- declared, and never run -----------------------------------------------------------------

_Loose = TypeAliasType("_Loose", SkipValidation[list[T]], type_params=(T,))
_Tight = TypeAliasType("_Tight", list[T], type_params=(T,))
_Alias = TypeAliasType("_Alias", Quote)


@dataclass
class _Pair(Generic[T]):
    first: T
    second: SkipValidation[T]


@dataclass
class _Judged(Generic[T]):
    first: T
    second: list[T]
    quote: Quote


class _GenericDict(TypedDict, Generic[T]):
    skipped: SkipValidation[T]
    content: T


class _GenericTuple(NamedTuple, Generic[T]):
    content: T


class _Computing(BaseModel):
    title: Quote

    @computed_field  # type: ignore[prop-decorator]
    @property
    def motto(self) -> list[Quote]:
        return [self.title]


_HIDDEN: dict[str, Any] = {
    "beside a model with the same check": tuple[SkipValidation[Quote], Fact],
    "a model beside the same model": tuple[SkipValidation[Fact], Fact],
    "beside a sequence, whose schema has its check twice": tuple[
        SkipValidation[Quote], Sequence[Quote]
    ],
    "an alias beside the same alias": tuple[_Alias, SkipValidation[_Alias]],
    "a generic alias": _Loose[Quote],
    "a generic alias in another": _Tight[_Loose[Quote]],
    "the key of a mapping": dict[SkipValidation[Quote], Quote],
    "a generic dataclass": _Pair[Quote],
    "a generic TypedDict": _GenericDict[Fact],
    "a root model": RootModel[SkipValidation[list[Quote]]],
    "a computed field": list[_Computing],
}


@pytest.mark.parametrize("model", _HIDDEN.values(), ids=_HIDDEN.keys())
def test_a_check_that_another_one_hides_is_refused(model: Any) -> None:
    with pytest.raises(MarkerError):
        verify(model, None, context=CONTEXT)


_RUN: dict[str, Any] = {
    "aliases": tuple[_Alias, _Alias],
    "a generic alias": _Tight[_Tight[Quote]],
    "models": tuple[Fact, Fact, list[Fact]],
    "a generic dataclass": _Judged[Quote],
    "a generic dataclass without checks in its arguments": _Pair[str],
    "a generic named tuple": _GenericTuple[Fact],
    "a model in itself": Node,
    "containers": tuple[set[Quote], frozenset[Quote], deque[Quote], Sequence[Quote], Quote],
}


@pytest.mark.parametrize("model", _RUN.values(), ids=_RUN.keys())
def test_checks_that_all_run_are_accepted(model: Any) -> None:
    with pytest.raises(ValidationError):  # and no mistake
        verify(model, object(), context=CONTEXT)


def test_a_marker_without_parentheses_is_refused_when_the_class_is_built() -> None:
    with pytest.raises(MarkerError, match="parentheses"):

        class Answer(BaseModel):
            quote: Annotated[str, Quoted]


def test_a_marker_that_is_a_wrap_validator_is_refused() -> None:
    class Plain(BaseModel):
        quote: str
        _quoted = field_validator("quote", mode="wrap")(Quoted())  # type: ignore[type-var]

    with pytest.raises(MarkerError, match="wrap"):
        Plain.model_validate({"quote": TRUE}, context=CONTEXT)
    with pytest.raises(MarkerError, match="wrap"):

        class Answer(Grounded):
            quote: str
            _quoted = field_validator("quote", mode="wrap")(Quoted())  # type: ignore[type-var]


@pytest.mark.parametrize("mode", ["before", "plain", "after"])
def test_a_marker_that_is_another_validator_judges(mode: Any) -> None:
    class Answer(Grounded):
        quote: str
        _quoted = field_validator("quote", mode=mode)(Quoted())  # type: ignore[no-untyped-call]

    assert audit(Answer, {"quote": TRUE}, context=CONTEXT).ok
    assert not audit(Answer, {"quote": FALSE}, context=CONTEXT).ok


def test_fields_may_have_the_names_of_the_keys_of_a_schema() -> None:
    names = (
        "type schema_ref ref cls function fields items_schema choices config strict root".split()
    )
    fields: Any = dict.fromkeys(names, (Quote, ...))
    model: Any = create_model("Answer", __base__=Grounded, **fields)
    data = dict.fromkeys(names, TRUE)
    assert audit(list[model], [data], context=CONTEXT).ok
    for name in data:
        report = audit(model, {**data, name: FALSE}, context=CONTEXT)
        assert [fault.loc for fault in report.faults] == [(name,)]


class _OptionalKeys(TypedDict, total=False):
    source: str
    quote: Annotated[str, Quoted(of="source")]


def test_a_check_runs_also_where_the_optional_key_that_it_reads_is_left_out() -> None:
    adapter = TypeAdapter(_OptionalKeys)
    with pytest.raises(ValidationError):
        adapter.validate_python({"quote": FALSE}, context=CONTEXT)
    assert not audit(adapter, {"quote": FALSE}, context=CONTEXT).ok


def _or_default(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    try:
        return handler(value)
    except ValidationError:
        return "none"


def test_a_fault_that_is_swallowed_is_no_default() -> None:
    class Swallowing(BaseModel):
        quote: Annotated[Quote, WrapValidator(_or_default)] = "none"  # type: ignore[assignment]

    @pydantic_dataclass
    class SwallowingDataclass:
        quote: Annotated[Quote, WrapValidator(_or_default)] = "none"  # type: ignore[assignment]

    models: list[Any] = [Swallowing, SwallowingDataclass]
    for model in models:
        assert audit(model, {}, context=CONTEXT).ok
        assert audit(model, {"quote": TRUE}, context=CONTEXT).ok
        with pytest.raises(MissingVerdictError):
            audit(model, {"quote": FALSE}, context=CONTEXT)


# --- instances where nothing is judged -------------------------------------------------------


class _Shape(BaseModel):
    name: str


class _Circle(_Shape):
    radius: int


class _Drawing(Grounded):
    quote: Quote
    shape: _Shape
    anything: Any
    part: Annotated[Cited | Free, Field(discriminator="kind")]
    shapes: list[_Shape] = []


class _FreeWithMore(Free):
    more: str = "more"


def test_an_instance_stays_as_it_is_where_nothing_is_judged() -> None:
    circle, part = _Circle(name="a", radius=3), _FreeWithMore(text="x")
    data = {"quote": TRUE, "shape": circle, "anything": fact(FALSE), "part": part}
    for answer in (
        _Drawing.model_validate({**data, "shapes": [circle]}, context=CONTEXT),
        verify(_Drawing, {**data, "shapes": (shape for shape in [circle])}, context=CONTEXT),
    ):
        assert answer.shape is circle and answer.shapes == [circle] and answer.part is part
        assert answer.anything == fact(FALSE)


class _Cited(Fact):
    page: int
    more: Quote = TRUE  # type: ignore[assignment]


class _Paper(Grounded):
    facts: list[Fact] = []
    best: Fact | None = None


class _Signed(_Paper):
    author: str = ""


def _cited(quote: str, **more: Any) -> _Cited:
    answer = _Cited.model_construct(quote=quote, page=1, more=TRUE)
    return answer.model_copy(update=more)


def test_an_instance_of_a_subclass_is_judged_by_its_class_and_keeps_its_fields() -> None:
    data: dict[str, Any] = {
        "facts": [_cited(TRUE, page=2), {"quote": TRUE}],
        "best": _cited(TRUE),
    }
    for answer in (
        _Paper.model_validate(data, context=CONTEXT),
        verify(_Paper, data, context=CONTEXT),
        verify(_Paper, _Signed.model_construct(**data, author="Ida"), context=CONTEXT),
    ):
        assert answer.facts == [_cited(TRUE, page=2), Fact.model_construct(quote=TRUE)]
        assert isinstance(answer.best, _Cited)
        assert getattr(answer, "author", "Ida") == "Ida"


def test_the_faults_of_an_instance_of_a_subclass_have_their_places() -> None:
    data = {"facts": [{"quote": FALSE}, _cited(FALSE)], "best": _cited(TRUE, more=FALSE, page="x")}
    report = audit(_Paper, data, context=CONTEXT)
    assert {(fault.loc, fault.slug) for fault in report.faults} == {
        (("facts", 0, "quote"), "quote_altered"),
        (("facts", 1, "quote"), "quote_altered"),
        (("best", "more"), "quote_altered"),
        (("best", "page"), "int_parsing"),
    }
    assert report.error is not None and len(report.error.errors()) == 4


def test_an_instance_of_another_model_is_read_as_its_data() -> None:
    class Other(BaseModel):
        quote: str

    class Others(BaseModel):
        facts: list[Other]

    other = Others(facts=[Other(quote=TRUE)])
    assert [fact.quote for fact in verify(_Paper, other, context=CONTEXT).facts] == [TRUE]
    assert not audit(_Paper, Others(facts=[Other(quote=FALSE)]), context=CONTEXT).ok
