"""Rows to check, and the command run as a user runs it: in a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from itertools import cycle
from pathlib import Path
from typing import IO, Any, Final

from tests.fork_server import ForkServer

REPOSITORY = Path(__file__).parents[1]
REFERENCE = "Paris is the capital of France. It lies on the Seine, in the north of the country."
QUOTE = "lies on the Seine"
#: Seconds after which a run is killed.
_TIMEOUT: Final = 120


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
    paths = os.pathsep.join(str(REPOSITORY / folder) for folder in ("src", "", "research"))
    return {**os.environ, "PYTHONPATH": paths, "COLUMNS": "100", **(extra or {})}


#: Runs take turns between two servers, so that two runs of a test do not agree only because
#: their hashes do: processes that are started anew would not have the same hash seed either.
_SERVERS: Final = cycle(
    ForkServer({**environment(), "PYTHONHASHSEED": seed}) for seed in ("1", "2")
)


def run(
    *arguments: object,
    cwd: Path,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    file_size: int | None = None,
    started: Callable[[int], object] = lambda pid: None,
) -> "subprocess.CompletedProcess[bytes]":
    """Run the program to its end, in a process that is forked where the platform can fork.

    No file may grow beyond `file_size` bytes; `started` is called with the process id.
    """
    return next(_SERVERS).run(
        arguments,
        cwd=cwd,
        environment=environment(env),
        stdin=stdin,
        file_size=file_size,
        timeout=_TIMEOUT,
        started=started,
    )


def run_python(
    *arguments: object,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    stdout: int | IO[bytes] = subprocess.PIPE,
) -> "subprocess.CompletedProcess[bytes]":
    """Run the program to its end, as a new Python process."""
    return subprocess.run(
        command(*arguments),
        cwd=cwd,
        env=environment(env),
        stdout=stdout,
        stderr=subprocess.PIPE,
        timeout=_TIMEOUT,
        check=False,
    )
