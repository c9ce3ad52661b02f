"""The answers of Vertex AI Search (Discovery Engine).

Offsets count bytes of UTF-8, and JSON leaves out a start of 0. The id of a source is the position
of its reference, from 0. What a page is called is not said, and is left out.
https://cloud.google.com/generative-ai-app-builder/docs/reference/rest/v1/Answer
"""

from typing import Any

from groundtypes.citations.providers.answer_citations import document_text
from groundtypes.citations.providers.message_fields import field, integer, items, text_field
from groundtypes.citations.providers.parts import Draft
from groundtypes.citations.providers.provider_answer import CitedSource
from groundtypes.text.offsets import Unit


def read_search_answer(draft: Draft, message: object) -> bool:
    """Note an answer, or the response that has it."""
    answer = search_answer(message)
    text = text_field(answer, "answer_text")
    if text is None:
        return False
    part = draft.add(text)
    sources = [_source(reference) for reference in items(answer, "references")]
    supports = [each for each in items(answer, "grounding_supports") if items(each, "sources")]
    for citation in items(answer, "citations") or supports:
        start, end = field(citation, "start_index"), field(citation, "end_index")
        place = part.place(0 if start is None else start, end, Unit.BYTES)
        ids = [field(source, "reference_id") for source in items(citation, "sources")]
        draft.cite("citation", place, tuple(_named(sources, id_) for id_ in ids))
    return True


def search_answer(message: object) -> Any:
    """Return the answer in a response, or what was given."""
    answer = field(message, "answer")
    return message if answer is None or isinstance(answer, str) else answer


def _named(sources: list[CitedSource], id_: object) -> CitedSource:
    number = integer(id_)
    if number is not None and 0 <= number < len(sources):
        return sources[number]
    return CitedSource(title=f"reference {'?' if number is None else number}", exists=False)


def _source(reference: object) -> CitedSource:
    chunk = field(reference, "chunk_info")
    document = field(reference, "unstructured_document_info")
    record = field(reference, "structured_document_info")
    texts = [text_field(chunk, "content")]
    texts += [text_field(each, "content") for each in items(document, "chunk_contents")]
    texts.append(document_text(field(record, "struct_data")))
    # An object of the SDK has an empty one of each.
    named = (field(chunk, "document_metadata"), document, record)

    def first(name: str) -> str | None:
        return next(filter(None, (text_field(each, name) for each in named)), None)

    text = "\n\n".join(filter(None, texts)) or None
    return CitedSource(id=first("document"), url=first("uri"), title=first("title"), text=text)
