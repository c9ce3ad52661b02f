"""HTML entities: a text is decoded, and offsets in it are restored to those in the original."""

from html import unescape

from groundtypes.quotes.token_patterns import ENTITY
from groundtypes.quotes.tokens import Tokens

__all__ = ["decode_entities", "has_entities", "restore_offsets"]


def has_entities(text: str, start: int, end: int) -> bool:
    """Whether an HTML entity occurs between two offsets."""
    return text.find("&", start, end) >= 0 and ENTITY.search(text, start, end) is not None


def decode_entities(text: str, start: int, end: int) -> tuple[str, list[int]]:
    """Return the text with HTML entities decoded, and the original offset of each character."""
    parts: list[str] = []
    offsets: list[int] = []
    at = start
    for match in ENTITY.finditer(text, start, end):
        decoded = unescape(match[0])
        if decoded == match[0]:
            continue
        parts += (text[at : match.start()], decoded)
        offsets.extend(range(at, match.start()))
        offsets.extend([match.start()] * len(decoded))
        at = match.end()
    parts.append(text[at:end])
    offsets.extend(range(at, end + 1))
    return "".join(parts), offsets


def restore_offsets(text: str, tokens: Tokens, offsets: list[int]) -> None:
    """Replace the offsets of the tokens of a decoded text by those in the original text."""
    tokens.starts = [offsets[at] for at in tokens.starts]
    tokens.ends = [offsets[at - 1] + 1 if at else offsets[0] for at in tokens.ends]
    # A token that ends with an entity ends after its semicolon.
    for number, (end, key) in enumerate(zip(tokens.ends, tokens.keys, strict=True)):
        match = ENTITY.match(text, end - 1) if text[end - 1] == "&" else None
        if match and (key != "&" or unescape(match[0]) == "&"):
            tokens.ends[number] = match.end()
