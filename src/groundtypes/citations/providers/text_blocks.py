"""Text blocks with citations, as in the messages of Anthropic, OpenAI and LangChain.

- Anthropic (`..._location`): each block has the citations of its whole text.
  https://platform.claude.com/docs/en/build-with-claude/citations
  https://platform.claude.com/docs/en/build-with-claude/search-results
- OpenAI, and servers with its interface (`..._citation`):
  https://platform.openai.com/docs/guides/tools-web-search
  https://platform.openai.com/docs/api-reference/responses/object
  The `index` of a `file_citation` is the position in the text behind which the citation belongs
  (https://community.openai.com/t/1146454), though the reference calls it the index of the file.
- LangChain's own shape: https://docs.langchain.com/oss/python/langchain/messages
"""

from collections.abc import Iterable
from typing import Any, Final

from groundtypes.citations.providers.message_fields import field, integer, items, text_field
from groundtypes.citations.providers.parts import Draft, Part, Place, Unit
from groundtypes.citations.providers.provider_answer import CitedSource

_TEXT_TYPES: Final = frozenset({"text", "output_text"})
_ANNOTATIONS: Final = frozenset({"url_citation", "file_citation", "container_file_citation"})
#: What annotations may be that are no citations, such as a file that was written.
_NO_CITATIONS: Final = frozenset({"file_path", "file"})


def location_kind(citation: object) -> str | None:
    """Return the kind of a citation by its type, else by its fields; `None` if it is another's."""
    named = text_field(citation, "type") or ""
    if named.endswith("_location"):
        return named
    for name, kind in (
        ("start_char_index", "char_location"),
        ("start_page_number", "page_location"),
        ("search_result_index", "search_result_location"),
        ("start_block_index", "content_block_location"),
        ("encrypted_index", "web_search_result_location"),
    ):
        if field(citation, name) is not None:
            return kind
    return None


def read_location(draft: Draft, part: Part, citation: object, kind: str, words: object) -> None:
    """Note a citation of a text block; `words` has its title and the words that it cites."""
    given = field(words, "cited_text")
    # Words that are empty are kept: they are no citation of the whole source.
    cited = given if isinstance(given, str) else None
    is_web = kind == "web_search_result_location"
    source = CitedSource(
        index=integer(field(citation, "document_index", "search_result_index")),
        is_result=kind == "search_result_location",
        id=text_field(citation, "file_id") or text_field(citation, "source"),
        url=text_field(citation, "url") or text_field(words, "url"),
        title=text_field(citation, "document_title") or text_field(words, "title"),
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
    # Chat completions and the Assistants API nest the fields under the name of the kind.
    inner = field(annotation, kind)
    inner = annotation if inner is None else inner
    source = CitedSource(
        id=text_field(inner, "file_id"),
        url=text_field(inner, "url"),
        title=text_field(inner, "title", "filename"),
        text=text_field(inner, "content"),  # OpenRouter returns an extract of the page
    )
    draft.cite(kind, _place(part, annotation, inner, source), (source,))


def _place(part: Part, annotation: object, inner: object, source: CitedSource) -> Place:
    start, end, index = (
        field(inner, name) if field(inner, name) is not None else field(annotation, name)
        for name in ("start_index", "end_index", "index")
    )
    if start is None and end is None:
        return _place_behind(part, index)
    if start == end == 0:
        return part.whole  # xAI has 0 for both where there is no place
    marked = text_field(annotation, "text")  # the Assistants API repeats the marker
    place = part.place(start, end, Unit.CODE_POINTS, marked)
    low, high = integer(start), integer(end)
    if marked is not None or source.url is None or low is None or high is None:
        return place
    # The marked words are usually a link: the unit by which it is marked exactly is the right one.
    for unit in (Unit.CODE_POINTS, Unit.UTF16, Unit.BYTES):
        span = part.in_code_points(low, high, unit)
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


def read_file_search(draft: Draft, call: object) -> None:
    """Note the texts that a file search found; they are there only where the request asked."""
    for result in items(call, "results"):
        text = text_field(result, "text")
        if text is not None:
            draft.sources.append(
                CitedSource(
                    id=text_field(result, "file_id"),
                    title=text_field(result, "filename"),
                    text=text,
                )
            )


def read_blocks(draft: Draft, content: object, *, grounded: bool = False) -> None:
    """Note the text blocks of a message with their citations.

    Annotations that were made of the grounding metadata of Gemini are left out if it is `grounded`.
    """
    if isinstance(content, str):
        draft.add(content)
        return
    for block in content if isinstance(content, list | tuple) else ():
        read_block(draft, block, grounded=grounded)


def read_block(draft: Draft, block: object, *, grounded: bool = False) -> None:
    """Note a text block with its citations; of other blocks only that they are there."""
    if isinstance(block, str):
        draft.add(block)
        return
    if field(block, "type") == "non_standard":
        block = field(block, "value")
    text = field(block, "text")
    if field(block, "type") not in (None, *_TEXT_TYPES) or text is None:
        draft.skip()
        return
    annotated = block
    if not isinstance(text, str):  # the Assistants API nests text and annotations
        annotated, text = text, field(text, "value")
    if not isinstance(text, str):
        draft.skip()
        return
    part = draft.add(text)
    read_marks(draft, part, items(annotated, "citations"), grounded=grounded)
    read_marks(draft, part, items(annotated, "annotations"), grounded=grounded)


def read_marks(draft: Draft, part: Part, marks: Iterable[Any], *, grounded: bool = False) -> None:
    """Note the citations or annotations of a text block, each by its type."""
    for given in marks:
        is_wrapped = field(given, "type") == "non_standard_annotation"
        mark = field(given, "value") if is_wrapped else given
        kind = text_field(mark, "type")
        location = location_kind(mark)
        if kind in _NO_CITATIONS:
            continue
        if location is not None:
            read_location(draft, part, mark, location, mark)
        elif kind in _ANNOTATIONS:
            read_annotation(draft, part, mark)
        elif kind == "citation":
            _read_standard(draft, part, mark, grounded=grounded)
        else:
            source = CitedSource(
                id=text_field(mark, "id"),
                url=text_field(mark, "url", "uri"),
                title=text_field(mark, "title"),
            )
            draft.cite(kind or "citation", part.whole, (source,))


def _read_standard(draft: Draft, part: Part, mark: object, *, grounded: bool) -> None:
    """Note a citation in LangChain's own shape.

    https://docs.langchain.com/oss/python/langchain/messages
    """
    extras = field(mark, "extras")
    location = location_kind(extras)
    if location is not None:
        read_location(draft, part, extras, location, mark)
        return
    if field(extras, "google_ai_metadata") is not None:
        if grounded:
            return
        # The offsets are those of Gemini, in bytes, and the cited text is that of the answer.
        marked = text_field(mark, "cited_text")
        start, end = field(mark, "start_index"), field(mark, "end_index")
        place = part.place(0 if start is None else start, end, Unit.BYTES, marked)
        source = CitedSource(url=text_field(mark, "url"), title=text_field(mark, "title"))
        draft.cite("grounding_support", place, (source,))
        return
    merged = {
        "type": "file_citation" if text_field(extras, "file_id") else "url_citation",
        **{
            name: field(mark, name)
            for name in ("url", "title", "start_index", "end_index")
            if field(mark, name) is not None
        },
        **(extras if isinstance(extras, dict) else {}),
    }
    read_annotation(draft, part, merged)
