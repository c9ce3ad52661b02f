"""`--estimate`: what a command would take, printed and as JSON; nothing is asked or written."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from groundtypes.cli.app import app
from tests.command_line import row, write_rows
from tests.scripted_openai import ScriptedOpenAI


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
    told = run("claims", rows, *arguments, "--estimate", "--most-calls", "25")
    assert "25 calls" in told.stdout
    assert "would stop" in told.stdout
    enough = run("claims", rows, *arguments, "--estimate", "--most-calls", "300")
    assert "300 calls" not in enough.stdout


def test_a_budget_limits_the_figures(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [text_row(number) for number in range(20)])
    arguments = ("--llm", "m", "--base-url", "http://127.0.0.1:1/v1", "--extract-first")
    figures = []
    for budget in ((), ("--most-calls", "5")):
        name = f"{len(budget)}.json"
        told = run(
            "claims", rows, *arguments, "--estimate", "--call-seconds", "3", *budget, "--json", name
        )
        assert told.exit_code == 0, told.output
        figures.append(json.loads((tmp_path / name).read_bytes()))
    free, limited = figures
    assert free["calls"]["value"] == 40
    assert limited["calls"] == {"value": 5, "low": 5, "high": 5}
    assert limited["questions"] == free["questions"]
    by_prompt = limited["calls by prompt"].values()
    assert sum(each["value"] for each in by_prompt) == pytest.approx(5)
    for name in ("input tokens", "output tokens"):
        assert limited[name]["value"] == pytest.approx(free[name]["value"] / 8)
    assert limited["llm seconds"]["value"] < free["llm seconds"]["value"]
    assert any("40 calls" in note for note in limited["notes"])


LLM = ("--llm", "m")


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("check", ("--references", "sources")),
        ("check", ("--answer", "reply")),
        ("check", ("--question", "prompt")),
        ("claims", (*LLM, "--base-url", "not a url")),
        ("claims", (*LLM, "--base-url", "")),
        ("claims", (*LLM, "--base-url", "localhost:8000/v1")),
        ("claims", (*LLM, "--base-url", "ftp://localhost/v1")),
        ("claims", (*LLM, "--base-url", "http://")),
        ("claims", (*LLM, "--base-url", "http://[::1")),
        ("claims", (*LLM, "--base-url", "http://localhost:99999")),
        ("claims", LLM),
        ("claims", ("--llm", "openai/m")),
        ("dataset", ("--ask", "openai/m", "--output", "data")),
    ],
    ids=" ".join,
)
def test_what_stops_the_run_stops_the_estimate_with_the_same_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, options: tuple[str, ...]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "")
    rows = write_rows(tmp_path / "rows.jsonl", [text_row(number) for number in range(3)])
    real, estimated = (run(command, rows, *options, *more) for more in ((), ("--estimate",)))
    assert (real.exit_code, estimated.exit_code) == (2, 2), estimated.output
    assert estimated.stderr == real.stderr
    assert estimated.stderr.count("\n") == 1
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    "arguments", [("claims", "--llm"), ("dataset", "--output", "data", "--ask")]
)
@pytest.mark.parametrize("key", [None, ""], ids=["not set", "empty"])
def test_an_empty_key_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str | None, arguments: tuple[str, ...]
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    if key is not None:
        monkeypatch.setenv("OPENAI_API_KEY", key)
    command, *options = arguments
    rows = write_rows(tmp_path / "rows.jsonl", [text_row(1)])
    result = run(command, rows, *options, "openai/m", "--estimate")
    assert result.exit_code == 2
    assert "its key is missing. Set the environment variable OPENAI_API_KEY" in result.stderr


def test_a_server_of_ones_own_needs_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "")
    rows = write_rows(tmp_path / "rows.jsonl", [text_row(1)])
    address = ("--base-url", "http://127.0.0.1:1/v1")
    assert run("claims", rows, *LLM, *address, "--estimate").exit_code == 0


def test_a_base_url_is_not_repeated(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [text_row(1)])
    result = run("claims", rows, *LLM, "--base-url", "http://me:canary-word@host:port/v1")
    assert result.exit_code == 2
    assert "canary" not in result.output


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("check", "--call-seconds", "3"), "--call-seconds"),
        (("claims", *LLM, "--base-url", "http://127.0.0.1:1/v1", "--call-seconds", "3"), "--call"),
        (("dataset", "--output", "data", "--call-seconds", "0"), "--call-seconds"),
        (("dataset", "--output", "data", "--json", "e.json"), "--json"),
        (("dataset", "--output", "data", "--max-calls", "3"), "--max-calls"),
        (("dataset", "--output", "data", "--max-tokens", "3"), "--max-tokens"),
        (("dataset", "--output", "data", "--max-calls", "3", "--estimate"), "--max-calls"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_an_option_that_would_do_nothing_is_refused(
    tmp_path: Path, arguments: tuple[str, ...], named: str
) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [row(question="Where?")])
    command, *options = arguments
    result = run(command, rows, *options)
    assert result.exit_code == 2
    assert result.stderr.startswith("groundtypes: ")
    assert named in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["rows.jsonl"]


def test_asking_is_not_estimated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-real-one")
    rows = write_rows(tmp_path / "rows.jsonl", [row(question="Where?")])
    result = run("dataset", rows, "--ask", "openai/m", "--output", "data", "--estimate")
    assert result.exit_code == 2
    assert "--max-calls 50" in result.stderr
    assert not (tmp_path / "data").exists()


def test_dataset_estimates_the_checks_of_stored_answers(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [row(question="Where?", id=n) for n in range(10)])
    result = run("dataset", rows, "--output", "data", "--policy", "snap", "--estimate")
    assert result.exit_code == 0, result.output
    assert not (tmp_path / "data").exists()
    assert "10" in result.stdout
