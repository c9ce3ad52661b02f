"""OpenAI's rules for strict schemas accept our models, as the SDK and LangChain send them."""

from typing import Annotated, Any, Literal

import pytest
from langchain_core.utils.function_calling import convert_to_openai_tool
from openai.lib._parsing._completions import type_to_response_format_param
from openai.lib._parsing._responses import type_to_text_format_param
from openai.lib._pydantic import to_strict_json_schema
from pydantic import BaseModel, Field, TypeAdapter

from groundtypes import (
    Aligned,
    Answered,
    Entailed,
    Faithful,
    Figures,
    Grounded,
    Judged,
    Judges,
    Quote,
    Quoted,
    Supported,
    models,
)
from tests.integrations.frameworks.strict_schemas import violations


class Source(BaseModel):
    """A nested model with a sibling that is named."""

    source: str | None = None
    quote: Annotated[str, Quoted(of="source", fuzzy=True, max_words=30, on_fault="drop")]


class Nested(Grounded):
    """A `Grounded` inside of another."""

    quote: Quote
    kind: Literal["fact", "opinion"]


class EveryMarker(Grounded):
    """All checks, with options that add to the schema."""

    text: Annotated[str, Answered(unless_unanswerable=True), Entailed(), Figures(), Supported()]
    judged: Annotated[str, Judged("It is polite."), Faithful(), Aligned()]
    sources: Annotated[list[Source], Field(min_length=1, max_length=3)]
    nested: Nested
    more: list[Nested] | None = None
    quote: Quote | None = Field(default=None, description="The best quote.")


MODELS = [
    *(
        model
        for model in map(models.__dict__.get, models.__all__)
        if isinstance(model, type) and issubclass(model, BaseModel)
    ),
    models.supported_answer("answer", Judges()),
    EveryMarker,
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_our_models_follow_the_rules(model: type[BaseModel]) -> None:
    assert violations(to_strict_json_schema(model)) == []
    chat: Any = type_to_response_format_param(model)
    text: Any = type_to_text_format_param(model)
    for sent in (chat["json_schema"], text):
        assert sent["strict"] is True
        assert sent["name"].replace("_", "").replace("-", "").isalnum() and len(sent["name"]) <= 64
        assert violations(sent["schema"]) == []


@pytest.mark.parametrize("model", MODELS[:-1], ids=lambda model: model.__name__)
def test_langchain_sends_schemas_that_follow_the_rules(model: type[BaseModel]) -> None:
    # LangChain leaves a default of `None` in, which the SDK removes: our own models have none.
    sent = convert_to_openai_tool(model, strict=True)["function"]
    assert sent["strict"] is True
    assert violations(sent["parameters"]) == []


def obj(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def nested(levels: int) -> dict[str, Any]:
    return obj(inner=nested(levels - 1)) if levels > 1 else obj(text={"type": "string"})


TEXT = {"type": "string"}


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"anyOf": [obj(a=TEXT)]}, "is no object"),
        (obj(a={"type": "string", "default": "x"}), "keywords ['default']"),
        (obj(a={"type": "string", "minLength": 1}), "keywords ['minLength']"),
        (obj(a={"type": "array", "items": TEXT, "uniqueItems": True}), "keywords ['uniqueItems']"),
        (obj(a={"type": "array", "prefixItems": [TEXT]}), "keywords ['prefixItems']"),
        (obj(a={"oneOf": [TEXT]}), "keywords ['oneOf']"),
        (obj(a={"type": "string", "format": "uri"}), "format uri"),
        (obj(a={}), "has no type"),
        (obj(a={"$ref": "#/$defs/A"}), "#/$defs/A does not exist"),
        ({**obj(a={"$ref": "#/$defs/A", "title": "A"}), "$defs": {"A": TEXT}}, "$ref beside"),
        ({**obj(a=TEXT), "required": []}, "not all properties are required"),
        (obj(a={**obj(b=TEXT), "additionalProperties": {}}), "additionalProperties is not false"),
        (nested(11), "11 levels"),
        (obj(**{f"a{number}": TEXT for number in range(5_001)}), "5001 properties"),
        (obj(a={"enum": [str(number) for number in range(1_001)]}), "1001 enum values"),
        (obj(**{"a" * 120_001: TEXT}), "120001 characters"),
        (obj(a={"enum": [f"{number:080}" for number in range(251)]}), "a long enum"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_schema_that_breaks_a_rule_is_found(schema: dict[str, Any], text: str) -> None:
    assert any(text in violation for violation in violations(schema))


def test_schemas_within_the_limits_pass() -> None:
    assert violations(nested(10)) == []
    recursive = {**obj(a={"$ref": "#/$defs/A"}), "$defs": {"A": obj(a={"$ref": "#/$defs/A"})}}
    assert violations(recursive) == []
    assert violations(TypeAdapter(EveryMarker).json_schema()) != []  # before the SDK has changed it
