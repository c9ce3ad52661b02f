"""Pages look as they looked when somebody last looked at them.

The screens beside this file are small on purpose: a letter is less than a point of them, so that
another font or version of the browser changes little, and a box in another place changes much.
GROUNDTYPES_SCREENS=write makes them anew; look at them before they are kept.
"""

import base64
import os
from pathlib import Path
from typing import Any

import pytest

from tests.report.browser.answers import ANSWERS
from tests.report.browser.conftest import Opened

pytestmark = pytest.mark.browser

SCREENS = Path(__file__).parent / "screens"
#: The mean difference of the points, of 255, up to which two screens look alike.
ALIKE = 5.0
#: Takes pictures as data, and returns the first one made small, and how much they differ.
_COMPARE = """async ([one, other]) => {
  const [width, height] = [160, 100];
  const points = async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, width, height);
    return [canvas.toDataURL(), context.getImageData(0, 0, width, height).data];
  };
  const [small, ours] = await points(one);
  const [, theirs] = await points(other);
  let sum = 0;
  for (let at = 0; at < ours.length; at++) sum += Math.abs(ours[at] - theirs[at]);
  return [small, sum / (width * height * 3)];
}"""


def _data(picture: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(picture).decode()


@pytest.fixture
def compare(browser: Any) -> Any:
    """How much two pictures differ, and the first one made small."""
    context = browser.new_context()
    page = context.new_page()
    yield lambda one, other: page.evaluate(_COMPARE, [_data(one), _data(other)])
    context.close()


VIEWS = [("summary", None), ("fault", 1)]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("name", "number"), VIEWS, ids=[name for name, _ in VIEWS])
def test_a_view_looks_as_it_did(
    open_page: Opened, compare: Any, name: str, number: int | None, scheme: str
) -> None:
    page = open_page(ANSWERS, title="Answers about towers", color_scheme=scheme)
    if number is not None:
        page.locator(f"#line-{number}").click()
        page.locator(".column.answer a.claim").click()
        page.wait_for_timeout(300)
    taken = page.screenshot(animations="disabled")
    kept = SCREENS / f"{name}-{scheme}.png"
    if os.environ.get("GROUNDTYPES_SCREENS") == "write":
        small, _ = compare(taken, taken)
        SCREENS.mkdir(exist_ok=True)
        kept.write_bytes(base64.b64decode(small.partition(",")[2]))
    _, difference = compare(taken, kept.read_bytes())
    assert difference < ALIKE


def test_views_that_differ_are_distinguished(compare: Any) -> None:
    screens = {path.stem: path.read_bytes() for path in SCREENS.glob("*.png")}
    assert len(screens) == 2 * len(VIEWS)
    for name, one in screens.items():
        for other, two in screens.items():
            assert name == other or compare(one, two)[1] > ALIKE, (name, other)
