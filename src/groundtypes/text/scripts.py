"""Scripts: which one a word is written in, and which ones a language is written in."""

import unicodedata
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final, NamedTuple

#: Scripts whose words are not separated by spaces.
SPACELESS_SCRIPTS: Final = frozenset("Hani Kana Thai Laoo Khmr Mymr Tibt".split())


class _Script(NamedTuple):
    """A script: its ISO 15924 code, its English name, and the codes of its languages.

    The Unicode name of each of its letters begins with one of some words.
    """

    code: str
    name: str
    letters: tuple[str, ...]
    languages: frozenset[str]


@cache
def _scripts() -> tuple[_Script, ...]:
    lines = files("groundtypes.text").joinpath("data", "scripts.txt").read_text(encoding="ascii")
    rows = [line.split(" | ") for line in lines.splitlines() if not line.startswith("#")]
    return tuple(
        _Script(code, name, tuple(letters.split()), frozenset(languages.split()))
        for code, name, letters, languages in rows
    )


@cache
def _code_of_letters() -> dict[str, str]:
    return {letters: script.code for script in _scripts() for letters in script.letters}


def name_of_script(code: str) -> str:
    """Return the English name of a script, for messages."""
    return next(script.name for script in _scripts() if script.code == code)


@cache
def scripts_of_language(language: str) -> frozenset[str]:
    """Return the codes of the scripts of a language; empty if the language is not known."""
    return frozenset(script.code for script in _scripts() if language in script.languages)


def word_script(word: str) -> str | None:
    """Return the code of the script of a word's first letter; `None` if it is none of those."""
    return _letter_script(word[0])


@lru_cache(maxsize=8192)
def _letter_script(letter: str) -> str | None:
    name = unicodedata.name(letter, "").removeprefix("FULLWIDTH ").removeprefix("HALFWIDTH ")
    return _code_of_letters().get(name.partition(" ")[0])
