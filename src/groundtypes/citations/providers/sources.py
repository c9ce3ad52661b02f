"""Which references the sources are that a provider names."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

from groundtypes.citations.providers.provider_answer import (
    CitedSource,
    ProviderAnswer,
    ProviderCitation,
)
from groundtypes.references import References

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

    A source is a reference by its id, its address, its title or, if it has a position in the
    request, by that. What is none of the references is added with the text that the message has of
    it. Where no references are given, the words that a citation copied are such a text, too.

    Args:
        text: The text of the answer.
        citations: Its citations.
        sources: Sources of which the message has the text, beside the citations.
        references: The given references; `None` if there are none.
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
            metadata = references.metadata[position] if references.metadata else None
            for name in {_key(id_), *_names(metadata or {})}:
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


def _names(metadata: Mapping[str, Any]) -> Iterator[str]:
    for key in _METADATA_KEYS:
        value = metadata.get(key)
        if isinstance(value, str) and value:
            yield _key(value)


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
        count = len(texts)
        return References(
            (*given.ids, *texts),
            (*given.texts, *texts.values()),
            (*given.pages, *[()] * count) if given.pages else (),
            (*given.metadata, *[None] * count) if given.metadata else (),
            (*given.structures, *[None] * count) if given.structures else (),
        )
