"""Citations of Cohere: spans of the answer with the documents and tool results that they come from.

https://docs.cohere.com/docs/rag-citations
https://docs.cohere.com/docs/tool-use-citations

The `text` of a citation repeats the words of the answer, not those of the source.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from groundtypes.citations.providers.message_fields import field, integer, items, text_field
from groundtypes.citations.providers.parts import Draft, Unit
from groundtypes.citations.providers.provider_answer import CitedSource

#: The names that Cohere gives to documents without an id, by their positions.
_NUMBERED: Final = re.compile(r"doc[:_](\d{1,9})(?::\d{1,9})?")
_TEXT_KEYS: Final = ("text", "snippet", "content", "data")


def read_citations(draft: Draft, citations: Sequence[Any], documents: Sequence[Any] = ()) -> None:
    """Note the citations of a message; its text has been noted.

    Args:
        draft: The answer.
        citations: The citations.
        documents: The documents of a message of version 1 of the API, which cites them by their
            ids.
    """
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
    others = [
        f"{key}: {value if isinstance(value, str) else _json(value)}"
        for key, value in content.items()
        if key not in ("id", main)
    ]
    lines = ([content[main]] if main is not None else []) + others
    return "\n".join(lines) or None


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
