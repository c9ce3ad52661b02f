"""What LLMs must answer, one model for each prompt. The descriptions are part of the prompts."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from groundtypes.scoring import Label

__all__ = [
    "Alignment",
    "Claim",
    "ClaimLabel",
    "ClaimLabels",
    "Claims",
    "Judgement",
    "NumberedLabel",
    "ReplyKind",
    "Sentence",
    "Sentences",
    "Statement",
    "Statements",
]

_Words = Annotated[str, Field(max_length=400)]
_Reasons = Annotated[
    list[Annotated[str, Field(max_length=400)]],
    Field(max_length=5, description="At most three short reasons, the weightiest first."),
]


class Claim(BaseModel):
    """One claim, and the number of the sentence that makes it."""

    sentence: int
    subject: _Words
    predicate: _Words
    object: _Words


class Claims(BaseModel):
    """All claims of the sentences."""

    claims: Annotated[list[Claim], Field(max_length=200)]


class NumberedLabel(BaseModel):
    """What the passages say of one claim, and the number of the passage that decides."""

    claim: int
    passage: int | None
    label: Label


class ClaimLabels(BaseModel):
    """One label for each claim, in their order."""

    labels: Annotated[list[NumberedLabel], Field(max_length=200)]


class ClaimLabel(BaseModel):
    """What the passages say of the claim, and the number of the passage that decides."""

    passage: int | None
    label: Label


class Judgement(BaseModel):
    """Reasons first, then what follows from them."""

    reasons: _Reasons
    holds: bool


class Alignment(BaseModel):
    """Whether the answer answers the question, and whether its citations bear it out."""

    reasons: _Reasons
    answers_question: bool
    citations_support_answer: bool


class ReplyKind(BaseModel):
    """What a reply does with its question, after the reason for saying so."""

    reason: _Words
    kind: Literal["answer", "refusal", "abstention", "partial"]


class Sentence(BaseModel):
    """One sentence under its number."""

    number: int
    text: Annotated[str, Field(max_length=2_000)]


class Sentences(BaseModel):
    """The sentences, each under its number."""

    sentences: Annotated[list[Sentence], Field(max_length=200)]


class Statement(BaseModel):
    """One statement, the number of the sentence that makes it, and what the premise says of it."""

    sentence: int
    statement: _Words
    label: Label


class Statements(BaseModel):
    """All statements of the sentences."""

    statements: Annotated[list[Statement], Field(max_length=300)]
