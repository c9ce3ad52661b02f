"""Rows to check, and the command run as a user runs it: in a process of its own."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).parents[2]
REFERENCE = "Paris is the capital of France. It lies on the Seine, in the north of the country."
QUOTE = "lies on the Seine"


def row(quote: str = QUOTE, **keys: Any) -> dict[str, Any]:
    """Return a row whose answer is the rest of it."""
    return {
        "references": {"paris": REFERENCE},
        "answer": "In Paris.",
        "citations": [{"statement": "It is in Paris.", "quote": quote}],
        **keys,
    }


def write_rows(path: Path, rows: Iterable[Any]) -> Path:
    """Write rows, or lines of bytes as they are, and return the path."""
    with path.open("wb") as file:
        for item in rows:
            file.write(item if isinstance(item, bytes) else json.dumps(item).encode())
            file.write(b"\n")
    return path


def read_rows(path: Path) -> list[Any]:
    """Return what each line of a file holds."""
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def command(*arguments: object) -> list[str]:
    """Return the command line of the program."""
    return [sys.executable, "-m", "groundtypes", *map(str, arguments)]


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return an environment in which the package and these tests can be imported."""
    paths = os.pathsep.join((str(REPOSITORY / "src"), str(REPOSITORY)))
    return {**os.environ, "PYTHONPATH": paths, "COLUMNS": "100", **(extra or {})}


def run(
    *arguments: object,
    cwd: Path,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    **options: Any,
) -> "subprocess.CompletedProcess[bytes]":
    """Run the program to its end."""
    # A suite that a shell started in the background ignores Ctrl-C, and so would its children.
    options.setdefault("preexec_fn", partial(signal.signal, signal.SIGINT, signal.SIG_DFL))
    return subprocess.run(
        command(*arguments),
        cwd=cwd,
        input=stdin,
        capture_output=True,
        env=environment(env),
        timeout=120,
        check=False,
        **options,
    )
