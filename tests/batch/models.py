"""Models and engines that the tests name as a worker would import them."""

from typing import Annotated

from pydantic import AfterValidator

from groundtypes import Answered, Entailed, Grounded, Judges, Pair, Quote
from groundtypes.errors import BackendError
from groundtypes.testing import ScriptedNLI

NOT_JUDGES = 7
#: How often engines were made in this process.
MADE: list[str] = []


class Fact(Grounded):
    """A quote, and a note on which a validator of the user's fails."""

    quote: Quote
    note: Annotated[str, AfterValidator(lambda note: {"": note, "ok": note}[note])] = ""


class Statement(Grounded):
    """A statement that asks an engine."""

    text: Annotated[str, Entailed()]


class Reply(Grounded):
    """A text that may abstain, which needs the question."""

    text: Annotated[str, Answered(unless_unanswerable=True)]


def judges() -> Judges:
    """Make engines that entail what their premises contain."""
    MADE.append("judges")
    return Judges(nli=ScriptedNLI())


def _down(_pair: Pair) -> None:
    raise BackendError("the engine is down")


def dead_judges() -> Judges:
    """Make engines that are down."""
    return Judges(nli=ScriptedNLI(_down))
