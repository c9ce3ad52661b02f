"""The page of a calibration in the browser: without a script, readable on every screen."""

import pytest

from groundtypes import Judges, calibrate
from tests.calibration.rows import engine, overlapping
from tests.report.browser.conftest import Opened
from tests.report.browser.test_accessible import _violations

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_of_a_calibration_breaks_no_rule_of_axe(
    open_page: Opened, scheme: str, width: int
) -> None:
    html = calibrate(overlapping(), judges=Judges(nli=engine())).to_html("Towers")
    viewport = {"width": width, "height": 900}
    page = open_page([], html=html, color_scheme=scheme, viewport=viewport)
    assert _violations(page) == []
    assert page.locator("svg.chart").count() == 2
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_charts_need_no_script(open_page: Opened) -> None:
    html = calibrate(overlapping(), judges=Judges(nli=engine())).to_html()
    page = open_page([], html=html, java_script_enabled=False)
    assert page.locator("circle.chosen").is_visible()
    assert page.locator("rect.usual").is_visible()
