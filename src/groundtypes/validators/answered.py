"""`Answered`: the value answers, and neither refuses nor says that the information is missing."""

from dataclasses import dataclass
from typing import Any

from groundtypes.errors import ContextError, clip, fault_message
from groundtypes.references import Span
from groundtypes.refusals.answerable import (
    Answerability,
    answerability_by_llm,
    answerability_by_nli,
    answerable_pairs,
    answerable_question,
    candidate_passages,
)
from groundtypes.refusals.detect import (
    Refusal,
    RefusalKind,
    detect_refusal,
    parse_refusal,
    refusal_question,
)
from groundtypes.validators.case import Case
from groundtypes.validators.check import Check
from groundtypes.verdicts import Verdict

__all__ = ["Answered"]

_SHOWN = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered(Check):
    """Holds when the value answers: it does not refuse, and does not say that it cannot know.

    The verdict's label is the kind: `answer`, `refusal`, `abstention` or `partial`; its score is
    the probability of anything but a plain answer. The first three sentences are read.

    Options:
        allow_partial: Accept what answers after or beside a refusal.
        unless_unanswerable: Accept an abstention where the references hold no answer to the
            context's `question`. An LLM decides that if the context names one, else the NLI
            engine; the verdict says which. Whether an answer should have been an abstention is for
            `Entailed` to find.
        by_llm: Let the LLM also say which kind the value is.
        describe: Add the rule to the description in the JSON schema, where the LLM reads it.
    """

    allow_partial: bool = False
    unless_unanswerable: bool = False
    by_llm: bool = False

    @property
    def rule(self) -> str:
        """The sentence for the JSON schema."""
        if self.unless_unanswerable:
            return "Answer the question; say that you cannot only if the references do not tell."
        return "Answer the question; do not refuse."

    def judge(self, value: str, case: Case) -> Verdict:
        """Say what kind of reply the value is, and whether that is accepted."""
        found, tokens = self._found(value, case)
        fields: dict[str, Any] = {
            "label": found.kind.value,
            "score": found.score,
            "reason": found.reason,
        }
        if tokens:
            fields["tokens"] = tokens
        if found.kind is RefusalKind.ANSWER:
            return self.holds(**fields)
        if found.kind is RefusalKind.PARTIAL and self.allow_partial:
            return self.holds(**fields)
        if found.kind is RefusalKind.ABSTENTION and self.unless_unanswerable:
            return self._abstention(value, found, fields, case)
        return self._fault(f"refused_{found.kind}", value, found, fields)

    def _found(self, value: str, case: Case) -> tuple[Refusal, int]:
        if not self.by_llm:
            return detect_refusal(value, case.question), 0
        if not any(map(str.isalnum, value[:1000])):  # there is nothing to ask about
            return detect_refusal(value), 0
        reply = case.ask(case.llm, [refusal_question(value, case.question)])[0]
        return parse_refusal(value, reply), reply.tokens_in + reply.tokens_out

    def _abstention(
        self, value: str, found: Refusal, fields: dict[str, Any], case: Case
    ) -> Verdict:
        answerable, engine = self._answerable(case)
        told = f"by {engine}: the references {'hold' if answerable.holds else 'lack'} an answer"
        fields["reason"] = "; ".join(filter(None, [told, answerable.reason]))
        if answerable.tokens:
            fields["tokens"] = fields.get("tokens", 0) + answerable.tokens
        if not answerable.holds:
            return self.holds(**fields)
        passage = answerable.passage
        if passage is None:
            return self._fault("refused_abstention", value, found, fields)
        fields["span"] = passage.span
        return self._fault(
            "refused_answerable",
            value,
            found,
            fields,
            passage=_quoted(passage.text),
            where=_where(passage.span),
        )

    def _answerable(self, case: Case) -> tuple[Answerability, str]:
        question = case.question
        if question is None or not question.strip():
            raise ContextError(
                "Answered(unless_unanswerable=True) must know the question: "
                "context={'question': ..., 'references': ...}."
            )
        references = case.references
        passages = candidate_passages(question, references)
        if not passages:
            return answerability_by_nli([], []), "rule"
        if case.judges.llm is not None:
            reply = case.ask(case.llm, [answerable_question(question, references)])[0]
            return answerability_by_llm(reply, passages), "LLM"
        scores = case.ask(case.nli, answerable_pairs(question, passages))
        return answerability_by_nli(passages, scores), "NLI"

    def _fault(
        self, wording: str, value: str, found: Refusal, fields: dict[str, Any], **told: str
    ) -> Verdict:
        if found.span is None:
            wording = "refused_empty"
        else:
            told["sentence"] = _quoted(value[slice(*found.span)])
        slug, message = fault_message(wording, **told)
        return self.fails(slug, message, **fields)


def _quoted(text: str) -> str:
    return f'"{clip(" ".join(text.split()), _SHOWN)}"'


def _where(span: Span | None) -> str:
    return "a reference" if span is None else f"reference {clip(span.reference, 40)}"
