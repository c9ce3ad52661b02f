"""A `Grounded` model is a Pydantic model: unions, recursion, generics, JSON schemas, no cost."""

# The models are built on a base that is passed.
# mypy: allow-subclassing-any

import inspect
import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from types import GenericAlias
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeVar

import pytest
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PydanticUserError,
    RootModel,
    SkipValidation,
    TypeAdapter,
    ValidationError,
    create_model,
    model_validator,
)
from pydantic_core import CoreSchema, core_schema

from groundtypes import Answered, Grounded, Judges, Quote, Quoted, audit
from groundtypes.errors import MarkerError
from groundtypes.validation.model_rounds import ModelRounds
from tests.checks import Follows, ScriptedNLI

CONTEXT = {"references": "It is tall and grey."}
T = TypeVar("T")


class Models(NamedTuple):
    """The same models, of either base."""

    union: Any
    recursive: Any
    nested: Any
    generic: Any
    described: Any


def models(base: Any) -> Models:
    class Cited(base):
        kind: Literal["cited"] = "cited"
        text: Quote

    class Free(base):
        kind: Literal["free"]
        text: str

    class Union(base):
        part: Cited | Free = Field(discriminator="kind")
        parts: list[Annotated[Cited | Free, Field(discriminator="kind")]] = []

    class Node(base):
        quote: Quote
        child: "Node | None" = None
        others: dict[str, "Node"] = {}

    class Nested(base):
        """Its own description."""

        first: Cited
        second: Cited | None = None
        free: Free
        node: Node

    class Box(base, Generic[T]):
        content: T

    class Described(base):
        model_config = ConfigDict(title="Another title", json_schema_extra={"examples": [{}]})
        answer: Annotated[str, Answered(), Quoted()] = Field(alias="Answer", description="Say it.")
        free: list[Free] = []

    return Models(Union, Node, Nested, Box[list[Cited]], Described)


PLAIN, GROUNDED = models(BaseModel), models(Grounded)


def list_of(model: Any) -> Any:
    return GenericAlias(list, model)


@pytest.mark.parametrize("mode", ["validation", "serialization"])
@pytest.mark.parametrize("name", Models._fields)
def test_the_json_schema_is_that_of_a_plain_model(name: str, mode: Any) -> None:
    plain, ours = getattr(PLAIN, name), getattr(GROUNDED, name)
    assert ours.model_json_schema(mode=mode) == plain.model_json_schema(mode=mode)
    several: list[TypeAdapter[Any]] = [TypeAdapter(list_of(model)) for model in (ours, plain)]
    assert several[0].json_schema(mode=mode) == several[1].json_schema(mode=mode)


def test_a_discriminated_union_of_grounded_models_judges_the_branch_that_its_tag_names() -> None:
    union = GROUNDED.union
    data = {
        "part": {"kind": "cited", "text": "It is tall"},
        "parts": [{"kind": "free", "text": ""}],
    }
    assert union.model_validate(data, context=CONTEXT).part.text == "It is tall"
    data["parts"] = [{"kind": "cited", "text": "It is red"}]
    with pytest.raises(ValidationError) as raised:
        union.model_validate(data, context=CONTEXT)
    [fault] = raised.value.errors()
    assert fault["loc"] == ("parts", 0, "cited", "text")
    assert [one.loc for one in audit(union, data, context=CONTEXT).faults] == [fault["loc"]]


def test_a_plain_union_of_grounded_models_is_refused_by_the_names_of_its_branches() -> None:
    class A(Grounded):
        text: Quote

    class B(Grounded):
        text: str

    with pytest.raises(MarkerError, match=r"A \| B"):

        class Loose(Grounded):
            part: A | B


def test_a_recursive_model_is_judged_at_every_depth() -> None:
    data = {"quote": "It is tall", "child": {"quote": "and grey", "others": {"x": {"quote": "no"}}}}
    with pytest.raises(ValidationError) as raised:
        GROUNDED.recursive.model_validate(data, context=CONTEXT)
    assert [line["loc"] for line in raised.value.errors()] == [("child", "others", "x", "quote")]


class First(Grounded):
    second: "Second | None" = None


class Second(Grounded):
    first: First | None = None
    claim: Annotated[str, Follows()]


