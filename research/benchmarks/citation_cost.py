"""What `Cited` costs beside `Entailed` on the same text with the same engine.

    python -m benchmarks.citation_cost [--rounds 5] [--profile]

A text of 100 sentences with 200 markers over 50 references is judged by both in turns, with a new
engine and new references each time, so that nothing is cached or indexed. Sentences and references
are those of the answers that were written for the citation benchmark (split `tune`); each sentence
cites its own reference and another one. In the second text, half of the sentences cite two others
that do not support them, so that `Cited` asks a second time. Shown are the medians of wall time and
of the CPU time of the process, and their ratios. Then the time of hostile texts with an engine that
costs nothing.
"""

import argparse
import cProfile
import pstats
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import median
from typing import Annotated, Final

from benchmarks import machine
from corpora.cited_answers import CitedRow, load_answers
from groundtypes import Cited, Entailed, Grounded, Judges, Pair, audit
from groundtypes.backends.nli_onnx import OnnxNLI
from groundtypes.citations.markers.marker_reader import read_markers
from groundtypes.testing import ENTAILED, ScriptedNLI

__all__ = ["cited_text", "main"]

SENTENCES: Final = 100
REFERENCES: Final = 50
#: So many sentences are about the same sources.
_MOST_OF_SET: Final = 11


class ByCited(Grounded):
    """A text whose sentences are judged against what they cite."""

    text: Annotated[str, Cited()]


class ByEntailed(Grounded):
    """A text whose sentences are judged against all references."""

    text: Annotated[str, Entailed()]


class NoCache:
    """A cache that keeps nothing."""

    def get(self, _keys: Sequence[bytes], /) -> dict[bytes, tuple[float, float, float]]:
        """Return nothing."""
        return {}

    def put(self, _scores: Mapping[bytes, tuple[float, float, float]], /) -> None:
        """Keep nothing."""


def _supported(rows: Sequence[CitedRow]) -> Iterator[tuple[str, Mapping[str, str], str]]:
    """Yield sentences without markers, with their sources and the one that supports them."""
    seen: set[str] = set()
    for row in rows:
        marked = read_markers(row.answer, row.texts)
        for start, end, sentence in row.placed_sentences():
            first, last = marked.position_in_plain(start), marked.position_in_plain(end)
            words = " ".join(marked.plain[first:last].split())
            is_plain = words.endswith(".") and words[:1].isupper() and "[" not in words
            if (
                sentence["supported"]
                and len(sentence["cites"]) == 1
                and is_plain
                and words not in seen
            ):
                seen.add(words)
                yield words, row.texts, sentence["cites"][0]


def cited_text(*, wrong: bool) -> tuple[str, list[str]]:
    """Return the text and its references; with `wrong`, half of the sentences cite two others."""
    numbers: dict[str, int] = {}
    of_set: Counter[tuple[str, ...]] = Counter()
    sentences: list[str] = []
    for words, texts, id_ in _supported(load_answers("tune")):
        new = [text for text in texts.values() if text not in numbers]
        of_set[tuple(texts.values())] += 1
        if len(numbers) + len(new) > REFERENCES or of_set[tuple(texts.values())] > _MOST_OF_SET:
            continue
        numbers |= {text: len(numbers) + place for place, text in enumerate(new, 1)}
        own = numbers[texts[id_]]
        others = [numbers[text] for text in texts.values() if numbers[text] != own]
        first = others[1] if wrong and len(sentences) % 2 else own
        sentences.append(f"{words.removesuffix('.')} [{first}][{others[0]}].")
        if len(sentences) == SENTENCES:
            break
    return " ".join(sentences), list(numbers)


def _judge(model: type[Grounded], text: str, references: Sequence[str]) -> tuple[float, float]:
    """Judge a text once, with nothing known; return the seconds and the CPU seconds."""
    engine = OnnxNLI(cache=NoCache())
    engine.score([Pair("It is tall.", "It is high.")])
    tag = time.monotonic_ns()
    context = {
        "references": {f"{tag}-{number}": each for number, each in enumerate(references)},
        "judges": Judges(nli=engine),
    }
    begun, begun_cpu = time.perf_counter(), time.process_time()
    audit(model, {"text": text}, context=context)
    return time.perf_counter() - begun, time.process_time() - begun_cpu


def compare(name: str, text: str, references: Sequence[str], rounds: int) -> None:
    """Print a row of the table for one text."""
    models = (ByCited, ByEntailed)
    times: dict[type[Grounded], list[tuple[float, float]]] = {model: [] for model in models}
    for _ in range(rounds):
        for model in models:
            times[model].append(_judge(model, text, references))
    wall = [median(each for each, _ in times[model]) for model in models]
    cpu = [median(each for _, each in times[model]) for model in models]
    print(
        f"| {name} | {wall[0]:.2f} s | {wall[1]:.2f} s | {wall[0] / wall[1]:.2f} "
        f"| {cpu[0]:.2f} s | {cpu[1]:.2f} s | {cpu[0] / cpu[1]:.2f} |",
        flush=True,
    )


def hostile_texts() -> Iterator[tuple[str, str]]:
    """Yield texts that take long to read unless care is taken, with what they are."""
    yield "10,000 markers in one sentence", "The tower is tall " + "[1]" * 10_000 + "."
    yield "10,000 sentences with markers", "The tower is tall and old [1]. " * 10_000
    yield "10 MB in one marker", "The tower is tall [" + "1, " * 3_500_000 + "1]."
    yield "10 MB without markers", "The tower is tall and old. " * 390_000
    yield "10 MB of opening brackets", "[" * 10_000_000
    yield "10 MB of offers", "please call, " * 800_000


def measure_hostile() -> None:
    """Print how long hostile texts take with an engine that costs nothing."""
    print("\n| text | seconds |\n|---|---|")
    for name, text in hostile_texts():
        engine = ScriptedNLI(lambda _: ENTAILED)
        context = {"references": ["A tower."], "judges": Judges(nli=engine)}
        begun = time.perf_counter()
        audit(ByCited, {"text": text}, context=context)
        print(f"| {name} | {time.perf_counter() - begun:.1f} |", flush=True)


def _profiled(call: Callable[[], object]) -> None:
    profile = cProfile.Profile()
    profile.runcall(call)
    pstats.Stats(profile).sort_stats("cumulative").print_stats(60)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--profile", action="store_true", help="show what takes the time")
    parser.add_argument("--hostile", action="store_true", help="hostile texts only")
    options = parser.parse_args()
    print(machine.show(machine.describe(["onnxruntime"])))
    if options.profile:
        _profiled(lambda: _judge(ByCited, *cited_text(wrong=False)))
        return
    if not options.hostile:
        print("\n| text | `Cited` | `Entailed` | ratio | CPU | CPU | ratio |")
        print("|---|---|---|---|---|---|---|")
        for name, wrong in (("right sources", False), ("half of them wrong", True)):
            text, references = cited_text(wrong=wrong)
            compare(name, text, references, options.rounds)
    measure_hostile()


if __name__ == "__main__":
    main()
