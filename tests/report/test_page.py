"""The page is one file that nothing from a row can get out of, and its summary needs no script."""

import base64
import hashlib
import json
import pickle
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtypes import Audit, Grounded, Quote, Quoted, audit
from groundtypes.report import Report
from groundtypes.report.word_diff import word_diff
from tests.report.pages import REFERENCES, Page, fault, page, row, span, verdict

HOSTILE = (
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "</title><img src=x onerror=alert(1)>",
    "&lt;b&gt; &amp;",
    "a\u2028b\u2029c",
    "nul \x00 bell \x07 \x1b[31m",
    "\u202egnirts\u202c \u2066x\u2069",
    "lone \ud800 and \udfff",
    "]]> ${x} `${y}` {{z}} $title $data",
    "'\"><svg/onload=alert(1)>",
)


class Answer(Grounded):
    quote: Quote


def _hostile_row(text: str) -> dict[str, Any]:
    bad = fault([text], text, text, label=text, message=text, reason=text)
    place = {"reference": text, "start": 0, "end": len(text)}
    return row(
        {text: text, "list": [text]},
        [{**bad, "span": place}, verdict(("list", 0), text)],
        id=text,
        question=text,
        error=text,
        references={text: text},
    )


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_hostile_text_stays_text(text: str) -> None:
    found = page(_hostile_row(text), title=text)
    ours = page(title="t")
    assert found.elements["script"][2:] == ours.elements["script"][2:]
    assert found.elements["style"] == ours.elements["style"]
    assert found.outside == []
    table = {"b", "button", "caption", "rect", "svg", "table", "tbody", "td", "th", "thead", "tr"}
    assert set(found.tags) - set(ours.tags) <= {*table, "small"}
    assert found.data["rows"][0]["question"] == text
    assert found.data["texts"] == [text]


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_comes_out_of_the_page_as_it_went_in(text: str) -> None:
    found = page(row({"a": text}, references={"r": text}), title=text)
    assert found.data["rows"][0]["answer"]["fields"][0]["text"] == text
    assert found.data["texts"] == [text]
    Report([row({"a": text})], title=text).to_html().encode()


