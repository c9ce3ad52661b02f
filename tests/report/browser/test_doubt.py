"""Answers that a person should look at, as the page shows them."""

import pytest

from tests.report.browser.answers import ANSWERS
from tests.report.browser.conftest import Opened
from tests.report.pages import row, span, verdict

pytestmark = pytest.mark.browser

DOUBT = row(
    {"answer": "Many people like the tower."},
    [
        verdict(
            ("answer",),
            "Entailed",
            label="entailment",
            score=0.62,
            threshold=0.5,
            span=span("Millions climb it every year."),
            decision="review",
        )
    ],
    id="doubt",
    decision="review",
)


def test_the_state_is_counted_filtered_listed_after_faults_and_printed(open_page: Opened) -> None:
    page = open_page([*ANSWERS, DOUBT])
    fact = page.locator("#summary .facts .review")
    assert fact.inner_text().split() == ["~", "review", "1", "14.3%"]
    page.locator('#summary button.pick[data-state="review"]').click()
    assert page.locator("#list .line").count() == 1
    line = page.locator("#list .line")
    assert "in doubt" in line.inner_text()
    line.click()
    assert page.locator("#answer .chip.review").is_visible()
    assert page.locator("#answer .claim.review").inner_text() == "Many people like the tower."
    assert page.locator("#answer .evidence.review").count() == 1
    state = page.locator("#answer .head .state.review")
    assert state.inner_text() == "review"
    # The bar of the review mode has a class of its own, and stays hidden.
    assert not page.locator("#review-bar").is_visible()
    assert state.evaluate("one => getComputedStyle(one).display") == "inline"
    page.locator("#to-summary").click()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#print .state.review").is_visible()


def test_the_review_mode_still_marks_verdicts(open_page: Opened) -> None:
    page = open_page([DOUBT])
    page.locator("#review").click()
    assert page.locator("#review-bar").is_visible()
    page.locator('#answer .marking button[data-right="true"]').click()
    assert page.locator("#review-status").inner_text() == "1 verdict marked"
