"""Whether the places and words that a citation names are in its source."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from groundtypes.citations.providers.provider_answer import (
    CitedSource,
    ProviderAnswer,
    ProviderCitation,
)
from groundtypes.errors import fault_message
from groundtypes.quotes.matches import QuoteMatch
from groundtypes.quotes.search import search
from groundtypes.references import References, Span
from groundtypes.references.spans import Reference
from groundtypes.text.message_excerpts import clip, excerpt, shown_id
from groundtypes.text.offsets import Offsets, Unit
from groundtypes.verdicts import Verdict

_QUOTE: Final = 200
_PASSAGE: Final = 160
#: How many ids of documents a message lists.
_LISTED: Final = 10


class CitedPassage(NamedTuple):
    """A part of a reference that is cited: half open, in code points."""

    reference: str
    start: int
    end: int


class CheckedCitation(NamedTuple):
    """What was found of a citation: the verdicts on it, and the passages that it cites."""

    verdicts: tuple[Verdict, ...]
    passages: tuple[CitedPassage, ...]


def check_citation(answer: ProviderAnswer, number: int, *, has_documents: bool) -> CheckedCitation:
    """Return the verdicts on a citation alone; `has_documents`: those of the request were given."""
    checking = _Checking(answer, answer.citations[number], number, has_documents)
    verdicts = tuple(checking.verdicts())
    return CheckedCitation(verdicts, tuple(dict.fromkeys(checking.passages)))


@dataclass(slots=True)
class _Checking:
    """The checks of one citation."""

    _answer: ProviderAnswer
    _citation: ProviderCitation
    _number: int
    _has_documents: bool
    passages: list[CitedPassage] = field(default_factory=list)

    def verdicts(self) -> Iterator[Verdict]:
        """Yield the verdicts, and collect the passages."""
        citation = self._citation
        if citation.place_fault is not None:
            yield self._fault("span", "citation_span_wrong", offsets=citation.place_fault)
        for source in citation.sources or (CitedSource(),):
            if source.reference is None:
                yield self._unknown(source)
                continue
            reference = self._answer.references[source.reference]
            yield self._holds("source", label="found", citations=(reference.id,))
            if source.pages is not None and reference.pages:
                yield self._on_pages(reference, source.pages)
            elif citation.cited_text is not None and not citation.cited_text.strip():
                yield self._fault("quote", "citation_quote_empty", reference=shown_id(reference.id))
            elif citation.cited_text is None or reference.id in self._answer.returned:
                # Of what the provider itself returns, nothing can be compared.
                self._cite_all(reference)
            else:
                yield from self._on_words(reference, citation.cited_text)

    def _unknown(self, source: CitedSource) -> Verdict:
        """Return the fault of a source that is none of the references."""
        name = excerpt(source.name, 80)
        has_name = bool(source.url or source.title or source.id)
        is_document = source.index is not None or not has_name or not source.exists
        is_file = self._citation.kind.endswith("file_citation")
        has_id = source.id is not None and source.url is None and not is_file
        if is_document or (has_id and self._has_documents):
            ids = self._answer.references.ids[:_LISTED]
            known = ", ".join(shown_id(id_) for id_ in ids)
            template = "citation_unknown" if known else "citation_unknown_none"
            text, start, end = self._answer.text, self._citation.start, self._citation.end
            # Of a position, those before it.
            words = text[start:end] or text[max(0, start - _QUOTE) : start] or text[:_QUOTE]
            words = excerpt(words, _QUOTE)
            return self._fault("source", template, label=name, known=known, sentence=words)
        if is_file and source.title and source.id:
            name = excerpt(f"{source.title} ({source.id})", 80)
        return self._fault("source", "citation_source_missing", source=name)

    def _on_words(self, reference: Reference, words: str) -> Iterator[Verdict]:
        """Yield the verdicts on the words that the citation copied and on their place."""
        place = self._at_offsets(reference, words) or self._in_blocks(reference, words)
        check, label = "span", "exact"
        pages = _page_span(reference, self._citation.pages)
        if place is None and pages is not None:
            text = reference.text[slice(*pages)]
            match = search(words.strip(), References(("0",), (text,)), within="0")
            if isinstance(match, QuoteMatch):
                start, end = pages[0] + match.span.start, pages[0] + match.span.end
                place, check, label = reference.span(start, end), "page", match.how.value
        if place is not None:
            yield self._holds("quote", place, label)
            yield self._holds(check, place)
            self._cite(place)
            return
        match = search(words.strip(), self._answer.references, within=reference.id)
        if isinstance(match, QuoteMatch):
            yield self._holds("quote", match.span, match.how.value)
            self._cite(match.span)
            yield from self._wrong_place(reference, match.span)
            return
        nearest = excerpt(match.excerpt, _QUOTE) if match is not None and match.excerpt else ""
        yield self._fault(
            "quote",
            "citation_quote_not_found_nearest" if nearest else "citation_quote_not_found",
            reference=shown_id(reference.id),
            quote=excerpt(words, _QUOTE),
            passage=nearest,
        )
        self._cite_all(reference)

    def _wrong_place(self, reference: Reference, found: Span) -> Iterator[Verdict]:
        """Yield the fault of a place at which the words are not, if the citation names one."""
        citation, id_ = self._citation, shown_id(reference.id)
        if citation.pages is not None:
            if reference.pages:  # else nothing is known of its pages
                cited, page = _shown_range(citation.pages), found.page
                shown = "none" if page is None else page
                yield self._fault(
                    "page", "citation_page_wrong", found, cited=cited, page=shown, reference=id_
                )
            return
        start, end = citation.source_start, citation.source_end
        if citation.blocks is not None:
            if _block_starts(reference) is None:
                return
            offsets, passage = f"blocks {citation.blocks[0]} to {citation.blocks[1]}", "other words"
        elif citation.kind == "char_location" or start is not None:
            low, high = ("nowhere" if each is None else each for each in (start, end))
            offsets = f"characters {low} to {high}"
            is_inside = start is not None and end is not None and 0 <= start < end
            words = reference.text[start:end] if is_inside else ""
            passage = excerpt(words, _PASSAGE) if words.strip() else "nothing"
        else:
            return
        yield self._fault(
            "span",
            "citation_span_wrong_source",
            found,
            offsets=offsets,
            reference=id_,
            passage=passage,
            found=f"at characters {found.start} to {found.end}",
        )

    def _at_offsets(self, reference: Reference, words: str) -> Span | None:
        """Return where the words are, if they are at the offsets, whatever these count."""
        start, end = self._citation.source_start, self._citation.source_end
        if start is None or end is None:
            return None
        offsets = Offsets(reference.text)
        spans = (offsets.in_code_points(start, end, unit) for unit in Unit)
        return next(
            (
                reference.span(*span)
                for span in spans
                if span is not None and _same(reference.text[slice(*span)], words)
            ),
            None,
        )

    def _in_blocks(self, reference: Reference, words: str) -> Span | None:
        """Return where the content blocks are, if they are the words."""
        starts, cited = _block_starts(reference), self._citation.blocks
        if starts is None or cited is None or not 0 <= cited[0] < cited[1] <= len(starts):
            return None
        first, behind = cited
        end = starts[behind] - 1 if behind < len(starts) else len(reference.text)
        text = reference.text[starts[first] : end]
        return reference.span(starts[first], end) if _same(text, words) else None

    def _on_pages(self, reference: Reference, pages: tuple[int, int]) -> Verdict:
        """Return the verdict on the pages of a source, of which no words are given."""
        found = _page_span(reference, pages)
        if found is not None:
            start, end = found
            span = reference.span(start, start + len(reference.text[start:end].rstrip()))
            self._cite(span)
            return self._holds("page", span)
        self._cite_all(reference)
        first, last = (clip(str(reference.pages[at][1]), 20) for at in (0, -1))
        return self._fault(
            "page",
            "citation_page_missing",
            cited=_shown_range(pages),
            reference=shown_id(reference.id),
            first=first,
            last=last,
        )

    def _cite(self, span: Span) -> None:
        self.passages.append(CitedPassage(span.reference, span.start, span.end))

    def _cite_all(self, reference: Reference) -> None:
        self.passages.append(CitedPassage(reference.id, 0, len(reference.text)))

    def _holds(
        self,
        check: str,
        span: Span | None = None,
        label: str | None = None,
        citations: tuple[str, ...] = (),
    ) -> Verdict:
        loc = ("citations", self._number)
        shown = None if span is None or span.start == span.end else span
        return Verdict(check=check, ok=True, loc=loc, label=label, span=shown, citations=citations)

    def _fault(
        self, check: str, template: str, span: Span | None = None, **values: object
    ) -> Verdict:
        slug, message = fault_message(template, number=self._number + 1, **values)
        loc = ("citations", self._number)
        return Verdict(check=check, ok=False, loc=loc, slug=slug, message=message, span=span)


def _same(text: str, words: str) -> bool:
    """Whether two texts are the same but for white space, which providers change."""
    return text == words or "".join(text.split()) == "".join(words.split())


def _page_span(reference: Reference, pages: tuple[int, int] | None) -> tuple[int, int] | None:
    """Return where the pages that are cited start and end."""
    if pages is None or not reference.pages:
        return None
    numbers = [_page_number(page) for _, page in reference.pages]
    if None in numbers:  # labels such as "iv": the position counts
        numbers = list(range(1, len(numbers) + 1))
    cited = [
        at for at, page in enumerate(numbers) if page is not None and pages[0] <= page < pages[1]
    ]
    if not cited:
        return None
    # A passage may run over the end of the page that it starts on.
    starts = [*(start for start, _ in reference.pages), len(reference.text)]
    return starts[cited[0]], starts[cited[-1] + 1]


def _page_number(page: int | str) -> int | None:
    if isinstance(page, int):
        return page
    return int(page) if page.isascii() and page.isdecimal() and len(page) < 10 else None


def _block_starts(reference: Reference) -> list[int] | None:
    """Return where the content blocks of a reference start, if `request_documents` made it."""
    starts = (reference.metadata or {}).get("blocks")
    return starts if isinstance(starts, list) and starts else None


def _shown_range(pages: tuple[int, int]) -> str:
    first, behind = pages
    return str(first) if behind <= first + 1 else f"{first} to {behind - 1}"
