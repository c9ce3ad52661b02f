"""Which citations hold: their words, their places, and the sentences that they are for."""

import asyncio
from typing import Any

import pytest

from groundtypes import Judges, Pair, Reference, grounded_in
from groundtypes.citations import (
    CitationAudit,
    aaudit_citations,
    audit_citations,
    read_answer,
    request_documents,
)
from groundtypes.errors import CitationsError, ContextError, MarkerError
from groundtypes.scoring import NLIScores
from groundtypes.testing import ENTAILED, NEUTRAL, REFUTED, ScriptedNLI
from tests.citations.providers import shapes

GRASS = "The grass is green. The sky is blue."


def words_of(text: str) -> set[str]:
    return {word.strip(".,\n") for word in text.lower().split()}


def has_words(pair: Pair) -> NLIScores:
    """Entail what adds at most three words of no importance to the premise."""
    if "never" in words_of(pair.premise) ^ words_of(pair.hypothesis):
        return REFUTED
    idle = {"according", "to", "the", "document", "and", "it", "is", "they"}
    return ENTAILED if words_of(pair.hypothesis) - idle <= words_of(pair.premise) else NEUTRAL


def judges() -> Judges:
    return Judges(nli=ScriptedNLI(has_words))


def audit(message: Any, references: Any = None, **options: Any) -> CitationAudit:
    return audit_citations(message, references, judges(), **options)


def slugs(found: CitationAudit) -> list[tuple[str | int, ...]]:
    return [(fault.slug or "", *fault.loc) for fault in found.faults]


def anthropic(*blocks: tuple[str, dict[str, Any] | None]) -> dict[str, Any]:
    return {
        "type": "message",
        "role": "assistant",
        "content": [
            {"type": "text", "text": text, "citations": [citation] if citation else None}
            for text, citation in blocks
        ],
    }


def chars(cited: str, start: Any, end: Any, index: Any = 0) -> dict[str, Any]:
    return {
        "type": "char_location",
        "cited_text": cited,
        "document_index": index,
        "document_title": None,
        "start_char_index": start,
        "end_char_index": end,
    }


def chat(text: str, *marks: tuple[Any, Any, str]) -> dict[str, Any]:
    """Return the message of a chat completion; each mark is a start, an end and an address."""
    annotations = [
        {"type": "url_citation", "url_citation": {"start_index": a, "end_index": b, "url": url}}
        for a, b, url in marks
    ]
    return {"role": "assistant", "content": text, "annotations": annotations}


def cohere(text: str, *marks: tuple[Any, Any, str | None, str]) -> dict[str, Any]:
    citations = [
        {"start": start, "end": end, "text": words, "sources": [{"type": "document", "id": id_}]}
        for start, end, words, id_ in marks
    ]
    return {"message": {"content": [{"type": "text", "text": text}], "citations": citations}}


def test_citations_that_hold_have_verdicts_that_say_so() -> None:
    found = audit(shapes.ANTHROPIC_CHAR, {"My Document": GRASS})
    assert found.ok
    assert found.held == (True, True)
    assert [(verdict.check, verdict.loc) for verdict in found.verdicts] == [
        ("source", ("citations", 0)),
        ("quote", ("citations", 0)),
        ("span", ("citations", 0)),
        ("source", ("citations", 1)),
        ("quote", ("citations", 1)),
        ("span", ("citations", 1)),
        ("support", ("sentences", 0)),
    ]
    [sentence] = found.sentences
    assert sentence.citations == (0, 1)
    assert found.answer.text[sentence.start : sentence.end] == found.answer.text
    assert found.uncited == ()


def test_all_sentences_are_judged_in_one_batch() -> None:
    engine = ScriptedNLI(has_words)
    sentences = [f"The gate number {number} is made of iron." for number in range(30)]
    document = " ".join(sentences)
    blocks = [(f"{each} ", chars(each, document.index(each), None)) for each in sentences]
    for _, citation in blocks:
        citation["end_char_index"] = citation["start_char_index"] + len(citation["cited_text"])
    found = audit_citations(anthropic(*blocks), [document], Judges(nli=engine))
    assert found.ok
    assert len(found.sentences) == 30
    assert engine.calls == 1


