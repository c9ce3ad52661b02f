"""What a text does with its question: the kinds, and what `detect_refusal` returns."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from groundtypes.text.message_excerpts import clip

#: How many characters of a sentence a reason quotes.
_MAX_QUOTED: Final = 160


class RefusalKind(StrEnum):
    """What a text does with its question."""

    ANSWER = "answer"
    REFUSAL = "refusal"
    ABSTENTION = "abstention"
    PARTIAL = "partial"


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a text does with its question.

    `kind`: it answers, refuses (will not), abstains (cannot: the information is missing), or
    answers in part, after or beside a refusal. `score` is the probability, from 0 to 1, that it is
    anything but a plain answer. `span` is the sentence that declines: start and end in code points
    of the text; `None` for an answer. `reason` is for people.
    """

    kind: RefusalKind
    score: float
    span: tuple[int, int] | None = None
    reason: str | None = None


_DESCRIPTIONS: Final = {
    RefusalKind.REFUSAL: "refuses",
    RefusalKind.ABSTENTION: "says that the information is missing",
    RefusalKind.PARTIAL: "refuses in part",
}


def certain(kind: RefusalKind, text: str, span: tuple[int, int]) -> Refusal:
    """Return a kind that a rule decides; `span` is the sentence that shows it."""
    return Refusal(kind, 1.0, span, reason_for(kind, text, span))


def reason_for(kind: RefusalKind, text: str, span: tuple[int, int]) -> str:
    """Return for people that the sentence of a span shows a kind."""
    sentence = clip(" ".join(text[span[0] : span[1]].split()), _MAX_QUOTED)
    return f'it {_DESCRIPTIONS[kind]}: "{sentence}"'
