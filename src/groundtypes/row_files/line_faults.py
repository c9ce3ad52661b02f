"""The faults of a row with what a person needs to understand them: what is said, what is true."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from groundtypes.text.message_excerpts import clip
from groundtypes.validation.audits import Audit

#: What is shown of an answer or a reference, in characters.
_EXCERPT: Final = 200
_NOT_JUDGED: Final = "not_judged"
_LONGEST_ID: Final = 100


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
                row,
                verdict.dropped,
            )
        )
    return found
