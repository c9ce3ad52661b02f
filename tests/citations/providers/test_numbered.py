"""Answers whose citations are numbers in their text, and the pages that Gemini names."""

import copy
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from openai.types.chat import ChatCompletion

from groundtypes import Judges, Reference
from groundtypes.citations import CitationAudit, audit_citations, read_answer
from groundtypes.testing import ENTAILED, NEUTRAL, ScriptedNLI, contained
from tests.citations.providers import shapes

FIRST_PAGE = "The old bridge of steel was opened by the city in the spring of 1932.\n\n"
REPORT = Reference(
    "report.pdf", f"{FIRST_PAGE}It is 12.5 metres wide.", pages=[(0, 1), (len(FIRST_PAGE), 2)]
)


def audit(message: Any, references: Any = None) -> CitationAudit:
    engine = ScriptedNLI(lambda pair: ENTAILED if contained(pair) is ENTAILED else NEUTRAL)
    return audit_citations(message, references, Judges(nli=engine))


def slugs(found: CitationAudit) -> list[str | None]:
    return [fault.slug for fault in found.faults]


def perplexity(content: str, **more: Any) -> dict[str, Any]:
    message = copy.deepcopy(shapes.PERPLEXITY)
    message["choices"][0]["message"]["content"] = content
    return {**message, **more}


def gemini_page(page: object, **context: Any) -> dict[str, Any]:
    message = copy.deepcopy(shapes.GEMINI_PAGES)
    [chunk] = message["candidates"][0]["groundingMetadata"]["groundingChunks"]
    chunk["retrievedContext"] |= {"pageNumber": page, **context}
    return message


def test_the_numbers_of_perplexity_count_from_1_and_are_no_part_of_the_sentence() -> None:
    found = audit(shapes.PERPLEXITY)
    assert [sentence.text for sentence in found.sentences] == [
        "The bridge opened in 1932.",
        "It is 1,149 metres long.",
    ]
    assert [sentence.citations for sentence in found.sentences] == [(0,), (1, 2)]
    assert found.answer.returned == {"https://example.org/bridge", "https://example.com/length"}


@pytest.mark.parametrize("label", ["[3]", "[1, 9]", "[2][99]"])
def test_a_number_without_a_source_is_unknown(label: str) -> None:
    found = audit(perplexity(f"The bridge opened in 1932{label}."))
    assert "citation_unknown" in slugs(found)


def test_there_is_no_source_0() -> None:
    assert slugs(audit(perplexity("The bridge opened in 1932[0]."))) == ["uncited"]


def test_brackets_that_are_no_citations_are_none() -> None:
    text = "The bridge opened in 1932 [sic][1]. Write `steps[2]` for it[1]."
    marks = [(citation.start, citation.end) for citation in read_answer(perplexity(text)).citations]
    assert [text[slice(*mark)] for mark in marks] == ["[1]", "[1]"]


def test_a_page_of_which_there_is_no_text_is_a_fault_unless_it_is_given() -> None:
    bare = perplexity("The bridge opened in 1932[1].", search_results=None)
    assert slugs(audit(bare)) == ["citation_source_missing"]
    pages = {"https://example.org/bridge": "The bridge opened in 1932. It is made of steel."}
    assert audit(bare, pages).ok
    only_results = perplexity("The bridge opened in 1932[1].", citations=None)
    assert audit(only_results).ok


def test_results_are_matched_by_address_not_by_position() -> None:
    results = list(reversed(shapes.PERPLEXITY["search_results"]))
    message = perplexity("The bridge opened in 1932[1].", search_results=results)
    [citation] = read_answer(message).citations
    assert citation.references == ("https://example.org/bridge",)
    assert citation.sources[0].text == "The bridge opened in 1932."


def test_what_a_reasoning_model_thinks_is_no_part_of_the_answer() -> None:
    text = "<think>\nIs it 1931 [2]?\n</think>\n\nThe bridge opened in 1932[1]."
    answer = read_answer(perplexity(text))
    assert answer.text == "The bridge opened in 1932[1]."
    assert [citation.references for citation in answer.citations] == [
        ("https://example.org/bridge",)
    ]


def test_objects_of_the_sdk_and_of_langchain_are_read() -> None:
    typed = ChatCompletion.model_validate(shapes.PERPLEXITY)
    assert len(read_answer(typed).citations) == 3
    message = AIMessage(
        "The bridge opened in 1932[1].",
        additional_kwargs={
            "citations": shapes.PERPLEXITY["citations"],
            "search_results": shapes.PERPLEXITY["search_results"],
        },
    )
    assert audit(message).ok


def test_a_message_without_sources_has_no_numbers() -> None:
    message = perplexity("It is 5 [1].", citations=[], search_results=[])
    assert read_answer(message).citations == ()


def test_the_page_of_gemini_is_what_is_cited() -> None:
    found = audit(shapes.GEMINI_PAGES, [REPORT])
    assert found.ok
    [page] = [verdict for verdict in found.verdicts if verdict.check == "page"]
    assert page.span is not None
    assert page.span.page == 2
    assert slugs(audit(gemini_page(1), [REPORT])) == ["citation_unsupported"]


@pytest.mark.parametrize("page", [0, 3, -1, 10**30])
def test_a_page_that_the_document_does_not_have_is_a_fault(page: int) -> None:
    assert slugs(audit(gemini_page(page), [REPORT])) == ["citation_page_wrong"]


@pytest.mark.parametrize("page", [None, "two", True, {"a": 1}])
def test_a_page_that_is_no_number_is_left_out(page: object) -> None:
    found = audit(gemini_page(page), [REPORT])
    assert found.ok
    assert [verdict for verdict in found.verdicts if verdict.check == "page"] == []


def test_without_pages_nothing_is_known_of_them() -> None:
    assert audit(shapes.GEMINI_PAGES).ok
    assert audit(shapes.GEMINI_PAGES, {"report.pdf": REPORT.text}).ok


def test_the_pages_of_a_chunk_of_vertex_ai_include_the_last_one() -> None:
    [citation] = read_answer(shapes.VERTEX_RAG).citations
    assert citation.sources[0].pages == (1, 3)
    text = "Page one.\nThe bridge is 503 m long.\nPage three."
    paged = Reference("gs://reports/bridge.pdf", text, pages=[(0, 1), (10, 2), (36, 3)])
    found = audit(shapes.VERTEX_RAG, [paged])
    assert found.ok
    [page] = [verdict for verdict in found.verdicts if verdict.check == "page"]
    assert page.span is not None
    assert (page.span.start, page.span.end) == (0, 35)
