"""The citations of an answer are links: each leads to the sentence that supports it."""

from typing import Any

import pytest

from tests.report.browser.conftest import Opened

pytestmark = pytest.mark.browser

_FILLER = "Nothing to see. " * 600
_GUIDE = f"{_FILLER}It is 330 metres tall.{_FILLER}"
_ALMANAC = f"{_FILLER}It was finished in 1889.{_FILLER}"
_ANSWER = "It was finished in 1889 and is 330 metres tall [1][2]. It is old [3]."


def _span(reference: str, text: str, words: str) -> dict[str, Any]:
    start = text.index(words)
    return {"reference": reference, "start": start, "end": start + len(words)}


def _row() -> dict[str, Any]:
    spans = [
        _span("guide", _GUIDE, "It is 330 metres tall."),
        _span("almanac", _ALMANAC, "It was finished in 1889."),
    ]
    end = _ANSWER.index(" It is old")
    common = {"check": "Cited", "loc": ["answer"]}
    verdicts = [
        {**common, "ok": True, "label": "entailment", "span": spans[0], "spans": spans}
        | {"part": [0, end], "citations": ["guide", "almanac"]},
        {**common, "ok": False, "label": "neutral", "slug": "citation_unsupported"}
        | {"part": [end + 1, len(_ANSWER)], "citations": ["menu"]},
    ]
    references = {"guide": _GUIDE, "almanac": _ALMANAC, "menu": "Lunch costs 12 euros."}
    return {
        "ok": False,
        "value": None,
        "verdicts": verdicts,
        "answer": {"answer": _ANSWER},
        "references": references,
    }


def _wait_until_seen(page: Any, selector: str) -> None:
    page.wait_for_function(
        "(selector) => { const one = document.querySelector(selector);"
        " if (!one) return false;"
        " const box = one.closest('.column').getBoundingClientRect();"
        " const at = one.getBoundingClientRect();"
        " return at.top >= box.top && at.bottom <= box.bottom; }",
        arg=selector,
    )


def test_a_click_on_a_marker_scrolls_to_the_sentence_of_its_own_reference(
    open_page: Opened,
) -> None:
    page = open_page([_row()])
    links = page.locator("a.citation")
    assert links.all_inner_texts() == ["[1]", "[2]", "[3]"]
    for number, words in ((0, "It is 330 metres tall."), (1, "It was finished in 1889.")):
        links.nth(number).click()
        _wait_until_seen(page, ".references .evidence.active")
        active = page.locator(".references .evidence.active")
        assert active.all_inner_texts() == [words]
        assert active.evaluate("(one) => document.activeElement === one")
        assert page.locator("a.citation.active").all_inner_texts() == [f"[{number + 1}]"]


def test_a_marker_without_evidence_leads_to_its_reference_and_back(open_page: Opened) -> None:
    page = open_page([_row()])
    page.locator("a.citation").nth(2).focus()
    page.keyboard.press("Enter")
    _wait_until_seen(page, ".reference h4.active")
    assert "menu" in page.locator(".reference h4.active").inner_text()
    page.keyboard.press("Escape")
    assert page.locator("a.citation").nth(2).evaluate("(one) => document.activeElement === one")


def test_the_sentence_around_a_marker_still_leads_to_all_its_evidence(open_page: Opened) -> None:
    page = open_page([_row()])
    page.get_by_role("link", name="It was finished in 1889 and is 330 metres tall").click()
    _wait_until_seen(page, ".references .evidence.active")
    assert page.locator(".references .evidence.active").count() == 2
