"""The messages that ask for the answer of a row, made of its question and references.

Texts are joined, never rendered as templates: braces in a reference stay what they are.
"""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from groundtypes.references import References

#: Takes a question and its references; returns the messages that ask it.
PromptFunction = Callable[[str, References], Sequence[Mapping[str, Any]]]

_SYSTEM: Final = (
    "Answer the question from the references alone, with JSON. Copy every quote word for word."
)


def chat_prompt(question: str, references: References) -> list[dict[str, str]]:
    """Return a system message and the references with the question, as one user message."""
    parts = [f"Reference {reference.id}:\n{reference.text}" for reference in references]
    return [
        {"role": "system", "content": _SYSTEM},
        {"role": "user", "content": "\n\n".join([*parts, f"Question: {question}"])},
    ]


def normalised_text(text: str) -> str:
    """Return the text with case, width and white space normalised, to compare it with another."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
