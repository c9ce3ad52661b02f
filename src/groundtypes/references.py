"""References: the texts that must support an answer, read from whatever a pipeline holds them in.

`References.of` returns the same object for the same content, as long as it is cached. So a list of
texts can be passed again and again, and what was computed from it, such as an index, is still there
at the next re-ask.
"""

import hashlib
import numbers
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final, Generic, TypeVar
from uuid import UUID
from weakref import WeakKeyDictionary

from groundtypes.bounded_cache import BoundedCache
from groundtypes.errors import ContextError, MissingReferencesError, ReferencesError, clip
from groundtypes.forking import renew_in_child

__all__ = ["PerReferences", "Reference", "References", "Span"]

_T = TypeVar("_T")
#: The ids and the texts of a collection.
_Content = tuple[tuple[str, ...], tuple[str, ...]]

#: The keys of a context that may hold references, in the order in which they are tried.
_CONTEXT_KEYS: Final = ("references", "text_chunks", "context")
#: The attributes or keys of a document that may hold its text, and its id.
_TEXT_KEYS: Final = ("text", "page_content", "content")
_ID_KEYS: Final = ("id", "id_")
_ACCEPTED: Final = (
    "References are a text, a list of texts, a mapping from id to text, or a list of documents "
    "that hold their text under 'text', 'page_content' or 'content'."
)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A part of a reference: from `start` up to `end`, in code points of the original text."""

    reference: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reference:
    """One text with its id."""

    id: str
    text: str

    @property
    def digest(self) -> str:
        """The hash of the text: 32 hexadecimal digits of BLAKE2b."""
        return _digest(self.text)


class References:
    """An immutable collection of references.

    It iterates over `Reference` objects; `references[id]` is one of them.
    """

    __slots__ = ("__weakref__", "_hash", "_positions", "ids", "texts")

    ids: tuple[str, ...]
    texts: tuple[str, ...]

    def __init__(self, ids: tuple[str, ...], texts: tuple[str, ...]) -> None:
        """Take ids and texts, which must be equally long; `References.of` reads other shapes.

        Raises:
            ReferencesError: The lengths differ, or two references have the same id.
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
        self._hash: int | None = None

    @classmethod
    def of(cls, source: object) -> "References":
        """Return the references in a text, a list, a mapping from id to text, or documents.

        Documents are objects or mappings that hold their text under `text`, `page_content` or
        `content`, and perhaps an id under `id`. What has no id gets its position, from `"0"`.

        Raises:
            ReferencesError: The shape, an id or a text cannot be read, or two ids are the same.
        """
        if isinstance(source, References):
            return source
        ids, texts = _read(source)
        return _collections.get_or_create((ids, texts), lambda: References(ids, texts))

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
            raise ContextError(f"The validation context is a mapping, not {_describe(context)}.")
        for key in _CONTEXT_KEYS:
            if (source := context.get(key)) is not None:
                return cls.of(source)
        raise MissingReferencesError(context)

    @staticmethod
    def are_in_context(context: Mapping[str, object]) -> bool:
        """Return whether a validation context holds references, whatever their shape."""
        return any(context.get(key) is not None for key in _CONTEXT_KEYS)

    @property
    def digest(self) -> str:
        """The hash of all ids and texts, in their order: 32 hexadecimal digits of BLAKE2b."""
        return _digest("".join(_digest(part) for pair in self._pairs() for part in pair))

    def number(self, id_: str) -> int:
        """Return the position of the reference with an id.

        Raises:
            KeyError: No reference has this id.
        """
        return self._positions[id_]

    def _pairs(self) -> Iterable[tuple[str, str]]:
        return zip(self.ids, self.texts, strict=True)

    def __getitem__(self, id_: str) -> Reference:
        return Reference(id_, self.texts[self._positions[id_]])

    def __contains__(self, id_: object) -> bool:
        return id_ in self._positions

    def __iter__(self) -> Iterator[Reference]:
        return (Reference(id_, text) for id_, text in self._pairs())

    def __len__(self) -> int:
        return len(self.ids)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, References):
            return NotImplemented
        return self is other or (self.ids == other.ids and self.texts == other.texts)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.ids, self.texts))
        return self._hash

    def __repr__(self) -> str:
        ids = ", ".join(clip(repr(id_), 40) for id_ in self.ids[:5])
        more = ", ..." if len(self.ids) > 5 else ""
        characters = sum(map(len, self.texts))
        return f"<References {len(self.ids)}: {ids}{more}; {characters:,} characters>"

    def __reduce__(self) -> tuple[type["References"], _Content]:
        return References, (self.ids, self.texts)


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
        try:
            return self._values[references]
        except KeyError:
            with self._lock:
                if references not in self._values:
                    self._values[references] = self._compute(references)
                return self._values[references]

    def existing(self, references: References) -> _T | None:
        """Return the value of a collection if it has been computed, else `None`."""
        return self._values.get(references)

    def renew(self) -> None:
        """Make a new lock in a forked child."""
        self._lock = Lock()


