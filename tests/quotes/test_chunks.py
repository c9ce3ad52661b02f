"""Quotes that run from one chunk of a source into the next one."""

import pickle
from typing import Annotated, Any

import pytest
from pydantic import BaseModel

from groundtypes import Quote, Quoted, Reference, References, audit, find_quote

FIRST = "The old bridge was opened in 1932. The tenant shall not"
SECOND = "assign this agreement to anybody else. Rent is due on the first of each month."


class Answer(BaseModel):
    quote: Quote


def chunks(*texts: str, **places: list[Any]) -> list[dict[str, Any]]:
    return [
        {
            "text": text,
            "metadata": {"source": "lease.pdf", **{key: of[at] for key, of in places.items()}},
        }
        for at, text in enumerate(texts)
    ]


def found(quote: str, documents: Any) -> Any:
    return find_quote(quote, documents)


@pytest.mark.parametrize(
    "places",
    [
        {"chunk": [4, 5]},
        {"split_id": [0, 1], "page": [3, 3]},
        {"start_index": [0, len(FIRST) + 1]},
    ],
    ids=str,
)
def test_a_quote_across_two_chunks_has_a_span_in_each(places: dict[str, list[int]]) -> None:
    documents = chunks(FIRST, SECOND, **places)
    match = found("The tenant shall not assign this agreement to anybody else", documents)
    assert match.text == "The tenant shall not assign this agreement to anybody else"
    parts = [
        (documents[int(span.reference)]["text"][span.start : span.end]) for span in match.spans
    ]
    assert parts == ["The tenant shall not", "assign this agreement to anybody else"]
    assert match.span == match.spans[0]
    assert not match.cut


def test_the_order_of_the_list_does_not_count() -> None:
    documents = chunks(SECOND, FIRST, chunk=[5, 4])
    assert found("The tenant shall not assign this agreement", documents) is not None


def test_chunks_may_overlap() -> None:
    documents = chunks(
        f"{FIRST} assign this", f"tenant shall not assign {SECOND[7:]}", chunk=[1, 2]
    )
    match = found("The old bridge was opened in 1932. The tenant shall not assign this", documents)
    assert match is not None and not match.spans  # it stands in the first one
    across = found("was opened in 1932. The tenant shall not assign this agreement to", documents)
    assert across.text == "was opened in 1932. The tenant shall not assign this agreement to"


@pytest.mark.parametrize(
    "documents",
    [
        chunks(FIRST, SECOND, chunk=[4, 6]),
        chunks(FIRST, SECOND, chunk=[5, 4]),
        chunks(FIRST, SECOND, page=[3, 9]),
        chunks(FIRST, SECOND, start_index=[0, 5_000]),
        chunks(FIRST, SECOND, chunk=[True, False]),
        chunks(FIRST, SECOND),
        chunks(FIRST, SECOND, chunk_size=[1, 2]),
        chunks(FIRST, SECOND, chunk=[4, 5], title=["One", "Two"]),
        [FIRST, SECOND],
    ],
)
def test_texts_that_are_no_neighbours_are_not_joined(documents: Any) -> None:
    assert found("The tenant shall not assign this agreement", documents) is None


def test_what_turns_a_quote_may_stand_in_the_chunk_before() -> None:
    documents = chunks(FIRST, SECOND, chunk=[4, 5])
    whole = "assign this agreement to anybody else. Rent is due"
    assert found(whole, documents) is not None  # it stands in one chunk, as it is given
    longer = "not assign this agreement to anybody else"
    assert found(longer, documents).text == longer


def test_the_words_of_both_chunks_must_be_the_quotes() -> None:
    documents = chunks(FIRST, SECOND, chunk=[4, 5])
    assert found("The tenant shall assign this agreement to anybody else", documents) is None
    assert found("The tenant shall not assign the agreement to anybody else", documents) is None


def test_a_validated_quote_has_both_spans() -> None:
    context = {"references": chunks(FIRST, SECOND, chunk=[4, 5])}
    report = audit(Answer, {"quote": "the tenant shall NOT assign this agreement"}, context=context)
    assert report.ok
    quote: Any = report.value.quote if report.value else None
    assert quote == "The tenant shall not assign this agreement"
    assert [span.reference for span in quote.spans] == ["0", "1"]
    assert pickle.loads(pickle.dumps(quote)).spans == quote.spans  # noqa: S301 # made here
    [verdict] = report.verdicts
    assert verdict.spans == quote.spans and verdict.span == quote.span
    assert len(verdict.to_dict()["spans"]) == 2


def test_the_limits_of_words_are_those_of_both_chunks() -> None:
    words = [[f"{name}{at}" for at in range(60)] for name in ("one", "two")]
    first, second = (" ".join(each) for each in words)
    context = {"references": chunks(first, second, chunk=[1, 2])}
    short = " ".join([*words[0][30:], *words[1][:30]])
    assert audit(Answer, {"quote": short}, context=context).ok
    report = audit(Answer, {"quote": f"{first} {second}"}, context=context)
    assert [fault.slug for fault in report.faults] == ["quote_too_long"]


