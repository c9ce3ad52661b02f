"""Long English replies that begin by saying that the passages do not tell.

The model of long texts takes "Based on the provided passages, the salary cannot be established. The
report describes ..." for an answer, because most replies with these first words do answer.
"""

import re
from typing import Final

__all__ = ["says_that_passages_do_not_tell"]

#: How many characters of a sentence are read.
_MAX_CHARACTERS: Final = 300
#: Behind these the reply may answer all the same; "but none of them gives it" does not.
_CONTRAST: Final = re.compile(
    r"however|nevertheless|nonetheless|that said|although|though|still,|instead,"
    r"|\bbut (?!(?:(?:it|they|is|are|was|were|do|does|did) ){0,2}"
    r"(?:none|no|not|never|nothing|neither|nowhere|nobody)\b)"
)
_FIRST_WORDS: Final = ("based ", "from ", "given ", "with ", "using ")
_PASSAGES: Final = (
    r"(?:passages?|contexts?|documents?|texts?|information|sources?|excerpts?|references?|"
    r"materials?|articles?|snippets?|files?|pages?|content|data|records?)"
)
_GIVEN: Final = r"(?:provided|given|supplied|available|retrieved|shared|attached|uploaded|above)"
_TO_KNOW: Final = (
    r"(?:determined?|establish(?:ed)?|answer(?:ed)?|ascertain(?:ed)?|infer(?:red)?|conclude|"
    r"say|tell|deduced?|deriv(?:e|ed))\b"
)
_BEGINNING: Final = re.compile(
    r"(?:based (?:up)?on|from|given|with|using) (?:only )?(?:the )?"
    rf"(?:{_GIVEN} {_PASSAGES}(?: alone)?|{_PASSAGES} "
    rf"(?:(?:that )?(?:you|i)(?: was| were|'ve| have)? (?:sent|gave|{_GIVEN})|{_GIVEN}|alone)), ?"
    r"(?:(?:it is|it's) (?:not possible|impossible) to "
    rf"|i(?:'m| am) (?:not able|unable) to |i (?:cannot|can't|can not|could not|couldn't) "
    rf"|(?:this|the|your|that) [^,.;!?\x01]{{1,80}} (?:cannot|can't|can not|could not|couldn't) be "
    rf"){_TO_KNOW}"
)


def says_that_passages_do_not_tell(opening: str) -> bool:
    """Return whether a normalised opening begins by saying that what was given does not tell.

    Nothing in it may lead on to an answer all the same.
    """
    return (
        opening.startswith(_FIRST_WORDS)
        and _BEGINNING.match(opening, 0, _MAX_CHARACTERS) is not None
        and _CONTRAST.search(opening) is None
    )
