r"""LaTeX in a text: formulas between dollar signs, and signs written as commands (\leq, \times)."""

import re
from typing import Final

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
#: A formula. After a currency sign there is a digit, which only begins a formula that has signs of
#: LaTeX in it.
FORMULA: Final = re.compile(
    r"(?<!\\)(?:\$[_^](?:\d|\{[-+]?\d{1,4}\}|[-+]\d?)\$"
    r"|\$-?\d[\d.,]{0,12}(?:\\[,;:!])?(?:\\[,;:!]|\^\{?\\circ\}?)\$|"
    r"\$(?:(?=[^$\n]{0,200}[\\^_{=])|(?=[^$\s\d][^$\s]{0,200}\$)|(?=[^$\s\d][^$\n]{0,200}[<>+]))"
    r"(?=\S)[^$\n]{1,200}(?<![\s\\])\$(?!\w))"
)


def sign_of(command: str) -> str | None:
    """Return the sign that a command of LaTeX writes, or `None` if it writes none."""
    if command[0] == "^":
        return "\u00b0"
    return _SIGNS.get(command.strip("\\{}"))


def with_signs(text: str, filling: str = "") -> str:
    """Return a text with the signs that its commands of LaTeX write.

    With `filling`, each sign is followed by so many of these characters that the text keeps its
    length.
    """
    return _COMMAND.sub(lambda match: _sign(match[0], filling), text)


def _sign(command: str, filling: str) -> str:
    sign = sign_of(command) or command
    return sign + filling * (len(command) - len(sign))
