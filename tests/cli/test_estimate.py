"""`--estimate`: what a command would take, printed and as JSON; nothing is asked or written."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from groundtypes.cli.app import app
from tests.command_line import row, write_rows
from tests.scripted_openai import Exchange, Say, ScriptedOpenAI


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])


def run(*arguments: object, stdin: bytes | None = None) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(app, [*map(str, arguments)], input=stdin)


def text_row(number: int) -> dict[str, Any]:
    return {
        "answer": f"The tower of {number} was finished in 1889 by Ida Moe.",
        "references": [f"The tower of {number} was finished in 1889."],
        "question": f"When was the tower of {number} finished?",
    }


def test_check_prints_the_figures_and_writes_only_them(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [row(id=number) for number in range(30)])
    result = run("check", rows, "--estimate", "--clean", "clean.jsonl", "--json", "estimate.json")
    assert result.exit_code == 0, result.output
    assert "rows" in result.stdout
    assert "30" in result.stdout
    assert "100.0% of the file" in result.stdout
    written = json.loads((tmp_path / "estimate.json").read_bytes())
    assert written["rows"] == {"value": 30, "low": 30, "high": 30}
    assert written["calls"]["high"] == 0
    assert {path.name for path in tmp_path.iterdir()} == {"rows.jsonl", "estimate.json"}


def test_a_file_of_figures_is_not_replaced_by_mistake(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [row()])
    (tmp_path / "estimate.json").write_text("mine")
    result = run("check", rows, "--estimate", "--json", "estimate.json")
    assert result.exit_code == 2
    assert "--json" in result.stderr
    assert (tmp_path / "estimate.json").read_text() == "mine"
    assert run("check", rows, "--estimate", "--json", "estimate.json", "--overwrite").exit_code == 0


def test_standard_input_is_refused() -> None:
    result = run("check", "-", "--estimate", stdin=b"{}\n")
    assert result.exit_code == 2
    assert "standard input" in result.stderr


def test_quiet_prints_nothing(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [row()])
    result = run("check", rows, "--estimate", "--quiet")
    assert (result.exit_code, result.output) == (0, "")


def test_claims_asks_nobody(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [text_row(number) for number in range(20)])
    with ScriptedOpenAI() as server:
        arguments = ("--llm", "m", "--base-url", server.base_url, "--extract-first")
        result = run(
            "claims", rows, *arguments, "--estimate", "--call-seconds", "3", "--json", "e.json"
        )
        assert result.exit_code == 0, result.output
        assert server.requests == []
    figures = json.loads((tmp_path / "e.json").read_bytes())
    assert figures["calls"]["value"] == 40
    assert set(figures["calls by prompt"]) == {"extract_claims/2", "check_claims/2"}
    # Sixteen at a time, in two waits: 40 calls of 3 seconds.
    assert figures["llm seconds"]["value"] == pytest.approx(40 * 3 / 16)
    assert "calls of the LLM" in result.stdout


def test_a_budget_that_will_not_do_is_named(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [text_row(number) for number in range(20)])
    arguments = ("--llm", "m", "--base-url", "http://127.0.0.1:1/v1", "--extract-first")
    told = run("claims", rows, *arguments, "--estimate", "--most-calls", "30")
    assert "30 calls" in told.stdout
    assert "would stop" in told.stdout
    enough = run("claims", rows, *arguments, "--estimate", "--most-calls", "300")
    assert "300 calls" not in enough.stdout


class Fact:
    """A reply with a quote that is right, or at first is not."""

    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        right = len(body["messages"]) > 2
        quote = "was finished in 1889" if right else "was begun in 1887"
        citation = {"statement": "It was finished.", "reference": None, "quote": quote}
        Say({"answer": "In 1889.", "citations": [citation]}).send(exchange, body)


def test_questions_that_are_answered_are_not_counted_and_tell_of_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [text_row(number) for number in range(12)]
    for given in rows:
        del given["answer"]
    path = write_rows(tmp_path / "rows.jsonl", rows)
    with ScriptedOpenAI() as server:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-real-one")
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        options = ("--ask", "openai/m", "--output", "data", "--near-duplicates", "0")
        first = run("dataset", path, *options, "--estimate", "--json", "first.json")
        assert first.exit_code == 0, first.output
        assert not (tmp_path / "data").exists()
        assert server.requests == []
        server.script(*[Fact()] * 8)
        asked = run("dataset", path, *options, "--max-calls", "10", "--concurrency", "1")
        assert asked.exit_code == 0, asked.output
        assert len(server.requests) == 8
        second = run("dataset", path, *options, "--estimate", "--json", "second.json")
        assert second.exit_code == 0, second.output
        assert len(server.requests) == 8
    before, after = (
        json.loads((tmp_path / name).read_bytes()) for name in ("first.json", "second.json")
    )
    assert before["questions"]["llm"]["value"] == 12
    assert before["calls"]["low"] == 12
    assert before["calls"]["high"] == 12 * 3
    assert after["questions"]["llm"]["value"] == 8
    # Each answered question took two requests, of ten tokens read and five written.
    assert after["calls"]["value"] == 16
    assert after["input tokens"]["value"] == 160
    assert after["output tokens"]["value"] == 80


def test_dataset_estimates_the_checks_of_stored_answers(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [row(question="Where?", id=n) for n in range(10)])
    result = run("dataset", rows, "--output", "data", "--policy", "snap", "--estimate")
    assert result.exit_code == 0, result.output
    assert not (tmp_path / "data").exists()
    assert "10" in result.stdout
