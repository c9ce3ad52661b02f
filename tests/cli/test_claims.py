"""`groundtypes claims`: against a scripted endpoint."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from groundtypes.cli.app import app
from tests.command_line import read_rows, write_rows
from tests.scripted_openai import Exchange, Fail, Say, ScriptedOpenAI

REFERENCE = "The tower was finished in 1889. It is 330 metres tall."


class Judge:
    """Answers as an LLM would that finds one claim and labels it by its words."""

    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        text = body["messages"][-1]["content"]
        if "You check sentences" in body["messages"][0]["content"]:
            year = "1889" if "1889" in text.split("[sentences ")[1] else "1890"
            label = "supported" if year == "1889" else "contradicted"
            reply: Any = {"labels": [{"sentence": 1, "label": label, "passage": 1}]}
        elif "[sentences " in text:
            claim = {"sentence": 1, "subject": "The tower", "predicate": "was finished in"}
            year = "1889" if "1889" in text.split("[sentences ")[1] else "1890"
            reply = {"claims": [claim | {"object": year}]}
        else:
            claimed = text.split("[claim ")[1]
            reply = {"passage": 1, "label": "supported" if "1889" in claimed else "contradicted"}
        Say(reply).send(exchange, body)


def row(year: int, key: str = "answer", **more: Any) -> dict[str, Any]:
    return {key: f"The tower was finished in {year}.", "references": [REFERENCE], **more}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def claims(server: ScriptedOpenAI, *arguments: object) -> Result:
    words = ["claims", *map(str, arguments), "--llm", "scripted", "--base-url", server.base_url]
    return CliRunner().invoke(app, words)


@pytest.mark.parametrize("batch", [1, 64])
def test_the_table_and_the_summary_show_the_labels(tmp_path: Path, batch: int) -> None:
    files = ("--json", "summary.json", "--clean", "c", "--rejected", "r")
    rows = write_rows(tmp_path / "rows.jsonl", [row(1889, id=1), row(1890, id=2), row(1889, id=3)])
    with ScriptedOpenAI() as server:
        server.script(*[Judge()] * 9)
        result = claims(server, rows, *files, "--batch", batch)
    assert result.exit_code == 1, result.output
    assert "Labels of Supported" in result.output
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["labels"]["Supported"] == {"entailment": 2, "contradiction": 1}
    assert [found["id"] for found in read_rows(tmp_path / "c")] == [1, 3]
    [rejected] = read_rows(tmp_path / "r")
    assert rejected["verdicts"][0]["slug"] == "claim_contradicted"


def test_the_answer_may_have_any_name(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [row(1889, "what the model said", answer=7)])
    with ScriptedOpenAI() as server:
        server.script(*[Judge()] * 2)
        result = claims(server, rows, "--answer", "what the model said", "--clean", "c")
    assert result.exit_code == 0, result.output
    assert read_rows(tmp_path / "c") == [row(1889, "what the model said", answer=7)]


def test_answers_of_the_llm_are_kept_where_they_shall_be(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [row(1889, note=str(tmp_path))])
    with ScriptedOpenAI() as server:
        server.script(Judge())
        for _ in range(2):
            assert claims(server, rows, "--cache", "kept").exit_code == 0
        assert server.unused == 0


def test_nli_labels_what_the_llm_extracts(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    rows = write_rows(tmp_path / "rows.jsonl", [row(1889, note="nli")])
    with ScriptedOpenAI() as server:
        server.script(Judge())
        result = claims(server, rows, "--judge", "bundled")
    assert result.exit_code == 0, result.output


def test_an_outage_ends_the_run_with_2_and_no_rejected_row(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [row(1880 + year) for year in range(20)])
    with ScriptedOpenAI() as server:
        server.script(*[Fail(401)] * 40)
        result = claims(server, rows, "--rejected", "r", "--concurrency", "1")
        # All rows together, and three by themselves; each may have begun one more request.
        assert len(server.requests) <= 8, "an endpoint that is down is not asked for each row again"
    assert result.exit_code == 2
    assert "Lines 1 to 20" in result.stderr
    assert "401" in result.stderr
    assert not (tmp_path / "r").exists()


def test_a_budget_stops_the_run_before_it_is_spent(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [row(1880 + n) for n in range(4)])
    with ScriptedOpenAI() as server:
        server.script(*[Judge()] * 20)
        result = claims(server, rows, "--most-calls", "1", "--concurrency", "1")
        assert len(server.requests) == 1
    assert result.exit_code == 2
    assert "budget" in result.stderr


@pytest.mark.parametrize("llm", ["no-provider", "nowhere/model"])
def test_an_llm_that_cannot_be_asked_is_a_mistake(tmp_path: Path, llm: str) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [row(1889)])
    result = CliRunner().invoke(app, ["claims", str(rows), "--llm", llm])
    assert result.exit_code == 2, result.output
    assert llm in result.stderr


@pytest.mark.parametrize(
    ("options", "calls"),
    [((), 1), (("--extract-first",), 2)],
    ids=["in one call", "extracted first"],
)
def test_claims_are_labelled_as_they_are_taken_out_or_after(
    tmp_path: Path, options: tuple[str, ...], calls: int
) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [row(1889, note=f"{calls} calls")])
    with ScriptedOpenAI() as server:
        server.script(*[Judge()] * calls)
        result = claims(server, rows, *options, "--json", "summary.json")
        assert server.unused == 0
    assert result.exit_code == 0, result.output
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["labels"]["Supported"] == {"entailment": 1}
