"""Whether the sentences of an answer are supported by what they cite, in one batch."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final

from groundtypes.citations.providers.places import CitedPassage
from groundtypes.citations.providers.statements import Statement
from groundtypes.entailment.decision import Entailment, decide_entailment
from groundtypes.entailment.questions import EntailmentQuestion, build_questions
from groundtypes.errors import fault_message
from groundtypes.figures.figure import Figure
from groundtypes.figures.lookup import nearest_figures, supporting_span
from groundtypes.figures.reader import find_figures
from groundtypes.judges import Judges, entailment_threshold, nli_engine
from groundtypes.ledger import Ledger
from groundtypes.references import References, Span
from groundtypes.scoring import Label
from groundtypes.text.excerpts import deciding_excerpt
from groundtypes.text.hypotheses import Hypothesis
from groundtypes.text.message_excerpts import excerpt, in_quotation_marks, shown_id
from groundtypes.text.sentences import sentence_spans
from groundtypes.verdicts import Verdict

__all__ = ["CitedStatement", "judge_statements"]

#: How many sentences before the cited words are read with them: "It is 330 m tall" says of itself
#: not what is tall.
_SENTENCES_BEFORE: Final = 2
_SENTENCE: Final = 200
_SHOWN: Final = 200
_MAX_FIGURE_FAULTS: Final = 20
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

    All are judged in one batch. A second one looks for those that are not supported in all
    references, because the message then says which one to cite.
    """
    if not cited:
        return []
    evidence = _Evidence(references)
    sources = [evidence.of(each.passages) for each in cited]
    nli, lowest = nli_engine(judges), entailment_threshold(judges, threshold)
    questions = [
        _question(each, source.texts, question) for each, source in zip(cited, sources, strict=True)
    ]
    decided = decide_entailment(questions, nli, ledger.ask_now, lowest)
    failing = [at for at, each in enumerate(decided) if each.label is not Label.ENTAILMENT]
    wider = [_question(cited[at], references, question) for at in failing]
    found = decide_entailment(wider, nli, ledger.ask_now, lowest) if wider else []
    elsewhere = dict(zip(failing, found, strict=True))
    verdicts: list[Verdict] = []
    for at, (each, source, entailment) in enumerate(zip(cited, sources, decided, strict=True)):
        judged = _Judged(each, source, entailment, lowest)
        verdicts.append(judged.support(elsewhere.get(at)))
        verdicts.extend(judged.figures(references, elsewhere.get(at)))
    return verdicts


def _question(cited: CitedStatement, texts: References, question: str | None) -> EntailmentQuestion:
    statement = cited.statement
    hypothesis = Hypothesis(statement.text, statement.start, statement.end)
    [built] = build_questions([hypothesis], texts, question)
    return built


class _Source:
    """The passages that a sentence cites, as references of their own."""

    def __init__(self, passages: Sequence[CitedPassage], references: References) -> None:
        self._passages = passages
        self._references = references
        texts = tuple(references[id_].text[start:end] for id_, start, end in passages)
        self.texts = References(tuple(map(str, range(len(texts)))), texts)

    def span(self, span: Span | None) -> Span | None:
        """Return a span of these passages as a span of the reference that it is in."""
        if span is None:
            return None
        id_, start, _ = self._passages[int(span.reference)]
        return self._references.span(id_, start + span.start, start + span.end)


class _Evidence:
    """The passages of the references, with the sentences around them."""

    def __init__(self, references: References) -> None:
        self._references = references
        self._sentences: dict[str, list[tuple[int, int]]] = {}
        self._sources: dict[tuple[CitedPassage, ...], _Source] = {}

    def of(self, passages: Sequence[CitedPassage]) -> _Source:
        """Return the passages as references; those that are contained in others are left out."""
        key = tuple(_without_contained(self._widened(passage) for passage in passages))
        if key not in self._sources:
            self._sources[key] = _Source(key, self._references)
        return self._sources[key]

    def _widened(self, passage: CitedPassage) -> CitedPassage:
        """Return a passage with the whole sentences that it is in, and those before it."""
        id_, start, end = passage
        text = self._references[id_].text
        if start <= 0 and end >= len(text):
            return passage
        spans = self._sentences.get(id_)
        if spans is None:
            spans = self._sentences[id_] = sentence_spans(text)
        low = bisect_right(spans, start, key=itemgetter(1))
        high = bisect_left(spans, end, key=itemgetter(0))
        if low >= high:
            return passage
        first = max(0, low - _SENTENCES_BEFORE)
        return CitedPassage(id_, min(start, spans[first][0]), max(end, spans[high - 1][1]))


