"""`LLMCheck`: the base of checks that ask the LLM one question and get reasons with its answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from groundtypes.errors import fault_message
from groundtypes.llm_judge import own_reasons
from groundtypes.prompts.response_models import Judgement
from groundtypes.scoring import Question
from groundtypes.text.message_excerpts import clip
from groundtypes.validators.case import Case
from groundtypes.validators.check import Check
from groundtypes.verdicts import Verdict

#: How much of its reasons an error or verdict shows, in characters.
_MAX_REASONS: Final = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class LLMCheck(Check):
    """A check that asks the LLM one question."""

    def _ask(self, case: Case, question: Question) -> tuple[Any, int]:
        """Return the LLM's answer, and the tokens it took."""
        [reply] = case.ask(case.llm, [question])
        answer: Any = reply.answer
        reasons = own_reasons(question, answer.reasons)
        return answer.model_copy(update={"reasons": reasons}), reply.tokens_in + reply.tokens_out

    def _verdict(self, judgement: Judgement, tokens: int, template: str, **values: str) -> Verdict:
        """Return the verdict on a judgement; `template` and `values` make its fault message."""
        reasons = join_reasons(judgement.reasons)
        if judgement.holds:
            return self.holds(label="holds", reason=reasons or None, tokens=tokens)
        slug, message = fault_message(template, reasons=reasons or "No reason was given.", **values)
        return self.fails(slug, message, label="broken", reason=reasons or None, tokens=tokens)


def join_reasons(reasons: Sequence[str]) -> str:
    """Return the reasons on one line, at most 300 characters."""
    return clip(" ".join(" ".join(reason.split()) for reason in reasons), _MAX_REASONS)
