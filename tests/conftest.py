from collections.abc import Iterator

import pytest

from tests.scripted_openai import ScriptedOpenAI


@pytest.fixture
def server() -> Iterator[ScriptedOpenAI]:
    with ScriptedOpenAI() as scripted:
        yield scripted
        assert scripted.unused == 0, "the client has asked less often than the script says"
