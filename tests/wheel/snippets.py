"""Run with the wheel of the core alone: what a page shows needs no extra, unless it says so.

    python snippets.py PAGE [PAGE ...]

A block of code that needs an extra begins with the command that installs it.
"""

import contextlib
import io
import re
import sys
from pathlib import Path

_FENCE = re.compile(r"^```python\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)


def main() -> int:
    """Run the blocks, each alone, and name those that fail."""
    failed = count = 0
    for page in map(Path, sys.argv[1:]):
        text = page.read_text(encoding="utf-8")
        for match in _FENCE.finditer(text):
            if match["code"].startswith("# pip install"):
                continue
            count += 1
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(match["code"], {"__name__": "snippet"})  # noqa: S102 # our own pages
            except Exception as error:  # noqa: BLE001 # each is reported
                failed += 1
                line = text.count("\n", 0, match.start()) + 1
                print(f"{page.name}, line {line}: {type(error).__name__}: {error}")
    print(f"{count - failed} passed, {failed} failed")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
