"""Pages and metadata of references: where they come from, and who knows them."""

import copy
import pickle
from collections import UserDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from threading import Lock
from types import MappingProxyType
from typing import Annotated, Any, Final, NamedTuple

import pytest
from pydantic import BaseModel, ValidationError

from groundtypes import (
    Case,
    Check,
    Figures,
    Grounded,
    Quote,
    Reference,
    References,
    Span,
    Verdict,
    audit,
    find_quote,
    verify,
)
from groundtypes.entailment.evidence.passage_index import select_passages
from groundtypes.errors import ReferencesError
from groundtypes.integrations.recordings.calls import faults_of
from groundtypes.report.report_rows import read_verdict

TEXT = "It is tall. It was built in 1889. It is grey."
PAGES: Final[list[tuple[int, int | str]]] = [(0, 7), (12, 8), (34, "ix")]
BOOK = Reference("book", TEXT, pages=PAGES)
SECRET = "do not show this"  # noqa: S105 # not a password


@dataclass
class Document:
    """What LangChain's and LlamaIndex's documents look like."""

    page_content: str
    metadata: Any = field(default_factory=dict)


class Fact(BaseModel):
    """A quote."""

    quote: Quote


@pytest.mark.parametrize(
    ("position", "page"), [(0, 7), (11, 7), (12, 8), (33, 8), (34, "ix"), (44, "ix"), (10**9, "ix")]
)
def test_a_position_is_on_the_page_that_starts_last_before_it(position: int, page: object) -> None:
    assert BOOK.page(position) == page
    assert BOOK.span(position, position + 1).page == page
    assert References.of([BOOK]).span("book", position, position + 1).page == page


def test_what_is_before_the_first_page_is_on_none() -> None:
    late = Reference("a", TEXT, pages=[(12, 1)])
    assert (late.page(11), late.page(12)) == (None, 1)
    assert Reference("a", TEXT).page(0) is None


def test_an_empty_page_starts_where_the_next_does() -> None:
    scanned = Reference("a", TEXT, pages=[(0, 1), (12, 2), (12, 3), (len(TEXT), 4)])
    assert (scanned.page(11), scanned.page(12)) == (1, 3)


PAGES_AS_GIVEN: dict[str, Any] = {
    "a tuple": ((0, 7), (12, 8)),
    "lists": [[0, 7], [12, 8]],
    "an iterator": iter([(0, 7), (12, 8)]),
    "items of a mapping": {0: 7, 12: 8}.items(),
}


@pytest.mark.parametrize("pages", PAGES_AS_GIVEN.values(), ids=PAGES_AS_GIVEN)
def test_pages_are_any_pairs(pages: Any) -> None:
    assert Reference("a", TEXT, pages=pages).pages == ((0, 7), (12, 8))


UNREADABLE: dict[str, Any] = {
    "descending": [(12, 1), (0, 2)],
    "a negative start": [(-1, 1)],
    "a start beyond the text": [(len(TEXT) + 1, 1)],
    "a huge start": [(10**400, 1)],
    "a start that is a truth value": [(True, 1)],
    "a start that is a float": [(0.0, 1)],
    "a start that is no number": [(float("nan"), 1)],
    "a start that is a text": [("0", 1)],
    "a number that is a truth value": [(0, True)],
    "a number that is a float": [(0, 1.0)],
    "a negative number": [(0, -1)],
    "a huge number": [(0, 10**400)],
    "a blank label": [(0, " ")],
    "a huge label": [(0, "x" * 101)],
    "no number": [(0, None)],
    "starts alone": [0, 12],
    "three parts": [(0, 1, 2)],
    "a text": "01",
    "bytes": b"01",
    "a mapping": {0: 1},
    "a number": 5,
    "None in place of a pair": [None],
}


