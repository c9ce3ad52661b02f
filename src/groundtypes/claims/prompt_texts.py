"""What the prompts about the sentences and claims of a text show of it, and how much."""

from typing import Final

__all__ = ["MAX_CHARACTERS", "MAX_QUESTION", "MAX_SENTENCES", "preceding_text"]

#: How many sentences, and how many characters of them, one question is about at most.
MAX_SENTENCES: Final = 24
MAX_CHARACTERS: Final = 6_000
#: How many characters of the user's question are shown.
MAX_QUESTION: Final = 1_000
#: How many characters of the text before the sentences are shown, to resolve their pronouns.
_PRECEDING: Final = 600


def preceding_text(text: str, start: int) -> tuple[str, str]:
    """Return up to 600 characters before `start`, with their name in the prompt."""
    return "text before", text[max(0, start - _PRECEDING) : start].strip()
