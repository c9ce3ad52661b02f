"""How fast quotes are found, beside other tools, on the same real text in the same run.

    python -m benchmarks.quote_speed [--sizes 5k,50k] [--only groundtypes] [--quick] [--json FILE]

1. One quote of each kind (exact; other typography; one letter missing; absent), in texts of
   5 kB to 5 MB that were searched once before: the median over up to 21 different quotes, each
   searched once. Every tool is set to tolerate typos.
2. 1,000 mixed quotes in each text, including preparation (an index).
3. The memory of the index, and how time grows with the text and with the number of quotes.

Every cell of the tables runs in a process of its own, which is ended after `--cap` seconds. A tool
that did not finish a single quote is printed as "> cap", and is not run on longer texts.
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
#: Tools that return no position and tolerate no typo: printed, but not compared.
WITHOUT_POSITION = ("citations",)
QUOTES = 21
MANY = 1_000
#: A tool prepares a text, and returns a function that tells whether a quote occurs in it.
Tool = Callable[[str], Callable[[str], bool]]


@dataclass
class Cell:
    """The measurements of one tool on quotes of one kind in one text."""

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
        """The median time of a search, without the first if there are several."""
        return statistics.median(self.seconds[1:] or self.seconds) if self.seconds else None

    @property
    def total(self) -> float | None:
        """The seconds for all quotes, extrapolated from those that were finished."""
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
    # Warm-up: a forked process copies each memory page on its first write, which is not measured.
    search = tool(text_of(_WARMING))
    for kind in KINDS:
        for quote in quotes_of(kind, _WARMING, 3):
            search(quote)
    start = time.perf_counter()
    search = tool(text)
    pipe.send((time.perf_counter() - start, False))
    for quote in quotes:
        start = time.perf_counter()
        is_found = search(quote)
        pipe.send((time.perf_counter() - start, is_found))
    pipe.close()


def _measure(cell: Cell, tool: Tool, quotes: Sequence[str], cap: float) -> Cell:
    """Fill a cell from a process that is ended after `cap` seconds."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(sender, tool, text_of(SIZES[cell.size]), quotes))
    end = time.monotonic() + cap
    process.start()
    sender.close()
    cell.asked = len(quotes)
    # The pipe ends when the process does.
    with suppress(EOFError):
        if receiver.poll(cap):
            cell.prepared = receiver.recv()[0]
        while receiver.poll(max(0.0, end - time.monotonic())):
            seconds, found = receiver.recv()
            cell.seconds.append(seconds)
            cell.found += found
    process.kill()
    process.join()
    return cell


def _cells(
    tools: dict[str, Tool], sizes: Sequence[str], kinds: Sequence[str], cap: float
) -> Iterator[Cell]:
    """Yield a cell for each size, kind and tool; tools that were too slow before are not run."""
    too_slow: set[tuple[str, str]] = set()
    for size in sizes:
        for kind in kinds:
            is_mixed = kind == "mixed"
            quotes = mixed(SIZES[size], MANY) if is_mixed else quotes_of(kind, SIZES[size], QUOTES)
            for name, tool in tools.items():
                cell = Cell(name, size, kind)
                if (name, kind) not in too_slow:
                    _measure(cell, tool, quotes, cap)
                    if not cell.seconds:
                        too_slow.add((name, kind))
                yield cell


def _human(seconds: float | None, cap: float, *, run: bool = True) -> str:
    if seconds is None:
        return f"> {cap:g} s" if run else "not run"
    if seconds < 0.1:
        return f"{seconds * 1e3:.3g} ms"
    return f"{seconds:,.2f} s" if seconds < 10 else f"{seconds:,.0f} s"


def _ratio(cells: Sequence[Cell], value: Callable[[Cell], float | None]) -> str:
    """Return the time of the fastest other tool that returns a position, divided by ours."""
    times = {cell.tool: value(cell) for cell in cells if cell.tool not in WITHOUT_POSITION}
    ours = times.pop(OURS, None)
    fastest = min((other for other in times.values() if other is not None), default=None)
    return f"{fastest / ours:,.1f}" if ours and fastest else ""


