"""Citations of Anthropic: each text block has the citations of its whole text.

https://platform.claude.com/docs/en/build-with-claude/citations
https://platform.claude.com/docs/en/build-with-claude/search-results
"""

from groundtypes.citations.providers.message_fields import field, integer, text_field
from groundtypes.citations.providers.parts import Draft, Part, Place
from groundtypes.citations.providers.provider_answer import CitedSource


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
