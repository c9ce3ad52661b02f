"""What a stored row would have been asked: messages out of its question and references.

Texts are put together, never rendered as templates: braces in a reference stay what they are.
"""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from groundtypes.references import References

__all__ = [
    "Prompt",
    "chat_prompt",
    "folded",
    "last_question",
    "plain_messages",
]

#: From a question and its references to the messages that ask it.
Prompt = Callable[[str, References], Sequence[Mapping[str, Any]]]

#: What a message of a training row may hold.
_MESSAGE_KEYS: Final = ("role", "content", "name", "tool_calls", "tool_call_id")

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


def plain_messages(messages: object) -> list[dict[str, Any]] | None:
    """Return messages as a training row holds them; `None` where they are none.

    The last ones of an assistant are left out: they are the answer.
    """
    if not isinstance(messages, list | tuple):
        return None
    found: list[dict[str, Any]] = []
    for message in messages:
        if not isinstance(message, Mapping) or not isinstance(message.get("role"), str):
            return None
        plain = {key: message[key] for key in _MESSAGE_KEYS if message.get(key) is not None}
        content = _text_of_content(message.get("content"))
        if content is None and not isinstance(message.get("tool_calls"), list):
            return None
        found.append({**plain, "content": content or ""})
    while found and found[-1]["role"] == "assistant":
        found.pop()
    return found or None


def _text_of_content(content: object) -> str | None:
    """Return the text of a message; `None` where it holds anything else, such as a picture."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    texts = [part.get("text") if isinstance(part, Mapping) else None for part in content]
    return "\n".join(map(str, texts)) if all(isinstance(text, str) for text in texts) else None


def last_question(messages: Sequence[Mapping[str, Any]]) -> str:
    """Return the text of the last message of a user."""
    asked = [message["content"] for message in messages if message["role"] == "user"]
    return str(asked[-1]) if asked else ""


def folded(text: str) -> str:
    """Return the text without what does not make it another one: case, width, white space."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
