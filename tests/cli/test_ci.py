"""What runs `groundtypes check` elsewhere: the action for GitHub, and the hook for pre-commit."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import row, write_rows

yaml: Any = pytest.importorskip("yaml")
ROOT = Path(__file__).parents[2]


def load(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


@pytest.mark.skipif(shutil.which("bash") is None, reason="the steps are those of bash")
@pytest.mark.parametrize(("options", "code"), [("", 1), ("--fail-under 0.5", 0)])
def test_the_action_annotates_lines(tmp_path: Path, options: str, code: int) -> None:
    write_rows(tmp_path / "rows $(touch owned).jsonl", [row(), row("lies on the Rhine")])
    action = load("action.yml")
    inputs = {name: str(given.get("default", "")) for name, given in action["inputs"].items()}
    inputs |= {"rows": "rows $(touch owned).jsonl", "options": options}
    step = action["runs"]["steps"][-1]
    folder = tmp_path / "bin"
    folder.mkdir()
    command = folder / "groundtypes"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m groundtypes "$@"\n')
    command.chmod(0o755)
    variables = {}
    for name, value in step["env"].items():
        assert value.startswith("${{ inputs.")
        variables[name] = inputs[value.removeprefix("${{ inputs.").removesuffix(" }}")]
    environment = {**os.environ, **variables, "PATH": f"{folder}:{os.environ['PATH']}"}
    bash = shutil.which("bash")
    assert bash is not None
    ended = subprocess.run(
        [bash, "-c", step["run"]],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == code, ended.stderr
    assert ended.stdout.startswith("::error file=rows $(touch owned).jsonl,line=2,title=quote_")
    assert not (tmp_path / "owned").exists()


def test_the_hook_installs_what_the_command_needs() -> None:
    [hook] = load(".pre-commit-hooks.yaml")
    assert hook["entry"] == "groundtypes check"
    assert not hook["pass_filenames"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert hook["additional_dependencies"] == project["optional-dependencies"]["cli"]
