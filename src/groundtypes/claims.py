"""Claims of a text, and what references say of them: the questions, and what answers come to.

The questions are put together and the answers are read here; who asks the engines, and when, is
the caller's: a check asks through its ledger, the plain functions at once.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from groundtypes.entailment import Entailment, Inquiry, Passage
from groundtypes.premises import Premise, select_premises
from groundtypes.prompts.answers import MEANINGS, ClaimLabel, ClaimLabels, Claims
from groundtypes.prompts.prompt import CHECK_CLAIM, CHECK_CLAIMS, EXTRACT_CLAIMS
from groundtypes.references import References, Span
from groundtypes.scoring import ClaimTriplet, Label, NLIScores, Question, Reply
from groundtypes.text.coverage import content_terms
from groundtypes.text.hypotheses import Hypothesis, hypotheses

__all__ = [
    "CheckedClaim",
    "Checking",
    "Extracted",
    "Extraction",
    "checkings",
    "claim_inquiries",
    "extractions",
    "nli_checked",
    "read_claims",
    "with_uncovered",
]

#: One call extracts from at most so many sentences, or characters of them.
_SENTENCES: Final = 24
_CHARACTERS: Final = 6_000
#: So much of the text before stands in front, for what pronouns mean.
_BEFORE: Final = 600
_QUESTION: Final = 1_000
#: One call labels at most so many claims against at most so many characters of passages.
_CLAIMS: Final = 40
_PASSAGES: Final = 16_000
#: So many passages are shown for each claim.
_EACH: Final = 2
#: A sentence of fewer telling words of which no claim was extracted claims nothing.
_TELLING: Final = 3
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")


class Extracted(list[ClaimTriplet]):
    """Claims in the order of the text, and those that were dropped for what the text lacks."""

    def __init__(
        self, claims: Iterable[ClaimTriplet] = (), dropped: Iterable[ClaimTriplet] = ()
    ) -> None:
        super().__init__(claims)
        self.dropped = tuple(dropped)


@dataclass(frozen=True, slots=True)
class Extraction:
    """One question for claims, and the sentences that it numbers from 1."""

    question: Question
    sentences: tuple[Hypothesis, ...]


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim, what the references say of it, and the passage that decided.

    `start` and `end` say where the sentence stands that claims it. `scores` are those of an NLI
    engine; an LLM gives none. `tokens` are those that an LLM read and wrote for this claim.
    """

    text: str
    start: int
    end: int
    label: Label
    passage: str | None = None
    span: Span | None = None
    scores: NLIScores | None = None
    tokens: int | None = None


# --- claims of a text -----------------------------------------------------------------------


def extractions(text: str, question: str | None = None) -> list[Extraction]:
    """Return what to ask for the claims of a text: one question for every few sentences."""
    claiming = [sentence for sentence in hypotheses(text) if sentence.claims]
    return [_extraction(text, part, question) for part in _parts(claiming)]


def _parts(sentences: Sequence[Hypothesis]) -> Iterator[tuple[Hypothesis, ...]]:
    part: list[Hypothesis] = []
    size = 0
    for sentence in sentences:
        if part and (len(part) == _SENTENCES or size + len(sentence.text) > _CHARACTERS):
            yield tuple(part)
            part, size = [], 0
        part.append(sentence)
        size += len(sentence.text)
    if part:
        yield tuple(part)


def _extraction(text: str, part: tuple[Hypothesis, ...], question: str | None) -> Extraction:
    begin = part[0].start
    asked = EXTRACT_CLAIMS.question(
        ("question", (question or "")[-_QUESTION:]),
        ("text before", text[max(0, begin - _BEFORE) : begin].strip()),
        ("sentences", _numbered(sentence.text[:_CHARACTERS] for sentence in part)),
    )
    return Extraction(asked, part)


def _numbered(texts: Iterable[str]) -> str:
    # On one line each, so that no text can number itself.
    return "\n".join(f"{number}. {' '.join(text.split())}" for number, text in enumerate(texts, 1))


