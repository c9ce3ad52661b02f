"""Every judge on every set, both ways, with its cost: a page and a chart.

    python -m benchmarks.judges --data DATA [--engine NAME ...] [--set NAME ...] [--most 200]
        [--store FOLDER] [--same-engine] [--seconds S] [--page FILE] [--chart FILE] [--render]

`--data` is the folder of the public sets (research/notes/benchmarks.md). An engine is named as in
`Judges(nli=...)`; without `--engine`, those of bundled, large and judge that are installed. Each
judgement is stored at once, so that the same command goes on where a run was stopped; `--render`
runs nothing. Each engine has a process of its own, whose memory is measured.
"""

import argparse
import multiprocessing
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.judges.measuring import Measurement, measure
from benchmarks.judges.page import chart_of, page_of
from benchmarks.judges.sets import SETS
from benchmarks.judges.store import Store, shown_name
from groundtypes.backends.by_name import nli_by_name
from groundtypes.errors import MissingJudgeError

#: The engines that are measured unless others are named.
_ENGINES: Final = ("bundled", "large", "judge")
_NOT_FINISHED: Final = 3
#: The judgements of the page that the repository holds.
_STORE: Final = Path(__file__).parents[1] / "data" / "judges"


def main(argv: Sequence[str] | None = None) -> int:
    """Judge what is not judged yet, and write the page; return 3 if something is left."""
    args = _arguments(argv)
    store = Store(args.store)
    finished = True
    if not args.render:
        if args.data is None:
            raise SystemExit("--data is needed, except with --render")
        for engine in args.engine or list(_installed()):
            finished &= _measured(
                Measurement(
                    engine,
                    args.data,
                    store,
                    args.set,
                    args.most or None,
                    args.batch,
                    args.seconds,
                    args.same_engine,
                )
            )
    judges = list(dict.fromkeys(map(shown_name, args.engine))) or _in_order(store.judges())
    page = page_of(store, judges, _relative(args.chart, args.page), args.most)
    if args.page is None:
        print(page)
    else:
        args.page.write_text(page, encoding="utf-8")
    if args.chart is not None:
        args.chart.write_text(chart_of(store, judges), encoding="utf-8")
    return 0 if finished else _NOT_FINISHED


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path)
    parser.add_argument("--engine", action="append", default=[], metavar="NAME")
    parser.add_argument(
        "--set", action="append", default=[], choices=[judged.name for judged in SETS]
    )
    parser.add_argument("--most", type=int, default=200, help="rows of each set, 0 for all")
    parser.add_argument("--store", type=Path, default=_STORE)
    parser.add_argument(
        "--same-engine",
        action="store_true",
        help="go on although the stored judgements are of other files of the same weights",
    )
    parser.add_argument("--batch", type=int, default=16, help="texts that are judged together")
    parser.add_argument("--seconds", type=float, help="stop each engine after this time")
    parser.add_argument("--page", type=Path, help="write the page here; else print it")
    parser.add_argument("--chart", type=Path, help="write the chart here, as SVG")
    parser.add_argument(
        "--render", action="store_true", help="only make the page of what is stored"
    )
    return parser.parse_args(argv)


def _installed() -> Sequence[str]:
    """Return the engines that can be made here; say of the others what they need."""
    found = []
    for name in _ENGINES:
        try:
            nli_by_name(name)
        except MissingJudgeError as error:
            print(f"left out: {error}", file=sys.stderr)
        else:
            found.append(name)
    return found


def _measured(wanted: Measurement) -> bool:
    """Measure in a process of its own, and return whether nothing is left to judge.

    Raises:
        SystemExit: The process failed.
    """
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(measure, (wanted,))


def _in_order(names: Sequence[str]) -> list[str]:
    """Return names of judges, the smaller engines first."""
    known = [name for name in _ENGINES if name in names]
    return known + [name for name in names if name not in known]


def _relative(chart: Path | None, page: Path | None) -> str:
    """Return the path of the chart as a link of the page."""
    if chart is None:
        return "judges-compared.svg"
    return Path(os.path.relpath(chart, page.parent if page is not None else ".")).as_posix()


if __name__ == "__main__":
    sys.exit(main())
