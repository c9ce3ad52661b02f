"""Parts of a sentence without which it still says what it says.

"The bus, which does not stop in Ure, leaves at nine." says "The bus leaves at nine.", and "The
kiosk sells bread, not wine." says "The kiosk sells bread.".
"""

import re
from typing import Final

__all__ = ["without_asides"]

#: Asides that restrict the sentence, or say whose opinion it is, are none.
_RESTRICTING: Final = (
    r"accord|alleg|assum|believ|claim|consider|deem|depend|except|exclud|expect|provid|report|said|"
    r"suppos|suspect|thought|unless|if\b|only\b|assert|presum|includ"
)
_ASIDE: Final = re.compile(
    r",\s(?:who|whom|whose|which|made|built|written|born|known|held|sold|given|taken|seen"
    rf"|(?!{_RESTRICTING})[a-z]{{3,20}}(?:ed|ing))\s[^,;:.?!()]{{1,200}},(?=\s)"
)
_INSTEAD: Final = re.compile(
    r",\snot\s(?!only\b|if\b|until\b|unless\b|all\b|necessarily\b)[^,;:?!()]{1,80}?"
    r"(?:,(?=\s)|(?=\s*[.!]?\s*\Z))"
)
_RESTRICTED: Final = re.compile(r"\b(?:if|unless|only|except)\b", re.IGNORECASE)


def without_asides(sentence: str) -> list[str]:
    """Return a sentence without its relative and participle clauses, and without ", not wine".

    The result is empty if it has none of these between commas.
    """
    shorter = [
        text
        for pattern in (_ASIDE, _INSTEAD)
        if (text := pattern.sub(_dropped, sentence)) != sentence
    ]
    return list(dict.fromkeys(shorter))


def _dropped(aside: re.Match[str]) -> str:
    return aside[0] if _RESTRICTED.search(aside[0]) else ""
