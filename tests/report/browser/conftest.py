"""Pages, opened from disk in Debian's Chromium as a person opens them."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from groundtypes.report import Report

sync_api = pytest.importorskip(
    "playwright.sync_api", reason="needs Playwright: pip install --group browser"
)

#: Waits are bounded by this many milliseconds; nothing is asserted about time.
_PATIENCE = 15_000


Opened = Callable[..., Any]


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Opened]:
    """Open the page of some rows; at the end nothing may have gone wrong in any of them.

    Nothing is written to the console, nothing broke the page's policy, no dialog opened, and no
    request left for anything but the file.
    """
    contexts: list[Any] = []
    wrong: list[str] = []

    def asked(url: str, path: Path) -> None:
        if url not in (path.as_uri(), "about:srcdoc"):
            wrong.append(f"request: {url}")

    def opened(rows: Any, *, title: str = "Audit", html: str | None = None, **options: Any) -> Any:
        path = tmp_path / f"page{len(contexts)}.html"
        path.write_text(
            Report(rows, title=title).to_html() if html is None else html, encoding="utf-8"
        )
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
        context.set_default_timeout(_PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: wrong.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        page.on("dialog", lambda dialog: wrong.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: asked(request.url, path))
        page.add_init_script(
            "addEventListener('securitypolicyviolation', (event) => console.error("
            "'policy: ' + event.violatedDirective + ' ' + event.blockedURI));"
        )
        page.goto(path.as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
    assert wrong == []
