"""Quotes that are stored together with their span, and read back with it (`Quoted(spans=True)`).

A stored quote is an object with `text`, `reference`, `start` and `end`. What it states is input
like any other: the span counts only if the reference has the text there, as whole words
(`match_at_stated_span`). Otherwise the text is searched for like that of any quote.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from pydantic import SerializationInfo, ValidatorFunctionWrapHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from groundtypes.references import References, Span

if TYPE_CHECKING:
    from groundtypes.quotes import QuoteMatch

#: The serialization context that writes quotes as text, which is how an LLM writes them.
PLAIN_QUOTES: Final = {"spans": False}
_STRING: Final = {"type": "string"}
_NULL: Final = {"type": "null"}


class StatedQuote(str):
    """The text of a quote with the span that its input states, which nobody has checked yet."""

    __slots__ = ("stated",)

    stated: Span


def with_spans(schema: CoreSchema) -> CoreSchema:
    """Return the schema of a quote that is written as an object, and read from one or from text."""
    integer, text = core_schema.int_schema(), core_schema.str_schema()
    fields = {"text": text, "reference": text, "start": integer, "end": integer}
    stored = core_schema.typed_dict_schema(
        {name: core_schema.typed_dict_field(field) for name, field in fields.items()}
    )
    # A default, which Pydantic does not validate, has no span and stays as it is.
    written = core_schema.nullable_schema(core_schema.union_schema([stored, text]))
    return core_schema.no_info_wrap_validator_function(
        _read,
        schema,
        serialization=core_schema.plain_serializer_function_ser_schema(
            _written, info_arg=True, return_schema=written
        ),
    )


def object_schema(json_schema: JsonSchemaValue, schema: Mapping[str, Any]) -> JsonSchemaValue:
    """Return the JSON schema of what is written for a validated quote: an object."""
    choices = json_schema.get("anyOf")
    if not isinstance(choices, list) or _STRING not in choices:
        return json_schema  # another serializer of the user's
    unused = (_STRING,) if _accepts_none(schema) else (_STRING, _NULL)
    used = [choice for choice in choices if choice not in unused]
    other = {key: value for key, value in json_schema.items() if key != "anyOf"}
    return {**(used[0] if len(used) == 1 else {"anyOf": used}), **other}


def match_at_stated_span(
    quote: str, references: References, within: str | None
) -> "QuoteMatch | None":
    """Return the match at the span that a quote states, or `None` if it is not exactly there."""
    if not isinstance(quote, StatedQuote):
        return None
    from groundtypes.quotes import MatchKind, QuoteMatch  # noqa: PLC0415 # compiles large patterns
    from groundtypes.quotes.exact_search import first_whole_place  # noqa: PLC0415 # the same

    stated = quote.stated
    id_, start, end = stated.reference, stated.start, stated.end
    if id_ not in references or within not in (None, id_) or not quote.strip():
        return None
    number, words = references.number(id_), str(quote)
    text = references.texts[number]
    if not 0 <= start < end <= len(text) or text[start:end] != words:
        return None
    if first_whole_place(words, references.texts, [(number, start)]) is None:
        return None
    return QuoteMatch(words, references.span_at(number, start, end), MatchKind.EXACT)


def _accepts_none(schema: Mapping[str, Any]) -> bool:
    part: Any = schema
    while isinstance(part, Mapping):
        if part["type"] == "nullable":
            return True
        part = part.get("schema")
    return False


def _read(value: Any, validate: ValidatorFunctionWrapHandler) -> Any:
    """Validate a text, a stored quote or a validated one; keep the span that it states."""
    text, span = value, getattr(value, "span", None) if isinstance(value, str) else None
    if isinstance(value, Mapping) and isinstance(value.get("text"), str):
        text, span = value["text"], _stated_span(value)
    validated = validate(str.__str__(text) if isinstance(text, str) else text)
    if not isinstance(span, Span) or type(validated) is not str or validated != text:
        return validated
    quote = StatedQuote(validated)
    quote.stated = span
    return quote


def _stated_span(stored: Mapping[Any, Any]) -> Span | None:
    """Return the span of a stored quote, or `None` if its parts have other types."""
    reference, start, end = (stored.get(key) for key in ("reference", "start", "end"))
    if not isinstance(reference, str) or type(start) is not int or type(end) is not int:
        return None
    return Span(str.__str__(reference), start, end)


def _written(value: Any, info: SerializationInfo) -> Any:
    span = getattr(value, "span", None)
    if not isinstance(value, str) or not isinstance(span, Span):
        return value
    text = str.__str__(value)
    if isinstance(info.context, Mapping) and info.context.get("spans") is False:
        return text
    return {"text": text, "reference": span.reference, "start": span.start, "end": span.end}