def read_claims(
    asked: Sequence[Extraction], replies: Sequence[Reply], text: str, question: str | None = None
) -> Extracted:
    """Return the claims that the replies hold: each once, and none that the text does not make.

    A claim is dropped when most telling words of its subject or object, or any of its numbers,
    stand neither in the text nor in the question.
    """
    known = f"{text}\n{question or ''}"
    words, numbers = content_terms(known), set(_NUMBER.findall(known))
    kept: dict[tuple[str, ...], ClaimTriplet] = {}
    dropped: list[ClaimTriplet] = []
    for one, reply in zip(asked, replies, strict=True):
        for claim in _claims(one, reply):
            parts = (claim.subject, claim.predicate, claim.object)
            if _stands(claim, words, numbers):
                kept.setdefault(tuple(" ".join(part.casefold().split()) for part in parts), claim)
            else:
                dropped.append(claim)
    return Extracted(sorted(kept.values(), key=lambda claim: claim.start), dropped)


def _claims(one: Extraction, reply: Reply) -> Iterator[ClaimTriplet]:
    found = reply.answer
    for claim in found.claims if isinstance(found, Claims) else ():
        if 1 <= claim.sentence <= len(one.sentences) and claim.subject.strip():
            sentence = _told_by(one.sentences[claim.sentence - 1], one.sentences, claim.object)
            yield ClaimTriplet(
                claim.subject, claim.predicate, claim.object, sentence.start, sentence.end
            )


def _told_by(named: Hypothesis, sentences: Sequence[Hypothesis], said: str) -> Hypothesis:
    """Return the sentence that says it: the named one, unless only another has the words.

    Small LLMs miscount.
    """
    telling = content_terms(said)
    if not telling or telling & content_terms(named.text):
        return named
    return next((one for one in sentences if telling <= content_terms(one.text)), named)


def _stands(claim: ClaimTriplet, words: set[str], numbers: set[str]) -> bool:
    if not set(_NUMBER.findall(claim.text)) <= numbers:
        return False
    for part in (claim.subject, claim.object):
        telling = content_terms(part)
        if telling and 2 * len(telling & words) < len(telling):
            return False
    return True


def with_uncovered(text: str, claims: Sequence[ClaimTriplet]) -> list[Hypothesis]:
    """Return the claims as sentences, and each telling sentence of which there is no claim.

    What an LLM passes over is thus judged as it stands: else a text could talk its way past.
    """
    found = [Hypothesis(claim.text, claim.start, claim.end) for claim in claims]
    covered = {(claim.start, claim.end) for claim in claims}
    found += [
        sentence
        for sentence in hypotheses(text)
        if sentence.claims
        and (sentence.start, sentence.end) not in covered
        and len(content_terms(sentence.text)) >= _TELLING
    ]
    return sorted(found, key=lambda one: one.start)


# --- what references say of them ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Checking:
    """One question about claims, with the passages that it numbers from 1."""

    question: Question
    claims: tuple[Hypothesis, ...]
    passages: tuple[Premise, ...]

    def read(self, reply: Reply) -> list[CheckedClaim | None]:
        """Return what is said of each claim: `None` where the answer does not line up with it."""
        tokens = _split(reply.tokens_in + reply.tokens_out, len(self.claims))
        found: list[CheckedClaim | None] = []
        for number, (claim, share) in enumerate(zip(self.claims, tokens, strict=True), 1):
            said = list(_said(reply, number))
            if len(set(said)) == 1:
                found.append(self._checked(claim, *said[0], tokens=share))
            else:
                found.append(None)
        return found

    def alone(self, claim: Hypothesis, question: str | None) -> "Checking":
        """Return the question about one of the claims."""
        return _single(claim, self.passages, question)

    def _checked(
        self, claim: Hypothesis, label: Label, passage: int | None, *, tokens: int
    ) -> CheckedClaim:
        shown = None
        if passage is not None and 1 <= passage <= len(self.passages):
            shown = self.passages[passage - 1]
        elif self.passages:
            # The one most like the claim is the one to look at.
            shown = max(self.passages, key=lambda one: _shared(one.text, claim.text))
        return CheckedClaim(
            claim.text,
            claim.start,
            claim.end,
            label,
            shown.text if shown else None,
            shown.span if shown else None,
            tokens=tokens,
        )


