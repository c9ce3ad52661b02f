"""Text blocks with citations, as in the messages of Anthropic, OpenAI and LangChain."""

from collections.abc import Iterable
from typing import Any, Final

from groundtypes.citations.providers.anthropic import location_kind, read_location
from groundtypes.citations.providers.message_fields import field, items, text_field
from groundtypes.citations.providers.openai import is_annotation, read_annotation
from groundtypes.citations.providers.parts import Draft, Part, Unit
from groundtypes.citations.providers.provider_answer import CitedSource

_TEXT_TYPES: Final = frozenset({"text", "output_text"})
#: What annotations may be that are no citations, such as a file that was written.
_NO_CITATIONS: Final = frozenset({"file_path", "file"})


def read_blocks(draft: Draft, content: object, *, grounded: bool = False) -> None:
    """Note the text blocks of a message with their citations.

    Args:
        draft: The answer.
        content: The blocks, or a text.
        grounded: Whether the message has the grounding metadata of Gemini, too: then the
            annotations that were made of them are left out.
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
        elif is_annotation(mark):
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
