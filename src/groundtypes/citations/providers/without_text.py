"""Messages of providers that have no text: refusals, calls of tools, answers that were blocked."""

from collections.abc import Iterator
from typing import Final

from groundtypes.citations.providers.message_fields import field, text_field

_BLOCKED: Final = frozenset(
    "safety recitation blocklist prohibited_content spii image_safety language content_filter "
    "content_filtered error_toxic refusal".split()
)
#: The fields in which messages have others, or blocks.
_INNER: Final = ("kwargs", "choices", "candidates", "output", "message", "content", "parts")
_MAX_DEPTH: Final = 6
_NO_TEXT: Final = "a message without text"


def why_no_text(message: object) -> str | None:
    """Return what a message of a provider is that has no text, such as "calls of tools".

    `None` if it is no message of a provider.
    """
    if blocked := text_field(field(message, "prompt_feedback"), "block_reason"):
        return f"a question that was blocked ({blocked})"
    found = list(dict.fromkeys(_signs(message, _MAX_DEPTH)))
    output = message if isinstance(message, list | tuple) else field(message, "output")
    if _NO_TEXT not in found and not isinstance(output, list | tuple):
        return None
    blocked = next((sign for sign in found if sign.startswith("an answer that was blocked")), "")
    known = ("a refusal", "calls of tools", "thoughts without an answer", _NO_TEXT)
    return blocked or next((sign for sign in known if sign in found), None)


def _signs(part: object, depth: int) -> Iterator[str]:
    """Yield what a message and its parts say of themselves; nothing if it is no message."""
    if isinstance(part, list | tuple):
        for item in part:
            yield from _signs(item, depth - 1) if depth else ()
        return
    if part is None or isinstance(part, str):
        return
    reason = text_field(part, "finish_reason", "stop_reason")
    if reason and reason.lower() in _BLOCKED:
        yield f"an answer that was blocked ({reason})"
    kind = text_field(part, "type", "part_kind") or ""
    if kind == "refusal" or text_field(part, "refusal"):
        yield "a refusal"
    is_call = kind.replace("-", "_").endswith(("_call", "tool_use"))
    if is_call or any(field(part, name) for name in ("tool_calls", "function_call")):
        yield "calls of tools"
    if kind in ("thinking", "reasoning", "redacted_thinking") or field(part, "thought"):
        yield "thoughts without an answer"
    if (
        reason
        or text_field(part, "role") in ("assistant", "model")
        or kind in ("ai", "AIMessage", "AIMessageChunk")
        or text_field(part, "kind") == "response"
        or text_field(part, "object") == "response"
    ):
        yield _NO_TEXT
    for name in _INNER:
        yield from _signs(field(part, name), depth - 1) if depth else ()


def not_an_answer(message: object) -> str | None:
    """Return what an object of a provider is that is no message, for a mistake."""
    if field(message, "error") is not None:
        return "It is an error that the provider returned."
    kind = text_field(message, "type", "event") or ""
    if kind.endswith(("_delta", ".delta")) or text_field(message, "object") == (
        "chat.completion.chunk"
    ):
        return "It is an event of a stream: pass the message that the events make."
    return None
