"""What LLMs must answer, one model for each prompt. The descriptions are part of the prompts."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from groundtypes.scoring import Label

__all__ = [
    "LABELS",
    "Alignment",
    "Claim",
    "ClaimLabel",
    "ClaimLabels",
    "Claims",
    "Judgement",
    "LabelWord",
    "NumberedLabel",
    "ReplyKind",
    "Sentence",
    "Sentences",
    "StatementLabel",
    "Statements",
]

#: The labels in words that small models, too, use rightly.
LabelWord = Literal["supported", "contradicted", "not stated"]
#: And as the field calls them.
LABELS: Final[Mapping[LabelWord, Label]] = {
    "supported": Label.ENTAILMENT,
    "contradicted": Label.CONTRADICTION,
    "not stated": Label.NEUTRAL,
}
_Words = Annotated[str, Field(max_length=400)]
_Reasons = Annotated[
    list[Annotated[str, Field(max_length=400)]],
    Field(max_length=5, description="At most three short reasons, the weightiest first."),
]


class _Answer(BaseModel):
    """An answer whose validator is built when it is first needed, not when it is imported."""

    model_config = ConfigDict(defer_build=True)


class Claim(_Answer):
    """One claim, and the number of the sentence that makes it."""

    sentence: int
    subject: _Words
    predicate: _Words
    object: _Words


class Claims(_Answer):
    """All claims of the sentences."""

    claims: Annotated[list[Claim], Field(max_length=200)]


class ClaimLabel(_Answer):
    """What the passages say of the claim, and the number of the passage that decides."""

    label: LabelWord
    passage: int | None


class NumberedLabel(_Answer):
    """What the passages say of one claim, and the number of the passage that decides."""

    claim: int
    label: LabelWord
    passage: int | None


class ClaimLabels(_Answer):
    """One label for each claim, in their order."""

    labels: Annotated[list[NumberedLabel], Field(max_length=200)]


class Judgement(_Answer):
    """Reasons first, then what follows from them."""

    reasons: _Reasons
    holds: bool


class Alignment(_Answer):
    """Whether the answer answers the question, and whether its citations bear it out."""

    reasons: _Reasons
    answers_question: bool
    citations_support_answer: bool


class ReplyKind(_Answer):
    """What a reply does with its question, after the reason for saying so."""

    reason: _Words
    kind: Literal["answer", "refusal", "abstention", "partial"]


class Sentence(_Answer):
    """One sentence under its number."""

    number: int
    text: Annotated[str, Field(max_length=2_000)]


class Sentences(_Answer):
    """The sentences, each under its number."""

    sentences: Annotated[list[Sentence], Field(max_length=200)]


class StatementLabel(_Answer):
    """What the passages say of a sentence or of one fact in it, and which passage decides."""

    sentence: int
    #: Small LLMs copy the whole sentence, which may be longer than other words here.
    statement: Annotated[str, Field(max_length=1_000)] | None = None
    label: LabelWord
    passage: int | None = None


class Statements(_Answer):
    """The labels of the sentences, in their order."""

    labels: Annotated[list[StatementLabel], Field(max_length=200)]
