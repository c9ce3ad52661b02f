"""A data set of any size is built in constant memory."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import environment
from tests.dataset.samples import row

SCRIPT = """
import resource, sys
from groundtypes.dataset import build_dataset
from tests.dataset.samples import Answer
if __name__ == "__main__":
    built = build_dataset(Answer, sys.argv[1], sys.argv[2])
    print(built.manifest["counts"]["clean"], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def peak(folder: Path, count: int) -> int:
    """Return the peak memory, in kilobytes, of a run over so many rows, all of them different."""
    rows = folder / f"{count}.jsonl"
    with rows.open("w") as file:
        for number in range(count):
            given = row(number)
            given["references"]["more"] = f"This is {number}. " + "More words. " * 40
            file.write(json.dumps(given) + "\n")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(rows), str(folder / f"out-{count}")],
        env=environment(), capture_output=True, timeout=600, check=True,
    )  # fmt: skip
    clean, kilobytes = map(int, done.stdout.split())
    assert clean == count
    return kilobytes


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no module `resource`")
def test_ten_times_the_rows_take_hardly_more_memory(tmp_path: Path) -> None:
    # The pages of the index that SQLite keeps, 16 MB at most, come first.
    assert peak(tmp_path, 15_000) < 1.4 * peak(tmp_path, 1_500)
