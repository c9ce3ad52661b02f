"""Grounding metadata of Gemini: supports mark segments of the parts of an answer.

https://ai.google.dev/gemini-api/docs/google-search
https://ai.google.dev/gemini-api/docs/file-search
https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/rag-output-explained
https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1beta1/GroundingMetadata

The offsets of a segment count bytes of UTF-8 within a part; JSON leaves out a start of 0. What
`citationMetadata` names is repeated from the web without having been looked up; it is no source
that the model was given, and is left out.
"""

from collections.abc import Sequence

from groundtypes.citations.providers.message_fields import field, integer, items, text_field
from groundtypes.citations.providers.parts import Draft, Part, Place, Unit
from groundtypes.citations.providers.provider_answer import CitedSource


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
    chunks = [_source(chunk) for chunk in items(metadata, "grounding_chunks")]
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


def _source(chunk: object) -> CitedSource:
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
    """Return the page of a file search, or those of a chunk of Vertex AI's RAG engine.

    Both count from 1; the last page of a chunk is part of it.
    """
    page = integer(field(context, "page_number"))
    if page is not None:
        return page, page + 1
    span = field(passage, "page_span")
    first, last = integer(field(span, "first_page")), integer(field(span, "last_page"))
    if first is None:
        return None
    return first, (first if last is None else last) + 1
