"""Whether the references that a sentence cites support it, together; judged by an LLM.

One question shows passages of many references, and says which of them each sentence cites. What a
reply leaves unclear is asked again, one sentence with its own passages at a time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from groundtypes.citations.judgement.nli_support import Support, read_together
from groundtypes.citations.statements.cited_answer import CitedClaim
from groundtypes.entailment.evidence.passage_index import Passage, select_passages
from groundtypes.entailment.evidence.prompt_passages import EvidencePassages
from groundtypes.entailment.evidence.selections import select_references, similar_references
from groundtypes.errors import BackendError
from groundtypes.ledger import Ask
from groundtypes.prompts.prompt import CHECK_CITATIONS, CHECK_CLAIM
from groundtypes.prompts.prompt_texts import numbered_lines, question_text
from groundtypes.prompts.response_models import LABELS, ClaimLabel, ClaimLabels
from groundtypes.references import References
from groundtypes.scoring import LLM, Label, Question, Reply

#: How many passages are shown of the only reference that a sentence cites.
_PASSAGES_OF_ONE: Final = 2
#: Of several references, so many show their most similar passage.
_PASSAGES_OF_SEVERAL: Final = 4
#: The most sentences of one question, and the most characters of them and of their passages.
_MAX_CLAIMS: Final = 40
_MAX_CHARACTERS: Final = 20_000
_MAX_PASSAGES: Final = 16_000
_MAX_QUESTION: Final = 300


@dataclass(frozen=True, slots=True)
class _Shown:
    """A sentence with the passages that are shown of what it cites; `number` is its place."""

    number: int
    claim: CitedClaim
    passages: tuple[Passage, ...]
    evidence: EvidencePassages

    @classmethod
    def of(cls, number: int, claim: CitedClaim, references: References) -> "_Shown":
        passages = _passages(claim, references)
        return cls(number, claim, passages, EvidencePassages.of(passages, references))


@dataclass(frozen=True, slots=True)
class _Request:
    """A question to the LLM about some sentences."""

    question: Question
    shown: tuple[_Shown, ...]
    evidence: EvidencePassages


def support_by_llm(
    claims: Sequence[CitedClaim],
    references: References,
    user_question: str | None,
    llm: LLM,
    ask: Ask,
) -> list[Support]:
    """Return what the cited references say of each sentence, by an LLM.

    Raises:
        BackendError: The LLM gives no label to a sentence, not even alone.
    """
    nothing = Support(Label.NEUTRAL, tokens=0)
    results = [nothing] * len(claims)
    shown = [_Shown.of(number, claim, references) for number, claim in enumerate(claims)]
    requests = list(_requests(shown, references, user_question))
    open_claims: list[tuple[_Shown, int]] = []
    for request, reply in zip(requests, _ask(llm, ask, requests), strict=True):
        for each, support in _read(request, reply):
            results[each.number] = support
            if support.passage is None:
                open_claims.append((each, support.tokens or 0))
    singles = [_request((each,), references, user_question) for each, _ in open_claims]
    replies = _ask(llm, ask, singles)
    for (each, spent), request, reply in zip(open_claims, singles, replies, strict=True):
        [(_, support)] = _read(request, reply)
        if support.passage is None:
            raise BackendError(f"{type(llm).__name__} did not label a sentence with citations")
        results[each.number] = replace(support, tokens=spent + (support.tokens or 0))
    return results


def _ask(llm: LLM, ask: Ask, requests: Sequence[_Request]) -> list[Reply]:
    return ask(llm, [request.question for request in requests]) if requests else []


def _passages(claim: CitedClaim, references: References) -> tuple[Passage, ...]:
    """Return the passages that are shown of what a sentence cites."""
    cited, text = read_together(references, claim), claim.hypothesis.text
    if len(cited) == 1:
        return tuple(select_passages(cited, text, _PASSAGES_OF_ONE))
    ids = similar_references(cited, text, _PASSAGES_OF_SEVERAL)
    return tuple(
        passage
        for id_ in ids
        for passage in select_passages(select_references(cited, [id_]), text, 1)
    )


def _requests(
    all_shown: Sequence[_Shown], references: References, user_question: str | None
) -> Iterator[_Request]:
    """Yield the questions; sentences whose references are empty are not asked about."""
    batch: list[_Shown] = []
    for shown in all_shown:
        if not shown.passages:
            continue
        if batch and not _fits([*batch, shown]):
            yield _request(tuple(batch), references, user_question)
            batch = []
        batch.append(shown)
    if batch:
        yield _request(tuple(batch), references, user_question)


def _fits(batch: Sequence[_Shown]) -> bool:
    spans = {passage.span: passage for shown in batch for passage in shown.passages}
    return (
        len(batch) <= _MAX_CLAIMS
        and sum(len(shown.claim.hypothesis.text) for shown in batch) <= _MAX_CHARACTERS
        and sum(len(passage.text) for passage in spans.values()) <= _MAX_PASSAGES
    )


def _request(
    batch: tuple[_Shown, ...], references: References, user_question: str | None
) -> _Request:
    passages = {passage.span: passage for shown in batch for passage in shown.passages}
    evidence = EvidencePassages.of(passages.values(), references)
    texts = [*evidence.named_texts, question_text(user_question, _MAX_QUESTION)]
    if len(batch) == 1:
        claim = " ".join(batch[0].claim.hypothesis.text.split())
        return _Request(CHECK_CLAIM.question(*texts, ("claim", claim)), batch, evidence)
    cited = numbered_lines(
        "passage " + ", ".join(map(str, _numbers(shown, evidence))) for shown in batch
    )
    lines = numbered_lines(shown.claim.hypothesis.text for shown in batch)
    question = CHECK_CITATIONS.question(*texts, ("claims", lines), ("cited", cited))
    return _Request(question, batch, evidence)


def _numbers(shown: _Shown, evidence: EvidencePassages) -> list[int]:
    """Return the numbers of the passages in the prompt that a sentence cites."""
    spans = {passage.span for passage in shown.passages}
    return [
        number
        for number, merged in enumerate(evidence.merged, 1)
        if any(passage.span in spans for passage in merged)
    ]


def _read(request: _Request, reply: Reply) -> Iterator[tuple[_Shown, Support]]:
    """Yield each sentence with its label; without a passage if the reply gives no clear label."""
    total, count = reply.tokens_in + reply.tokens_out, len(request.shown)
    for place, shown in enumerate(request.shown, 1):
        tokens = total // count + (place <= total % count)
        allowed = _numbers(shown, request.evidence)
        labels = set(_labels(reply, place))
        label, number = labels.pop() if len(labels) == 1 else (None, None)
        elsewhere = number is not None and number not in allowed
        if label is None or (elsewhere and label is not Label.NEUTRAL and count > 1):
            # A label by a passage that the sentence does not cite says nothing of what it cites.
            yield shown, Support(Label.NEUTRAL, tokens=tokens)
            continue
        evidence = request.evidence
        if number not in allowed:
            evidence, number = shown.evidence, None
        passage = evidence.deciding_passage(number, shown.claim.hypothesis.text)
        assert passage is not None  # noqa: S101 # a sentence without passages is not asked about
        yield shown, Support(label, None, passage.text, passage.span, tokens=tokens)


def _labels(reply: Reply, place: int) -> Iterator[tuple[Label, int | None]]:
    answer = reply.answer
    if isinstance(answer, ClaimLabel):
        yield LABELS[answer.label], answer.passage
    elif isinstance(answer, ClaimLabels):
        for numbered in answer.labels:
            if numbered.claim == place:
                yield LABELS[numbered.label], numbered.passage
