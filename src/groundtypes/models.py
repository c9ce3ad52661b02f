"""Ready-made models."""

from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field, create_model

from groundtypes.judges import Judges
from groundtypes.validation.grounded import Grounded
from groundtypes.validators.entailed import Entailed
from groundtypes.validators.figures import Figures
from groundtypes.validators.quoted import Quoted, QuotedText
from groundtypes.validators.supported import Supported

__all__ = ["Citation", "CitedAnswer", "EntailedAnswer", "SupportedAnswer", "supported_answer"]

if TYPE_CHECKING:
    _NamedQuote = Annotated[QuotedText, Quoted(of="reference")]
else:
    _NamedQuote = Annotated[str, Quoted(of="reference")]


class Citation(BaseModel):
    """A statement with the words of a reference that prove it.

    `reference` may name the reference that holds the quote; any reference will do without it.
    """

    statement: str
    reference: str | None = None
    quote: _NamedQuote


class CitedAnswer(Grounded):
    """An answer with a citation, at least one, for what it says."""

    answer: str
    citations: Annotated[list[Citation], Field(min_length=1)]


class EntailedAnswer(Grounded):
    """An answer whose every sentence follows from the references, with figures that stand there."""

    answer: Annotated[str, Entailed(), Figures()]


class SupportedAnswer(Grounded):
    """An answer of which the references bear out every claim; it needs an LLM."""

    answer: Annotated[str, Supported()]


def supported_answer(
    field: str, judges: Judges, *, allow_neutral: bool = False, extract_first: bool = False
) -> type[Grounded]:
    """Return a model like `SupportedAnswer` whose answer has another name, with its judges.

    Other keys of what it reads are left alone.
    """
    check = Supported(allow_neutral=allow_neutral, extract_first=extract_first)

    class Named(Grounded, judges=judges):
        model_config = ConfigDict(extra="ignore")

    # The answer stands under whatever name the rows have, which need not be an identifier.
    made: type[Grounded] = create_model(
        "SupportedAnswer",
        __base__=Named,
        groundtypes_answer=(Annotated[str, check], Field(alias=field)),
    )
    return made
