"""An answer with a quote and a statement, and what it is judged by."""

from collections.abc import Sequence
from typing import Annotated, Any, Final

from pydantic import ConfigDict

from groundtypes import Entailed, Grounded, Judges, NLIScores, Pair, Quote
from groundtypes.testing import ScriptedNLI

TOWER: Final = "The tower is 330 metres tall. It is grey."
GOOD: Final[dict[str, Any]] = {"quote": "330 metres tall", "text": "It is grey."}
BAD: Final[dict[str, Any]] = {"quote": "331 metres tall", "text": "It is red."}


class Answer(Grounded):
    model_config = ConfigDict(extra="forbid")

    quote: Quote
    text: Annotated[str, Entailed()]


def context(**more: Any) -> dict[str, Any]:
    """Return a context with an engine of its own, which remembers nothing."""
    return {"references": TOWER, "judges": Judges(nli=ScriptedNLI()), **more}


class DeadNLI:
    """An engine that cannot be reached."""

    def score(self, pairs: Sequence[Pair], /) -> Sequence[NLIScores]:
        raise ConnectionError("canary")
