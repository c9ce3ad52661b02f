"""Citations that stand beside the text of an answer: Cohere, Gemini, Perplexity.

- Cohere: spans of the answer, whose `text` repeats the words of the answer, not of the source.
  https://docs.cohere.com/docs/rag-citations, https://docs.cohere.com/docs/tool-use-citations
- Gemini: supports mark segments of the parts of an answer. The offsets count bytes of UTF-8 within
  a part; JSON leaves out a start of 0. What `citationMetadata` names was not looked up, and is left
  out. https://ai.google.dev/gemini-api/docs/google-search
  https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1beta1/GroundingMetadata
- Perplexity (`citations`, `search_results`): `[1]` in the text is the first of these; a number
  without a source cites one that does not exist. https://docs.perplexity.ai/api-reference/sonar-post
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from groundtypes.citations.markers.marker_reader import read_markers
from groundtypes.citations.providers.message_fields import field, integer, items, text_field
from groundtypes.citations.providers.parts import Draft, Part, Place
from groundtypes.citations.providers.provider_answer import CitedSource
from groundtypes.references import References
from groundtypes.text.offsets import Unit

#: The names that Cohere gives to documents without an id, by their positions.
_NUMBERED: Final = re.compile(r"doc[:_](\d{1,9})(?::\d{1,9})?")
_TEXT_KEYS: Final = ("text", "snippet", "content", "data")
_THOUGHTS: Final = "</think>"


def read_citations(draft: Draft, citations: Sequence[Any], documents: Sequence[Any] = ()) -> None:
    """Note the citations of Cohere; those of version 1 of its API name `documents` by their ids."""
    known = {
        id_: document for document in documents if (id_ := text_field(document, "id")) is not None
    }
    for citation in citations:
        if field(citation, "type") in ("THINKING_CONTENT", "PLAN"):
            continue  # it marks what the model thinks, which is no part of the answer
        part = draft.whole()
        number = integer(field(citation, "content_index"))
        texts = draft.parts
        if number is not None and 0 <= number < len(texts) and texts[number] is not None:
            part = texts[number] or part
        marked = text_field(citation, "text")
        place = part.place(
            field(citation, "start"), field(citation, "end"), Unit.CODE_POINTS, marked
        )
        sources = [_source(source) for source in items(citation, "sources")]
        if not sources:
            ids = field(citation, "document_ids") or ()
            sources = [_document(str(id_), known.get(str(id_))) for id_ in ids]
        draft.cite("cohere", place, tuple(sources))


def _source(source: object) -> CitedSource:
    content = field(source, "document", "tool_output")
    id_ = text_field(source, "id") or text_field(content, "id") or ""
    return _document(id_, content)


def _document(id_: str, content: object) -> CitedSource:
    numbered = _NUMBERED.fullmatch(id_)
    return CitedSource(
        index=int(numbered[1]) if numbered else None,
        id=id_ or None,
        url=text_field(content, "url"),
        title=text_field(content, "title"),
        text=document_text(content),
    )


def document_text(content: object) -> str | None:
    """Return the text of a document: its main field, then the others, which the model read, too."""
    if isinstance(content, str):
        return content
    if not isinstance(content, Mapping):
        return None
    main = next((key for key in _TEXT_KEYS if isinstance(content.get(key), str)), None)
    lines = [content[main]] if main is not None else []
    for key, value in content.items():
        if key not in ("id", main):
            is_text = isinstance(value, str)
            shown = value if is_text else json.dumps(value, ensure_ascii=False, default=str)
            lines.append(f"{key}: {shown}")
    return "\n".join(lines) or None


def read_candidate(draft: Draft, candidate: object) -> None:
    """Note the text and the grounding of a candidate."""
    for part in items(field(candidate, "content"), "parts"):
        text = field(part, "text")
        if isinstance(text, str) and field(part, "thought") is not True:
            draft.add(text)
        else:
            draft.skip(separates=False)
    read_grounding(draft, field(candidate, "grounding_metadata"))


def read_grounding(draft: Draft, metadata: object) -> None:
    """Note the citations of grounding metadata; the text has been noted."""
    chunks = [_grounding_source(chunk) for chunk in items(metadata, "grounding_chunks")]
    whole = draft.whole()
    for support in items(metadata, "grounding_supports"):
        segment = field(support, "segment")
        indices = map(integer, items(support, "grounding_chunk_indices"))
        sources = tuple(_chunk(chunks, index) for index in dict.fromkeys(indices))
        draft.cite("grounding_support", _place(draft, whole, segment), sources)


def _place(draft: Draft, whole: Part, segment: object) -> Place:
    number = integer(field(segment, "part_index")) or 0
    part = draft.parts[number] if 0 <= number < len(draft.parts) else None
    start, end = field(segment, "start_index"), field(segment, "end_index")
    marked = text_field(segment, "text")
    if start is None and end is not None:
        start = 0
    if part is not None:
        place = part.place(start, end, Unit.BYTES, marked)
        if place.fault is None and place.is_placed:
            return place
    # Offsets in several parts are sometimes counted through all of them.
    return whole.place(start, end, Unit.BYTES, marked)


def _chunk(chunks: Sequence[CitedSource], index: int | None) -> CitedSource:
    if index is None or not 0 <= index < len(chunks):
        return CitedSource(title=f"grounding chunk {'?' if index is None else index}")
    return chunks[index]


def _grounding_source(chunk: object) -> CitedSource:
    inner = field(chunk, "retrieved_context", "web", "maps")
    passage = field(inner, "rag_chunk")
    return CitedSource(
        id=text_field(inner, "document_name", "place_id"),
        url=text_field(inner, "uri"),
        title=text_field(inner, "title", "domain"),
        text=text_field(inner, "text") or text_field(passage, "text"),
        pages=_pages(inner, passage),
    )


def _pages(context: object, passage: object) -> tuple[int, int] | None:
    """Return the pages of a search, which count from 1; the last of a chunk is part of it."""
    page = integer(field(context, "page_number"))
    if page is not None:
        return page, page + 1
    span = field(passage, "page_span")
    first, last = integer(field(span, "first_page")), integer(field(span, "last_page"))
    if first is None:
        return None
    return first, (first if last is None else last) + 1


def without_thoughts(content: object) -> object:
    """Return a text without what Perplexity's reasoning models think, which comes before it."""
    if isinstance(content, str) and content.lstrip().startswith("<think>") and _THOUGHTS in content:
        return content.partition(_THOUGHTS)[2].lstrip()
    return content


def read_perplexity(draft: Draft, response: object) -> None:
    """Note the citations of Perplexity: addresses, with titles and extracts in `search_results`."""
    results = items(response, "search_results")
    by_url = {url: result for result in results if (url := text_field(result, "url"))}
    urls = [url for url in items(response, "citations") if isinstance(url, str)]
    sources = [
        CitedSource(
            url=url,
            title=text_field(by_url.get(url), "title"),
            text=text_field(by_url.get(url), "snippet"),
        )
        for url in urls or [text_field(result, "url") or "" for result in results]
    ]
    known = {str(number): source for number, source in enumerate(sources, 1)}
    marked = read_markers(draft.text, References(tuple(known), ("",) * len(known)), "brackets")
    for marker in marked.markers if sources else ():
        cited = (
            known[label] if marked.ids.get(label) else CitedSource(id=f"[{label}]", exists=False)
            for label in marker.labels
        )
        draft.cite("number", Place(marker.start, marker.end), tuple(cited))