def test_models_that_refer_to_each_other_settle_their_questions_in_one_batch() -> None:
    data = {"second": {"claim": "a", "first": {"second": {"claim": "b"}}}}
    for validate in (First.model_validate, TypeAdapter(First).validate_python):
        engine = ScriptedNLI()
        context = {"references": "a b c", "judges": Judges(nli=engine)}
        validate(data, context=context)
        assert [len(batch) for batch in engine.batches] == [2]
    with pytest.raises(ValidationError):
        First.model_validate({"second": {"claim": "x"}}, context=context)


def has_rounds(model: type[BaseModel]) -> bool:
    return ModelRounds.of(model).inner_schema is not None


def test_a_model_without_checks_has_the_core_schema_of_pydantic() -> None:
    class Item(Grounded):
        name: str
        type: dict[str, int] = {}

    class Order(Grounded):
        items: list[Item]
        note: Annotated[str, Field(max_length=3)] | None = None

    class Checked(Order):
        quote: Quote

    assert Order.__pydantic_core_schema__["type"] == "model"
    assert [has_rounds(model) for model in (Item, Order, Checked)] == [False, False, True]


def test_a_model_becomes_one_with_rounds_when_its_forward_reference_turns_out_to_have_a_check() -> (
    None
):
    class Late(Grounded):
        part: "Part"

    class Part(BaseModel):
        quote: Quote

    Late.model_rebuild(_types_namespace={"Part": Part})
    assert has_rounds(Late)
    with pytest.raises(ValidationError):
        Late.model_validate({"part": {"quote": "It is red"}}, context=CONTEXT)


def test_a_check_that_would_never_run_is_found_when_a_forward_reference_is_known() -> None:
    class Skipping(Grounded):
        part: "SkipValidation[Part]"

    class Part(BaseModel):
        quote: Quote

    Skipping.model_rebuild(_types_namespace={"Part": Part, "SkipValidation": SkipValidation})
    with pytest.raises(MarkerError):
        Skipping.model_validate({"part": {"quote": "It is red"}}, context=CONTEXT)


def test_a_model_that_is_rebuilt_by_force_still_runs_its_checks() -> None:
    class Answer(Grounded):
        quote: Quote

    for _ in range(2):
        for text, strict in (('{"quote": "It is tall"}', True), ('{"quote": "and grey"}', False)):
            assert Answer.model_validate_json(text, strict=strict, context=CONTEXT)
        with pytest.raises(ValidationError):
            Answer.model_validate_json('{"quote": "It is red"}', context=CONTEXT)
        Answer.model_rebuild(force=True)


def test_a_grounded_model_can_stand_in_for_another_type() -> None:
    class Name:
        def __init__(self, text: str) -> None:
            self.text = text

    class Cited(Grounded):
        text: Quote

    class ValidatedAs:
        def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
            return core_schema.no_info_after_validator_function(
                lambda cited: Name(cited.text), handler(Cited)
            )

    adapter: TypeAdapter[Name] = TypeAdapter(Annotated[Name, ValidatedAs()])
    assert adapter.validate_python({"text": "It is tall"}, context=CONTEXT).text == "It is tall"
    with pytest.raises(ValidationError):
        adapter.validate_python({"text": "It is red"}, context=CONTEXT)


def test_a_grounded_model_can_be_created_by_a_call_and_be_a_root() -> None:
    made = create_model("made", __base__=Grounded, quote=(Quote, ...))
    several = RootModel[list[made]]  # type: ignore[valid-type]
    assert len(several.model_validate([{"quote": "It is tall"}], context=CONTEXT).root) == 1
    with pytest.raises(ValidationError):
        several.model_validate([{"quote": "It is red"}], context=CONTEXT)


def _extended(base: Any) -> Any:
    class Described(base):
        text: Quote

        @classmethod
        def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> Any:
            made = handler.resolve_ref_schema(handler(schema))
            made["examples"] = ["one"]
            return made

    class Holder(base):
        one: Described
        two: list[Described]

        @model_validator(mode="wrap")
        @classmethod
        def whatever(cls, value: Any, handler: Callable[[Any], Any]) -> Any:
            return handler(value)

    return Holder


