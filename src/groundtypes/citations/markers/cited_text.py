"""`CitedText`: a text with citation markers that knows what they cite, and can show them."""

import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self, TypeAlias
from urllib.parse import quote

from groundtypes.citations.markers.marked_text import MarkedText
from groundtypes.references.spans import Span

__all__ = ["Citation", "CitedText", "Links"]

#: The address of each reference by its id; what has none is shown without a link.
Links: TypeAlias = Mapping[str, str] | Callable[[str], str | None]

_PARAGRAPH: Final = re.compile(r"\n[ \t]{0,200}\n\s{0,200}")
_URL_CHARACTERS: Final = "-._~:/?#@!$&'*+,;=%"
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,50}:")
_SCHEMES: Final = ("http:", "https:", "mailto:", "ftp:", "file:")
#: What the title of a link in Markdown cannot have without being changed.
_NO_TITLE: Final = re.compile(r"[\"\\\r\n<>&*_`\[\]]|\A\s|\s\Z|\A\Z")
_LONGEST_TITLE: Final = 500
_EMPTY: Final = re.compile(r"<p>(?:\s|<br>){0,1000}</p>\n?")
_MARKDOWN: Final = re.compile(r"([\\`*_\[\]<>|#])")


@dataclass(frozen=True, slots=True)
class Citation:
    """A marker and what it cites for one sentence.

    Attributes:
        start: Where the marker starts in the text, in code points.
        end: Where it ends.
        sentence: Where the sentence starts and ends in the text.
        references: The ids of the references that the marker names; unknown ones are left out.
        spans: The places in these references that support the sentence.
        quotes: The references' own words at these places.
    """

    start: int
    end: int
    sentence: tuple[int, int]
    references: tuple[str, ...]
    spans: tuple[Span, ...] = ()
    quotes: tuple[str, ...] = ()


class CitedText(str):
    """A text with citation markers: a string that knows what its markers cite.

    Attributes:
        marked: The text with its markers.
        citations: What the markers cite, in the order of the text. A marker that counts for several
            sentences has one citation for each.
    """

    __slots__ = ("citations", "marked")

    marked: MarkedText
    citations: tuple[Citation, ...]

    def __new__(cls, marked: MarkedText, citations: Sequence[Citation] = ()) -> Self:
        """Return the text of a marked text with its citations."""
        self = super().__new__(cls, marked.text)
        self.marked = marked
        self.citations = tuple(citations)
        return self

    def __reduce__(self) -> "tuple[type[Self], tuple[MarkedText, tuple[Citation, ...]]]":
        """Copy and pickle the text with its citations, in every protocol."""
        return type(self), (self.marked, self.citations)

    @property
    def plain(self) -> str:
        """The text without markers and without the list of sources at its end."""
        return self.marked.plain

    def as_markdown(self, links: Links | None = None) -> str:
        """Return the text in Markdown, with its references numbered in the order of the text.

        Args:
            links: The address of each reference by its id, as a mapping or a function. Each number
                becomes a link whose title is the id, so that `read_markers` finds the same
                reference again. Without links, numbers are footnotes, and the text ends with what
                they cite. A list of sources in the text is left out.
        """
        return _Markdown(self, links).text()

    def as_html(self, links: Links | None = None, *, prefix: str = "cite") -> str:
        """Return the text in HTML: paragraphs, and a list of sources to which the markers link.

        All text is escaped; Markdown in it is not rendered.

        Args:
            links: The address of each reference by its id, to which the list of sources links.
            prefix: What the ids of elements begin with: a name in ASCII letters, digits, `_` and
                `-` that no other text of the page has. `cite-1` is the first marker,
                `cite-source-1` the first source.

        Raises:
            ValueError: The prefix is no such name.
        """
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,100}", prefix):
            raise ValueError("The prefix of ids is a name in ASCII letters, digits, '_' and '-'.")
        return _Html(self, links, prefix).text()


