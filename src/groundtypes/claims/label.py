"""Labelling claims: what the references say of each, by an LLM or an NLI engine.

`label_claims` asks through a ledger and serves checks and the public `check_claims` alike: a check
passes `Ledger.ask`, which may have to wait for the next round.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final, Literal

from groundtypes.backends.by_name import is_nli_name
from groundtypes.claims.claim import CheckedClaim, ClaimTriplet
from groundtypes.claims.llm_labels import label_by_llm
from groundtypes.concurrency.threads import run_in_thread
from groundtypes.entailment.decision import decide_entailment
from groundtypes.entailment.questions import build_questions
from groundtypes.errors import ContextError
from groundtypes.judges import default_nli, llm_engine, named_nli
from groundtypes.ledger import Ask, Ledger
from groundtypes.references import References
from groundtypes.scoring import LLM, Label, NLIScorer
from groundtypes.text.hypotheses import Hypothesis, hypotheses
from groundtypes.text.message_excerpts import clip

#: A claim of several sentences has the first of these labels that any of its sentences has.
_WORST_FIRST: Final = (Label.CONTRADICTION, Label.NEUTRAL, Label.ENTAILMENT)


def label_claims(
    claims: Sequence[Hypothesis],
    references: References,
    user_question: str | None,
    checker: LLM | NLIScorer,
    ask: Ask,
    *,
    calls: Literal["one", "per_claim"] = "one",
) -> list[CheckedClaim]:
    """Return each claim with its label, in order.

    `calls` says whether an LLM labels many claims in one call or gets one call for each claim.
    """
    if not claims:
        return []
    if not isinstance(checker, LLM):
        return _label_by_nli(claims, references, user_question, checker, ask)
    return label_by_llm(claims, references, user_question, checker, ask, calls=calls)


def check_claims(
    claims: Iterable[ClaimTriplet | Sequence[str]],
    references: Any,
    *,
    question: str | None = None,
    checker: Any = None,
    calls: Literal["one", "per_claim"] = "one",
) -> list[CheckedClaim]:
    """Return each claim with its label; a claim is a triplet or a text.

    A text of several sentences is entailed if each of them is, and contradicted if any is. Each
    sentence is labelled separately, so that an instruction to the judge in one sentence
    does not change the label of another.

    Args:
        claims: The claims, as text or as triplets: `ClaimTriplet`, or a list of subject, predicate
            and object, as RefChecker has them.
        references: A text, a list of texts, a mapping from id to text, or documents.
        question: The question that the claims answer.
        checker: An LLM as `Judges(llm=...)` takes it, or an NLI engine; by default the bundled one.
        calls: How many calls an LLM takes. `"one"`: many claims per call; `"per_claim"`: one call
            for each claim.

    Raises:
        ContextError: `claims` is a single claim, or a claim is of another form.
        Mistake: The references cannot be read, or the engine is missing or fails.
    """
    if isinstance(claims, str | ClaimTriplet):
        raise ContextError("`claims` is a single claim; pass a list: check_claims([claim], ...)")
    engine = resolve_checker(checker)
    known = [_known_claim(claim) for claim in claims]
    sentences_of_claims = [_sentences_of(claim) for claim in known]
    checked = iter(
        label_claims(
            [sentence for sentences in sentences_of_claims for sentence in sentences],
            References.of(references),
            question,
            engine,
            Ledger().ask_now,
            calls=calls,
        )
    )
    return [
        _merge_sentences(claim, list(islice(checked, len(sentences))))
        for claim, sentences in zip(known, sentences_of_claims, strict=True)
    ]


def _known_claim(claim: Any) -> ClaimTriplet | str:
    if isinstance(claim, ClaimTriplet | str):
        return claim
    if (
        isinstance(claim, list | tuple)
        and len(claim) == 3
        and all(isinstance(part, str) for part in claim)
    ):
        return ClaimTriplet(*claim)
    raise ContextError(
        f"a claim is a text, a ClaimTriplet, or a list of subject, predicate and object, not "
        f"{clip(repr(claim), 80)}"
    )


async def acheck_claims(
    claims: Iterable[ClaimTriplet | Sequence[str]],
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
    """Return the engine that labels claims.

    The default is the bundled NLI engine, unlike `Judges.checker`, whose default is the LLM.
    """
    if checker is None:
        return default_nli()
    if isinstance(checker, str) and is_nli_name(checker):
        return named_nli(checker)
    return checker if isinstance(checker, NLIScorer) else llm_engine(checker)


def _sentences_of(claim: ClaimTriplet | str) -> list[Hypothesis]:
    """Return the sentences of a claim that are labelled, at least one."""
    if not isinstance(claim, str):
        return [Hypothesis(claim.text, claim.start, claim.end)]
    sentences = [sentence for sentence in hypotheses(claim) if sentence.is_claim]
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
    user_question: str | None,
    nli: NLIScorer,
    ask: Ask,
) -> list[CheckedClaim]:
    entailments = decide_entailment(build_questions(claims, references, user_question), nli, ask)
    return [
        CheckedClaim(
            claim.text,
            claim.start,
            claim.end,
            entailment.label,
            entailment.passage,
            entailment.span,
            entailment.scores,
            engine=entailment.engine,
        )
        for claim, entailment in zip(claims, entailments, strict=True)
    ]