def test_the_words_must_be_in_the_document() -> None:
    message = anthropic(("The grass is green today.", chars("The grass is grey.", 0, 18)))
    found = audit(message, [GRASS])
    [fault] = [fault for fault in found.faults if fault.check == "quote"]
    assert fault.slug == "citation_quote_not_found"
    assert "The grass is grey." in (fault.message or "")
    assert '"The grass is green"' in (fault.message or "")
    assert found.held == (False,)


@pytest.mark.parametrize(
    ("start", "end"),
    [(0, 16), (20, 35), (-5, 16), (16, 3), (10**9, 10**10), (None, None), ("x", 36), (True, 36)],
)
def test_missing_and_absurd_offsets_into_a_document_are_faults(start: Any, end: Any) -> None:
    message = anthropic(("The sky is blue.", chars("The sky is blue.", start, end)))
    found = audit(message, [GRASS])
    assert slugs(found) == [("citation_span_wrong", "citations", 0)]
    [fault] = found.faults
    assert fault.span is not None
    assert (fault.span.start, fault.span.end) == (20, 36)
    assert "20 to 36" in (fault.message or "")


@pytest.mark.parametrize("text", ["Café 😀: ", "ascii only: "])
def test_offsets_into_a_document_may_count_bytes_code_points_or_utf_16(text: str) -> None:
    words = "The sky is blue."
    document = text + words
    for size in (
        len,
        lambda part: len(part.encode()),
        lambda part: len(part.encode("utf-16")) // 2 - 1,
    ):
        message = anthropic((words, chars(words, size(text), size(document))))
        assert audit(message, [document]).ok


def test_pages_are_compared_with_those_of_the_reference() -> None:
    words = "Water is essential for life."
    pages = [(0, 4), (30, 5), (60, 6)]

    def book(position: int) -> list[Reference]:
        text = ("x" * 29 + "\n") * 3
        text = text[:position] + words + " " + text[position + len(words) + 1 :]
        return [Reference("a", "One."), Reference("b", text, pages=pages)]

    right = audit(shapes.ANTHROPIC_PAGE, book(30))
    assert right.ok
    assert [verdict.check for verdict in right.verdicts][:3] == ["source", "quote", "page"]
    # A passage may run over the end of its page, but must start on it.
    wrong = audit(shapes.ANTHROPIC_PAGE, book(60))
    assert slugs(wrong) == [("citation_page_wrong", "citations", 0)]
    assert "page 5" in (wrong.faults[0].message or "")
    assert "page 6" in (wrong.faults[0].message or "")
    # Words that are on several pages are looked for on the page that is named.
    twice = [Reference("a", "One."), Reference("b", f"{words}\n{words}", pages=[(0, 1), (29, 5)])]
    assert audit(shapes.ANTHROPIC_PAGE, twice).ok
    # Of a text without pages, only the words are known.
    plain = audit(shapes.ANTHROPIC_PAGE, ["One.", words])
    assert plain.ok
    assert "page" not in {verdict.check for verdict in plain.verdicts}


def test_content_blocks_are_compared_with_those_of_the_request() -> None:
    def request(*texts: str) -> Any:
        content = [{"type": "text", "text": text} for text in texts]
        document = {"type": "document", "source": {"type": "content", "content": content}}
        return request_documents([{"role": "user", "content": [document]}])

    words = "These are important findings."
    assert audit(shapes.ANTHROPIC_BLOCKS, request("Introduction.", words, "End.")).ok
    moved = audit(shapes.ANTHROPIC_BLOCKS, request(words, "Introduction.", "End."))
    assert slugs(moved) == [("citation_span_wrong", "citations", 0)]
    absurd = anthropic(
        (
            words,
            {
                **shapes.ANTHROPIC_BLOCKS["content"][0]["citations"][0],
                "start_block_index": 7,
                "end_block_index": -1,
            },
        )
    )
    assert slugs(audit(absurd, request("One.", words))) == [("citation_span_wrong", "citations", 0)]


def test_a_document_that_does_not_exist_is_unknown() -> None:
    message = anthropic(("The grass is green.", chars("The grass is green.", 0, 19, 3)))
    found = audit(message, [GRASS])
    assert slugs(found) == [("citation_unknown", "citations", 0)]
    assert "document 3" in (found.faults[0].message or "")
    assert found.held == (False,)
    named = audit(cohere("The grass is green.", (0, 19, None, "leaflet")), {"guide": GRASS})
    assert slugs(named) == [("citation_unknown", "citations", 0)]
    nothing = {"message": {"content": "The grass is green.", "citations": [{"start": 0, "end": 9}]}}
    assert slugs(audit(nothing, {"guide": GRASS})) == [("citation_unknown", "citations", 0)]


