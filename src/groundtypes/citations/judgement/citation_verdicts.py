"""The verdicts of `Cited` on an answer with their messages, and the citations of one that holds."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, Final, Literal

from groundtypes.citations.judgement.judged_sentences import JudgedSentence
from groundtypes.citations.judgement.nli_support import Support
from groundtypes.citations.markers.cited_text import Citation
from groundtypes.citations.markers.marked_text import MarkedText
from groundtypes.citations.statements.cited_answer import AnswerSentence, CitedAnswer
from groundtypes.errors import fault_message
from groundtypes.references import References, Span
from groundtypes.scoring import Label
from groundtypes.text.excerpts import deciding_excerpt
from groundtypes.text.message_excerpts import clip, excerpt, shown_id
from groundtypes.verdicts import Decision, Verdict

#: How much of a sentence, of the words of a reference and of a label an error shows, in characters.
_SENTENCE: Final = 160
_PASSAGE: Final = 160
_MAX_LABEL: Final = 40
_MAX_FIGURE: Final = 60
#: How many references a message names.
_MAX_NAMED: Final = 10
#: More faults for unknown markers in one sentence would tell an LLM nothing new: the last one
#: counts the others.
_MAX_UNKNOWN: Final = 10


class ReferenceNames:
    """The names of references in messages: `[2] (guide)` where numbers are cited, else `guide`."""

    def __init__(self, marked: MarkedText, references: References, *, by_id: bool) -> None:
        """Take the answer, whose markers show whether it cites by number; else `by_id` says so."""
        self._references = references
        labels = {id_: label for label, id_ in marked.ids.items() if id_ is not None}
        numbers = [label.isdecimal() for label in labels.values()]
        self._by_number = any(numbers) if numbers else not by_id
        ids = references.ids
        self._are_positions = ids == tuple(map(str, range(len(ids))))
        self._are_numbers = not self._are_positions and any(id_.isdecimal() for id_ in ids)
        self._first = 0 if self._are_positions and labels.get("0") == "0" else 1

    def name(self, id_: str) -> str:
        """Return the name of a reference."""
        shown = shown_id(id_)
        if not self._by_number:
            return shown
        if self._are_numbers:
            return f"[{shown}]"
        number = f"[{self._references.number(id_) + self._first}]"
        return number if self._are_positions else f"{number} ({shown})"

    def join(self, ids: Iterable[str], word: str = "and") -> str:
        """Return the names of some references as a list in words."""
        unique = list(dict.fromkeys(ids))
        names = [self.name(id_) for id_ in unique[:_MAX_NAMED]]
        if len(unique) > _MAX_NAMED:
            names.append(f"{len(unique) - _MAX_NAMED} more")
        if len(names) < 2:
            return "".join(names)
        return f"{', '.join(names[:-1])} {word} {names[-1]}"


def support_fault(
    support: Support,
    elsewhere: Support | None,
    text: str,
    *,
    kind: Literal["elsewhere", "passage"] = "elsewhere",
    **values: str,
) -> tuple[str, str]:
    """Return slug and message for a sentence that what it cites does not support.

    `elsewhere` is what else supports it, if that is known, in another reference or, of the `kind`
    "passage", elsewhere in the one that is cited; `values` are the other values of the message.
    """
    template = "citation_unsupported"
    if support.label is Label.CONTRADICTION:
        template = "citation_contradicted"
    elif elsewhere is None and support.passage is None:
        template = "citation_unsupported_nothing"
    elif elsewhere is None and support.figure is not None:
        template = "citation_unsupported_figure"
        values["figure"] = clip(support.figure.text, _MAX_FIGURE)
    if elsewhere is not None:
        template += f"_{kind}"
        values["other_passage"] = _passage(elsewhere, text)
    return fault_message(
        template, passage=_passage(support, text), because=support.because, **values
    )


def _passage(support: Support, text: str) -> str:
    if support.passage is None:
        return ""
    return deciding_excerpt(support.passage, text, support.differing_words, _PASSAGE)


@dataclass(frozen=True, slots=True)
class CitationVerdicts:
    """Makes the verdicts on one answer; `threshold` is `None` if an LLM judged.

    `decide` asks the review band of the calibrated threshold, where that is compared with.
    """

    holds: Callable[..., Verdict]
    fails: Callable[..., Verdict]
    answer: CitedAnswer
    references: References
    threshold: float | None
    require: Literal["all", "some", "none"]
    names: ReferenceNames
    decide: Callable[..., Decision | None] | None = None

    def of(self, judged: Sequence[JudgedSentence]) -> Iterator[Verdict]:
        """Yield the verdicts in the order of the answer."""
        by_place = {(each.sentence.start, each.sentence.end): each for each in judged}
        known = self.names.join(self.references.ids, "or")
        for sentence in self.answer.sentences:
            for number, label in enumerate(sentence.unknown[:_MAX_UNKNOWN], 1):
                more = len(sentence.unknown) - number if number == _MAX_UNKNOWN else 0
                yield self._unknown(label, sentence, known, more)
            if (each := by_place.get((sentence.start, sentence.end))) is not None:
                yield from self._on_sentence(each)
        cites = any(each.ids or each.unknown for each in self.answer.sentences)
        if self.require == "some" and judged and not cites:
            slug, message = fault_message("citation_missing_everywhere", known=known)
            yield self.fails(slug, message, label="uncited")

    def _unknown(self, label: str, sentence: AnswerSentence, known: str, more: int) -> Verdict:
        """Return the verdict on a marker that names no reference, and on so many more."""
        others = (f" (nor {more:,} more)" if known else f" and {more:,} more") if more else ""
        slug, message = fault_message(
            "citation_unknown" if known else "citation_unknown_none",
            label=excerpt(label, _MAX_LABEL) + others,
            sentence=self._words(sentence),
            known=known,
        )
        part = sentence.start, sentence.end
        verdict = self.fails(slug, message, label="unknown", part=part)
        return replace(verdict, count=1 + more)

    def _on_sentence(self, judged: JudgedSentence) -> Iterator[Verdict]:
        """Yield the verdict on a sentence, and one for each of its references that was compared."""
        sentence, support = judged.sentence, judged.support
        if support is None:
            if not sentence.unknown:
                yield self._uncited(judged)
            return
        part = (sentence.start, sentence.end)
        fields: dict[str, Any] = {
            "label": support.label.value,
            "score": support.score,
            "threshold": self.threshold,
            "span": support.span,
            "spans": support.spans,
            "reason": self._reason(support, judged.elsewhere),
            "tokens": judged.tokens,
            "part": part,
            "citations": sentence.ids,
            "engine": support.engine,
        }
        if self.decide is not None and support.score is not None:
            fields["decision"] = self.decide(support.score, ok=support.holds)
        if not support.holds:
            slug, message = support_fault(
                support,
                judged.elsewhere,
                sentence.hypothesis.text,
                cited=self.names.join(judged.clause.ids if judged.clause else sentence.ids, "or"),
                sentence=excerpt(judged.clause.words, _SENTENCE)
                if judged.clause
                else self._words(sentence),
                other=self._places(judged.elsewhere),
            )
            yield self.fails(slug, message, **fields)
            return
        yield self.holds(**fields)
        for id_ in judged.relevant:
            yield self.holds(label="relevant", part=part, citations=(id_,))
        yield from self._superfluous(judged)

    def _superfluous(self, judged: JudgedSentence) -> Iterator[Verdict]:
        """Yield a verdict for each reference that the others make superfluous."""
        sentence = judged.sentence
        fields: dict[str, Any] = {"label": "superfluous", "part": (sentence.start, sentence.end)}
        for id_ in judged.superfluous:
            others = [other for other in sentence.ids if other not in judged.superfluous]
            slug, message = fault_message(
                "citation_superfluous",
                superfluous=self.names.name(id_),
                others=f"Reference {self.names.join(others)}" if others else "What else it cites",
                sentence=self._words(sentence),
            )
            yield self.fails(slug, message, citations=(id_,), **fields)
        if judged.uncompared:
            slug, message = fault_message(
                "citation_superfluous_many",
                most=len(sentence.ids) - len(judged.uncompared),
                count=len(sentence.ids),
                sentence=self._words(sentence),
            )
            yield self.fails(slug, message, citations=judged.uncompared, **fields)

    def _uncited(self, judged: JudgedSentence) -> Verdict:
        """Return the verdict on a sentence that cites nothing."""
        sentence, elsewhere = judged.sentence, judged.elsewhere
        fields: dict[str, Any] = {
            "label": "uncited",
            "part": (sentence.start, sentence.end),
            "tokens": judged.tokens,
        }
        if self.require != "all":
            return self.holds(**fields)
        template, values = "citation_missing", {"sentence": self._words(sentence)}
        if elsewhere is not None:
            template = "citation_missing_found"
            values["other"] = self._places(elsewhere)
            values["other_passage"] = _passage(elsewhere, sentence.hypothesis.text)
            fields["span"] = elsewhere.span
        return self.fails(*fault_message(template, **values), **fields)

    def _places(self, support: Support | None) -> str:
        """Return the names of the references that support a sentence."""
        return self.names.join(span.reference for span in support.places) if support else ""

    def _reason(self, support: Support, elsewhere: Support | None) -> str | None:
        """Return what weighed most, for people."""
        if elsewhere is not None:
            return f"not what it cites but reference {self._places(elsewhere)} supports it"
        if support.figure is not None:
            return f"{clip(support.figure.text, _MAX_FIGURE)} does not stand in what it cites"
        return support.reason

    def _words(self, sentence: AnswerSentence) -> str:
        """Return the words of a sentence with its markers."""
        return excerpt(self.answer.marked.text[sentence.start : sentence.end], _SENTENCE)


def citations_of(
    answer: CitedAnswer, verdicts: Sequence[Verdict], references: References
) -> tuple[Citation, ...]:
    """Return a citation for each marker and sentence that it counts for, with the evidence."""
    evidence: dict[tuple[int, int] | None, tuple[Span, ...]] = {}
    for verdict in verdicts:
        if verdict.ok and verdict.citations and verdict.span is not None:
            evidence[verdict.part] = verdict.spans or (verdict.span,)
    citations = []
    for sentence in answer.sentences:
        part = (sentence.start, sentence.end)
        for marker in filter(attrgetter("labels"), sentence.markers):
            ids = answer.marked.references_of(marker)
            spans = tuple(span for span in evidence.get(part, ()) if span.reference in ids)
            quotes = (references[span.reference].text[span.start : span.end] for span in spans)
            citations.append(Citation(marker.start, marker.end, part, ids, spans, tuple(quotes)))
    return tuple(sorted(citations, key=lambda citation: (citation.start, citation.sentence)))
