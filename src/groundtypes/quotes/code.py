"""Signs of code and formulas that look like markup: subscripts, generics, LaTeX formulas."""

import re
from typing import Final

from groundtypes.text.latex import FORMULA

__all__ = ["is_formula_mark", "is_generic", "is_subscript"]

#: How far before a bracket its line is looked at.
_LINE_REACH: Final = 200
#: How far the end of an element is looked for.
_ELEMENT_REACH: Final = 2_000
#: Numbers and letters that count no footnotes but elements.
_INDICES: Final = frozenset("0 i j k n".split())
#: What follows an element in code: an assignment, a member, an operator.
_CODE_AFTER: Final = re.compile(r"\s?(?:[-+*/%&|^!<>=]?=|\+\+|--|\.[a-z_]|->|[+*]\s?\w)")
#: What precedes an element in code: an assignment, a call, an operator, or a name with underscores.
_CODE_BEFORE: Final = re.compile(
    r"(?:(?<![<>=!])=\s?|\s[+*]\s|\w\()[A-Za-z_][\w.]*\Z|\w_\w*\Z|\w->\w+\Z"
)
#: Elements whose end may be left out, or that have none.
_OPEN_ELEMENTS: Final = frozenset(
    "p li td th tr dt dd br hr wbr img input col thead tbody tfoot colgroup sup sub".split()
)


def is_subscript(text: str, start: int, end: int) -> bool:
    """Whether a bracket after a word is an element of code and not a footnote mark."""
    if text[start + 1 : end - 1] in _INDICES or _CODE_AFTER.match(text, end):
        return True
    head = text[max(0, start - _LINE_REACH) : start]
    head = head[head.rfind("\n") + 1 :]
    return (
        head.count("`") % 2 == 1
        or head.rfind("<code") > head.rfind("</code")
        or _CODE_BEFORE.search(head) is not None
    )


def is_generic(text: str, start: int, end: int) -> bool:
    """Whether what looks like an HTML tag is a parameter of a type, as in `List<i>`."""
    name = text[start + 1 : end - 1].lower()
    return (
        start > 0
        and (text[start - 1].isalnum() or text[start - 1] == "_")
        and name.isalpha()
        and name not in _OPEN_ELEMENTS
        and f"</{name}" not in text[end : end + _ELEMENT_REACH].lower()
    )


def is_formula_mark(text: str, start: int) -> bool:
    """Whether a dollar sign begins or ends a formula of LaTeX."""
    if FORMULA.match(text, start):
        return True
    opening = text.rfind("$", max(0, start - _LINE_REACH), start)
    if opening < 0:
        return False
    formula = FORMULA.match(text, opening)
    return formula is not None and formula.end() == start + 1