def test_the_policy_lets_the_pages_own_script_and_style_through_and_nothing_else() -> None:
    found = page(*map(_hostile_row, HOSTILE))

    def digest(text: str) -> str:
        return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

    (style,) = found.elements["style"]
    *_, script = found.elements["script"]
    assert found.policy == {
        "default-src": "'none'",
        "script-src": f"'sha256-{digest(script)}'",
        "style-src": f"'sha256-{digest(style)}'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }
    # The policy holds from where it stands: nothing comes before it but the encoding.
    assert [next(iter(meta)) for meta in found.metas][:2] == ["charset", "http-equiv"]


def test_the_page_asks_no_network_for_anything() -> None:
    text = Report([row({"a": "x"})]).to_html()
    assert page(row({"a": "x"})).outside == []
    assert not re.findall(r"(?:https?:)?//[\w.]+\.\w+|@import|url\(", text)


def test_the_script_reads_nothing_as_html() -> None:
    *_, script = page().elements["script"]
    sinks = "innerHTML|outerHTML|insertAdjacentHTML|document.write|eval|Function|srcdoc|cssText"
    assert not re.findall(rf"\b(?:{sinks})\b", script)


def test_the_summary_counts_what_was_found() -> None:
    good = verdict(("quote",), label="exact")
    bad = fault(("quotes", 3), "quote_altered")
    rows: list[Any] = [row({"quote": "x"}, [good]), row({"quotes": "y"}, [bad]), ["bad"]]
    rows.append(row({"quote": "z"}, [good]))
    summary = Report(rows).summary
    assert summary.states == {"ok": 2, "faulty": 1, "broken": 1}
    assert (summary.rows, summary.verdicts) == (4, 3)
    (outcomes,) = summary.outcomes.values()
    assert {(one.ok, one.name): count for one, count in outcomes.items()} == {
        (True, "exact"): 2,
        (False, "quote_altered"): 1,
    }
    assert summary.faults_by_field == {"quotes.*": 1}
    assert summary.verdicts_by_field == {"quotes.*": 1, "quote": 2}
    text = Report(rows).to_html()
    for shown in ("66.7%", "quote_altered", "quotes.*"):
        assert shown in text


def test_what_is_over_the_limit_is_counted_and_the_page_says_so() -> None:
    report = Report((row({"n": n}) for n in range(30)), limit=20)
    assert (report.summary.rows, report.summary.shown) == (30, 20)
    text = report.to_html()
    assert len(Page(text).data["rows"]) == 20
    assert "the first 20 of them" in text


def test_names_beyond_all_reason_are_counted_together() -> None:
    rows = [row({"a": "x"}, [fault((f"f{n}",), f"s{n}", f"c{n}")]) for n in range(900)]
    summary = Report(rows).summary
    assert len(summary.outcomes) == len(summary.verdicts_by_field) == 201
    assert len(Report(rows).to_html()) < 2_000_000


def test_no_rows_make_a_page_too() -> None:
    found = page()
    assert found.data == {"texts": [], "rows": []}


def test_an_audit_becomes_a_page_of_its_own() -> None:
    result = audit(Answer, {"quote": "finished in 1889"}, context={"references": REFERENCES})
    found = Page(result.to_html(title="One answer"))
    assert found.elements["title"] == ["One answer"]
    assert len(found.data["rows"]) == 1


class _Frame(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.frames: list[dict[str, str | None]] = []
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "iframe":
            self.frames.append(dict(attrs))


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_in_a_notebook_the_page_is_in_a_frame_without_an_origin(text: str) -> None:
    report = Report([_hostile_row(text)], title=text)
    shown = _Frame(report._repr_html_())
    assert shown.tags == ["p", "iframe"]
    (frame,) = shown.frames
    assert frame["sandbox"] == "allow-scripts"
    assert frame["srcdoc"] == report.to_html()


def test_of_a_large_report_a_notebook_keeps_the_summary_only() -> None:
    report = Report(row({"n": str(n)}) for n in range(501))
    (frame,) = _Frame(report._repr_html_()).frames
    found = Page(frame["srcdoc"] or "")
    assert found.data["rows"] == []
    assert "501 answers" in (frame["srcdoc"] or "")
    assert len(Page(report.to_html()).data["rows"]) == 501


def test_an_audit_shows_itself_in_a_notebook() -> None:
    result = audit(Answer, {"quote": "no such words"}, context={"references": REFERENCES})
    assert 'sandbox="allow-scripts"' in result._repr_html_()


def test_an_audit_keeps_what_was_judged_and_compares_without_it() -> None:
    class Cited(Grounded):
        quotes: list[Annotated[str, Quoted(on_fault="drop")]]

    data = {"quotes": ["finished in 1889", "no such words"]}
    result = audit(Cited, data, context={"references": REFERENCES, "question": "When?"})
    assert result.given == data and result.value is not None
    assert result.references is not None and result.references.ids == ("tower", "other")
    assert result.question == "When?"
    assert result == Audit(result.value, result.verdicts, result.error)
    assert pickle.loads(pickle.dumps(result.references)) == result.references  # noqa: S301 # our own bytes
    row_data = result.to_row()
    assert json.loads(json.dumps(row_data)) == row_data
    assert {key: row_data[key] for key in ("answer", "references", "question")} == {
        "answer": data,
        "references": REFERENCES,
        "question": "When?",
    }
    assert row_data.items() >= result.to_dict().items()


GIVEN: dict[str, Any] = {
    "JSON text": '{"quote": "finished in 1889"}',
    "JSON bytes": b'{"quote": "finished in 1889"}',
    "bytes that are no text": b'{"quote": "\xff"}',
    "bytes that are no text inside": {"quote": b"\xff"},
    "a set": {"quote": {1}},
    "an object": {"quote": object()},
    "no answer at all": None,
}


@pytest.mark.parametrize("data", GIVEN.values(), ids=GIVEN)
def test_whatever_was_judged_has_a_page(data: Any) -> None:
    result = audit(Answer, data, context={"references": REFERENCES})
    json.dumps(result.to_row())
    assert len(Page(result.to_html()).data["rows"]) == 1


def test_a_page_is_saved_as_one_file(tmp_path: Path) -> None:
    report = Report([row({"a": "ä\r\n"}, references=REFERENCES)])
    report.save(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_bytes() == report.to_html().encode()


def test_pages_of_the_same_rows_are_the_same() -> None:
    rows = [row({"quote": "x"}, [fault(("quote",), "quote_altered", span=span("tower"))])]
    assert Report(rows).to_html() == Report(rows).to_html()


@given(st.text(max_size=200), st.text(max_size=200))
def test_a_difference_leaves_both_texts_whole(one: str, other: str) -> None:
    ours, theirs = word_diff(one, other)
    assert "".join(text for text, _ in ours) == one
    assert "".join(text for text, _ in theirs) == other
    if one == other:
        assert not any(changed for _, changed in (*ours, *theirs))


def test_a_difference_marks_words_and_numbers_as_a_whole() -> None:
    assert word_diff("It is 1,200 m tall.", "It is 1,300 m tall.") == (
        [("It is ", False), ("1,200 ", True), ("m tall.", False)],
        [("It is ", False), ("1,300 ", True), ("m tall.", False)],
    )


def test_the_summary_counts_by_severity() -> None:
    rows: list[dict[str, Any]] = [
        {"ok": False, "verdicts": []},
        {"value": {"a": "x"}},
        {"value": {"a": "y"}},
    ]
    html = Report(rows).to_html()
    table = html.partition("By severity")[2].partition("</table>")[0]
    assert 'data-state="faulty">✗ must be fixed' in table
    assert 'data-state="unjudged">? not judged' in table
    assert "<td>2</td><td>66.7%</td>" in table
    assert "By severity" not in Report([]).to_html()
