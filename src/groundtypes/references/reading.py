"""References: the texts that must support an answer, read from whatever a pipeline holds them in.

`References.of` returns the same object for the same content, as long as it is cached. So a list of
texts can be passed again and again, and what was computed from it, such as an index, is still there
at the next re-ask.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from threading import Lock
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar
from weakref import WeakKeyDictionary

from groundtypes.concurrency.bounded_cache import BoundedCache
from groundtypes.concurrency.forking import renew_in_child
from groundtypes.errors import ContextError, MissingReferencesError, ReferencesError
from groundtypes.references.spans import (
    Content,
    Metadata,
    Pages,
    Reference,
    Span,
    Structures,
    digest_of,
    page_at,
)
from groundtypes.text.message_excerpts import clip

_T = TypeVar("_T")
#: The keys of a context that may hold references, in the order in which they are tried.
CONTEXT_KEYS: Final = ("references", "text_chunks", "context")


class References:
    """An immutable collection of references.

    It iterates over `Reference` objects; `references[id]` is one of them.

    Attributes:
        ids: The ids of the references.
        texts: Their texts.
        pages: Where the pages of each text start, with their numbers; empty if no text has pages.
        metadata: The metadata of each text, or `None`; empty if no text has any. They cannot be
            changed here, and do not count in comparisons.
        structures: The rows and values of each text that is a JSON value or a table, or `None`;
            empty if none is.
    """

    __slots__ = (
        "__weakref__", "_content", "_hash", "_positions", "ids", "metadata", "pages", "structures",
        "texts",
    )  # fmt: skip

    ids: tuple[str, ...]
    texts: tuple[str, ...]
    pages: tuple[Pages, ...]
    metadata: Metadata
    structures: Structures

    def __init__(
        self,
        ids: tuple[str, ...],
        texts: tuple[str, ...],
        pages: Sequence[Sequence[tuple[int, int | str]]] = (),
        metadata: Metadata = (),
        structures: Structures = (),
    ) -> None:
        """Take ids and texts, which must be equally long; `References.of` reads other shapes.

        Raises:
            ReferencesError: The lengths differ, two references have the same id, or pages or
                metadata cannot be read.
        """
        if len(ids) != len(texts):
            raise ReferencesError(
                f"The numbers of ids and texts differ: {len(ids)} and {len(texts)}."
            )
        self.ids = ids
        self.texts = texts
        self._positions = {id_: position for position, id_ in enumerate(ids)}
        if len(self._positions) < len(ids):
            raise ReferencesError(_duplicate(ids))
        if structures and len(structures) != len(ids):
            raise ReferencesError("The numbers of ids and structures differ.")
        self.pages, self.metadata = (), ()
        self.structures = structures if any(structures) else ()
        self._hash: int | None = None
        self._content: References | None = None
        if pages or metadata:
            self._annotate(pages or [()] * len(ids), metadata or [None] * len(ids))

    def _annotate(
        self,
        pages: Sequence[Sequence[tuple[int, int | str]]],
        metadata: Sequence[Mapping[str, Any] | None],
    ) -> None:
        if not len(pages) == len(metadata) == len(self.ids):
            raise ReferencesError("The numbers of ids, pages and metadata differ.")
        parts = zip(self.ids, self.texts, pages, metadata, strict=True)
        references = [Reference(*part) for part in parts]
        if any(reference.pages for reference in references):
            self.pages = tuple(tuple(reference.pages) for reference in references)
        if any(reference.metadata is not None for reference in references):
            self.metadata = _read_only(reference.metadata for reference in references)

    @classmethod
    def of(cls, source: object) -> "References":
        """Return the references in a text, a list, a mapping from id to text, or documents.

        Documents are objects or mappings that hold their text under `text`, `page_content` or
        `content`, and perhaps an id under `id` and a mapping under `metadata` or `meta`. What has
        no id gets its position, from `"0"`. A pair of a document and its score is the document.

        Raises:
            ReferencesError: The shape, an id or a text cannot be read, or two ids are the same.
        """
        if isinstance(source, References):
            return source
        from groundtypes.references.documents import read_documents  # noqa: PLC0415 # not needed to declare

        content, metadata = read_documents(source)
        references = _collections.get_or_create(content, lambda: _from_content(content))
        return references._with_metadata(metadata) if metadata else references  # noqa: SLF001 # its own

    def _with_metadata(self, metadata: Metadata) -> "References":
        """Return these references with metadata that have been read."""
        references = References.__new__(References)
        references.ids, references.texts, references.pages = self.ids, self.texts, self.pages
        references.metadata, references.structures = _read_only(metadata), self.structures
        references._positions, references._hash = self._positions, self._hash  # noqa: SLF001 # its own
        references._content = self  # noqa: SLF001 # its own
        return references

    @classmethod
    def from_context(cls, context: object) -> "References":
        """Return the references of a validation context, which may be an empty collection.

        They are under the key `references`, `text_chunks` or `context`: the first that is not
        `None`.

        Raises:
            MissingReferencesError: None of these keys holds anything.
            ContextError: The context is not a mapping.
            ReferencesError: The value under the key cannot be read.
        """
        if context is None:
            raise MissingReferencesError
        if not isinstance(context, Mapping):
            raise ContextError(
                f"The validation context is a mapping, not an object of type "
                f"{type(context).__name__}."
            )
        for key in CONTEXT_KEYS:
            if (source := context.get(key)) is not None:
                return cls.of(source)
        # A key that holds `None` would otherwise stand in the message as one that is there.
        names = (f"{key} (None)" if value is None else key for key, value in context.items())
        raise MissingReferencesError(names)

    @staticmethod
    def are_in_context(context: Mapping[str, object]) -> bool:
        """Return whether a validation context holds references, whatever their shape."""
        return any(context.get(key) is not None for key in CONTEXT_KEYS)

    @property
    def digest(self) -> str:
        """The hash of all ids and texts, in their order: 32 hexadecimal digits of BLAKE2b."""
        return digest_of("".join(digest_of(part) for pair in self._pairs() for part in pair))

    @property
    def content(self) -> "References":
        """The same references without their metadata, on which nothing computed of them depends.

        As long as it is cached, it is the same object for the same content.
        """
        if not self.metadata:
            return self
        if self._content is None:
            content = (self.ids, self.texts, self.pages, self.structures)
            self._content = _collections.get_or_create(content, lambda: _from_content(content))
        return self._content

    def number(self, id_: str) -> int:
        """Return the position of the reference with an id.

        Raises:
            KeyError: No reference has this id.
        """
        return self._positions[id_]

    def span(self, id_: str, start: int, end: int) -> Span:
        """Return a part of the reference with an id, as a span that knows its page and place.

        Raises:
            KeyError: No reference has this id.
        """
        return self.span_at(self._positions[id_], start, end)

    def span_at(self, number: int, start: int, end: int) -> Span:
        """Return a part of the reference at a position, as a span that knows page and place."""
        page = page_at(self.pages[number], start) if self.pages else None
        structure = self.structures[number] if self.structures else None
        place = None if structure is None else structure.place_at(start, end)
        return Span(self.ids[number], start, end, page, place)

    def _pairs(self) -> Iterable[tuple[str, str]]:
        return zip(self.ids, self.texts, strict=True)

    def _reference(self, number: int) -> Reference:
        return Reference.as_known(
            self.ids[number],
            self.texts[number],
            self.pages[number] if self.pages else (),
            self.metadata[number] if self.metadata else None,
            self.structures[number] if self.structures else None,
        )

    def __getitem__(self, id_: str) -> Reference:
        return self._reference(self._positions[id_])

    def __contains__(self, id_: object) -> bool:
        return id_ in self._positions

    def __iter__(self) -> Iterator[Reference]:
        return map(self._reference, range(len(self.ids)))

    def __len__(self) -> int:
        return len(self.ids)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, References):
            return NotImplemented
        return self is other or (
            self.ids == other.ids
            and self.texts == other.texts
            and self.pages == other.pages
            and self.structures == other.structures
        )

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.ids, self.texts))
        return self._hash

    def __copy__(self) -> "References":
        return self

    def __deepcopy__(self, _memo: object) -> "References":
        return self

    def __repr__(self) -> str:
        ids = ", ".join(clip(repr(id_), 40) for id_ in self.ids[:5])
        more = ", ..." if len(self.ids) > 5 else ""
        characters = sum(map(len, self.texts))
        return f"<References {len(self.ids)}: {ids}{more}; {characters:,} characters>"

    def __reduce__(self) -> tuple[type["References"], tuple[Any, ...]]:
        """Pickle the references; of the metadata only what can be pickled."""
        parts = (self.ids, self.texts, self.pages, _picklable(self.metadata))
        # Pickles without structures can be read by older versions.
        return References, (*parts, self.structures) if self.structures else parts


class PerReferences(Generic[_T]):
    """A value computed once from each collection of references, such as an index of its texts.

    Equal collections share the value for as long as the collection that it was first computed from
    is alive. The value must not refer to that collection, which would then live for ever.
    """

    def __init__(self, compute: Callable[[References], _T]) -> None:
        self._compute = compute
        self._values: WeakKeyDictionary[References, _T] = WeakKeyDictionary()
        self._lock = Lock()
        renew_in_child(self)

    def __call__(self, references: References) -> _T:
        """Return the value of a collection."""
        references = references.content
        try:
            return self._values[references]
        except KeyError:
            with self._lock:
                if references not in self._values:
                    self._values[references] = self._compute(references)
                return self._values[references]

    def existing(self, references: References) -> _T | None:
        """Return the value of a collection if it has been computed, else `None`."""
        return self._values.get(references.content)

    def renew(self) -> None:
        """Make a new lock in a forked child."""
        self._lock = Lock()


def _from_content(content: Content) -> References:
    ids, texts, pages, structures = content
    return References(ids, texts, pages, structures=structures)


def _weigh(_key: object, references: References) -> int:
    return sum(map(len, references.texts)) + 64 * len(references.texts)


#: The collections used last, by content. One of more than 64 million characters is read and indexed
#: anew by each call; whoever has one creates it once, by `References.of`, and passes that.
_collections: Final = BoundedCache[Content, References](256, max_weight=64_000_000, weigh=_weigh)


def _read_only(metadata: Iterable[Mapping[str, Any] | None]) -> Metadata:
    """Return views of metadata through which nobody changes those of a shared collection."""
    return tuple(None if entry is None else MappingProxyType(dict(entry)) for entry in metadata)


def _picklable(metadata: Metadata) -> Metadata:
    """Return the metadata without the values that cannot be pickled, such as open connections."""
    plain = tuple(None if entry is None else dict(entry) for entry in metadata)
    if _can_be_pickled(plain):
        return plain
    return tuple(
        entry and {key: value for key, value in entry.items() if _can_be_pickled((key, value))}
        for entry in plain
    )


def _can_be_pickled(value: object) -> bool:
    try:
        pickle.dumps(value)
    except Exception:  # noqa: BLE001 # objects of the user's may raise anything
        return False
    return True


def _duplicate(ids: Iterable[str]) -> str:
    seen: set[str] = set()
    for id_ in ids:
        if id_ in seen:
            break
        seen.add(id_)
    return f"Two references have the id {clip(id_, 40)!r}; ids are compared as text."