@pytest.mark.parametrize("pages", UNREADABLE.values(), ids=UNREADABLE)
def test_pages_that_cannot_be_read_are_a_mistake(pages: Any) -> None:
    for make in (
        lambda: Reference("the id", TEXT, pages=pages),
        lambda: References(("the id",), (TEXT,), (pages,)),
    ):
        with pytest.raises(ReferencesError, match="pages of reference 'the id'") as caught:
            make()
        assert not isinstance(caught.value, ValueError)
        assert len(str(caught.value)) < 300
        assert TEXT not in str(caught.value)


def test_as_many_pages_and_metadata_as_references_are_needed() -> None:
    with pytest.raises(ReferencesError, match="numbers of ids, pages and metadata"):
        References(("a", "b"), ("x", "y"), [()])
    with pytest.raises(ReferencesError, match="numbers of ids, pages and metadata"):
        References(("a", "b"), ("x", "y"), metadata=(None,))


def test_every_span_knows_its_page() -> None:
    references = References.of([BOOK])
    context = {"references": references}
    match = find_quote("built in 1889", references)
    assert match is not None
    assert match.span.page == 8

    class Answer(Grounded):
        quote: Quote
        year: Annotated[str, Figures()]
        same: Annotated[str, Figures(by="quote")]

    data = {"quote": "It was built in 1889", "year": "In 1889.", "same": "In 1889."}
    report = audit(Answer, data, context=context)
    assert [verdict.span and verdict.span.page for verdict in report.verdicts] == [8, 8, 8]
    assert report.verdicts[2].span == Span("book", 28, 32)
    assert select_passages(references, "It is grey", 1)[0].span.page == 7  # one passage of all
    altered = audit(Fact, {"quote": "It was built in 1888"}, context=context).faults[0].span
    assert altered is not None
    assert altered.page == 8


def test_a_check_of_the_user_makes_spans_with_pages() -> None:
    class Nearby(Check):
        def judge(self, value: str, case: Case) -> Verdict:
            start = case.references["book"].text.index(value)
            return self.holds(span=case.references.span("book", start, start + len(value)))

    class Answer(Grounded):
        word: Annotated[str, Nearby()]

    report = audit(Answer, {"word": "grey"}, context={"references": [BOOK]})
    assert report.verdicts[0].span == Span("book", 40, 44)
    assert report.verdicts[0].span.page == "ix"


def test_a_page_is_in_the_data_of_a_verdict_and_in_a_fault() -> None:
    report = audit(Fact, {"quote": "It was built in 1888"}, context={"references": [BOOK]})
    written = report.faults[0].to_dict()
    assert written["span"] == {"reference": "book", "start": 12, "end": 32, "page": 8}
    assert read_verdict(written).span.page == 8  # type: ignore[union-attr]
    assert report.error is not None
    assert report.error.errors()[0]["ctx"]["page"] == 8
    assert faults_of(report.error)[0].span.page == 8  # type: ignore[union-attr]


def test_without_pages_nothing_speaks_of_them() -> None:
    report = audit(Fact, {"quote": "It was built in 1888"}, context={"references": TEXT})
    assert report.faults[0].to_dict()["span"] == {"reference": "0", "start": 12, "end": 32}
    assert report.error is not None
    assert "page" not in report.error.errors()[0]["ctx"]
    assert repr(Span("a", 1, 2)) == "Span(reference='a', start=1, end=2)"
    assert repr(Span("a", 1, 2, "ix")) == "Span(reference='a', start=1, end=2, page='ix')"


def test_a_page_does_not_count_in_comparisons() -> None:
    assert Span("a", 1, 2, 3) == Span("a", 1, 2)
    assert hash(Span("a", 1, 2, 3)) == hash(Span("a", 1, 2))
    assert not Span("a", 1, 2, 3) < Span("a", 1, 2, "x")


