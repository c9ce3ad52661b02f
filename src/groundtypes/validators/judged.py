"""`Judged`: an LLM says that the value follows a rule."""

from dataclasses import dataclass, field
from typing import Any, Final

from groundtypes.errors import MarkerError
from groundtypes.llm_judge import rule_question
from groundtypes.text.message_excerpts import clip
from groundtypes.validators.case import Case
from groundtypes.validators.claim_check import ClaimCheck
from groundtypes.validators.llm_check import LLMCheck
from groundtypes.verdicts import Verdict

#: How much of the rule an error shows, in characters.
_MAX_RULE: Final = 200


@dataclass(frozen=True, slots=True)
class Judged(ClaimCheck, LLMCheck):
    """Holds when an LLM says that the value follows a rule.

    The LLM's reasons are part of the error, and of the verdict even if the rule holds.

    Args:
        rule_text: The rule in plain words, such as "It names no person." It must be your own:
            never build it from what users or references say.
        references: Show the LLM the references, for rules about them.
        claim: The sentence that a value makes which is no text, with `{value}` and the names of
            sibling fields: "The status of the invoice is {value}." A truth value needs two
            forms: "The contract {value:renews|does not renew} automatically."
        describe: Add the rule to the description in the JSON schema, where the LLM reads it.
    """

    rule_text: str
    references: bool = field(default=False, kw_only=True)
    claim: str | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if not isinstance(self.rule_text, str) or not self.rule_text.strip():
            raise MarkerError('Judged needs a rule in plain words: Judged("It names no person.")')
        self.check_claim()

    @property
    def rule(self) -> str:
        """The rule itself."""
        return self.rule_text

    def judge(self, value: Any, case: Case) -> Verdict:
        """Ask whether the value, or the claim that it makes, follows the rule."""
        text = self.text_of(value, case)
        if isinstance(text, Verdict):
            return text
        references = case.references if self.references else None
        question = rule_question(self.rule_text, text, references, case.question)
        judgement, tokens = self._ask(case, question)
        return self._verdict(
            judgement, tokens, "judged_false", rule=clip(self.rule_text, _MAX_RULE)
        )
