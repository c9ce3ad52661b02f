"""Documents as pipelines hold them, read as texts with ids, pages and metadata.

Retrievers, vector stores and files give texts in many shapes: plain, in lists and mappings, as
objects of LangChain, LlamaIndex or Haystack, and in pairs with scores.
"""

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Final, NamedTuple

from groundtypes.errors import ReferencesError
from groundtypes.references.spans import Content, Metadata, Pages, Reference, id_of, read_metadata
from groundtypes.references.structure import Structure
from groundtypes.text.message_excerpts import clip

#: The attributes or keys of a document that may hold its text, and its id.
TEXT_KEYS: Final = ("text", "page_content", "content")
_ID_KEYS: Final = ("id", "id_")
_METADATA_KEYS: Final = ("metadata", "meta")
_ACCEPTED: Final = (
    "References are a text, a list of texts, a mapping from id to text, or a list of documents "
    "that hold their text under 'text', 'page_content' or 'content'. Reference.of_json reads a "
    "JSON value."
)


def read_documents(source: object) -> tuple[Content, Metadata]:
    """Return the ids, texts, pages and metadata of what holds references.

    Raises:
        ReferencesError: The shape, an id, a text or metadata cannot be read.
    """
    documents = list(_read(source))
    ids, texts, pages, metadata, structures = (
        zip(*documents, strict=True) if documents else ((),) * 5
    )
    content = (ids, texts, pages if any(pages) else (), structures if any(structures) else ())
    return content, metadata if any(metadata) else ()


def _describe(value: object) -> str:
    """Return what a value is, for a message that must not show it."""
    return "None" if value is None else f"an object of type {type(value).__name__}"


def _without_text(value: object) -> str:
    """Return what a value is that has no text."""
    return "None, not a text" if value is None else f"{_describe(value)} without a text"


class _Document(NamedTuple):
    """One reference as it was read; `metadata` is `None` if there is none."""

    id: str
    text: str
    pages: Pages = ()
    metadata: Mapping[str, Any] | None = None
    structure: Structure | None = None


def _document(id_: str, text: str, source: object) -> _Document:
    """Return a reference with the pages and metadata of what it is read from."""
    if isinstance(source, str):
        return _Document(id_, text)
    if isinstance(source, Reference):
        pages = tuple(source.pages)
        return _Document(id_, text, pages, source.metadata or None, source.structure)
    known = _fields(source, _METADATA_KEYS)
    found = next((value for value in known if isinstance(value, Mapping)), None)
    metadata, page = read_metadata(found, id_)
    return _Document(id_, text, () if page is None else ((0, page),), metadata or None)


def _read(source: object) -> Iterator[_Document]:
    if isinstance(source, str):
        yield _Document("0", _as_str(source))
    elif isinstance(source, Mapping):
        yield from _read_mapping(source)
    elif (text := _text_of(source)) is not None:
        yield _document(_id_of(source, 0), text, source)
    elif isinstance(source, bytes | bytearray | AbstractSet) or not isinstance(source, Iterable):
        order = ", because it has no order" if isinstance(source, AbstractSet) else ""
        raise ReferencesError(
            f"References cannot be read from {_describe(source)}{order}. {_ACCEPTED}"
        )
    elif isinstance(source, Iterator):
        raise ReferencesError(
            f"References cannot be read from {_describe(source)}, which can be read only once, "
            "but validation reads references several times. Pass a list."
        )
    else:
        yield from _read_list(source)


def _read_mapping(source: Mapping[Any, Any]) -> Iterator[_Document]:
    if "id" in source and any(key in source for key in TEXT_KEYS):
        raise ReferencesError(
            "The references are one mapping with an 'id' and a text, which may be one document or "
            "two texts. Put a document into a list."
        )
    for key, value in source.items():
        document = _without_score(value)
        text = _text_of(document)
        if text is None:
            raise ReferencesError(
                f"The reference {clip(str(key), 40)!r} is {_without_text(value)}. "
                f"{_ACCEPTED} A single document goes into a list."
            )
        yield _document(id_of(key), text, document)


def _read_list(source: Iterable[object]) -> Iterator[_Document]:
    for position, item in enumerate(source):
        if type(item) is str:
            yield _Document(str(position), item)
            continue
        document = _without_score(item)
        text = _text_of(document)
        if text is None:
            raise ReferencesError(
                f"The reference at position {position} is {_without_text(item)}. {_ACCEPTED}"
            )
        id_ = str(position) if isinstance(document, str) else _id_of(document, position)
        yield _document(id_, text, document)


def _without_score(item: object) -> object:
    """Return the document of a pair of a document and its score; anything else as it is.

    Vector stores return such pairs, with scores of many types, such as those of numpy.
    """
    if not isinstance(item, tuple) or len(item) != 2 or _text_of(item) is not None:
        return item
    document, score = item
    is_score = hasattr(type(score), "__float__") and not isinstance(score, bool)
    return document if is_score and _text_of(document) is not None else item


def _as_str(text: str) -> str:
    """Return the characters of a subclass of `str` as a `str`."""
    return text if type(text) is str else str.__str__(text)


def _text_of(item: object) -> str | None:
    """Return the text of a text or a document, or `None` if the item is neither."""
    if isinstance(item, str):
        return _as_str(item)
    texts = (value for value in _fields(item, TEXT_KEYS) if isinstance(value, str))
    return next(map(_as_str, texts), None)


def _id_of(document: object, position: int) -> str:
    """Return the id of a document, or its position if it has none."""
    ids = (value for value in _fields(document, _ID_KEYS) if not callable(value))
    return next((id_of(value) for value in ids if value is not None), str(position))


def _fields(document: object, keys: Iterable[str]) -> Iterator[object]:
    for key in keys:
        yield document.get(key) if isinstance(document, Mapping) else getattr(document, key, None)
