"""Rows of every form that the package writes become answers of the page."""

import base64
import json
from typing import Any

import pytest

from groundtypes.report import Report
from tests.report.pages import REFERENCES, TOWER, fault, only, page, row, span, verdict

ANSWER = {"answer": "Old.", "citations": [{"quote": "finished in 1889"}]}
LOC = ("citations", 0, "quote")
HOLDS = verdict(LOC, label="exact", span=span("finished in 1889"))


FORMS: dict[str, dict[str, Any]] = {
    "an audit's row": row(ANSWER, [HOLDS]),
    "an audit's row with the answer as JSON text": {
        **row(ANSWER, [HOLDS]),
        "value": None,
        "answer": json.dumps(ANSWER),
    },
    "an audit's row without the answer as given": {
        "ok": True,
        "value": ANSWER,
        "verdicts": [HOLDS],
        "references": REFERENCES,
    },
    "a line of the command, the answer under a key": {
        "line": 3,
        "row": {"references": REFERENCES, "answer": ANSWER},
        "verdicts": [HOLDS],
    },
    "a line of the command, the answer under a key as text": {
        "line": 3,
        "row": {"references": REFERENCES, "answer": json.dumps(ANSWER)},
        "verdicts": [HOLDS],
    },
    "a line of the command, the answer as the rest of the row": {
        "line": 3,
        "row": {"context": REFERENCES, **ANSWER},
        "verdicts": [HOLDS],
    },
    "a line of the command, as Ragas names its parts": {
        "line": 3,
        "row": {
            "user_input": "How old?",
            "retrieved_contexts": REFERENCES,
            "response": ANSWER["answer"],
            "citations": ANSWER["citations"],
            "reference": "Older.",
        },
        "verdicts": [HOLDS],
    },
    "references under their older key": {
        "ok": True,
        "value": ANSWER,
        "verdicts": [HOLDS],
        "text_chunks": REFERENCES,
    },
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_row_of_any_form_shows_its_answer_beside_its_references(form: dict[str, Any]) -> None:
    found = only(form)
    attempt = found["answer"]
    texts = {field["path"]: field["text"] for field in attempt["fields"]}
    assert texts == {"answer": "Old.", "citations.0.quote": "finished in 1889"}
    assert [entry[0] for entry in found["references"]] == ["tower", "other"]
    (one,) = attempt["verdicts"]
    assert attempt["fields"][one["field"]]["path"] == "citations.0.quote"
    assert one["points_at"] == ("tower", "finished in 1889")
    assert found["state"] == "ok"


def test_a_row_without_verdicts_is_unjudged() -> None:
    found = only({"id": 5, "references": REFERENCES, "question": "How old?", **ANSWER})
    assert (found["id"], found["state"], found["question"]) == ("5", "unjudged", "How old?")
    assert "verdicts" not in found["answer"]


def test_a_row_without_verdicts_and_with_two_contexts_is_broken() -> None:
    found = only({"contexts": REFERENCES, "context": ["other"], "answer": ANSWER})
    assert found["state"] == "broken"
    assert "'context' and 'contexts'" in found["error"]


UNJUDGED: dict[str, dict[str, Any]] = {
    "a raw row": {"references": REFERENCES, "answer": ANSWER},
    "a raw row of plain text": {"references": "x", "answer": "plain text"},
    "a raw row without references": {"answer": {"answer": "x"}},
    "a raw row that calls itself ok": {"references": "x", "answer": ANSWER, "ok": True},
    "a value without verdicts": {"references": REFERENCES, "value": ANSWER},
    "nothing": {},
}


@pytest.mark.parametrize("data", UNJUDGED.values(), ids=UNJUDGED)
def test_what_no_check_has_seen_is_never_ok(data: dict[str, Any]) -> None:
    report = Report([data, row(ANSWER, [HOLDS])])
    assert report.summary.states == {"unjudged": 1, "ok": 1}
    shown = page(data)
    assert shown.data["rows"][0]["state"] == "unjudged"
    assert shown.data["rows"][0]["answer"]["unjudged"] is True
    assert "1 unjudged" in report._repr_html_()


def test_a_model_without_checks_is_judged() -> None:
    found = only({"ok": True, "value": ANSWER, "verdicts": [], "references": REFERENCES})
    assert found["state"] == "ok"


def test_an_answer_is_read_where_its_verdicts_have_their_places() -> None:
    both = {"references": REFERENCES, "answer": {"note": "n"}, "findings": [{"quote": "1889"}]}
    found = only({"line": 1, "row": both, "verdicts": [verdict(("findings", 0, "quote"))]})
    attempt = found["answer"]
    assert attempt["fields"][attempt["verdicts"][0]["field"]]["path"] == "findings.0.quote"


BROKEN: dict[str, Any] = {
    "a line that is no row": {"line": 4, "raw": "{oops", "verdicts": [], "error": "not JSON"},
    "a line that is no text": {
        "line": 4,
        "raw_base64": base64.b64encode(b"\xff").decode(),
        "error": "not UTF-8",
    },
    "no object": ["a", "list"],
    "verdicts that are no list": {"value": {}, "verdicts": "none", "references": []},
    "a verdict that is no object": {"value": {}, "verdicts": [3], "references": []},
    "references of no shape": {"value": {}, "verdicts": [], "references": 3},
    "two references of one id": {
        "value": {},
        "verdicts": [],
        "references": [{"id": "a", "text": "x"}, {"id": "a", "text": "y"}],
    },
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_what_cannot_be_read_is_shown_as_broken_with_its_reason(data: Any) -> None:
    report = Report([data, row(ANSWER, [HOLDS])])
    assert report.summary.states == {"broken": 1, "ok": 1}
    (found, _) = page(data, row(ANSWER, [HOLDS])).data["rows"]
    assert found["state"] == "broken" and found["error"]


def test_a_row_that_calls_itself_ok_beside_a_fault_is_faulty() -> None:
    """Unless the fault is that of an item that was dropped."""
    bad = fault(LOC, "quote_altered")
    assert only({**row(ANSWER, [HOLDS, bad]), "ok": True})["state"] == "faulty"
    assert only({**row(ANSWER, [HOLDS, {**bad, "dropped": True}]), "ok": True})["state"] == "ok"


def _nested(depth: int) -> Any:
    value: Any = {(1, 2): "a key that JSON does not have"}
    for _ in range(depth):
        value = [value]
    return value


def _circular() -> Any:
    value: list[Any] = []
    value.append(value)
    return value


@pytest.mark.parametrize("value", [_nested(100), _nested(50_000), _circular()], ids=["a", "b", "c"])
def test_what_json_cannot_hold_is_shown_by_its_type(value: Any) -> None:
    [found] = page({"value": {"note": value}, "verdicts": [], "id": "x"}).data["rows"]
    assert found["state"] == "ok"
    assert found["answer"]["fields"][0]["text"] == "(list)"


ODD: dict[str, Any] = {
    "nothing": {},
    "no fields that are known": {"surprise": 1},
    "types that are wrong": {
        "check": 3,
        "ok": "yes",
        "loc": "answer",
        "slug": ["s"],
        "message": {"a": 1},
        "label": 4.5,
        "score": "high",
        "threshold": True,
        "span": {"reference": 1, "start": "0", "end": None},
        "seconds": "long",
    },
    "a span outside of its reference": {"span": {"reference": "tower", "start": 900, "end": 950}},
    "a span that runs backwards": {"span": {"reference": "tower", "start": 9, "end": 3}},
    "a span of a reference that is not there": {"span": {"reference": "x", "start": 0, "end": 3}},
    "a score that is none": {"score": float("nan"), "seconds": float("inf")},
    "a place that is not there": {"loc": ["answer", 9, {"a": 1}, None, -1, "x"]},
}


@pytest.mark.parametrize("one", ODD.values(), ids=ODD)
def test_an_odd_verdict_is_shown_as_far_as_it_can_be_read(one: Any) -> None:
    found = only({**row(ANSWER), "verdicts": [one]})
    (shown,) = found["answer"]["verdicts"]
    assert "evidence" not in shown


@pytest.mark.parametrize(
    ("more", "state"),
    [
        ({}, "review"),
        ({"ok": False}, "review"),
        ({"decision": "accept"}, "ok"),
        ({"decision": ["review"]}, "ok"),
        ({"judged": False, "error": "no engine"}, "unjudged"),
        ({"error": "no JSON"}, "faulty"),
    ],
    ids=str,
)
def test_a_row_that_a_person_should_look_at_has_a_state_of_its_own(
    more: dict[str, Any], state: str
) -> None:
    doubt = {"check": "Entailed", "ok": True, "loc": ["text"], "decision": "review"}
    shown = {"verdicts": [doubt], "decision": "review", "row": {"answer": {"text": "It."}}, **more}
    report = Report([shown])
    assert report.summary.states == {state: 1}
    # A field of the answer with this name is no decision.
    own = {"decision": "review", "text": "It.", "references": "It."}
    assert Report([own]).summary.states == {"unjudged": 1}


def test_the_fields_of_an_answer_are_bounded() -> None:
    found = only(row({"items": ["x"] * 5_000, "long": "y" * 200_000}))
    assert len(found["answer"]["fields"]) == 1_000 and found["answer"]["cut"]
    found = only(row({"long": "y" * 200_000}))
    (field,) = found["answer"]["fields"]
    assert (len(field["text"]), field["cut"]) == (50_000, 150_000)


def test_of_too_many_verdicts_the_faults_are_shown_and_all_are_counted() -> None:
    verdicts = [verdict(("a",))] * 3_000 + [fault(("a",), "quote_altered")]
    data = {"line": 1, "row": {"references": REFERENCES, "a": "x"}, "verdicts": verdicts}
    attempt = only(data)["answer"]
    assert (len(attempt["verdicts"]), attempt["unshown"]) == (1_000, 2_001)
    assert attempt["verdicts"][-1]["slug"] == "quote_altered"
    summary = Report([data]).summary
    assert (summary.states["faulty"], summary.verdicts) == (1, 3_001)


def test_of_a_long_reference_only_what_is_pointed_at_is_on_the_page() -> None:
    text = "🌲" + "filler " * 50_000 + TOWER + " filler" * 50_000
    start = text.index("finished in 1889")
    place = {"reference": "long", "start": start, "end": start + len("finished in 1889")}
    found = page(
        row(
            {"quote": "finished in 1889"},
            [verdict(("quote",), span=place)],
            references={"long": text, "other": text},
        )
    )
    assert sum(map(len, found.data["texts"])) < 20_000
    answer = only(row({"quote": "q"}, [verdict(("quote",), span=place)], references={"long": text}))
    (one,) = answer["answer"]["verdicts"]
    assert one["points_at"] == ("long", "finished in 1889")


def test_a_reference_that_many_answers_share_is_on_the_page_once() -> None:
    data = page(*(row({"n": number}) for number in range(50))).data
    assert len(data["rows"]) == 50
    assert data["texts"] == list(REFERENCES.values())


def test_faults_decide_unless_the_row_says_so_itself() -> None:
    bad = fault(("a",), "quote_altered")
    rows: list[dict[str, Any]] = [
        {"value": {"a": "x"}, "verdicts": [bad], "references": []},
        {"value": {"a": "x"}, "verdicts": [{**bad, "dropped": True}], "references": []},
        {"ok": False, "value": None, "verdicts": [], "references": []},
        {"value": {"a": "x"}, "verdicts": [], "references": [], "error": "cannot be written"},
    ]
    states = [found["state"] for found in page(*rows).data["rows"]]
    assert states == ["faulty", "ok", "faulty", "faulty"]
