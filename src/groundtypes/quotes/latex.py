r"""Signs that LaTeX writes as commands: \leq, \times, \pm and their like."""

import re
from typing import Final

__all__ = ["SIGN_COMMAND", "sign_of", "with_signs"]

_SIGNS: Final = {
    "times": "\u00d7", "cdot": "\u00b7", "pm": "\u00b1", "textpm": "\u00b1", "mp": "\u2213",
    "geq": "\u2265", "ge": "\u2265", "geqslant": "\u2265", "leq": "\u2264", "le": "\u2264",
    "leqslant": "\u2264", "neq": "\u2260", "ne": "\u2260", "sim": "~", "approx": "\u2248",
    "simeq": "\u2243", "cong": "\u2245", "ll": "\u226a", "gg": "\u226b", "lt": "<", "gt": ">",
    "gtrsim": "\u2273", "lesssim": "\u2272", "to": "\u2192", "rightarrow": "\u2192",
    "ldots": "\u2026", "dots": "\u2026", "textellipsis": "\u2026", "textdegree": "\u00b0",
    "degree": "\u00b0", "div": "\u00f7", "infty": "\u221e", "textasciitilde": "~",
    "texttimes": "\u00d7",
}  # fmt: skip
#: A command with the empty group behind it, or the raised circle of a degree.
SIGN_COMMAND: Final = (
    rf"(?<![:\\])\\(?:{'|'.join(sorted(_SIGNS, key=len, reverse=True))})(?![A-Za-z])(?:\{{\}})?"
    r"|\^\{?\\circ(?![A-Za-z])\}?"
)
_COMMAND: Final = re.compile(SIGN_COMMAND)


def sign_of(command: str) -> str | None:
    """Return the sign that a command of LaTeX writes, or `None` if it writes none."""
    if command[0] == "^":
        return "\u00b0"
    return _SIGNS.get(command.strip("\\{}"))


def with_signs(text: str) -> str:
    """Return a text with the signs that its commands of LaTeX write."""
    return _COMMAND.sub(lambda match: sign_of(match[0]) or match[0], text)
