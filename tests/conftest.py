from collections.abc import Iterator
from pathlib import Path
from typing import Any

import certifi
import pytest

from tests.chromium import launch_chromium
from tests.scripted_openai import ScriptedOpenAI


@pytest.fixture
def server() -> Iterator[ScriptedOpenAI]:
    with ScriptedOpenAI() as scripted:
        yield scripted
        assert scripted.unused == 0, "the client has asked less often than the script says"


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with one certificate."""
    end = "-----END CERTIFICATE-----\n"
    first, _, _ = certifi.contents().partition(end)
    path = tmp_path_factory.mktemp("certificates") / "one.pem"
    path.write_text(first + end, encoding="utf-8")
    return path


@pytest.fixture
def one_certificate(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """HTTP clients load one certificate: all of them take longer than a test that needs none."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The browser of all tests: Playwright runs once in a process."""
    with launch_chromium() as chromium:
        yield chromium
