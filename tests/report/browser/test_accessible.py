"""axe-core finds nothing to object to, in either theme; nothing depends on colour alone."""

from typing import Any

import pytest

from tests.report.browser.answers import ANSWERS
from tests.report.browser.conftest import Opened

axe = pytest.importorskip(
    "axe_playwright_python.sync_playwright", reason="needs axe-core: pip install --group browser"
)

pytestmark = pytest.mark.browser

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def _violations(page: Any) -> list[tuple[str, Any]]:
    found = axe.Axe().run(page, options={**RULES, "resultTypes": ["violations"]}).response
    assert found["passes"]
    return [(one["id"], [node["html"] for node in one["nodes"]][:5]) for one in found["violations"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_no_view_of_a_page_breaks_a_rule_of_axe(open_page: Opened, scheme: str, width: int) -> None:
    viewport = {"width": width, "height": 900}
    page = open_page(ANSWERS, color_scheme=scheme, viewport=viewport)
    assert _violations(page) == []
    for number in range(len(ANSWERS)):
        page.locator(f"#line-{number}").click()
        links = page.locator(".column.answer a.claim")
        if links.count():
            links.first.click()
        assert (number, _violations(page)) == (number, [])
    page.locator("#filter-text").fill("no such words at all")
    page.locator("#line-0").wait_for(state="detached")
    assert _violations(page) == []


def test_without_colour_marks_words_and_lines_still_tell(open_page: Opened) -> None:
    page = open_page(ANSWERS, forced_colors="active")
    page.locator("#line-0").click()
    lines = page.locator(".claim").evaluate_all(
        "(all) => all.map((one) => getComputedStyle(one).textDecorationStyle)"
    )
    assert set(lines) == {"solid", "wavy"}
    assert page.locator(".chip .mark").all_inner_texts() == ["✓", "✗"]
    assert "contradicted" in page.locator(".chip.faulty").inner_text()
    assert {"✓", "✗"} <= set("".join(page.locator("#summary button.pick").all_text_contents()))
