"""Why a sentence is not entailed: what weighed in each verdict, and the passage that decided.

    pip install 'groundtypes[nli]'
    python cookbook/why_not_entailed.py

The error message is for the model that corrects the sentence; the `reason` of a verdict is for the
person who reads the log. It names what differs most between the sentence and the passage, or says
that references disagree.
"""

from typing import Annotated

from groundtypes import Audit, Entailed, Grounded, audit_many

REFERENCES = {
    "leaflet": (
        "Opened software and gift cards cannot be returned. Send all else back within 30 days. "
        "Delivery is free for orders above 50 euros."
    ),
    "website": (
        "Delivery costs 4 euros. The shop closes at 6 pm on Saturdays, unless it is a public "
        "holiday."
    ),
}


class Reply(Grounded):
    """What the shop answers a customer."""

    text: Annotated[str, Entailed()]


REPLIES = [
    "Opened software can be returned.",
    "Delivery is free for all orders.",
    "The shop closes at 8 pm on Saturdays.",
    "Delivery is free for orders above 50 euros.",
    "The shop in Lisbon repairs bicycles.",
]


def explain(report: Audit[Reply], text: str) -> None:
    """Print for each sentence what weighed, and the words of the reference beside it."""
    for verdict in report.verdicts:
        outcome = "holds" if verdict.ok else verdict.slug
        print(f"{outcome} ({verdict.score:.2f}): {text}")
        if verdict.reason is not None:
            print(f"  because {verdict.reason}")
        if verdict.span is not None:
            start, end = verdict.span.start, verdict.span.end
            print(f"  {verdict.span.reference}: {REFERENCES[verdict.span.reference][start:end]}")


def main() -> None:
    """Audit replies and explain each verdict."""
    context = {"references": REFERENCES}
    reports = audit_many(Reply, [{"text": text} for text in REPLIES], context=context)
    for report, text in zip(reports, REPLIES, strict=True):
        explain(report, text)


if __name__ == "__main__":
    main()
