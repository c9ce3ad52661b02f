"""The faults of a row with what a person needs to understand them: what is said, what is true."""

from dataclasses import dataclass
from typing import Any, Final

from groundtypes.text.message_excerpts import clip
from groundtypes.validation.audits import Audit

#: What is shown of an answer or a reference, in characters.
_EXCERPT: Final = 200
_NOT_JUDGED: Final = "not_judged"


@dataclass(frozen=True, slots=True)
class LineFault:
    """A fault of a row: the number of its line, the place in the answer, the slug and a message.

    `said` is the part of the answer that is at fault, and `evidence` what the reference with the id
    `reference` says instead; each is empty where that is not known.
    """

    line: int
    place: str
    slug: str
    message: str
    said: str = ""
    reference: str = ""
    evidence: str = ""

    @classmethod
    def not_judged(cls, line: int, reason: str) -> "LineFault":
        """Return what stands for the faults of a row that could not be read or judged."""
        return cls(line, "(row)", _NOT_JUDGED, reason)

    @property
    def is_mistake(self) -> bool:
        """Whether the row could not be read or judged."""
        return self.slug == _NOT_JUDGED


def line_faults(line: int, audit: Audit[Any]) -> list[LineFault]:
    """Return the faults of the row on a line, in the order of its answer."""
    if not audit.faults:
        return []
    from groundtypes.report.judged_spans import judged_texts  # noqa: PLC0415 # rarely needed

    references = audit.references
    judged = judged_texts(audit.given, audit.verdicts, references)
    texts = {id(verdict): text for verdict, text in judged}
    found = []
    for verdict in audit.faults:
        place = ".".join(clip(str(step), 80) for step in verdict.loc[:20]) or "(answer)"
        reference = evidence = ""
        span = verdict.span
        if span is not None and references is not None and span.reference in references.ids:
            reference = span.reference
            evidence = references[reference].text[span.start : span.end]
        found.append(
            LineFault(
                line,
                place,
                verdict.slug or verdict.check,
                verdict.message or "",
                clip(texts[id(verdict)] or "", _EXCERPT),
                clip(reference, 80),
                clip(evidence, _EXCERPT),
            )
        )
    return found
