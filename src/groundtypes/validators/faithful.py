"""`Faithful`: an LLM finds nothing in the value that the references do not say."""

from dataclasses import dataclass

from groundtypes.llm_judge import faithful_question
from groundtypes.validators.case import Case
from groundtypes.validators.llm_check import LLMCheck
from groundtypes.verdicts import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Faithful(LLMCheck):
    """Holds when an LLM finds nothing in the value that the references do not say.

    The LLM's reasons are part of the error.

    Args:
        describe: Add the rule to the description in the JSON schema, where the LLM reads it.
    """

    @property
    def rule(self) -> str:
        """The sentence for the JSON schema."""
        return "State nothing beyond the references."

    def judge(self, value: str, case: Case) -> Verdict:
        """Ask whether the value is faithful to the references."""
        value = case.without_markers(value) or value
        question = faithful_question(value, case.references, case.question)
        judgement, tokens = self._ask(case, question)
        return self._verdict(judgement, tokens, "unfaithful")