class _Shown:
    """A cited text cut into words and groups of numbers."""

    def __init__(self, cited: CitedText, links: Links | None) -> None:
        self._marked = cited.marked
        self._links = links
        #: The number of each cited reference.
        self.numbers: dict[str, int] = {}
        #: The places in each reference that its citations name.
        self.spans: dict[str, dict[Span, None]] = {}
        for marker in self._marked.markers:
            for id_ in self._marked.references_of(marker):
                self.numbers.setdefault(id_, len(self.numbers) + 1)
        for citation in cited.citations:
            for span in citation.spans:
                self.spans.setdefault(span.reference, {})[span] = None

    def pieces(self) -> Iterator[str | tuple[str, ...]]:
        """Yield the words and, in place of each marker, the ids of its references.

        A marker that names no reference stays as it is written.
        """
        text, last = self._marked.text, 0
        end = self._marked.source_list[0] if self._marked.source_list else len(text)
        for start, high, ids in sorted(self._replacements(), key=lambda place: place[:2]):
            if start < last:
                continue
            yield text[last:start]
            if ids:
                yield ids
            last = high
        yield text[last:end]

    def _replacements(self) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        for marker in self._marked.markers:
            ids = self._marked.references_of(marker)
            if not ids:
                continue
            *opening, (start, end) = marker.parts
            yield from ((low, high, ()) for low, high in opening)
            yield start, end, ids

    def link(self, id_: str) -> str | None:
        """Return the address of a reference, with what Markdown and HTML would read encoded.

        An address that runs a script is none.
        """
        links = self._links
        address = links(id_) if callable(links) else links.get(id_) if links is not None else None
        scheme = _SCHEME.match(address) if address else None
        if not address or (scheme and scheme[0].lower() not in _SCHEMES):
            return None
        return quote(address, safe=_URL_CHARACTERS)

    def pages(self, id_: str) -> str:
        """Return the pages of a reference that are cited: ", p. 3, 7"."""
        pages = dict.fromkeys(
            str(span.page) for span in self.spans.get(id_, ()) if span.page is not None
        )
        return f", p. {', '.join(pages)}" if pages else ""


class _Markdown(_Shown):
    def text(self) -> str:
        words = [
            piece if isinstance(piece, str) else self._numbers(piece) for piece in self.pieces()
        ]
        body = "".join(words).rstrip()
        if self._links is not None or not self.numbers:
            return body
        notes = "\n".join(f"[^{number}]: {self._name(id_)}" for id_, number in self.numbers.items())
        return f"{body}\n\n{notes}"

    def _numbers(self, ids: tuple[str, ...]) -> str:
        return "".join(self._number(id_) for id_ in ids)

    def _number(self, id_: str) -> str:
        number = self.numbers[id_]
        if self._links is None:
            return f"[^{number}]"
        address = self.link(id_)
        if not address:
            return f"\\[{number}\\]"
        title = "" if _NO_TITLE.search(id_) or len(id_) > _LONGEST_TITLE else f' "{id_}"'
        return f"[\\[{number}\\]]({address}{title})"

    def _name(self, id_: str) -> str:
        return _MARKDOWN.sub(r"\\\1", " ".join(f"{id_}{self.pages(id_)}".split()))


class _Html(_Shown):
    def __init__(self, cited: CitedText, links: Links | None, prefix: str) -> None:
        super().__init__(cited, links)
        self._prefix = prefix
        #: The number of the first marker of each reference, to which its source links back.
        self._first: dict[str, int] = {}
        self._count = 0

    def text(self) -> str:
        words = [
            _paragraphs(piece) if isinstance(piece, str) else self._anchors(piece)
            for piece in self.pieces()
        ]
        body = _EMPTY.sub("", f"<p>{''.join(words).strip()}</p>").rstrip()
        parts = [body] if body else []
        if self.numbers:
            items = "\n".join(self._source(id_, number) for id_, number in self.numbers.items())
            parts.append(f'<ol class="sources">\n{items}\n</ol>')
        return "\n".join(parts)

    def _anchors(self, ids: tuple[str, ...]) -> str:
        self._count += 1
        for id_ in ids:
            self._first.setdefault(id_, self._count)
        anchors = ", ".join(
            f'<a href="#{self._prefix}-source-{self.numbers[id_]}">{self.numbers[id_]}</a>'
            for id_ in ids
        )
        return f'<sup class="citation" id="{self._prefix}-{self._count}">[{anchors}]</sup>'

    def _source(self, id_: str, number: int) -> str:
        name = html.escape(id_ + self.pages(id_))
        address = self.link(id_)
        if address:
            name = f'<a href="{html.escape(address)}">{name}</a>'
        back = (
            f'<a href="#{self._prefix}-{self._first[id_]}" aria-label="Back to the text">\u21a9</a>'
        )
        return f'<li id="{self._prefix}-source-{number}">{name} {back}</li>'


def _paragraphs(text: str) -> str:
    """Return text as HTML, with its line breaks."""
    paragraphs = _PARAGRAPH.split(text.replace("\r\n", "\n"))
    return "</p>\n<p>".join(html.escape(each).replace("\n", "<br>\n") for each in paragraphs)
