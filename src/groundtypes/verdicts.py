"""`Verdict`: the result of one check on one value of an answer, as plain data."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, TypeAlias

from groundtypes.references import Span
from groundtypes.text.message_excerpts import clip

__all__ = ["Decision", "Loc", "Verdict"]

#: The location of a value in an answer: field names and list positions, as Pydantic gives them.
Loc = tuple[str | int, ...]

#: What is to be done with a text, or with an answer.
Decision: TypeAlias = Literal["accept", "review", "reject"]


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
        part: The part of the value that was judged, such as a sentence: half open, in code points.
            `None` is the whole value, or a part that is not known.
        citations: The ids of the references that the part cites, if the check reads citations.
        spans: All places of the evidence, if several places together are the evidence.
        count: How many faults of one kind the verdict stands for, where a check bounds their
            number.
        engine: The class of the engine that decided, where a cascade of engines did.
        decision: What the review band of the calibration says of the score, or `None`: there is no
            band, or the check does not compare with the calibrated threshold.
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
    part: tuple[int, int] | None = None
    citations: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    count: int = 1
    engine: str | None = None
    decision: Decision | None = None

    def __setstate__(self, state: Sequence[Any]) -> None:
        """Restore a pickle, also one of a version without the last fields."""
        options = fields(self)
        added = [option.default for option in options[len(state) :]]
        for option, value in zip(options, [*state, *added], strict=True):
            object.__setattr__(self, option.name, value)

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as plain data that JSON can hold.

        `part`, `citations`, `spans`, `engine` and `decision` are left out where there are none, and
        a `count` of 1.
        """
        data = {**asdict(self), "loc": list(self.loc)}
        for key in ("part", "citations", "spans"):
            value = data.pop(key)
            if value:
                data[key] = list(value)
        if self.count == 1:
            del data["count"]
        for key in ("engine", "decision"):
            if data[key] is None:
                del data[key]
        for span in (data["span"], *data.get("spans", ())):
            # Only references with pages have one, and only JSON values and tables have places.
            for name in ("page", "place"):
                if span is not None and span[name] is None:
                    del span[name]
        return data


def loc_pattern(loc: Loc) -> str:
    """Return a place as text with `*` for positions in lists, such as `facts.*.quote`."""
    steps = ("*" if isinstance(step, int) else clip(str(step), 80) for step in loc[:20])
    return ".".join(steps) or "(answer)"
