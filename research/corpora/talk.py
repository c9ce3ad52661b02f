"""Sentences that claim nothing about their subject, and others that resemble them."""

from pathlib import Path
from typing import Final, NamedTuple

__all__ = ["TalkSentence", "talk_sentences"]

_FILE: Final = Path(__file__).parent / "data" / "talk.txt"


class TalkSentence(NamedTuple):
    """A sentence, its language, and whether it is talk."""

    text: str
    language: str
    is_talk: bool


def talk_sentences() -> list[TalkSentence]:
    """Return the sentences of `data/talk.txt`, which says what they are."""
    found = []
    language, kind = "", ""
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            language, _, kind = line.strip("[]").partition(" ")
        elif line and not line.startswith("#"):
            found.append(TalkSentence(line, language, kind != "claims"))
    return found
