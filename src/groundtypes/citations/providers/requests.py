"""`request_documents`: the documents of a request, which the citations of its answer refer to."""

from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import Any

from groundtypes.citations.providers.cohere import document_text
from groundtypes.citations.providers.message_fields import field, text_field
from groundtypes.errors import CitationsError
from groundtypes.references import Reference, References


def request_documents(messages: Any) -> References:
    """Return the documents in the messages of a request, in their order, as references.

    They are the documents and search results of Anthropic (also those in tool results), or the
    list of documents of Cohere. A document's id is its position, its title and address are in the
    metadata. The text of a PDF file is not in the request: such a document has an empty text here,
    so that the positions of the others are right; pass its text and pages yourself.

    Raises:
        CitationsError: The messages are no list.
    """
    if not isinstance(messages, list | tuple):
        raise CitationsError("The messages of a request are a list.")
    # Anthropic counts documents and search results separately.
    blocks = list(_blocks(messages))
    documents = [block for block in blocks if field(block, "type") != "search_result"]
    results = [block for block in blocks if field(block, "type") == "search_result"]
    found = [_document(str(number), block) for number, block in enumerate(documents)]
    prefix = "search result " if documents else ""
    found += [_search_result(f"{prefix}{number}", block) for number, block in enumerate(results)]
    return References.of(found)


def _blocks(items: Iterable[Any]) -> Iterator[Any]:
    for item in items:
        content = field(item, "content")
        if field(item, "type") in ("document", "search_result"):
            yield item
        elif field(item, "role") is not None or field(item, "type") == "tool_result":
            if isinstance(content, list | tuple):
                yield from _blocks(block for block in content if not isinstance(block, str))
        elif isinstance(item, str) or field(item, "data") is not None:
            yield item  # Cohere


def _document(id_: str, block: Any) -> Reference:
    source = field(block, "source")
    if source is None:  # Cohere, in a list of its own or in a tool result
        inner = field(block, "document")
        inner = block if inner is None else inner
        data = field(inner, "data")
        given = text_field(inner, "id") or id_
        return Reference(given, document_text(data if data is not None else inner) or "")
    metadata = _metadata(block, "title") | _metadata(source, "file_id")
    kind = field(source, "type")
    if kind == "content":
        return _of_blocks(id_, field(source, "content"), metadata)
    text = field(source, "data") if kind == "text" else ""
    return Reference(id_, text if isinstance(text, str) else "", metadata=metadata)


def _search_result(id_: str, block: Any) -> Reference:
    return _of_blocks(id_, field(block, "content"), _metadata(block, "title", "source"))


def _metadata(block: Any, *names: str) -> dict[str, Any]:
    return {name: value for name in names if (value := text_field(block, name)) is not None}


def _of_blocks(id_: str, content: Any, metadata: dict[str, Any]) -> Reference:
    """Return content blocks as one reference, a line each, whose metadata have their starts."""
    if isinstance(content, str):
        return Reference(id_, content, metadata=metadata)
    texts = [text_field(part, "text") or "" for part in content or ()]
    starts = list(accumulate((len(text) + 1 for text in texts), initial=0))[:-1]
    return Reference(id_, "\n".join(texts), metadata={**metadata, "blocks": starts})
