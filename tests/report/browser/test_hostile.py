"""Texts that want to be more than text: in the browser they are nothing else."""

from typing import Any

import pytest

from groundtypes.report import Report
from tests.report.browser.conftest import Opened
from tests.report.test_page import HOSTILE, _hostile_row

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_hostile_text_is_inert_wherever_it_stands(open_page: Opened, text: str) -> None:
    page = open_page([_hostile_row(text), _hostile_row("tame")], title=text)
    page.locator("#line-0").click()
    for button in page.locator(".tabs button").all():
        button.click()
    page.locator(".column.answer [data-goto]").first.click()
    page.locator("#filter-text").fill(text.replace("\x00", ""))
    page.locator("#to-summary").click()
    page.locator("button.pick").first.click()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    # The skeleton has three scripts and no picture, no frame and no handler; so it stays.
    assert page.locator("script").count() == 3
    assert page.locator("img, iframe, object, embed, base, link").count() == 0
    assert page.locator("[onload], [onerror], [onclick]").count() == 0


def test_what_is_unseen_is_named(open_page: Opened) -> None:
    page = open_page([{"value": {"a": "x\u202ey\x00z \ud800."}, "verdicts": []}])
    assert page.locator(".field .unseen").all_inner_texts() == ["U+202E", "U+0000", "U+D800"]
    assert page.locator(".field .text").inner_text() == "xU+202EyU+0000z U+D800."


def test_letters_beyond_the_basic_plane_are_left_alone(open_page: Opened) -> None:
    text = "🗼 قال 字 👩‍🔬 e\u0301"
    page = open_page([{"value": {"a": text}, "verdicts": []}])
    assert page.locator(".field .text").inner_text() == text


def test_the_policy_stops_what_another_script_puts_in(open_page: Opened, browser: Any) -> None:
    # As if a text had got out: the page is changed, which the tests of inert texts rule out.
    bad = "<script>document.title = 'taken'</script><img src='https://example.invalid/x.png'>"
    html = Report([], title="safe").to_html().replace("<main", bad + "<main")
    context = browser.new_context()
    page = context.new_page()
    failed: list[tuple[str, str]] = []
    answered: list[str] = []
    page.on("requestfailed", lambda request: failed.append((request.url, request.failure)))
    page.on("response", lambda response: answered.append(response.url))
    page.set_content(html)
    assert page.title() == "safe"
    # Stopped by the policy, before anything left for the network.
    assert failed == [("https://example.invalid/x.png", "csp")]
    assert answered == []
    context.close()
