"""`read_answer`: what a provider's message says and cites, in one shape for all providers."""

from dataclasses import replace
from typing import Any

from pydantic_core import from_json

from groundtypes.citations.providers.message_fields import described
from groundtypes.citations.providers.messages import read_message
from groundtypes.citations.providers.provider_answer import ProviderAnswer
from groundtypes.citations.providers.sources import resolve
from groundtypes.citations.providers.without_text import not_an_answer, why_no_text
from groundtypes.errors import CitationsError
from groundtypes.references import References


def read_answer(message: Any, references: Any = None) -> ProviderAnswer:
    """Return the text of a provider's message with its citations, in one shape for all providers.

    Args:
        message: A message or response of Anthropic, OpenAI (Responses or chat completions), Azure
            OpenAI, Gemini, Perplexity or Cohere, a message of LangChain or pydantic-ai that
            carries one of these, or a list of its blocks: as the object of the SDK, as plain data,
            or as JSON.
        references: The documents of the request, in any shape that `References.of` reads. They are
            found by their ids, or by an address, file name or title that is an id or in the
            metadata; else by their position in the request. `request_documents` reads them from the
            messages of a request.

    Examples:
        >>> message = {
        ...     "content": [
        ...         {"type": "text", "text": "According to the guide, "},
        ...         {
        ...             "type": "text",
        ...             "text": "the grass is green.",
        ...             "citations": [
        ...                 {
        ...                     "type": "char_location",
        ...                     "cited_text": "The grass is green. ",
        ...                     "document_index": 0,
        ...                     "document_title": "Guide",
        ...                     "start_char_index": 0,
        ...                     "end_char_index": 20,
        ...                 }
        ...             ],
        ...         },
        ...     ]
        ... }
        >>> answer = read_answer(message, ["The grass is green. The sky is blue."])
        >>> [citation] = answer.citations
        >>> answer.text[citation.start : citation.end], citation.references
        ('the grass is green.', ('0',))

    A message of a provider without any text, such as a refusal, calls of tools or an answer that
    was blocked, is an answer whose text is empty; its `no_text` says what it is.

    Raises:
        CitationsError: The message has no known shape.
        ReferencesError: The references cannot be read.
    """
    given = None if references is None else References.of(references)
    if isinstance(message, str | bytes | bytearray):
        message = _parsed(message)
    draft = read_message(message)
    if draft is not None:
        return resolve(draft.text, draft.citations, draft.sources, given)
    if (reason := why_no_text(message)) is not None:
        return replace(resolve("", (), (), given), no_text=reason)
    hint = not_an_answer(message) or (
        "Pass a message of Anthropic, OpenAI, Gemini, Cohere, Perplexity, LangChain or "
        "pydantic-ai: the object of its SDK, or its data."
    )
    raise CitationsError(f"No answer can be read from {described(message)}. {hint}")


def _parsed(message: str | bytes | bytearray) -> Any:
    """Return the data of a message that was given as JSON."""
    try:
        return from_json(message)
    except ValueError:
        raise CitationsError(
            "A text has no citations. Pass the message of the provider: the object that its SDK "
            "returns, or its JSON."
        ) from None