def test_a_grounding_chunk_that_does_not_exist_is_not_passed_over() -> None:
    candidate = {
        "content": {"parts": [{"text": "The grass is green."}]},
        "groundingMetadata": {
            "groundingChunks": [],
            "groundingSupports": [
                {"segment": {"endIndex": 19}, "groundingChunkIndices": [4]},
            ],
        },
    }
    found = audit(candidate, {"guide": GRASS})
    assert not found.ok
    assert found.held == (False,)


def test_a_page_whose_text_is_not_there_shows_nothing() -> None:
    found = audit(shapes.CHAT_COMPLETION)
    assert slugs(found) == [("citation_source_missing", "citations", 0)]
    assert found.held == (False,)
    given = {"https://example.org/bridge": "The bridge was opened to traffic in March 1932."}
    assert audit(shapes.CHAT_COMPLETION, given).ok


def test_without_documents_the_words_that_the_message_has_are_the_evidence() -> None:
    found = audit(shapes.ANTHROPIC_CHAR)
    assert found.ok
    assert found.answer.returned == {"My Document", "My Document #2"}
    # They are not compared with themselves.
    assert {verdict.check for verdict in found.verdicts} == {"source", "support"}
    web = audit(shapes.ANTHROPIC_WEB)
    assert "I'll search" not in web.sentences[0].text
    assert ("citation_unsupported", "sentences", 0) in slugs(web)  # nothing of Petoskey


def test_an_annotation_that_marks_the_link_is_for_the_sentence_before_it() -> None:
    page = "The bridge was opened to traffic in March 1932."
    found = audit(shapes.RESPONSES_WEB, {"https://example.org/bridge": page})
    first, second = found.sentences
    assert first.text == "The bridge was opened to traffic in March 1932."
    assert (first.citations, second.citations) == ((0,), ())
    assert found.ok
    assert found.uncited == (second,)


@pytest.mark.parametrize(
    ("text", "mark", "sentences"),
    [
        ("The bridge opened in 1932 ([a](https://a.org)). It carries eight lanes.",
         "[a](https://a.org)",
         ["The bridge opened in 1932.", None]),
        ("The bridge opened in 1932. [a](https://a.org) It carries eight lanes.",
         "[a](https://a.org)",
         ["The bridge opened in 1932.", None]),
        ("The bridge opened in 1932【4:0†source】. It carries eight lanes.",
         "【4:0†source】",
         ["The bridge opened in 1932.", None]),
        ("- The bridge opened in 1932. ([a](https://a.org))\n- It carries eight lanes.",
         "([a](https://a.org))",
         ["The bridge opened in 1932.", None]),
        ("The bridge opened in 1932.\n([a](https://a.org))\n\nIt carries eight lanes.",
         "([a](https://a.org))",
         ["The bridge opened in 1932.", None]),
        ("It carries eight lanes. As [a](https://a.org) says, it opened in 1932.",
         "[a](https://a.org)",
         [None, "As a says, it opened in 1932."]),
        ("It carries eight lanes.\n[a](https://a.org) says that it opened in 1932.",
         "[a](https://a.org)",
         [None, "a says that it opened in 1932."]),
    ],
)  # fmt: skip
def test_a_mark_belongs_to_its_sentence_wherever_it_stands(
    text: str, mark: str, sentences: list[str | None]
) -> None:
    start = text.index(mark)
    found = audit(chat(text, (start, start + len(mark), "https://a.org")), {"https://a.org": "x"})
    cited = [sentence.text if sentence.citations else None for sentence in found.sentences]
    assert cited == sentences
    for sentence in found.sentences:
        assert found.answer.text[sentence.start : sentence.end].strip("- \n")


