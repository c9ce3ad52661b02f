"""Ready-made models."""

from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, Field

from groundtypes.grounded import Grounded
from groundtypes.validators.entailed import Entailed
from groundtypes.validators.figures import Figures
from groundtypes.validators.quote import Quoted, QuotedText

__all__ = ["Citation", "CitedAnswer", "EntailedAnswer"]

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
