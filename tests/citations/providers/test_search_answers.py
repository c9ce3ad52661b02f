"""Answers of Vertex AI Search, from data and from objects whose lists are no `list`."""

import copy
from collections import UserList
from types import SimpleNamespace
from typing import Any

import pytest

from groundtypes.citations import read_answer
from groundtypes.errors import CitationsError
from tests.citations.providers import shapes
from tests.citations.providers.test_numbered import audit, slugs


def changed(**fields: Any) -> dict[str, Any]:
    answer = copy.deepcopy(shapes.VERTEX_SEARCH["answer"])
    return {"answer": {**answer, **fields}}


def as_messages(data: Any) -> Any:
    """Return data as messages of protocol buffers are, whose lists are sequences of their own."""
    if isinstance(data, dict):
        return SimpleNamespace(**{key: as_messages(value) for key, value in data.items()})
    return UserList(map(as_messages, data)) if isinstance(data, list) else data


def test_the_chunks_support_their_sentences() -> None:
    found = audit(shapes.VERTEX_SEARCH)
    assert found.ok
    assert found.held == (True, True)


def test_the_answer_is_read_without_its_response_and_from_messages() -> None:
    expected = read_answer(shapes.VERTEX_SEARCH)
    assert read_answer(shapes.VERTEX_SEARCH["answer"]) == expected
    assert read_answer(as_messages(shapes.VERTEX_SEARCH)) == expected


def test_a_chunk_that_says_something_else_is_a_fault() -> None:
    references = [{"chunkInfo": {"content": "Bern hat Busse."}}] * 2
    assert set(slugs(audit(changed(references=references)))) == {"citation_unsupported"}


def test_documents_that_are_given_are_compared_with_their_addresses() -> None:
    found = audit(shapes.VERTEX_SEARCH, {"gs://plans/a.pdf": "Zürich hat Züge."})
    assert found.answer.citations[0].references == ("gs://plans/a.pdf",)


def test_offsets_inside_of_a_character_are_a_fault() -> None:
    citations = [{"startIndex": "2", "endIndex": "18", "sources": [{"referenceId": "0"}]}]
    assert "citation_span_wrong" in slugs(audit(changed(citations=citations)))


@pytest.mark.parametrize("id_", ["2", "-1", "a", None, 10**30])
def test_a_reference_that_is_not_there_is_a_fault(id_: object) -> None:
    citations = [{"endIndex": "18", "sources": [{"referenceId": id_}]}]
    assert "citation_unknown" in slugs(audit(changed(citations=citations), ["Bern hat Busse."]))


def test_grounded_claims_are_citations_where_there_are_no_others() -> None:
    supports = [
        {"endIndex": "18", "groundingScore": 0.9, "sources": [{"referenceId": "0"}]},
        {"startIndex": "19", "endIndex": "41", "groundingCheckRequired": False},
    ]
    answer = read_answer(changed(citations=[], groundingSupports=supports))
    assert [citation.references for citation in answer.citations] == [("projects/1/documents/a",)]


def test_records_are_texts_of_their_fields() -> None:
    record = {"structuredDocumentInfo": {"uri": "gs://r", "structData": {"height": 330}}}
    citations = [{"endIndex": "18", "sources": [{"referenceId": "0"}]}]
    answer = read_answer(changed(references=[record], citations=citations))
    assert answer.references.texts == ("height: 330",)


def test_an_answer_that_was_skipped_has_no_text() -> None:
    message = {"answer": {"state": "SUCCEEDED", "answerSkippedReasons": ["NO_RELEVANT_CONTENT"]}}
    answer = read_answer(message)
    assert (answer.text, answer.no_text) == ("", "an answer that was skipped (NO_RELEVANT_CONTENT)")


def test_an_answer_that_is_a_text_has_no_known_shape() -> None:
    with pytest.raises(CitationsError, match="Vertex AI Search"):
        read_answer({"answer": "It is tall.", "citations": []})
