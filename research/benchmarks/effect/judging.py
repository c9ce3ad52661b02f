"""The process that judges sets with one state of the package, and prints the outcomes as JSON."""

import importlib
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

from benchmarks.effect.outcomes import Rows, RowSet, missing_without
from benchmarks.effect.replacement import Replacement, install

__all__ = ["AREAS", "PROGRAM", "judge", "main"]

#: Area -> the module and the name of its sets.
AREAS: Final = {
    "quotes": ("quote_sets", "SETS"),
    "figures": ("figure_sets", "SETS"),
    "refusals": ("refusal_sets", "SETS"),
    "refusals without [nli]": ("refusal_sets", "SETS_OF_CORE"),
    "citations": ("citation_sets", "SETS"),
    "streams": ("stream_sets", "SETS"),
    "entailment": ("entailment_sets", "SETS"),
}
#: What the process runs.
PROGRAM: Final = "from benchmarks.effect.judging import main; main()"


def main() -> None:
    """Read what to judge from the input, and print what was said.

    Raises:
        SystemExit: A replaced module was never imported, so that nothing could change.
    """
    given = json.load(sys.stdin)
    replacements = [Replacement(*each) for each in given["replacements"]]
    install(replacements)
    rows = Rows(**{**given["rows"], **{name: _path(given["rows"][name]) for name in _PATHS}})
    found = judge(given["areas"], rows, lambda text: print(text, file=sys.stderr, flush=True))
    if unused := [each.module for each in replacements if each.module not in sys.modules]:
        raise SystemExit(f"never imported: {', '.join(unused)}")
    json.dump(found, sys.stdout)


_PATHS: Final = ("data", "cases", "cache")


def _path(text: str | None) -> Path | None:
    return None if text is None else Path(text)


def judge(
    areas: Iterable[str], rows: Rows, say: Callable[[str], None]
) -> dict[str, dict[str, Any]]:
    """Return the outcomes of each set of each area, and its origin."""
    found: dict[str, dict[str, Any]] = {}
    for area in areas:
        module, name = AREAS[area]
        sets: Iterable[RowSet] = getattr(
            importlib.import_module(f"benchmarks.effect.{module}"), name
        )
        for row_set in sets:
            if not missing_without(rows, row_set):
                outcomes = list(row_set.judge(rows))
                found[f"{area}: {row_set.name}"] = {"origin": row_set.origin, "rows": outcomes}
                say(f"{area}: {row_set.name}, {len(outcomes)} rows")
    return found
