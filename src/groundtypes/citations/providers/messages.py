"""`read_answer`: what a provider's message says and cites; shapes of messages are told apart."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from pydantic_core import from_json

from groundtypes.citations.providers.answer_citations import (
    read_candidate,
    read_citations,
    read_grounding,
    read_perplexity,
    without_thoughts,
)
from groundtypes.citations.providers.bedrock import read_knowledge_base
from groundtypes.citations.providers.message_fields import (
    described,
    field,
    is_list,
    items,
    text_field,
)
from groundtypes.citations.providers.parts import Draft
from groundtypes.citations.providers.private_marks import read_private_marks
from groundtypes.citations.providers.provider_answer import ProviderAnswer
from groundtypes.citations.providers.search_answers import read_search_answer, search_answer
from groundtypes.citations.providers.sources import resolve
from groundtypes.citations.providers.text_blocks import (
    read_block,
    read_blocks,
    read_marks,
    read_results,
)
from groundtypes.errors import CitationsError
from groundtypes.references import References
from groundtypes.text.message_excerpts import clip

#: The fields in which messages have others, or blocks.
_INNER: Final = (
    "kwargs",
    "choices",
    "candidates",
    "output",
    "outputs",
    "message",
    "content",
    "parts",
)
_MAX_DEPTH: Final = 6
#: The types of messages in an output: OpenAI's, and Mistral's.
_MESSAGES: Final = ("message", "message.output")
_LANGCHAIN_TYPES: Final = frozenset({"ai", "AIMessage", "AIMessageChunk"})
#: How the types of those parts of a message end that are no text.
_PARTS: Final = ("call", "tool_use", "refusal", "thinking", "reasoning")


def why_no_text(message: object) -> str | None:
    """Return what a message of a provider is that has no text, with the reason that it gives."""
    if blocked := text_field(field(message, "prompt_feedback"), "block_reason"):
        return f"a question that was blocked ({blocked})"
    for skipped in items(search_answer(message), "answer_skipped_reasons"):
        return f"an answer that was skipped ({clip(str(getattr(skipped, 'name', skipped)), 60)})"
    reasons = list(_reasons(message, _MAX_DEPTH))
    output: Any = message if is_list(message) else field(message, "output", "outputs")
    output = output if is_list(output) else ()
    kinds = (text_field(item, "type") or "" for item in output)
    reason = next(filter(None, reasons), None)
    if reason is not None:
        return f"a message without text ({clip(reason, 60)})"
    is_message = bool(reasons) or any(kind.endswith(_PARTS) for kind in kinds)
    return "a message without text" if is_message else None


def _reasons(part: object, depth: int) -> Iterator[str]:
    """Yield why messages ended, and `""` for messages and parts of them that do not say it."""
    if isinstance(part, list | tuple):
        for item in part:
            yield from _reasons(item, depth - 1) if depth else ()
        return
    if part is None or isinstance(part, str):
        return
    if reason := text_field(part, "finish_reason", "stop_reason"):
        yield reason
    roles = text_field(part, "role"), text_field(part, "kind"), text_field(part, "object")
    is_ai = text_field(part, "type") in _LANGCHAIN_TYPES
    if is_ai or not {"assistant", "model", "response"}.isdisjoint(roles):
        yield ""
    for name in _INNER:
        yield from _reasons(field(part, name), depth - 1) if depth else ()


def read_message(message: object) -> Draft | None:
    """Return what a message says and cites; `None` if it has no known shape.

    Raises:
        CitationsError: A field has the wrong type.
    """
    draft = Draft()
    if isinstance(message, Mapping) and isinstance(message.get("kwargs"), Mapping):
        message = message["kwargs"]  # LangChain's `dumpd`
    for read in _READERS:
        if read(draft, message):
            read_private_marks(draft)
            return draft if draft.has_text else None
    return None


def _read_pydantic_ai(draft: Draft, message: object) -> bool:
    """Note a `ModelResponse` of pydantic-ai, a list of messages, or the result of a run."""
    if isinstance(message, list | tuple):
        responses = [each for each in message if _is_model_response(each)]
        message = responses[-1] if responses else None
    elif _is_model_response(field(message, "response")):
        message = field(message, "response")
    if not _is_model_response(message):
        return False
    for part in items(message, "parts"):
        kind = field(part, "part_kind")
        if kind == "text" and isinstance(field(part, "content"), str):
            noted = draft.add(field(part, "content"))
            details = field(part, "provider_details")
            for marks in (items(part, "citations"), items(details, "citations", "annotations")):
                read_marks(draft, noted, marks)
        else:
            draft.skip()
            if kind in ("builtin-tool-return", "native-tool-return"):
                found = field(part, "content")
                read_results(draft, found if is_list(found) else field(found, "results"))
    for part in items(message, "parts"):
        read_grounding(draft, field(field(part, "provider_details"), "grounding_metadata"))
    read_grounding(draft, field(field(message, "provider_details"), "grounding_metadata"))
    return True


def _is_model_response(message: object) -> bool:
    parts = field(message, "parts")
    return is_list(parts) and any(field(part, "part_kind") is not None for part in parts)


def _read_langchain(draft: Draft, message: object) -> bool:
    is_ai = field(message, "type") in _LANGCHAIN_TYPES
    metadata = field(message, "response_metadata")
    if metadata is None and not (is_ai and field(message, "content") is not None):
        return False
    grounding = field(metadata, "grounding_metadata")
    read_blocks(draft, field(message, "content"))
    read_grounding(draft, grounding)
    more = field(message, "additional_kwargs")
    annotations = items(more, "annotations") or items(metadata, "annotations")
    read_marks(draft, draft.whole(), annotations)
    # langchain-cohere puts the citations into both.
    citations = items(more, "citations") or items(metadata, "citations")
    documents = items(more, "documents") or items(metadata, "documents")
    read_citations(draft, [each for each in citations if not isinstance(each, str)], documents)
    # langchain-perplexity puts the addresses there.
    addresses = [each for each in citations if isinstance(each, str)]
    results = items(more, "search_results") or items(metadata, "search_results")
    read_perplexity(draft, {"citations": addresses, "search_results": results})
    return True


def _read_responses(draft: Draft, message: object) -> bool:
    """Note a response of OpenAI's Responses API or Mistral's conversations, or its output."""
    output: Any = message if is_list(message) else field(message, "output", "outputs")
    if not is_list(output) or not any(field(item, "type") in _MESSAGES for item in output):
        return False
    for item in output:
        if field(item, "type") in _MESSAGES:
            draft.separate()
            read_blocks(draft, field(item, "content"))
        elif field(item, "type") == "file_search_call":
            read_results(draft, field(item, "results"))
    return True


def _read_gemini(draft: Draft, message: object) -> bool:
    """Note a response of Gemini, or a candidate of it."""
    candidates = items(message, "candidates")
    candidate = candidates[0] if candidates else message
    if not is_list(field(field(candidate, "content"), "parts")):
        return False
    read_candidate(draft, candidate)
    return True


def _read_chat(draft: Draft, message: object) -> bool:
    """Note a chat completion, its message, or a response or message of Cohere or Bedrock."""
    choices = items(message, "choices")
    inner = field(choices[0], "message") if choices else field(message, "message")
    if inner is None:
        inner = field(field(message, "output"), "message")  # Bedrock
    if inner is None:
        inner = message
    content = field(inner, "content")
    if isinstance(inner, str) or not (isinstance(content, str) or is_list(content)):
        return False
    read_blocks(draft, without_thoughts(content) if choices else content)
    read_marks(draft, draft.whole(), items(inner, "annotations"))
    read_citations(draft, [each for each in items(inner, "citations") if not isinstance(each, str)])
    if choices:
        read_perplexity(draft, message)
    return True


def _read_bare_blocks(draft: Draft, message: object) -> bool:
    """Note text blocks that are in no message."""
    blocks: Iterable[Any] = message if isinstance(message, list | tuple) else (message,)
    for block in blocks:
        read_block(draft, block)
    return draft.has_text


#: The readers in the order in which they are tried: the most particular shapes first.
_READERS: Final[tuple[Callable[[Draft, object], bool], ...]] = (
    _read_pydantic_ai,
    _read_gemini,
    read_search_answer,
    read_knowledge_base,
    _read_responses,
    _read_langchain,
    _read_chat,
    _read_bare_blocks,
)


def read_answer(message: Any, references: Any = None) -> ProviderAnswer:
    """Return the text of a provider's message with its citations, in one shape for all providers.

    Args:
        message: A message or response of Anthropic, OpenAI (Responses or chat completions),
            Gemini, Vertex AI Search, Bedrock, Mistral, Perplexity or Cohere, a message of LangChain
            or pydantic-ai that carries one of these, or a list of its blocks: as the object of the
            SDK, as plain data, or as JSON.
        references: The documents of the request, in any shape that `References.of` reads. They are
            found by their ids, or by an address, file name or title that is an id or in the
            metadata; else by their position in the request. `request_documents` reads them from the
            messages of a request.

    Examples:
        >>> citation = {"type": "char_location", "cited_text": "The grass is green. "}
        >>> citation |= {"document_index": 0, "start_char_index": 0, "end_char_index": 20}
        >>> block = {"type": "text", "text": "the grass is green.", "citations": [citation]}
        >>> message = {"content": [{"type": "text", "text": "As the guide says, "}, block]}
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
    raise CitationsError(
        f"No answer can be read from {described(message)}. Pass a message of Anthropic, OpenAI, "
        "Gemini, Vertex AI Search, Bedrock, Mistral, Cohere, Perplexity, LangChain or pydantic-ai, "
        "whole and no event of a stream: the object of its SDK, or its data."
    )


def _parsed(message: str | bytes | bytearray) -> Any:
    """Return the data of a message that was given as JSON."""
    try:
        return from_json(message)
    except ValueError:
        raise CitationsError(
            "A text has no citations. Pass the message of the provider: the object that its SDK "
            "returns, or its JSON."
        ) from None