def test_several_links_in_one_pair_of_brackets_are_for_one_sentence() -> None:
    links = "[a](https://a.org), [b](https://b.org)"
    text = f"The bridge opened in 1932 ({links}). It carries eight lanes."
    marks = [
        (text.index(mark), text.index(mark) + len(mark), mark[4:-1])
        for mark in ("[a](https://a.org)", "[b](https://b.org)")
    ]
    found = audit(chat(text, *marks), {"https://a.org": "It opened.", "https://b.org": "In 1932."})
    assert [sentence.citations for sentence in found.sentences] == [(0, 1), ()]
    assert found.sentences[0].text == "The bridge opened in 1932."


def test_overlapping_and_nested_spans_support_their_sentences_together() -> None:
    text = "The grass is green and tall. The sky is blue and wide."
    documents = {"a": "The grass is green.", "b": "It is tall.", "c": "The sky is blue and wide."}
    found = audit(
        cohere(
            text,
            (0, 54, text, "c"),  # over both sentences
            (0, 28, "The grass is green and tall.", "a"),
            (4, 18, "grass is green", "b"),  # nested
            (23, 41, "tall. The sky is b", "c"),  # over the end of the sentence
        ),
        documents,
    )
    assert [sentence.citations for sentence in found.sentences] == [(0, 1, 2, 3), (0, 3)]
    assert found.ok


def test_a_mark_on_the_full_stop_alone_is_for_its_sentence() -> None:
    text = "The grass is green today. The sky is blue today."
    found = audit(cohere(text, (24, 25, ".", "a"), (24, 30, ". The ", "b")), {"a": "x", "b": "y"})
    assert [sentence.citations for sentence in found.sentences] == [(0,), (1,)]


def test_bytes_are_no_code_points() -> None:
    text = "Größe: fünf Meter über dem Fluß. Die Brücke ist sehr alt."
    sentence = "Die Brücke ist sehr alt."
    start = len(text[: text.index(sentence)].encode())
    for segment in (
        {"startIndex": start, "endIndex": len(text.encode()), "text": sentence},
        {"startIndex": start, "endIndex": len(text.encode())},
        # A gateway that has made code points of the bytes is read by the words.
        {"startIndex": text.index(sentence), "endIndex": len(text), "text": sentence},
    ):
        candidate = {
            "content": {"parts": [{"text": text}]},
            "groundingMetadata": {
                "groundingChunks": [{"retrievedContext": {"title": "a", "text": sentence}}],
                "groundingSupports": [{"segment": segment, "groundingChunkIndices": [0]}],
            },
        }
        found = audit(candidate)
        [citation] = found.answer.citations
        assert found.answer.text[citation.start : citation.end] == sentence
        assert [each.citations for each in found.sentences] == [(), (0,)]
        assert found.ok


def test_the_annotation_of_a_link_may_count_bytes_or_utf_16() -> None:
    text = "Die Brücke 😀 ist sehr alt und lang. ([a](https://a.org)) Sie ist breit."
    mark = "([a](https://a.org))"
    before = text[: text.index(mark)]
    for size in (
        len,
        lambda part: len(part.encode()),
        lambda part: len(part.encode("utf-16")) // 2 - 1,
    ):
        message = chat(text, (size(before), size(before + mark), "https://a.org"))
        [citation] = read_answer(message).citations
        assert text[citation.start : citation.end] == mark


@pytest.mark.parametrize(
    ("start", "end"),
    [(-1, 10), (10, 3), (0, 10**9), (10**30, 10**31), ("a", "b"), (1.5, 2.5), (3, None)],
)
def test_absurd_offsets_in_the_answer_are_faults(start: Any, end: Any) -> None:
    text = "The grass is green today. The sky is blue today."
    found = audit(chat(text, (start, end, "https://a.org")), {"https://a.org": text})
    assert slugs(found) == [("citation_span_wrong", "citations", 0)]
    assert found.held == (False,)
    assert [sentence.citations for sentence in found.sentences] == [(), ()]
    assert len(found.faults[0].message or "") < 400


def test_wrong_offsets_of_words_that_stand_there_once_are_faults_and_still_judged() -> None:
    text = "The grass is green today. The sky is blue today."
    found = audit(cohere(text, (3, 9, "sky is blue", "a")), {"a": "Rain is wet."})
    assert slugs(found) == [
        ("citation_span_wrong", "citations", 0),
        ("citation_unsupported", "sentences", 1),
    ]
    twice = audit(cohere(text, (3, 9, "today", "a")), {"a": "Rain is wet."})
    assert slugs(twice) == [("citation_span_wrong", "citations", 0)]


