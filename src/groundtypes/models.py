"""Ready-made answer models (engines are in `groundtypes.judges`)."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from groundtypes.judges import Judges
from groundtypes.validation.grounded import Grounded
from groundtypes.validators.cited import Cited
from groundtypes.validators.entailed import Entailed
from groundtypes.validators.figures import Figures
from groundtypes.validators.quoted import Quoted, QuotedText
from groundtypes.validators.supported import Supported

__all__ = [
    "Citation",
    "CitedAnswer",
    "CitedTextAnswer",
    "EntailedAnswer",
    "SupportedAnswer",
    "supported_answer",
]

if TYPE_CHECKING:
    _NamedQuote = Annotated[QuotedText, Quoted(of="reference")]
else:
    _NamedQuote = Annotated[str, Quoted(of="reference")]


def _without_default(schema: dict[str, Any]) -> None:
    """Remove the default from a JSON schema: OpenAI refuses any in a strict one."""
    schema.pop("default", None)


class Citation(BaseModel):
    """A statement with the words of a reference that prove it.

    `reference` may name the reference that holds the quote; without it the quote may be from any.
    """

    statement: str
    reference: Annotated[str | None, Field(json_schema_extra=_without_default)] = None
    quote: _NamedQuote


class CitedAnswer(Grounded):
    """An answer with at least one citation for what it says."""

    answer: str
    citations: Annotated[list[Citation], Field(min_length=1)]


class CitedTextAnswer(Grounded):
    """An answer in prose whose statements cite, by markers such as [1], what supports them."""

    answer: Annotated[str, Cited()]


class EntailedAnswer(Grounded):
    """An answer whose sentences and figures all follow from the references."""

    answer: Annotated[str, Entailed(), Figures()]


class SupportedAnswer(Grounded):
    """An answer whose claims are all supported by the references; the check needs an LLM."""

    answer: Annotated[str, Supported()]


def supported_answer(
    field: str,
    judges: Judges,
    *,
    allow_neutral: bool = False,
    calls: Literal["one", "two", "per_claim"] = "one",
) -> type[Grounded]:
    """Return a model like `SupportedAnswer` whose answer has another name, with its judges.

    Args:
        field: The key of the answer in the data; all other keys are ignored.
        judges: The engines, where the context names none.
        allow_neutral: As in `Supported`.
        calls: As in `Supported`.
    """
    check = Supported(allow_neutral=allow_neutral, calls=calls)

    class Named(Grounded, judges=judges):
        model_config = ConfigDict(extra="ignore")

    # The key of the rows need not be an identifier, so it is an alias.
    model: type[Grounded] = create_model(
        "SupportedAnswer",
        __base__=Named,
        groundtypes_answer=(Annotated[str, check], Field(alias=field)),
    )
    return model
