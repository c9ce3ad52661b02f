"""The snippets of the page about batch engines run in those engines, and print what they say."""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from tests.command_line import environment

PAGE = Path(__file__).parents[2] / "docs" / "batch.md"
SNIPPETS = re.findall(
    r'^```python \{test="skip" engine="(\w+)"\}\n(.*?)^```$',
    PAGE.read_text(encoding="utf-8"),
    re.MULTILINE | re.DOTALL,
)
MODEL = """
from groundtypes import Grounded, Quote


class Answer(Grounded):
    quote: Quote
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with forty rows, every fourth of which has a false quote, and with the model."""
    quotes = [f"is {300 + number if number % 4 else 1} metres tall" for number in range(40)]
    table = pa.table(
        {
            "id": list(range(40)),
            "reply": [json.dumps({"quote": quote}) for quote in quotes],
            "references": [f"The tower is {300 + number} metres tall." for number in range(40)],
        }
    )
    parquet.write_table(table, tmp_path / "rows.parquet")
    (tmp_path / "answers.py").write_text(MODEL, encoding="utf-8")
    return tmp_path


def test_every_engine_has_a_snippet() -> None:
    assert {engine for engine, _ in SNIPPETS} == {
        "daft",
        "datasets",
        "duckdb",
        "pandas",
        "polars",
        "pyspark",
        "ray",
    }


@pytest.mark.engines
@pytest.mark.parametrize(("engine", "code"), SNIPPETS, ids=[engine for engine, _ in SNIPPETS])
def test_a_snippet_prints_what_it_says(engine: str, code: str, folder: Path) -> None:
    if importlib.util.find_spec(engine) is None:
        pytest.skip(f"needs {engine}")
    if engine == "pyspark" and shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    (folder / "snippet.py").write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "snippet.py"],
        cwd=folder,
        env=environment(
            {
                "HF_HOME": str(folder),
                "PYSPARK_PYTHON": sys.executable,
                # Not a cluster that somebody else has started on this machine.
                "RAY_ADDRESS": "local",
                "RAY_USAGE_STATS_ENABLED": "0",
                "DO_NOT_TRACK": "1",
            }
        ),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = re.findall(r"^#> (.*)$", code, re.MULTILINE)
    printed = done.stdout.splitlines()
    assert [line for line in printed if line in said] == said, done.stdout
