"""`Reference` and `Span`: one text with its pages and metadata, and a part of it.

A JSON value or a table is a text, too, with one line for each object or row.
"""

import hashlib
import numbers
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, Final, TypeAlias
from uuid import UUID

from groundtypes.errors import ReferencesError
from groundtypes.references.structure import Structure, render
from groundtypes.text.message_excerpts import clip

#: A page as a reader cites it: its number, or its label, such as "iv".
PageNumber: TypeAlias = int | str
#: Where each page of a text starts, in code points, and its number; in ascending order.
Pages: TypeAlias = tuple[tuple[int, PageNumber], ...]
#: The rows and values of each text that is a JSON value or a table; empty if none is.
Structures: TypeAlias = tuple[Structure | None, ...]
#: The ids and the texts of a collection, and the pages and the structure of each text; no pages and
#: no structures if none has any.
Content: TypeAlias = tuple[tuple[str, ...], tuple[str, ...], tuple[Pages, ...], Structures]
#: The metadata of each text; empty if none has any.
Metadata: TypeAlias = tuple[Mapping[str, Any] | None, ...]

#: The keys of a document's metadata that may hold its page, in the order in which they are tried.
#: Readers of PDF files count `page` from 0, and put what is printed on the page in `page_label`.
_PAGE_KEYS: Final = ("page_label", "page_number", "page")
#: Bounds on a page's number, and on its label in characters.
_MAX_NUMBER: Final = 1_000_000_000
_MAX_LABEL: Final = 100


@dataclass(frozen=True, slots=True, order=True, repr=False)
class Span:
    """A part of a reference: from `start` up to `end`, in code points of the original text.

    Attributes:
        reference: The id of the reference.
        start: Where the part starts.
        end: Where it ends; this code point is no part of it.
        page: The page on which the part starts, or `None` if the reference has no pages. It does
            not count in comparisons.
        place: Where the part is in the JSON value or table that the reference was made of:
            `orders[2].total`, or `row 'Berlin', column '2023'`. A part with several values has the
            place of their object or row. It does not count in comparisons.
    """

    reference: str
    start: int
    end: int
    page: PageNumber | None = field(default=None, compare=False)
    place: str | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        page = "" if self.page is None else f", page={self.page!r}"
        place = "" if self.place is None else f", place={self.place!r}"
        position = f"start={self.start!r}, end={self.end!r}"
        return f"Span(reference={self.reference!r}, {position}{page}{place})"