def _without_contained(passages: Iterator[CitedPassage]) -> Iterator[CitedPassage]:
    """Yield passages in order; overlapping ones of a reference are one."""
    current: CitedPassage | None = None
    for passage in sorted(set(passages)):
        if current is not None and (
            passage.reference == current.reference and passage.start <= current.end
        ):
            current = current._replace(end=max(current.end, passage.end))
            continue
        if current is not None:
            yield current
        current = passage
    if current is not None:
        yield current


class _Judged:
    """A sentence with what was decided of it."""

    def __init__(
        self, cited: CitedStatement, source: _Source, entailment: Entailment, threshold: float
    ) -> None:
        self._cited = cited
        self._source = source
        self._entailment = entailment
        self._threshold = threshold

    def support(self, elsewhere: Entailment | None) -> Verdict:
        """Return the verdict on the sentence."""
        decided = self._entailment
        span = self._source.span(decided.span)
        values: dict[str, Any] = {
            "ok": decided.label is Label.ENTAILMENT,
            "label": decided.label.value,
            "score": decided.scores.entailment,
            "threshold": self._threshold,
            "span": span,
            "reason": decided.difference,
        }
        if decided.label is Label.ENTAILMENT:
            return self._verdict("support", **values)
        slug, message = self._message(elsewhere)
        return self._verdict("support", slug=slug, message=message, **values)

    def _message(self, elsewhere: Entailment | None) -> tuple[str, str]:
        decided, text = self._entailment, self._cited.statement.text
        is_contradicted = decided.label is Label.CONTRADICTION
        template = "citation_contradicted" if is_contradicted else "citation_unsupported"
        cited = list(dict.fromkeys(passage.reference for passage in self._cited.passages))
        shown = {
            "sentence": excerpt(text, _SENTENCE),
            "cited": " and ".join(shown_id(id_) for id_ in cited[:_LISTED]),
            "passage": deciding_excerpt(
                decided.passage or "", text, decided.differing_words, _SHOWN
            ),
            "because": decided.because,
        }
        if elsewhere is not None and elsewhere.label is Label.ENTAILMENT and elsewhere.span:
            # The cited document itself may say it, in another passage than the one that is cited.
            template += "_passage" if cited == [elsewhere.span.reference] else "_elsewhere"
            shown["other"] = shown_id(elsewhere.span.reference)
            shown["other_passage"] = deciding_excerpt(elsewhere.passage or "", text, (), _SHOWN)
        return fault_message(template, **shown)

    def figures(self, references: References, elsewhere: Entailment | None) -> Iterator[Verdict]:
        """Yield the verdicts on the figures of the sentence.

        A figure that is not in the cited passages, but in others which say the sentence, is no
        fault of its own: the one of the sentence names these.
        """
        is_said_elsewhere = elsewhere is not None and elsewhere.label is Label.ENTAILMENT
        faults = 0
        figures = [
            figure for figure in find_figures(self._cited.statement.text) if not figure.incidental
        ]
        for figure in {figure.text: figure for figure in figures}.values():
            span = supporting_span(figure, self._source.texts)
            if span is not None:
                at = self._source.span(span)
                yield self._verdict("figures", ok=True, label=figure.kind, score=1.0, span=at)
                continue
            other = supporting_span(figure, references)
            if other is not None and is_said_elsewhere:
                continue
            faults += 1
            if faults > _MAX_FIGURE_FAULTS:
                return
            if other is not None:
                yield self._figure_elsewhere(figure, other, references)
                continue
            nearest = ", ".join(
                in_quotation_marks(text) for text in nearest_figures(figure, self._source.texts)
            )
            slug, message = fault_message(
                "figure_unsupported" if nearest else "figure_unsupported_alone",
                figure=excerpt(figure.text, 60),
                place="the cited passages",
                nearest=nearest,
            )
            yield self._verdict(
                "figures", ok=False, slug=slug, message=message, label=figure.kind, score=0.0
            )

    def _figure_elsewhere(self, figure: Figure, other: Span, references: References) -> Verdict:
        """Return the verdict on a figure that only passages have which are not cited."""
        text = references[other.reference].text
        start = max(0, other.start - _SHOWN // 2)
        slug, message = fault_message(
            "figure_unsupported_elsewhere",
            figure=excerpt(figure.text, 60),
            place="the cited passages",
            other=shown_id(other.reference),
            passage=excerpt(text[start : start + _SHOWN], _SHOWN),
        )
        return self._verdict(
            "figures", ok=False, slug=slug, message=message, label=figure.kind, score=0.0
        )

    def _verdict(self, check: str, **values: Any) -> Verdict:
        return Verdict(check=check, loc=("sentences", self._cited.number), **values)