def _weigh(_key: object, references: References) -> int:
    return sum(map(len, references.texts)) + 64 * len(references.texts)


#: The collections used last, by content. One of more than 64 million characters is read and indexed
#: anew by each call; whoever has one creates it once, by `References.of`, and passes that.
_collections: Final = BoundedCache[_Content, References](256, max_weight=64_000_000, weigh=_weigh)


def _digest(text: str) -> str:
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _describe(value: object) -> str:
    return "None" if value is None else f"an object of type {type(value).__name__}"


def _duplicate(ids: Iterable[str]) -> str:
    seen: set[str] = set()
    for id_ in ids:
        if id_ in seen:
            break
        seen.add(id_)
    return f"Two references have the id {clip(id_, 40)!r}; ids are compared as text."


def _read(source: object) -> _Content:
    if isinstance(source, str):
        return ("0",), (_as_str(source),)
    if isinstance(source, Mapping):
        return _read_mapping(source)
    if (text := _text_of(source)) is not None:
        return (_id_of(source, 0),), (text,)
    if isinstance(source, bytes | bytearray | AbstractSet) or not isinstance(source, Iterable):
        order = ", because it has no order" if isinstance(source, AbstractSet) else ""
        raise ReferencesError(
            f"References cannot be read from {_describe(source)}{order}. {_ACCEPTED}"
        )
    if isinstance(source, Iterator):
        raise ReferencesError(
            f"References cannot be read from {_describe(source)}, which can be read only once, "
            "but validation reads references several times. Pass a list."
        )
    return _read_list(source)


def _read_mapping(source: Mapping[Any, Any]) -> _Content:
    if "id" in source and any(key in source for key in _TEXT_KEYS):
        raise ReferencesError(
            "The references are one mapping with an 'id' and a text, which may be one document or "
            "two texts. Put a document into a list."
        )
    ids: list[str] = []
    texts: list[str] = []
    for key, value in source.items():
        text = _text_of(value)
        if text is None:
            raise ReferencesError(
                f"The reference {clip(str(key), 40)!r} is {_describe(value)} without a text. "
                f"{_ACCEPTED} A single document goes into a list."
            )
        ids.append(_as_id(key))
        texts.append(text)
    return tuple(ids), tuple(texts)


def _read_list(source: Iterable[object]) -> _Content:
    ids: list[str] = []
    texts: list[str] = []
    for position, item in enumerate(source):
        if type(item) is str:
            ids.append(str(position))
            texts.append(item)
            continue
        text = _text_of(item)
        if text is None:
            raise ReferencesError(
                f"The reference at position {position} is {_describe(item)} without a text. "
                f"{_ACCEPTED}"
            )
        ids.append(str(position) if isinstance(item, str) else _id_of(item, position))
        texts.append(text)
    return tuple(ids), tuple(texts)


def _as_str(text: str) -> str:
    """Return the characters of a subclass of `str` as a `str`."""
    return text if type(text) is str else str.__str__(text)


def _text_of(item: object) -> str | None:
    """Return the text of a text or a document, or `None` if the item is neither."""
    if isinstance(item, str):
        return _as_str(item)
    texts = (value for value in _fields(item, _TEXT_KEYS) if isinstance(value, str))
    return next(map(_as_str, texts), None)


def _id_of(document: object, position: int) -> str:
    """Return the id of a document, or its position if it has none."""
    ids = (value for value in _fields(document, _ID_KEYS) if not callable(value))
    return next((_as_id(value) for value in ids if value is not None), str(position))


def _fields(document: object, keys: Iterable[str]) -> Iterator[object]:
    for key in keys:
        yield document.get(key) if isinstance(document, Mapping) else getattr(document, key, None)


def _as_id(value: object) -> str:
    if isinstance(value, str):
        return _as_str(value)
    if isinstance(value, UUID) or (
        isinstance(value, numbers.Integral) and not isinstance(value, bool)
    ):
        return str(value)
    raise ReferencesError(
        f"The id of a reference is a text, an integer or a UUID, not {_describe(value)}."
    )
