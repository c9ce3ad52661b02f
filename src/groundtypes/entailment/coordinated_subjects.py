"""What a sentence about several things says of each of them.

"Opened software and gift cards cannot be returned." says of either that it cannot. So a statement
on one of them that lacks the negation, "Opened software can be returned.", has the words of a part.
"""

import re
from collections.abc import Iterator
from typing import Final

from groundtypes.text.question_words import AUXILIARY, REDUCED_NOT
from groundtypes.text.sentences import sentence_spans

__all__ = ["said_of_each"]

#: One of several things: a few words without a mark, a verb or a word that joins or denies.
_THING: Final = (
    rf"(?:(?!(?:{AUXILIARY}|and|or|nor|not|no|but|that|which|who|whose|if|when|both|either|"
    rf"neither|between|cannot)\b)[\w'\u2019-]{{1,30}}\s){{1,5}}"
)
_SUBJECT: Final = re.compile(
    rf"(?P<first>{_THING})(?P<others>(?:,\s{_THING})*)"
    rf"(?:,\s)?(?:and|or)\s(?P<last>{_THING})(?={AUXILIARY}(?:not|{REDUCED_NOT})?\b)",
    re.IGNORECASE,
)
_ENDS: Final = re.compile(rf"{AUXILIARY}(?:\s?not|{REDUCED_NOT})?\W*", re.IGNORECASE)
_COMMA_BEFORE: Final = re.compile(r"(?<=\w),\s")
#: With one of these it is said of all together.
_TOGETHER: Final = re.compile(
    r"\b(?:together|both|each\sother|one\sanother|same|alike|different|equal|identical|combined|"
    r"at\sonce|simultaneously|mixed|separate|married|related)\b",
    re.IGNORECASE,
)


def said_of_each(text: str) -> Iterator[str]:
    """Yield what the sentences of a text say of each part of a subject such as "dogs and cats"."""
    for start, end in sentence_spans(text):
        sentence = text[start:end]
        # A comma stands behind a word, but a part consists of words with a space behind each.
        match = _SUBJECT.match(_COMMA_BEFORE.sub(" , ", sentence))
        if match is None or _TOGETHER.search(sentence):
            continue
        rest = match.string[match.end() :]
        if _ENDS.fullmatch(rest):  # "Buses stop here and trams do not."
            continue
        parts = [match["first"], *match["others"].split(", "), match["last"]]
        for part in parts:
            if part.strip():
                yield f"{part.strip()} {rest}"
