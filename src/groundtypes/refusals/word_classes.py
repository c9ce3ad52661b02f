"""What words of many languages do in a refusal: "nicht", "не" and "ない" are all negations.

The file `data/word_classes.txt` lists for each language the words of 30 classes such as NEG (a
negation), DOC (a document) and SAY (to mention). The classes are the same in every language, so the
model needs few examples in each. A word may belong to several classes: Spanish "puedo" is I and
CAN.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Final

from groundtypes.concurrency.bounded_cache import BoundedCache

_FILE: Final = "word_classes.txt"
#: The characters of scripts that are written without spaces: Thai, Japanese and Chinese.
SPACELESS: Final = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff"
_SPACELESS: Final = re.compile(f"[{SPACELESS}]")
#: Accents and other marks of Latin, Greek and Cyrillic letters, which people often leave out.
_ACCENTS: Final = re.compile("[\u0300-\u036f]")
_APOSTROPHES: Final = str.maketrans(dict.fromkeys("\u2018\u2019\u02bc\u00b4\u0060", "'"))
_MIN_PREFIX: Final = 2
_MAX_WORD: Final = 40


def fold(text: str) -> str:
    """Return a text in lower case, without accents and with plain apostrophes."""
    text = text.lower()
    if text.isascii():
        return text
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", text)).translate(_APOSTROPHES)


class WordClasses:
    """The classes of words, looked up by the whole word, its beginning, end, or a part of it."""

    def __init__(self, entries: Iterable[tuple[str, str]]) -> None:
        """Build the tables from pairs of a class and a word or pattern."""
        self._whole: defaultdict[str, set[str]] = defaultdict(set)
        self._beginnings: defaultdict[str, set[str]] = defaultdict(set)
        self._ends: defaultdict[str, set[str]] = defaultdict(set)
        self._parts: defaultdict[str, set[str]] = defaultdict(set)
        self._strings: defaultdict[str, set[str]] = defaultdict(set)
        for word_class, entry in entries:
            word = entry.strip("*")
            if _SPACELESS.search(word):
                self._strings[word].add(word_class)
            elif entry.startswith("*") and entry.endswith("*"):
                self._parts[word].add(word_class)
            elif entry.endswith("*"):
                self._beginnings[word].add(word_class)
            elif entry.startswith("*"):
                self._ends[word].add(word_class)
            else:
                self._whole[word].add(word_class)
        longest_first = sorted(self._strings, key=lambda string: (-len(string), string))
        self._pattern = re.compile("|".join(map(re.escape, longest_first)) or "(?!)")
        self._known: BoundedCache[str, tuple[str, ...]] = BoundedCache(20_000)

    def of_word(self, word: str) -> tuple[str, ...]:
        """Return the classes of a folded word, in alphabetical order."""
        word = word[:_MAX_WORD]
        return self._known.get_or_create(word, lambda: tuple(sorted(self._look_up(word))))

    def in_run(self, run: str) -> Iterator[tuple[str, ...]]:
        """Yield the classes of each known string in a run of characters without spaces."""
        for match in self._pattern.finditer(run):
            yield tuple(sorted(self._strings[match[0]]))

    def _look_up(self, word: str) -> set[str]:
        classes = set(self._whole.get(word, ()))
        for end in range(_MIN_PREFIX, len(word) + 1):
            classes |= self._beginnings.get(word[:end], set())
        for start in range(1, len(word)):
            classes |= self._ends.get(word[start:], set())
        for part, part_classes in self._parts.items():
            if part in word:
                classes |= part_classes
        return classes


@cache
def load_word_classes() -> WordClasses:
    """Return the classes that are shipped with the package."""
    text = (files("groundtypes.refusals") / "data" / _FILE).read_text(encoding="utf-8")
    return WordClasses(_entries(text))


def _entries(text: str) -> Iterator[tuple[str, str]]:
    """Yield a class and a folded entry for each entry of the file.

    Its lines are `CLASS: entry, entry`; `[de]` begins a language, and `#` a comment.
    """
    for line in text.splitlines():
        word_class, colon, listed = line.partition(":")
        if colon and not line.startswith(("#", "[")):
            for entry in listed.split(","):
                yield word_class, fold(entry.strip())
