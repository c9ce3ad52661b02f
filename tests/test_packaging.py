"""The package is light, typed, and exports what it says."""

import subprocess
import sys
from importlib.metadata import requires, version
from pathlib import Path

import pytest

import groundtypes

HEAVY = (
    "instructor",
    "nltk",
    "numpy",
    "onnxruntime",
    "openai",
    "rich",
    "sqlite3",
    "tokenizers",
    "torch",
    "transformers",
    "typer",
)
LIGHT = ["groundtypes", "groundtypes.models", "groundtypes.dataset", "groundtypes.testing"]


@pytest.mark.parametrize("module", LIGHT)
def test_importing_loads_no_engine_and_no_extra(module: str) -> None:
    program = f"import sys, {module}; print(*sorted({set(HEAVY)!r} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_every_exported_name_is_there_and_documented() -> None:
    assert len(set(groundtypes.__all__)) == len(groundtypes.__all__)
    for name in groundtypes.__all__:
        assert getattr(groundtypes, name).__doc__ or name == "Quote", name


def test_the_core_needs_pydantic_and_rapidfuzz_only() -> None:
    core = [need for need in requires("groundtypes") or () if "extra ==" not in need]
    assert sorted(need.split(">")[0] for need in core) == ["pydantic", "rapidfuzz"]


def test_the_changelog_opens_with_this_version() -> None:
    changelog = Path(__file__).parent.with_name("CHANGELOG.md").read_text(encoding="utf-8")
    newest = next(line for line in changelog.splitlines() if line.startswith("## "))
    assert newest.split()[1] == version("groundtypes")
