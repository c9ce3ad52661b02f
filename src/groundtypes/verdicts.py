"""`Verdict`: the result of one check on one value of an answer, as plain data."""

from dataclasses import asdict, dataclass
from typing import Any

from groundtypes.errors import clip
from groundtypes.references import Span

__all__ = ["Loc", "Verdict"]

#: The location of a value in an answer: field names and list positions, as Pydantic gives them.
Loc = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The result of one check on one value of an answer.

    Attributes:
        check: The marker's name, or `schema` for an error that Pydantic itself found.
        ok: Whether the check holds.
        loc: The location of the value in the answer.
        slug: The error code of the fault, or `None` if the check holds.
        message: The message of the fault, or `None` if the check holds.
        label: A short label of the outcome, which depends on the check: `exact`, `normalised` or
            `fuzzy` for a quote, `entailment`, `neutral` or `contradiction` for a sentence or claim.
        score: A probability or similarity from 0 to 1, which depends on the check.
        threshold: The lowest score at which the check holds, if it compares scores.
        span: The evidence in the references.
        reason: An explanation for people, such as that of an LLM judge.
        dropped: Whether the list item with the value was removed (`on_fault="drop"`).
        tokens: How many tokens an LLM read and wrote for this verdict. Tokens that several
            verdicts share are counted only once: divided among claims, otherwise added to the
            first verdict.
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
        data = {**asdict(self), "loc": list(self.loc)}
        if self.span is not None and self.span.page is None:
            del data["span"]["page"]  # only references with pages have one
        return data


def loc_pattern(loc: Loc) -> str:
    """Return a place as text with `*` for positions in lists, such as `facts.*.quote`."""
    steps = ("*" if isinstance(step, int) else clip(str(step), 80) for step in loc[:20])
    return ".".join(steps) or "(answer)"
