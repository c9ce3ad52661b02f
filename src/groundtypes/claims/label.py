"""Labelling claims: what an LLM or an NLI engine is asked, and how its replies are read.

`label` asks through a ledger and serves checks and the public `check_claims` alike: a check passes
`Ledger.ask`, which may have to wait for the next round.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final, Literal

from groundtypes.claims.claim import CheckedClaim, ClaimTriplet
from groundtypes.claims.prompt_texts import numbered_lines
from groundtypes.entailment.decision import decide_entailment
from groundtypes.entailment.questions import build_questions
from groundtypes.errors import BackendError
from groundtypes.evidence.prompt_passages import (
    EvidencePassages,
    batches_with_evidence,
    question_text,
)
from groundtypes.judges import default_nli, llm_engine
from groundtypes.ledger import Ask, Ledger
from groundtypes.prompts.prompt import CHECK_CLAIM, CHECK_CLAIMS
from groundtypes.prompts.response_models import LABELS, ClaimLabel, ClaimLabels
from groundtypes.references import References
from groundtypes.scoring import LLM, Label, NLIScorer, Question, Reply
from groundtypes.text.hypotheses import Hypothesis, hypotheses
from groundtypes.threads import run_in_thread

__all__ = [
    "acheck_claims",
    "check_claims",
    "checked_by_llm",
    "label",
    "resolve_checker",
    "split_tokens",
]

#: One question asks about so many claims, and so many characters, at most.
_MAX_CLAIMS: Final = 40
_MAX_CHARACTERS: Final = 20_000
#: A claim of several sentences has the first of these labels that any of its sentences has.
_WORST_FIRST: Final = (Label.CONTRADICTION, Label.NEUTRAL, Label.ENTAILMENT)


def label(
    claims: Sequence[Hypothesis],
    references: References,
    question: str | None,
    checker: LLM | NLIScorer,
    ask: Ask,
    *,
    joint: bool = True,
) -> list[CheckedClaim]:
    """Return each claim with its label, in order; with `joint` an LLM labels many in one call."""
    if not claims:
        return []
    if not isinstance(checker, LLM):
        return _label_by_nli(claims, references, question, checker, ask)
    return _label_by_llm(claims, references, question, checker, ask, joint=joint)


def check_claims(
    claims: Iterable[ClaimTriplet | str],
    references: Any,
    *,
    question: str | None = None,
    checker: Any = None,
    calls: Literal["one", "per_claim"] = "one",
) -> list[CheckedClaim]:
    """Return what the references say of each claim: a triplet, or a text.

    A text of several sentences is entailed if each of them is, and contradicted if any is. Each
    sentence is labelled apart from the others, so that an instruction to the judge in one sentence
    does not change the label of another.

    Args:
        claims: The claims, as triplets or as text.
        references: A text, a list of texts, a mapping from id to text, or documents.
        question: The question that the claims answer.
        checker: An LLM as `Judges(llm=...)` takes it, or an NLI engine; by default the bundled one.
        calls: Whether an LLM labels many claims in `"one"` call, or gets a call `"per_claim"`.

    Raises:
        Mistake: The references cannot be read, or the engine is missing or fails.
    """
    engine = resolve_checker(checker)
    claims = list(claims)
    sentences_of_claims = [_sentences_of(claim) for claim in claims]
    checked = iter(
        label(
            [sentence for sentences in sentences_of_claims for sentence in sentences],
            References.of(references),
            question,
            engine,
            Ledger().ask_now,
            joint=calls == "one",
        )
    )
    return [
        _merge_sentences(claim, list(islice(checked, len(sentences))))
        for claim, sentences in zip(claims, sentences_of_claims, strict=True)
    ]


async def acheck_claims(
    claims: Iterable[ClaimTriplet | str],
    references: Any,
    *,
    question: str | None = None,
    checker: Any = None,
    calls: Literal["one", "per_claim"] = "one",
) -> list[CheckedClaim]:
    """Return what `check_claims` returns, without blocking the event loop."""
    return await run_in_thread(
        check_claims, claims, references, question=question, checker=checker, calls=calls
    )


def resolve_checker(checker: Any) -> LLM | NLIScorer:
    """Return the engine that labels claims; by default the bundled NLI engine."""
    if checker is None:
        return default_nli()
    return checker if isinstance(checker, NLIScorer) else llm_engine(checker)


def _sentences_of(claim: ClaimTriplet | str) -> list[Hypothesis]:
    """Return the sentences of a claim that are labelled, at least one."""
    if not isinstance(claim, str):
        return [Hypothesis(claim.text, claim.start, claim.end)]
    sentences = [sentence for sentence in hypotheses(claim) if sentence.claims]
    return sentences if len(sentences) > 1 else [Hypothesis(claim, 0, len(claim))]


def _merge_sentences(claim: ClaimTriplet | str, sentences: Sequence[CheckedClaim]) -> CheckedClaim:
    """Return a claim with the worst label of its sentences, and the tokens of all of them."""
    if not isinstance(claim, str) or len(sentences) == 1:
        return sentences[0]
    worst = min(sentences, key=lambda sentence: _WORST_FIRST.index(sentence.label))
    tokens = [sentence.tokens for sentence in sentences if sentence.tokens is not None]
    return replace(
        worst, text=claim, start=0, end=len(claim), tokens=sum(tokens) if tokens else None
    )


def _label_by_nli(
    claims: Sequence[Hypothesis],
    references: References,
    question: str | None,
    nli: NLIScorer,
    ask: Ask,
) -> list[CheckedClaim]:
    entailments = decide_entailment(build_questions(claims, references, question), nli, ask)
    return [
        CheckedClaim(
            claim.text,
            claim.start,
            claim.end,
            entailment.label,
            entailment.passage,
            entailment.span,
            entailment.scores,
        )
        for claim, entailment in zip(claims, entailments, strict=True)
    ]


def _label_by_llm(
    claims: Sequence[Hypothesis],
    references: References,
    question: str | None,
    llm: LLM,
    ask: Ask,
    *,
    joint: bool,
) -> list[CheckedClaim]:
    """Return the claims with their labels.

    A claim that a joint reply leaves out, or labels twice in different ways, is asked about again
    on its own.
    """
    requests = _build_requests(claims, references, question, joint=joint)
    if not requests:
        return [CheckedClaim(claim.text, claim.start, claim.end, Label.NEUTRAL) for claim in claims]
    replies = ask(llm, [request.question for request in requests])
    first_results = [
        (request, claim, checked)
        for request, reply in zip(requests, replies, strict=True)
        for claim, checked in zip(request.claims, request.read(reply), strict=True)
    ]
    single_requests = [
        _request((claim,), request.evidence, question)
        for request, claim, checked in first_results
        if checked is None
    ]
    replies = ask(llm, [one.question for one in single_requests]) if single_requests else []
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
        """Return each claim with its label; `None` where the reply has no label, or several."""
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


def _build_requests(
    claims: Sequence[Hypothesis], references: References, question: str | None, *, joint: bool
) -> list[_Request]:
    """Return the questions about the claims; none if the references have no passages to show."""
    batches = batches_with_evidence(
        claims, references, _MAX_CLAIMS if joint else 1, _MAX_CHARACTERS
    )
    return [_request(batch, evidence, question) for batch, evidence in batches if evidence.texts]


def _request(
    claims: tuple[Hypothesis, ...], evidence: EvidencePassages, question: str | None
) -> _Request:
    texts = [*evidence.named_texts, question_text(question)]
    if len(claims) == 1:
        asked = CHECK_CLAIM.question(*texts, ("claim", " ".join(claims[0].text.split())))
    else:
        lines = numbered_lines(claim.text for claim in claims)
        asked = CHECK_CLAIMS.question(*texts, ("claims", lines))
    return _Request(asked, claims, evidence)


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
