"""Whether a text answers, refuses, or says that it cannot know: the head of it is read."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any, Final

from groundtypes.errors import BackendError, clip
from groundtypes.judges import llm_engine
from groundtypes.ledger import Ledger
from groundtypes.prompts.prompt import REPLY_KIND
from groundtypes.prompts.response_models import ReplyKind
from groundtypes.refusals.features import (
    BREAK,
    NEXT,
    may_decline,
    own_words,
    plain_head,
    row_of,
    shape,
    words_of,
)
from groundtypes.refusals.heads import head_spans
from groundtypes.refusals.linear_model import Table, table
from groundtypes.refusals.phrases import foreign_phrase
from groundtypes.scoring import Question, Reply

__all__ = ["Refusal", "RefusalKind", "detect_refusal", "kind_question", "told_kind"]

#: From which probability on a text is no plain answer.
_THRESHOLD: Final = 0.5
#: What a phrase of another language is worth; the model reads English.
_FOREIGN: Final = 0.9
_SHOWN: Final = 160
#: What stands where there is no answer.
_NOTHING: Final = frozenset(
    {"n/a", "na", "n.a", "null", "nil", "no answer", "(no answer)", "[no answer]"}
)
_TERSE: Final = 16
#: What an LLM is shown of a reply, and of its question.
_JUDGED: Final = 3_000
_ASKED: Final = 2_000


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
    anything but a plain answer. `span` is the sentence that says so: start and end in code points
    of the text; `None` for an answer. `reason` is for people.
    """

    kind: RefusalKind
    score: float
    span: tuple[int, int] | None = None
    reason: str | None = None


_ANSWER: Final = Refusal(RefusalKind.ANSWER, 0.0)
_EMPTY: Final = Refusal(RefusalKind.ABSTENTION, 1.0, None, "there is no word in it")
_DOES: Final = {
    RefusalKind.REFUSAL: "refuses",
    RefusalKind.ABSTENTION: "says that the information is missing",
    RefusalKind.PARTIAL: "refuses in part",
}


def detect_refusal(text: str, question: str | None = None, *, llm: Any = None) -> Refusal:
    """Return whether a text answers, refuses, abstains, or answers in part.

    The first three sentences are read, and the whole of a short text; how long it is and whether
    it has a list counts too. A sentence that stands in the `question` says nothing of the answer.
    A text without any letter or digit answers nothing: it abstains. A small linear model decides
    (`docs/refusal-model.md`); nothing is fetched, and it takes some microseconds. With `llm`, what
    `Judges(llm=...)` takes, that LLM decides; its score is 0 or 1.

    >>> detect_refusal("Sorry, but I can't assist with that.").kind
    <RefusalKind.REFUSAL: 'refusal'>
    >>> detect_refusal("The passage does not say when he was born.").kind
    <RefusalKind.ABSTENTION: 'abstention'>
    >>> detect_refusal("I cannot recommend it enough.").kind
    <RefusalKind.ANSWER: 'answer'>

    Raises:
        Mistake: The LLM is missing or fails, or the table of the model is damaged.
    """
    if llm is not None and any(map(str.isalnum, text[:_JUDGED])):
        asked = kind_question(text, question)
        [reply] = Ledger().ask_now(llm_engine(llm), [asked])
        return told_kind(text, reply)
    return _detected(text, question)


def kind_question(text: str, question: str | None) -> Question:
    """Return the question to an LLM what a reply does."""
    end = _head_end(text)
    return REPLY_KIND.question(("question", (question or "")[-_ASKED:]), ("reply", text[:end]))


def told_kind(text: str, reply: Reply) -> Refusal:
    """Return what an LLM said that a reply does; the sentence is the detector's."""
    found = reply.answer
    assert isinstance(found, ReplyKind)  # noqa: S101 # the engine answers with the model asked for
    kind = RefusalKind(found.kind)
    declines = kind is not RefusalKind.ANSWER
    spans = head_spans(text)
    span = None
    if declines and spans:
        model, head = _table(), plain_head(text, spans)
        row = row_of(own_words(head, words_of(head)), whole=False)
        span = _decisive(model, row, *model.known(row), spans)
    return Refusal(kind, float(declines), span, " ".join(found.reason.split()) or None)


def _head_end(text: str) -> int:
    """Return where the part of a reply ends that is judged."""
    spans = head_spans(text)
    return min(spans[-1][1], _JUDGED) if spans else 0


def _detected(text: str, question: str | None) -> Refusal:
    spans = head_spans(text)
    if not any(character.isalnum() for start, end in spans for character in text[start:end]):
        return _EMPTY
    if question is not None:
        spans = [span for span in spans if not _echoes(text[span[0] : span[1]], question)]
    head = plain_head(text, spans)
    if len(head) <= _TERSE and head.strip(" .!*_`'\"") in _NOTHING:
        return Refusal(RefusalKind.ABSTENTION, 1.0, spans[0], "there is nothing in it")
    words = words_of(head)
    foreign = foreign_phrase(words, head)
    if foreign is None and not may_decline(words):
        return _ANSWER
    if foreign is not None:
        kind = RefusalKind(foreign[0])
        number = words[: foreign[1]].count(BREAK)
        span = spans[min(number, len(spans) - 1)]
        return Refusal(kind, _FOREIGN, span, _reason(kind, text, span))
    model = _table()
    whole = spans[-1][1] >= len(text.rstrip())
    row = row_of(own_words(head, words), whole=whole)
    known, begins = model.known([*row, *shape(text)])
    score = model.declines(known)
    if score < _THRESHOLD:
        return Refusal(RefusalKind.ANSWER, score)
    kind = RefusalKind(model.kind(known))
    span = _decisive(model, row, known, begins, spans)
    return Refusal(kind, score, span, _reason(kind, text, span))


def _table() -> Table:
    try:
        return table()
    except (OSError, ValueError) as error:
        raise BackendError(
            "The table of refusals that comes with groundtypes is damaged."
        ) from error


def _echoes(sentence: str, question: str) -> bool:
    return len(sentence) > 8 and sentence.rstrip(".!?") in question


def _decisive(
    model: Table,
    row: Sequence[str],
    known: Sequence[int],
    begins: Sequence[int],
    spans: Sequence[tuple[int, int]],
) -> tuple[int, int]:
    """Return the sentence whose words decline most."""
    if len(spans) == 1:
        return spans[0]
    firsts = [0, *(at for at, word in enumerate(row) if word == NEXT), len(row)]
    parts = [known[begins[start] : begins[end]] for start, end in pairwise(firsts)]
    scores = [model.declines(part) for part in parts]
    return spans[min(scores.index(max(scores)), len(spans) - 1)]


def _reason(kind: RefusalKind, text: str, span: tuple[int, int]) -> str:
    said = clip(" ".join(text[span[0] : span[1]].split()), _SHOWN)
    return f'it {_DOES[kind]}: "{said}"'
