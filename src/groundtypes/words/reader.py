"""The reader of the word files: all languages at once, when the first word is needed."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

_ENDING: Final = ".txt"


@cache
def _kinds() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return kind -> language -> words."""
    kinds: dict[str, dict[str, tuple[str, ...]]] = {}
    folder = files("groundtypes.words").joinpath("data")
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if not file.name.endswith(_ENDING):
            continue
        language = file.name.removesuffix(_ENDING)
        for line in file.read_text(encoding="utf-8").splitlines():
            kind, colon, listed = line.partition(": ")
            if colon and line[0] not in "#[":
                known = kinds.setdefault(kind, {})
                known[language] = (*known.get(language, ()), *listed.split(" | "))
    return kinds


def languages(kind: str) -> tuple[str, ...]:
    """Return the codes of the languages that have words of a kind, in alphabetical order."""
    return tuple(sorted(_kinds().get(kind, ())))


def words_of(kind: str) -> Mapping[str, tuple[str, ...]]:
    """Return the words of a kind by the code of their language; none if there is no such kind."""
    return _kinds().get(kind, {})


@cache
def all_words(kind: str) -> frozenset[str]:
    """Return the words of a kind of all languages together."""
    return frozenset(word for listed in words_of(kind).values() for word in listed)


def named_words(kind: str) -> Iterator[tuple[str, str, str]]:
    """Yield name, language and word of the kinds "KIND [NAME]": "month [3]", "unit [hours]"."""
    for full, by_language in _kinds().items():
        if full.startswith(f"{kind} [") and full.endswith("]"):
            name = full[len(kind) + 2 : -1]
            for language, listed in by_language.items():
                for word in listed:
                    yield name, language, word


@cache
def names_of(kind: str) -> Mapping[str, str]:
    """Return the name of each word of the kinds "KIND [NAME]", whatever its language."""
    return {word: name for name, _, word in named_words(kind)}
