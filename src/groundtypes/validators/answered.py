"""`Answered`: the value answers, and neither refuses nor says that the information is missing."""

from dataclasses import dataclass
from typing import Any, Final

from groundtypes.entailment.abstentions import SAID
from groundtypes.errors import ContextError, fault_message
from groundtypes.references import Span
from groundtypes.refusals.denials import denied_by
from groundtypes.refusals.detect import (
    detect_refusal,
    has_letters_or_digits,
    parse_refusal,
    refusal_question,
)
from groundtypes.refusals.refusal import Refusal, RefusalKind
from groundtypes.text.message_excerpts import excerpt, shown_id
from groundtypes.validators.answerability import (
    ANSWERABLE_THRESHOLD,
    Answerability,
    answerability_by_llm,
    answerability_by_nli,
    answerable_pairs,
    answerable_question,
    candidate_passages,
)
from groundtypes.validators.case import Case
from groundtypes.validators.check import Check
from groundtypes.verdicts import Verdict

#: How much of a sentence or passage an error shows, in characters.
_EXCERPT: Final = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered(Check):
    """Holds when the value answers: it neither refuses nor says that the information is missing.

    The verdict's label is the kind of the value: `answer`, `refusal`, `abstention` or `partial`.
    Its score is the probability that the value is anything but a plain answer. Only the opening is
    read: the first three sentences, or all of a short text.

    Args:
        allow_partial: Accept a value that answers, but also refuses in part.
        unless_unanswerable: Accept an abstention if the references hold no answer to the
            context's `question`, and one beside an answer if they do not say what it misses. The
            LLM decides that if there is one, else the NLI engine; the verdict's reason names the
            engine that decided. An answer that should have been an abstention passes: add
            `Entailed` to catch it.
        by_llm: Let the LLM also decide which kind the value is.
        describe: Add the rule to the description in the JSON schema, where the LLM reads it.
    """

    allow_partial: bool = False
    unless_unanswerable: bool = False
    by_llm: bool = False

    @property
    def sentence_by_sentence(self) -> bool:
        """Whether a refusal can be told from a sentence alone: it cannot."""
        return False

    @property
    def rule(self) -> str:
        """The sentence for the JSON schema."""
        if self.unless_unanswerable:
            return "Answer the question; say that you cannot only if the references do not tell."
        return "Answer the question; do not refuse."

    def judge(self, value: str, case: Case) -> Verdict:
        """Decide which kind of reply the value is, and whether that kind is accepted."""
        value = case.without_markers(value) or value
        refusal, tokens = self._refusal(value, case)
        fields: dict[str, Any] = {
            "label": refusal.kind.value,
            "score": refusal.score,
            "reason": refusal.reason,
        }
        if tokens:
            fields["tokens"] = tokens
        if refusal.kind is RefusalKind.ANSWER:
            return self.holds(**fields)
        if refusal.kind is RefusalKind.PARTIAL and self.allow_partial:
            return self.holds(**fields)
        if refusal.kind is RefusalKind.ABSTENTION and self.unless_unanswerable:
            return self._judge_abstention(value, refusal, fields, self._answerability(case))
        if refusal.kind is RefusalKind.PARTIAL and self.unless_unanswerable and refusal.span:
            # "It opened in 1931. The documents do not say who designed it."
            denied = denied_by(value[slice(*refusal.span)].strip())
            if denied is not None:
                found = self._answerability(case, f"{denied}?" if denied else None)
                return self._judge_abstention(value, refusal, fields, found)
        return self._fault(f"refused_{refusal.kind}", value, refusal, fields)

    def _refusal(self, value: str, case: Case) -> tuple[Refusal, int]:
        """Return the kind of the value, and the tokens that it took to decide."""
        if not self.by_llm or not has_letters_or_digits(value):
            return detect_refusal(value, case.question), 0
        [reply] = case.ask(case.llm, [refusal_question(value, case.question)])
        return parse_refusal(value, reply), reply.tokens_in + reply.tokens_out

    def _judge_abstention(
        self,
        value: str,
        refusal: Refusal,
        fields: dict[str, Any],
        found: tuple[Answerability, str],
    ) -> Verdict:
        """Accept the abstention if the references hold no answer."""
        answerability, engine = found
        verb = "hold" if answerability.is_answerable else "lack"
        finding = f"by {engine}: the references {verb} an answer"
        fields["reason"] = "; ".join(filter(None, [finding, answerability.reason]))
        if answerability.tokens:
            fields["tokens"] = fields.get("tokens", 0) + answerability.tokens
        if not answerability.is_answerable:
            return self.holds(**fields)
        passage = answerability.passage
        if passage is None:
            return self._fault(f"refused_{refusal.kind}", value, refusal, fields)
        fields["span"] = passage.span
        return self._fault(
            "refused_answerable",
            value,
            refusal,
            fields,
            passage=excerpt(passage.text, _EXCERPT),
            where=_where(passage.span),
        )

    def _answerability(self, case: Case, denied: str | None = None) -> tuple[Answerability, str]:
        """Return whether the references hold an answer, and which engine decided.

        `denied` is asked in place of the user's question: what a part of the value says is missing.
        """
        question = denied or case.question
        if question is None or not question.strip():
            raise ContextError(
                "Answered(unless_unanswerable=True) needs the question: "
                "context={'question': ..., 'references': ...}."
            )
        references = case.references
        passages = candidate_passages(question, references)
        if not passages:
            return answerability_by_nli([], []), "rule"
        if case.judges.llm is not None:
            [reply] = case.ask(case.llm, [answerable_question(question, references)])
            return answerability_by_llm(reply, passages), "LLM"
        scores = case.ask(case.nli, answerable_pairs(question, passages))
        limit = ANSWERABLE_THRESHOLD if denied is None else SAID
        return answerability_by_nli(passages, scores, limit), "NLI"

    def _fault(
        self, template: str, value: str, refusal: Refusal, fields: dict[str, Any], **values: str
    ) -> Verdict:
        if refusal.span is None:
            template = "refused_empty"
        else:
            values["sentence"] = excerpt(value[slice(*refusal.span)], _EXCERPT)
        slug, message = fault_message(template, **values)
        return self.fails(slug, message, **fields)


def _where(span: Span) -> str:
    return f"reference {shown_id(span.reference)}"
