"""`CitedText`: a text with citation markers that knows what they cite, and can show them."""

import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self, TypeAlias
from urllib.parse import quote

from groundtypes.citations.markers.marked_text import MarkedText
from groundtypes.references.spans import Span

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
        return _as_markdown(_Rendering(self, links), has_links=links is not None)

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
        return _as_html(_Rendering(self, links), prefix)


class _Rendering:
    """A cited text while it is shown: its references with their numbers, and their addresses."""

    def __init__(self, cited: CitedText, links: Links | None) -> None:
        self._marked = cited.marked
        self._links = links
        ids = (id_ for marker in cited.marked.markers for id_ in self._marked.references_of(marker))
        #: The number of each cited reference.
        self.numbers = {id_: number for number, id_ in enumerate(dict.fromkeys(ids), 1)}
        self._pages: dict[str, dict[str, None]] = {}
        for citation in cited.citations:
            for span in citation.spans:
                if span.page is not None:
                    self._pages.setdefault(span.reference, {})[str(span.page)] = None

    def pieces(self) -> Iterator[str | tuple[str, ...]]:
        """Yield the words and, in place of each marker, the ids of the references that it names."""
        text, last = self._marked.text, 0
        replaced: list[tuple[int, int, tuple[str, ...]]] = []
        for marker in self._marked.markers:
            if ids := self._marked.references_of(marker):
                *opening, closing = marker.parts
                replaced += [*((*part, ()) for part in opening), (*closing, ids)]
        for start, end, ids in sorted(replaced, key=lambda place: place[:2]):
            if start >= last:
                yield text[last:start]
                if ids:
                    yield ids
                last = end
        yield text[last : self._marked.source_list[0] if self._marked.source_list else len(text)]

    def link(self, id_: str) -> str | None:
        """Return the address of a reference, encoded; one that runs a script is none."""
        links = self._links
        address = links(id_) if callable(links) else links.get(id_) if links is not None else None
        scheme = _SCHEME.match(address) if address else None
        if not address or (scheme and scheme[0].lower() not in _SCHEMES):
            return None
        return quote(address, safe=_URL_CHARACTERS)

    def name(self, id_: str) -> str:
        """Return the name of a reference with the pages that are cited: "guide, p. 3, 7"."""
        pages = ", ".join(self._pages.get(id_, ()))
        return f"{id_}, p. {pages}" if pages else id_


def _as_markdown(shown: _Rendering, *, has_links: bool) -> str:
    def marked(id_: str) -> str:
        number = shown.numbers[id_]
        if not has_links:
            return f"[^{number}]"
        address = shown.link(id_)
        if not address:
            return f"\\[{number}\\]"
        title = "" if _NO_TITLE.search(id_) or len(id_) > _LONGEST_TITLE else f' "{id_}"'
        return f"[\\[{number}\\]]({address}{title})"

    words = (
        piece if isinstance(piece, str) else "".join(map(marked, piece)) for piece in shown.pieces()
    )
    body = "".join(words).rstrip()
    if has_links or not shown.numbers:
        return body
    notes = "\n".join(
        f"[^{number}]: {_escaped(shown.name(id_))}" for id_, number in shown.numbers.items()
    )
    return f"{body}\n\n{notes}"


def _escaped(name: str) -> str:
    return _MARKDOWN.sub(r"\\\1", " ".join(name.split()))


def _as_html(shown: _Rendering, prefix: str) -> str:
    #: The number of the first marker of each reference, to which its source links back.
    first: dict[str, int] = {}
    count = 0
    words = []
    for piece in shown.pieces():
        if isinstance(piece, str):
            words.append(_paragraphs(piece))
            continue
        count += 1
        anchors = []
        for id_ in piece:
            first.setdefault(id_, count)
            number = shown.numbers[id_]
            anchors.append(f'<a href="#{prefix}-source-{number}">{number}</a>')
        words.append(f'<sup class="citation" id="{prefix}-{count}">[{", ".join(anchors)}]</sup>')
    body = _EMPTY.sub("", f"<p>{''.join(words).strip()}</p>").rstrip()
    items = []
    for id_, number in shown.numbers.items():
        name, address = html.escape(shown.name(id_)), shown.link(id_)
        if address:
            name = f'<a href="{html.escape(address)}">{name}</a>'
        back = f'<a href="#{prefix}-{first[id_]}" aria-label="Back to the text">\u21a9</a>'
        items.append(f'<li id="{prefix}-source-{number}">{name} {back}</li>')
    sources = ['<ol class="sources">', *items, "</ol>"] if items else []
    return "\n".join([*([body] if body else []), *sources])


def _paragraphs(text: str) -> str:
    """Return text as HTML, with its line breaks."""
    paragraphs = _PARAGRAPH.split(text.replace("\r\n", "\n"))
    return "</p>\n<p>".join(html.escape(each).replace("\n", "<br>\n") for each in paragraphs)