def test_a_json_schema_that_the_model_extends_is_that_of_a_plain_model() -> None:
    assert _extended(Grounded).model_json_schema() == _extended(BaseModel).model_json_schema()


class Shouting(Grounded):
    text: Annotated[str, Quoted()]
    marks: str = ""

    @model_validator(mode="after")
    def shout(self) -> "Shouting":
        self.marks += "!"
        return self


class Meeting(Grounded):
    speech: Shouting
    kind: dict[str, str] = {}
    type: dict[str, str] = {}


def test_the_validators_of_a_nested_model_run_once_in_a_round() -> None:
    data = {"speech": {"text": "It is tall"}}
    assert Meeting.model_validate(data, context=CONTEXT).speech.marks == "!"
    text = '{"speech": {"text": "It is tall"}}'
    for strict in (True, None):
        made = Meeting.model_validate_json(text, strict=strict, context=CONTEXT)
        assert made.speech.marks == "!"


class Dated(Grounded):
    model_config = ConfigDict(strict=True)
    quote: Quote = Field(alias="Quote")
    day: date | None = None
    count: int = 0


def test_options_of_a_validation_reach_the_model() -> None:
    text = '{"Quote": "It is tall", "day": "2020-01-01"}'
    for strict in (None, True, False):
        made = Dated.model_validate_json(text, strict=strict, context=CONTEXT)
        assert made.day == date(2020, 1, 1)
    late = '{"Quote": "It is tall", "count": "1"}'
    assert Dated.model_validate_json(late, strict=False, context=CONTEXT).count == 1
    with pytest.raises(ValidationError):
        Dated.model_validate_json(late, context=CONTEXT)
    strings = {"Quote": "It is tall", "count": "1"}
    assert Dated.model_validate_strings(strings, context=CONTEXT).count == 1


def test_a_standard_dataclass_has_the_configuration_of_the_model_around_it() -> None:
    @dataclass
    class Name:
        name: str

    def described(base: Any) -> Any:
        class Person(base):
            model_config = ConfigDict(str_max_length=5)
            name: Name
            quote: Quote

        return Person.model_json_schema()

    assert described(Grounded) == described(BaseModel)


def test_an_error_in_a_plain_union_names_the_model() -> None:
    adapter: TypeAdapter[Shouting | int] = TypeAdapter(Shouting | int)
    with pytest.raises(ValidationError) as raised:
        adapter.validate_python({"text": "It is red"}, context=CONTEXT)
    assert raised.value.errors()[0]["loc"] == ("function-wrap[Shouting()]", "text")


class _Options(Grounded):
    quote: Quote = Field(alias="Quote")
    number: int = 0
    data: bytes = b""


class _PlainOptions(BaseModel):
    quote: str = Field(alias="Quote")
    number: int = 0
    data: bytes = b""


@pytest.mark.skipif(
    "extra" not in inspect.signature(BaseModel.model_validate).parameters,
    reason="before Pydantic 2.12 a validation has not all of these options",
)
@pytest.mark.parametrize(
    "method", ["model_validate", "model_validate_json", "model_validate_strings"]
)
@pytest.mark.parametrize("name", ["quote", "Quote"])
@pytest.mark.parametrize("more", [{}, {"zz": "1"}, {"number": "1"}], ids=["", "extra", "number"])
def test_the_options_of_a_validation_are_those_of_pydantic(
    method: str, name: str, more: dict[str, str]
) -> None:
    data: Any = {name: "It is tall", **more}
    if method == "model_validate_json":
        data = json.dumps(data)
    for strict, extra, by_alias, by_name in itertools.product(
        (None, True), (None, "forbid", "allow"), (None, True, False), (None, True, False)
    ):
        options = {"strict": strict, "extra": extra, "by_alias": by_alias, "by_name": by_name}
        outcomes = []
        for model in (_Options, _PlainOptions):
            try:
                answer = getattr(model, method)(
                    data, context={"references": "It is tall."}, **options
                )
                outcomes.append(answer.model_dump())
            except ValidationError as error:
                outcomes.append([(line["type"], line["loc"]) for line in error.errors()])
            except PydanticUserError as error:  # neither by name nor by alias
                outcomes.append(type(error))
        assert outcomes[0] == outcomes[1], options