def _table(cells: Sequence[Cell], names: Sequence[str], cap: float) -> None:
    """Print the medians of single quotes, and how many of the searched quotes were found."""
    print(f"\n| text | quote | {' | '.join(names)} | fastest other tool / {OURS} |")
    print("|---" * (len(names) + 3) + "|")
    for start in range(0, len(cells), len(names)):
        row = cells[start : start + len(names)]
        formatted = [
            _human(cell.median, cap, run=cell.asked > 0)
            + (f" ({cell.found}/{len(cell.seconds)})" if cell.seconds else "")
            for cell in row
        ]
        line_start = f"| {row[0].size} | {row[0].kind} | {' | '.join(formatted)}"
        print(f"{line_start} | {_ratio(row, lambda cell: cell.median)} |")


def _table_of_many(cells: Sequence[Cell], names: Sequence[str], cap: float) -> None:
    """Print the seconds of many quotes, marked where they are extrapolated."""
    print(f"\n{MANY:,} mixed quotes, preparation included (~: extrapolated from those finished):\n")
    print(f"| text | {' | '.join(names)} | fastest other tool / {OURS} |")
    print("|---" * (len(names) + 2) + "|")
    for start in range(0, len(cells), len(names)):
        row = cells[start : start + len(names)]
        formatted = [
            ("~" if 0 < len(cell.seconds) < cell.asked else "")
            + _human(cell.total, cap, run=cell.asked > 0)
            for cell in row
        ]
        print(
            f"| {row[0].size} | {' | '.join(formatted)} | {_ratio(row, lambda cell: cell.total)} |"
        )


def _growth(cells: Sequence[Cell]) -> None:
    """Print the exponent with which our time grows with the length of the text."""
    print("\nGrowth of the time of one quote with the text (0 is constant, 1 is linear):")
    for kind in KINDS:
        ours = [cell for cell in cells if cell.tool == OURS and cell.kind == kind]
        times = [(SIZES[cell.size], cell.median) for cell in ours if cell.median]
        if len(times) > 1:
            (shortest, first_time), (longest, last_time) = times[0], times[-1]
            print(
                f"- {kind}: {math.log(last_time / first_time) / math.log(longest / shortest):.2f}"
            )


def _growth_with_quotes(size: str, counts: Sequence[int]) -> dict[int, float]:
    """Print and return the seconds of a growing number of quotes, index included."""
    print(f"\nNumber of quotes in {size}, the index included:")
    seconds = {}
    for count in counts:
        quotes = mixed(SIZES[size], count)
        start = time.perf_counter()
        search = _ours(text_of(SIZES[size]))
        prepared = time.perf_counter() - start
        for quote in quotes:
            search(quote)
        seconds[count] = time.perf_counter() - start
        each = (seconds[count] - prepared) / count * 1e3
        total = f"{seconds[count]:.2f} s, of which index {prepared:.2f} s"
        print(f"- {count:,}: {total}; {each:.3f} ms each")
    return seconds


def _memory(sizes: Sequence[str]) -> dict[str, float]:
    """Print and return the bytes per character of the text that the index holds."""
    print("\nMemory of the index, bytes per character (held; peak while it is built):")
    bytes_per_character = {}
    for size in sizes:
        text = text_of(SIZES[size])
        references = References(("0",), (text,))
        tracemalloc.start()
        find_quote("Where the first search makes the index.", references)
        current, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        bytes_per_character[size] = current / len(text)
        print(f"- {size}: {current / len(text):.2f}; {peak / len(text):.2f}")
    return bytes_per_character


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
        peer_names = [name for name in options.only or [] if name != OURS]
        installed = peers(*peer_names)
        # The operator `in` is not compared: it tolerates no difference.
        installed.pop("substring", None)
        tools |= {name: _of_peer(peer) for name, peer in installed.items()}
    machine_description = machine.describe(PACKAGES)
    print(machine.show(machine_description))
    single_quote_cells = list(_cells(tools, options.sizes, KINDS, options.cap))
    _table(single_quote_cells, list(tools), options.cap)
    many_quote_cells = list(_cells(tools, options.sizes, ["mixed"], options.cap))
    _table_of_many(many_quote_cells, list(tools), options.cap)
    report: dict[str, Any] = {
        "machine": machine_description,
        "cells": [vars(cell) for cell in single_quote_cells + many_quote_cells],
    }
    if not options.quick:
        _growth(single_quote_cells)
        report["quotes"] = _growth_with_quotes(options.sizes[-1], (10, 100, 1_000, 5_000))
        report["memory"] = _memory(options.sizes)
    if options.json:
        options.json.write_text(json.dumps(report, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
