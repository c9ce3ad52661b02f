"""`make demo` tells one story: the same file has the same counts in all that it shows."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import REPOSITORY, command, environment, read_rows

DATA = Path("cookbook/data")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """Run the demo with this Python, and return what it prints and the folder that it writes."""
    make = shutil.which("make")
    if make is None or shutil.which("bash") is None or sys.platform == "win32":
        pytest.skip("needs make and bash")
    folder = tmp_path_factory.mktemp("demo")
    tools = folder / "venv" / "bin"
    tools.mkdir(parents=True)
    for name, arguments in (("python", ""), ("groundtypes", "-m groundtypes")):
        tool = tools / name
        tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments} "$@"\n')
        tool.chmod(0o755)
    stamp = folder / "venv" / ".stamps" / "run"
    variables = [f"VENV={folder / 'venv'}", f"DEMO={folder / 'out'}"]
    done = subprocess.run(
        [make, "demo", *variables, "-o", str(stamp)],
        cwd=REPOSITORY,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, folder / "out"


def counts_of(name: str, *options: str) -> Any:
    """Return the counts of `check` over a file."""
    rows = str(DATA / f"{name}.jsonl")
    done = subprocess.run(
        command("check", rows, "--format", "json", *options),
        cwd=REPOSITORY,
        env=environment(),
        capture_output=True,
        timeout=120,
        check=False,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("answers", ("--workers", "2")),
        ("statements", ("--model", "groundtypes.models:EntailedAnswer")),
    ],
)
def test_a_file_has_the_same_counts_in_every_command(
    demo: tuple[str, Path], name: str, options: tuple[str, ...]
) -> None:
    printed, folder = demo
    counts = counts_of(name, *options)
    rows, clean, rejected = counts["rows"], counts["clean"], counts["rejected"]
    assert rows == clean + rejected > rejected > 0
    table = rf"Rows +┃ +{rows} ┃.*?│ clean +│ +{clean} │.*?│ rejected +│ +{rejected} │"
    assert re.search(table, printed, re.DOTALL)
    assert f"{rows} answers: {rejected} faulty, {clean} ok" in printed
    for kind, count in (("clean", clean), ("rejected", rejected), ("audits", rows)):
        assert len(read_rows(folder / f"{name}.{kind}.jsonl")) == count
    page = (folder / f"{name}.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")


def test_the_data_set_has_the_same_rows(demo: tuple[str, Path]) -> None:
    printed, folder = demo
    checked = counts_of("answers")
    counts = json.loads((folder / "data" / "manifest.json").read_bytes())["counts"]
    assert (counts["rows"], counts["clean"], counts["broken"]) == (
        checked["rows"], checked["clean"], 0,
    )  # fmt: skip
    assert counts["repaired"] + counts["rejected"] == checked["rejected"]
    assert counts["repaired"] > 0
    assert f"repaired {counts['repaired']}\n" in printed


def test_people_agree_as_often_as_the_demo_says(demo: tuple[str, Path]) -> None:
    printed, folder = demo
    rejected = {row["row"]["id"] for row in read_rows(folder / "statements.rejected.jsonl")}
    said = {
        row["id"]: row["people_say"] for row in read_rows(REPOSITORY / DATA / "statements.jsonl")
    }
    agreed = sum((label == "contradiction") == (id_ in rejected) for id_, label in said.items())
    right = sum(said[id_] == "contradiction" for id_ in rejected)
    wrong = sum(label == "contradiction" for label in said.values())
    text = " ".join(printed.split())
    assert f"People agree on {agreed} of {len(said)} rows ({agreed / len(said):.1%})." in text
    assert f"people call {right} unsupported: precision {right / len(rejected):.1%}" in text
    assert f"{right} are rejected: recall {right / wrong:.1%}" in text


def test_the_demo_shows_real_faults_with_file_and_line(demo: tuple[str, Path]) -> None:
    printed, _ = demo
    assert "cookbook/data/answers.jsonl:1: citations.0.quote: quote_altered\n" in printed
    assert 'answer: "Paris is the capital of France"' in printed
    assert len(re.findall(r"^cookbook/data/\w+\.jsonl:\d+: ", printed, re.MULTILINE)) == 6