@dataclass(frozen=True, slots=True)
class Reference:
    """One text with its id, and perhaps with its pages and metadata.

    Examples:
        >>> guide = Reference("guide", "It is tall. It is grey.", pages=[(0, 7), (12, 8)])
        >>> guide.span(12, 22)
        Span(reference='guide', start=12, end=22, page=8)

    Attributes:
        id: What spans and errors call the text.
        text: The text.
        pages: Pairs of where a page starts, in code points, and the page's number or label. The
            starts ascend; an empty page starts where the next one does. What is before the first
            start is on no page. Without pages, a text whose metadata have a page (`page_label`,
            `page_number` or `page`) is on that page.
        metadata: What the pipeline knows about the text, such as its source. Quotes that run from
            one chunk of a source into the next read it, and neither errors nor the `repr` show it.
        structure: The rows and values of a JSON value or a table, which `of_json` and `of_table`
            read.

    Raises:
        ReferencesError: The id, the text, the pages or the metadata cannot be read.
    """

    id: str
    text: str
    pages: Sequence[tuple[int, PageNumber]] = ()
    metadata: Mapping[str, Any] | None = field(default=None, repr=False, compare=False)
    structure: Structure | None = field(default=None, repr=False, kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", id_of(self.id))
        object.__setattr__(self, "text", _text_of(self.text, self.id))
        metadata, page = read_metadata(self.metadata, self.id)
        pages = _read_pages(self.pages, self.text, self.id)
        if not pages and page is not None:
            pages = ((0, page),)
        object.__setattr__(self, "pages", pages)
        object.__setattr__(self, "metadata", metadata)

    @classmethod
    def of_json(
        cls,
        id: str,  # noqa: A002 # as the attribute
        value: object,
        *,
        metadata: Mapping[str, Any] | None = None,
    ) -> "Reference":
        r"""Return a JSON value, such as the result of a tool, as a reference.

        Its text has one line for each object, with the key before each value; a span in it knows
        its `place`.

        Examples:
            >>> orders = Reference.of_json("orders", {"orders": [{"id": "A17", "total": 41.5}]})
            >>> orders.text
            'orders[0] | id: A17 | total: 41.5\n'

        Args:
            id: What spans and errors call the value.
            value: Mappings, lists, texts, numbers, dates, truth values and `None`, nested at most
                100 levels deep; or one text, which is read as JSON.
            metadata: As for `Reference`.

        Raises:
            ReferencesError: The value cannot be read.
        """
        from groundtypes.references.json_records import json_records  # noqa: PLC0415 # not for prose

        id = id_of(id)  # noqa: A001 # as the attribute
        text, structure = render(json_records(value, id))
        return cls(id, text, metadata=metadata, structure=structure)

    @classmethod
    def of_table(
        cls,
        id: str,  # noqa: A002 # as the attribute
        text: str,
        *,
        header: bool = True,
        delimiter: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> "Reference":
        r"""Return a table in Markdown or CSV as a reference.

        Its text has one line for each row, with the header before each cell; a span in it knows
        its `place`.

        Examples:
            >>> sales = Reference.of_table("sales", "City,2022,2023\nBerlin,38.1,41.2")
            >>> sales.text
            'City: Berlin | 2022: 38.1 | 2023: 41.2\n'
            >>> sales.span(33, 37).place
            "row 'Berlin', column '2023'"

        Args:
            id: What spans and errors call the table.
            text: A Markdown text with one or several tables, or a CSV text whose cells are
                separated by commas, semicolons, tabulators or pipes.
            header: Whether the first row of a table names its columns.
            delimiter: The character between the cells of a CSV text. By default it is found, or
                read in a first line such as `sep=;`; if the text can be cut in several ways, it has
                to be given.
            metadata: As for `Reference`.

        Raises:
            ReferencesError: The table cannot be read, or not without doubt.
        """
        from groundtypes.references.table_records import table_records  # noqa: PLC0415 # not for prose

        id = id_of(id)  # noqa: A001 # as the attribute
        records = table_records(text, id, header=header, delimiter=delimiter)
        table, structure = render(records)
        return cls(id, table, metadata=metadata, structure=structure)

    @classmethod
    def as_known(
        cls,
        id_: str,
        text: str,
        pages: Pages,
        metadata: Mapping[str, Any] | None,
        structure: Structure | None,
    ) -> "Reference":
        """Return a reference whose parts have been read before."""
        reference = cls(id_, text, structure=structure)
        object.__setattr__(reference, "pages", pages)
        # A copy, because who looks a reference up may change what they get.
        object.__setattr__(reference, "metadata", None if metadata is None else dict(metadata))
        return reference

    @property
    def digest(self) -> str:
        """The hash of the text: 32 hexadecimal digits of BLAKE2b."""
        return digest_of(self.text)

    def page(self, position: int) -> PageNumber | None:
        """Return the page of a code point, or `None` if it is on no page.

        What is before the first start is on none. A position past the end of the text is on the
        last page, and a negative one on none: whether it is in the text is not looked at.
        """
        return page_at(self.pages, position)

    def span(self, start: int, end: int) -> Span:
        """Return a part of the text as a span that knows its page and place."""
        place = None if self.structure is None else self.structure.place_at(start, end)
        return Span(self.id, start, end, self.page(start), place)


def id_of(value: object) -> str:
    """Return an id as text.

    Raises:
        ReferencesError: It is neither a text, nor an integer or a UUID.
    """
    if isinstance(value, str):
        return value if type(value) is str else str.__str__(value)  # a subclass may differ
    if isinstance(value, UUID) or _whole_number(value) is not None:
        return str(value)
    kind = "None" if value is None else f"an object of type {type(value).__name__}"
    raise ReferencesError(f"The id of a reference is a text, an integer or a UUID, not {kind}.")


def _text_of(text: object, id_: str) -> str:
    if isinstance(text, str):
        return text if type(text) is str else str.__str__(text)
    kind = "None" if text is None else f"an object of type {type(text).__name__}"
    raise ReferencesError(
        f"The text of reference {clip(id_, 40)!r} is {kind}. Reference.of_json reads a JSON value."
    )


def digest_of(text: str) -> str:
    """Return the hash of a text: 32 hexadecimal digits of BLAKE2b."""
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def page_at(pages: Sequence[tuple[int, PageNumber]], position: int) -> PageNumber | None:
    """Return the page of a position, or `None` if it is before the first page."""
    number = bisect_right(pages, position, key=itemgetter(0))
    return pages[number - 1][1] if number else None


def read_metadata(metadata: object, id_: str) -> tuple[dict[Any, Any] | None, PageNumber | None]:
    """Return a copy of a document's metadata, and the page that they name.

    The values may have any type. What is no page number is not read as one.

    Raises:
        ReferencesError: The metadata are not a mapping, or raise an error when they are read.
    """
    if metadata is None:
        return None, None
    if not isinstance(metadata, Mapping):
        raise ReferencesError(
            f"The metadata of reference {clip(id_, 40)!r} are a mapping, not an object of type "
            f"{type(metadata).__name__}."
        )
    try:
        copy = dict(metadata)
    except Exception as error:  # noqa: BLE001 # a mapping of the user's may raise anything
        # The cause is left out, because its message could show the metadata.
        raise ReferencesError(
            f"The metadata of reference {clip(id_, 40)!r} raise {type(error).__name__} when they "
            "are read."
        ) from None
    numbers_found = (page_number(copy.get(key)) for key in _PAGE_KEYS)
    return copy, next((number for number in numbers_found if number is not None), None)


def _read_pages(pages: object, text: str, id_: str) -> Pages:
    if isinstance(pages, tuple) and not pages:
        return ()
    read: list[tuple[int, PageNumber]] = []
    if not isinstance(pages, Iterable) or isinstance(pages, str | bytes | Mapping):
        pages = [pages]  # no list
    for place, pair in enumerate(pages):
        is_pair = isinstance(pair, tuple | list) and len(pair) == 2
        start = _whole_number(pair[0]) if is_pair else None
        number = page_number(pair[1], exact=True) if is_pair else None
        lowest = read[-1][0] if read else 0
        if start is None or number is None or not lowest <= start <= len(text):
            raise ReferencesError(
                f"The pages of reference {clip(id_, 40)!r} are pairs of a start, an integer from 0 "
                f"to {len(text)}, the length of the text, and a page number or a label of at most "
                f"{_MAX_LABEL} characters. The starts ascend. Position {place} has no such pair."
            )
        read.append((start, number))
    return tuple(read)


def _whole_number(value: object) -> int | None:
    """Return an integer of any type as an `int`; a truth value is none."""
    kind = type(value)
    if issubclass(kind, numbers.Integral) and not issubclass(kind, bool):
        return int(value)  # type: ignore[call-overload,no-any-return] # an integer
    return None


def page_number(value: object, *, exact: bool = False) -> PageNumber | None:
    """Return a page number or label, or `None` if the value is neither.

    Databases store 3 as 3.0, so unless `exact` a float without a fraction is a number, too.
    """
    if issubclass(type(value), str):
        label = str.__str__(value)  # a subclass may say something else
        return label if label.strip() and len(label) <= _MAX_LABEL else None
    if not exact and issubclass(type(value), float) and value.is_integer():  # type: ignore[attr-defined]
        value = int(value)  # type: ignore[call-overload]
    number = _whole_number(value)
    return number if number is not None and 0 <= number <= _MAX_NUMBER else None
