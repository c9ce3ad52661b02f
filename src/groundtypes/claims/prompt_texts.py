"""How the sentences and claims of a text are shown to an LLM."""

from collections.abc import Iterable
from typing import Final

__all__ = ["MAX_CHARACTERS", "MAX_SENTENCES", "numbered_lines", "preceding_text"]

#: One question asks for the claims of so many sentences, and so many characters, at most.
MAX_SENTENCES: Final = 24
MAX_CHARACTERS: Final = 6_000
#: The sentences are shown after so many characters of the text before them, for pronouns.
_PRECEDING: Final = 600


def numbered_lines(texts: Iterable[str]) -> str:
    """Return each text on a line with its number, on one line so that no text can fake a number."""
    return "\n".join(f"{number}. {' '.join(text.split())}" for number, text in enumerate(texts, 1))


def preceding_text(text: str, start: int) -> tuple[str, str]:
    """Return the end of what precedes a place of the text, with its name in a prompt."""
    return "text before", text[max(0, start - _PRECEDING) : start].strip()
