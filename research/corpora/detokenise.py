"""Turns text that was cut into tokens back into ordinary text."""

import re
from typing import Final

__all__ = ["detokenise"]

_BRACKETS: Final = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "``": '"', "''": '"'}


def detokenise(text: str) -> str:
    """Return the text with the brackets, quotation marks and spaces that people write."""
    for token, mark in _BRACKETS.items():
        text = text.replace(token, mark)
    text = re.sub(r"\s+([.,;:!?%)\]])", r"\1", text)
    text = re.sub(r"([(\[])\s+", r"\1", text)
    text = re.sub(r"\s+('s|n't|'re|'ve|'ll|'d)\b", r"\1", text)
    return re.sub(r"\s+", " ", text).strip()
