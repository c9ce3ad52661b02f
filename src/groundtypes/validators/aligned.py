"""`Aligned`: an answer addresses its question, and its citations support it."""

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeVar, overload

from pydantic import BaseModel, ValidationInfo

from groundtypes.errors import MarkerError, fault_message
from groundtypes.llm_judge import alignment_question
from groundtypes.prompts.response_models import Alignment
from groundtypes.validators.case import Case
from groundtypes.validators.llm_check import LLMCheck, join_reasons
from groundtypes.verdicts import Verdict

#: Core-schema types of values whose texts the LLM can be shown.
_ACCEPTED: Final = frozenset({"str", "model", "dataclass", "typed-dict", "list", "dict", "tuple"})
#: Texts that are nested deeper are not read.
_MAX_DEPTH: Final = 20
_Model = TypeVar("_Model")


@dataclass(frozen=True, slots=True, kw_only=True)
class Aligned(LLMCheck):
    """Holds when an answer addresses the question, and its citations support it.

    It is a decorator of a `Grounded` class, `@Aligned()`, or a marker of a whole model,
    `Annotated[AnswerWithCitations, Aligned()]`. The texts of the fields in `citations`,
    wherever in the value they are, are the citations; all other texts are the answer. Whether a
    citation occurs in a reference is for `Quote` to check.

    Args:
        citations: The name of the field that holds citations, or several names.
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
    def sentence_by_sentence(self) -> bool:
        """Whether sentences can be judged alone: the answer is judged as a whole."""
        return False

    @property
    def rule(self) -> str:
        """The sentence for the JSON schema."""
        return "Answer the question, and cite what supports the answer."

    @overload
    def __call__(self, value: type[_Model]) -> type[_Model]: ...

    @overload
    def __call__(self, value: Any, info: ValidationInfo) -> Any: ...

    def __call__(self, value: Any, info: Any = None) -> Any:
        """Add the check to a `Grounded` class, as its decorator, or judge a value as a validator.

        Raises:
            MarkerError: The class is not derived from `Grounded`.
        """
        if info is not None or not isinstance(value, type):
            return LLMCheck.__call__(self, value, info)
        add_check = getattr(value, "__groundtypes_add_check__", None)
        if add_check is None:
            raise MarkerError(
                f"Aligned is a decorator of classes that are derived from Grounded, which "
                f"{value.__name__} is not. Derive it, or use Annotated[{value.__name__}, "
                "Aligned()] where the class is used."
            )
        add_check(self)
        return value

    # Pydantic passes `info` to a validator with two required parameters.
    __call__.__signature__ = inspect.signature(LLMCheck.__call__)  # type: ignore[attr-defined] # what `inspect` reads

    def judge(self, value: Any, case: Case) -> Iterator[Verdict]:
        """Ask whether answer, citations and question fit together."""
        answers: list[str] = []
        citations: list[str] = []
        for text, is_citation in _texts(value, frozenset(self.citations), is_citation=False):
            (citations if is_citation else answers).append(text)
        if not citations:
            slug, message = fault_message("uncited")
            yield self.fails(slug, message, label="uncited")
            return
        alignment: Alignment
        alignment, tokens = self._ask(
            case, alignment_question("\n".join(answers), citations, case.references, case.question)
        )
        yield from self._verdicts(alignment, tokens, has_question=case.question is not None)

    def _verdicts(
        self, alignment: Alignment, tokens: int, *, has_question: bool
    ) -> Iterator[Verdict]:
        reasons = join_reasons(alignment.reasons)
        shown = reasons or "No reason was given."
        question_missed = has_question and not alignment.answers_question
        if question_missed:
            slug, message = fault_message("question_missed", reasons=shown)
            yield self.fails(slug, message, label="question missed", reason=reasons, tokens=tokens)
            tokens = 0  # the tokens of one question are counted once
        if not alignment.citations_support_answer:
            slug, message = fault_message("misaligned", reasons=shown)
            yield self.fails(slug, message, label="misaligned", reason=reasons, tokens=tokens)
        elif not question_missed:
            yield self.holds(label="aligned", reason=reasons or None, tokens=tokens)


def _texts(
    value: Any, names: frozenset[str], *, is_citation: bool, depth: int = 0
) -> Iterator[tuple[str, bool]]:
    """Yield the texts of a value, and whether each is in a field that holds citations."""
    if isinstance(value, str):
        if value.strip():
            yield str(value), is_citation
        return
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, BaseModel):
        value = {name: getattr(value, name) for name in type(value).model_fields}
    elif hasattr(value, "__dataclass_fields__"):
        value = {name: getattr(value, name) for name in value.__dataclass_fields__}
    if isinstance(value, dict):
        for name, part in value.items():
            cited = is_citation or name in names
            yield from _texts(part, names, is_citation=cited, depth=depth + 1)
    elif isinstance(value, list | tuple | set | frozenset):
        for part in value:
            yield from _texts(part, names, is_citation=is_citation, depth=depth + 1)