def test_a_citation_without_a_place_is_for_the_sentences_without_one() -> None:
    text = "The grass is green today. The sky is blue today."
    for place in ((None, None), (0, 0)):
        found = audit(
            chat(text, (*place, "https://a.org"), (0, 25, "https://b.org")),
            {"https://a.org": "The sky is blue today.", "https://b.org": text},
        )
        assert not found.answer.citations[0].is_placed
        assert [sentence.citations for sentence in found.sentences] == [(1,), (0,)]
        assert found.ok


def test_the_index_of_a_file_citation_is_the_place_behind_its_sentence() -> None:
    found = audit(shapes.RESPONSES_FILE)
    assert [sentence.citations for sentence in found.sentences] == [(0,), (1,)]
    assert slugs(found) == [("citation_unsupported", "sentences", 1)]
    assert found.held == (True, False)
    # A number before all text, or inside of a word, is no place in it.
    block = {
        "type": "output_text",
        "text": "The grass is green today.",
        "annotations": [
            {"type": "file_citation", "index": number, "file_id": "f"} for number in (0, 2)
        ],
    }
    answer = read_answer([block])
    assert [citation.is_placed for citation in answer.citations] == [False, False]


def test_what_is_cited_does_not_say_it_but_another_reference_does() -> None:
    text = "The old bridge is painted red."
    found = audit(
        cohere(text, (0, len(text), text, "a")),
        {"a": "The old bridge is long.", "b": "The old bridge is painted red."},
    )
    [fault] = found.faults
    assert fault.slug == "citation_unsupported"
    assert "reference b does" in (fault.message or "")
    nowhere = audit(cohere(text, (0, len(text), text, "a")), {"a": "The old bridge is long."})
    assert "The old bridge is long." in (nowhere.faults[0].message or "")


def test_what_is_cited_may_contradict_the_sentence() -> None:
    text = "The old bridge is painted red."
    found = audit(
        cohere(text, (0, len(text), text, "a")), {"a": "The old bridge is never painted red."}
    )
    [fault] = found.faults
    assert fault.slug == "citation_contradicted"
    assert fault.span is not None
    assert fault.span.reference == "a"


def test_what_contradicts_a_sentence_may_be_cited_beside_what_supports_it_elsewhere() -> None:
    text = "The old bridge is painted red."
    found = audit(
        cohere(text, (0, len(text), text, "a")),
        {"a": "The old bridge is never painted red.", "b": "The old bridge is painted red."},
    )
    [fault] = found.faults
    assert fault.slug == "citation_contradicted"
    assert "reference b supports it" in (fault.message or "")


def test_figures_must_stand_in_what_is_cited() -> None:
    text = "The bridge is 330 m long."
    engine = Judges(nli=ScriptedNLI(lambda _: ENTAILED))
    message = cohere(text, (0, len(text), text, "a"))
    documents = {"a": "The bridge is 33 m long.", "b": "The bridge is 330 m long."}
    found = audit_citations(message, documents, engine)
    assert slugs(found) == [("figure_unsupported", "sentences", 0)]
    right = audit_citations(cohere(text, (0, len(text), text, "b")), documents, engine)
    assert right.ok
    [figure] = [verdict for verdict in right.verdicts if verdict.check == "figures"]
    assert figure.span is not None
    assert (figure.span.reference, figure.span.start) == ("b", 14)


def test_the_cited_words_are_read_with_the_sentences_before_them() -> None:
    filler = " ".join(f"Room {number} has a lamp and a table." for number in range(20))
    document = f"{filler} The Pont Neuf is a bridge. It is 238 m long and made of stone."
    words = "It is 238 m long and made of stone."
    start = document.index(words)
    premises: list[str] = []

    def rule(pair: Pair) -> NLIScores:
        premises.append(pair.premise)
        return ENTAILED

    message = anthropic(("The Pont Neuf is 238 m long.", chars(words, start, start + len(words))))
    found = audit_citations(message, [document], Judges(nli=ScriptedNLI(rule)))
    assert found.ok
    assert any("Pont Neuf" in premise for premise in premises)
    assert not any("Room 3 " in premise for premise in premises)
    [support] = [verdict for verdict in found.verdicts if verdict.check == "support"]
    assert support.span is not None
    assert document[support.span.start : support.span.end] in document[start - 60 :]


