"""How well refusals are detected beside an earlier revision: the same texts, judged by both.

    python -m benchmarks.refusals_against REVISION --data DATA [--core] [--rounds 5]

The revision is checked out into a temporary worktree; both judge the texts with their own code, in
processes of their own. The first table counts the rows of the labelled test parts of which only one
of them tells whether they decline, with the probability of so uneven a count if neither were better
(McNemar's exact test), and the rows of which it tells the kind. The second counts the ordinary
answers that are flagged, and has the CPU time of a text in the fastest round; below it, both of all
ordinary answers together. `--core` measures both as installed without `groundtypes[nli]`.
"""

import argparse
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from rapidfuzz import fuzz

from benchmarks import machine
from benchmarks.revisions import measured, sources
from corpora.refusal_replies import written_replies
from corpora.refusal_sets import ANSWERING_SETS, SETS, answering_texts, replies

__all__ = ["chance", "main", "without_near_copies"]

#: Texts whose words are at least so similar, in percent, are near copies of one another.
_NEAR_COPY: Final = 70

#: What each process runs. An earlier revision may have no transformer, or keep nothing it said.
PROGRAM = """
import json, sys, time
from types import SimpleNamespace
from groundtypes import detect_refusal
try:
    from groundtypes.refusals import transformer
except ImportError:
    transformer = SimpleNamespace()

def judge(texts):
    getattr(transformer, "_known", {}).clear()
    begun = time.process_time()
    kinds = [detect_refusal(text).kind.value for text in texts]
    return kinds, time.process_time() - begun

given = json.load(sys.stdin)
if given["core"]:
    transformer._loader = lambda: None
found = {}
for name, texts in given["texts"].items():
    rounds = [judge(texts) for _ in range(given["rounds"])]
    kinds, _ = rounds[0]
    found[name] = kinds, min(seconds for _, seconds in rounds)
json.dump(found, sys.stdout)
"""


class Judged(NamedTuple):
    """What a revision says of the texts of a set, and the CPU time that it takes for all."""

    kinds: list[str]
    seconds: float


def chance(one: int, other: int) -> float:
    """Return the probability of counts at least as uneven, if either is as likely for each row."""
    number, fewer = one + other, min(one, other)
    tail: float = sum(math.comb(number, count) for count in range(fewer + 1)) / 2**number
    return min(1.0, 2 * tail)


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print Markdown."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("revision")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--core", action="store_true")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(argv)
    print(machine.show(machine.describe(("onnxruntime",))))
    labelled = labelled_texts(options.data)
    ordinary = {name: answering_texts(options.data, name) for name in ANSWERING_SETS}
    texts = {name: [text for text, _ in rows] for name, rows in labelled.items()} | ordinary
    given = {"texts": texts, "core": options.core, "rounds": options.rounds}
    with sources(options.revision) as folders:
        before, now = (
            {name: Judged(*found) for name, found in measured(folder, PROGRAM, given).items()}
            for folder in (folders[options.revision], folders["this tree"])
        )
    kinds = {name: [kind for _, kind in rows] for name, rows in labelled.items()}
    print_labelled(kinds, before, now)
    print_texts(texts, before, now)


def labelled_texts(data: Path) -> dict[str, list[tuple[str, str]]]:
    """Return the test part of each labelled set: texts and their kinds."""
    rows_by_set = {
        name: [(row.text, row.kind) for row in replies(data, name) if row.part == "test"]
        for name in SETS
    }
    written = list(written_replies())
    rows_by_set["written, test domains"] = [
        (row.text, row.kind) for row in written if row.part == "test"
    ]
    rows_by_set["written, untrained languages"] = [
        (row.text, row.kind) for row in written if row.part == "untrained"
    ]
    return rows_by_set


def print_labelled(
    kinds_by_set: Mapping[str, Sequence[str]],
    before: Mapping[str, Judged],
    now: Mapping[str, Judged],
) -> None:
    """Print how many rows of each set either gets right."""
    print(
        "\nWhether a text declines: rows that are wrong before and now, and in one of them alone."
    )
    print("The last two columns have the rows of which the kind is right.\n")
    print("| set | rows | wrong then | now | only then | only now | chance | kinds then | now |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, kinds in kinds_by_set.items():
        found = before[name].kinds, now[name].kinds
        wrong_then, wrong_now = (
            [
                (kind == "answer") != (said == "answer")
                for kind, said in zip(kinds, all_said, strict=True)
            ]
            for all_said in found
        )
        pairs = list(zip(wrong_then, wrong_now, strict=True))
        only_then, only_now = pairs.count((True, False)), pairs.count((False, True))
        right = [
            sum(kind == said for kind, said in zip(kinds, all_said, strict=True))
            for all_said in found
        ]
        print(
            f"| {name} | {len(kinds):,} | {sum(wrong_then)} | {sum(wrong_now)} | {only_then} "
            f"| {only_now} | {chance(only_then, only_now):.2f} | {right[0]:,} | {right[1]:,} |"
        )


def print_texts(
    texts_by_set: Mapping[str, Sequence[str]],
    before: Mapping[str, Judged],
    now: Mapping[str, Judged],
) -> None:
    """Print how many ordinary answers are flagged, and the time that a text of each set takes."""
    print("\nOrdinary answers that are flagged, and the CPU time of a text in microseconds:\n")
    print("| texts | number | flagged then | now | time then | now |\n|---|---|---|---|---|---|")
    for name, texts in texts_by_set.items():
        found = before[name], now[name]
        flagged = [
            str(sum(kind != "answer" for kind in judged.kinds)) if name in ANSWERING_SETS else ""
            for judged in found
        ]
        times = [f"{1e6 * judged.seconds / len(texts):,.1f}" for judged in found]
        print(f"| {name} | {len(texts):,} | {' | '.join([*flagged, *times])} |")
    print_all_ordinary({name: texts_by_set[name] for name in ANSWERING_SETS}, before, now)


def print_all_ordinary(
    texts_by_set: Mapping[str, Sequence[str]],
    before: Mapping[str, Judged],
    now: Mapping[str, Judged],
) -> None:
    """Print the same of all ordinary answers together, with near copies counted once."""
    number = sum(map(len, texts_by_set.values()))
    print()
    for when, judged_by_set in (("Then", before), ("Now", now)):
        flagged = [
            text
            for name, texts in texts_by_set.items()
            for text, kind in zip(texts, judged_by_set[name].kinds, strict=True)
            if kind != "answer"
        ]
        seconds = sum(judged_by_set[name].seconds for name in texts_by_set)
        print(
            f"{when}: {len(flagged)} of {number:,} ordinary answers are flagged, "
            f"{len(without_near_copies(flagged))} if near copies are counted once; "
            f"{1e6 * seconds / number:.1f} microseconds a text."
        )


def without_near_copies(texts: Sequence[str]) -> list[str]:
    """Return the texts but for those that share most of their words with an earlier one."""
    kept: list[str] = []
    for text in texts:
        if all(fuzz.token_set_ratio(text, other) < _NEAR_COPY for other in kept):
            kept.append(text)
    return kept


if __name__ == "__main__":
    main()
