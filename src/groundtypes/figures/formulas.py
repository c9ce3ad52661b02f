r"""Formulas of LaTeX before figures are read: "$5 \times 10^{6}$" and "$10\,\mathrm{mg}$".

What a formula adds is replaced by characters that are removed afterwards (`normalise`), so that the
text keeps its length. A dollar sign around a formula is no currency.
"""

import re
from typing import Final

from groundtypes.text.latex import FORMULA, with_signs

__all__ = ["FILLING", "may_have_formulas", "without_formulas"]

#: Stands for characters that are no part of what is read.
FILLING: Final = "\ue001"
#: A number alone between two dollar signs: "between $5$ and $10$ kg".
_NUMBER: Final = re.compile(r"(?<![\w$\\])\$[-+]?\d[\d.,]{0,12}\$(?![\w$])")
#: Spaces of a formula: before a unit, and those that join the digits of one number.
_THOUSANDS: Final = re.compile(r"(?<=\d)(?:\\[,!]|\{,\})(?=\d{3}(?!\d))")
_SPACE: Final = re.compile(r"\\[,;:>]|\\ |\\q?quad(?![A-Za-z])|~")
_NO_SPACE: Final = re.compile(r"\\!")
#: A command around text, with its brace, and the brace that closes it.
_GROUP: Final = re.compile(
    r"\\(?:math|text)(?:rm|it|bf|sf|tt|up|normal)?\{([^{}\n]{1,40})\}|\\mbox\{([^{}\n]{1,40})\}"
)
#: Signs that LaTeX needs a backslash for, and the brackets around a formula.
_ESCAPE: Final = re.compile(r"\\(?=[%$&#\[\]])|\\[()]")
#: A tie between a number and its unit or scale.
_TIE: Final = re.compile(r"(?<=\d)(?:~|\\[,;:])(?=\\?[^\W\d_%])")


def may_have_formulas(text: str) -> bool:
    """Whether a text has any sign of LaTeX."""
    return "\\" in text or "~" in text or text.count("$") > 1


def without_formulas(text: str) -> str:
    """Return a text of the same length, with `FILLING` for what its formulas add."""
    if "$" in text:
        text = _NUMBER.sub(_in_formula, FORMULA.sub(_in_formula, text))
    if "~" in text or "\\" in text:
        text = _TIE.sub(lambda match: " " + FILLING * (len(match[0]) - 1), text)
    if "\\" in text:
        text = _GROUP.sub(_group, text)
        text = _filled(_ESCAPE, with_signs(text, FILLING))
    return text


def _in_formula(match: re.Match[str]) -> str:
    inner = match[0][1:-1]
    if "\\" in inner or "~" in inner or "{" in inner:
        inner = _filled(_NO_SPACE, _filled(_THOUSANDS, inner))
        inner = _GROUP.sub(_group, inner)
        inner = _SPACE.sub(lambda space: " " + FILLING * (len(space[0]) - 1), inner)
    return f"{FILLING}{inner}{FILLING}"


def _group(match: re.Match[str]) -> str:
    number = match.lastindex or 1
    before, after = match.start(number) - match.start(), match.end() - match.end(number)
    return FILLING * before + match[number] + FILLING * after


def _filled(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda match: FILLING * len(match[0]), text)
