"""Words and their nearest relations, read from the files of WordNet, which are free for any use."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

__all__ = ["Lexicon"]

_PARTS: Final = {"n": "noun", "v": "verb", "a": "adj"}


@dataclass(slots=True)
class _Synset:
    words: tuple[str, ...]
    above: list[str] = field(default_factory=list)
    below: list[str] = field(default_factory=list)


class Lexicon:
    """Relations of the most frequent sense of a word, among the words of a vocabulary."""

    def __init__(self, folder: Path, vocabulary: Iterable[str]) -> None:
        self._known = set(vocabulary)
        self._synsets: dict[str, _Synset] = {}
        self._antonyms: dict[tuple[str, str], set[str]] = {}
        self._senses: dict[tuple[str, str], str] = {}
        for part, name in _PARTS.items():
            self._read_data(folder / f"data.{name}", part)
            self._read_index(folder / f"index.{name}", part)
        for key, synset in self._synsets.items():
            for above in synset.above:
                if above in self._synsets:
                    self._synsets[above].below.append(key)

    def _read_data(self, path: Path, part: str) -> None:
        opposed: list[tuple[str, str, str, int, int]] = []
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("  "):
                continue
            fields = line.split("|")[0].split()
            key = part + fields[0]
            count = int(fields[3], 16)
            words = tuple(fields[4 + 2 * at].split("(")[0].lower() for at in range(count))
            synset = self._synsets[key] = _Synset(words)
            at = 4 + 2 * count
            for number in range(int(fields[at])):
                kind, target, other, places = fields[at + 1 + 4 * number : at + 5 + 4 * number]
                other = "a" if other == "s" else other
                if kind == "@" and other == part:
                    synset.above.append(other + target)
                elif kind == "!" and places != "0000":
                    opposed.append((key, other + target, part, *divmod(int(places, 16), 256)))
        for key, target, kind, one, two in opposed:
            if target in self._synsets:
                word = self._synsets[key].words[one - 1]
                self._antonyms.setdefault((kind, word), set()).add(
                    self._synsets[target].words[two - 1]
                )

    def _read_index(self, path: Path, part: str) -> None:
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("  "):
                continue
            fields = line.split()
            count = int(fields[2])
            self._senses[part, fields[0]] = part + fields[-count]

    def _usual(self, words: Iterable[str], word: str) -> list[str]:
        return sorted({w for w in words if w in self._known and w != word and "_" not in w})

    def antonyms(self, word: str) -> list[str]:
        """Return the antonyms of a word."""
        found: set[str] = set()
        for part in _PARTS:
            found |= self._antonyms.get((part, word), set())
        return self._usual(found, word)

    def synonyms(self, word: str, part: str = "n") -> list[str]:
        """Return words whose most usual sense is that of the word."""
        sense = self._senses.get((part, word))
        if sense is None:
            return []
        same = [w for w in self._synsets[sense].words if self._senses.get((part, w)) == sense]
        return self._usual(same, word)

    def wider(self, word: str) -> list[str]:
        """Return the hypernyms of a noun."""
        sense = self._senses.get(("n", word))
        if sense is None:
            return []
        return self._usual(
            (w for a in self._synsets[sense].above for w in self._synsets[a].words), word
        )

    def narrower(self, word: str) -> list[str]:
        """Return the hyponyms of a noun."""
        sense = self._senses.get(("n", word))
        if sense is None:
            return []
        return self._usual(
            (
                w
                for b in self._synsets[sense].below
                for w in self._synsets[b].words
                if self._senses.get(("n", w)) == b
            ),
            word,
        )

    def sisters(self, word: str) -> list[str]:
        """Return the other hyponyms of the hypernyms of a noun."""
        sense = self._senses.get(("n", word))
        if sense is None:
            return []
        found = set()
        for above in self._synsets[sense].above:
            for below in self._synsets[above].below:
                if below != sense and len(self._synsets[above].below) < 60:
                    found |= {
                        w for w in self._synsets[below].words if self._senses.get(("n", w)) == below
                    }
        return self._usual(found, word)
