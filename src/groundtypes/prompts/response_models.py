"""The models that LLMs must fill in, one for each prompt.

The LLM reads the names, docstrings and descriptions of the models in their JSON schema, so they are
part of the prompts: every change is measured, and makes replies in caches useless.
"""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from groundtypes.scoring import Label

#: The labels in words that even small LLMs use correctly.
LabelWord = Literal["supported", "contradicted", "not stated"]
#: The label that each word means.
LABELS: Final[Mapping[LabelWord, Label]] = {
    "supported": Label.ENTAILMENT,
    "contradicted": Label.CONTRADICTION,
    "not stated": Label.NEUTRAL,
}
_ShortText = Annotated[str, Field(max_length=400)]
# Five are accepted, so that one reason too many does not make a reply invalid.
_Reasons = Annotated[
    list[Annotated[str, Field(max_length=400)]],
    Field(max_length=5, description="At most three short reasons, the weightiest first."),
]


class _ResponseModel(BaseModel):
    """A model whose validator is built when it is first needed, not when it is imported."""

    model_config = ConfigDict(defer_build=True)


class Claim(_ResponseModel):
    """One claim, and the number of the sentence that makes it."""

    sentence: int
    subject: _ShortText
    predicate: _ShortText
    object: _ShortText


class Claims(_ResponseModel):
    """All claims of the sentences."""

    claims: Annotated[list[Claim], Field(max_length=200)]


class ClaimLabel(_ResponseModel):
    """What the passages say of the claim, and the number of the passage that decides."""

    label: LabelWord
    passage: int | None


class NumberedLabel(_ResponseModel):
    """What the passages say of one claim, and the number of the passage that decides."""

    claim: int
    label: LabelWord
    passage: int | None


class ClaimLabels(_ResponseModel):
    """One label for each claim, in their order."""

    labels: Annotated[list[NumberedLabel], Field(max_length=200)]


class Judgement(_ResponseModel):
    """Reasons first, then what follows from them."""

    reasons: _Reasons
    holds: bool


class Alignment(_ResponseModel):
    """Whether the answer answers the question, and whether its citations bear it out."""

    reasons: _Reasons
    answers_question: bool
    citations_support_answer: bool


class ReplyKind(_ResponseModel):
    """What a reply does with its question, after the reason for saying so."""

    reason: _ShortText
    kind: Literal["answer", "refusal", "abstention", "partial"]


class Sentence(_ResponseModel):
    """One sentence under its number."""

    number: int
    text: Annotated[str, Field(max_length=2_000)]


class Sentences(_ResponseModel):
    """The sentences, each under its number."""

    sentences: Annotated[list[Sentence], Field(max_length=200)]


class StatementLabel(_ResponseModel):
    """What the passages say of a sentence or of one fact in it, and which passage decides."""

    sentence: int
    #: Small LLMs copy the whole sentence, which may be longer than other words here.
    statement: Annotated[str, Field(max_length=1_000)] | None = None
    label: LabelWord
    passage: int | None = None


class Statements(_ResponseModel):
    """The labels of the sentences, in their order."""

    labels: Annotated[list[StatementLabel], Field(max_length=200)]
