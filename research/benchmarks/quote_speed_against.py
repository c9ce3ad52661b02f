"""How fast a quote is found beside an earlier revision, and what is added to the scan of a text.

    python -m benchmarks.quote_speed_against REVISION [--rounds 3] [--searches 30]

The revision is checked out into a temporary worktree. Both search the same texts for the same 21
quotes of each kind with their own code, in fresh processes, one after the other in each round. A
quote counts with its fastest search, a kind with the median of its quotes, because other programs
can only make a search slower; shown is the median of the rounds.

The second table is of this tree alone: exact quotes in texts that have no index yet, less the time
that `str.find` takes for the same quote.
"""

import argparse
import gc
import statistics
import time
from collections.abc import Callable, Sequence

from benchmarks import machine
from benchmarks.revisions import measured, sources
from benchmarks.texts import KINDS, SIZES, quotes_of, text_of
from groundtypes import References, find_quote

QUOTES = 21
SEARCHED = ("5k", "50k", "500k")
SCANNED = (5_000, 50_000, 500_000, 900_000)
#: What each process runs. It uses only what both revisions have.
PROGRAM = """
import gc, json, statistics, sys, time
from groundtypes import References, find_quote

given = json.load(sys.stdin)
gc.disable()
found = {}
for size, (text, quotes_by_kind) in given["cases"].items():
    references = References(("0",), (text,))
    find_quote("Where the first search makes the index.", references)
    for kind, quotes in quotes_by_kind.items():
        least = []
        for quote in quotes:
            times = []
            for _ in range(given["searches"]):
                begun = time.perf_counter()
                find_quote(quote, references, fuzzy=True)
                times.append(time.perf_counter() - begun)
            least.append(min(times))
        found[f"{size} {kind}"] = statistics.median(least)
print(json.dumps(found))
"""


def least(run: Callable[[], object], searches: int) -> float:
    """Return the fewest seconds of so many calls."""
    times = []
    for _ in range(searches):
        begun = time.perf_counter()
        run()
        times.append(time.perf_counter() - begun)
    return min(times)


def beyond_the_scan(text: str, quotes: Sequence[str], searches: int) -> list[tuple[float, float]]:
    """Return for each quote the seconds of a scan, and those that the search takes in addition."""
    found = []
    for quote in quotes:
        # Collections that are equal would share an index, so there must be none.
        references = References(("0",), (text,))
        scan = least(lambda: text.find(quote), searches)  # noqa: B023 # called at once
        search = least(lambda: find_quote(quote, references), searches)  # noqa: B023 # likewise
        found.append((scan, search - scan))
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("revision")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--searches", type=int, default=30)
    options = parser.parse_args()
    print(machine.show(machine.describe(("rapidfuzz",))))
    cases = {
        size: (text_of(SIZES[size]), {kind: quotes_of(kind, SIZES[size], QUOTES) for kind in KINDS})
        for size in SEARCHED
    }
    given = {"cases": cases, "searches": options.searches}
    with sources(options.revision) as folders:
        rounds: list[dict[str, dict[str, float]]] = [
            {name: measured(source, PROGRAM, given) for name, source in folders.items()}
            for _ in range(options.rounds)
        ]
    print(
        f"\n| text, quote | {options.revision}, µs | this tree, µs | quotient |\n|---|---|---|---|"
    )
    for row in rounds[0]["this tree"]:
        before, now = (
            statistics.median(each[name][row] for each in rounds)
            for name in (options.revision, "this tree")
        )
        quotient = statistics.median(
            each["this tree"][row] / each[options.revision][row] for each in rounds
        )
        print(f"| {row} | {1e6 * before:.1f} | {1e6 * now:.1f} | {quotient:.2f} |")
    print("\n| characters | scan, µs | beyond it: median, most |\n|---|---|---|")
    gc.disable()
    for size in SCANNED:
        times = beyond_the_scan(text_of(size), quotes_of("exact", size, QUOTES), options.searches)
        scan = statistics.median(scan for scan, _ in times)
        beyond = [beyond for _, beyond in times]
        print(
            f"| {size:,} | {1e6 * scan:.1f} "
            f"| {1e6 * statistics.median(beyond):.1f}, {1e6 * max(beyond):.1f} |"
        )


if __name__ == "__main__":
    main()
