"""How well groundtypes and other tools distinguish correct quotes from altered ones.

    python -m benchmarks.quote_quality [--part test] [--only groundtypes] [--quick] [--json FILE]
        [--misses FILE]

Reads the battery (`research/benchmarks/data/battery.md`): quotes changed harmlessly, which must be
accepted; typos, which only `fuzzy` accepts; and quotes changed in meaning, which must be rejected.
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


def _interval(correct: int, total: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson)."""
    z = 1.96
    share = correct / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = (
        z
        * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
        / (1 + z * z / total)
    )
    return max(0.0, middle - half), min(1.0, middle + half)


def _shares(counts: Counts, names: list[str]) -> dict[str, dict[str, list[int]]]:
    """Return for each tool and expectation the rows judged correctly, and all rows."""
    totals: dict[str, dict[str, list[int]]] = {}
    for name in names:
        by_expectation: dict[str, list[int]] = {expect: [0, 0] for expect in EXPECTED}
        for (expect, _), (correct, total) in counts[name].items():
            by_expectation[expect][0] += correct
            by_expectation[expect][1] += total
        totals[name] = by_expectation
    return totals


def _print_shares(totals: Mapping[str, Mapping[str, list[int]]]) -> None:
    sizes = next(iter(totals.values()))
    headings = [f"{heading} (of {sizes[expect][1]:,})" for expect, heading in EXPECTED.items()]
    print(f"\n| tool | {' | '.join(headings)} |\n|---|{'---|' * len(headings)}")
    for name, by_expectation in totals.items():
        cells = []
        for correct, total in by_expectation.values():
            low, high = _interval(correct, total)
            cells.append(f"{correct / total:.1%} ({low:.1%} to {high:.1%})")
        print(f"| {name} | {' | '.join(cells)} |")


def _print_kinds(counts: Counts, names: list[str]) -> None:
    for expect, heading in EXPECTED.items():
        print(f"\n| {heading}, % | rows | {' | '.join(names)} |\n|---|{'---|' * (len(names) + 1)}")
        for key, (_, total) in sorted(counts[names[0]].items()):
            if key[0] == expect:
                shares = " | ".join(f"{counts[name][key][0] / total:.0%}"[:-1] for name in names)
                print(f"| {key[1]} | {total} | {shares} |")


def main() -> None:
    """Run all tools on all rows, and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--part", choices=("tune", "test"), default="test")
    parser.add_argument("--only", type=lambda text: text.split(","), help="tools to measure")
    parser.add_argument("--quick", action="store_true", help=f"every {_QUICK}th row")
    parser.add_argument("--json", type=Path)
    parser.add_argument(
        "--misses", type=Path, help="write the rows that groundtypes judges incorrectly here"
    )
    options = parser.parse_args()
    tools = {
        "groundtypes": _ours(fuzzy=False),
        "groundtypes, fuzzy": _ours(fuzzy=True),
    }
    peer_names = [name for name in options.only or PEERS if name != "groundtypes"]
    if peer_names:
        tools |= {name: _of_peer(peer) for name, peer in peers(*peer_names).items()}
    counts: Counts = {name: defaultdict(lambda: [0, 0]) for name in tools}
    misses: list[dict[str, Any]] = []
    for name, row, accepted in _run(tools, _rows(options.part, _QUICK if options.quick else 1)):
        is_correct = accepted == (row["expect"] != "reject")
        count = counts[name][row["expect"], row["kind"]]
        count[0] += is_correct
        count[1] += 1
        strict = name == "groundtypes" and row["expect"] == "accept_fuzzy"
        if name.startswith("groundtypes") and is_correct == strict:
            misses.append({"tool": name, "accepted": accepted, **row})
    machine_description = machine.describe(PACKAGES)
    print(f"{machine.show(machine_description)} Part {options.part}.")
    totals = _shares(counts, list(tools))
    _print_shares(totals)
    _print_kinds(counts, list(tools))
    if options.misses:
        lines = [json.dumps(miss, ensure_ascii=False) + "\n" for miss in misses]
        options.misses.write_text("".join(lines), encoding="utf-8")
    if options.json:
        kinds = [
            {"tool": name, "expect": expect, "kind": kind, "right": is_correct, "of": of}
            for name, by_kind in counts.items()
            for (expect, kind), (is_correct, of) in by_kind.items()
        ]
        report = {
            "machine": machine_description,
            "part": options.part,
            "totals": totals,
            "kinds": kinds,
        }
        options.json.write_text(json.dumps(report, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
