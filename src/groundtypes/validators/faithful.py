"""`Faithful`: an LLM finds nothing in the value that the references do not say."""

from dataclasses import dataclass
from typing import Any

from groundtypes.llm_judge import faithful_question
from groundtypes.validators.case import Case
from groundtypes.validators.claim_check import ClaimCheck
from groundtypes.validators.llm_check import LLMCheck
from groundtypes.verdicts import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Faithful(ClaimCheck, LLMCheck):
    """Holds when an LLM finds nothing in the value that the references do not say.

    The LLM's reasons are part of the error.

    Args:
        claim: The sentence that a value makes which is no text, with `{value}` and the names of
            sibling fields: "The status of the invoice is {value}." A truth value needs two
            forms: "The contract {value:renews|does not renew} automatically."
        describe: Add the rule to the description in the JSON schema, where the LLM reads it.
    """

    claim: str | None = None

    def __post_init__(self) -> None:
        self.check_claim()

    @property
    def rule(self) -> str:
        """The sentence for the JSON schema."""
        return "State nothing beyond the references."

    def judge(self, value: Any, case: Case) -> Verdict:
        """Ask whether the value, or the claim that it makes, is faithful to the references."""
        text = self.text_of(value, case)
        if isinstance(text, Verdict):
            return text
        question = faithful_question(text, case.references, case.question)
        judgement, tokens = self._ask(case, question)
        return self._verdict(judgement, tokens, "unfaithful")
