"""`CitedText`: a text with citation markers that knows what they cite, and can show them."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self, TypeAlias
from urllib.parse import quote

from groundtypes.citations.markers.marked_text import MarkedText
from groundtypes.references.spans import Span

#: The address of each reference by its id; what has none is shown without a link.
Links: TypeAlias = Mapping[str, str] | Callable[[str], str | None]

_URL_CHARACTERS: Final = "-._~:/?#@!$&'*+,;=%"
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,50}:")
_SCHEMES: Final = ("http:", "https:", "mailto:", "ftp:", "file:")
#: What the title of a link in Markdown cannot have without being changed.
_NO_TITLE: Final = re.compile(r"[\"\\\r\n<>&*_`\[\]]|\A\s|\s\Z|\A\Z")
_LONGEST_TITLE: Final = 500
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
        marked = self.marked
        cited = (id_ for marker in marked.markers for id_ in marked.references_of(marker))
        numbers = {id_: number for number, id_ in enumerate(dict.fromkeys(cited), 1)}

        def shown(id_: str) -> str:
            if links is None:
                return f"[^{numbers[id_]}]"
            address = _address(links(id_) if callable(links) else links.get(id_))
            if not address:
                return f"\\[{numbers[id_]}\\]"
            title = "" if _NO_TITLE.search(id_) or len(id_) > _LONGEST_TITLE else f' "{id_}"'
            return f"[\\[{numbers[id_]}\\]]({address}{title})"

        body = _with_markers(marked, shown).rstrip()
        if links is not None or not numbers:
            return body
        notes = (f"[^{number}]: {self._name(id_)}" for id_, number in numbers.items())
        return "\n".join([f"{body}\n", *notes])

    def _name(self, id_: str) -> str:
        """Return the name of a reference with the pages that are cited: "guide, p. 3, 7"."""
        spans = (span for citation in self.citations for span in citation.spans)
        pages = dict.fromkeys(
            str(span.page) for span in spans if span.reference == id_ and span.page is not None
        )
        name = f"{id_}, p. {', '.join(pages)}" if pages else id_
        return _MARKDOWN.sub(r"\\\1", " ".join(name.split()))


def _with_markers(marked: MarkedText, shown: Callable[[str], str]) -> str:
    """Return a text without its list of sources, and with other words for its markers."""
    text, last = marked.text, 0
    pieces: list[str] = []
    replaced: list[tuple[int, int, str]] = []
    for marker in marked.markers:
        if ids := marked.references_of(marker):
            *opening, closing = marker.parts
            replaced += [(*part, "") for part in opening]
            replaced.append((*closing, "".join(map(shown, ids))))
    for start, end, words in sorted(replaced, key=lambda place: place[:2]):
        if start >= last:
            pieces += [text[last:start], words]
            last = end
    return "".join([*pieces, text[last : marked.source_list[0] if marked.source_list else None]])


def _address(address: str | None) -> str | None:
    """Return an address, encoded; one that runs a script is none."""
    scheme = _SCHEME.match(address) if address else None
    if not address or (scheme and scheme[0].lower() not in _SCHEMES):
        return None
    return quote(address, safe=_URL_CHARACTERS)
