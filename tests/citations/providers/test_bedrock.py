"""The citations of Amazon Bedrock: places in documents, and parts that were retrieved."""

import copy
from typing import Any

import pytest

from groundtypes import Reference
from groundtypes.citations import read_answer
from tests.citations.providers import shapes
from tests.citations.providers.test_numbered import FIRST_PAGE, audit, slugs

HISTORY = Reference("history", "It was opened in 1932. Many people came.")
REPORT = Reference(
    "report", f"{FIRST_PAGE}It is 12.5 metres wide.", pages=[(0, 1), (len(FIRST_PAGE), 2)]
)


def converse(location: dict[str, Any], words: str = "It is tall.", **more: Any) -> dict[str, Any]:
    citation = {"title": "guide", "sourceContent": [{"text": words}], "location": location, **more}
    content = {"content": [{"text": "It is tall."}], "citations": [citation]}
    return {"role": "assistant", "content": [{"citationsContent": content}]}


def chars(start: int, end: int, index: int = 0) -> dict[str, Any]:
    return {"documentChar": {"documentIndex": index, "start": start, "end": end}}


def knowledge_base(start: object, end: object, text: str | None = "It is tall.") -> dict[str, Any]:
    part = {"text": text, "span": {"start": start, "end": end}}
    retrieved = {"content": {"text": "It is tall."}, "location": {"s3Location": {"uri": "s3://a"}}}
    citation = {
        "generatedResponsePart": {"textResponsePart": part},
        "retrievedReferences": [retrieved],
    }
    return {"sessionId": "1", "output": {"text": "It is tall. It is."}, "citations": [citation]}


def test_places_in_documents_and_on_pages_hold() -> None:
    found = audit(shapes.BEDROCK_CONVERSE, [HISTORY, REPORT])
    assert found.held == (True, True, True)
    spans = [(verdict.check, verdict.ok) for verdict in found.verdicts if verdict.span]
    assert ("span", True) in spans
    assert ("page", True) in spans
    kinds = [citation.kind for citation in found.answer.citations]
    assert kinds == ["documentChar", "documentPage", "web"]


def test_the_message_and_its_blocks_are_read_as_the_response() -> None:
    message = shapes.BEDROCK_CONVERSE["output"]["message"]
    expected = read_answer(shapes.BEDROCK_CONVERSE)
    assert read_answer(message) == expected
    assert read_answer(message["content"]) == expected


def test_words_at_other_characters_or_on_another_page_are_a_fault() -> None:
    guide = ["It is old. It is tall."]
    assert audit(converse(chars(11, 22)), guide).ok
    assert slugs(audit(converse(chars(0, 10)), guide)) == ["citation_span_wrong"]
    page = {"documentPage": {"documentIndex": 0, "start": 1, "end": 2}}
    found = audit(converse(page, "It is 12.5 metres wide."), [REPORT])
    assert "citation_page_wrong" in slugs(found)


def test_words_that_are_not_in_the_document_are_a_fault() -> None:
    found = audit(converse(chars(0, 11)), ["It is old and grey."])
    assert "citation_quote_not_found" in slugs(found)


def test_a_document_that_is_not_there_is_a_fault() -> None:
    found = audit(converse(chars(0, 11, index=4), title="map"), ["It is tall."])
    assert slugs(found) == ["citation_unknown"]


@pytest.mark.parametrize("end", [1, 2])
def test_chunks_are_the_blocks_of_a_document(end: int) -> None:
    chunk = {"documentChunk": {"documentIndex": 0, "start": 1, "end": end}}
    [citation] = read_answer(converse(chunk)).citations
    assert citation.blocks == (1, 2)
    blocks = Reference("guide", "It is old.\nIt is tall.", metadata={"blocks": [0, 11]})
    assert audit(converse(chunk), [blocks]).ok
    other = {"documentChunk": {"documentIndex": 0, "start": 0, "end": 1}}
    assert slugs(audit(converse(other), [blocks])) == ["citation_span_wrong"]


def test_a_search_result_is_found_by_its_source() -> None:
    place = {"searchResultLocation": {"searchResultIndex": 0, "start": 0, "end": 1}}
    message = converse(place, source="https://example.org")
    found = audit(message, {"a": "It is old.", "https://example.org": "It is tall."})
    assert found.ok
    assert found.answer.citations[0].references == ("https://example.org",)


def test_a_citation_without_a_place_has_its_words() -> None:
    message = converse({})
    assert audit(message, {"guide": "It is tall."}).ok
    assert slugs(audit(message, {"guide": "It is old."})) != []


def test_a_call_of_a_tool_is_a_message_without_text() -> None:
    call = {"toolUse": {"toolUseId": "t", "name": "search", "input": {}}}
    message = {"output": {"message": {"role": "assistant", "content": [call]}}}
    answer = read_answer({**message, "stopReason": "tool_use"})
    assert answer.no_text == "a message without text (tool_use)"


def test_what_was_retrieved_supports_its_part_of_the_answer() -> None:
    found = audit(shapes.BEDROCK_KNOWLEDGE_BASE)
    assert found.held == (True, True)
    wrong = copy.deepcopy(shapes.BEDROCK_KNOWLEDGE_BASE)
    wrong["citations"][1]["retrievedReferences"][0]["content"]["text"] = "It is near the lake."
    assert slugs(audit(wrong)) == ["citation_unsupported", "figure_unsupported"]


@pytest.mark.parametrize(("start", "end"), [(0, 10), (0, 11)])
def test_the_last_character_of_a_span_may_be_part_of_it(start: int, end: int) -> None:
    [citation] = read_answer(knowledge_base(start, end)).citations
    assert (citation.start, citation.end, citation.place_fault) == (0, 11, None)


def test_a_span_without_its_words_includes_its_end() -> None:
    [citation] = read_answer(knowledge_base(0, 10, text=None)).citations
    assert (citation.start, citation.end) == (0, 11)


def test_a_span_that_fits_no_words_is_a_fault() -> None:
    assert "citation_span_wrong" in slugs(audit(knowledge_base(3, 400)))
    assert "citation_span_wrong" in slugs(audit(knowledge_base("a", 10, text="Not there.")))


def test_an_answer_for_which_nothing_was_retrieved_cites_nothing() -> None:
    message = knowledge_base(0, 10)
    message["citations"][0]["retrievedReferences"] = []
    assert slugs(audit(message)) == ["uncited"]


def test_rows_are_read_and_an_image_has_no_text() -> None:
    message = knowledge_base(0, 10)
    [retrieved] = message["citations"][0]["retrievedReferences"]
    retrieved["content"] = {"row": [{"columnName": "height", "columnValue": "330"}]}
    assert read_answer(message).references.texts == ("height: 330",)
    retrieved["content"] = {"type": "IMAGE", "byteContent": "data:image/png;base64,AA"}
    assert slugs(audit(message)) == ["citation_source_missing"]
