"""How well groundtypes and other tools distinguish correct quotes from altered ones.

    python -m benchmarks.quote_quality [--part test] [--only groundtypes] [--quick] [--json FILE]
        [--misses FILE]

Reads the battery (`benchmarks/data/battery.md`): quotes changed harmlessly, which must be accepted;
typos, which only `fuzzy` accepts; and quotes changed in meaning, which must be rejected.
Prints the shares of each, with 95 % intervals (Wilson), and a table of all kinds. With more than
one reference, a tool accepts a quote if it accepts it in one of them.
"""

import argparse
import gzip
import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks import machine
from benchmarks.peers import Peer, peers
from groundtypes import find_quote

DATA = Path(__file__).parent / "data"
PACKAGES = ("fuzzysearch", "regex", "instructor", "langextract", "citations")
PEERS = ("substring", "rapidfuzz", "fuzzysearch", "CitationMixin", "langextract", "citations")
EXPECTED = {
    "accept": "harmless changes accepted",
    "reject": "changes of meaning rejected",
    "accept_fuzzy": "typos accepted",
}
#: A quick run takes one row in this many.
_QUICK = 10
#: Returns whether a quote is accepted in references.
Tool = Callable[[str, Mapping[str, str]], bool]
#: tool -> (expect, kind) -> [rows judged correctly, rows]
Counts = dict[str, dict[tuple[str, str], list[int]]]


def _ours(*, fuzzy: bool) -> Tool:
    def accepts(quote: str, references: Mapping[str, str]) -> bool:
        match = find_quote(quote, references, fuzzy=fuzzy)
        # `Quoted` rejects a quote that starts or ends inside a word or number.
        return match is not None and not match.cut

    return accepts


def _of_peer(peer: Peer) -> Tool:
    return lambda quote, references: any(
        peer(quote, text) is not None for text in references.values()
    )


def _rows(part: str, step: int) -> list[dict[str, Any]]:
    with gzip.open(DATA / f"battery_{part}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines][::step]


def _run(tools: Mapping[str, Tool], rows: list[dict[str, Any]]) -> Iterator[tuple[str, Any, bool]]:
    """Yield each tool, row, and whether the tool accepts the row's quote."""
    for row in rows:
        for name, accepts in tools.items():
            yield name, row, accepts(row["quote"], row["references"])


def _interval(right: int, of: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson)."""
    z = 1.96
    share = right / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return max(0.0, middle - half), min(1.0, middle + half)


def _shares(counts: Counts, names: list[str]) -> dict[str, dict[str, list[int]]]:
    """Return for each tool and expectation how many rows it got right, of how many."""
    totals: dict[str, dict[str, list[int]]] = {}
    for name in names:
        sums: dict[str, list[int]] = {expect: [0, 0] for expect in EXPECTED}
        for (expect, _), (right, of) in counts[name].items():
            sums[expect][0] += right
            sums[expect][1] += of
        totals[name] = sums
    return totals


def _print_shares(totals: Mapping[str, Mapping[str, list[int]]]) -> None:
    sizes = next(iter(totals.values()))
    heads = [f"{told} (of {sizes[expect][1]:,})" for expect, told in EXPECTED.items()]
    print(f"\n| tool | {' | '.join(heads)} |\n|---|{'---|' * len(heads)}")
    for name, sums in totals.items():
        cells = []
        for right, of in sums.values():
            low, high = _interval(right, of)
            cells.append(f"{right / of:.1%} ({low:.1%} to {high:.1%})")
        print(f"| {name} | {' | '.join(cells)} |")


def _print_kinds(counts: Counts, names: list[str]) -> None:
    for expect, told in EXPECTED.items():
        print(f"\n| {told}, % | rows | {' | '.join(names)} |\n|---|{'---|' * (len(names) + 1)}")
        for key, (_, of) in sorted(counts[names[0]].items()):
            if key[0] == expect:
                shares = " | ".join(f"{counts[name][key][0] / of:.0%}"[:-1] for name in names)
                print(f"| {key[1]} | {of} | {shares} |")


def main() -> None:
    """Ask all tools for all rows and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--part", choices=("tune", "test"), default="test")
    parser.add_argument("--only", type=lambda text: text.split(","), help="tools to ask")
    parser.add_argument("--quick", action="store_true", help=f"every {_QUICK}th row")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--misses", type=Path, help="JSON Lines of the rows that we get wrong")
    options = parser.parse_args()
    tools = {
        "groundtypes": _ours(fuzzy=False),
        "groundtypes, fuzzy": _ours(fuzzy=True),
    }
    wanted = [name for name in options.only or PEERS if name != "groundtypes"]
    if wanted:
        tools |= {name: _of_peer(peer) for name, peer in peers(*wanted).items()}
    counts: Counts = {name: defaultdict(lambda: [0, 0]) for name in tools}
    misses: list[dict[str, Any]] = []
    for name, row, accepted in _run(tools, _rows(options.part, _QUICK if options.quick else 1)):
        right = accepted == (row["expect"] != "reject")
        count = counts[name][row["expect"], row["kind"]]
        count[0] += right
        count[1] += 1
        strict = name == "groundtypes" and row["expect"] == "accept_fuzzy"
        if name.startswith("groundtypes") and right == strict:
            misses.append({"tool": name, "accepted": accepted, **row})
    described = machine.describe(PACKAGES)
    print(f"{machine.show(described)} Part {options.part}.")
    totals = _shares(counts, list(tools))
    _print_shares(totals)
    _print_kinds(counts, list(tools))
    if options.misses:
        lines = [json.dumps(miss, ensure_ascii=False) + "\n" for miss in misses]
        options.misses.write_text("".join(lines), encoding="utf-8")
    if options.json:
        kinds = [
            {"tool": name, "expect": expect, "kind": kind, "right": right, "of": of}
            for name, by_kind in counts.items()
            for (expect, kind), (right, of) in by_kind.items()
        ]
        report = {"machine": described, "part": options.part, "totals": totals, "kinds": kinds}
        options.json.write_text(json.dumps(report, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
