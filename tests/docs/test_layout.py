"""Pages fit on a wide screen and on a phone."""

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

pytestmark = pytest.mark.browser

#: A laptop and a phone, in CSS pixels.
_WIDTHS = (1280, 390)
#: The elements of a page that are wider than the space they have.
_TOO_WIDE = """() => {
    const wider = element => element.scrollWidth > element.clientWidth + 1;
    const blocks = [...document.querySelectorAll("pre, pre > code")].filter(wider);
    const texts = blocks.map(block => block.textContent.trim().slice(0, 60));
    return wider(document.documentElement) ? ["the page itself", ...texts] : texts;
}"""


class _SilentHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Requests are not worth a line in the output of the tests."""


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Where the site is served."""
    with ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(_SilentHandler, directory=str(site))
    ) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_nothing_scrolls_sideways_and_nothing_comes_from_another_host(
    site: Path, address: str, browser: Any
) -> None:
    page = browser.new_page()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    too_wide = {}
    for width, path in product(_WIDTHS, sorted(site.rglob("index.html"))):
        name = path.parent.relative_to(site).as_posix()
        # Before the page is loaded: a change of width moves the navigation for a moment.
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(f"{address}/{'' if name == '.' else name + '/'}")
        if wider := page.evaluate(_TOO_WIDE):
            too_wide[name, width] = wider
    page.close()
    assert too_wide == {}
    assert [url for url in requests if not url.startswith((address, "data:", "blob:"))] == []
