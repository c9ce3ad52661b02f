"""Citations: each statement of an answer with the place in a reference that proves it."""

import copy
import dataclasses
import json
import pickle
import warnings
from collections.abc import Callable
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, RootModel

from groundtypes import (
    CitedStatement,
    Entailed,
    Figures,
    Grounded,
    Judges,
    NLIScores,
    Pair,
    Quote,
    Quoted,
    Reference,
    Span,
    audit,
    cited_statements,
    verify,
)
from groundtypes.models import CitedAnswer
from groundtypes.testing import ENTAILED, NEUTRAL, ScriptedNLI, contained

TEXT = "It is tall. The tower was built in 1889. It is tall and grey."
BOOK = Reference("book", TEXT, pages=[(0, 1), (12, 2)], metadata={"source": "tower.pdf"})


class Fact(BaseModel):
    """A statement that a quote entails, and a quote for its own sake."""

    quote: Quote
    statement: Annotated[str, Entailed(by="quote")]
    other: Annotated[str, Quoted(spans=True)] | None = None


class Answer(Grounded):
    """Facts, an answer that the references entail, and quotes that may be dropped."""

    facts: list[Fact]
    answer: Annotated[str, Entailed()] = ""
    more: list[Annotated[str, Quoted(on_fault="drop")]] = []


DATA: dict[str, Any] = {
    "facts": [
        {
            "quote": "tower was built in 1889",
            "statement": "tower was built in 1889",
            "other": "tall and grey",
        }
    ],
    "answer": "It is tall and grey.",
    "more": ["nowhere to be found", "It is tall"],
}


def _context(rule: Callable[[Pair], NLIScores] = contained, **options: Any) -> dict[str, Any]:
    return {"references": [BOOK], "judges": Judges(nli=ScriptedNLI(rule)), **options}


def _told(cited: CitedStatement) -> tuple[str, str, int, int, object]:
    return cited.field, cited.statement, cited.span.start, cited.span.end, cited.page


def test_a_model_cites_the_quotes_that_prove_its_statements() -> None:
    answer = Answer.model_validate(DATA, context=_context())
    found = cited_statements(answer)
    assert [_told(cited) for cited in found] == [
        ("facts.0.statement", "tower was built in 1889", 16, 39, 2),
        ("facts.0.other", "tall and grey", 47, 60, 2),
        ("more.0", "It is tall", 0, 10, 1),
    ]
    assert found[0].loc == ("facts", 0, "statement")
    assert all(TEXT[cited.span.start : cited.span.end] == cited.quote for cited in found)


def test_an_audit_cites_what_every_check_has_found() -> None:
    report = audit(Answer, DATA, context=_context())
    assert report.ok
    assert [_told(cited) for cited in report.citations()] == [
        ("facts.0.statement", "tower was built in 1889", 16, 39, 2),
        ("facts.0.other", "tall and grey", 47, 60, 2),
        ("answer", "It is tall and grey.", 41, 61, 2),
        ("more.1", "It is tall", 0, 10, 1),  # where it was given: the item before is dropped
    ]
    for same in (
        audit(Answer, json.dumps(DATA), context=_context()),
        audit(Answer, json.dumps(DATA).encode(), context=_context()),
        audit(Answer, verify(Answer, DATA, context=_context()), context=_context()),
        copy.deepcopy(report),
        pickle.loads(pickle.dumps(report)),  # noqa: S301 # its own
    ):
        quotes = [cited.quote for cited in same.citations()]
        assert quotes == [cited.quote for cited in report.citations()]


def test_of_a_faulty_answer_an_audit_cites_what_holds() -> None:
    faulty = {**DATA, "answer": "It is blue."}
    faulty["facts"] = [{**DATA["facts"][0], "statement": "It is not so."}]
    report = audit(Answer, faulty, context=_context())
    assert not report.ok
    assert [_told(cited)[:2] for cited in report.citations()] == [
        ("facts.0.quote", "tower was built in 1889"),
        ("facts.0.other", "tall and grey"),
        ("more.1", "It is tall"),
    ]


def test_what_is_only_not_refuted_is_not_cited() -> None:
    class Lenient(Grounded):
        text: Annotated[str, Entailed(allow_neutral=True)]

    context = _context(lambda _: NEUTRAL)
    report = audit(Lenient, {"text": "It may rain."}, context=context)
    assert report.ok
    assert report.citations() == ()


def test_each_sentence_and_figure_of_a_text_is_cited() -> None:
    class Free(Grounded):
        text: Annotated[str, Entailed(), Figures()]

    data = {"text": "The tower was built in 1889. The tower is tall and grey."}
    report = audit(Free, data, context=_context(lambda _: ENTAILED))
    assert {(cited.field, cited.statement) for cited in report.citations()} == {
        ("text", "The tower was built in 1889."),
        ("text", "The tower is tall and grey."),
        ("text", "1889"),
    }
    assert cited_statements(report.value) == ()  # the value itself has no spans


