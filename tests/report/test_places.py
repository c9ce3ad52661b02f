"""Verdicts know the part of the answer that they judged, and the words that they stand on."""

from typing import Annotated, Any

import pytest
from pydantic import BaseModel

from groundtypes import Cited, Entailed, Figures, Grounded, Judges, Quote, Quoted, audit
from groundtypes.report import Report
from groundtypes.scoring import Label
from tests.checks import ScriptedNLI
from tests.report.pages import (
    REFERENCES,
    TOWER,
    Page,
    fault,
    only,
    row,
    span,
)

CONTEXT: dict[str, Any] = {"references": REFERENCES, "judges": Judges(nli=ScriptedNLI())}


def _places(found: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [
        (one["check"], one.get("about"), one.get("points_at"))
        for one in found["answer"]["verdicts"]
    ]


def test_each_sentence_that_was_judged_is_a_part_of_its_field() -> None:
    class Answer(Grounded):
        answer: Annotated[str, Entailed()]

    text = "# Tower\nThe tower was finished in 1889.  It is 330 metres tall."
    result = audit(Answer, {"answer": text}, context=CONTEXT)
    found = only(result.to_row())
    abouts = [about for _, about, _ in _places(found)]
    assert abouts == ["The tower was finished in 1889.", "It is 330 metres tall."]
    assert all(points_at is not None for *_, points_at in _places(found))


def test_each_sentence_with_its_markers_leads_to_what_it_cites() -> None:
    class Answer(Grounded):
        answer: Annotated[str, Cited()]

    text = "It is 330 metres tall. [1] Nobody knows who painted it [1]. It is 330 metres tall. [9]"
    found = only(audit(Answer, {"answer": text}, context=CONTEXT).to_row())
    assert _places(found) == [
        ("Cited", "It is 330 metres tall. [1]", ("tower", "It is 330 metres tall.")),
        ("Cited", "Nobody knows who painted it [1].", ("tower", "The tower was finished in 1889.")),
        ("Cited", "It is 330 metres tall. [9]", None),
    ]


def test_each_figure_that_was_judged_is_a_part_of_its_field() -> None:
    class Answer(Grounded):
        answer: Annotated[str, Figures()]

    text = "It was finished in 1889, is 330 m tall, and 7,000 people climb it."
    found = only(audit(Answer, {"answer": text}, context=CONTEXT).to_row())
    assert _places(found) == [
        ("Figures", "1889", ("tower", "1889")),
        ("Figures", "330 m", ("tower", "330 metres")),
        ("Figures", "7,000", None),
    ]


def test_evidence_may_stand_in_a_field_beside() -> None:
    class Fact(BaseModel):
        quote: Quote
        statement: Annotated[str, Entailed(by="quote")]

    class Answer(Grounded):
        facts: list[Fact]

    fact = {"quote": "The tower was finished in 1889", "statement": "It was finished in 1889."}
    found = only(audit(Answer, {"facts": [fact]}, context=CONTEXT).to_row())
    assert _places(found)[1] == (
        "Entailed",
        "It was finished in 1889.",
        ("facts.0.quote", fact["quote"]),
    )


def test_offsets_count_as_the_page_counts() -> None:
    text = "🗼🗼 The tower 🗼 was finished in 1889."
    references = {"r": "🌲🌲🌲 finished in 1889 🌲"}
    place = {"reference": "r", "start": 4, "end": 20}
    bad = fault(
        ("answer",), "contradicted", "Entailed", label=Label.CONTRADICTION.value, span=place
    )
    found = only(row({"answer": text}, [bad], references=references))
    assert _places(found) == [("Entailed", text, ("r", "finished in 1889"))]


def test_a_fault_sets_what_was_claimed_beside_the_true_passage() -> None:
    bad = fault(("quote",), "quote_altered", span=span("was finished in 1889"))
    found = only(row({"quote": "was finished in 1899"}, [bad]))
    (one,) = found["answer"]["verdicts"]
    assert one["claimed"] == [["was finished in ", False], ["1899", True]]
    assert one["passage"] == [["was finished in ", False], ["1889", True]]
    assert one["message"] == "Mend this: quote_altered."


def test_a_quote_that_was_spelled_anew_shows_how_it_was_given() -> None:
    class Answer(Grounded):
        quote: Quote

    found = only(audit(Answer, {"quote": "The TOWER was  finished"}, context=CONTEXT).to_row())
    attempt = found["answer"]
    assert attempt["fields"][0]["text"] == "The tower was finished"
    (one,) = attempt["verdicts"]
    assert "".join(text for text, _ in one["claimed"]) == "The TOWER was  finished"
    assert "".join(text for text, _ in one["passage"]) == "The tower was finished"


def test_a_place_that_holds_other_fields_has_its_verdicts_before_them() -> None:
    bad = fault(("facts",), "too_long", "schema")
    found = only(row({"title": "t", "facts": [{"a": "x"}, {"a": "y"}]}, [bad]))
    attempt = found["answer"]
    paths = [(field.get("path"), field.get("text")) for field in attempt["fields"]]
    assert paths == [
        ("title", "t"),
        ("facts", None),
        ("facts.0.a", "x"),
        ("facts.1.a", "y"),
    ]
    assert attempt["verdicts"][0]["field"] == 1


def test_dropped_items_are_shown_in_the_answer_as_it_was_given() -> None:
    class Answer(Grounded):
        quotes: list[Annotated[str, Quoted(on_fault="drop")]]

    given = {"quotes": ["Nobody ever climbs it", "finished in 1889"]}
    found = only(audit(Answer, given, context=CONTEXT).to_row())
    attempt = found["answer"]
    assert found["state"] == "ok"
    assert [field["text"] for field in attempt["fields"]] == given["quotes"]
    assert attempt["verdicts"][0]["dropped"] and attempt["verdicts"][0]["field"] == 0


def test_the_reference_of_an_audit_is_on_its_page() -> None:
    class Answer(Grounded):
        quote: Quote

    result = audit(Answer, {"quote": "1889"}, context={**CONTEXT, "question": "When?"})
    data = Page(Report([result]).to_html()).data
    assert TOWER in data["texts"]
    assert data["rows"][0]["question"] == "When?"


@pytest.mark.parametrize(
    ("slug", "label"), [("not_entailed", "neutral"), ("citation_unsupported", "unsupported")]
)
def test_the_passage_of_an_entailment_or_citation_is_shown_without_a_diff_of_words(
    slug: str, label: str
) -> None:
    found = fault(("a",), slug, "Check", label=label, span=span("finished in 1889"))
    one = Page(Report([row({"a": "It was built in 1900."}, [found])]).to_html()).data["rows"][0]
    (shown,) = one["answer"]["verdicts"]
    assert shown["claimed"] == [["It was built in 1900.", False]]
    assert shown["passage"] == [["finished in 1889", False]]
