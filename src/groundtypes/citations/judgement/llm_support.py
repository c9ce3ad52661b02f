"""Whether the references that a sentence cites support it, together; judged by an LLM.

Sentences that cite the same references are labelled in one question, which shows passages of these
references alone.
"""

from collections.abc import Sequence
from typing import Final

from groundtypes.citations.judgement.nli_support import Support, read_together
from groundtypes.citations.statements.cited_answer import CitedClaim
from groundtypes.claims.llm_labels import MAX_CHARACTERS, MAX_CLAIMS, label_batches
from groundtypes.entailment.evidence.prompt_passages import EvidencePassages, batches_with_evidence
from groundtypes.entailment.evidence.selections import select_references
from groundtypes.ledger import Ask
from groundtypes.references import References
from groundtypes.scoring import LLM, Label
from groundtypes.text.hypotheses import Hypothesis

#: How many passages are shown for a sentence of the only reference, or the several, that it cites.
_PASSAGES_OF_ONE: Final = 2
_PASSAGES_OF_SEVERAL: Final = 4


def support_by_llm(
    claims: Sequence[CitedClaim],
    references: References,
    user_question: str | None,
    llm: LLM,
    ask: Ask,
) -> list[Support]:
    """Return what the cited references say of each sentence, by an LLM.

    Sentences whose references are empty are not asked about.

    Raises:
        BackendError: The LLM gives no label to a sentence, not even alone.
    """
    results = [Support(Label.NEUTRAL, tokens=0)] * len(claims)
    by_ids: dict[tuple[str, ...], list[int]] = {}
    for number, claim in enumerate(claims):
        by_ids.setdefault(read_together(references, claim).ids, []).append(number)
    batches: list[tuple[tuple[Hypothesis, ...], EvidencePassages]] = []
    asked: list[int] = []
    for ids, numbers in by_ids.items():
        cited = select_references(references, ids)
        shown = batches_with_evidence(
            [claims[number].hypothesis for number in numbers],
            cited,
            MAX_CLAIMS,
            MAX_CHARACTERS,
            _PASSAGES_OF_SEVERAL if len(ids) > 1 else _PASSAGES_OF_ONE,
        )
        with_passages = [(batch, evidence) for batch, evidence in shown if evidence.texts]
        if with_passages:
            batches += with_passages
            asked += numbers
    labelled = label_batches(batches, user_question, llm, ask)
    for number, checked in zip(asked, labelled, strict=True):
        results[number] = Support(
            checked.label, None, checked.passage, checked.span, tokens=checked.tokens
        )
    return results
