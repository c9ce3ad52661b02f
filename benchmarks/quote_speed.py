"""How fast quotes are found, beside other tools, on the same real text in the same run.

    python -m benchmarks.quote_speed [--sizes 5k,50k] [--only groundtypes] [--quick] [--json FILE]

1. One quote of each kind (exact; other typography; one letter forgotten; absent), in texts of
   5 kB to 5 MB that were searched once before: the median over up to 21 different quotes, each
   searched once. Every tool is set to forgive slips.
2. 1,000 mixed quotes in each text, what a tool prepares (an index) included.
3. The memory of the index, and how time grows with the text and with the number of quotes.

Every cell of the tables runs in a process of its own, which is ended after `--cap` seconds. A tool
that did not finish a single quote is shown as "> cap", and is not run on longer texts.
"""

import argparse
import json
import math
import multiprocessing
import statistics
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from benchmarks import machine
from benchmarks.peers import Peer, peers
from benchmarks.texts import KINDS, SIZES, mixed, quotes_of, text_of
from groundtypes import References, find_quote

OURS = "groundtypes"
PACKAGES = ("fuzzysearch", "regex", "instructor", "langextract", "citations")
#: Tells whether a quote stands in a text, not where, and forgives no slip: shown, not compared.
PLACELESS = ("citations",)
QUOTES = 21
MANY = 1_000
#: A tool prepares a text, and then says of quotes whether it finds them there.
Tool = Callable[[str], Callable[[str], bool]]


@dataclass
class Cell:
    """What one tool did with some quotes in one text."""

    tool: str
    size: str
    kind: str
    #: The seconds of each quote that was finished, and how many of them were found.
    seconds: list[float] = field(default_factory=list)
    found: int = 0
    #: The seconds to prepare the text.
    prepared: float = 0.0
    asked: int = 0

    @property
    def median(self) -> float | None:
        """The median of one search; the first warms up where there are more."""
        return statistics.median(self.seconds[1:] or self.seconds) if self.seconds else None

    @property
    def total(self) -> float | None:
        """The seconds of all quotes asked for, extrapolated from those that were finished."""
        if not self.seconds:
            return None
        return self.prepared + sum(self.seconds) * self.asked / len(self.seconds)


#: The length of the text in which each tool searches before it is timed.
_WARMING = 2_000


def _ours(text: str) -> Callable[[str], bool]:
    references = References(("0",), (text,))
    find_quote("Where the first search makes the index.", references)
    return lambda quote: find_quote(quote, references, fuzzy=True) is not None


def _of_peer(peer: Peer) -> Tool:
    return lambda text: lambda quote: peer(quote, text) is not None


def _work(pipe: Connection, tool: Tool, text: str, quotes: Sequence[str]) -> None:
    # A forked process copies each page of memory that it writes to first: not what is measured.
    search = tool(text_of(_WARMING))
    for kind in KINDS:
        for quote in quotes_of(kind, _WARMING, 3):
            search(quote)
    started = time.perf_counter()
    search = tool(text)
    pipe.send((time.perf_counter() - started, False))
    for quote in quotes:
        started = time.perf_counter()
        found = search(quote)
        pipe.send((time.perf_counter() - started, found))
    pipe.close()


