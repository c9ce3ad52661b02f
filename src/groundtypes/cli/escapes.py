"""Text from anywhere, made safe for a terminal."""

import unicodedata
from typing import Final

#: Control, format (such as bidi overrides), surrogate, private, unassigned, and the separators of
#: lines and paragraphs.
_ESCAPED_CATEGORIES: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


def printable(text: object, limit: int = 400) -> str:
    """Return the text on one line, with every character escaped that a terminal could obey."""
    return "".join(
        char.encode("unicode_escape").decode()
        if unicodedata.category(char) in _ESCAPED_CATEGORIES
        else char
        for char in str(text)[:limit]
    )
