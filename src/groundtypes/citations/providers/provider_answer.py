"""One shape for what providers cite: the text of an answer, its citations and their sources."""

from dataclasses import dataclass

from groundtypes.references import References


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedSource:
    """A source as a provider names it.

    Attributes:
        reference: The id of the reference that it is, or `None` if it is none of them.
        index: The position of the document among those of the request, from 0.
        is_result: Whether it is a search result; Anthropic counts these separately.
        id: The id that the provider gives it, such as that of a file.
        url: Its address.
        title: Its title or file name.
        text: What the provider returns of its text.
        pages: The first page of it that is cited, and the page after the last.
        exists: Whether the provider names it anywhere but where it is cited.
    """

    reference: str | None = None
    index: int | None = None
    is_result: bool = False
    id: str | None = None
    url: str | None = None
    title: str | None = None
    text: str | None = None
    pages: tuple[int, int] | None = None
    exists: bool = True

    @property
    def name(self) -> str:
        """What the source is called in messages."""
        if self.reference is not None:
            return self.reference
        if name := self.id or self.url or self.title:
            return name
        kind = "search result" if self.is_result else "document"
        return f"{kind} without a name" if self.index is None else f"{kind} {self.index}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderCitation:
    """A citation that a provider returned. All offsets are half open, in code points.

    Attributes:
        kind: What the provider calls it, such as `char_location` or `url_citation`.
        start: Where the part of the answer starts that it marks.
        end: Where that part ends.
        is_placed: Whether the provider says which part that is. If not, `start` and `end` are those
            of the text block that has the citation.
        sources: What it cites.
        cited_text: The words that the provider says it copied from the source.
        source_start: Where these words start in the source, as the provider says.
        source_end: Where they end.
        pages: The first page that it cites, and the page after the last.
        blocks: The first content block of the source that it cites, and the one after the last,
            from 0.
        place_fault: What is wrong with the place in the answer; `None` if nothing is.
    """

    kind: str
    start: int
    end: int
    is_placed: bool = True
    sources: tuple[CitedSource, ...] = ()
    cited_text: str | None = None
    source_start: int | None = None
    source_end: int | None = None
    pages: tuple[int, int] | None = None
    blocks: tuple[int, int] | None = None
    place_fault: str | None = None

    @property
    def references(self) -> tuple[str, ...]:
        """The ids of the references that it cites."""
        ids = (source.reference for source in self.sources)
        return tuple(dict.fromkeys(id_ for id_ in ids if id_ is not None))


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderAnswer:
    """An answer of a provider with its citations.

    Attributes:
        text: The text of the answer, from all of its text blocks.
        citations: The citations, in the order in which the provider returned them.
        references: The references that were given, and behind them the sources of which only the
            provider's message has the text.
        returned: The ids of the latter.
        no_text: Why there is no text: what the message is instead, such as "a refusal"; `None` if
            there is one.
    """

    text: str
    citations: tuple[ProviderCitation, ...]
    references: References
    returned: frozenset[str] = frozenset()
    no_text: str | None = None
