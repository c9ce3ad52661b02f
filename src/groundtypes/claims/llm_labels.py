"""Labels of claims by an LLM: what it is asked about each claim, and how its replies are read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from groundtypes.claims.claim import CheckedClaim
from groundtypes.claims.prompt_limits import MAX_QUESTION
from groundtypes.entailment.evidence.prompt_passages import EvidencePassages, batches_with_evidence
from groundtypes.errors import BackendError
from groundtypes.ledger import Ask
from groundtypes.prompts.prompt import CHECK_CLAIM, CHECK_CLAIMS
from groundtypes.prompts.prompt_texts import numbered_lines, question_text
from groundtypes.prompts.response_models import LABELS, ClaimLabel, ClaimLabels
from groundtypes.references import References
from groundtypes.scoring import LLM, Label, Question, Reply
from groundtypes.text.hypotheses import Hypothesis

#: The most claims of one question, and the most characters of these claims.
MAX_CLAIMS: Final = 40
MAX_CHARACTERS: Final = 20_000


def label_by_llm(
    claims: Sequence[Hypothesis],
    references: References,
    user_question: str | None,
    llm: LLM,
    ask: Ask,
    *,
    calls: Literal["one", "per_claim"],
) -> list[CheckedClaim]:
    """Return the claims with their labels; neutral if the references have no passages to show."""
    max_claims = MAX_CLAIMS if calls == "one" else 1
    batches = batches_with_evidence(claims, references, max_claims, MAX_CHARACTERS)
    shown = [(batch, evidence) for batch, evidence in batches if evidence.texts]
    if not shown:
        return [CheckedClaim(claim.text, claim.start, claim.end, Label.NEUTRAL) for claim in claims]
    return label_batches(shown, user_question, llm, ask)


def label_batches(
    batches: Sequence[tuple[tuple[Hypothesis, ...], EvidencePassages]],
    user_question: str | None,
    llm: LLM,
    ask: Ask,
) -> list[CheckedClaim]:
    """Return the claims of all batches with their labels, each judged by the passages of its batch.

    A claim that a reply about several claims leaves out, or labels twice in different ways, is
    asked about again on its own.
    """
    requests = [_request(claims, evidence, user_question) for claims, evidence in batches]
    replies = ask(llm, [request.question for request in requests]) if requests else []
    first_results = [
        (request, claim, checked)
        for request, reply in zip(requests, replies, strict=True)
        for claim, checked in zip(request.claims, request.read(reply), strict=True)
    ]
    single_requests = [
        _request((claim,), request.evidence, user_question)
        for request, claim, checked in first_results
        if checked is None
    ]
    replies = ask(llm, [request.question for request in single_requests]) if single_requests else []
    single_results = iter(
        request.read(reply)[0] for request, reply in zip(single_requests, replies, strict=True)
    )
    results = [
        checked if checked is not None else next(single_results) for _, _, checked in first_results
    ]
    if any(checked is None for checked in results):
        raise BackendError(f"{type(llm).__name__} did not label a claim")
    return [checked for checked in results if checked is not None]


@dataclass(frozen=True, slots=True)
class _Request:
    """A question to the LLM for the labels of some claims, with the passages that it shows."""

    question: Question
    claims: tuple[Hypothesis, ...]
    evidence: EvidencePassages

    def read(self, reply: Reply) -> list[CheckedClaim | None]:
        """Return each claim with its label; `None` if the reply has no label for it, or several."""
        tokens = split_tokens(reply.tokens_in + reply.tokens_out, len(self.claims))
        checked: list[CheckedClaim | None] = []
        for number, (claim, share) in enumerate(zip(self.claims, tokens, strict=True), 1):
            labels = set(_labels_of(reply, number))
            if len(labels) == 1:
                [(claim_label, passage)] = labels
                checked.append(checked_by_llm(claim, claim_label, self.evidence, passage, share))
            else:
                checked.append(None)
        return checked


def _request(
    claims: tuple[Hypothesis, ...], evidence: EvidencePassages, user_question: str | None
) -> _Request:
    texts = [*evidence.named_texts, question_text(user_question, MAX_QUESTION)]
    if len(claims) == 1:
        llm_question = CHECK_CLAIM.question(*texts, ("claim", " ".join(claims[0].text.split())))
    else:
        lines = numbered_lines(claim.text for claim in claims)
        llm_question = CHECK_CLAIMS.question(*texts, ("claims", lines))
    return _Request(llm_question, claims, evidence)


def _labels_of(reply: Reply, number: int) -> Iterator[tuple[Label, int | None]]:
    """Yield the labels that a reply gives a claim, with the number of the deciding passage."""
    answer = reply.answer
    if isinstance(answer, ClaimLabel):
        yield LABELS[answer.label], answer.passage
    elif isinstance(answer, ClaimLabels):
        for numbered in answer.labels:
            if numbered.claim == number:
                yield LABELS[numbered.label], numbered.passage


def checked_by_llm(
    claim: Hypothesis,
    claim_label: Label,
    evidence: EvidencePassages,
    passage_number: int | None,
    tokens: int,
) -> CheckedClaim:
    """Return a claim with the label of an LLM and the passage behind the number it gave."""
    passage = evidence.deciding_passage(passage_number, claim.text)
    return CheckedClaim(
        claim.text,
        claim.start,
        claim.end,
        claim_label,
        passage.text if passage else None,
        passage.span if passage else None,
        tokens=tokens,
    )


def split_tokens(total: int, parts: int) -> list[int]:
    """Return the tokens of a call split into whole numbers that differ by at most one."""
    each, rest = divmod(total, parts)
    return [each + (number < rest) for number in range(parts)]
