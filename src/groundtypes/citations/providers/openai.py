"""Annotations of OpenAI, and of servers with its interface.

https://platform.openai.com/docs/guides/tools-web-search
https://platform.openai.com/docs/guides/tools-file-search
https://platform.openai.com/docs/api-reference/responses/object

The `index` of a `file_citation` is the position in the text behind which the citation belongs
(https://community.openai.com/t/1146454), though the reference calls it the index of the file.
"""

from groundtypes.citations.providers.message_fields import field, integer, items, text_field
from groundtypes.citations.providers.parts import Draft, Part, Place, Unit
from groundtypes.citations.providers.provider_answer import CitedSource

_KINDS = frozenset({"url_citation", "file_citation", "container_file_citation"})


def is_annotation(annotation: object) -> bool:
    """Whether an annotation is a citation in one of OpenAI's shapes."""
    return text_field(annotation, "type") in _KINDS


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
    start = _first(field(inner, "start_index"), field(annotation, "start_index"))
    end = _first(field(inner, "end_index"), field(annotation, "end_index"))
    if start is None and end is None:
        return _place_behind(part, _first(field(inner, "index"), field(annotation, "index")))
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


def _first(*values: object) -> object:
    return next((value for value in values if value is not None), None)


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
