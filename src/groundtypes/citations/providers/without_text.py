"""Messages of providers that have no text: refusals, calls of tools, answers that were blocked."""

from collections.abc import Mapping
from typing import Final

from groundtypes.citations.providers.fields import field, text_field

__all__ = ["not_an_answer", "why_no_text"]

_BLOCKED: Final = frozenset(
    "safety recitation blocklist prohibited_content spii image_safety language content_filter "
    "content_filtered error_toxic refusal".split()
)
_CALLS: Final = frozenset(
    "tool_use server_tool_use function_call tool_call custom_tool_call computer_call "
    "web_search_call file_search_call code_interpreter_call mcp_call tool-call "
    "builtin-tool-call native-tool-call".split()
)


def why_no_text(message: object) -> str | None:
    """Return what a message of a provider is that has no text, such as "calls of tools".

    `None` if it is no message of a provider.
    """
    if isinstance(message, Mapping) and isinstance(message.get("kwargs"), Mapping):
        message = message["kwargs"]  # LangChain's `dumpd`
    if blocked := text_field(field(message, "prompt_feedback"), "block_reason"):
        return f"a question that was blocked ({blocked})"
    for name in ("choices", "candidates"):
        found = field(message, name)
        if isinstance(found, list | tuple) and found:
            return _of_candidate(found[0])
    inner = field(message, "message")
    if inner is not None and not isinstance(inner, str):
        return _of_candidate(message)
    output = message if isinstance(message, list | tuple) else field(message, "output")
    if isinstance(output, list | tuple):
        is_response = field(message, "object") == "response"
        return _of_blocks(output) or ("a message without text" if is_response else None)
    return _of_message(message)


def _of_candidate(candidate: object) -> str | None:
    """Return what the first of several possible answers is."""
    reason = text_field(candidate, "finish_reason")
    if reason is not None and reason.lower() in _BLOCKED:
        return f"an answer that was blocked ({reason})"
    inner = field(candidate, "message", "content")
    found = _of_message(inner, is_message=reason is not None)
    return found or (None if reason is None else f"an answer without text ({reason})")


def _of_message(message: object, *, is_message: bool = False) -> str | None:
    is_message = is_message or (
        text_field(message, "role") in ("assistant", "model")
        or text_field(message, "type") in ("ai", "AIMessage", "AIMessageChunk")
        or text_field(message, "kind") == "response"
    )
    if not is_message:
        return None
    if text_field(message, "refusal"):
        return "a refusal"
    content = field(message, "content", "parts")
    if content is not None and not isinstance(content, list | tuple) and content != "":
        return None
    for calls in (field(message, "tool_calls"), field(message, "function_call")):
        if calls:
            return "calls of tools"
    if not content:
        reason = text_field(message, "stop_reason")
        if reason is not None and reason.lower() in _BLOCKED:
            return f"an answer that was blocked ({reason})"
        return "a message without text"
    return _of_blocks(content)


def _of_blocks(blocks: "list[object] | tuple[object, ...]") -> str | None:
    """Return what blocks are of which none is a text; `None` if they have no known kind."""
    kinds: set[str] = set()
    for block in blocks:
        kind = text_field(block, "type", "part_kind")
        if kind == "message":
            inner = field(block, "content")
            found = _of_blocks(inner) if isinstance(inner, list | tuple) else None
            kinds.add(found or "")
        elif kind == "refusal":
            kinds.add("a refusal")
        elif kind in _CALLS or field(block, "function_call") is not None:
            kinds.add("calls of tools")
        elif kind in ("thinking", "reasoning", "redacted_thinking") or field(block, "thought"):
            kinds.add("thoughts without an answer")
    known = ("a refusal", "calls of tools", "thoughts without an answer")
    return next((kind for kind in known if kind in kinds), None)


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
