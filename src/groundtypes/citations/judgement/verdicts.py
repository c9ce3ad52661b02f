"""The verdicts of `Cited` on an answer with their messages, and the citations of one that holds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from groundtypes.citations.judgement.judgement import JudgedSentence
from groundtypes.citations.judgement.names import ReferenceNames
from groundtypes.citations.judgement.other_styles import OtherStyles
from groundtypes.citations.judgement.support import Support
from groundtypes.citations.markers.cited_text import Citation
from groundtypes.citations.markers.marker import Marker
from groundtypes.citations.statements.answer import AnswerSentence, CitedAnswer, Style
from groundtypes.errors import fault_message
from groundtypes.references import References, Span
from groundtypes.scoring import Label
from groundtypes.text.excerpts import deciding_excerpt
from groundtypes.text.message_excerpts import clip, excerpt
from groundtypes.validators.check import Check
from groundtypes.verdicts import Verdict

__all__ = ["CitationVerdicts", "citations_of"]

#: How much of a sentence, of the words of a reference and of a label an error shows, in characters.
_SENTENCE: Final = 160
_PASSAGE: Final = 160
_MAX_LABEL: Final = 40
_MAX_FIGURE: Final = 60
#: More faults for unknown markers in one value would tell an LLM nothing new. Behind so many, each
#: sentence that claims something still gets one, and what has none is counted by the last one.
_MAX_UNKNOWN: Final = 50


@dataclass(frozen=True, slots=True)
class CitationVerdicts:
    """Makes the verdicts of a check on one answer.

    Attributes:
        check: The check that the verdicts are of.
        answer: The answer.
        references: All references.
        threshold: The threshold of the NLI engine; `None` if an LLM judged.
        require: Which sentences must cite something.
        by_id: Whether references are cited by id rather than by number.
        style: The style in which the answer should cite.
    """

    check: Check
    answer: CitedAnswer
    references: References
    threshold: float | None
    require: Literal["all", "some", "none"]
    by_id: bool
    style: Style = "auto"

    def of(self, judged: Sequence[JudgedSentence]) -> Iterator[Verdict]:
        """Yield the verdicts in the order of the answer."""
        names = ReferenceNames(self.answer.marked, self.references, by_id=self.by_id)
        styles = OtherStyles(self.answer, self.references, self.style, names)
        by_place = {(each.sentence.start, each.sentence.end): each for each in judged}
        left = _MAX_UNKNOWN
        hidden: list[str] = []
        for sentence in self.answer.sentences:
            shown = sentence.unknown[: max(left, int(sentence.claims))]
            left = max(left - len(shown), 0)
            for label in shown[:-1]:
                yield self._unknown(label, sentence, names)
            more = sentence.unknown[len(shown) :]
            if shown:
                yield self._unknown(shown[-1], sentence, names, len(more))
            else:
                hidden += more
            each = by_place.get((sentence.start, sentence.end))
            if each is not None:
                yield from self._on_sentence(each, names, styles)
        for label in self.answer.unread[:left]:
            yield self._unknown(label, None, names)
        if hidden := [*hidden, *self.answer.unread[left:]]:
            yield self._unknown(hidden[0], None, names, len(hidden) - 1)
        cites = any(each.ids or each.unknown for each in self.answer.sentences)
        if self.require == "some" and judged and not cites:
            slug, message = self._missing_everywhere(names, styles)
            yield self.check.fails(slug, message, label="uncited")

    def _missing_everywhere(self, names: ReferenceNames, styles: OtherStyles) -> tuple[str, str]:
        if (other := styles.within(0, len(self.answer.marked.text))) is not None:
            return fault_message(
                "citation_missing_everywhere_style",
                written=excerpt(other.written, _MAX_LABEL),
                example=clip(other.example, _SENTENCE),
            )
        return fault_message("citation_missing_everywhere", known=self._known(names))

    def _known(self, names: ReferenceNames) -> str:
        return names.join_all("or")

    def _unknown(
        self, label: str, sentence: AnswerSentence | None, names: ReferenceNames, more: int = 0
    ) -> Verdict:
        """Return the verdict on a marker that names no reference, and on so many more."""
        known = self._known(names)
        others = (f" (nor {more:,} more)" if known else f" and {more:,} more") if more else ""
        slug, message = fault_message(
            "citation_unknown" if known else "citation_unknown_none",
            label=excerpt(label, _MAX_LABEL) + others,
            sentence=self._words(sentence),
            known=known,
        )
        part = None if sentence is None else (sentence.start, sentence.end)
        verdict = self.check.fails(slug, message, label="unknown", part=part)
        return replace(verdict, count=1 + more)

    def _on_sentence(
        self, judged: JudgedSentence, names: ReferenceNames, styles: OtherStyles
    ) -> Iterator[Verdict]:
        """Yield the verdict on a sentence, and one for each of its references that was compared."""
        sentence, support = judged.sentence, judged.support
        part = (sentence.start, sentence.end)
        if support is None:
            if not sentence.unknown:
                yield self._uncited(judged, names, styles)
            return
        fields: dict[str, Any] = {
            "label": support.label.value,
            "score": support.score,
            "threshold": self.threshold,
            "span": support.span,
            "spans": support.spans,
            "reason": _reason(judged, names),
            "tokens": judged.tokens,
            "part": part,
            "citations": sentence.ids,
        }
        if not support.holds:
            yield self.check.fails(*self._fault(judged, support, names), **fields)
            return
        yield self.check.holds(**fields)
        for id_ in judged.relevant:
            yield self.check.holds(label="relevant", part=part, citations=(id_,))
        for id_ in judged.superfluous:
            others = [other for other in sentence.ids if other not in judged.superfluous]
            slug, message = fault_message(
                "citation_superfluous",
                superfluous=names.name(id_),
                others=f"Reference {names.join(others)}" if others else "What else it cites",
                sentence=self._words(sentence),
            )
            yield self.check.fails(slug, message, label="superfluous", part=part, citations=(id_,))
        if judged.uncompared:
            slug, message = fault_message(
                "citation_superfluous_many",
                most=len(sentence.ids) - len(judged.uncompared),
                count=len(sentence.ids),
                sentence=self._words(sentence),
            )
            ids = judged.uncompared
            yield self.check.fails(slug, message, label="superfluous", part=part, citations=ids)

    def _uncited(
        self, judged: JudgedSentence, names: ReferenceNames, styles: OtherStyles
    ) -> Verdict:
        """Return the verdict on a sentence that cites nothing."""
        sentence, elsewhere = judged.sentence, judged.elsewhere
        fields: dict[str, Any] = {
            "label": "uncited",
            "part": (sentence.start, sentence.end),
            "tokens": judged.tokens,
        }
        if self.require != "all":
            return self.check.holds(**fields)
        values = {"sentence": self._words(sentence)}
        if (other := styles.within(sentence.start, sentence.end)) is not None:
            values |= {
                "written": excerpt(other.written, _MAX_LABEL),
                "example": clip(other.example, _SENTENCE),
            }
            slug, message = fault_message("citation_missing_style", **values)
            return self.check.fails(slug, message, **fields)
        if elsewhere is None:
            return self.check.fails(*fault_message("citation_missing", **values), **fields)
        values |= _elsewhere(elsewhere, sentence, names)
        slug, message = fault_message("citation_missing_found", **values)
        return self.check.fails(slug, message, span=elsewhere.span, **fields)

    def _fault(
        self, judged: JudgedSentence, support: Support, names: ReferenceNames
    ) -> tuple[str, str]:
        """Return slug and message for a sentence that its references do not support."""
        sentence, template = judged.sentence, "citation_unsupported"
        values = {
            "cited": names.join(sentence.ids, "or"),
            "sentence": self._words(sentence),
            "passage": _passage(support, sentence),
            "because": support.because,
        }
        if support.label is Label.CONTRADICTION:
            template = "citation_contradicted"
        elif support.passage is None:
            template = "citation_unsupported_nothing"
        elif support.figure is not None:
            template = "citation_unsupported_figure"
            values["figure"] = clip(support.figure.text, _MAX_FIGURE)
        if judged.elsewhere is not None:
            contradicted = support.label is Label.CONTRADICTION
            kind = "contradicted" if contradicted else "unsupported"
            template = f"citation_{kind}_elsewhere"
            values |= _elsewhere(judged.elsewhere, sentence, names)
        return fault_message(template, **values)

    def _words(self, sentence: AnswerSentence | None) -> str:
        """Return the words of a sentence with its markers, or of the whole text."""
        text = self.answer.marked.text
        return excerpt(text if sentence is None else text[sentence.start : sentence.end], _SENTENCE)


def _passage(support: Support, sentence: AnswerSentence) -> str:
    if support.passage is None:
        return ""
    text, words = sentence.hypothesis.text, support.differing_words
    return deciding_excerpt(support.passage, text, words, _PASSAGE)


def _elsewhere(support: Support, sentence: AnswerSentence, names: ReferenceNames) -> dict[str, str]:
    """Return the values of a message that name other references and show their words."""
    return {
        "other": names.join(span.reference for span in support.places),
        "other_passage": _passage(support, sentence),
    }


def _reason(judged: JudgedSentence, names: ReferenceNames) -> str | None:
    """Return what weighed most, for people."""
    support, elsewhere = judged.support, judged.elsewhere
    if elsewhere is not None:
        others = names.join(span.reference for span in elsewhere.places)
        return f"not what it cites but reference {others} supports it"
    if support is None:
        return None
    if support.figure is not None:
        return f"{clip(support.figure.text, _MAX_FIGURE)} does not stand in what it cites"
    return support.reason


def citations_of(
    answer: CitedAnswer, verdicts: Sequence[Verdict], references: References
) -> tuple[Citation, ...]:
    """Return a citation for each marker and sentence that it counts for, with the evidence.

    Args:
        answer: An answer that holds.
        verdicts: The verdicts on it.
        references: All references.
    """
    evidence: dict[tuple[int, int] | None, tuple[Span, ...]] = {}
    for verdict in verdicts:
        if verdict.ok and verdict.citations and verdict.span is not None:
            evidence[verdict.part] = verdict.spans or (verdict.span,)
    citations = [
        _citation(answer, sentence, marker, evidence, references)
        for sentence in answer.sentences
        for marker in sentence.markers
    ]
    return tuple(sorted(citations, key=lambda citation: (citation.start, citation.sentence)))


def _citation(
    answer: CitedAnswer,
    sentence: AnswerSentence,
    marker: Marker,
    evidence: dict[tuple[int, int] | None, tuple[Span, ...]],
    references: References,
) -> Citation:
    """Return what a marker cites for a sentence, with the evidence in the references it names."""
    part = (sentence.start, sentence.end)
    ids = answer.marked.references_of(marker)
    spans = tuple(span for span in evidence.get(part, ()) if span.reference in ids)
    quotes = (references[span.reference].text[span.start : span.end] for span in spans)
    return Citation(marker.start, marker.end, part, ids, spans, tuple(quotes))
