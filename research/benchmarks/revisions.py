"""An earlier revision of the project beside this one, each run with its own code."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["ROOT", "measured", "sources"]

ROOT = Path(__file__).parents[2]
#: Where programs find the benchmarks, corpora and tests of this tree.
_OWN = (str(ROOT / "research"), str(ROOT))


@contextmanager
def sources(revision: str) -> Iterator[dict[str, Path]]:
    """Check a revision out into a temporary worktree; give the source folders of both by name."""
    with tempfile.TemporaryDirectory() as folder:
        other = Path(folder) / "other"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(other), revision], check=True)
        try:
            yield {revision: other / "src", "this tree": ROOT / "src"}
        finally:
            subprocess.run([*git, "remove", "--force", str(other)], check=True)


def measured(source: Path, program: str, given: Any) -> Any:
    """Run a program with a source folder; it reads JSON from its input, and prints JSON.

    Raises:
        SystemExit: The program fails; it has said why on the standard error stream.
    """
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(given),
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(source), *_OWN])},
    )
    if done.returncode:
        raise SystemExit(done.returncode)
    return json.loads(done.stdout)
