"""The texts of the battery: passages of public sets, each with its sentences."""

import gzip
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scripts.battery.languages import DECLARATION

_LONGEST = 1_800
#: No run of so many words stands in a text to tune and in a text of the test.
_SHARED = 12
_SENTENCE_END = re.compile(r"(?<=[a-z\d)\"”%][.!?])\s+(?=[A-Z\"“])")
_WORD = re.compile(r"\S+")


@dataclass(frozen=True)
class Passage:
    """A text, the part of the battery that it belongs to, and claims that others made of it."""

    id: str
    origin: str
    language: str
    text: str
    claims: tuple[str, ...] = ()
    sentences: list[tuple[int, int]] = field(default_factory=list, compare=False)

    @property
    def part(self) -> str:
        """`tune` or `test`, by the hash of what all texts of one document share."""
        key = self.id.split("/")[0].encode()
        return "tune" if hashlib.sha256(key).digest()[0] % 10 < 3 else "test"


def _read(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _sentences(text: str, language: str) -> list[tuple[int, int]]:
    """Return the spans of sentences with 6 to 40 words (of all, in other languages)."""
    spans = []
    start = 0
    ends = [*(found.span() for found in _SENTENCE_END.finditer(text)), (len(text), len(text))]
    if language != "en":
        return [(0, len(text))]
    for stop, following in ends:
        sentence = text[start:stop]
        ended = sentence.endswith((".", "?", "!", ".”", '."'))
        if 6 <= len(sentence.split()) <= 40 and sentence[:1].isupper() and ended:
            spans.append((start, stop))
        start = following
    return spans


def _passage(
    ident: str, origin: str, text: str, claims: tuple[str, ...] = (), language: str = "en"
) -> Passage | None:
    text = text.replace("####SPECIAL####SEPARATOR####", " ").strip()
    if len(text) > _LONGEST:
        ends = [found.start() for found in _SENTENCE_END.finditer(text, 0, _LONGEST)]
        text = text[: ends[-1]] if ends else ""
    sentences = _sentences(text, language)
    if len(sentences) < (3 if language == "en" else 1):
        return None
    return Passage(ident, origin, language, text, claims, sentences)


def _wikipedia(folder: Path) -> Iterator[Passage | None]:
    for row in _read(folder / "grounded/factscore_contexts.jsonl.gz"):
        yield _passage(f"factscore-{row['ctx_id']}", "factscore", row["text"])
    for row in _read(folder / "citation/quotesum_dev.jsonl.gz"):
        for source in row["sources"]:
            text = source["text"]
            ends = [found.start() for found in _SENTENCE_END.finditer(text)]
            if ends:
                yield _passage(f"quotesum-{source['title']}", "quotesum", text[: ends[-1]])


def _news(folder: Path) -> Iterator[Passage | None]:
    for row in _read(folder / "grounded/wice_claims.jsonl.gz"):
        claim = row.get("claim") or row.get("response")
        yield _passage(f"wice-{row['claim_id']}", "wice", row["context"], (claim,) if claim else ())


def _trials(folder: Path) -> Iterator[Passage | None]:
    for row in _read(folder / "nli/nli4ct.jsonl.gz"):
        if row["type"] == "Single":
            yield _passage(row["id"].replace("_", "-"), "nli4ct", row["premise"])


def _science(folder: Path) -> Iterator[Passage | None]:
    rows = list(_read(folder / "nli/scifact_pairs.jsonl.gz"))
    claims: dict[str, list[str]] = {}
    for row in rows:
        claims.setdefault(row["premise"], []).append(row["hypothesis"])
    premises = list(claims)
    for at in range(0, len(premises), 6):
        some = premises[at : at + 6]
        said = tuple(claim for premise in some for claim in claims[premise][:1])
        yield _passage(f"scifact-{at}", "scifact", "\n".join(some), said)


def _help(folder: Path) -> Iterator[Passage | None]:
    for row in _read(folder / "grounded/mtrag_human_eval.jsonl.gz"):
        talk = row["id"].split("<::>")[0].replace("_", "-")
        yield _passage(f"{talk}/context", "mtrag", row["context"])
        said = "\n".join(f"{turn['role']}: {turn['text']}" for turn in row["messages"])
        yield _passage(f"{talk}/talk", "mtrag", said)


def passages(folder: Path) -> list[Passage]:
    """Return all passages, each text once."""
    found: dict[str, Passage] = {}
    sources = (_wikipedia, _news, _trials, _science, _help)
    limits = {"nli4ct": 160, "wice": 160, "quotesum": 200}
    counts: dict[str, int] = {}
    for source in sources:
        for passage in source(folder):
            if passage is None or passage.text[:150] in found:
                continue
            if any(other.id == passage.id for other in found.values()):
                continue
            counts[passage.origin] = counts.get(passage.origin, 0) + 1
            if counts[passage.origin] <= limits.get(passage.origin, 10_000):
                found[passage.text[:150]] = passage
    for language, articles in DECLARATION.items():
        for number, text in articles.items():
            one = _passage(f"declaration-{language}-{number}", "declaration", text, (), language)
            assert one
            found[text] = one
    return _apart(list(found.values()))


def _runs(text: str) -> set[str]:
    words = text.lower().split()
    return {" ".join(words[at : at + _SHARED]) for at in range(len(words) - _SHARED + 1)}


def _apart(found: list[Passage]) -> list[Passage]:
    """Leave out what is for tuning and shares a run of words with what is for the test."""
    test = {run for one in found if one.part == "test" for run in _runs(one.text)}
    return [one for one in found if one.part == "test" or not test & _runs(one.text)]


def clause(passage: Passage, span: tuple[int, int], low: int, high: int) -> tuple[int, int]:
    """Return the stretch of words from `low` to `high` of the sentence at `span`."""
    words = list(_WORD.finditer(passage.text, *span))
    return words[low].start(), words[high - 1].end()
