"""What a part of the package changes on every set, both ways.

    python -m benchmarks.effect [--replace MODULE:NAME=EXPRESSION ...] [--against REVISION]
        [--area AREA ...] [--data DATA] [--cases CASES] [--quick] [--rows] [--each]

With `--replace`, this tree is compared with itself where the name has another value, such as
`quotes.search:find="lambda *_: None"`. The expression may use the old value by its name, and
`Class.method` is a name. Several replacements are made together, or one after the other (`--each`).
With `--against`, an earlier revision is compared with this tree. DATA is the folder of public sets
(research/notes/benchmarks.md), CASES one of case files. What this tree said is stored in `--store`,
as long as neither its sources nor the rows change.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks.effect.comparison import Run, changed_rows, table
from benchmarks.effect.judging import AREAS, PROGRAM
from benchmarks.effect.replacement import Replacement, read_replacement
from benchmarks.revisions import ROOT, measured, sources

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> None:
    """Judge, and print the tables as Markdown."""
    options = _parser().parse_args(argv)
    options.store.mkdir(parents=True, exist_ok=True)
    areas = list(AREAS) if options.area is None else options.area
    with ExitStack() as stack:
        source = ROOT / "src"
        then = source
        if options.against is not None:
            then = stack.enter_context(sources(options.against))[options.against]
        before = {area: _outcomes(then, area, (), options) for area in areas}
        for replacements in _variants(options.replace, each=options.each):
            print(f"\n## {'; '.join(map(str, replacements)) or 'this tree'}\n")
            now = {area: _outcomes(source, area, replacements, options) for area in areas}
            _print(_joined(before), _joined(now), options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--replace", type=read_replacement, action="append", default=[])
    parser.add_argument("--each", action="store_true", help="one replacement after the other")
    parser.add_argument("--against", metavar="REVISION")
    parser.add_argument("--area", choices=AREAS, action="append")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--cases", type=Path)
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows of large sets")
    parser.add_argument("--most", type=int, default=20, help="texts of a set for the NLI model")
    parser.add_argument("--all", action="store_true", help="also the sets without a change")
    parser.add_argument("--rows", action="store_true", help="show each row that changes")
    parser.add_argument("--store", type=Path, default=ROOT / "build" / "effect")
    return parser


def _variants(
    replacements: Sequence[Replacement], *, each: bool
) -> Iterator[tuple[Replacement, ...]]:
    if each:
        yield from ((replacement,) for replacement in replacements)
    else:
        yield tuple(replacements)


def _outcomes(
    source: Path, area: str, replacements: Sequence[Replacement], options: argparse.Namespace
) -> Run:
    """Return what the sources say of an area, from the store where it is there."""
    rows = {
        "data": _text(options.data),
        "cases": _text(options.cases),
        "every": 10 if options.quick else 1,
        "most": options.most,
        "cache": _text(options.store),
    }
    given = {"areas": [area], "rows": rows, "replacements": list(replacements)}
    state = json.dumps([given, _digest(source), _digest(Path(__file__).parent)])
    path = options.store / f"{hashlib.sha256(state.encode()).hexdigest()[:24]}.json"
    if not path.exists():
        print(f"{area}: judging", file=sys.stderr, flush=True)
        path.write_text(json.dumps(measured(source, PROGRAM, given)), encoding="utf-8")
    found: Run = json.loads(path.read_text(encoding="utf-8"))
    return found


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path.resolve())


def _digest(folder: Path) -> str:
    """Return a hash of all files of a folder but models, whose names and sizes count."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            large = path.stat().st_size > 2**20
            content = str(path.stat().st_size).encode() if large else path.read_bytes()
            digest.update(f"{path.relative_to(folder)} {len(content)} ".encode() + content)
    return digest.hexdigest()


def _joined(by_area: dict[str, Run]) -> dict[str, Any]:
    return {name: found for run in by_area.values() for name, found in run.items()}


def _print(before: Run, now: Run, options: argparse.Namespace) -> None:
    print(table(before, now, every=options.all))
    if options.rows:
        print("\n" + "\n".join(changed_rows(before, now)))


if __name__ == "__main__":
    main()
