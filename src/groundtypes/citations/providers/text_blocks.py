"""Text blocks with citations, as in the messages of Anthropic, OpenAI and LangChain.

- Anthropic (`..._location`): each block has the citations of its whole text.
  https://platform.claude.com/docs/en/build-with-claude/citations
  https://platform.claude.com/docs/en/build-with-claude/search-results
- OpenAI, and servers with its interface (`..._citation`):
  https://platform.openai.com/docs/guides/tools-web-search
  https://platform.openai.com/docs/api-reference/responses/object
  The `index` of a `file_citation` is the position in the text behind which the citation belongs
  (https://community.openai.com/t/1146454), though the reference calls it the index of the file.
- Mistral: a `reference` stands behind the words that it is for, and has the keys under which the
  tool returned its documents; a `tool_reference` is a page that a tool of Mistral's found.
  https://docs.mistral.ai/studio/conversations/citations
"""

from collections.abc import Iterable
from typing import Any, Final

from groundtypes.citations.providers.bedrock import read_cited_content
from groundtypes.citations.providers.message_fields import field, integer, items, text_field
from groundtypes.citations.providers.parts import Draft, Part, Place
from groundtypes.citations.providers.provider_answer import CitedSource
from groundtypes.text.offsets import Unit

_TEXT_TYPES: Final = frozenset({"text", "output_text"})
_ANNOTATIONS: Final = frozenset({"url_citation", "file_citation", "container_file_citation"})
#: What annotations may be that are no citations, such as a file that was written.
_NO_CITATIONS: Final = frozenset({"file_path", "file"})


def read_location(draft: Draft, part: Part, citation: object, kind: str) -> None:
    """Note a citation of a text block."""
    given = field(citation, "cited_text")
    # Words that are empty are kept: they are no citation of the whole source.
    cited = given if isinstance(given, str) else None
    is_web = kind == "web_search_result_location"
    source = CitedSource(
        index=integer(field(citation, "document_index", "search_result_index")),
        is_result=kind == "search_result_location",
        id=text_field(citation, "file_id") or text_field(citation, "source"),
        url=text_field(citation, "url"),
        title=text_field(citation, "document_title", "title"),
        # The message has no more of a web page than the words that are cited.
        text=(cited or None) if is_web else None,
    )
    # The marks of a text block are those of all of it.
    place = Place(part.start, part.end)
    draft.cite(
        kind,
        place,
        (source,),
        cited_text=cited,
        source_start=integer(field(citation, "start_char_index")),
        source_end=integer(field(citation, "end_char_index")),
        pages=_range(citation, "start_page_number", "end_page_number"),
        blocks=_range(citation, "start_block_index", "end_block_index"),
    )


def _range(citation: object, start: str, end: str) -> tuple[int, int] | None:
    first, last = integer(field(citation, start)), integer(field(citation, end))
    return None if first is None or last is None else (first, last)


def read_annotation(draft: Draft, part: Part, annotation: object) -> None:
    """Note an annotation of a text block."""
    kind = text_field(annotation, "type") or "url_citation"
    # Chat completions nest the fields under the name of the kind.
    inner = field(annotation, kind) or annotation
    source = CitedSource(
        id=text_field(inner, "file_id"),
        url=text_field(inner, "url"),
        title=text_field(inner, "title", "filename"),
        text=text_field(inner, "content"),  # OpenRouter returns an extract of the page
    )
    draft.cite(kind, _place(part, inner, source), (source,))


def _place(part: Part, annotation: object, source: CitedSource) -> Place:
    start, end, index = (field(annotation, name) for name in ("start_index", "end_index", "index"))
    if start is None and end is None:
        return _place_behind(part, index)
    if start == end == 0:
        return part.whole  # xAI has 0 for both where there is no place
    place = part.place(start, end, Unit.CODE_POINTS)
    low, high = integer(start), integer(end)
    if source.url is None or low is None or high is None:
        return place
    # The marked words are usually a link: the unit by which it is marked exactly is the right one.
    for unit in (Unit.CODE_POINTS, Unit.UTF16, Unit.BYTES):
        span = part.offsets.in_code_points(low, high, unit)
        if span is not None and _is_link(part.text[slice(*span)], source.url):
            return Place(part.start + span[0], part.start + span[1])
    return place


def _is_link(words: str, url: str) -> bool:
    is_bracketed = words[:1] in ("(", "[") and words.endswith(")")
    is_whole = is_bracketed and words.count("(") == words.count(")")
    return words == url or (is_whole and url in words)


def _place_behind(part: Part, index: object) -> Place:
    """Return the place of a citation that belongs behind a position."""
    if index is None:
        return part.whole
    at = integer(index)
    if at is None or not 0 <= at <= len(part.text):
        return part.place(index, index, Unit.CODE_POINTS)
    inside = part.text[at - 1 : at + 1]
    # A position before all text, or inside of a word, is no place: it may be a number of the file.
    if at == 0 or (len(inside) == 2 and inside.isalnum()):
        return part.whole
    return Place(part.start + at, part.start + at)


def read_results(draft: Draft, results: object) -> None:
    """Note the texts that a tool of the provider found, where the message has them."""
    for result in results if isinstance(results, list | tuple) else ():
        text = text_field(result, "text")
        if text is not None:
            draft.sources.append(
                CitedSource(
                    id=text_field(result, "file_id", "document_name"),
                    url=text_field(result, "uri", "url"),
                    title=text_field(result, "title", "filename"),
                    text=text,
                )
            )


def read_blocks(draft: Draft, content: object) -> None:
    """Note the text blocks of a message with their citations."""
    if isinstance(content, str):
        draft.add(content)
        return
    for block in content if isinstance(content, list | tuple) else ():
        read_block(draft, block)


def read_block(draft: Draft, block: object) -> None:
    """Note a text block with its citations; of other blocks only that they are there."""
    if isinstance(block, str):
        draft.add(block)
        return
    if (cited := field(block, "citations_content")) is not None:  # Bedrock
        read_cited_content(draft, cited)
        return
    if sources := _references(block):
        draft.cite(text_field(block, "type") or "reference", draft.here, sources)
        return
    text = field(block, "text")
    if field(block, "type") not in (None, *_TEXT_TYPES) or not isinstance(text, str):
        draft.skip()
        return
    part = draft.add(text)
    read_marks(draft, part, items(block, "citations"))
    read_marks(draft, part, items(block, "annotations"))


def _references(block: object) -> tuple[CitedSource, ...]:
    """Return the sources that a block of Mistral names between texts."""
    if field(block, "type") == "tool_reference":
        return (CitedSource(url=text_field(block, "url"), title=text_field(block, "title")),)
    return tuple(
        CitedSource(index=integer(id_), id=str(id_) if isinstance(id_, int | str) else None)
        for id_ in items(block, "reference_ids")
    )


def read_marks(draft: Draft, part: Part, marks: Iterable[Any]) -> None:
    """Note the citations or annotations of a text block, each by its type."""
    for mark in marks:
        kind = text_field(mark, "type") or "citation"
        if kind in _NO_CITATIONS:
            continue
        if kind.endswith("_location"):
            read_location(draft, part, mark, kind)
        elif kind in _ANNOTATIONS:
            read_annotation(draft, part, mark)
        else:
            source = CitedSource(
                id=text_field(mark, "id"),
                url=text_field(mark, "url", "uri"),
                title=text_field(mark, "title"),
            )
            draft.cite(kind, part.whole, (source,))
