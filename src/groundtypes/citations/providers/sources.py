"""Which references the sources are that a provider names, and the documents of a request."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import accumulate
from typing import Any, Final

from groundtypes.citations.providers.answer_citations import document_text
from groundtypes.citations.providers.message_fields import field, text_field
from groundtypes.citations.providers.provider_answer import (
    CitedSource,
    ProviderAnswer,
    ProviderCitation,
)
from groundtypes.errors import CitationsError
from groundtypes.references import Reference, References

#: The metadata of a document that may hold its address, name or id at the provider.
_METADATA_KEYS: Final = (
    "source", "url", "uri", "link", "file", "file_id", "filename", "file_name", "file_path",
    "filepath", "title", "name",
)  # fmt: skip
#: What providers add to addresses, and what does not change the page.
_ADDED: Final = re.compile(r"(?:(?<=[?&])utm_[a-z]+=[^&#]*&?)|#:~:.*", re.IGNORECASE)
_MAX_KEY: Final = 4_000


def resolve(
    text: str,
    citations: Iterable[ProviderCitation],
    sources: Iterable[CitedSource],
    references: References | None,
) -> ProviderAnswer:
    """Return the answer with the reference of each source.

    A source is a reference by its id, its address, its title or its position in the request. What
    is none is added with the text that the message has of it: its own, or, where no references are
    given, the words that a citation copied.
    """
    known = _Known(references or References((), ()))
    added = _Added(known.references)
    for source in _joined(source for source in sources if known.find(source) is None):
        added.add(source)
    extra = _Known(References(tuple(added.texts), tuple(added.texts.values())))

    @cache
    def resolved(source: CitedSource, cited_text: str | None) -> CitedSource:
        id_ = known.find(source) or extra.find(replace(source, index=None))
        excerpt = source.text or (cited_text if references is None else None)
        if id_ is None and excerpt is not None:
            id_ = added.add(replace(source, text=excerpt))
        return replace(source, reference=id_)

    read = tuple(
        replace(
            citation,
            sources=tuple(resolved(source, citation.cited_text) for source in citation.sources),
        )
        for citation in citations
    )
    return ProviderAnswer(
        text=text, citations=read, references=added.all(), returned=frozenset(added.texts)
    )


def _joined(sources: Iterable[CitedSource]) -> Iterator[CitedSource]:
    """Yield one source for each name, with all of its texts: a search finds parts of a file."""
    by_name: dict[str, list[CitedSource]] = {}
    for source in sources:
        by_name.setdefault(source.name, []).append(source)
    for found in by_name.values():
        texts = dict.fromkeys(source.text for source in found if source.text)
        yield replace(found[0], text="\n\n".join(texts))


class _Known:
    """References that can be found by what providers call them."""

    def __init__(self, references: References) -> None:
        self.references = references
        #: The names of the references, each with the reference that alone has it.
        self._names: dict[str, str | None] = {}
        for position, id_ in enumerate(references.ids):
            metadata = (references.metadata[position] if references.metadata else None) or {}
            values = (id_, *(metadata.get(key) for key in _METADATA_KEYS))
            for name in {_key(value) for value in values if isinstance(value, str) and value}:
                self._names[name] = id_ if name not in self._names else None

    def find(self, source: CitedSource) -> str | None:
        """Return the id of the reference that a source is."""
        if source.is_result and (result := f"search result {source.index}") in self.references:
            return result
        for name in (source.id, source.url):
            if name is not None and name in self.references:
                return name
        for name in (source.id, source.url, source.title):
            if name is not None and (id_ := self._names.get(_key(name))) is not None:
                return id_
        if source.index is not None and 0 <= source.index < len(self.references):
            return self.references.ids[source.index]
        return None


def _key(name: str) -> str:
    """Return a name as it is compared: without what providers add to addresses."""
    plain = _ADDED.sub("", name[:_MAX_KEY]).strip().rstrip("?&#/").casefold()
    return plain.removeprefix("https://").removeprefix("http://").removeprefix("www.")


class _Added:
    """The sources of which only the message has the text, as references."""

    def __init__(self, given: References) -> None:
        self._given = given
        self.texts: dict[str, str] = {}
        self._ids: dict[tuple[str, str], str] = {}
        self._counts: dict[str, int] = {}

    def add(self, source: CitedSource) -> str:
        """Return the id of a source's text as a reference; texts of one name get numbers."""
        text, name = source.text or "", source.name
        if (name, text) in self._ids:
            return self._ids[name, text]
        id_, number = name, self._counts.get(name, 1)
        while id_ in self.texts or id_ in self._given:
            number += 1
            id_ = f"{name} #{number}"
        self._counts[name] = number
        self._ids[name, text] = id_
        self.texts[id_] = text
        return id_

    def all(self) -> References:
        """Return all references."""
        given, texts = self._given, self.texts
        if not texts:
            return given
        lists = ((given.pages, ()), (given.metadata, None), (given.structures, None))
        more = ((*known, *[empty] * len(texts)) if known else () for known, empty in lists)
        return References((*given.ids, *texts), (*given.texts, *texts.values()), *more)


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
    for number, block in enumerate(results):
        metadata = _metadata(block, "title", "source")
        found.append(_of_blocks(f"{prefix}{number}", field(block, "content"), metadata))
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


def _metadata(block: Any, *names: str) -> dict[str, Any]:
    return {name: value for name in names if (value := text_field(block, name)) is not None}


def _of_blocks(id_: str, content: Any, metadata: dict[str, Any]) -> Reference:
    """Return content blocks as one reference, a line each, whose metadata have their starts."""
    if isinstance(content, str):
        return Reference(id_, content, metadata=metadata)
    texts = [text_field(part, "text") or "" for part in content or ()]
    starts = list(accumulate((len(text) + 1 for text in texts), initial=0))[:-1]
    return Reference(id_, "\n".join(texts), metadata={**metadata, "blocks": starts})
