"""What references say of claims: the questions to an LLM or an NLI engine, and what they come to.

The questions are put together and the answers are read here; who asks the engines, and when, is
the caller's: a check asks through its ledger, the plain functions at once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from groundtypes.claims.extract import numbered
from groundtypes.entailment.decision import Entailment
from groundtypes.evidence.passages import Shown, asked_question, bundles
from groundtypes.prompts.prompt import CHECK_CLAIM, CHECK_CLAIMS
from groundtypes.prompts.response_models import LABELS, ClaimLabel, ClaimLabels
from groundtypes.references import References, Span
from groundtypes.scoring import Label, NLIScores, Question, Reply
from groundtypes.text.hypotheses import Hypothesis

__all__ = ["CheckedClaim", "Checking", "checkings", "nli_checked", "split"]

#: One call labels at most so many claims, of so many characters.
_CLAIMS: Final = 40
_CHARACTERS: Final = 20_000


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

    @classmethod
    def by_llm(
        cls,
        claim: Hypothesis,
        label: Label,
        shown: Shown,
        number: int | None,
        tokens: int,
    ) -> "CheckedClaim":
        """Return a claim that an LLM labelled, by the passage that it calls by this number."""
        evidence = shown.evidence(number, claim.text)
        return cls(
            claim.text,
            claim.start,
            claim.end,
            label,
            evidence.text if evidence else None,
            evidence.span if evidence else None,
            tokens=tokens,
        )


@dataclass(frozen=True, slots=True)
class Checking:
    """One question about claims, with what it shows of the references."""

    question: Question
    claims: tuple[Hypothesis, ...]
    shown: Shown

    def read(self, reply: Reply) -> list[CheckedClaim | None]:
        """Return what is said of each claim: `None` where the answer does not line up with it."""
        tokens = split(reply.tokens_in + reply.tokens_out, len(self.claims))
        found: list[CheckedClaim | None] = []
        for number, (claim, share) in enumerate(zip(self.claims, tokens, strict=True), 1):
            said = list(_said(reply, number))
            if len(set(said)) == 1:
                label, passage = said[0]
                found.append(CheckedClaim.by_llm(claim, label, self.shown, passage, share))
            else:
                found.append(None)
        return found

    def alone(self, claim: Hypothesis, question: str | None) -> "Checking":
        """Return the question about one of the claims."""
        return _checking((claim,), self.shown, question)


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
    found = bundles(claims, references, _CLAIMS if joint else 1, _CHARACTERS)
    return [_checking(some, shown, question) for some, shown in found if shown.stretches]


def _checking(claims: tuple[Hypothesis, ...], shown: Shown, question: str | None) -> Checking:
    texts = [*shown.named, asked_question(question)]
    if len(claims) == 1:
        asked = CHECK_CLAIM.question(*texts, ("claim", " ".join(claims[0].text.split())))
    else:
        lines = numbered(claim.text for claim in claims)
        asked = CHECK_CLAIMS.question(*texts, ("claims", lines))
    return Checking(asked, claims, shown)


def _said(reply: Reply, number: int) -> Iterator[tuple[Label, int | None]]:
    answer = reply.answer
    if isinstance(answer, ClaimLabel):
        yield LABELS[answer.label], answer.passage
    elif isinstance(answer, ClaimLabels):
        for one in answer.labels:
            if one.claim == number:
                yield LABELS[one.label], one.passage


def split(total: int, parts: int) -> list[int]:
    """Return whole numbers, as alike as can be, that add up to the total."""
    each, rest = divmod(total, parts)
    return [each + (number < rest) for number in range(parts)]


def nli_checked(claim: Hypothesis, found: Entailment) -> CheckedClaim:
    """Return what an NLI engine found of a claim."""
    return CheckedClaim(
        claim.text, claim.start, claim.end, found.label, found.passage, found.span, found.scores
    )
