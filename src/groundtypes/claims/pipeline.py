"""Asking for claims and for what references say of them: steps that a check and a function share.

`ask` is whatever answers a batch of questions at once: the ledger of a check, which may have to
wait for a round, or that of a plain function, which settles.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final, Protocol

from groundtypes.claims.extract import Extracted, extractions, read_claims, uncovered
from groundtypes.claims.joint import labellings, read_statements
from groundtypes.claims.label import CheckedClaim, checkings, nli_checked
from groundtypes.claims.triplet import ClaimTriplet
from groundtypes.entailment.decision import entailments, inquire
from groundtypes.errors import BackendError
from groundtypes.judges import default_nli, llm_engine
from groundtypes.ledger import Ledger
from groundtypes.references import References
from groundtypes.scoring import LLM, Label, NLIScorer
from groundtypes.text.hypotheses import Hypothesis, hypotheses

__all__ = ["Ask", "check_claims", "checker_of", "claims_in", "extract_claims", "labelled", "stated"]


class Ask(Protocol):
    """Puts questions to an engine and returns the answers, in order."""

    def __call__(self, engine: Any, questions: Sequence[Any], /) -> list[Any]:
        """Return one answer for each question."""
        ...


def claims_in(text: str, question: str | None, llm: LLM, ask: Ask) -> tuple[Extracted, int]:
    """Return the claims of a text, and the tokens that they took."""
    asked = extractions(text, question)
    replies = ask(llm, [one.question for one in asked]) if asked else []
    tokens = sum(reply.tokens_in + reply.tokens_out for reply in replies)
    return read_claims(asked, replies, text, question), tokens


def stated(
    text: str, references: References, question: str | None, llm: LLM, ask: Ask
) -> tuple[list[CheckedClaim], int]:
    """Return what the references say of each claim of a text, and tokens that count for none.

    One call takes out the claims and labels them; what `read_statements` leaves open is asked about
    in another. Without any passage nothing is asked, and nothing is said of any sentence.
    """
    asked = labellings(text, references, question)
    if not asked:
        return labelled(uncovered(text, ()), references, question, llm, ask), 0
    replies = ask(llm, [one.question for one in asked])
    found = read_statements(asked, replies, text, question)
    more = labelled(found.left, references, question, llm, ask)
    return sorted([*found.checked, *more], key=lambda one: one.start), found.tokens


def labelled(
    claims: Sequence[Hypothesis],
    references: References,
    question: str | None,
    checker: LLM | NLIScorer,
    ask: Ask,
    *,
    joint: bool = True,
) -> list[CheckedClaim]:
    """Return what the references say of each claim, in order.

    A joint answer that leaves out a claim, or labels it twice in two ways, says nothing of it:
    the claim is then asked about alone.
    """
    if not claims:
        return []
    if not isinstance(checker, LLM):
        return _by_nli(claims, references, question, checker, ask)
    asked = checkings(claims, references, question, joint=joint)
    if not asked:
        return [CheckedClaim(one.text, one.start, one.end, Label.NEUTRAL) for one in claims]
    replies = ask(checker, [one.question for one in asked])
    found = [
        (one, claim, said)
        for one, reply in zip(asked, replies, strict=True)
        for claim, said in zip(one.claims, one.read(reply), strict=True)
    ]
    left = [one.alone(claim, question) for one, claim, said in found if said is None]
    again = iter(ask(checker, [one.question for one in left]) if left else [])
    alone: Iterator[CheckedClaim | None] = (
        one.read(reply)[0] for one, reply in zip(left, again, strict=True)
    )
    checked = [said if said is not None else next(alone) for _, _, said in found]
    if any(one is None for one in checked):
        raise BackendError(f"{type(checker).__name__} did not label a claim")
    return [one for one in checked if one is not None]


def _by_nli(
    claims: Sequence[Hypothesis],
    references: References,
    question: str | None,
    checker: NLIScorer,
    ask: Ask,
) -> list[CheckedClaim]:
    found = entailments(inquire(claims, references, question), lambda pairs: ask(checker, pairs))
    return [nli_checked(claim, one) for claim, one in zip(claims, found, strict=True)]


def extract_claims(text: str, question: str | None = None, *, llm: Any) -> Extracted:
    """Return the claims of a text, each with the place of its sentence.

    Several sentences go into one call. Claims that say the same are one; claims that the text does
    not make are left out and stand in `.dropped`. `llm` is what `Judges(llm=...)` takes.

    Raises:
        Mistake: There is no LLM, or it fails.
    """
    return claims_in(text, question, llm_engine(llm), Ledger().settled)[0]


def check_claims(
    claims: Sequence[ClaimTriplet | str],
    references: Any,
    *,
    question: str | None = None,
    checker: Any = None,
    joint: bool = True,
) -> list[CheckedClaim]:
    """Return what references say of each claim: a triplet, or a text.

    A text of several sentences is entailed if each of them is, and contradicted if any is; so that
    an order to the judge in a sentence of its own is judged apart from the claim before it.
    `checker` is an LLM as `Judges(llm=...)` takes it, or an NLI engine, by default the bundled
    one. With `joint`, many claims go into one call.

    Raises:
        Mistake: The references cannot be read, or the engine is missing or fails.
    """
    engine = checker_of(checker)
    parts = [_sentences(claim) for claim in claims]
    found = iter(
        labelled(
            [sentence for some in parts for sentence in some],
            References.of(references),
            question,
            engine,
            Ledger().settled,
            joint=joint,
        )
    )
    return [
        _whole(claim, list(islice(found, len(some))))
        for claim, some in zip(claims, parts, strict=True)
    ]


def checker_of(checker: Any) -> LLM | NLIScorer:
    """Return the engine that labels claims; by default the bundled NLI engine."""
    if checker is None:
        return default_nli()
    return checker if isinstance(checker, NLIScorer) else llm_engine(checker)


def _sentences(claim: ClaimTriplet | str) -> list[Hypothesis]:
    """Return what is labelled of a claim, which is at least one."""
    if not isinstance(claim, str):
        return [Hypothesis(claim.text, claim.start, claim.end)]
    found = [sentence for sentence in hypotheses(claim) if sentence.claims]
    return found if len(found) > 1 else [Hypothesis(claim, 0, len(claim))]


#: The label of several sentences is the first of these that any of them has.
_WORST: Final = (Label.CONTRADICTION, Label.NEUTRAL, Label.ENTAILMENT)


def _whole(claim: ClaimTriplet | str, found: Sequence[CheckedClaim]) -> CheckedClaim:
    """Return what was found of a claim, by what was found of its sentences."""
    if not isinstance(claim, str) or len(found) == 1:
        return found[0]
    worst = min(found, key=lambda one: _WORST.index(one.label))
    told = [one.tokens for one in found if one.tokens is not None]
    return replace(worst, text=claim, start=0, end=len(claim), tokens=sum(told) if told else None)
