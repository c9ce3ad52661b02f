"""A run that is told to end does so at once, whatever an LLM is doing, and can be continued."""

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run, write_rows
from tests.scripted_openai import Exchange, Hang, ScriptedOpenAI

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")

ROWS = [
    {"id": number, "question": f"How tall is tower {number}?", "references": {"a": "It is tall."}}
    for number in range(40)
]
#: More than it takes, and less than it took before.
SOON = 20.0


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
@pytest.mark.parametrize("kind", ["dataset", "claims"])
def test_a_command_ends_while_an_llm_is_asked(
    tmp_path: Path, kind: str, name: str, code: int
) -> None:
    pid = tmp_path / "pid"
    killed: list[float] = []

    class Kills(Hang):
        def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
            if not killed:
                killed.append(time.monotonic())
                os.kill(int(pid.read_text()), getattr(signal, name))
            super().send(exchange, body)

    answered = [{**row, "answer": "It is tall."} for row in ROWS]
    with ScriptedOpenAI() as server:
        server.script(*[Kills()] * 400)
        if kind == "dataset":
            options = ["--ask", "openai/m", "--output", "out", "--concurrency", "2"]
        else:
            options = ["--llm", "m", "--base-url", server.base_url, "--rejected", "rejected.jsonl"]
        rows = write_rows(tmp_path / "rows.jsonl", ROWS if kind == "dataset" else answered)
        done = run(
            kind, rows, *options,
            cwd=tmp_path,
            env={"OPENAI_API_KEY": "-", "OPENAI_BASE_URL": server.base_url},
            started=lambda number: pid.write_text(str(number)),
        )  # fmt: skip
        took = time.monotonic() - killed[0]
        assert len(server.requests) <= 20
    assert done.returncode == code, done.stderr
    assert took < SOON
    assert b"Interrupted" in done.stderr
    assert b"Traceback" not in done.stderr
