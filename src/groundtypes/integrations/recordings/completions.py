"""Replies of LLMs and chat messages as plain data, in the shapes that providers send.

Nothing in them is trusted: what is not of a known shape has no answer.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic import BaseModel
from pydantic_core import from_json, to_json, to_jsonable_python

_COUNTS: Final = {
    "prompt_tokens": "input",
    "input_tokens": "input",
    "completion_tokens": "output",
    "output_tokens": "output",
}


def plain_data(thing: Any) -> Any:
    """Return what JSON can hold of a provider's object."""
    if isinstance(thing, BaseModel):
        # A provider treats a key that is null like one that is absent.
        return thing.model_dump(mode="json", exclude_none=True, warnings=False)
    return to_jsonable_python(thing, serialize_unknown=True, inf_nan_mode="strings")


def tokens_in(completion: Any) -> dict[str, int]:
    """Return the tokens of a reply: `input`, `output`, as far as it says."""
    usage = completion.get("usage") if isinstance(completion, Mapping) else None
    if not isinstance(usage, Mapping):
        return {}
    return {
        name: usage[key]
        for key, name in _COUNTS.items()
        if type(usage.get(key)) is int and usage[key] >= 0
    }


def answer_in(completion: Any) -> str | None:
    """Return the answer of a reply: the arguments of a tool call, else the JSON in its text.

    OpenAI's chat completions and responses are read, Anthropic's messages, Gemini's candidates, and
    the messages of Cohere and Bedrock.
    """
    if not isinstance(completion, Mapping):
        return None
    texts: list[str] = []
    for part in _parts(completion):
        if (arguments := _arguments(part)) is not None:
            return arguments
        text = part.get("text", part.get("refusal"))
        if isinstance(text, str):
            texts.append(text)
    return json_within("\n".join(texts)) if texts else None


def json_within(text: str) -> str:
    """Return the JSON object or list in a text, perhaps in a fenced block, else the text."""
    starts = [place for place in (text.find("{"), text.find("[")) if place >= 0]
    if not starts:
        return text
    start = min(starts)
    end = text.rfind("}" if text[start] == "{" else "]") + 1
    candidate = text[start:end]
    try:
        from_json(candidate)
    except (ValueError, TypeError):  # a lone surrogate is a TypeError
        return text
    return candidate


def _parts(completion: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    parts: list[Any] = []
    for choice in _listed(completion.get("choices"))[:1]:
        message = choice.get("message")
        if not isinstance(message, Mapping):
            continue
        parts.extend(_listed(message.get("tool_calls")))
        parts.append({"function": message.get("function_call")})
        content = message.get("content")
        parts.extend(_listed(content) or [{"text": content}])
        parts.append({"refusal": message.get("refusal")})
    for item in _listed(completion.get("output")):  # OpenAI's responses
        parts.extend(_listed(item.get("content")) or [item])
    parts.extend(_listed(completion.get("content")))  # Anthropic's messages
    for candidate in _listed(completion.get("candidates"))[:1]:  # Gemini
        parts.extend(_listed(_within(candidate, "content").get("parts")))
    for message in (_within(completion, "message"), _within(completion, "output", "message")):
        parts.extend(_listed(message.get("tool_calls")))  # Cohere
        parts.extend(_listed(message.get("content")))  # Cohere and Bedrock
    return parts


def _within(value: Any, *keys: str) -> Mapping[str, Any]:
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def _arguments(part: Mapping[str, Any]) -> str | None:
    function = part.get("function")
    given = function.get("arguments") if isinstance(function, Mapping) else None
    if part.get("type") in ("tool_use", "function_call"):
        given = part.get("input", part.get("arguments"))
    elif "toolUse" in part:  # Bedrock
        given = _within(part, "toolUse").get("input")
    elif "function_call" in part:  # Gemini
        given = _within(part, "function_call").get("args")
    if isinstance(given, Mapping | list):
        return to_json(given).decode()
    return given if isinstance(given, str) else None


def _listed(value: Any) -> list[Any]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


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
