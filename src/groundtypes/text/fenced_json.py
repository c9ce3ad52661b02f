"""JSON text that an LLM wrote, also where it is the whole content of one fenced block."""

from typing import Final

_FENCES: Final = ("```", "~~~")
_LANGUAGES: Final = frozenset({"", "json"})


def json_text(value: object) -> str | None:
    r"""Return the JSON in a text that is nothing else, judged by its first character.

    The text is an object or a list, or one fenced block of Markdown (its language `json` or not
    named) that holds one. A text with words before or after the block, or with several blocks, is
    none: which part of it is the answer would be a guess.

    Examples:
        >>> json_text('```json\n{"quote": "is tall"}\n```')
        '{"quote": "is tall"}'
        >>> json_text('Here it is:\n```json\n{"quote": "is tall"}\n```') is None
        True
    """
    if not isinstance(value, str):
        return None
    text = _content_of_fence(value.strip())
    return value if text is None and _begins(value) else text


def _begins(text: str) -> bool:
    return text.lstrip().startswith(("{", "["))


def _content_of_fence(text: str) -> str | None:
    """Return what is between the fences of a text that is one fenced block holding JSON."""
    if not text.startswith(_FENCES):
        return None
    head, _, rest = text.partition("\n")
    sign = head[0]
    language = head.lstrip(sign)
    fence = head[: len(head) - len(language)]
    content, _, last = rest.rpartition("\n")
    if language.strip().lower() not in _LANGUAGES or not _begins(content):
        return None
    # The last line closes the block: it has at least as many signs, and nothing else.
    if last.strip(sign) or len(last) < len(fence):
        return None
    # JSON has no line break within a string, so that another such line is a fence.
    if any(line.strip().startswith(fence) for line in content.splitlines()):
        return None
    return content
