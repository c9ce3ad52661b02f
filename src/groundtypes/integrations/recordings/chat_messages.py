"""Chat messages as plain data that a trainer can read: roles, texts and calls of tools."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

#: The keys of a message that are kept.
_MESSAGE_KEYS: Final = ("role", "content", "name", "tool_calls", "tool_call_id")


def plain_messages(messages: object) -> list[dict[str, Any]] | None:
    """Return messages as a training row holds them; `None` if these are not messages of text.

    The assistant's messages at the end are left out: they are the answer.
    """
    if not isinstance(messages, list | tuple):
        return None
    conversation: list[dict[str, Any]] = []
    for message in messages:
        if not isinstance(message, Mapping) or not isinstance(message.get("role"), str):
            return None
        plain = {key: message[key] for key in _MESSAGE_KEYS if message.get(key) is not None}
        content = _content_text(message.get("content"))
        if content is None and not isinstance(message.get("tool_calls"), list):
            return None
        conversation.append({**plain, "content": content or ""})
    while conversation and conversation[-1]["role"] == "assistant":
        conversation.pop()
    return conversation or None


def _content_text(content: object) -> str | None:
    """Return the text of a message; `None` where it holds anything else, such as a picture."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    texts = [part.get("text") if isinstance(part, Mapping) else None for part in content]
    return "\n".join(map(str, texts)) if all(isinstance(text, str) for text in texts) else None


def last_question(messages: Sequence[Mapping[str, Any]]) -> str:
    """Return the text of the user's last message; an empty text where there is none."""
    questions = [message["content"] for message in messages if message["role"] == "user"]
    return str(questions[-1]) if questions else ""
