"""The Chromium of the system, driven by Playwright."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


def _executable() -> str:
    path = os.environ.get("GROUNDTYPES_CHROMIUM") or shutil.which("chromium")
    if path is None:
        reason = "Chromium is not installed: apt-get install chromium"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return path


@contextmanager
def launch_chromium() -> Iterator[Any]:
    """Start Chromium; skip the test where it or Playwright is missing."""
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="needs Playwright: pip install --group browser"
    )
    path = _executable()
    with sync_api.sync_playwright() as playwright:
        # Chromium's sandbox does not start for root, whom containers run as; our pages are ours.
        is_root = sys.platform != "win32" and os.geteuid() == 0
        options = ["--no-sandbox"] if is_root else []
        browser = playwright.chromium.launch(executable_path=path, args=options)
        yield browser
        browser.close()