def test_an_answer_that_claims_something_and_cites_nothing_is_at_fault() -> None:
    found = audit({"role": "assistant", "content": "The grass is green."}, [GRASS])
    assert slugs(found) == [("uncited",)]
    assert audit({"role": "assistant", "content": ""}, [GRASS]).ok


def test_references_judges_and_question_come_from_a_block() -> None:
    with grounded_in({"My Document": GRASS}, judges=judges()):
        assert audit_citations(shapes.ANTHROPIC_CHAR).ok
        assert asyncio.run(aaudit_citations(shapes.ANTHROPIC_CHAR)).ok


def test_the_async_twin_returns_the_same() -> None:
    found = asyncio.run(aaudit_citations(shapes.ANTHROPIC_CHAR, [GRASS], judges()))
    assert found == audit(shapes.ANTHROPIC_CHAR, [GRASS])


def test_an_answer_that_was_read_is_audited_as_it_is() -> None:
    answer = read_answer(shapes.ANTHROPIC_CHAR, [GRASS])
    assert audit(answer) == audit(shapes.ANTHROPIC_CHAR, [GRASS])


def test_judges_that_are_none_are_a_mistake() -> None:
    with pytest.raises(ContextError, match="Judges"):
        audit_citations(shapes.ANTHROPIC_CHAR, [GRASS], "gpt")  # type: ignore[arg-type]


def test_a_question_that_is_no_text_is_a_mistake() -> None:
    with pytest.raises(ContextError, match="question"):
        audit_citations(shapes.ANTHROPIC_CHAR, [GRASS], judges(), question=5)  # type: ignore[arg-type]


def test_ten_thousand_citations_and_long_texts_are_read() -> None:
    text = "The grass is green today. " * 2_000
    marks = [(26 * (n % 2_000), 26 * (n % 2_000) + 25, None, "a") for n in range(10_000)]
    found = audit(cohere(text, *marks), {"a": "The grass is green today."})
    assert found.ok
    assert len(found.sentences) == 2_000
    hostile = "([" * 20_000 + "[a](" * 20_000 + "\u3010" * 20_000
    assert len(audit(chat(hostile, (0, 5, "https://a.org"))).faults) >= 1


def test_another_passage_of_the_cited_document_is_named_as_such() -> None:
    guide = "The tank holds water. The pump is made of brass. The tree is old. It has two years."
    text = "The tree is old."
    found = audit(anthropic((text, chars("The tank holds water.", 0, 21))), {"guide": guide})
    (fault,) = found.faults
    assert fault.slug == "citation_unsupported"
    assert "The passage of reference guide that is cited does not say this" in str(fault.message)
    assert "Another one of it does" in str(fault.message)
    assert "But reference" not in str(fault.message)


def test_a_figure_of_a_sentence_that_other_passages_say_is_no_fault_of_its_own() -> None:
    guide = "The tank holds water. The pump is made of brass. Lunch is at ten. It takes 25 minutes."
    cited = chars("The tank holds water.", 0, 21)
    (fault,) = audit(anthropic(("It takes 25 minutes.", cited)), {"guide": guide}).faults
    assert fault.slug == "citation_unsupported"  # it names the passage with the figure
    found = audit(anthropic(("It takes a tank 25 minutes.", cited)), {"guide": guide})
    assert [each.slug for each in found.faults] == ["citation_unsupported", "figure_unsupported"]


@pytest.mark.parametrize("annotation", [{"index": 19}, {}])
def test_an_unknown_file_is_a_source_whose_text_is_missing(annotation: dict[str, Any]) -> None:
    file = {"type": "file_citation", "file_id": "file-9", "filename": "zoo.pdf", **annotation}
    block = {"type": "output_text", "text": "The grass is green.", "annotations": [file]}
    (fault,) = audit([block], {"guide": GRASS}).faults
    assert fault.slug == "citation_source_missing"
    assert "zoo.pdf (file-9)" in str(fault.message)


def test_an_unknown_document_at_a_position_is_told_with_the_words_before_it() -> None:
    text = "The grass is green."
    for place in (0, len(text)):
        (fault,) = audit(cohere(text, (place, place, "", "z")), {"guide": GRASS}).faults
        assert fault.slug == "citation_unknown"
        assert text in str(fault.message)


