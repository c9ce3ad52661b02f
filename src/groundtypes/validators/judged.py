"""`Judged`, `Faithful` and `Aligned`: what an LLM says of the value, with its reasons."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from pydantic import BaseModel

from groundtypes.errors import MarkerError, clip, fault_message
from groundtypes.llm_judge import alignment_question, faithful_question, rule_question
from groundtypes.prompts.response_models import Alignment, Judgement
from groundtypes.scoring import Question, Reply
from groundtypes.validators.case import Case
from groundtypes.validators.check import Check
from groundtypes.verdicts import Verdict

__all__ = ["Aligned", "Faithful", "Judged"]

_REASONS: Final = 300
_RULE: Final = 200
#: The kinds of values of which a judge is shown the text.
_ACCEPTED: Final = frozenset({"str", "model", "dataclass", "typed-dict", "list", "dict", "tuple"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asking(Check):
    """A check that asks the LLM one question."""

    def _ask(self, case: Case, question: Question) -> tuple[Any, int]:
        reply: Reply = case.ask(case.llm, [question])[0]
        return reply.answer, reply.tokens_in + reply.tokens_out

    def _told(self, judgement: Judgement, tokens: int, wording: str, **values: str) -> Verdict:
        reasons = _reasons(judgement.reasons)
        if judgement.holds:
            return self.holds(label="holds", reason=reasons or None, tokens=tokens)
        slug, message = fault_message(wording, reasons=reasons or "No reason was given.", **values)
        return self.fails(slug, message, label="broken", reason=reasons or None, tokens=tokens)


@dataclass(frozen=True, slots=True)
class Judged(_Asking):
    """Holds when an LLM says that the value keeps a rule.

    The judge's reasons stand in the error, and in the verdict also where the rule holds.

    Options:
        rule_text: The rule in plain words, such as "It names no person." It must be your own:
            never build it from what users or references say.
        references: Show the judge the references, for rules that speak of them.
        describe: Add the rule to the description in the JSON schema, where the LLM reads it.
    """

    rule_text: str
    references: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        if not isinstance(self.rule_text, str) or not self.rule_text.strip():
            raise MarkerError("Judged needs a rule in plain words")

    @property
    def rule(self) -> str:
        """The rule itself."""
        return self.rule_text

    def judge(self, value: str, case: Case) -> Verdict:
        """Ask whether the value keeps the rule."""
        references = case.references if self.references else None
        question = rule_question(self.rule_text, value, references, case.question)
        judgement, tokens = self._ask(case, question)
        return self._told(judgement, tokens, "judged_false", rule=clip(self.rule_text, _RULE))


@dataclass(frozen=True, slots=True, kw_only=True)
class Faithful(_Asking):
    """Holds when an LLM finds nothing in the value that the references do not say."""

    @property
    def rule(self) -> str:
        """The sentence for the JSON schema."""
        return "State nothing beyond the references."

    def judge(self, value: str, case: Case) -> Verdict:
        """Ask whether the value is faithful to the references."""
        question = faithful_question(value, case.references, case.question)
        judgement, tokens = self._ask(case, question)
        return self._told(judgement, tokens, "unfaithful")


@dataclass(frozen=True, slots=True, kw_only=True)
class Aligned(_Asking):
    """Holds when an answer with citations speaks to the question, and its citations bear it out.

    It stands on a model (`Annotated[AnswerWithCitations, Aligned()]`), or in one as
    `_ = model_validator(mode="after")(Aligned())`. The texts of the field or fields in `citations`
    are what is cited, wherever in the value they stand; all other texts are the answer. That a
    citation stands in a reference is for `Quote` to say.

    Options:
        citations: Names of fields that hold citations.
        describe: Add the rule to the description in the JSON schema, where the LLM reads it.
    """

    accepts: ClassVar[frozenset[str]] = _ACCEPTED

    citations: str | Sequence[str] = ("citations", "citation", "quotes", "quote", "substring_quote")

    def __post_init__(self) -> None:
        names = (self.citations,) if isinstance(self.citations, str) else tuple(self.citations)
        if not names:
            raise MarkerError("Aligned needs the name of a field that holds citations")
        object.__setattr__(self, "citations", names)

    @property
    def rule(self) -> str:
        """The sentence for the JSON schema."""
        return "Answer the question, and cite what bears out the answer."

    def judge(self, value: Any, case: Case) -> Iterator[Verdict]:
        """Ask whether answer, citations and question fit together."""
        answer: list[str] = []
        cited: list[str] = []
        for text, citation in _texts(value, frozenset(self.citations), citation=False):
            (cited if citation else answer).append(text)
        if not cited:
            slug, message = fault_message("uncited")
            yield self.fails(slug, message, label="uncited")
            return
        question = alignment_question("\n".join(answer), cited, case.references, case.question)
        found: Alignment
        found, tokens = self._ask(case, question)
        reasons = _reasons(found.reasons)
        told = {"reasons": reasons or "No reason was given."}
        if case.question is not None and not found.answers_question:
            slug, message = fault_message("question_missed", **told)
            yield self.fails(slug, message, label="question missed", reason=reasons, tokens=tokens)
            tokens = 0
        if not found.citations_support_answer:
            slug, message = fault_message("misaligned", **told)
            yield self.fails(slug, message, label="misaligned", reason=reasons, tokens=tokens)
        elif case.question is None or found.answers_question:
            yield self.holds(label="aligned", reason=reasons or None, tokens=tokens)


def _reasons(reasons: Sequence[str]) -> str:
    return clip(" ".join(" ".join(reason.split()) for reason in reasons), _REASONS)


def _texts(
    value: Any, names: frozenset[str], *, citation: bool, depth: int = 0
) -> Iterator[tuple[str, bool]]:
    """Yield the texts of a value, and whether each stands in a field that holds citations."""
    if isinstance(value, str):
        if value.strip():
            yield str(value), citation
        return
    if depth > 20:
        return
    if isinstance(value, BaseModel):
        value = {name: getattr(value, name) for name in type(value).model_fields}
    elif hasattr(value, "__dataclass_fields__"):
        value = {name: getattr(value, name) for name in value.__dataclass_fields__}
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _texts(part, names, citation=citation or name in names, depth=depth + 1)
    elif isinstance(value, list | tuple | set | frozenset):
        for part in value:
            yield from _texts(part, names, citation=citation, depth=depth + 1)
