"""Whether the places and words that a citation names are in its source."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from groundtypes.citations.providers.answer import CitedSource, ProviderAnswer, ProviderCitation
from groundtypes.citations.providers.parts import Part, Unit
from groundtypes.errors import fault_message
from groundtypes.quotes.matches import NearMiss, QuoteMatch
from groundtypes.quotes.search import search
from groundtypes.references import References, Span
from groundtypes.references.spans import Reference
from groundtypes.text.message_excerpts import clip, excerpt, shown_id
from groundtypes.verdicts import Verdict

__all__ = ["CheckedCitation", "CitedPassage", "check_citation"]

_QUOTE: Final = 200
_PASSAGE: Final = 160
#: How many ids of documents a message lists.
_LISTED: Final = 10


class CitedPassage(NamedTuple):
    """A part of a reference that is cited: half open, in code points."""

    reference: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CheckedCitation:
    """What was found of a citation: the verdicts on it, and the passages that it cites."""

    verdicts: tuple[Verdict, ...]
    passages: tuple[CitedPassage, ...]


def check_citation(answer: ProviderAnswer, number: int, *, has_documents: bool) -> CheckedCitation:
    """Return the verdicts on a citation alone, and what it cites.

    Args:
        answer: The answer.
        number: The number of the citation, from 0.
        has_documents: Whether the documents of the request were given.
    """
    checking = _Checking(answer, number, has_documents=has_documents)
    verdicts = tuple(checking.verdicts())
    return CheckedCitation(verdicts, tuple(dict.fromkeys(checking.passages)))


class _Checking:
    """The checks of one citation."""

    def __init__(self, answer: ProviderAnswer, number: int, *, has_documents: bool) -> None:
        self._answer = answer
        self._citation: ProviderCitation = answer.citations[number]
        self._number = number
        self._has_documents = has_documents
        self.passages: list[CitedPassage] = []

    def verdicts(self) -> Iterator[Verdict]:
        """Yield the verdicts, and collect the passages."""
        citation = self._citation
        if citation.place_fault is not None:
            yield self._fault("span", "citation_span_wrong", offsets=citation.place_fault)
        if not citation.sources:
            yield self._unknown(CitedSource())
        for source in citation.sources:
            if source.reference is None:
                yield self._unknown(source)
                continue
            reference = self._answer.references[source.reference]
            yield Verdict(
                check="source",
                ok=True,
                loc=("citations", self._number),
                label="found",
                citations=(reference.id,),
            )
            if source.pages is not None and reference.pages:
                yield self._pages_of(reference, source.pages)
            elif citation.cited_text is not None and not citation.cited_text.strip():
                yield self._fault("quote", "citation_quote_empty", reference=shown_id(reference.id))
            elif citation.cited_text is None or reference.id in self._answer.returned:
                # Of what the provider itself returns, nothing can be compared.
                self._cite(reference.id, 0, len(reference.text))
            else:
                yield from self._words(reference, citation.cited_text)

    def _unknown(self, source: CitedSource) -> Verdict:
        name = excerpt(source.name, 80)
        has_name = bool(source.url or source.title or source.id)
        is_document = source.index is not None or not has_name or not source.exists
        is_file = self._citation.kind.endswith("file_citation")
        has_id = source.id is not None and source.url is None and not is_file
        if is_document or (has_id and self._has_documents):
            ids = self._answer.references.ids[:_LISTED]
            known = ", ".join(shown_id(id_) for id_ in ids)
            template = "citation_unknown" if known else "citation_unknown_none"
            words = excerpt(self._marked_words(), _QUOTE)
            return self._fault("source", template, label=name, known=known, sentence=words)
        if is_file and source.title and source.id:
            name = excerpt(f"{source.title} ({source.id})", 80)
        return self._fault("source", "citation_source_missing", source=name)

    def _marked_words(self) -> str:
        """Return the words of the answer that the citation marks; of a position those before it."""
        text, citation = self._answer.text, self._citation
        words = text[citation.start : citation.end]
        if words.strip():
            return words
        before = text[max(0, citation.start - _QUOTE) : citation.start].rstrip()
        return before[before.rfind("\n") + 1 :] or text[citation.end : citation.end + _QUOTE]

    def _words(self, reference: Reference, words: str) -> Iterator[Verdict]:
        """Yield the verdicts on the words that the citation copied and on their place."""
        citation = self._citation
        if "char" in citation.kind or citation.source_start is not None:
            found = self._at_offsets(reference, words)
            if found is not None:
                yield self._holds("quote", found, label="exact")
                yield self._holds("span", found)
                self._cite(*_passage(found))
                return
        if (pages := self._page_text(reference, self._citation.pages)) is not None:
            start, page_text = pages
            match = _find(words, References(("0",), (page_text,)), "0")
            if isinstance(match, QuoteMatch):
                span = reference.span(start + match.span.start, start + match.span.end)
                yield self._holds("quote", span, label=match.how.value)
                yield self._holds("page", span)
                self._cite(*_passage(span))
                return
        if (blocks := self._blocks(reference, words)) is not None:
            yield self._holds("quote", blocks, label="exact")
            yield self._holds("span", blocks)
            self._cite(*_passage(blocks))
            return
        yield from self._elsewhere(reference, words)

    def _elsewhere(self, reference: Reference, words: str) -> Iterator[Verdict]:
        """Yield the verdicts on words that are not, or not known to be, where the citation says."""
        match = _find(words, self._answer.references, reference.id)
        if not isinstance(match, QuoteMatch):
            passage = "" if match is None else match.excerpt
            nearest = excerpt(passage, _QUOTE) if passage else ""
            yield self._fault(
                "quote",
                "citation_quote_not_found_nearest" if nearest else "citation_quote_not_found",
                reference=shown_id(reference.id),
                quote=excerpt(words, _QUOTE),
                passage=nearest,
            )
            self._cite(reference.id, 0, len(reference.text))
            return
        yield self._holds("quote", match.span, label=match.how.value)
        self._cite(*_passage(match.span))
        wrong = self._wrong_place(reference, match.span)
        if wrong is not None:
            yield wrong

    def _wrong_place(self, reference: Reference, found: Span) -> Verdict | None:
        """Return the fault of a place at which the words are not; `None` if there is no place."""
        citation = self._citation
        where = f"at characters {found.start} to {found.end}"
        if citation.pages is not None:
            if not reference.pages:
                return None  # nothing is known of its pages
            cited = _shown_range(citation.pages)
            return self._fault(
                "page",
                "citation_page_wrong",
                found,
                cited=cited,
                page="none" if found.page is None else found.page,
                reference=shown_id(reference.id),
            )
        if citation.blocks is not None:
            if _block_starts(reference) is None:
                return None
            offsets, passage = f"blocks {citation.blocks[0]} to {citation.blocks[1]}", "other words"
        elif citation.kind == "char_location" or citation.source_start is not None:
            start, end = citation.source_start, citation.source_end
            offsets = f"characters {_shown(start)} to {_shown(end)}"
            is_inside = start is not None and end is not None and 0 <= start < end
            words = reference.text[start:end] if is_inside else ""
            passage = excerpt(words, _PASSAGE) if words.strip() else "nothing"
        else:
            return None
        return self._fault(
            "span",
            "citation_span_wrong_source",
            found,
            offsets=offsets,
            reference=shown_id(reference.id),
            passage=passage,
            found=where,
        )

    def _at_offsets(self, reference: Reference, words: str) -> Span | None:
        """Return where the words are, if they are at the offsets, whatever these count."""
        start, end = self._citation.source_start, self._citation.source_end
        if start is None or end is None:
            return None
        part = Part(reference.text)
        for unit in Unit:
            span = part.in_code_points(start, end, unit)
            if span is not None and _same(reference.text[slice(*span)], words):
                return reference.span(*span)
        return None

    def _pages_of(self, reference: Reference, pages: tuple[int, int]) -> Verdict:
        """Return the verdict on the pages of a source, of which no words are given."""
        found = self._page_text(reference, pages)
        if found is None:
            self._cite(reference.id, 0, len(reference.text))
            numbers = [str(page) for _, page in reference.pages]
            return self._fault(
                "page",
                "citation_page_missing",
                cited=_shown_range(pages),
                reference=shown_id(reference.id),
                first=clip(numbers[0], 20),
                last=clip(numbers[-1], 20),
            )
        start, text = found
        end = start + len(text.rstrip())
        self._cite(reference.id, start, end)
        return self._holds("page", reference.span(start, end))

    def _page_text(
        self, reference: Reference, pages: tuple[int, int] | None
    ) -> tuple[int, str] | None:
        """Return the text of the pages that are cited, and where it starts."""
        if pages is None or not reference.pages:
            return None
        first, behind = pages
        numbers = [_page_number(page) for _, page in reference.pages]
        if None in numbers:  # labels such as "iv": the position counts
            numbers = list(range(1, len(numbers) + 1))
        starts = [start for start, _ in reference.pages]
        cited = [
            at for at, page in enumerate(numbers) if page is not None and first <= page < behind
        ]
        if not cited:
            return None
        # A passage may run over the end of the page that it starts on.
        after = cited[-1] + 1
        end = starts[after] if after < len(starts) else len(reference.text)
        return starts[cited[0]], reference.text[starts[cited[0]] : end]

    def _blocks(self, reference: Reference, words: str) -> Span | None:
        """Return where the content blocks are, if they are the words."""
        starts, cited = _block_starts(reference), self._citation.blocks
        if starts is None or cited is None:
            return None
        first, behind = cited
        if not 0 <= first < behind <= len(starts):
            return None
        end = starts[behind] - 1 if behind < len(starts) else len(reference.text)
        text = reference.text[starts[first] : end]
        return reference.span(starts[first], end) if _same(text, words) else None

    def _cite(self, reference: str, start: int, end: int) -> None:
        self.passages.append(CitedPassage(reference, start, end))

    def _holds(self, check: str, span: Span, label: str | None = None) -> Verdict:
        loc = ("citations", self._number)
        shown = None if span.start == span.end else span
        return Verdict(check=check, ok=True, loc=loc, label=label, span=shown)

    def _fault(
        self, check: str, template: str, span: Span | None = None, **values: object
    ) -> Verdict:
        slug, message = fault_message(template, number=self._number + 1, **values)
        loc = ("citations", self._number)
        return Verdict(check=check, ok=False, loc=loc, slug=slug, message=message, span=span)


def _find(words: str, references: References, id_: str) -> QuoteMatch | NearMiss | None:
    return search(words.strip(), references, within=id_)


def _same(text: str, words: str) -> bool:
    """Whether two texts are the same but for white space, which providers change."""
    return text == words or "".join(text.split()) == "".join(words.split())


def _passage(span: Span) -> CitedPassage:
    return CitedPassage(span.reference, span.start, span.end)


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


def _shown(offset: int | None) -> str:
    return "nowhere" if offset is None else str(offset)