@pytest.mark.parametrize(("start", "end"), [(0, 0), (0, 19), (None, None)])
@pytest.mark.parametrize("references", [{"guide": GRASS}, None])
def test_a_citation_of_no_words_does_not_hold(start: Any, end: Any, references: Any) -> None:
    found = audit(anthropic(("The grass is green.", chars("", start, end))), references)
    assert not found.ok
    assert found.held == (False,)


@pytest.mark.parametrize("threshold", ["0.5", 0, 2, True])
def test_a_threshold_that_is_none_is_a_mistake(threshold: Any) -> None:
    with pytest.raises(MarkerError, match="threshold"):
        audit(anthropic(("The grass is green.", None)), {"guide": GRASS}, threshold=threshold)


@pytest.mark.parametrize(
    "other", ["```sh\nmake demo\n```", "![Grass](grass.png)", "<!-- note -->", "$$g = 1$$"]
)
def test_what_is_no_prose_is_not_judged(other: str) -> None:
    message = anthropic(
        (f"{other}\n\n", None),
        ("The grass is green.", chars("The grass is green.", 0, 19)),
        (f"\n\n{other}", None),
    )
    found = audit(message, {"guide": GRASS})
    assert found.ok
    assert [sentence.text for sentence in found.sentences] == ["The grass is green."]


#: name -> (a message without text, what it is)
WITHOUT_TEXT: dict[str, tuple[Any, str]] = {
    "anthropic, empty": (
        {"type": "message", "role": "assistant", "content": [], "stop_reason": "end_turn"},
        "a message without text",
    ),
    "anthropic, refusal": (
        {"type": "message", "role": "assistant", "content": [], "stop_reason": "refusal"},
        "a message without text (refusal)",
    ),
    "anthropic, tools": (
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "t", "name": "f", "input": {}}],
        },
        "a message without text",
    ),
    "anthropic, thoughts": (
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "Well."}]},
        "a message without text",
    ),
    "chat, tools": (
        {
            "choices": [
                {
                    "finish_reason": "tool_calls",
                    "message": {
                        "role": "assistant",
                        "content": None,
                        "tool_calls": [{"id": "c", "type": "function"}],
                    },
                }
            ]
        },
        "a message without text",
    ),
    "chat, empty tools": (
        {"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": []}}]},
        "a message without text",
    ),
    "chat, refusal": (
        {"choices": [{"message": {"role": "assistant", "content": None, "refusal": "No."}}]},
        "a message without text",
    ),
    "chat, filter": (
        {
            "choices": [
                {
                    "finish_reason": "content_filter",
                    "message": {"role": "assistant", "content": None},
                }
            ]
        },
        "a message without text (content_filter)",
    ),
    "responses, refusal": (
        {
            "output": [
                {
                    "type": "message",
                    "role": "assistant",
                    "content": [{"type": "refusal", "refusal": "I can't."}],
                }
            ]
        },
        "a message without text",
    ),
    "responses, tools": (
        {"output": [{"type": "function_call", "name": "f", "arguments": "{}"}]},
        "a message without text",
    ),
    "responses, empty": ({"object": "response", "output": []}, "a message without text"),
    "gemini, safety": (
        {"candidates": [{"finishReason": "SAFETY"}]},
        "a message without text (SAFETY)",
    ),
    "gemini, question": (
        {"promptFeedback": {"blockReason": "SAFETY"}},
        "a question that was blocked (SAFETY)",
    ),
    "gemini, tools": (
        {
            "candidates": [
                {
                    "finishReason": "STOP",
                    "content": {"role": "model", "parts": [{"functionCall": {"name": "f"}}]},
                }
            ]
        },
        "a message without text",
    ),
    "gemini, cut": (
        {"candidates": [{"finishReason": "MAX_TOKENS", "content": {"role": "model"}}]},
        "a message without text",
    ),
    "cohere, tools": (
        {
            "finish_reason": "TOOL_CALL",
            "message": {"role": "assistant", "tool_calls": [{"id": "t"}], "content": None},
        },
        "a message without text",
    ),
    "langchain, tools": (
        {"type": "ai", "content": [], "tool_calls": [{"name": "f", "args": {}, "id": "t"}]},
        "a message without text",
    ),
    "pydantic-ai, tools": (
        {"kind": "response", "parts": [{"part_kind": "tool-call", "tool_name": "f"}]},
        "a message without text",
    ),
}


