"""The citations of Amazon Bedrock: those of Converse, and those of a knowledge base.

- Converse: blocks of text with citations, whose places are those of Anthropic, half open.
  https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CitationsContentBlock.html
- RetrieveAndGenerate: parts of the answer, with the texts that were retrieved for each. Whether the
  end of a span is part of it is not documented; in responses it is. The words decide.
  https://docs.aws.amazon.com/bedrock/latest/APIReference/API_agent-runtime_RetrieveAndGenerate.html
"""

from typing import Final

from groundtypes.citations.providers.message_fields import field, integer, items, text_field
from groundtypes.citations.providers.parts import Draft, Part
from groundtypes.citations.providers.provider_answer import CitedSource
from groundtypes.text.offsets import Unit

#: The kinds of places in a source, with the field of a citation that has their range.
_RANGES: Final = {
    "documentChar": None,
    "documentPage": "pages",
    "documentChunk": "blocks",
    "searchResultLocation": "blocks",
    "web": None,
}
#: The kinds of places of retrieved texts, whose names end in `Location`.
_STORES: Final = (
    "s3", "web", "confluence", "salesforce", "sharePoint", "kendraDocument", "customDocument",
    "googleDrive", "oneDrive", "sql",
)  # fmt: skip
_SOURCE_URI: Final = "x-amz-bedrock-kb-source-uri"


def read_cited_content(draft: Draft, content: object) -> None:
    """Note the text of a `citationsContent` block, and its citations."""
    texts = (text_field(part, "text") or "" for part in items(content, "content"))
    part = draft.add("".join(texts))
    for citation in items(content, "citations"):
        _read_location(draft, part, citation)


def _read_location(draft: Draft, part: Part, citation: object) -> None:
    location = field(citation, "location")
    kind = next((name for name in _RANGES if field(location, name) is not None), "citation")
    place = field(location, kind)
    texts = items(citation, "source_content")
    cited = "\n".join(text_field(text, "text") or "" for text in texts) if texts else None
    start, end = integer(field(place, "start")), integer(field(place, "end"))
    more: dict[str, object] = {}
    if kind == "documentChar":
        more = {"source_start": start, "source_end": end}
    elif (name := _RANGES.get(kind)) and start is not None and end is not None:
        more = {name: (start, max(end, start + 1))}
    source = CitedSource(
        index=integer(field(place, "document_index", "search_result_index")),
        is_result=kind == "searchResultLocation",
        id=text_field(citation, "source"),
        url=text_field(place, "url"),
        title=text_field(citation, "title") or text_field(place, "domain"),
        # The message has no more of a web page than the words that are cited.
        text=(cited or None) if kind == "web" else None,
    )
    draft.cite(kind, part.whole._replace(is_placed=True), (source,), cited_text=cited, **more)


def read_knowledge_base(draft: Draft, message: object) -> bool:
    """Note the response of a knowledge base to RetrieveAndGenerate."""
    text = field(field(message, "output"), "text")
    if not isinstance(text, str) or field(message, "citations", "session_id") is None:
        return False
    whole = draft.add(text)
    for citation in items(message, "citations"):
        part = field(field(citation, "generated_response_part"), "text_response_part")
        span, marked = field(part, "span"), text_field(part, "text")
        start, end = integer(field(span, "start")), integer(field(span, "end"))
        place = whole.place(start, end, Unit.CODE_POINTS, marked)
        if end is not None and (marked is None or place.fault is not None):
            closed = whole.place(start, end + 1, Unit.CODE_POINTS, marked)
            place = closed if closed.fault is None else place
        # Parts of the answer for which nothing was retrieved are listed, too.
        if sources := tuple(map(_retrieved, items(citation, "retrieved_references"))):
            draft.cite("retrievedReferences", place, sources)
    return True


def _retrieved(reference: object) -> CitedSource:
    content, location = field(reference, "content"), field(reference, "location")
    found = (field(location, f"{store}Location") for store in _STORES)
    place = next((each for each in found if each is not None), None)
    cells = (
        f"{text_field(cell, 'column_name')}: {text_field(cell, 'column_value')}"
        for cell in items(content, "row")
    )
    return CitedSource(
        id=text_field(place, "id"),
        # The address of a wiki or the like is that of its host.
        url=text_field(field(reference, "metadata"), _SOURCE_URI)
        or text_field(place, "uri", "url"),
        title=text_field(place, "query"),
        text=text_field(content, "text") or "\n".join(cells) or None,
    )