METADATA_PAGES: dict[str, tuple[dict[str, Any], Any]] = {
    "LangChain": ({"source": "a.pdf", "page": 3}, 3),
    "LangChain's reader of PDF files": ({"page": 3, "page_label": "4"}, "4"),
    "LlamaIndex": ({"file_name": "a.pdf", "page_label": "iv"}, "iv"),
    "Unstructured": ({"page_number": 4}, 4),
    "a database of floats": ({"page": 3.0}, 3),
    "the first page": ({"page": 0}, 0),
    "a blank label": ({"page_label": " ", "page": 3}, 3),
    "a truth value": ({"page": True}, None),
    "half a page": ({"page": 3.5}, None),
    "no number": ({"page": float("nan")}, None),
    "infinite": ({"page": float("inf")}, None),
    "negative": ({"page": -1}, None),
    "huge": ({"page": 10**400}, None),
    "a huge text": ({"page": "x" * 1_000_000}, None),
    "a list": ({"page": [1, 2]}, None),
    "None": ({"page": None}, None),
    "nothing": ({"source": "a.pdf"}, None),
}


@pytest.mark.parametrize(("metadata", "page"), METADATA_PAGES.values(), ids=METADATA_PAGES)
def test_the_page_of_a_document_is_in_its_metadata(metadata: Any, page: object) -> None:
    for source in (
        [Document(TEXT, metadata)],
        [(Document(TEXT, metadata), 0.5)],
        {"0": Document(TEXT, metadata)},
        Document(TEXT, metadata),
        [{"text": TEXT, "metadata": metadata}],
        [{"content": TEXT, "meta": metadata}],
        [Reference("0", TEXT, metadata=metadata)],
    ):
        references = References.of(source)
        match = find_quote("is grey", references)
        assert match is not None
        assert (match.span, match.span.page) == (Span("0", 37, 44), page)
        assert references["0"].metadata == metadata


def test_pages_go_before_the_page_in_the_metadata() -> None:
    reference = Reference("a", TEXT, pages=PAGES, metadata={"page": 99})
    assert reference.page(0) == 7


def test_real_documents_of_langchain_are_read() -> None:
    documents = pytest.importorskip("langchain_core.documents")
    found = documents.Document(page_content=TEXT, metadata={"source": "a.pdf", "page": 3}, id="x")
    references = References.of([(found, 0.25)])
    assert references["x"].metadata == {"source": "a.pdf", "page": 3}
    assert references.span("x", 0, 2).page == 3


def test_real_nodes_of_llama_index_are_read() -> None:
    schema = pytest.importorskip("llama_index.core.schema")
    node = schema.TextNode(text=TEXT, id_="x", metadata={"file_name": "a.pdf", "page_label": "3"})
    for source in ([node], [schema.NodeWithScore(node=node, score=0.5)], [(node, 0.5)]):
        references = References.of(source)
        assert references["x"].metadata == {"file_name": "a.pdf", "page_label": "3"}
        assert references.span("x", 0, 2).page == "3"


class _Hit(NamedTuple):
    text: str
    id: int


SCORES: dict[str, Any] = {
    "a float": 0.5,
    "an integer": 1,
    "a Decimal": Decimal("0.5"),
    "a Fraction": Fraction(1, 2),
    "no number": float("nan"),
}


@pytest.mark.parametrize("score", SCORES.values(), ids=SCORES)
def test_a_pair_of_a_document_and_its_score_is_the_document(score: Any) -> None:
    assert References.of([(Document("one"), score), ("two", score)]).texts == ("one", "two")
    assert References.of({"a": (Document("one"), score)}).texts == ("one",)


def test_scores_of_numpy_are_scores() -> None:
    numpy = pytest.importorskip("numpy")
    assert References.of([(Document("one"), numpy.float32(0.5))]).texts == ("one",)


@pytest.mark.parametrize(
    "pair",
    [("one", "two"), ("one", None), ("one", True), (0.5, "one"), ("one", 0.5, 1), (5, 0.5), ()],
    ids=repr,
)
def test_other_tuples_are_a_mistake(pair: Any) -> None:
    with pytest.raises(ReferencesError):
        References.of([pair])


def test_a_named_tuple_with_a_text_is_a_document() -> None:
    assert References.of([_Hit("one", 5)]).ids == ("5",)


class _Raising(Mapping[str, Any]):
    """Metadata that cannot be read."""

    def __getitem__(self, key: str) -> Any:
        raise ValueError(SECRET)

    def __iter__(self) -> Iterator[str]:
        raise ValueError(SECRET)

    def __len__(self) -> int:
        return 1


