"""Messages of providers and frameworks, told apart by their shape."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from groundtypes.citations.providers.blocks import read_block, read_blocks, read_marks
from groundtypes.citations.providers.cohere import read_citations
from groundtypes.citations.providers.gemini import read_candidate, read_grounding
from groundtypes.citations.providers.message_fields import field, items, text_field
from groundtypes.citations.providers.numbered import read_azure, read_perplexity, without_thoughts
from groundtypes.citations.providers.openai import read_file_search
from groundtypes.citations.providers.parts import Draft
from groundtypes.citations.providers.provider_answer import CitedSource

_LANGCHAIN_TYPES: Final = frozenset({"ai", "AIMessage", "AIMessageChunk"})


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
            return draft if draft.has_text else None
    return None


def _is_list(value: object) -> bool:
    return isinstance(value, list | tuple)


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
                _read_tool_return(draft, field(part, "content"))
    for part in items(message, "parts"):
        read_grounding(draft, field(field(part, "provider_details"), "grounding_metadata"))
    read_grounding(draft, field(field(message, "provider_details"), "grounding_metadata"))
    return True


def _is_model_response(message: object) -> bool:
    parts = field(message, "parts")
    return _is_list(parts) and any(field(part, "part_kind") is not None for part in parts)


def _read_tool_return(draft: Draft, content: object) -> None:
    """Note the texts that a tool of the provider found, such as those of a file search."""
    results = content if _is_list(content) else field(content, "results")
    for result in results if isinstance(results, list | tuple) else ():
        text = text_field(result, "text")
        if text is not None:
            draft.sources.append(
                CitedSource(
                    id=text_field(result, "file_id", "document_name"),
                    url=text_field(result, "uri", "url"),
                    title=text_field(result, "title", "filename"),
                    text=text,
                )
            )


def _read_langchain(draft: Draft, message: object) -> bool:
    is_ai = field(message, "type") in _LANGCHAIN_TYPES
    metadata = field(message, "response_metadata")
    if metadata is None and not (is_ai and field(message, "content") is not None):
        return False
    grounding = field(metadata, "grounding_metadata")
    has_supports = len(items(grounding, "grounding_supports")) > 0
    read_blocks(draft, field(message, "content"), grounded=has_supports)
    read_grounding(draft, grounding)
    more = field(message, "additional_kwargs")
    _read_annotations(draft, items(more, "annotations") or items(metadata, "annotations"))
    # langchain-cohere puts the citations into both.
    citations = items(more, "citations") or items(metadata, "citations")
    documents = items(more, "documents") or items(metadata, "documents")
    read_citations(draft, [each for each in citations if not isinstance(each, str)], documents)
    # langchain-perplexity puts the addresses there.
    addresses = [each for each in citations if isinstance(each, str)]
    results = items(more, "search_results") or items(metadata, "search_results")
    read_perplexity(draft, {"citations": addresses, "search_results": results})
    return True


def _read_annotations(draft: Draft, annotations: Sequence[Any]) -> None:
    """Note annotations of a message whose content is one text."""
    read_marks(draft, draft.whole(), annotations)


def _read_responses(draft: Draft, message: object) -> bool:
    """Note a response of OpenAI's Responses API, or the list of its output."""
    output = message if _is_list(message) else field(message, "output")
    if not isinstance(output, list | tuple):
        return False
    if not any(field(item, "type") == "message" for item in output):
        return False
    for item in output:
        if field(item, "type") == "message":
            draft.separate()
            read_blocks(draft, field(item, "content"))
        elif field(item, "type") == "file_search_call":
            read_file_search(draft, item)
    return True


def _read_gemini(draft: Draft, message: object) -> bool:
    """Note a response of Gemini, or a candidate of it."""
    candidates = items(message, "candidates")
    candidate = candidates[0] if candidates else message
    if not _is_list(field(field(candidate, "content"), "parts")):
        return False
    read_candidate(draft, candidate)
    return True


def _read_chat(draft: Draft, message: object) -> bool:
    """Note a chat completion, its message, or a response or message of Cohere."""
    choices = items(message, "choices")
    inner = field(choices[0], "message") if choices else field(message, "message")
    if inner is None:
        inner = message
    content = field(inner, "content")
    if isinstance(inner, str) or not (isinstance(content, str) or _is_list(content)):
        return False
    read_blocks(draft, without_thoughts(content) if choices else content)
    _read_annotations(draft, items(inner, "annotations"))
    read_citations(draft, [each for each in items(inner, "citations") if not isinstance(each, str)])
    read_azure(draft, inner)
    if choices:
        read_perplexity(draft, message)
    return True


def _read_cohere_v1(draft: Draft, message: object) -> bool:
    """Note a response of version 1 of Cohere's API."""
    if not isinstance(field(message, "text"), str) or field(message, "citations") is None:
        return False
    if any(field(each, "document_ids") is None for each in items(message, "citations")):
        return False
    draft.add(field(message, "text"))
    read_citations(draft, items(message, "citations"), items(message, "documents"))
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
    _read_responses,
    _read_langchain,
    _read_chat,
    _read_cohere_v1,
    _read_bare_blocks,
)
