"""References between the texts of Mistral."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage

from groundtypes.citations import read_answer
from tests.citations.providers import shapes
from tests.citations.providers.test_numbered import audit, slugs

OPENED = "The bridge opened in 1932."
LONG = "It is 503 metres long."


def message(*ids: object) -> dict[str, Any]:
    blocks = [{"type": "text", "text": "It is tall"}, {"type": "reference", "reference_ids": ids}]
    return {"role": "assistant", "content": [*blocks, {"type": "text", "text": "."}]}


@pytest.mark.parametrize(
    "documents",
    [[OPENED, LONG], {"0": OPENED, "1": LONG}, {"1": LONG, "0": OPENED}, {"a": OPENED, "b": LONG}],
    ids=repr,
)
def test_documents_are_found_by_their_keys_or_positions(documents: Any) -> None:
    found = audit(shapes.MISTRAL_CHAT, documents)
    assert found.ok
    assert [sentence.citations for sentence in found.sentences] == [(0,), (1,)]


def test_a_sentence_is_judged_against_what_it_names() -> None:
    found = audit(shapes.MISTRAL_CHAT, ["It was torn down.", LONG])
    assert slugs(found) == ["citation_unsupported", "figure_unsupported"]
    assert found.held == (False, True)


@pytest.mark.parametrize("id_", [7, -1, "b", None, {"a": 1}])
def test_a_key_that_is_no_document_is_a_fault(id_: object) -> None:
    assert slugs(audit(message(id_), ["It is tall."])) == ["citation_unknown"]


def test_without_documents_a_reference_is_still_a_citation() -> None:
    found = audit(message(0))
    assert len(found.answer.citations) == 1
    assert slugs(found) == ["citation_unknown"]


def test_no_keys_are_no_citation() -> None:
    assert slugs(audit(message(), ["It is tall."])) == ["uncited"]


def test_langchain_has_the_same_references() -> None:
    content = shapes.MISTRAL_CHAT["choices"][0]["message"]["content"]
    given = AIMessage(content, response_metadata={"model_provider": "mistralai"})
    expected = read_answer(shapes.MISTRAL_CHAT, [OPENED, LONG])
    assert read_answer(given, [OPENED, LONG]) == expected


def test_a_page_that_a_connector_found_needs_its_text() -> None:
    assert slugs(audit(shapes.MISTRAL_CONVERSATION)) == ["citation_source_missing"]
    assert audit(shapes.MISTRAL_CONVERSATION, {"https://example.org/bridge": OPENED}).ok
    outputs = shapes.MISTRAL_CONVERSATION["outputs"]
    assert read_answer(outputs) == read_answer(shapes.MISTRAL_CONVERSATION)
