"""The verdict of a check: what it found at one place of an answer, as plain data."""

from dataclasses import asdict, dataclass
from typing import Any

from groundtypes.references import Span

__all__ = ["Loc", "Verdict"]

#: The place of a value in an answer: field names and list positions, as Pydantic gives them.
Loc = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What one check found at one place of an answer.

    `check` is the marker's name, or `schema` for what Pydantic itself found. `label` says what
    was found (for a quote: `exact`, `normalised` or `fuzzy`), `slug` and `message` are those of
    the fault and `None` where the check holds. `span` points at the evidence. `tokens` are those
    that an LLM read and wrote for this verdict; what many verdicts share is split among them.
    """

    check: str
    ok: bool
    loc: Loc = ()
    slug: str | None = None
    message: str | None = None
    label: str | None = None
    score: float | None = None
    threshold: float | None = None
    span: Span | None = None
    reason: str | None = None
    dropped: bool = False
    tokens: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as plain data that JSON can hold."""
        return {**asdict(self), "loc": list(self.loc)}