def test_equal_texts_without_metadata_are_searched_as_such() -> None:
    quote = "The tenant shall not assign this agreement"
    assert find_quote(quote, chunks(FIRST, SECOND, chunk=[4, 5])) is not None
    assert find_quote(quote, References.of([FIRST, SECOND])) is None
    assert find_quote(quote, chunks(FIRST, SECOND, chunk=[4, 5])) is not None


def test_references_of_ones_own_and_a_named_one() -> None:
    class Named(BaseModel):
        source: str
        quote: Quote

    references = [
        Reference(name, text, metadata={"source": "a", "chunk": at})
        for at, (name, text) in enumerate([("one", FIRST), ("two", SECOND)])
    ]
    match = find_quote("shall not assign this", references)
    assert match is not None and [span.reference for span in match.spans] == ["one", "two"]


@pytest.mark.parametrize(
    "places",
    [
        {"chunk": [1, 2], "company": ["One", "Two"]},
        {"chunk": [1, 2], "doc_id": [1, 2]},
        {"chunk": [1, 2], "year": [2019, 2020]},
        {"chunk": [4.0, 9.0], "page": [3, 4]},
        {"chunk": ["4", "9"], "page": [3, 4]},
        {"chunk": [0, 0], "page": [0, 1]},
        {"chunk": [1, 2], "page_title": ["One", "Two"]},
        {"chunk": [1, 2], "document_uuid": ["One", "Two"]},
        {"page": [3, 4]},
        {"page_label": ["3", "4"]},
        {"invoice_number": [1, 2]},
        {"order_number": [1, 2]},
        {"version": [1, 2], "chunk": [1, 2]},
        {"department_id": [1, 2]},
        {"start_seconds": [0, 30]},
        {"start_index": [0, 40]},
        {"start_index": [0, 0], "page": [0, 1]},
        {"start_index": [0, len(FIRST)], "page": [0, 1]},
    ],
    ids=str,
)
def test_numbers_of_something_else_make_no_neighbours(places: dict[str, list[Any]]) -> None:
    assert found("The tenant shall not assign this", chunks(FIRST, SECOND, **places)) is None


@pytest.mark.parametrize(
    "places",
    [
        {"chunk": ["1", "2"]},
        {"chunk": [1.0, 2.0], "score": [0.8, 0.5]},
        {"chunk": [1, 2], "chunk_id": ["x", "y"], "Header 1": ["One", "Two"]},
        {"split_id": [1, 2], "page_number": [1, 2], "split_idx_start": [0, len(FIRST) + 1]},
        {"chunk": [3, 4], "page": [0, 1], "start_index": [1800, 0]},
    ],
    ids=str,
)
def test_numbers_of_pipelines_make_neighbours(places: dict[str, list[Any]]) -> None:
    assert found("The tenant shall not assign this", chunks(FIRST, SECOND, **places)) is not None


@pytest.mark.parametrize("overlap", [1, 5, 12, 25])
@pytest.mark.parametrize("cut", range(62, 80))
def test_overlaps_may_cut_words(cut: int, overlap: int) -> None:
    text, begin = f"{FIRST} {SECOND}", cut - overlap
    documents = chunks(text[:cut], text[begin:], start_index=[0, begin])
    quote = "The tenant shall not assign this agreement to anybody else"
    assert found(quote, documents).text == quote
    validated = audit(Answer, {"quote": quote}, context={"references": documents}).value
    assert validated is not None and validated.quote == quote


def test_what_stands_at_the_seam_is_read_line_by_line() -> None:
    documents = chunks("The tenant shall not\n\nPage 3 of 9", SECOND, chunk=[1, 2])
    assert found("The tenant shall not assign this agreement", documents) is not None


def test_half_a_word_in_the_next_chunk_is_no_quote() -> None:
    class Cut(BaseModel):
        quote: Annotated[str, Quoted(cut="accept")]

    context = {"references": chunks(FIRST, SECOND, chunk=[1, 2])}
    assert not audit(Cut, {"quote": "shall not assign this agree"}, context=context).ok
    assert audit(Cut, {"quote": "shall not assign this agreement"}, context=context).ok


def test_what_restricts_a_quote_behind_it_is_named() -> None:
    context = {"references": chunks(FIRST, "assign it unless I agree.", chunk=[1, 2])}
    report = audit(Answer, {"quote": "tenant shall not assign it"}, context=context)
    [fault] = report.faults
    assert fault.slug == "quote_altered" and "unless" in str(fault.message)


def test_the_citations_of_an_audit_have_both_places() -> None:
    context = {"references": chunks(FIRST, SECOND, chunk=[4, 5])}
    report = audit(Answer, {"quote": "The tenant shall not assign this agreement"}, context=context)
    assert [(each.span.reference, each.quote) for each in report.citations()] == [
        ("0", "The tenant shall not"),
        ("1", "assign this agreement"),
    ]
