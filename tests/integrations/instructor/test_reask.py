"""A bad quote is sent back with the closest true passage; a good one comes out with its span."""

import json
from collections.abc import Sequence
from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from instructor.core.exceptions import InstructorRetryException
from pydantic import BaseModel, Field, ValidationError

from groundtypes import Grounded, Quote, Quoted, QuotedText, Span
from tests.integrations.instructor.clients import (
    BAD,
    CONTEXT,
    FOUND,
    GOOD,
    MODES,
    TOWER,
    Answer,
    ask,
)
from tests.scripted_openai import Say, ScriptedOpenAI


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize("mode", MODES)
def test_a_bad_quote_is_sent_back_and_a_good_one_has_its_span(
    server: ScriptedOpenAI, mode: str, asynchronous: bool
) -> None:
    fenced = mode == "MD_JSON"
    server.script(Say(BAD, fenced=fenced), Say(GOOD, fenced=fenced))
    answer = ask(server, Answer, mode, asynchronous=asynchronous)
    assert len(server.requests) == 2
    sent = server.sent_back()
    assert "type=quote_altered" in sent
    assert "reference tower" in sent
    assert FOUND in sent
    assert answer.quote == FOUND
    assert isinstance(answer.quote, QuotedText)
    assert answer.quote.span == Span("tower", 0, len(FOUND))


@pytest.mark.parametrize("mode", MODES)
def test_the_schema_tells_the_rule(server: ScriptedOpenAI, mode: str) -> None:
    server.script(Say(GOOD, fenced=mode == "MD_JSON"))
    ask(server, Answer, mode)
    assert "Copy this word for word from one of the references." in json.dumps(server.requests[0])


@pytest.mark.parametrize(
    "references",
    [
        TOWER,
        [TOWER],
        {"tower": TOWER},
        [{"id": "tower", "text": TOWER}],
        [{"page_content": TOWER, "metadata": {"source": "a book"}}],
    ],
    ids=["a text", "a list of texts", "a mapping", "documents", "documents of a pipeline"],
)
def test_references_come_in_plain_shapes(server: ScriptedOpenAI, references: Any) -> None:
    server.script(Say(GOOD))
    answer = ask(server, Answer, context={"references": references})
    assert answer.quote == FOUND


def test_references_that_the_template_shows_are_sent_as_they_are(server: ScriptedOpenAI) -> None:
    shown = "{% for id, text in references.items() %}[{{ id }}] {{ text }}\n{% endfor %}When?"
    server.script(Say(GOOD))
    ask(server, Answer, messages=[{"role": "user", "content": shown}])
    sent = server.requests[0]["messages"][-1]["content"]
    for id_, text in CONTEXT["references"].items():
        assert f"[{id_}] {text}" in sent


class Kind(Enum):
    TOWER = "tower"
    BRIDGE = "bridge"


class Fact(BaseModel):
    kind: Literal["fact"]
    quote: Quote


class Opinion(BaseModel):
    kind: Literal["opinion"]
    text: str


class Report(Grounded):
    day: date
    building: Kind
    pair: tuple[int, str]
    names: set[str] = set()
    parts: list[Annotated[Fact | Opinion, Field(discriminator="kind")]]


REPORT: dict[str, Any] = {
    "day": "1889-03-31",
    "building": "tower",
    "pair": [330, "metres"],
    "names": ["Eiffel"],
    "parts": [{"kind": "opinion", "text": "High."}, {"kind": "fact", "quote": FOUND}],
}


@pytest.mark.parametrize("mode", MODES)
def test_dates_enums_and_tuples_are_read_although_instructor_parses_strictly(
    server: ScriptedOpenAI, mode: str
) -> None:
    server.script(Say(REPORT, fenced=mode == "MD_JSON"))
    report = ask(server, Report, mode)
    assert report.day == date(1889, 3, 31)
    assert report.building is Kind.TOWER
    assert report.pair == (330, "metres")
    assert isinstance(report.parts[1], Fact)
    assert report.parts[1].quote.span.reference == "tower"


def test_strict_parsing_stays_strict(server: ScriptedOpenAI) -> None:
    server.script(Say(GOOD | {"year": "1889"}), Say(GOOD))
    assert ask(server, Answer).year == 1889
    assert "type=int_type" in server.sent_back()


def test_all_faults_structural_ones_too_are_in_one_reask(server: ScriptedOpenAI) -> None:
    faulty = REPORT | {
        "day": "yesterday",
        "building": "castle",
        "parts": [{"kind": "fact", "quote": BAD["quote"]}, {"kind": "fact", "quote": "x"}, {}],
    }
    server.script(Say(faulty), Say(REPORT))
    ask(server, Report)
    sent = server.sent_back()
    for place in ("day", "building", "parts.0.fact.quote", "parts.1.fact.quote", "parts.2"):
        assert f"\n{place}\n" in sent


def test_an_answer_that_stays_faulty_ends_with_all_attempts(server: ScriptedOpenAI) -> None:
    server.script(*[Say(BAD)] * 3)
    with pytest.raises(InstructorRetryException) as raised:
        ask(server, Answer, max_retries=2)
    attempts = raised.value.failed_attempts or []
    assert len(attempts) == 3
    for attempt in attempts:
        assert isinstance(attempt.exception, ValidationError)
        (fault,) = attempt.exception.errors()
        assert (fault["type"], fault["loc"]) == ("quote_altered", ("quote",))
        assert fault["ctx"]["reference"] == "tower"


def test_items_that_drop_cost_no_reask(server: ScriptedOpenAI) -> None:
    class Answers(Grounded):
        quotes: list[Annotated[str, Quoted(on_fault="drop")]]

    server.script(Say({"quotes": [GOOD["quote"], BAD["quote"]]}))
    answers = ask(server, Answers)
    assert answers.quotes == [FOUND]


def test_a_plain_model_is_judged_as_well(server: ScriptedOpenAI) -> None:
    class Plain(BaseModel):
        quotes: Sequence[Quote]

    server.script(Say({"quotes": [BAD["quote"]]}), Say({"quotes": [GOOD["quote"]]}))
    plain = ask(server, Plain)
    assert plain.quotes[0].span == Span("tower", 0, len(FOUND))
    assert "type=quote_altered" in server.sent_back()