def _measure(cell: Cell, tool: Tool, quotes: Sequence[str], cap: float) -> Cell:
    """Fill a cell from a process that is ended after `cap` seconds."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(theirs, tool, text_of(SIZES[cell.size]), quotes))
    end = time.monotonic() + cap
    process.start()
    theirs.close()
    cell.asked = len(quotes)
    # The pipe ends when the process does.
    with suppress(EOFError):
        if ours.poll(cap):
            cell.prepared = ours.recv()[0]
        while ours.poll(max(0.0, end - time.monotonic())):
            seconds, found = ours.recv()
            cell.seconds.append(seconds)
            cell.found += found
    process.kill()
    process.join()
    return cell


def _cells(
    tools: dict[str, Tool], sizes: Sequence[str], kinds: Sequence[str], cap: float
) -> Iterator[Cell]:
    """Yield a cell for each size, kind and tool that the size before did not end."""
    ended: set[tuple[str, str]] = set()
    for size in sizes:
        for kind in kinds:
            many = kind == "mixed"
            quotes = mixed(SIZES[size], MANY) if many else quotes_of(kind, SIZES[size], QUOTES)
            for name, tool in tools.items():
                cell = Cell(name, size, kind)
                if (name, kind) not in ended:
                    _measure(cell, tool, quotes, cap)
                    if not cell.seconds:
                        ended.add((name, kind))
                yield cell


def _human(seconds: float | None, cap: float, *, run: bool = True) -> str:
    if seconds is None:
        return f"> {cap:g} s" if run else "not run"
    if seconds < 0.1:
        return f"{seconds * 1e3:.3g} ms"
    return f"{seconds:,.2f} s" if seconds < 10 else f"{seconds:,.0f} s"


def _ratio(cells: Sequence[Cell], value: Callable[[Cell], float | None]) -> str:
    """Return how many times longer the fastest of the others takes that tell the place."""
    times = {cell.tool: value(cell) for cell in cells if cell.tool not in PLACELESS}
    ours = times.pop(OURS, None)
    fastest = min((other for other in times.values() if other is not None), default=None)
    return f"{fastest / ours:,.1f}" if ours and fastest else ""


def _table(cells: Sequence[Cell], names: Sequence[str], cap: float) -> None:
    """Print the medians of single quotes, and how many of the searched quotes were found."""
    print(f"\n| text | quote | {' | '.join(names)} | fastest other tool / {OURS} |")
    print("|---" * (len(names) + 3) + "|")
    for at in range(0, len(cells), len(names)):
        row = cells[at : at + len(names)]
        shown = [
            _human(cell.median, cap, run=cell.asked > 0)
            + (f" ({cell.found}/{len(cell.seconds)})" if cell.seconds else "")
            for cell in row
        ]
        head = f"| {row[0].size} | {row[0].kind} | {' | '.join(shown)}"
        print(f"{head} | {_ratio(row, lambda cell: cell.median)} |")


def _table_of_many(cells: Sequence[Cell], names: Sequence[str], cap: float) -> None:
    """Print the seconds of many quotes, marked where they are extrapolated."""
    print(f"\n{MANY:,} mixed quotes, preparation included (~: extrapolated from those finished):\n")
    print(f"| text | {' | '.join(names)} | fastest other tool / {OURS} |")
    print("|---" * (len(names) + 2) + "|")
    for at in range(0, len(cells), len(names)):
        row = cells[at : at + len(names)]
        shown = [
            ("~" if 0 < len(cell.seconds) < cell.asked else "")
            + _human(cell.total, cap, run=cell.asked > 0)
            for cell in row
        ]
        print(f"| {row[0].size} | {' | '.join(shown)} | {_ratio(row, lambda cell: cell.total)} |")


def _growth(cells: Sequence[Cell]) -> None:
    """Print by which power of the text's length our time grows, from the first size to the last."""
    print("\nGrowth of the time of one quote with the text (0 is constant, 1 is linear):")
    for kind in KINDS:
        ours = [cell for cell in cells if cell.tool == OURS and cell.kind == kind]
        times = [(SIZES[cell.size], cell.median) for cell in ours if cell.median]
        if len(times) > 1:
            (low, first), (high, last) = times[0], times[-1]
            print(f"- {kind}: {math.log(last / first) / math.log(high / low):.2f}")


def _growth_with_quotes(size: str, counts: Sequence[int]) -> dict[int, float]:
    """Print and return the seconds of a growing number of quotes, index included."""
    print(f"\nNumber of quotes in {size}, the index included:")
    taken = {}
    for count in counts:
        quotes = mixed(SIZES[size], count)
        started = time.perf_counter()
        search = _ours(text_of(SIZES[size]))
        prepared = time.perf_counter() - started
        for quote in quotes:
            search(quote)
        taken[count] = time.perf_counter() - started
        each = (taken[count] - prepared) / count * 1e3
        total = f"{taken[count]:.2f} s, of which index {prepared:.2f} s"
        print(f"- {count:,}: {total}; {each:.3f} ms each")
    return taken


def _memory(sizes: Sequence[str]) -> dict[str, float]:
    """Print and return the bytes that the index holds for a character of the text."""
    print("\nMemory of the index, bytes a character (held; at most while it is made):")
    held_by = {}
    for size in sizes:
        text = text_of(SIZES[size])
        references = References(("0",), (text,))
        tracemalloc.start()
        find_quote("Where the first search makes the index.", references)
        held, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        held_by[size] = held / len(text)
        print(f"- {size}: {held / len(text):.2f}; {peak / len(text):.2f}")
    return held_by


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=lambda text: text.split(","), default=list(SIZES))
    parser.add_argument("--only", type=lambda text: text.split(","), help="tools to measure")
    parser.add_argument("--cap", type=float, help="seconds for a cell; 30, or 5 when quick")
    parser.add_argument("--quick", action="store_true", help="a short cap; no growth, no memory")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if unknown := set(options.sizes) - set(SIZES):
        parser.error(f"no such sizes: {', '.join(unknown)}; there are {', '.join(SIZES)}")
    options.cap = options.cap or (5.0 if options.quick else 30.0)
    return options


def main() -> None:
    """Measure all and print."""
    options = _options()
    tools: dict[str, Tool] = {OURS: _ours}
    if options.only != [OURS]:
        wanted = [name for name in options.only or [] if name != OURS]
        found = peers(*wanted)
        # The plain `in` is no peer: it forgives nothing.
        found.pop("substring", None)
        tools |= {name: _of_peer(peer) for name, peer in found.items()}
    described = machine.describe(PACKAGES)
    print(machine.show(described))
    single = list(_cells(tools, options.sizes, KINDS, options.cap))
    _table(single, list(tools), options.cap)
    many = list(_cells(tools, options.sizes, ["mixed"], options.cap))
    _table_of_many(many, list(tools), options.cap)
    report: dict[str, Any] = {"machine": described, "cells": [vars(cell) for cell in single + many]}
    if not options.quick:
        _growth(single)
        report["quotes"] = _growth_with_quotes(options.sizes[-1], (10, 100, 1_000, 5_000))
        report["memory"] = _memory(options.sizes)
    if options.json:
        options.json.write_text(json.dumps(report, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
