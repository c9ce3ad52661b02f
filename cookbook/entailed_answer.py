"""An answer without quotes: every sentence must follow from the references.

    pip install 'groundtypes[nli]'
    python cookbook/entailed_answer.py

The references may be long: each sentence is judged against the few passages that are most
similar to it.
"""

from typing import Annotated

from groundtypes import Entailed, Figures, Grounded, audit

REFERENCES = {
    "warranty": (
        "The machine has a warranty of two years from the day of purchase. Repairs are made by "
        "our own workshop."
    ),
    "manual": (
        "Clean the filter once a month. The tank holds 1.5 litres. Use tap water, no distilled "
        "water."
    ),
}


class Answer(Grounded):
    """The answer for the customer."""

    text: Annotated[str, Entailed(), Figures()]


ANSWERS = [
    "The machine comes with a warranty of two years. The filter should be cleaned once a month.",
    "The machine has no warranty.",
    "The tank holds 2.5 litres.",
    "Customers like the machine very much.",
]


def main() -> None:
    """Audit answers and print which sentences hold, and which references support them."""
    for text in ANSWERS:
        report = audit(Answer, {"text": text}, context={"references": REFERENCES})
        print(f"{'holds' if report.ok else 'at fault'}: {text}")
        for verdict in report.verdicts:
            where = f" on {verdict.span.reference}" if verdict.span else ""
            print(f"  {verdict.check}: {verdict.slug or verdict.label or 'holds'}{where}")


if __name__ == "__main__":
    main()