def checkings(
    claims: Sequence[Hypothesis],
    references: References,
    question: str | None = None,
    *,
    joint: bool = True,
) -> list[Checking]:
    """Return what to ask an LLM about claims: many in one question, or one in each.

    Each question shows the passages most like its claims. Without any passage there is nothing to
    ask: nothing is said of any claim.
    """
    shown = {claim: tuple(select_premises(references, claim.text, _EACH)) for claim in claims}
    if not any(shown.values()):
        return []
    if not joint:
        return [_single(claim, shown[claim], question) for claim in claims]
    found: list[Checking] = []
    part: list[Hypothesis] = []
    passages: dict[Span, Premise] = {}
    for claim in claims:
        more = {premise.span: premise for premise in shown[claim]}
        size = sum(len(one.text) for one in (passages | more).values())
        if part and (len(part) == _CLAIMS or size > _PASSAGES):
            found.append(_joint(part, passages, references, question))
            part, passages = [], {}
        part.append(claim)
        passages |= more
    if part:
        found.append(_joint(part, passages, references, question))
    return found


def _joint(
    claims: Sequence[Hypothesis],
    passages: dict[Span, Premise],
    references: References,
    question: str | None,
) -> Checking:
    rank = {name: number for number, name in enumerate(references.ids)}
    ordered = tuple(
        sorted(passages.values(), key=lambda one: (rank[one.span.reference], one.span.start))
    )
    if len(claims) == 1:
        return _single(claims[0], ordered, question)
    asked = CHECK_CLAIMS.question(
        *_shown(ordered, question), ("claims", _numbered(claim.text for claim in claims))
    )
    return Checking(asked, tuple(claims), ordered)


def _single(claim: Hypothesis, passages: tuple[Premise, ...], question: str | None) -> Checking:
    asked = CHECK_CLAIM.question(
        *_shown(passages, question), ("claim", " ".join(claim.text.split()))
    )
    return Checking(asked, (claim,), passages)


def _shown(passages: Sequence[Premise], question: str | None) -> list[tuple[str, str]]:
    shown = [(f"passage {number}", one.text) for number, one in enumerate(passages, 1)]
    return [*shown, ("question", (question or "")[-_QUESTION:])]


def _said(reply: Reply, number: int) -> Iterator[tuple[Label, int | None]]:
    answer = reply.answer
    if isinstance(answer, ClaimLabel):
        yield MEANINGS[answer.label], answer.passage
    elif isinstance(answer, ClaimLabels):
        for one in answer.labels:
            if one.claim == number:
                yield MEANINGS[one.label], one.passage


def _split(total: int, parts: int) -> list[int]:
    each, rest = divmod(total, parts)
    return [each + (number < rest) for number in range(parts)]


def _shared(passage: str, claim: str) -> int:
    return len(content_terms(passage) & content_terms(claim))


def claim_inquiries(
    claims: Sequence[Hypothesis], references: References, question: str | None = None
) -> list[Inquiry]:
    """Return what to ask an NLI engine about claims."""
    return [
        Inquiry(
            claim,
            tuple(
                Passage(premise.text, premise.span)
                for premise in select_premises(references, claim.text)
            ),
            question,
        )
        for claim in claims
    ]


def nli_checked(claim: Hypothesis, found: Entailment) -> CheckedClaim:
    """Return what an NLI engine found of a claim."""
    return CheckedClaim(
        claim.text, claim.start, claim.end, found.label, found.passage, found.span, found.scores
    )
