from collections.abc import Iterator
from typing import Any

import pytest

from tests.chromium import launch_chromium
from tests.scripted_openai import ScriptedOpenAI


@pytest.fixture
def server() -> Iterator[ScriptedOpenAI]:
    with ScriptedOpenAI() as scripted:
        yield scripted
        assert scripted.unused == 0, "the client has asked less often than the script says"


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The browser of all tests: Playwright runs once in a process."""
    with launch_chromium() as chromium:
        yield chromium