def test_several_quotes_prove_a_statement_and_one_several() -> None:
    class Several(Grounded):
        quotes: list[Quote]
        statements: list[Annotated[str, Entailed(by="quotes")]]

    data = {"quotes": ["It is tall", "tall and grey"], "statements": ["tall and", "and grey"]}
    value = verify(Several, data, context=_context())
    assert [_told(cited) for cited in cited_statements(value)] == [
        ("statements.0", "tall and", 0, 10, 1),
        ("statements.0", "tall and", 47, 60, 2),
        ("statements.1", "and grey", 0, 10, 1),
        ("statements.1", "and grey", 47, 60, 2),
    ]
    # The audit knows which of them decided.
    assert [_told(cited) for cited in audit(Several, data, context=_context()).citations()] == [
        ("quotes.0", "It is tall", 0, 10, 1),
        ("statements.0", "tall and", 47, 60, 2),
        ("statements.1", "and grey", 47, 60, 2),
    ]


def test_a_reference_with_the_name_of_a_field_is_told_from_the_field() -> None:
    class Named(Grounded):
        quote: Quote
        text: Annotated[str, Entailed()]

    references = {"quote": TEXT}
    context = _context(references=references)
    data = {"quote": "It is tall", "text": "The tower was built in 1889."}
    cited = audit(Named, data, context=context).citations()
    assert [(each.field, each.span.reference) for each in cited] == [
        ("quote", "quote"),
        ("text", "quote"),
    ]


def test_stored_quotes_are_cited_like_given_ones() -> None:
    value = verify(Answer, DATA, context=_context())
    stored = value.model_dump()
    assert stored["facts"][0]["other"]["start"] == 47
    report = audit(Answer, stored, context=_context())
    assert "facts.0.other" in [cited.field for cited in report.citations()]


class Circle(BaseModel):
    """A branch of a union."""

    kind: Literal["circle"] = "circle"
    quote: Quote
    statement: Annotated[str, Entailed(by="quote")]


class Square(BaseModel):
    """Another branch."""

    kind: Literal["square"] = "square"
    quote: Quote


def test_branches_of_unions_are_cited() -> None:
    class Shapes(Grounded):
        shapes: list[Annotated[Circle | Square, Field(discriminator="kind")]]

    circle = {"kind": "circle", "quote": "It is tall", "statement": "It is tall"}
    data = {"shapes": [circle, {"kind": "square", "quote": "tall and grey"}]}
    report = audit(Shapes, data, context=_context())
    statements = [("It is tall", "It is tall"), ("tall and grey", "tall and grey")]
    assert [(cited.statement, cited.quote) for cited in report.citations()] == statements
    assert [
        (cited.statement, cited.quote) for cited in cited_statements(report.value)
    ] == statements


def test_containers_of_every_kind_are_read() -> None:
    class Quotes(RootModel[dict[str, tuple[Quote, ...]]]):
        """Nothing but quotes."""

    class Open(Grounded):
        model_config = {"extra": "allow"}

        by_name: Quotes
        __pydantic_extra__: dict[str, list[Quote]]

    data = {"by_name": {"a": ["It is tall"]}, "b": ["tall and grey"]}
    value = verify(Open, data, context=_context())
    assert [cited.field for cited in cited_statements(value)] == ["by_name.a.0", "b.0"]
    assert [cited.field for cited in cited_statements([value, {"x": value}])] == [
        "0.by_name.a.0",
        "0.b.0",
        "1.x.by_name.a.0",
        "1.x.b.0",
    ]


@pytest.mark.parametrize(
    "nothing",
    [None, "It is tall", 5, [], {}, object(), Answer],
    ids=lambda value: type(value).__name__,
)
def test_what_holds_no_quote_cites_nothing(nothing: object) -> None:
    assert cited_statements(nothing) == ()


def test_an_answer_that_contains_itself_is_read_once() -> None:
    value: list[Any] = [verify(Quoting, {"quote": "It is tall"}, context=_context())]
    value.append(value)
    assert [cited.field for cited in cited_statements(value)] == ["0.quote"]
    deep: Any = value[0]
    for _ in range(5_000):
        deep = [deep]
    assert cited_statements(deep) == ()


class Quoting(Grounded):
    """One quote."""

    quote: Quote


def test_a_field_may_be_called_citations() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")

        class Own(Grounded):
            citations: list[Quote] = []

    own = verify(Own, {"citations": ["It is tall"]}, context=_context())
    assert own.citations == ["It is tall"]
    assert [cited.field for cited in cited_statements(own)] == ["citations.0"]
    cited = verify(
        CitedAnswer,
        {"answer": "x", "citations": [{"statement": "s", "quote": "It is tall"}]},
        context=_context(),
    )
    assert [each.field for each in cited_statements(cited)] == ["citations.0.quote"]


def test_without_references_or_pages_there_are_none() -> None:
    assert audit(BaseModel, {}).citations() == ()
    plain = audit(Quoting, {"quote": "It is tall"}, context={"references": TEXT})
    (cited,) = plain.citations()
    assert (cited.page, cited.span) == (None, Span("0", 0, 10))


def test_a_citation_is_plain_data() -> None:
    value = verify(Quoting, {"quote": "It is tall"}, context=_context())
    (cited,) = cited_statements(value)
    assert json.loads(json.dumps(dataclasses.asdict(cited))) == {
        "field": "quote",
        "statement": "It is tall",
        "span": {"reference": "book", "start": 0, "end": 10, "page": 1, "place": None},
        "page": 1,
        "quote": "It is tall",
        "loc": ["quote"],
    }
    assert "tower.pdf" not in repr(cited)
