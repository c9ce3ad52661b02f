"""Whether the sentences of a provider's answer are supported by what they cite, in one batch."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import Any, Final

from groundtypes.citations.judgement.citation_verdicts import support_fault
from groundtypes.citations.judgement.nli_support import Support, support_by_nli
from groundtypes.citations.providers.cited_sentences import Statement
from groundtypes.citations.providers.places import CitedPassage
from groundtypes.citations.statements.cited_answer import CitedClaim
from groundtypes.errors import fault_message
from groundtypes.figures.outcomes import find_outcomes, nearest_figures, supporting_span
from groundtypes.judges import Judges, entailment_threshold, nli_engine
from groundtypes.ledger import Ledger
from groundtypes.references import References, Span
from groundtypes.text.hypotheses import Hypothesis
from groundtypes.text.message_excerpts import excerpt, in_quotation_marks, shown_id
from groundtypes.text.sentences import sentence_spans
from groundtypes.verdicts import Verdict

#: How many sentences before the cited words are read with them: "It is 330 m tall" says of itself
#: not what is tall.
_SENTENCES_BEFORE: Final = 2
_SHOWN: Final = 200
#: How many references a message names.
_LISTED: Final = 5


@dataclass(frozen=True, slots=True)
class CitedStatement:
    """A sentence, its number among the sentences of the answer, and the passages that it cites."""

    number: int
    statement: Statement
    passages: tuple[CitedPassage, ...]


def judge_statements(
    cited: Sequence[CitedStatement],
    references: References,
    judges: Judges,
    question: str | None,
    threshold: float | None,
    ledger: Ledger,
) -> list[Verdict]:
    """Return the verdicts on sentences, each judged against all that it cites together.

    A second batch looks in all references for those that are not supported.
    """
    if not cited:
        return []
    evidence = _Evidence(references)
    ids = [evidence.ids_of(each.passages) for each in cited]
    nli, lowest = nli_engine(judges), entailment_threshold(judges, threshold)
    judge = partial(
        support_by_nli, user_question=question, nli=nli, ask=ledger.ask_now, threshold=lowest
    )
    passages = evidence.passages()
    supports = judge(list(map(_claim, cited, ids)), passages)
    failing = [at for at, support in enumerate(supports) if not support.holds]
    wider = judge([_claim(cited[at], references.ids) for at in failing], references)
    elsewhere = {at: support for at, support in zip(failing, wider, strict=True) if support.holds}
    verdicts: list[Verdict] = []
    for at, (each, support) in enumerate(zip(cited, supports, strict=True)):
        fields: dict[str, Any] = {
            "check": "support",
            "loc": ("sentences", each.number),
            "label": support.label.value,
            "score": support.score,
            "threshold": lowest,
            "span": evidence.span(support.span),
            "reason": support.reason,
            "engine": support.engine,
        }
        if not support.holds:
            fields |= _fault(each, support, elsewhere.get(at))
        verdicts.append(Verdict(ok=support.holds, **fields))
        own = References(ids[at], tuple(passages[id_].text for id_ in ids[at]))
        verdicts += _on_figures(
            each, own, references, evidence, question, is_said_elsewhere=at in elsewhere
        )
    return verdicts


def _claim(cited: CitedStatement, ids: tuple[str, ...]) -> CitedClaim:
    """Return a sentence with references that may support it; its figures are judged apart."""
    statement = cited.statement
    return CitedClaim(Hypothesis(statement.text, statement.start, statement.end), ids)


def _fault(cited: CitedStatement, support: Support, elsewhere: Support | None) -> dict[str, str]:
    """Return slug and message for a sentence that what it cites does not support."""
    ids = list(dict.fromkeys(passage.reference for passage in cited.passages))
    others = [] if elsewhere is None else [span.reference for span in elsewhere.places[:1]]
    slug, message = support_fault(
        support,
        elsewhere if others else None,
        cited.statement.text,
        # The cited document itself may say it, in another passage than the one that is cited.
        kind="passage" if ids == others else "elsewhere",
        sentence=excerpt(cited.statement.text, _SHOWN),
        cited=" and ".join(shown_id(id_) for id_ in ids[:_LISTED]),
        other="".join(map(shown_id, others)),
    )
    return {"slug": slug, "message": message}


def _on_figures(
    cited: CitedStatement,
    passages: References,
    references: References,
    evidence: "_Evidence",
    question: str | None,
    *,
    is_said_elsewhere: bool,
) -> Iterator[Verdict]:
    """Yield the verdicts on figures, except those of a sentence that is said elsewhere."""
    findings = find_outcomes(cited.statement.text, passages, question)
    for finding in {each.figure.text: each for each in findings}.values():
        fields: dict[str, Any] = {
            "check": "figures",
            "loc": ("sentences", cited.number),
            "label": finding.figure.kind,
        }
        if finding.outcome.holds:
            yield Verdict(ok=True, score=1.0, span=evidence.span(finding.span), **fields)
            continue
        if is_said_elsewhere and supporting_span(finding.figure, references):
            continue
        nearest = nearest_figures(finding.figure, passages)
        slug, message = fault_message(
            "figure_unsupported" if nearest else "figure_unsupported_alone",
            figure=excerpt(finding.figure.text, 60),
            place="the cited passages",
            nearest=", ".join(map(in_quotation_marks, nearest)),
        )
        yield Verdict(ok=False, slug=slug, message=message, score=0.0, **fields)


class _Evidence:
    """The passages that are cited, with the sentences around them, as references of their own."""

    def __init__(self, references: References) -> None:
        self._references = references
        self._sentences: dict[str, list[tuple[int, int]]] = {}
        self._ids: dict[CitedPassage, str] = {}
        self._passages: list[CitedPassage] = []

    def ids_of(self, passages: Iterable[CitedPassage]) -> tuple[str, ...]:
        """Return the ids of passages; those that overlap are one."""
        merged: list[CitedPassage] = []
        for passage in sorted({self._widened(passage) for passage in passages}):
            last = merged[-1] if merged else None
            if last and passage.reference == last.reference and passage.start <= last.end:
                merged[-1] = last._replace(end=max(last.end, passage.end))
            else:
                merged.append(passage)
        for each in merged:
            if each not in self._ids:
                self._ids[each] = str(len(self._passages))
                self._passages.append(each)
        return tuple(self._ids[each] for each in merged)

    def passages(self) -> References:
        """Return all passages, by their ids."""
        texts = (self._references[id_].text[start:end] for id_, start, end in self._passages)
        return References(tuple(self._ids.values()), tuple(texts))

    def span(self, span: Span | None) -> Span | None:
        """Return a place in a passage as a place in the reference that it is of."""
        if span is None:
            return None
        id_, start, _ = self._passages[int(span.reference)]
        return self._references.span(id_, start + span.start, start + span.end)

    def _widened(self, passage: CitedPassage) -> CitedPassage:
        """Return a passage with the whole sentences that it is in, and those before it."""
        id_, start, end = passage
        text = self._references[id_].text
        if start <= 0 and end >= len(text):
            return passage
        if id_ not in self._sentences:
            self._sentences[id_] = sentence_spans(text)
        spans = self._sentences[id_]
        low = bisect_right(spans, start, key=itemgetter(1))
        high = bisect_left(spans, end, key=itemgetter(0))
        if low >= high:
            return passage
        first = max(0, low - _SENTENCES_BEFORE)
        return CitedPassage(id_, min(start, spans[first][0]), max(end, spans[high - 1][1]))
