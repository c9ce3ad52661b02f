"""The faults of a row with what a person needs to understand them: what is said, what is true."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from groundtypes.text.message_excerpts import clip
from groundtypes.validation.audits import Audit
from groundtypes.verdicts import Verdict

#: What is shown of an answer or a reference, in characters.
_EXCERPT: Final = 200
_NOT_JUDGED: Final = "not_judged"
_LONGEST_ID: Final = 100
_REVIEW: Final = "review"


@dataclass(frozen=True, slots=True)
class LineFault:
    """A fault of a row: the number of its line, the place in the answer, the slug and a message.

    `said` is the part of the answer that is at fault, and `evidence` what the reference with the id
    `reference` says instead; each is empty where that is not known. `row` names the row (see
    `row_name`). A `dropped` fault does not reject its row. `state` is `new` or `unchanged` (SARIF's
    words) where the faults of a run are compared with a baseline.
    """

    line: int
    place: str
    slug: str
    message: str
    said: str = ""
    reference: str = ""
    evidence: str = ""
    row: str = ""
    dropped: bool = False
    state: str = ""

    @classmethod
    def not_judged(cls, line: int, reason: str) -> "LineFault":
        """Return what stands for the faults of a row that could not be read or judged."""
        return cls(line, "(row)", _NOT_JUDGED, reason)

    @property
    def is_mistake(self) -> bool:
        """Whether the row could not be read or judged."""
        return self.slug == _NOT_JUDGED

    @property
    def is_doubt(self) -> bool:
        """Whether it is no fault: the score of the row is one that a person should look at."""
        return self.slug == _REVIEW


def row_name(data: Mapping[str, Any]) -> str:
    """Return what a row is known by wherever it stands: its `id` as JSON, else a hash of it."""
    id_ = data.get("id")
    if isinstance(id_, str | int) and not isinstance(id_, bool):
        name = json.dumps(id_)
        if len(name) <= _LONGEST_ID:
            return name
        data = {"id": id_}
    content = json.dumps(data, sort_keys=True).encode()
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def line_faults(line: int, audit: Audit[Any], row: str = "") -> list[LineFault]:
    """Return the faults of the row on a line, in the order of its answer.

    Of a row that a person should look at, it is the verdict in doubt with the lowest score.
    """
    shown, is_doubtful = audit.faults, False
    if audit.mistake is None and audit.decision == _REVIEW:
        is_doubtful = True
        doubtful = (verdict for verdict in audit.verdicts if verdict.decision == _REVIEW)
        shown = (min(doubtful, key=lambda verdict: verdict.score or 0.0),)
    if not shown:
        return []
    from groundtypes.report.judged_spans import judged_texts  # noqa: PLC0415 # rarely needed

    references = audit.references
    judged = judged_texts(audit.given, audit.verdicts, references)
    texts = {id(verdict): text for verdict, text in judged}
    found = []
    for verdict in shown:
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
                _REVIEW if is_doubtful else verdict.slug or verdict.check,
                _doubt(verdict) if is_doubtful else verdict.message or "",
                clip(texts[id(verdict)] or "", _EXCERPT),
                clip(reference, 80),
                clip(evidence, _EXCERPT),
                row,
                verdict.dropped,
            )
        )
    return found


def _doubt(verdict: Verdict) -> str:
    """Return why a person should look at a value."""
    score = "" if verdict.score is None else f" {verdict.score:.3f}"
    return f"The score{score} of {clip(verdict.check, 80)} neither accepts nor rejects it."