@pytest.mark.parametrize("name", WITHOUT_TEXT)
@pytest.mark.parametrize("references", [{"guide": GRASS}, None])
def test_a_message_without_text_is_an_answer_that_claims_nothing(
    name: str, references: Any
) -> None:
    message, reason = WITHOUT_TEXT[name]
    found = audit(message, references)
    assert (found.ok, found.answer.text) == (True, "")
    assert (found.answer.no_text or "").startswith(reason)
    assert (found.verdicts, found.held, found.sentences) == ((), (), ())


def test_an_answer_with_text_does_not_say_that_it_has_none() -> None:
    for message in (anthropic(("The grass is green.", None)), anthropic(("", None))):
        assert read_answer(message).no_text is None


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ({"type": "error", "error": {"type": "overloaded_error"}}, "no event of a stream"),
        ({"type": "response.output_text.delta", "delta": "a"}, "no event of a stream"),
        ({"answer": "a", "my secret": "b"}, "with the fields 'answer'. Pass"),
        ({str(number).join("ab"): 1 for number in range(9)}, "'a0b', 'a1b', .* and more. Pass"),
    ],
)
def test_the_mistake_says_what_an_object_is(message: Any, words: str) -> None:
    with pytest.raises(CitationsError, match=words) as raised:
        read_answer(message)
    assert "secret" not in str(raised.value)


SKY, SEA = "The sky is blue.", "The sea is green."


@pytest.mark.parametrize("gap", ["", " ", "\n"])
def test_short_sentences_with_different_citations_are_judged_apart(gap: str) -> None:
    documents = [SKY, SEA]
    sky, sea = chars(SKY, 0, 16, 0), chars(SEA, 0, 17, 1)
    right = audit(anthropic((SKY + gap, sky), (" " + SEA, sea)), documents)
    assert (right.ok, [each.text for each in right.sentences]) == (True, [SKY, SEA])
    wrong = audit(anthropic((SKY + gap, sea), (" " + SEA, sky)), documents)
    assert slugs(wrong) == [
        ("citation_unsupported", "sentences", 0),
        ("citation_unsupported", "sentences", 1),
    ]
    first = audit(anthropic((SKY + gap, None), (" " + SEA, sea)), documents)
    assert [each.text for each in first.uncited] == [SKY]
    second = audit(anthropic((SKY + gap, sky), (" " + SEA, None)), documents)
    assert [each.text for each in second.uncited] == [SEA]


def test_short_sentences_of_which_words_are_marked_are_judged_apart() -> None:
    text = f"{SKY} {SEA}"
    found = audit(cohere(text, (11, 15, "blue", "b"), (28, 33, "green", "a")), {"a": SKY, "b": SEA})
    assert [(each.text, each.citations) for each in found.sentences] == [(SKY, (0,)), (SEA, (1,))]
    assert found.held == (False, False)


@pytest.mark.parametrize(
    "text",
    [
        "Hello! How can I help you?",
        "Hello!",
        "The documents do not say this.",
        "I don't know.",
        "Is there anything else?",
        "Hallo! Dazu steht nichts in den Dokumenten.",
    ],
)
def test_what_claims_nothing_needs_no_citation(text: str) -> None:
    found = audit(anthropic((text, None)), {"guide": GRASS})
    assert (found.ok, found.sentences) == (True, ())


def test_a_heading_that_is_the_whole_answer_claims_something() -> None:
    assert slugs(audit(anthropic(("## Green grass", None)), {"guide": GRASS})) == [("uncited",)]


@pytest.mark.parametrize(
    "greeting", ["Hello! ", "Hallo \U0001f389! ", "Sure! ", "Great question! "]
)
def test_a_greeting_is_not_judged_with_the_sentence_behind_it(greeting: str) -> None:
    text = f"{greeting}The grass is green."
    start = len(greeting) + 4
    messages = [
        anthropic((greeting, None), ("The grass is green.", chars("The grass is green.", 0, 19))),
        anthropic((text, chars("The grass is green.", 0, 19))),
        cohere(text, (start, start + 5, "grass", "guide")),
    ]
    for message in messages:
        found = audit(message, {"guide": GRASS})
        assert found.ok
        assert [sentence.text for sentence in found.sentences] == ["The grass is green."]
