"""How well `Cited` finds markers, unknown and missing sources, and judges cited sentences.

    python -m benchmarks.citation_quality [--split test] [--data DATA] [--most 500] [--json FILE]

The answers were written for this (`research/benchmarks/data/cited_answers.md`). Nothing is tuned on
those of the split `test`. A cited sentence is also given to `Entailed` and `Figures`, without its
markers and with the references that it cites: `Cited` should be no worse. With `--data` and
`--split tune`, rows of AttributionBench are judged, too.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final

from rapidfuzz.distance import LCSseq

from benchmarks import machine
from corpora.cited_answers import CitedRow, load_answers
from corpora.rows import read_rows
from groundtypes import Cited, Entailed, Figures, Grounded, Verdict, audit_many
from groundtypes.citations.markers.marker_reader import read_markers
from groundtypes.references import References

__all__ = ["main"]

_UNKNOWN: Final = "?"


class Judged(Grounded):
    """A sentence that references should entail, with all its figures."""

    text: Annotated[str, Entailed(), Figures()]


class CitedAnswer(Grounded):
    """An answer whose markers count for their sentences."""

    text: Annotated[str, Cited()]


class CitedParagraphs(Grounded):
    """An answer whose markers count for their paragraphs."""

    text: Annotated[str, Cited(scope="paragraph")]


@dataclass
class Share:
    """How many of some were right."""

    right: int = 0
    of: int = 0

    def add(self, *, is_right: bool) -> None:
        """Count one."""
        self.right += is_right
        self.of += 1

    def __str__(self) -> str:
        return f"{self.right / max(self.of, 1):.1%} of {self.of}"


@dataclass
class Counts:
    """What was counted over all answers."""

    shares: dict[str, Share] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def add(self, name: str, what: str, *, is_right: bool) -> None:
        """Count one of a name."""
        self.shares.setdefault(name, Share()).add(is_right=is_right)
        if not is_right:
            self.wrong.append(f"{name}: {what}")


def count_markers(row: CitedRow, counts: Counts) -> None:
    """Compare the ids that the markers of an answer name, in their order."""
    marked = read_markers(row.answer, References.of(row.texts))
    found = [
        _UNKNOWN if marked.ids.get(label) is None else marked.ids[label]
        for marker in marked.markers
        for label in marker.labels
    ]
    wanted = [
        _UNKNOWN if id_.startswith(_UNKNOWN) else id_
        for marker in row.markers
        for id_ in marker["ids"]
    ]
    common = LCSseq.similarity(found, wanted)
    what = f"{row.id} ({row.style}): {found} for {wanted}"
    for number in range(len(wanted)):
        counts.add("labels of markers found", what, is_right=number < common)
    for number in range(len(found)):
        counts.add("found labels that are right", what, is_right=number < common)


def count_verdicts(row: CitedRow, verdicts: Sequence[Verdict], counts: Counts) -> None:
    """Compare the verdicts on each sentence with its labels."""
    for start, end, sentence in row.placed_sentences():
        own = [
            verdict
            for verdict in verdicts
            if verdict.part is not None and verdict.part[0] < end and start < verdict.part[1]
        ]
        slugs = {verdict.slug for verdict in own}
        what = f"{row.id}: {sentence['text']} {sorted(filter(None, slugs))}"
        kind = sentence["kind"]
        if kind == "unknown":
            counts.add("unknown sources found", what, is_right="citation_unknown" in slugs)
        elif kind == "missing":
            counts.add("missing sources found", what, is_right="citation_missing" in slugs)
        else:
            fine = not slugs & {"citation_unknown", "citation_missing"}
            name = "sentences without a claim" if kind == "no_claim" else "cited sentences"
            counts.add(f"{name} without such a fault", what, is_right=fine)


def judged_pairs(row: CitedRow) -> Iterator[tuple[dict[str, Any], str, Mapping[str, str]]]:
    """Yield the cited sentences that two readers agree on, plain, with what they cite."""
    marked = read_markers(row.answer, References.of(row.texts))
    for start, end, sentence in row.placed_sentences():
        known = [id_ for id_ in sentence["cites"] if id_ in row.texts]
        if sentence["supported"] is None or not sentence["claims"] or not known:
            continue
        places = [
            at for at in range(len(marked.plain)) if start <= marked.position_in_text(at) < end
        ]
        plain = marked.plain[places[0] : places[-1] + 1].strip() if places else ""
        yield sentence, plain, {id_: row.texts[id_] for id_ in known}


@dataclass
class Agreement:
    """Accepted among supported and among unsupported sentences."""

    accepted: Counter[bool] = field(default_factory=Counter)
    of: Counter[bool] = field(default_factory=Counter)

    def add(self, *, supported: bool, accepted: bool) -> None:
        """Count a sentence."""
        self.of[supported] += 1
        self.accepted[supported] += accepted

    def row(self, name: str) -> str:
        """Return a row of a table."""
        shares = [
            100 * self.accepted[kind] / self.of[kind] if self.of[kind] else None
            for kind in (True, False)
        ]
        true, false = shares
        balanced = None if true is None or false is None else (true + 100 - false) / 2
        cells = ("" if share is None else f"{share:.1f}" for share in (true, false, balanced))
        return f"| {name} | {self.of[True]} | {self.of[False]} | {' | '.join(cells)} |"


def is_supported(verdicts: Sequence[Verdict], start: int, end: int, *, scored: bool = True) -> bool:
    """Return whether `Cited` found what a sentence cites to support it.

    An LLM gives no score: of its verdicts (`scored=False`) those count that cite something.
    """
    own = [
        verdict
        for verdict in verdicts
        if verdict.part is not None
        and verdict.part[0] < end
        and start < verdict.part[1]
        and (verdict.score is not None if scored else verdict.citations)
    ]
    return bool(own) and all(verdict.ok for verdict in own)


def support(rows: Sequence[CitedRow], found: Sequence[Sequence[Verdict]]) -> Iterator[str]:
    """Yield the rows of the table: `Cited`, and `Entailed` with `Figures` on the same sentences."""
    by_cited, by_entailed = Agreement(), Agreement()
    kinds: dict[str, Agreement] = {}
    alone: list[tuple[bool, dict[str, Any]]] = []
    for row, verdicts in zip(rows, found, strict=True):
        places = {id(sentence): (start, end) for start, end, sentence in row.placed_sentences()}
        for sentence, plain, cited in judged_pairs(row):
            accepted = is_supported(verdicts, *places[id(sentence)])
            by_cited.add(supported=sentence["supported"], accepted=accepted)
            kinds.setdefault(sentence["kind"], Agreement()).add(
                supported=sentence["supported"], accepted=accepted
            )
            context = {"references": cited, "question": row.question}
            alone.append((sentence["supported"], {"data": {"text": plain}, "context": context}))
    audits = audit_many(
        Judged, (item["data"] for _, item in alone), context=[item["context"] for _, item in alone]
    )
    for (supported, _), audit in zip(alone, audits, strict=True):
        by_entailed.add(supported=supported, accepted=audit.ok)
    yield by_cited.row("`Cited`")
    yield by_entailed.row("`Entailed`, `Figures` on the sentence alone")
    for kind, agreement in sorted(kinds.items()):
        yield agreement.row(f"... {kind}")


def attribution_bench(data: Path, most: int) -> Iterator[str]:
    """Yield a row of the table for the claims of AttributionBench, each with a marker."""
    rows = [
        row
        for _, row in zip(
            range(most), read_rows(data / "grounded/attributionbench.jsonl.gz"), strict=False
        )
    ]
    answers = [{"text": f"{row['response'].strip().rstrip('.')} [1]."} for row in rows]
    contexts = [{"references": [row["context"]]} for row in rows]
    agreement = Agreement()
    for row, audit in zip(rows, audit_many(CitedAnswer, answers, context=contexts), strict=True):
        agreement.add(supported=row["label"] == "supported", accepted=audit.ok)
    yield agreement.row("AttributionBench")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--split", choices=("tune", "test"), default="test")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--most", type=int, default=500)
    parser.add_argument("--wrong", action="store_true", help="print what is wrong; for tune only")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows = load_answers(options.split)
    described = machine.describe(["onnxruntime"])
    print(machine.show(described))
    counts = Counts()
    for row in rows:
        count_markers(row, counts)
    models = [CitedParagraphs if row.scope == "paragraph" else CitedAnswer for row in rows]
    found: list[Sequence[Verdict]] = [()] * len(rows)
    for model in (CitedAnswer, CitedParagraphs):
        chosen = [number for number, each in enumerate(models) if each is model]
        audits = audit_many(
            model,
            [{"text": rows[number].answer} for number in chosen],
            context=[
                {"references": rows[number].texts, "question": rows[number].question}
                for number in chosen
            ],
        )
        for number, audit in zip(chosen, audits, strict=True):
            found[number] = audit.verdicts
            count_verdicts(rows[number], audit.verdicts, counts)
    print(f"\n{len(rows)} answers, split {options.split}\n")
    for name, share in counts.shares.items():
        print(f"- {name}: {share}")
    print(
        "\n| | supported | not | supported accepted, % | others accepted, % | balanced accuracy |"
    )
    print("|---|---|---|---|---|---|")
    table = list(support(rows, found))
    if options.data and options.split == "tune":
        table += attribution_bench(options.data, options.most)
    print("\n".join(table))
    if options.wrong and options.split == "tune":
        print("\n" + "\n".join(counts.wrong))
    if options.json:
        shares = {name: [share.right, share.of] for name, share in counts.shares.items()}
        report = {"machine": described, "shares": shares, "table": table}
        options.json.write_text(json.dumps(report, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
