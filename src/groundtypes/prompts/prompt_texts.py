"""Parts of prompts that several prompts have: numbered lines, preceding text, user's question."""

from collections.abc import Iterable


def numbered_lines(texts: Iterable[str]) -> str:
    """Return the texts as numbered lines, each text on one line so that none can fake a number."""
    return "\n".join(f"{number}. {' '.join(text.split())}" for number, text in enumerate(texts, 1))


def preceding_text(text: str, start: int, limit: int) -> tuple[str, str]:
    """Return up to `limit` characters before `start`, with their name in a prompt."""
    return "text before", text[max(0, start - limit) : start].strip()


def question_text(user_question: str | None, limit: int) -> tuple[str, str]:
    """Return the last `limit` characters of the user's question, with its name in a prompt."""
    return "question", (user_question or "")[-limit:]
