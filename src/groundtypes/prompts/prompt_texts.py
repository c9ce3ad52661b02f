"""Texts in the form in which prompts show them: the user's question, and numbered lines."""

from collections.abc import Iterable

__all__ = ["numbered_lines", "question_text"]


def numbered_lines(texts: Iterable[str]) -> str:
    """Return the texts as numbered lines, each text on one line so that none can fake a number."""
    return "\n".join(f"{number}. {' '.join(text.split())}" for number, text in enumerate(texts, 1))


def question_text(user_question: str | None, limit: int) -> tuple[str, str]:
    """Return the user's question with its name in a prompt; only its last `limit` characters."""
    return "question", (user_question or "")[-limit:]
