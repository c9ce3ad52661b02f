"""How the sentences and claims of a text are shown to an LLM."""

from collections.abc import Iterable
from typing import Final

__all__ = ["MAX_CHARACTERS", "MAX_SENTENCES", "numbered_lines", "preceding_text"]

#: How many sentences, and how many characters of them, one question is about at most.
MAX_SENTENCES: Final = 24
MAX_CHARACTERS: Final = 6_000
#: How many characters of the text before the sentences are shown, to resolve their pronouns.
_PRECEDING: Final = 600


def numbered_lines(texts: Iterable[str]) -> str:
    """Return the texts as numbered lines, each text on one line so that none can fake a number."""
    return "\n".join(f"{number}. {' '.join(text.split())}" for number, text in enumerate(texts, 1))


def preceding_text(text: str, start: int) -> tuple[str, str]:
    """Return the end of what precedes a place of the text, with its name in a prompt."""
    return "text before", text[max(0, start - _PRECEDING) : start].strip()