def test_metadata_that_raise_are_a_mistake_that_shows_nothing_of_them() -> None:
    for make in (
        lambda: Reference("a", TEXT, metadata=_Raising()),
        lambda: References.of([Document(TEXT, _Raising())]),
        lambda: verify(
            Fact, {"quote": "is grey"}, context={"references": [Document(TEXT, _Raising())]}
        ),
    ):
        with pytest.raises(ReferencesError, match="raise ValueError") as caught:
            make()
        assert caught.value.__cause__ is None
        assert caught.value.__suppress_context__
        assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    "metadata", [5, [SECRET], SECRET, object()], ids=lambda m: type(m).__name__
)
def test_metadata_that_are_no_mapping_are_a_mistake_or_no_metadata(metadata: Any) -> None:
    with pytest.raises(ReferencesError, match="are a mapping") as caught:
        Reference("a", TEXT, metadata=metadata)
    assert SECRET not in str(caught.value)
    # Objects of other libraries have attributes of this name, too.
    assert References.of([Document(TEXT, metadata)]).metadata == ()


@pytest.mark.parametrize("kind", [dict, MappingProxyType, UserDict])
def test_metadata_are_copied_from_any_mapping(kind: Any) -> None:
    given = {"source": "a.pdf", 5: object()}
    reference = Reference("a", TEXT, metadata=kind(given))
    assert reference.metadata == given
    given["source"] = "b.pdf"
    assert reference.metadata["source"] == "a.pdf"


def test_metadata_are_not_shown() -> None:
    reference = Reference("a", TEXT, metadata={"token": SECRET})
    references = References.of([reference])
    context = {"references": references}
    with pytest.raises(ValidationError) as caught:
        Fact.model_validate({"quote": "It was built in 1888"}, context=context)
    report = audit(Fact, {"quote": "is grey"}, context=context)
    for shown in (reference, references, report, report.to_row(), report.to_html()):
        assert SECRET not in repr(shown)
    assert SECRET not in str(caught.value)
    assert SECRET not in repr(caught.value.errors())


def test_metadata_do_not_count_in_comparisons_and_cost_no_second_index() -> None:
    first, second = (
        References.of([Document(TEXT, {"source": name, "n": [name]})]) for name in ("a", "b")
    )
    assert first == second
    assert hash(first) == hash(second)
    assert first.content is second.content is References.of([TEXT])
    assert first["0"] == second["0"]
    assert (first["0"].metadata, second["0"].metadata) != (second["0"].metadata, None)


def test_pages_tell_references_apart() -> None:
    plain, paged = References.of({"book": TEXT}), References.of([BOOK])
    assert plain != paged
    assert find_quote("is grey", plain) == find_quote("is grey", paged)
    for references, page in ((plain, None), (paged, "ix")):
        match = find_quote("is grey", references)
        assert match is not None
        assert match.span.page == page


def test_references_keep_pages_and_metadata_in_every_copy() -> None:
    references = References.of([Reference("a", TEXT, pages=PAGES, metadata={"source": "x"}), "y"])
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(references, protocol))  # noqa: S301 # our own bytes
        assert again == references
        assert [item.metadata for item in again] == [{"source": "x"}, None]
        assert again.content is references.content
    for same in (copy.copy(references), copy.deepcopy(references), References.of(references)):
        assert same is references
    assert References.of(list(references)) == references


def test_a_pickle_leaves_out_the_metadata_that_cannot_be_pickled() -> None:
    references = References.of([Document(TEXT, {"source": "a.pdf", "connection": Lock()}), "y"])
    again = pickle.loads(pickle.dumps(references))  # noqa: S301 # our own bytes
    assert [item.metadata for item in again] == [{"source": "a.pdf"}, None]
    report = audit(Fact, {"quote": "is grey"}, context={"references": references})
    assert pickle.loads(pickle.dumps(report)) == report  # noqa: S301 # our own bytes
