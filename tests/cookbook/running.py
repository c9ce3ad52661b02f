"""Runs the examples of the cookbook, each in a process of its own."""

import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.command_line import environment
from tests.fork_server import ForkServer

__all__ = ["COOKBOOK", "run_offline", "run_with_instructor", "run_with_python"]

COOKBOOK: Final = Path(__file__).parents[2] / "cookbook"
_OFFLINE: Final = ForkServer(environment())
_WITH_INSTRUCTOR: Final = ForkServer(environment(), "instructor", "openai")


def run_offline(example: Path, *arguments: object) -> "subprocess.CompletedProcess[str]":
    """Run an example that needs no LLM; every warning is an error."""
    done = _OFFLINE.run(
        arguments, program=example, environment=environment({"PYTHONWARNINGS": "error"})
    )
    return _decoded(done)


def run_with_instructor(example: str, *arguments: object) -> "subprocess.CompletedProcess[str]":
    """Run an example that needs instructor."""
    done = _WITH_INSTRUCTOR.run(arguments, program=COOKBOOK / example, environment=environment())
    return _decoded(done)


def run_with_python(example: str, *arguments: object) -> "subprocess.CompletedProcess[str]":
    """Run an example in a new Python process."""
    command = [sys.executable, str(COOKBOOK / example), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def _decoded(done: "subprocess.CompletedProcess[bytes]") -> "subprocess.CompletedProcess[str]":
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )
