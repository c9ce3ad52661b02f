"""A data set of any size is checked in constant memory."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import REFERENCE, environment, row

SCRIPT = """
import resource
from groundtypes.cli.app import main
try:
    main()
except SystemExit as done:
    print(done.code, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def peak(folder: Path, count: int) -> int:
    """Return the peak memory, in kilobytes, of a run over so many rows, all of them different."""
    rows = folder / f"{count}.jsonl"
    with rows.open("w") as file:
        for number in range(count):
            given = row(
                references={"paris": f"{REFERENCE} This is {number}. " + "More words. " * 40}
            )
            file.write(json.dumps(given) + "\n")
    result = subprocess.run(
        [sys.executable, "-c", SCRIPT, "check", str(rows), "--quiet", "--clean", f"{count}.clean"],
        cwd=folder, env=environment(), capture_output=True, timeout=300, check=True,
    )  # fmt: skip
    code, kilobytes = result.stdout.split()
    assert code == b"0"
    return int(kilobytes)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no module `resource`")
def test_ten_times_the_rows_take_no_more_memory(tmp_path: Path) -> None:
    assert peak(tmp_path, 20_000) < 1.25 * peak(tmp_path, 2_000)
