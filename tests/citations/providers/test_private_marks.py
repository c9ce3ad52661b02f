"""Marks between private characters: their names are those of documents, or mean nothing."""

from typing import Any

import pytest

from groundtypes.citations import read_answer
from groundtypes.errors import CitationsError
from tests.citations.providers import shapes
from tests.citations.providers.test_numbered import audit, slugs


def mark(*names: str, kind: str = "cite") -> str:
    return "\ue200" + "\ue202".join((kind, *names)) + "\ue201"


def chat(text: str, **more: Any) -> dict[str, Any]:
    return {"choices": [{"message": {"role": "assistant", "content": text, **more}}]}


def test_documents_are_found_by_the_names_in_the_marks() -> None:
    named = {
        "turn0search0": "It is 503 metres long.",
        "turn0search1": "The bridge opened in 1932.",
    }
    found = audit(shapes.PRIVATE_MARKS, named)
    assert found.ok
    assert [sentence.text for sentence in found.sentences] == [
        "The bridge opened in 1932.",
        "It is 503 metres long.",
    ]
    assert [citation.references for citation in found.answer.citations] == [
        ("turn0search1",),
        ("turn0search0", "turn0search1"),
    ]


def test_results_of_one_list_are_found_by_their_position() -> None:
    found = audit(shapes.PRIVATE_MARKS, ["It is 503 metres long.", "The bridge opened in 1932."])
    assert found.ok
    wrong = audit(shapes.PRIVATE_MARKS, ["It is 503 metres long.", "It was torn down."])
    assert slugs(wrong) == ["citation_unsupported", "figure_unsupported"]


def test_a_result_that_is_not_there_is_a_fault() -> None:
    message = chat(f"It is tall. {mark('turn0search7')}")
    assert slugs(audit(message, ["It is tall."])) == ["citation_unknown"]


def test_without_documents_the_mistake_says_what_to_pass() -> None:
    with pytest.raises(CitationsError, match=r"'turn0search1'.*references=\{'turn0search1'"):
        audit(shapes.PRIVATE_MARKS)


def test_results_of_several_lists_have_no_position() -> None:
    message = chat(f"It is tall. {mark('turn0search0')} It is old. {mark('turn1news0')}")
    with pytest.raises(CitationsError, match="turn0search0"):
        audit(message, ["It is tall.", "It is old."])
    assert audit(message, {"turn0search0": "It is tall.", "turn1news0": "It is old."}).ok


def test_names_of_ones_own_are_those_of_the_documents() -> None:
    message = chat(f"It is tall. {mark('handbook', 'L3')}")
    assert audit(message, {"handbook": "It is tall."}).ok
    assert slugs(audit(message, {"guide": "It is tall."})) == ["citation_unknown"]


def test_a_mark_at_an_annotation_is_that_annotation() -> None:
    text = f"It is tall. {mark('turn0search0')}"
    annotation = {
        "type": "url_citation",
        "url_citation": {
            "url": "https://example.org",
            "title": "Guide",
            "start_index": 12,
            "end_index": len(text),
        },
    }
    found = audit(chat(text, annotations=[annotation]), {"https://example.org": "It is tall."})
    assert found.ok
    assert [citation.kind for citation in found.answer.citations] == ["url_citation"]
    later = chat(f"{text} It is old. {mark('turn0search1')}", annotations=[annotation])
    kinds = [citation.kind for citation in read_answer(later).citations]
    assert kinds == ["url_citation", "cite"]


def test_marks_are_read_from_the_responses_api_too() -> None:
    part = {"type": "output_text", "text": f"It is tall. {mark('turn0file0', kind='filecite')}"}
    message = {"output": [{"type": "message", "content": [{**part, "annotations": []}]}]}
    assert audit(message, ["It is tall."]).ok


@pytest.mark.parametrize("kind", ["navlist", "image_group", "entity", ""])
def test_marks_of_other_kinds_cite_nothing(kind: str) -> None:
    message = chat(f"It is tall. {mark('turn0search0', kind=kind)}")
    assert slugs(audit(message, ["It is tall."])) == ["uncited"]


def test_a_mark_of_many_results_is_read() -> None:
    names = [f"turn0search{number}" for number in range(40)]
    [citation] = read_answer(chat(f"It is tall. {mark(*names)}")).citations
    assert [source.id for source in citation.sources] == names
