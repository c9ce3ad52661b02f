"""Audit stored answers, and look at each verdict.

    pip install groundtypes
    python cookbook/audit_stored_answers.py

An audit does not raise for a faulty answer; it has a verdict from each check, with its location.
"""

import json
from typing import Annotated

from pydantic import BaseModel, Field

from groundtypes import Grounded, Quoted, audit_many

REFERENCES = {
    "leaflet": (
        "Take one tablet twice a day with water. Do not take this medicine if you are allergic "
        "to penicillin. Tell your doctor if you are pregnant."
    ),
    "trial": (
        "In the trial, 412 patients took the medicine for 12 weeks. Nausea was reported by "
        "8 % of them, and by 5 % of those who took the placebo."
    ),
}


class Finding(BaseModel):
    """A statement and the words that prove it."""

    statement: str
    reference: str
    quote: Annotated[str, Quoted(of="reference")]


class Answer(Grounded):
    """What was stored for one question."""

    findings: Annotated[list[Finding], Field(min_length=1)]


def stored(statement: str, reference: str, quote: str) -> str:
    """Return an answer with one finding as a table or a log would hold it: as JSON."""
    finding = {"statement": statement, "reference": reference, "quote": quote}
    return json.dumps({"findings": [finding]})


STORED = [
    stored("Twice a day.", "leaflet", "take one tablet **twice a day**"),
    # A changed number, a lost "not", the wrong reference, and no finding at all.
    stored("Many felt sick.", "trial", "Nausea was reported by 18 % of them"),
    stored("It is safe.", "leaflet", "Do take this medicine if you are allergic"),
    stored("With water.", "trial", "twice a day with water"),
    '{"findings": []}',
]


def main() -> None:
    """Audit the stored answers and print what was found."""
    audits = audit_many(Answer, STORED, context={"references": REFERENCES})
    for number, audit in enumerate(audits):
        print(f"answer {number}: {'ok' if audit.ok else 'faulty'}")
        for verdict in audit.verdicts:
            place = ".".join(map(str, verdict.loc))
            if verdict.ok and verdict.span is not None:
                span = verdict.span
                words = REFERENCES[span.reference][span.start : span.end]
                print(f'  {place}: {verdict.label} in {span.reference}, "{words}"')
            else:
                print(f"  {place}: {verdict.slug}. {verdict.message}")
    print(f"{sum(audit.ok for audit in audits)} of {len(audits)} answers hold.")


if __name__ == "__main__":
    main()
